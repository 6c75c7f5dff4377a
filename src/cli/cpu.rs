//! Whether this processor has what the program was built for.
//!
//! `is_x86_feature_detected!` does not ask the processor about features that the compiler may take for granted, so
//! it is asked here. The numbers are those of CPUID in Intel's and AMD's manuals.

/// Instruction set extensions that this build uses and this machine does not have, by the compiler's names.
///
/// Call it first of all; the answer is empty where the program can run.
#[cfg(target_arch = "x86_64")]
pub fn missing_cpu_features() -> Vec<&'static str> {
    let mut missing = Vec::new();
    let machine = x86::Machine::ask();
    for feature in x86::FEATURES {
        if feature.required && !machine.has(feature) {
            missing.push(feature.name);
        }
    }
    missing
}

/// Builds for other processors use what all of their kind have.
#[cfg(not(target_arch = "x86_64"))]
pub fn missing_cpu_features() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__cpuid_count, _xgetbv};

    /// An extension, and where CPUID tells of it.
    pub(super) struct Feature {
        pub(super) name: &'static str,
        /// The compiler takes it for granted.
        pub(super) required: bool,
        leaf: Leaf,
        bit: u32,
        /// State components that the system must save for it (bits of XCR0).
        state: u64,
    }

    /// A register that CPUID fills.
    #[derive(Clone, Copy)]
    pub(super) enum Leaf {
        Ecx1,
        Ebx7,
        Ecx7,
        Edx7,
        Eax7Sub1,
        EcxExtended1,
    }

    impl Leaf {
        const COUNT: usize = Leaf::EcxExtended1 as usize + 1;
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

    /// What a processor and its system say of themselves.
    #[derive(Default)]
    pub(super) struct Machine {
        leaves: [u32; Leaf::COUNT],
        state: u64,
    }

    impl Machine {
        pub(super) fn ask() -> Machine {
            let mut machine = Machine::default();
            let highest = __cpuid_count(0, 0).eax;
            let highest_extended = __cpuid_count(0x8000_0000, 0).eax;
            let mut set = |leaf: Leaf, value| machine.leaves[leaf as usize] = value;
            let first = __cpuid_count(1, 0).ecx;
            set(Leaf::Ecx1, first);
            if highest >= 7 {
                let seventh = __cpuid_count(7, 0);
                set(Leaf::Ebx7, seventh.ebx);
                set(Leaf::Ecx7, seventh.ecx);
                set(Leaf::Edx7, seventh.edx);
                if seventh.eax >= 1 {
                    set(Leaf::Eax7Sub1, __cpuid_count(7, 1).eax);
                }
            }
            if highest_extended >= 0x8000_0001 {
                set(Leaf::EcxExtended1, __cpuid_count(0x8000_0001, 0).ecx);
            }
            const OSXSAVE: u32 = 27;
            if first >> OSXSAVE & 1 == 1 {
                // SAFETY: OSXSAVE says that the system has enabled the instruction.
                machine.state = unsafe { _xgetbv(0) };
            }
            machine
        }

        pub(super) fn has(&self, feature: &Feature) -> bool {
            self.leaves[feature.leaf as usize] >> feature.bit & 1 == 1 && self.state & feature.state == feature.state
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// The same answers as the standard library's, where it asks as well.
        #[test]
        fn the_standard_library_agrees() {
            let machine = Machine::ask();
            let has = |name| machine.has(FEATURES.iter().find(|feature| feature.name == name).unwrap());
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
        fn a_lesser_machine_lacks_what_is_required() {
            let old = Machine { leaves: [u32::MAX; Leaf::COUNT], state: 0b11 };
            let lacks = |name| !old.has(FEATURES.iter().find(|feature| feature.name == name).unwrap());
            assert!(!lacks("sse4.2") && lacks("avx2"), "a system that does not save the wide registers");
            assert!(FEATURES.iter().all(|feature| !Machine::default().has(feature)));
        }
    }
}
