//! The arithmetic on whole vectors, for each instruction set.
//!
//! Which kernels are used is settled at run time, when a network is read: a call through a table, of a whole
//! update of an accumulator or of several layers at once, costs nothing that could be measured, so that one build is
//! fast everywhere.

mod instruction_set;
mod lines;
mod scalar;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
mod vector;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_feature = "simd128")]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse41;

#[cfg(test)]
mod tests;

pub use instruction_set::{InstructionSet, InstructionSetError};
pub(super) use lines::{I8Line, I16Line, I32Line, Line, U8Line, element};

/// Rows of the first layer's weights to add to an accumulator and to take from it.
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

    /// What takes these changes back.
    #[inline(always)]
    pub(super) fn reversed(self) -> Rows<'a> {
        Rows { added: self.removed, removed: self.added, ..self }
    }
}

/// A fully connected layer.
pub(super) struct Affine {
    /// For each group of four inputs, for each output the four weights.
    pub(super) weights: Vec<I8Line>,
    pub(super) biases: Vec<I32Line>,
    /// Whether products can be added in 16 bits for a while: see [`are_narrow`].
    pub(super) narrow: bool,
}

/// Whether kernels may add the products of 16 inputs in 16 bits: two weights of each of four groups of four, with
/// activations of at most 127. Nearly all trained networks have such small weights.
pub(super) fn are_narrow(weights: &[I8Line], stride: usize) -> bool {
    const LARGEST: i32 = i16::MAX as i32 / 127;
    let is_narrow = |block: &[I8Line], line: usize, pair: usize| {
        let weights = block[line..].iter().step_by(stride).flat_map(|line| &line.0[2 * pair..][..2]);
        let (mut above, mut below) = (0, 0);
        for &weight in weights {
            above += i32::from(weight.max(0));
            below -= i32::from(weight.min(0));
        }
        above <= LARGEST && below <= LARGEST
    };
    let mut blocks = weights.chunks_exact(4 * stride);
    blocks.remainder().is_empty()
        && blocks.all(|block| (0..stride).all(|line| (0..32).all(|pair| is_narrow(block, line, pair))))
}

/// All layers after the first.
pub(super) struct Stack {
    /// The first hidden layer.
    pub(super) first: Affine,
    /// Of an SFNN: the size of the first hidden layer, without the shortcut.
    pub(super) squared: Option<usize>,
    /// The second hidden layer.
    pub(super) second: Affine,
    /// Weights of the last layer, which has one output.
    pub(super) output: Vec<I8Line>,
    /// Its bias.
    pub(super) bias: i32,
}

/// Most outputs a hidden layer may have.
pub(super) const MAX_HIDDEN: usize = 128;

/// Room for what the layers after the first hidden one work out. Places that a network has no use for stay 0.
pub(super) struct LaterOutputs {
    /// Activations of the first hidden layer; of an SFNN squares and plain values side by side.
    first: [U8Line; 2 * MAX_HIDDEN / 64],
    /// Outputs of the second hidden layer.
    second: [I32Line; MAX_HIDDEN / 16],
    second_clipped: [U8Line; MAX_HIDDEN / 64],
}

impl LaterOutputs {
    pub(super) fn new() -> LaterOutputs {
        LaterOutputs {
            first: [U8Line::zero(); 2 * MAX_HIDDEN / 64],
            second: [I32Line::zero(); MAX_HIDDEN / 16],
            second_clipped: [U8Line::zero(); MAX_HIDDEN / 64],
        }
    }
}

type AffineSparse = unsafe fn(&[U8Line], &Affine, &mut [I32Line], &mut [u16]);

/// One instruction set's kernels. The functions may only be called on a machine that has it, which is
/// why a table is only handed out by [`Kernels::for_set`].
pub(super) struct Kernels {
    pub(super) instruction_set: InstructionSet,
    update: unsafe fn(&mut [I16Line], &[I16Line], &Rows<'_>),
    clip: unsafe fn(&[I16Line], &mut [U8Line]),
    pair: unsafe fn(&[I16Line], &mut [U8Line]),
    affine_sparse: AffineSparse,
    later_layers: unsafe fn(&[I32Line], &Stack, &mut LaterOutputs) -> i32,
    screlu_dot: unsafe fn(&[I16Line], &[I16Line]) -> i64,
}

impl Kernels {
    /// The kernels for an instruction set; the scalar ones where the processor lacks it.
    pub(super) fn for_set(set: InstructionSet) -> &'static Kernels {
        let set = if set.is_available() { set } else { InstructionSet::Scalar };
        match set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512Vnni => &avx512::vnni::KERNELS,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => &avx512::plain::KERNELS,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::AvxVnni => &avx2::vnni::KERNELS,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => &avx2::plain::KERNELS,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse41 => &sse41::KERNELS,
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => &neon::KERNELS,
            #[cfg(target_feature = "simd128")]
            InstructionSet::Simd128 => &simd128::KERNELS,
            _ => &scalar::KERNELS,
        }
    }

    /// Those for [`InstructionSet::chosen`]; where that cannot be had, for the best.
    pub(super) fn chosen() -> &'static Kernels {
        Kernels::for_set(InstructionSet::chosen().unwrap_or_else(|_| InstructionSet::best()))
    }

    /// `target` = `source` + the added rows − the removed ones. All must be `rows.width` long.
    #[inline(always)]
    pub(super) fn update(&self, target: &mut [I16Line], source: &[I16Line], rows: &Rows<'_>) {
        // SAFETY: see `Kernels`: the table is only handed out where the instruction set is there.
        unsafe { (self.update)(target, source, rows) }
    }

    /// An accumulator clamped to 0..=127. `out` is half as long as `accumulator`.
    #[inline(always)]
    pub(super) fn clip(&self, accumulator: &[I16Line], out: &mut [U8Line]) {
        // SAFETY: see `Kernels`: the table is only handed out where the instruction set is there.
        unsafe { (self.clip)(accumulator, out) }
    }

    /// Products of the numbers of the first half of an accumulator with those of the second, each clamped to 0..=254,
    /// divided by 512. `out` is a quarter as long as `accumulator`.
    #[inline(always)]
    pub(super) fn pair(&self, accumulator: &[I16Line], out: &mut [U8Line]) {
        // SAFETY: see `Kernels`: the table is only handed out where the instruction set is there.
        unsafe { (self.pair)(accumulator, out) }
    }

    /// Biases plus weights times input, passing over groups of four inputs that are 0. `active` must have room for
    /// the groups and 8 more.
    #[inline(always)]
    pub(super) fn affine_sparse(&self, input: &[U8Line], layer: &Affine, out: &mut [I32Line], active: &mut [u16]) {
        // SAFETY: see `Kernels`: the table is only handed out where the instruction set is there.
        unsafe { (self.affine_sparse)(input, layer, out, active) }
    }

    /// The output, without its bias, for the outputs of the first hidden layer.
    #[inline(always)]
    pub(super) fn later_layers(&self, outputs: &[I32Line], layers: &Stack, scratch: &mut LaterOutputs) -> i32 {
        // SAFETY: see `Kernels`: the table is only handed out where the instruction set is there.
        unsafe { (self.later_layers)(outputs, layers, scratch) }
    }

    /// The sum of squares of the numbers of an accumulator, clamped to 0..=2047 and divided by 256, times weights of
    /// at most ±1023. At most 64 lines.
    #[inline(always)]
    pub(super) fn screlu_dot(&self, accumulator: &[I16Line], weights: &[I16Line]) -> i64 {
        // SAFETY: see `Kernels`: the table is only handed out where the instruction set is there.
        unsafe { (self.screlu_dot)(accumulator, weights) }
    }
}
