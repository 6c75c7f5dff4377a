//! Network files with pseudo-random weights, as `shared/golden/make_net.py` describes them.
//!
//! Every number comes from a counter-based stream, so that a test can also ask for a single weight.

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Element `index` of tensor `tensor`'s stream.
fn draw(seed: u64, tensor: u64, index: usize) -> u64 {
    mix(mix(seed.wrapping_add(tensor << 32)).wrapping_add((index as u64 + 1).wrapping_mul(GOLDEN)))
}

fn uniform(r: u64, low: i64, high: i64) -> i64 {
    low + ((r & 0xFFFF_FFFF) % (high - low + 1) as u64) as i64
}

/// Mostly within ±`usual`, one time in `rarity` within the second range.
fn heavy(r: u64, usual: i64, (low, high): (i64, i64), rarity: u64) -> i64 {
    if (r >> 32).is_multiple_of(rarity) { uniform(r, low, high) } else { uniform(r, -usual, usual) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Features {
    HalfKp,
    KP,
    HalfKaHm2,
}

/// An architecture of the generator.
#[derive(Clone, Debug)]
pub(crate) struct Arch {
    pub(crate) name: String,
    pub(crate) features: Features,
    pub(crate) width: usize,
    pub(crate) hidden: [usize; 2],
    pub(crate) stacks: usize,
}

impl Arch {
    /// `halfkp_256x2-32-32`, `kp_256x2-32-32`, `SFNN_halfkahm2_1536_15_32_k3k3`.
    pub(crate) fn parse(name: &str) -> Arch {
        let parts: Vec<&str> = name.trim_start_matches("SFNN_").split(['_', '-']).collect();
        let number = |i: usize| -> usize { parts[i].trim_end_matches("x2").parse().unwrap() };
        let features = match parts[0] {
            "halfkp" => Features::HalfKp,
            "kp" => Features::KP,
            "halfkahm2" => Features::HalfKaHm2,
            other => panic!("features {other}"),
        };
        let stacks = if parts.get(4) == Some(&"k3k3") { 9 } else { 1 };
        Arch { name: name.to_owned(), features, width: number(1), hidden: [number(2), number(3)], stacks }
    }

    pub(crate) fn is_sfnn(&self) -> bool {
        self.features == Features::HalfKaHm2
    }

    pub(crate) fn rows(&self) -> usize {
        match self.features {
            Features::HalfKp => 81 * 1548,
            Features::KP => 1548 + 162,
            Features::HalfKaHm2 => 45 * 1629,
        }
    }

    /// Inputs and outputs of the layers after the first.
    pub(crate) fn layers(&self) -> [(usize, usize); 3] {
        let [first, second] = self.hidden;
        if self.is_sfnn() {
            [(self.width, first + usize::from(first % 8 == 7)), (2 * first, second), (second, 1)]
        } else {
            [(2 * self.width, first), (first, second), (second, 1)]
        }
    }

    /// Hashes of the file, the feature transformer and a layer stack.
    pub(crate) fn hashes(&self) -> [u32; 3] {
        let features = match self.features {
            Features::HalfKp => 0x5D69_D5B8,
            Features::KP => 0xD3CE_E169_u32 ^ (0x764C_FB4B_u32 << 1),
            Features::HalfKaHm2 => return [0x3C20_3B32, 0x5F13_4AB8, 0x6333_718A],
        };
        let inputs = 2 * self.width as u32;
        let stack = self.layers().into_iter().enumerate().fold(0xEC42_E90D ^ inputs, |hash, (i, (_, outputs))| {
            let affine = 0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ (hash >> 1) ^ (hash << 31);
            affine.wrapping_add(if i < 2 { 0x538D_24C7 } else { 0 })
        });
        [features ^ inputs ^ stack, features ^ inputs, stack]
    }

    /// What YaneuraOu calls the network.
    pub(crate) fn description(&self) -> String {
        let Arch { width, stacks, .. } = *self;
        let (rows, inputs, [a, b]) = (self.rows(), 2 * width, self.hidden);
        match self.features {
            Features::HalfKaHm2 => {
                let first = self.name == "SFNN_halfkahm2_1536_15_32_k3k3";
                let name = if first { "SFNN-1536".to_owned() } else { self.name.to_uppercase() };
                format!(
                    "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[{rows}->{width}x2],Network={name}{{LayerStack={stacks}}}"
                )
            }
            features => {
                let features = if features == Features::KP { "K+P" } else { "HalfKP(Friend)" };
                format!(
                    "Features={features}[{rows}->{width}x2],Network=AffineTransform[1<-{b}](ClippedReLU[{b}](AffineTransform[{b}<-{a}](ClippedReLU[{a}](AffineTransformSparseInput[{a}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))"
                )
            }
        }
    }
}

/// An architecture's weights with a seed.
#[derive(Clone)]
pub(crate) struct Weights {
    pub(crate) arch: Arch,
    pub(crate) seed: u64,
}

impl Weights {
    pub(crate) fn new(arch: &str, seed: u64) -> Weights {
        Weights { arch: Arch::parse(arch), seed }
    }

    pub(crate) fn transformer_bias(&self, j: usize) -> i64 {
        match j % 512 {
            100 if self.arch.is_sfnn() => -8200,
            356 if self.arch.is_sfnn() => 8200,
            _ => uniform(draw(self.seed, 0, j), 0, 127),
        }
    }

    pub(crate) fn transformer_weight(&self, row: usize, j: usize) -> i64 {
        heavy(draw(self.seed, 1, row * self.arch.width + j), 16, (-160, 160), 64)
    }

    pub(crate) fn bias(&self, stack: usize, layer: usize, output: usize) -> i64 {
        let r = draw(self.seed, 16 * stack as u64 + 2 + 2 * layer as u64, output);
        if layer < 2 { uniform(r, -4096, 8191) } else { uniform(r, -4096, 4095) }
    }

    pub(crate) fn weight(&self, stack: usize, layer: usize, output: usize, input: usize) -> i64 {
        let row = self.arch.layers()[layer].0.next_multiple_of(32);
        let r = draw(self.seed, 16 * stack as u64 + 3 + 2 * layer as u64, output * row + input);
        let (usual, rarity) = [(5, 512), (40, 64), (110, 8)][layer];
        heavy(r, usual, (-128, 127), rarity)
    }

    /// The file.
    pub(crate) fn file(&self) -> Vec<u8> {
        self.file_described(&self.arch.description())
    }

    /// The file, with another description in its header.
    pub(crate) fn file_described(&self, description: &str) -> Vec<u8> {
        let arch = &self.arch;
        let [file_hash, transformer_hash, stack_hash] = arch.hashes();
        let mut bytes = Vec::new();
        for number in [0x7AF3_2F16, file_hash, description.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(description.as_bytes());
        bytes.extend(transformer_hash.to_le_bytes());
        let biases = (0..arch.width).map(|j| self.transformer_bias(j));
        let weights = (0..arch.rows()).flat_map(|row| (0..arch.width).map(move |j| self.transformer_weight(row, j)));
        if arch.is_sfnn() {
            write_compressed(&mut bytes, biases);
            write_compressed(&mut bytes, weights);
        } else {
            biases.chain(weights).for_each(|value| bytes.extend((value as i16).to_le_bytes()));
        }
        for stack in 0..arch.stacks {
            bytes.extend(stack_hash.to_le_bytes());
            for (layer, (inputs, outputs)) in arch.layers().into_iter().enumerate() {
                (0..outputs).for_each(|o| bytes.extend((self.bias(stack, layer, o) as i32).to_le_bytes()));
                for output in 0..outputs {
                    let row = 0..inputs.next_multiple_of(32);
                    bytes.extend(row.map(|input| self.weight(stack, layer, output, input) as i8 as u8));
                }
            }
        }
        bytes
    }
}

/// A block of signed LEB128 numbers.
fn write_compressed(bytes: &mut Vec<u8>, values: impl Iterator<Item = i64>) {
    bytes.extend(b"COMPRESSED_LEB128\0\0\0\0");
    let start = bytes.len();
    for mut value in values {
        while !(-64..64).contains(&value) {
            bytes.push((value & 0x7F) as u8 | 0x80);
            value >>= 7;
        }
        bytes.push((value & 0x7F) as u8);
    }
    let count = (bytes.len() - start) as u32;
    bytes[start - 4..start].copy_from_slice(&count.to_le_bytes());
}
