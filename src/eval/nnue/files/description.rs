//! The description in a public file's header.

use super::public_arch::PublicArch;
use crate::eval::nnue::features::FeatureSet;

/// What a header's description says, as far as it can be made out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) features: Option<FeatureSet>,
    pub(super) width: Option<usize>,
    pub(super) sfnn: bool,
    pub(super) hidden: Option<[usize; 2]>,
    pub(super) stacks: Option<usize>,
    /// A kind of layer stacks that is none of [`LayerStacks`](crate::eval::nnue::LayerStacks).
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
    pub(super) fn agrees_with(&self, arch: PublicArch) -> bool {
        let is_sfnn = arch.sfnn.is_some();
        self.features == Some(arch.features)
            && self.width == Some(arch.width)
            && self.sfnn == is_sfnn
            && self.hidden.is_none_or(|hidden| hidden == arch.hidden)
            && (is_sfnn || self.hidden.is_some())
            && self.stacks.is_none_or(|stacks| stacks == arch.stacks())
    }

    /// The classic network that it describes.
    pub(super) fn classic(&self) -> Option<PublicArch> {
        let hidden = self.hidden.filter(|_| !self.sfnn)?;
        Some(PublicArch { features: self.features?, width: self.width?, hidden, sfnn: None })
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
    use crate::eval::nnue::arch::LayerStacks;

    const HALFKP: PublicArch = PublicArch { features: FeatureSet::HalfKp, width: 256, hidden: [32, 32], sfnn: None };

    #[test]
    fn the_descriptions_in_use_are_understood() {
        fn description(text: &str) -> Description {
            Description::parse(text)
        }
        let modern = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32](AffineTransformSparseInput[32<-512](InputSlice[512(0:512)])))))";
        let old = modern.replace("SparseInput", "");
        assert_eq!(description(modern).classic(), Some(HALFKP));
        assert_eq!(description(&old).classic(), Some(HALFKP));
        assert!(!description(&old.replace("125388->256", "125388->512")).agrees_with(HALFKP));
        let sfnn = |features, width, hidden, stacks| PublicArch { features, width, hidden, sfnn: Some(stacks) };
        let first =
            "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],Network=SFNN-1536{LayerStack=9}";
        assert!(description(first).agrees_with(sfnn(FeatureSet::HalfKaHm2, 1536, [15, 32], LayerStacks::KingThirds)));
        let other = "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->768x2],Network=SFNN_HALFKAHM2_768_7_64{LayerStack=1}";
        assert!(description(other).agrees_with(sfnn(FeatureSet::HalfKaHm2, 768, [7, 64], LayerStacks::One)));
        assert!(description(&other.replace("64{", "64_K9K9Z{")).foreign_stacks);
        assert!(!description(&other.replace("64{", "64_K3K3{")).foreign_stacks);
    }

    #[test]
    fn nonsense_describes_nothing() {
        for text in ["", "Features=", "Network=[<-", "[99999999999999999999->1x2]", "Network=[1<-2]([3<-4", "SFNN_1_K"]
        {
            let description = Description::parse(text);
            assert!(description.classic().is_none() && !description.agrees_with(HALFKP), "{text}");
        }
    }
}
