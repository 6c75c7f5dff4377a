//! The arithmetic on whole vectors, for each instruction set.
//!
//! A build for a machine with AVX2 or better settles at compile time which kernels are used; any
//! other asks the machine once, when a network is read.

mod lines;
mod scalar;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse41;

#[cfg(test)]
mod tests;

#[cfg(test)]
use lines::Line;
pub(super) use lines::{I8Line, I16Line, I32Line, U8Line, element};

/// Rows of the first layer's weights to add to sums and to take from them.
pub(super) struct Rows<'a> {
    /// All weights, row by row.
    pub(super) weights: &'a [I16Line],
    /// Lines a row.
    pub(super) width: usize,
    pub(super) added: &'a [u32],
    pub(super) removed: &'a [u32],
}

impl<'a> Rows<'a> {
    #[inline(always)]
    fn row(&self, index: u32) -> &'a [I16Line] {
        &self.weights[index as usize * self.width..][..self.width]
    }
}

type Affine = unsafe fn(&[U8Line], &[I8Line], &[I32Line], &mut [I32Line]);
type AffineSparse = unsafe fn(&[U8Line], &[I8Line], &[I32Line], &mut [I32Line], &mut [u16]);

/// One instruction set's kernels. The functions may only be called on a machine that has it, which is
/// why a table is only handed out by [`Kernels::best`], or to tests by [`available`].
pub(super) struct Kernels {
    name: &'static str,
    update: unsafe fn(&mut [I16Line], &[I16Line], &Rows<'_>),
    clip: unsafe fn(&[I16Line], &mut [U8Line]),
    pair: unsafe fn(&[I16Line], &mut [U8Line]),
    pair_rounded: unsafe fn(&[I16Line], &mut [U8Line]),
    affine_sparse: AffineSparse,
    affine: Affine,
    clip_sums: unsafe fn(&[I32Line], &mut [U8Line]),
    dot: unsafe fn(&[U8Line], &[I8Line]) -> i32,
    screlu_dot: unsafe fn(&[I16Line], &[I16Line]) -> i64,
}

/// The kernels that the build is made for.
const BUILT_FOR: Option<&Kernels> = built_for();

#[cfg(target_arch = "x86_64")]
const fn built_for() -> Option<&'static Kernels> {
    let wide = cfg!(all(target_feature = "avx512f", target_feature = "avx512bw"));
    if wide && cfg!(target_feature = "avx512vnni") {
        Some(&avx512::vnni::KERNELS)
    } else if wide {
        Some(&avx512::plain::KERNELS)
    } else if cfg!(target_feature = "avx2") {
        Some(&avx2::KERNELS)
    } else {
        None
    }
}

#[cfg(target_arch = "aarch64")]
const fn built_for() -> Option<&'static Kernels> {
    if cfg!(target_feature = "neon") { Some(&neon::KERNELS) } else { None }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const fn built_for() -> Option<&'static Kernels> {
    None
}

/// The kernels this machine can run, the best first, the scalar ones last.
fn available() -> Vec<&'static Kernels> {
    let mut kernels = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
            if is_x86_feature_detected!("avx512vnni") {
                kernels.push(&avx512::vnni::KERNELS);
            }
            kernels.push(&avx512::plain::KERNELS);
        }
        if is_x86_feature_detected!("avx2") {
            kernels.push(&avx2::KERNELS);
        }
        if is_x86_feature_detected!("sse4.1") {
            kernels.push(&sse41::KERNELS);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("neon") {
        kernels.push(&neon::KERNELS);
    }
    kernels.push(&scalar::KERNELS);
    kernels
}

impl Kernels {
    /// The best kernels for this machine.
    pub(super) fn best() -> &'static Kernels {
        BUILT_FOR.unwrap_or_else(|| available()[0])
    }

    /// These kernels, or those that the build settles on.
    #[inline(always)]
    fn settled(&'static self) -> &'static Kernels {
        BUILT_FOR.unwrap_or(self)
    }

    /// The instruction set's name.
    pub(super) fn name(&'static self) -> &'static str {
        self.settled().name
    }

    /// `target` = `source` + the added rows − the removed ones. All must be `rows.width` long.
    #[inline(always)]
    pub(super) fn update(&'static self, target: &mut [I16Line], source: &[I16Line], rows: &Rows<'_>) {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().update)(target, source, rows) }
    }

    /// Sums clamped to 0..=127. `out` is half as long as `sums`.
    #[inline(always)]
    pub(super) fn clip(&'static self, sums: &[I16Line], out: &mut [U8Line]) {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().clip)(sums, out) }
    }

    /// Products of the sums of the first half with those of the second, each clamped to 0..=254,
    /// divided by 512. `out` is a quarter as long as `sums`.
    #[inline(always)]
    pub(super) fn pair(&'static self, sums: &[I16Line], out: &mut [U8Line]) {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().pair)(sums, out) }
    }

    /// Products of the sums of the first half with those of the second, each clamped to 0..=2040, divided by 2¹⁵ and
    /// rounded to the nearest. `out` is a quarter as long as `sums`.
    #[inline(always)]
    pub(super) fn pair_rounded(&'static self, sums: &[I16Line], out: &mut [U8Line]) {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().pair_rounded)(sums, out) }
    }

    /// Biases plus weights times input, passing over groups of four inputs that are 0; for the weights'
    /// order see [`super::layers::Affine`]. `active` must have room for the groups and 8 more.
    #[inline(always)]
    pub(super) fn affine_sparse(
        &'static self,
        input: &[U8Line],
        weights: &[I8Line],
        biases: &[I32Line],
        out: &mut [I32Line],
        active: &mut [u16],
    ) {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().affine_sparse)(input, weights, biases, out, active) }
    }

    /// The same for few inputs.
    #[inline(always)]
    pub(super) fn affine(&'static self, input: &[U8Line], weights: &[I8Line], biases: &[I32Line], out: &mut [I32Line]) {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().affine)(input, weights, biases, out) }
    }

    /// Sums divided by 64 and clamped to 0..=127.
    #[inline(always)]
    pub(super) fn clip_sums(&'static self, sums: &[I32Line], out: &mut [U8Line]) {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().clip_sums)(sums, out) }
    }

    /// The sum of squares of the sums, clamped to 0..=2047 and divided by 256, times weights of at most ±1023. At
    /// most 64 lines.
    #[inline(always)]
    pub(super) fn screlu_dot(&'static self, sums: &[I16Line], weights: &[I16Line]) -> i64 {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().screlu_dot)(sums, weights) }
    }

    /// The sum of input times weight.
    #[inline(always)]
    pub(super) fn dot(&'static self, input: &[U8Line], weights: &[I8Line]) -> i32 {
        // SAFETY: see `Kernels`: whoever has the table has the instruction set.
        unsafe { (self.settled().dot)(input, weights) }
    }
}
