//! `go`.

use std::fmt::{self, Write};

use crate::types::{Color, Move};

use super::{write_field, write_words};

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Go {
    /// Find the best move; the answer is `bestmove`.
    Search(GoParams),
    /// `go mate …`: solve a tsume problem; the answer is `checkmate`.
    Mate(MateLimit),
    /// `go perft <depth>`: count the leaves of the tree of legal moves.
    Perft(u32),
}

/// The limits of a search. All may be combined; the first one reached ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoParams {
    /// `ponder`: the last move of the position is only expected; no answer before `ponderhit` or
    /// `stop`.
    pub ponder: bool,
    /// The clocks of the game.
    pub clocks: Clocks,
    /// `movetime`: think for this many milliseconds.
    pub movetime: Option<u64>,
    /// `rtime`: think for a random time based on this many milliseconds (YaneuraOu).
    pub rtime: Option<u64>,
    /// `depth`: search this many plies.
    pub depth: Option<u32>,
    /// `nodes`: search this many nodes.
    pub nodes: Option<u64>,
    /// `infinite`: no answer before `stop`.
    pub infinite: bool,
    /// `searchmoves`: consider only these moves; all when empty.
    pub searchmoves: Vec<Move>,
}

/// The clocks, in milliseconds, each as sent or absent. Clients send zero and negative ones, the one
/// of a single side, or none, and disagree on whether the time already contains the increment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// `btime`: what Black has left.
    pub btime: Option<i64>,
    /// `wtime`: what White has left.
    pub wtime: Option<i64>,
    /// `byoyomi`: for each move once the time is used up, or added to it, as the client has it.
    pub byoyomi: Option<i64>,
    /// `binc`: Black's increment for each move.
    pub binc: Option<i64>,
    /// `winc`: White's increment for each move.
    pub winc: Option<i64>,
    /// `movestogo`: moves until the next time control.
    pub movestogo: Option<u32>,
}

/// How long to look for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateLimit {
    /// `infinite`, or nothing: until `stop`.
    Infinite,
    /// For this many milliseconds.
    Time(u64),
    /// `nodes`: for this many nodes (USI 2.0).
    Nodes(u64),
}

impl Clocks {
    /// Whether no clock is given at all.
    pub fn is_empty(&self) -> bool {
        *self == Clocks::default()
    }

    /// What `color` has left, in milliseconds.
    pub fn time(&self, color: Color) -> Option<i64> {
        match color {
            Color::Black => self.btime,
            Color::White => self.wtime,
        }
    }

    /// The increment of `color`, in milliseconds.
    pub fn increment(&self, color: Color) -> Option<i64> {
        match color {
            Color::Black => self.binc,
            Color::White => self.winc,
        }
    }

    pub(super) fn write_fields(&self, out: &mut impl Write) -> fmt::Result {
        write_field(out, "btime", self.btime)?;
        write_field(out, "wtime", self.wtime)?;
        write_field(out, "byoyomi", self.byoyomi)?;
        write_field(out, "binc", self.binc)?;
        write_field(out, "winc", self.winc)?;
        write_field(out, "movestogo", self.movestogo)
    }
}

/// The whole message.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Go::Search(params) => params.fmt(f),
            Go::Mate(MateLimit::Infinite) => f.write_str("go mate infinite"),
            Go::Mate(MateLimit::Time(ms)) => write!(f, "go mate {ms}"),
            Go::Mate(MateLimit::Nodes(nodes)) => write!(f, "go mate nodes {nodes}"),
            Go::Perft(depth) => write!(f, "go perft {depth}"),
        }
    }
}

/// The whole message. `searchmoves` comes last, since some engines take all that follows as moves.
impl fmt::Display for GoParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        self.clocks.write_fields(f)?;
        write_field(f, "movetime", self.movetime)?;
        write_field(f, "rtime", self.rtime)?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "nodes", self.nodes)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        write_words(f, &self.searchmoves)
    }
}
