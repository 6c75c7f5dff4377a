//! `info`.

use std::fmt;

use crate::search::Bound;
use crate::types::{Move, Outcome};

use super::{word_of, write_field, write_words};

/// What the engine reports of its search. Every field may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the search, in plies.
    pub depth: Option<u32>,
    /// The deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// Which of several best lines this is, from 1.
    pub multipv: Option<u32>,
    /// The score, from the engine's view.
    pub score: Option<InfoScore>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in permille.
    pub hashfull: Option<u32>,
    /// Time used, in milliseconds.
    pub time: Option<u64>,
    /// The root move being searched.
    pub currmove: Option<Move>,
    /// Its number, from 1.
    pub currmovenumber: Option<u32>,
    /// The best line.
    pub pv: Vec<Move>,
    /// What the game comes to after `pv`.
    pub pv_end: Option<UsiPvEnd>,
    /// Any text; on the wire it takes the rest of the line.
    pub string: Option<String>,
}

/// A score, and whether it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoScore {
    /// The score.
    pub value: UsiScore,
    /// Its exactness.
    pub bound: Bound,
}

/// A score as the protocol writes it, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsiScore {
    /// `cp`: 100 is a pawn.
    Cp(i32),
    /// `mate <plies>`: the side to move mates; `mate +` when the length is not known.
    MateIn(Option<u32>),
    /// `mate -<plies>`: the side to move is mated; `mate -` when the length is not known.
    MatedIn(Option<u32>),
}

/// A word that YaneuraOu puts after the moves of a `pv` to say how the line ends, from the view of
/// the side then to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsiPvEnd {
    /// `rep_draw`: fourfold repetition.
    RepDraw,
    /// `rep_win`: the opponent gave perpetual check.
    RepWin,
    /// `rep_lose`: it gave perpetual check.
    RepLose,
    /// `rep_sup`: a position was repeated with a better hand.
    RepSup,
    /// `rep_inf`: a position was repeated with a worse hand.
    RepInf,
    /// `win`: it declares a win.
    Win,
    /// `resign`: it is mated or resigns.
    Resign,
}

impl UsiPvEnd {
    pub(in crate::usi) const WORDS: [(&'static str, UsiPvEnd); 7] = [
        ("rep_draw", UsiPvEnd::RepDraw),
        ("rep_win", UsiPvEnd::RepWin),
        ("rep_lose", UsiPvEnd::RepLose),
        ("rep_sup", UsiPvEnd::RepSup),
        ("rep_inf", UsiPvEnd::RepInf),
        ("win", UsiPvEnd::Win),
        ("resign", UsiPvEnd::Resign),
    ];
}

/// The word itself.
impl fmt::Display for UsiPvEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word_of(&UsiPvEnd::WORDS, self))
    }
}

/// The protocol has no score for a win or loss by rule (declaration, perpetual check). Like YaneuraOu, it is shown as a
/// mate of as many plies, which GUIs draw at the edge of the graph and count as decided; the end of the PV
/// ([`UsiPvEnd`]) says that it is none.
impl From<Outcome> for UsiScore {
    fn from(outcome: Outcome) -> UsiScore {
        match outcome {
            Outcome::Centipawns(cp) => UsiScore::Cp(cp),
            Outcome::MateIn(plies) | Outcome::WinIn(plies) => UsiScore::MateIn(Some(plies)),
            Outcome::MatedIn(plies) | Outcome::LossIn(plies) => UsiScore::MatedIn(Some(plies)),
        }
    }
}

impl From<UsiScore> for InfoScore {
    fn from(value: UsiScore) -> InfoScore {
        InfoScore { value, bound: Bound::Exact }
    }
}

impl From<Outcome> for InfoScore {
    fn from(outcome: Outcome) -> InfoScore {
        UsiScore::from(outcome).into()
    }
}

/// The words after `score`.
impl fmt::Display for UsiScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsiScore::Cp(cp) => write!(f, "cp {cp}"),
            UsiScore::MateIn(Some(plies)) => write!(f, "mate {plies}"),
            UsiScore::MateIn(None) => f.write_str("mate +"),
            UsiScore::MatedIn(Some(plies)) => write!(f, "mate -{plies}"),
            UsiScore::MatedIn(None) => f.write_str("mate -"),
        }
    }
}

/// The words after `score`, the bound included.
impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

/// The whole message. The order is YaneuraOu's; `pv` is the last key but for `string`.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "seldepth", self.seldepth)?;
        write_field(f, "multipv", self.multipv)?;
        write_field(f, "score", self.score)?;
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "nps", self.nps)?;
        write_field(f, "hashfull", self.hashfull)?;
        write_field(f, "time", self.time)?;
        write_field(f, "currmove", self.currmove)?;
        write_field(f, "currmovenumber", self.currmovenumber)?;
        if !self.pv.is_empty() || self.pv_end.is_some() {
            f.write_str(" pv")?;
        }
        write_words(f, &self.pv)?;
        write_words(f, self.pv_end.as_slice())?;
        write_field(f, "string", self.string.as_ref())
    }
}
