//! `info`.

use std::fmt;

use crate::types::{Move, Outcome};

use super::{write_field, write_words};

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
    /// Load of the processor, in permille.
    pub cpuload: Option<u32>,
    /// A move, and the line that refutes it.
    pub refutation: Vec<Move>,
    /// The line being searched.
    pub currline: Option<CurrLine>,
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
    pub bound: ScoreBound,
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

/// Whether a score is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBound {
    /// It is.
    Exact,
    /// `lowerbound`: the true score is at least this.
    Lower,
    /// `upperbound`: the true score is at most this.
    Upper,
}

/// The line being searched, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrLine {
    /// The number of the processor or thread, from 1.
    pub cpu: Option<u32>,
    /// The line.
    pub moves: Vec<Move>,
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
    pub(crate) const ALL: [UsiPvEnd; 7] = [
        UsiPvEnd::RepDraw,
        UsiPvEnd::RepWin,
        UsiPvEnd::RepLose,
        UsiPvEnd::RepSup,
        UsiPvEnd::RepInf,
        UsiPvEnd::Win,
        UsiPvEnd::Resign,
    ];

    /// The word itself.
    pub const fn as_str(self) -> &'static str {
        match self {
            UsiPvEnd::RepDraw => "rep_draw",
            UsiPvEnd::RepWin => "rep_win",
            UsiPvEnd::RepLose => "rep_lose",
            UsiPvEnd::RepSup => "rep_sup",
            UsiPvEnd::RepInf => "rep_inf",
            UsiPvEnd::Win => "win",
            UsiPvEnd::Resign => "resign",
        }
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
        InfoScore { value, bound: ScoreBound::Exact }
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
            ScoreBound::Exact => "",
            ScoreBound::Lower => " lowerbound",
            ScoreBound::Upper => " upperbound",
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
        write_field(f, "cpuload", self.cpuload)?;
        if !self.refutation.is_empty() {
            f.write_str(" refutation")?;
        }
        write_words(f, &self.refutation)?;
        if let Some(CurrLine { cpu, moves }) = &self.currline {
            f.write_str(" currline")?;
            write_words(f, cpu.as_slice())?;
            write_words(f, moves)?;
        }
        if !self.pv.is_empty() || self.pv_end.is_some() {
            f.write_str(" pv")?;
        }
        write_words(f, &self.pv)?;
        write_words(f, self.pv_end.map(UsiPvEnd::as_str).as_slice())?;
        write_field(f, "string", self.string.as_ref())
    }
}
