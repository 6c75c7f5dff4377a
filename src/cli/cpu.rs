//! Whether this processor has what the program was built for.
//!
//! `is_x86_feature_detected!` does not ask the processor about features that the compiler may take for granted, so
//! it is asked here. The numbers are those of CPUID in Intel's and AMD's manuals.
//!
//! Nothing here may use what might be missing. So it is written such that the compiler finds no use for it: no values
//! of 16 bytes and more are copied, nothing is formatted, and features stand in memory that the compiler cannot see.

use std::io::{self, Write};

/// Whether this machine lacks instruction set extensions that this build uses; then it is said so, on both outputs:
/// GUIs show one, shells the other. Call it first of all.
#[inline(never)]
pub fn refuses_this_cpu() -> bool {
    let refuses = FEATURES.iter().any(Feature::is_missing);
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
    for feature in FEATURES.iter().filter(|feature| feature.is_missing()) {
        say(" ");
        say(feature.name);
    }
    say(". Use a build for x86-64-v2, or build it on this machine (README, Install).\n");
}

/// An extension, and where CPUID says that it is there.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
struct Feature {
    name: &'static str,
    /// The compiler takes it for granted.
    required: bool,
    leaf: u32,
    /// EBX or ECX.
    register: char,
    bit: u32,
}

/// What the processors of the last fifteen years differ in. Builds for others use what all of their kind have.
static FEATURES: [Feature; 14] = [
    Feature { name: "sse4.2", required: cfg!(target_feature = "sse4.2"), leaf: 1, register: 'c', bit: 20 },
    Feature { name: "popcnt", required: cfg!(target_feature = "popcnt"), leaf: 1, register: 'c', bit: 23 },
    Feature { name: "fma", required: cfg!(target_feature = "fma"), leaf: 1, register: 'c', bit: 12 },
    Feature { name: "avx", required: cfg!(target_feature = "avx"), leaf: 1, register: 'c', bit: 28 },
    Feature { name: "bmi1", required: cfg!(target_feature = "bmi1"), leaf: 7, register: 'b', bit: 3 },
    Feature { name: "avx2", required: cfg!(target_feature = "avx2"), leaf: 7, register: 'b', bit: 5 },
    Feature { name: "bmi2", required: cfg!(target_feature = "bmi2"), leaf: 7, register: 'b', bit: 8 },
    Feature { name: "avx512f", required: cfg!(target_feature = "avx512f"), leaf: 7, register: 'b', bit: 16 },
    Feature { name: "sha", required: cfg!(target_feature = "sha"), leaf: 7, register: 'b', bit: 29 },
    Feature { name: "avx512bw", required: cfg!(target_feature = "avx512bw"), leaf: 7, register: 'b', bit: 30 },
    Feature { name: "gfni", required: cfg!(target_feature = "gfni"), leaf: 7, register: 'c', bit: 8 },
    Feature { name: "avx512vnni", required: cfg!(target_feature = "avx512vnni"), leaf: 7, register: 'c', bit: 11 },
    Feature { name: "lzcnt", required: cfg!(target_feature = "lzcnt"), leaf: 0x8000_0001, register: 'c', bit: 5 },
    Feature { name: "sse4a", required: cfg!(target_feature = "sse4a"), leaf: 0x8000_0001, register: 'c', bit: 6 },
];

impl Feature {
    /// Whether the program can't do without it but must.
    fn is_missing(&self) -> bool {
        self.required && !self.is_there()
    }

    #[cfg(target_arch = "x86_64")]
    fn is_there(&self) -> bool {
        use std::arch::x86_64::__cpuid_count;
        let leaf = std::hint::black_box(self.leaf);
        // Old processors have not all leaves.
        if __cpuid_count(leaf & 0x8000_0000, 0).eax < leaf {
            return false;
        }
        let found = __cpuid_count(leaf, 0);
        let register = if self.register == 'b' { found.ebx } else { found.ecx };
        register >> self.bit & 1 == 1
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_there(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same answers as the standard library's, where it asks as well.
    #[cfg(target_arch = "x86_64")]
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
        assert_eq!(has("gfni"), is_x86_feature_detected!("gfni"));
        assert_eq!(has("avx512bw"), is_x86_feature_detected!("avx512bw"));
        assert_eq!(has("avx512vnni"), is_x86_feature_detected!("avx512vnni"));
    }

    #[test]
    fn this_machine_runs_its_own_build() {
        assert!(!FEATURES.iter().any(Feature::is_missing));
    }
}
