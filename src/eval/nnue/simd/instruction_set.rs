//! Which instructions evaluate a network.

use std::str::FromStr;
use std::{env, fmt};

use thiserror::Error;

/// An instruction set for which there are kernels. A network's evaluations do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// x86-64: 512-bit vectors, with the instruction for products of bytes.
    Avx512Vnni,
    /// x86-64: 512-bit vectors.
    Avx512,
    /// x86-64: 256-bit vectors, with the instruction for products of bytes.
    AvxVnni,
    /// x86-64: 256-bit vectors.
    Avx2,
    /// x86-64: 128-bit vectors.
    Sse41,
    /// aarch64: 128-bit vectors.
    Neon,
    /// WebAssembly: 128-bit vectors. A module is built with them or without; its host refuses those it lacks.
    Simd128,
    /// No vector instructions but those that the compiler chooses.
    Scalar,
}

impl InstructionSet {
    /// All of them, the fastest of a processor first; their names in lower case, and as makers write them.
    const ALL: [(InstructionSet, &str, &str); 8] = [
        (InstructionSet::Avx512Vnni, "avx512vnni", "AVX-512 VNNI"),
        (InstructionSet::Avx512, "avx512", "AVX-512"),
        (InstructionSet::AvxVnni, "avxvnni", "AVX-VNNI"),
        (InstructionSet::Avx2, "avx2", "AVX2"),
        (InstructionSet::Sse41, "sse41", "SSE4.1"),
        (InstructionSet::Neon, "neon", "NEON"),
        (InstructionSet::Simd128, "simd128", "WebAssembly SIMD"),
        (InstructionSet::Scalar, "scalar", "no vector instructions"),
    ];

    /// The environment variable that forces an instruction set, by its [name](InstructionSet::name).
    pub const VARIABLE: &'static str = "KUROSABI_SIMD";

    /// Its name in lower case, such as `avx2`.
    pub const fn name(self) -> &'static str {
        InstructionSet::ALL[self as usize].1
    }

    /// Those that this processor has, the fastest first.
    pub fn available() -> impl Iterator<Item = InstructionSet> {
        InstructionSet::ALL.into_iter().map(|(set, ..)| set).filter(|set| set.is_available())
    }

    /// Whether this processor has it. (Asking is cheap: the answer is kept.)
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let wide = || is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        match self {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512Vnni => wide() && is_x86_feature_detected!("avx512vnni"),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => wide(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::AvxVnni => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("avxvnni"),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse41 => is_x86_feature_detected!("sse4.1"),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            InstructionSet::Simd128 => cfg!(target_feature = "simd128"),
            InstructionSet::Scalar => true,
            _ => false,
        }
    }

    /// The fastest that this processor has.
    pub fn best() -> InstructionSet {
        InstructionSet::available().next().unwrap_or(InstructionSet::Scalar)
    }

    /// The one that networks read from now on use: what [`InstructionSet::VARIABLE`] names, otherwise the best.
    ///
    /// # Errors
    /// When the variable names none, or one that the processor lacks.
    pub fn chosen() -> Result<InstructionSet, InstructionSetError> {
        match env::var_os(InstructionSet::VARIABLE).filter(|name| !name.is_empty()) {
            None => Ok(InstructionSet::best()),
            Some(name) => name.to_string_lossy().parse(),
        }
    }
}

/// `AVX-512 VNNI`, as makers write it.
impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(InstructionSet::ALL[*self as usize].2)
    }
}

/// The instruction set asked for is not available.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("instruction set {name:?} is not available; this processor has {}",
    InstructionSet::available().map(InstructionSet::name).collect::<Vec<_>>().join(", "))]
pub struct InstructionSetError {
    /// What was asked for.
    name: String,
}

/// Reads the name of an instruction set that this processor has.
impl FromStr for InstructionSet {
    type Err = InstructionSetError;

    fn from_str(name: &str) -> Result<InstructionSet, InstructionSetError> {
        InstructionSet::available()
            .find(|set| set.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| InstructionSetError { name: name.chars().take(80).collect() })
    }
}
