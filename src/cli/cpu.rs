//! Whether this processor has what the program was built for.
//!
//! `is_x86_feature_detected!` does not ask the processor about features that the compiler may take for granted, so
//! it is asked here. The numbers are those of CPUID in Intel's and AMD's manuals.
//!
//! Nothing here may use what might be missing. So it is written such that the compiler finds no use for it: no values
//! of 16 bytes and more are copied, nothing is formatted, and masks are hidden where they would become an `andn`.
//! Tried with qemu as Core 2, Nehalem, Sandy Bridge and Haswell.

use std::io::{self, Write};

/// Whether this machine lacks instruction set extensions that this build uses; then it is said so, on both outputs:
/// GUIs show one, shells the other. Call it first of all.
#[inline(never)]
pub fn refuses_this_cpu() -> bool {
    let refuses = x86::FEATURES.iter().any(x86::Feature::is_missing);
    if refuses {
        report(&mut io::stdout(), "info string error: ");
        report(&mut io::stderr(), "error: ");
    }
    refuses
}

fn report(out: &mut dyn Write, start: &str) {
    // There is nothing to be done about an output that is closed.
    let mut say = |text: &str| drop(out.write_all(text.as_bytes()));
    say(start);
    say("this build of Kurosabi is for another processor; this one lacks");
    for feature in x86::FEATURES.iter().filter(|feature| feature.is_missing()) {
        say(" ");
        say(feature.name);
    }
    say(". Use a build for x86-64-v2, or build it on this machine (README, Install).\n");
}

/// Builds for other processors use what all of their kind have.
#[cfg(not(target_arch = "x86_64"))]
mod x86 {
    pub(super) struct Feature {
        pub(super) name: &'static str,
    }

    impl Feature {
        pub(super) fn is_missing(&self) -> bool {
            false
        }
    }

    pub(super) const FEATURES: &[Feature] = &[];
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__cpuid_count, _xgetbv};
    use std::hint::black_box;

    /// An extension, and where CPUID has its bit.
    pub(super) struct Feature {
        pub(super) name: &'static str,
        /// The compiler takes it for granted.
        required: bool,
        leaf: Leaf,
        bit: u32,
        /// State components that the system must save for it (bits of XCR0).
        state: u64,
    }

    /// A register that CPUID fills.
    #[derive(Clone, Copy)]
    enum Leaf {
        Ecx1,
        Ebx7,
        Ecx7,
        Edx7,
        Eax7Sub1,
        EcxExtended1,
    }

    impl Leaf {
        /// What the processor says there; nothing when it is too old for the question.
        fn register(self) -> u32 {
            let reaches = |leaf| __cpuid_count(leaf & 0x8000_0000, 0).eax >= leaf;
            match self {
                Leaf::Ecx1 => __cpuid_count(1, 0).ecx,
                Leaf::EcxExtended1 if reaches(0x8000_0001) => __cpuid_count(0x8000_0001, 0).ecx,
                Leaf::Ebx7 if reaches(7) => __cpuid_count(7, 0).ebx,
                Leaf::Ecx7 if reaches(7) => __cpuid_count(7, 0).ecx,
                Leaf::Edx7 if reaches(7) => __cpuid_count(7, 0).edx,
                Leaf::Eax7Sub1 if reaches(7) && __cpuid_count(7, 0).eax >= 1 => __cpuid_count(7, 1).eax,
                _ => 0,
            }
        }
    }

    /// The state components that the system saves.
    fn saved_state() -> u64 {
        const OSXSAVE: u32 = 27;
        if Leaf::Ecx1.register() >> OSXSAVE & 1 == 0 {
            return 0;
        }
        // SAFETY: OSXSAVE says that the system has enabled the instruction.
        unsafe { _xgetbv(0) }
    }

    impl Feature {
        fn is_there(&self) -> bool {
            let is_saved = || black_box(saved_state() & self.state) == self.state;
            self.leaf.register() >> self.bit & 1 == 1 && (self.state == NONE || is_saved())
        }

        /// Whether the program can't do without it but must.
        pub(super) fn is_missing(&self) -> bool {
            self.required && !self.is_there()
        }
    }

    const NONE: u64 = 0;
    const YMM: u64 = 0b110;
    const ZMM: u64 = 0b1110_0110;

    macro_rules! features {
        ($($leaf:ident, $state:ident: $($name:literal $bit:literal),+;)+) => {
            &[$($(Feature {
                name: $name,
                required: cfg!(target_feature = $name),
                leaf: Leaf::$leaf,
                bit: $bit,
                state: $state,
            }),+),+]
        };
    }

    /// What compilers use of their own accord for the processors sold today.
    pub(super) const FEATURES: &[Feature] = features! {
        Ecx1, NONE: "sse3" 0, "pclmulqdq" 1, "ssse3" 9, "cmpxchg16b" 13, "sse4.1" 19, "sse4.2" 20, "movbe" 22,
            "popcnt" 23, "aes" 25, "xsave" 26, "rdrand" 30;
        Ecx1, YMM: "fma" 12, "avx" 28, "f16c" 29;
        Ebx7, NONE: "bmi1" 3, "bmi2" 8, "rdseed" 18, "adx" 19, "sha" 29;
        Ebx7, YMM: "avx2" 5;
        Ebx7, ZMM: "avx512f" 16, "avx512dq" 17, "avx512ifma" 21, "avx512cd" 28, "avx512bw" 30, "avx512vl" 31;
        Ecx7, NONE: "gfni" 8;
        Ecx7, YMM: "vaes" 9, "vpclmulqdq" 10;
        Ecx7, ZMM: "avx512vbmi" 1, "avx512vbmi2" 6, "avx512vnni" 11, "avx512bitalg" 12, "avx512vpopcntdq" 14;
        Edx7, ZMM: "avx512vp2intersect" 8, "avx512fp16" 23;
        Eax7Sub1, YMM: "avxvnni" 4, "avxifma" 23;
        Eax7Sub1, ZMM: "avx512bf16" 5;
        EcxExtended1, NONE: "lzcnt" 5, "sse4a" 6, "tbm" 21;
    };

    #[cfg(test)]
    mod tests {
        use super::*;

        /// The same answers as the standard library's, where it asks as well.
        #[test]
        fn the_standard_library_agrees() {
            let has = |name| FEATURES.iter().find(|feature| feature.name == name).unwrap().is_there();
            assert_eq!(has("sse4.2"), is_x86_feature_detected!("sse4.2"));
            assert_eq!(has("popcnt"), is_x86_feature_detected!("popcnt"));
            assert_eq!(has("avx"), is_x86_feature_detected!("avx"));
            assert_eq!(has("avx2"), is_x86_feature_detected!("avx2"));
            assert_eq!(has("bmi2"), is_x86_feature_detected!("bmi2"));
            assert_eq!(has("lzcnt"), is_x86_feature_detected!("lzcnt"));
            assert_eq!(has("sha"), is_x86_feature_detected!("sha"));
            assert_eq!(has("vaes"), is_x86_feature_detected!("vaes"));
            assert_eq!(has("avx512bw"), is_x86_feature_detected!("avx512bw"));
            assert_eq!(has("avx512vnni"), is_x86_feature_detected!("avx512vnni"));
            assert_eq!(has("avx512bf16"), is_x86_feature_detected!("avx512bf16"));
        }

        #[test]
        fn this_machine_runs_its_own_build() {
            assert!(!FEATURES.iter().any(Feature::is_missing));
        }
    }
}
