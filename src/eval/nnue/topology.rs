//! What layers a network has, and all that follows from it: sizes, hashes, the header's description.

use std::fmt;

use super::features::FeatureSet;
use crate::position::Position;
use crate::types::Color;

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topology {
    /// What the first layer sees.
    pub features: FeatureSet,
    /// Sums the first layer makes for each side.
    pub width: usize,
    /// What follows.
    pub head: Head,
}

/// The layers after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// Both sides' sums, clamped, through two hidden layers of these sizes.
    Classic {
        /// Sizes of the hidden layers.
        hidden: [usize; 2],
    },
    /// Products of each side's sums; the first hidden layer's outputs are used squared and plain, and
    /// one more (where the first size is one less than a multiple of 8) is added to the result.
    Sfnn {
        /// Sizes of the hidden layers.
        hidden: [usize; 2],
        /// How the layers depend on the position.
        stacks: LayerStacks,
    },
    /// Both sides' accumulators, clamped and squared, straight to the output: Kurosabi's own networks.
    Screlu {
        /// How the output's weights depend on the position.
        stacks: LayerStacks,
    },
    /// Products of each side's accumulators, then 15 + 1 and 32 outputs: Kurosabi's own networks, see `pairwise`.
    Pairwise {
        /// How the layers depend on the position.
        stacks: LayerStacks,
    },
}

/// Which of several sets of layers evaluates a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerStacks {
    /// There is only one.
    One,
    /// By the third of the board that each king stands in (`k3k3`).
    KingThirds,
    /// By the number of pieces in both hands: 0–1, 2–3, 4–5, 6–7, 8–9, 10–12, 13–16, more.
    Hands,
}

impl LayerStacks {
    /// Which of them a position is for.
    #[inline]
    pub(crate) fn of(self, position: &Position) -> usize {
        match self {
            LayerStacks::One => 0,
            LayerStacks::KingThirds => {
                // A king that is not there counts as at home.
                let third =
                    |color: Color| position.king_square(color).map_or(2, |king| king.rank().relative(color) / 3);
                let us = position.side_to_move();
                third(us) * 3 + third(!us)
            }
            LayerStacks::Hands => {
                const STACKS: [u8; 39] = {
                    let mut stacks = [7; 39];
                    let mut count = 0;
                    while count < 17 {
                        stacks[count] = if count < 10 {
                            count as u8 / 2
                        } else if count < 13 {
                            5
                        } else {
                            6
                        };
                        count += 1;
                    }
                    stacks
                };
                let held: u32 = Color::ALL.into_iter().map(|color| position.hand(color).total()).sum();
                usize::from(STACKS[(held as usize).min(38)])
            }
        }
    }

    /// How many there are.
    pub fn count(self) -> usize {
        match self {
            LayerStacks::One => 1,
            LayerStacks::KingThirds => 9,
            LayerStacks::Hands => 8,
        }
    }
}

impl LayerStacks {
    /// Kinds of stacks that own networks may have.
    pub const OWN: [LayerStacks; 3] = [LayerStacks::One, LayerStacks::KingThirds, LayerStacks::Hands];

    fn suffix(self) -> &'static str {
        match self {
            LayerStacks::One => "",
            LayerStacks::KingThirds => " k3k3",
            LayerStacks::Hands => " hands",
        }
    }
}

/// One fully connected layer.
#[derive(Clone, Copy)]
pub(super) struct LayerShape {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl LayerShape {
    /// Weights a row has in the file.
    pub(super) fn row(self) -> usize {
        self.inputs.next_multiple_of(32)
    }

    fn bytes(self) -> usize {
        self.outputs * (4 + self.row())
    }
}

impl Head {
    /// Outputs of the first hidden layer, the shortcut included.
    pub(super) fn first_outputs(self) -> usize {
        match self {
            Head::Classic { hidden: [first, _] } => first,
            Head::Sfnn { hidden: [first, _], .. } => first + usize::from(first % 8 == 7),
            Head::Screlu { .. } | Head::Pairwise { .. } => 1,
        }
    }

    /// How the layers depend on the position.
    pub fn stacks(self) -> LayerStacks {
        match self {
            Head::Classic { .. } => LayerStacks::One,
            Head::Sfnn { stacks, .. } | Head::Screlu { stacks } | Head::Pairwise { stacks } => stacks,
        }
    }
}

impl Topology {
    /// The layers of a stack. (Own networks have none; what is told of them here is not used.)
    pub(super) fn layers(self) -> [LayerShape; 3] {
        let (inputs, [first, second], doubled) = match self.head {
            Head::Classic { hidden } => (2 * self.width, hidden, hidden[0]),
            Head::Sfnn { hidden, .. } => (self.width, hidden, 2 * hidden[0]),
            Head::Screlu { .. } | Head::Pairwise { .. } => (2 * self.width, [1, 1], 1),
        };
        debug_assert!(self.head.first_outputs() >= first);
        [
            LayerShape { inputs, outputs: self.head.first_outputs() },
            LayerShape { inputs: doubled, outputs: second },
            LayerShape { inputs: second, outputs: 1 },
        ]
    }

    /// Bytes of one stack in the file, its hash included.
    pub(super) fn stack_bytes(self) -> usize {
        4 + self.layers().into_iter().map(LayerShape::bytes).sum::<usize>()
    }

    /// Bytes of a file after its header, where the first layer is not compressed.
    pub(super) fn plain_bytes(self) -> usize {
        4 + 2 * self.width * (1 + self.features.rows()) + self.head.stacks().count() * self.stack_bytes()
    }

    /// The first layer's hash, as nodchip's format computes it. All SFNN files bear that of the
    /// first network of the kind.
    pub(crate) fn feature_hash(self) -> u32 {
        match self.head {
            Head::Classic { .. } | Head::Screlu { .. } | Head::Pairwise { .. } => {
                self.features.hash() ^ (2 * self.width as u32)
            }
            Head::Sfnn { .. } => SFNN_FEATURE_HASH,
        }
    }

    /// The hash of the layers after the first.
    pub(crate) fn stack_hash(self) -> u32 {
        match self.head {
            Head::Sfnn { .. } => SFNN_STACK_HASH,
            Head::Classic { .. } | Head::Screlu { .. } | Head::Pairwise { .. } => {
                let mut hash = 0xec42_e90d ^ (2 * self.width as u32);
                for (i, layer) in self.layers().into_iter().enumerate() {
                    hash = 0xcc03_dae4_u32.wrapping_add(layer.outputs as u32) ^ (hash >> 1) ^ (hash << 31);
                    if i < 2 {
                        hash = hash.wrapping_add(0x538d_24c7);
                    }
                }
                hash
            }
        }
    }
}

/// The hashes that all SFNN files bear.
pub(super) const SFNN_FEATURE_HASH: u32 = 0x5f13_4ab8;
pub(super) const SFNN_STACK_HASH: u32 = 0x6333_718a;

/// `HalfKP 256x2-32-32`, `SFNN HalfKA_hm2 1536-15-32 k3k3`.
impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (features, width) = (self.features.name(), self.width);
        match self.head {
            Head::Classic { hidden: [first, second] } => write!(f, "{features} {width}x2-{first}-{second}"),
            Head::Sfnn { hidden: [first, second], stacks } => {
                write!(f, "SFNN {features} {width}-{first}-{second}{}", stacks.suffix())
            }
            Head::Screlu { stacks } => write!(f, "Kurosabi {features} {width}x2{}", stacks.suffix()),
            Head::Pairwise { stacks } => write!(f, "Kurosabi {features} {width}-15-32{}", stacks.suffix()),
        }
    }
}

/// What a header's description says, as far as it can be made out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) features: Option<FeatureSet>,
    pub(super) width: Option<usize>,
    pub(super) sfnn: bool,
    pub(super) hidden: Option<[usize; 2]>,
    pub(super) stacks: Option<usize>,
    /// A kind of layer stacks that is none of [`LayerStacks`].
    pub(super) foreign_stacks: bool,
}

impl Description {
    /// Reads texts such as `Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](…`.
    pub(super) fn parse(text: &str) -> Description {
        let after = |key: &str| text.split_once(key).map(|(_, rest)| rest);
        let name = after("Features=").map_or("", |rest| rest.split(['(', '[']).next().unwrap_or(""));
        let network = after("Network=").unwrap_or("");
        let sfnn = text.contains("SFNN");
        let name_parts: Vec<&str> = network.split('{').next().unwrap_or("").split(['_', '-']).collect();
        let width = after("->").and_then(leading_number);
        let hidden = if sfnn { sfnn_hidden(&name_parts, width) } else { classic_hidden(network) };
        let known = |part: &&str| part.eq_ignore_ascii_case("k3k3");
        let stack_kind = |part: &&str| {
            let lower = part.to_ascii_lowercase();
            lower.starts_with("hand")
                || lower.starts_with("progress")
                || (lower.starts_with('k') && lower[1..].contains('k'))
        };
        Description {
            features: FeatureSet::PUBLIC.into_iter().find(|set| set.name() == name),
            width,
            sfnn,
            hidden,
            stacks: after("LayerStack=").and_then(leading_number),
            foreign_stacks: sfnn && name_parts.iter().skip(3).any(|part| stack_kind(part) && !known(part)),
        }
    }

    /// Whether nothing that it says contradicts a network.
    pub(super) fn agrees_with(&self, topology: &Topology) -> bool {
        let (is_sfnn, hidden) = match topology.head {
            Head::Classic { hidden } => (false, hidden),
            Head::Sfnn { hidden, .. } => (true, hidden),
            Head::Screlu { .. } | Head::Pairwise { .. } => return false,
        };
        self.features == Some(topology.features)
            && self.width == Some(topology.width)
            && self.sfnn == is_sfnn
            && self.hidden.is_none_or(|own| own == hidden)
            && (is_sfnn || self.hidden.is_some())
            && self.stacks.is_none_or(|own| own == topology.head.stacks().count())
    }

    /// The classic network that it describes.
    pub(super) fn classic(&self) -> Option<Topology> {
        let hidden = self.hidden.filter(|_| !self.sfnn)?;
        Some(Topology { features: self.features?, width: self.width?, head: Head::Classic { hidden } })
    }
}

fn leading_number(text: &str) -> Option<usize> {
    number(&text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())])
}

/// A size. None in such a file has more digits, and products of what is read cannot overflow.
fn number(digits: &str) -> Option<usize> {
    digits.parse().ok().filter(|&number| number < 1_000_000)
}

/// The sizes in `AffineTransform[1<-B](…[B<-A](…[A<-inputs](…`.
fn classic_hidden(network: &str) -> Option<[usize; 2]> {
    let layers: Vec<(usize, usize)> = network
        .match_indices("<-")
        .filter_map(|(at, arrow)| {
            let outputs = number(network[..at].rsplit('[').next()?)?;
            Some((outputs, leading_number(&network[at + arrow.len()..])?))
        })
        .collect();
    match layers[..] {
        [(1, second), (outer, first), (inner, _)] if second == outer && first == inner => Some([first, second]),
        _ => None,
    }
}

/// The sizes in `SFNN_HALFKAHM2_1024_7_64_K3K3`; `SFNN-1536` is the name of the first of its kind.
fn sfnn_hidden(name: &[&str], width: Option<usize>) -> Option<[usize; 2]> {
    if name == ["SFNN", "1536"] {
        return Some([15, 32]);
    }
    let at = name.iter().position(|part| width.is_some() && part.parse().ok() == width)?;
    Some([number(name.get(at + 1)?)?, number(name.get(at + 2)?)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALFKP: Topology =
        Topology { features: FeatureSet::HalfKp, width: 256, head: Head::Classic { hidden: [32, 32] } };

    #[test]
    fn the_descriptions_in_use_are_understood() {
        fn description(text: &str) -> Description {
            Description::parse(text)
        }
        let modern = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32](AffineTransformSparseInput[32<-512](InputSlice[512(0:512)])))))";
        let old = modern.replace("SparseInput", "");
        assert_eq!(description(modern).classic(), Some(HALFKP));
        assert_eq!(description(&old).classic(), Some(HALFKP));
        assert!(!description(&old.replace("125388->256", "125388->512")).agrees_with(&HALFKP));
        let sfnn = |features, width, hidden, stacks| Topology { features, width, head: Head::Sfnn { hidden, stacks } };
        let first =
            "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],Network=SFNN-1536{LayerStack=9}";
        assert!(description(first).agrees_with(&sfnn(FeatureSet::HalfKaHm2, 1536, [15, 32], LayerStacks::KingThirds)));
        let other = "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->768x2],Network=SFNN_HALFKAHM2_768_7_64{LayerStack=1}";
        assert!(description(other).agrees_with(&sfnn(FeatureSet::HalfKaHm2, 768, [7, 64], LayerStacks::One)));
        assert!(description(&other.replace("64{", "64_K9K9Z{")).foreign_stacks);
        assert!(!description(&other.replace("64{", "64_K3K3{")).foreign_stacks);
    }

    #[test]
    fn nonsense_describes_nothing() {
        for text in ["", "Features=", "Network=[<-", "[99999999999999999999->1x2]", "Network=[1<-2]([3<-4", "SFNN_1_K"]
        {
            let description = Description::parse(text);
            assert!(description.classic().is_none() && !description.agrees_with(&HALFKP), "{text}");
        }
    }

    #[test]
    fn hashes_and_sizes_are_those_of_known_files() {
        assert_eq!(HALFKP.feature_hash(), 0x5d69_d7b8);
        assert_eq!(HALFKP.stack_hash(), 0x6333_7156);
        assert_eq!(HALFKP.plain_bytes() - 8, 64_216_868);
    }
}
