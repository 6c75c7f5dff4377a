//! `go`.

use std::fmt::{self, Write};

use crate::search::Clock;
use crate::types::Move;

use super::{write_field, write_words};

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Go {
    /// Find the best move; the answer is `bestmove`.
    Search(GoParams),
    /// `go mate …`: solve a tsume problem; the answer is `checkmate`.
    Mate(MateParams),
    /// `go perft <depth>`: count the leaves of the tree of legal moves.
    Perft(u32),
}

/// The limits of a search. All may be combined, see [`SearchLimits`](crate::search::SearchLimits).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoParams {
    /// `ponder`: the last move of the position is only expected; no answer before `ponderhit` or
    /// `stop`.
    pub ponder: bool,
    /// The clocks of the game, as they are sent.
    pub clock: Clock,
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

/// How long to look for a mate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MateParams {
    /// The milliseconds behind `mate`; none for `infinite`, or nothing.
    pub time: Option<u64>,
    /// The other limits. Of these, `infinite` has no meaning.
    pub limits: GoParams,
}

/// The clocks, in milliseconds, each as sent or absent. Clients send zero and negative ones, the one of a single side,
/// or none, and disagree on whether the time already contains the increment.
pub(super) fn write_clock(out: &mut impl Write, clock: &Clock) -> fmt::Result {
    let Clock { time: [btime, wtime], increment: [binc, winc], byoyomi, moves_to_go } = *clock;
    for (key, value) in [("btime", btime), ("wtime", wtime), ("byoyomi", byoyomi), ("binc", binc), ("winc", winc)] {
        write_field(out, key, value)?;
    }
    write_field(out, "movestogo", moves_to_go)
}

/// The whole message.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Go::Search(params) => params.fmt(f),
            Go::Mate(params) => params.fmt(f),
            Go::Perft(depth) => write!(f, "go perft {depth}"),
        }
    }
}

/// The whole message.
impl fmt::Display for MateParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.time {
            Some(ms) => write!(f, "go mate {ms}")?,
            None if self.limits.nodes.is_some() => f.write_str("go mate")?,
            None => f.write_str("go mate infinite")?,
        }
        self.limits.write_fields(f)
    }
}

/// The whole message.
impl fmt::Display for GoParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        self.write_fields(f)
    }
}

impl GoParams {
    /// What follows `go`. `searchmoves` comes last, since some engines take all that follows as moves.
    fn write_fields(&self, out: &mut impl Write) -> fmt::Result {
        if self.ponder {
            out.write_str(" ponder")?;
        }
        write_clock(out, &self.clock)?;
        write_field(out, "movetime", self.movetime)?;
        write_field(out, "rtime", self.rtime)?;
        write_field(out, "depth", self.depth)?;
        write_field(out, "nodes", self.nodes)?;
        if self.infinite {
            out.write_str(" infinite")?;
        }
        if !self.searchmoves.is_empty() {
            out.write_str(" searchmoves")?;
        }
        write_words(out, &self.searchmoves)
    }
}
