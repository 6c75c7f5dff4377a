//! What an engine says about a position, as comments that GUIs show as a graph.
//!
//! ShogiHome and ShogiGUI find evaluations in the comments of a record. To write an analysed game, give every node
//! its [`EvaluatedLine`]s with [`GameRecord::annotate`] and then write the record as usual:
//!
//! ```
//! use std::time::Duration;
//! use kurosabi::records::{EvaluatedLine, Format, NodeId, Records, WriteOptions, write};
//! use kurosabi::types::Outcome;
//!
//! let mut record = Records::parse("startpos moves 7g7f")?.next().unwrap()?;
//! // About the position before the first move, from the view of the side to move, like a search's result.
//! let evaluation = EvaluatedLine {
//!     score: Outcome::Centipawns(52),
//!     pv: vec!["2g2f".parse().unwrap(), "8c8d".parse().unwrap()],
//!     depth: Some(18),
//!     ..EvaluatedLine::default()
//! };
//! record.annotate(NodeId::ROOT, &[evaluation], Format::Kif);
//! let text = write(&record, Format::Kif, &WriteOptions::default());
//! assert!(text.contains("**解析 0 候補1 深さ 18 評価値 52 読み筋 ▲２六歩(27) △８四歩(83)\n"));
//! # Ok::<(), kurosabi::records::ReadError>(())
//! ```

use std::fmt::Write as _;
use std::time::Duration;

use super::Format;
use super::csa;
use super::notation::{Notation, mark, written};
use super::record::{GameRecord, NodeId};
use crate::position::Setup;
use crate::types::{Color, Move, Outcome};

/// An engine's opinion on a position: one line of its search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedLine {
    /// From the view of the side to move.
    pub score: Outcome,
    /// The best line, its first move to be played in the position.
    pub pv: Vec<Move>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// The deepest ply reached.
    pub selective_depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time spent.
    pub time: Option<Duration>,
}

impl Default for EvaluatedLine {
    fn default() -> EvaluatedLine {
        let score = Outcome::Centipawns(0);
        EvaluatedLine { score, pv: Vec::new(), depth: None, selective_depth: None, nodes: None, time: None }
    }
}

/// What mates and wins by rule count as in a graph.
const WIN: i32 = 30_000;

impl EvaluatedLine {
    /// The score as a number from Black's view; mates and wins by rule are near 30000.
    pub fn for_black(&self, side_to_move: Color) -> i32 {
        let plies = |plies: u32| i32::try_from(plies).unwrap_or(WIN).min(WIN / 2);
        let score = match self.score {
            Outcome::Centipawns(centipawns) => centipawns,
            Outcome::MateIn(n) | Outcome::WinIn(n) => WIN - plies(n),
            Outcome::MatedIn(n) | Outcome::LossIn(n) => plies(n) - WIN,
        };
        if side_to_move == Color::Black { score } else { -score }
    }

    /// What floodgate writes into CSA files: `* 52 +2726FU -8384FU`. Candidates behind the best are plain comments,
    /// `候補2 40 +7776FU`, for ShogiHome draws the last score of a comment. `rank` is the candidate's, from 1.
    fn floodgate(&self, board: &Setup, rank: usize) -> String {
        let mark = if rank == 1 { "*".to_owned() } else { format!("候補{rank}") };
        let moves = written(board, &self.pv, None, |board, mv, _| format!(" {}", csa::write_move(board, mv, None)));
        format!("{mark} {}{}", self.for_black(board.side_to_move()), moves.concat())
    }

    /// One line a candidate, as ShogiGUI writes after analysis: `*解析 0 候補1 …`. ShogiHome reads it too.
    fn shogi_gui(&self, board: &Setup, rank: usize) -> String {
        let mut text = format!("*解析 0 候補{rank}");
        if let Some(time) = self.time {
            let (seconds, tenths) = (time.as_secs(), time.subsec_millis() / 100);
            let _ = write!(text, " 時間 {:02}:{:02}.{tenths}", seconds / 60, seconds % 60);
        }
        match (self.depth, self.selective_depth) {
            (Some(depth), Some(selective)) => _ = write!(text, " 深さ {depth}/{selective}"),
            (Some(depth), None) => _ = write!(text, " 深さ {depth}"),
            _ => {}
        }
        if let Some(nodes) = self.nodes {
            let _ = write!(text, " ノード数 {nodes}");
        }
        let _ = write!(text, " 評価値 {}", self.for_black(board.side_to_move()));
        if !self.pv.is_empty() {
            // The first move names its square even where it takes back: a line that begins with 同 is not read by
            // ShogiHome.
            let moves = written(board, &self.pv, None, |board, mv, last| {
                format!(" {}{}", mark(board.side_to_move()), Notation::Kif.write(board, mv, last))
            });
            let _ = write!(text, " 読み筋{}", moves.concat());
        }
        text
    }

    /// `#詰み=先手勝ち:11手`. Without a length where it is 0: ShogiHome would not know the winner.
    fn mate_for_shogi_home(&self, side: Color) -> Option<String> {
        let (winner, plies) = match self.score {
            Outcome::MateIn(plies) => (side, plies),
            Outcome::MatedIn(plies) => (!side, plies),
            Outcome::Centipawns(_) | Outcome::WinIn(_) | Outcome::LossIn(_) => return None,
        };
        let winner = if winner == Color::Black { "先手" } else { "後手" };
        let length = if plies == 0 { String::new() } else { format!(":{plies}手") };
        Some(format!("#詰み={winner}勝ち{length}"))
    }
}

impl GameRecord {
    /// Adds an engine's opinions on the position after a node's move (for [`NodeId::ROOT`]: the start position) to the
    /// node's comment, the best first, as GUIs find them in files of a format. ShogiHome draws the last score of a
    /// comment and knows no mates in ShogiGUI's: `#評価値=…` and `#詰み=…` follow where that matters.
    pub fn annotate(&mut self, id: NodeId, lines: &[EvaluatedLine], format: Format) {
        let mut board = self.board_before(id);
        self.node(id).played().into_iter().for_each(|mv| board.do_move(mv));
        let is_csa = format == Format::Csa;
        let comment = |(line, rank): (&EvaluatedLine, usize)| {
            if is_csa { line.floodgate(&board, rank) } else { line.shogi_gui(&board, rank) }
        };
        let mut comments: Vec<String> = lines.iter().zip(1..).map(comment).collect();
        if let Some(best) = lines.first().filter(|_| !is_csa) {
            let side = board.side_to_move();
            comments.extend(best.mate_for_shogi_home(side));
            comments.extend((lines.len() > 1).then(|| format!("#評価値={}", best.for_black(side))));
        }
        self.node_mut(id).comments.extend(comments);
    }
}
