//! Handicap starts (駒落ち) by their names.

use std::str::FromStr;

use thiserror::Error;

use super::Position;
use super::setup::Setup;

/// A start position with a name: the even game, or White giving a handicap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Handicap {
    /// 平手
    #[default]
    Even,
    /// 香落ち
    Lance,
    /// 右香落ち
    RightLance,
    /// 角落ち
    Bishop,
    /// 飛車落ち
    Rook,
    /// 飛香落ち
    RookLance,
    /// 二枚落ち
    TwoPiece,
    /// 三枚落ち
    ThreePiece,
    /// 四枚落ち
    FourPiece,
    /// 五枚落ち (without the right knight)
    FivePiece,
    /// 左五枚落ち (without the left knight)
    LeftFivePiece,
    /// 六枚落ち
    SixPiece,
    /// 七枚落ち (without the right silver)
    SevenPiece,
    /// 左七枚落ち (without the left silver)
    LeftSevenPiece,
    /// 八枚落ち
    EightPiece,
    /// 十枚落ち
    TenPiece,
}

/// What is known of a handicap: it, its Japanese and English names, and White's first two ranks.
type Row = (Handicap, &'static str, &'static str, &'static str);

/// In the order of the type.
const TABLE: [Row; 16] = [
    (Handicap::Even, "平手", "even", "lnsgkgsnl/1r5b1"),
    (Handicap::Lance, "香落ち", "lance", "lnsgkgsn1/1r5b1"),
    (Handicap::RightLance, "右香落ち", "right-lance", "1nsgkgsnl/1r5b1"),
    (Handicap::Bishop, "角落ち", "bishop", "lnsgkgsnl/1r7"),
    (Handicap::Rook, "飛車落ち", "rook", "lnsgkgsnl/7b1"),
    (Handicap::RookLance, "飛香落ち", "rook-lance", "lnsgkgsn1/7b1"),
    (Handicap::TwoPiece, "二枚落ち", "2-piece", "lnsgkgsnl/9"),
    (Handicap::ThreePiece, "三枚落ち", "3-piece", "lnsgkgsn1/9"),
    (Handicap::FourPiece, "四枚落ち", "4-piece", "1nsgkgsn1/9"),
    (Handicap::FivePiece, "五枚落ち", "5-piece", "2sgkgsn1/9"),
    (Handicap::LeftFivePiece, "左五枚落ち", "left-5-piece", "1nsgkgs2/9"),
    (Handicap::SixPiece, "六枚落ち", "6-piece", "2sgkgs2/9"),
    (Handicap::SevenPiece, "七枚落ち", "7-piece", "3gkgs2/9"),
    (Handicap::LeftSevenPiece, "左七枚落ち", "left-7-piece", "2sgkg3/9"),
    (Handicap::EightPiece, "八枚落ち", "8-piece", "3gkg3/9"),
    (Handicap::TenPiece, "十枚落ち", "10-piece", "4k4/9"),
];

/// The text names no handicap.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no handicap is called {0:?} (平手, 香落ち … 十枚落ち; even, lance, bishop, rook, 2-piece … 10-piece)")]
pub struct UnknownHandicap(pub String);

impl Handicap {
    /// Every start that has a name, the even game first.
    pub fn all() -> impl Iterator<Item = Handicap> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The Japanese name, as 手合割 says it.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The English name.
    pub fn english(self) -> &'static str {
        self.row().2
    }

    /// What a position's text begins with when it is the name of a handicap: `handicap:二枚落ち`.
    pub const PREFIX: &'static str = "handicap:";

    /// The start position as SFEN. White, who gives the handicap, moves first.
    pub fn sfen(self) -> String {
        let turn = if self == Handicap::Even { 'b' } else { 'w' };
        format!("{}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {turn} - 1", self.row().3)
    }

    /// Board and turn of the start position.
    pub fn setup(self) -> Setup {
        Setup::from_sfen(&self.sfen()).expect("a test reads every handicap")
    }

    /// The start position.
    pub fn position(self) -> Position {
        Position::from_setup(&self.setup()).expect("the rules allow every handicap")
    }

    /// The handicap whose start this is; `None` for any other position. The move number does not matter.
    pub fn from_position(position: &Position) -> Option<Handicap> {
        let mut setup = position.setup();
        setup.move_number = 1;
        Handicap::all().find(|handicap| handicap.setup() == setup)
    }

    /// Whether a game from this start is one with a handicap.
    pub fn is_given(start: &Position) -> bool {
        Handicap::from_position(start).is_some_and(|handicap| handicap != Handicap::Even)
    }
}

impl FromStr for Handicap {
    type Err = UnknownHandicap;

    /// Reads a Japanese or an English name: `二枚落ち`, `二枚`, `２枚落`, `2-piece`, `2 pieces`, `rook & lance`.
    fn from_str(text: &str) -> Result<Handicap, UnknownHandicap> {
        let name = plain(text);
        let found = TABLE.iter().find(|row| name == plain(row.1) || name == plain(row.2));
        let found = found.map(|row| row.0).or(match name.as_str() {
            "左香" | "leftlance" => Some(Handicap::Lance),
            "飛" => Some(Handicap::Rook),
            "飛角" | "飛車角" => Some(Handicap::TwoPiece),
            "none" | "startpos" => Some(Handicap::Even),
            "右五枚" => Some(Handicap::FivePiece),
            "右七枚" => Some(Handicap::SevenPiece),
            _ => None,
        });
        found.ok_or_else(|| UnknownHandicap(text.trim().to_owned()))
    }
}

/// A name without what people write in different ways.
fn plain(text: &str) -> String {
    const KANJI: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let text = text.trim().to_lowercase().replace("１０", "十");
    let digit = |c: char| match c {
        '０'..='９' => KANJI[(c as usize) - ('０' as usize)],
        c => c,
    };
    let mut name: String = text.chars().filter(|c| !c.is_whitespace() && !"-_&+".contains(*c)).map(digit).collect();
    for ending in ["handicap", "落ち", "落"] {
        name = name.strip_suffix(ending).unwrap_or(&name).to_owned();
    }
    if name.ends_with('枚') {
        name = name.replace("10", "十").chars().map(|c| c.to_digit(10).map_or(c, |n| KANJI[n as usize])).collect();
    }
    name.replace("pieces", "piece").replace("飛車", "飛")
}
