//! What an engine says about a position, as comments that GUIs show as a graph.
//!
//! ShogiHome and ShogiGUI find evaluations in the comments of a record. To write an analysed game, give every node
//! its [`EvaluatedLine`]s with [`GameRecord::annotate`] and then write the record as usual:
//!
//! ```
//! use std::time::Duration;
//! use kurosabi::records::{CommentStyle, EvaluatedLine, Format, NodeId, Records, WriteOptions, write};
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
//! record.annotate(NodeId::ROOT, &[evaluation], CommentStyle::for_format(Format::Kif));
//! let text = write(&record, Format::Kif, &WriteOptions::default());
//! assert!(text.contains("**解析 0 候補1 深さ 18 評価値 52 読み筋 ▲２六歩(27) △８四歩(83)\n"));
//! # Ok::<(), kurosabi::records::ReadError>(())
//! ```

use std::fmt::Write as _;
use std::time::Duration;

use super::Format;
use super::csa;
use super::notation::Notation;
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

/// Whose comments to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentStyle {
    /// One line a candidate, as ShogiGUI writes after analysis: `*解析 0 候補1 …`. ShogiHome reads it too, but draws
    /// the last score of a comment and knows no mates in it: `#評価値=…` and `#詰み=…` follow where that matters.
    ShogiGui,
    /// ShogiHome's own lines: `#評価値=…`, `#読み筋=…`.
    ShogiHome,
    /// What floodgate writes into CSA files: `* 52 +2726FU -8384FU`. ShogiHome reads it too. Candidates behind the
    /// best are plain comments, `候補2 40 +7776FU`, for it draws the last score of a comment.
    Floodgate,
}

/// What mates and wins by rule count as in a graph.
const WIN: i32 = 30_000;

impl CommentStyle {
    /// The style for files of a format.
    pub fn for_format(format: Format) -> CommentStyle {
        if format == Format::Csa { CommentStyle::Floodgate } else { CommentStyle::ShogiGui }
    }
}

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

    /// The comment, line by line. `rank` is the candidate's among those shown, from 1.
    fn comment(&self, style: CommentStyle, board: &Setup, rank: usize) -> Vec<String> {
        let side = board.side_to_move();
        let score = self.for_black(side);
        match style {
            CommentStyle::ShogiGui => vec![self.shogi_gui(board, rank, score)],
            CommentStyle::ShogiHome => self.shogi_home(board, side, score),
            CommentStyle::Floodgate if rank == 1 => vec![format!("* {score}{}", csa_line(board, &self.pv))],
            CommentStyle::Floodgate => vec![format!("候補{rank} {score}{}", csa_line(board, &self.pv))],
        }
    }

    fn shogi_gui(&self, board: &Setup, rank: usize, score: i32) -> String {
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
        let _ = write!(text, " 評価値 {score}");
        if !self.pv.is_empty() {
            let _ = write!(text, " 読み筋 {}", kif_line(board, &self.pv));
        }
        text
    }

    fn shogi_home(&self, board: &Setup, side: Color, score: i32) -> Vec<String> {
        let mut lines = Vec::from_iter(self.mate_for_shogi_home(side));
        lines.push(format!("#評価値={score}"));
        if !self.pv.is_empty() {
            lines.push(format!("#読み筋={}", Notation::Japanese.write_line(board, &self.pv, None)));
        }
        lines.extend(self.depth.map(|depth| format!("#深さ={depth}")));
        lines.extend(self.nodes.map(|nodes| format!("#ノード数={nodes}")));
        lines
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

/// Moves with marks and origins: `▲２六歩(27) △８四歩(83)`. The first names its square even where it takes back: a line
/// that begins with 同 is not read by ShogiHome.
fn kif_line(board: &Setup, moves: &[Move]) -> String {
    let (mut board, mut last, mut words) = (board.clone(), None, Vec::new());
    for &mv in moves {
        let mark = super::notation::mark(board.side_to_move());
        words.push(format!("{mark}{}", Notation::Kif.write(&board, mv, last)));
        board.do_move(mv);
        last = Some(mv.to());
    }
    words.join(" ")
}

/// Moves as CSA writes them, each with a blank before it.
fn csa_line(board: &Setup, moves: &[Move]) -> String {
    let (mut board, mut text) = (board.clone(), String::new());
    for &mv in moves {
        text.push(' ');
        text.push_str(&csa::write_move(&board, mv, None));
        board.do_move(mv);
    }
    text
}

impl GameRecord {
    /// Adds an engine's opinions on the position after a node's move (for [`NodeId::ROOT`]: the start position) to the
    /// node's comment, the best first.
    pub fn annotate(&mut self, id: NodeId, evaluations: &[EvaluatedLine], style: CommentStyle) {
        let mut board = self.board_before(id);
        if let Some(mv) = self.node(id).played() {
            board.do_move(mv);
        }
        let mut comments = Vec::new();
        for (evaluation, rank) in evaluations.iter().zip(1..) {
            comments.extend(evaluation.comment(style, &board, rank));
        }
        if let (CommentStyle::ShogiGui, Some(best)) = (style, evaluations.first()) {
            let side = board.side_to_move();
            comments.extend(best.mate_for_shogi_home(side));
            if evaluations.len() > 1 {
                comments.push(format!("#評価値={}", best.for_black(side)));
            }
        }
        self.node_mut(id).comments.extend(comments);
    }
}
