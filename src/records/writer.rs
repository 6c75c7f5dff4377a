//! Writing records, in any format.
//!
//! No text of a record can say anything that the record does not: a name with a line end in it must not become a move.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use super::Format;
use super::ending::Ending;
use super::notation::{Notation, mark, written};
use super::record::{Entry, GameRecord, MAX_TIME, Node, NodeId};
use super::text::{self, TextEncoding};
use crate::position::Setup;
use crate::records::{csa, jkf, kakinoki, ki2, kif, reader, usi};
use crate::types::{Color, Move, Outcome};

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// The encoding in which the text will be stored; KIF and CSA name it in their first lines.
    pub encoding: TextEncoding,
}

/// Writes a record. What a format cannot hold is left out: CSA has no variations, and bookmarks become comments there;
/// KIF and JKF have whole seconds and KI2 no times; USI has only the moves and the end; SFEN has only the positions of
/// the main line, one per line; only these two number the first move. Texts are written in characters of the encoding
/// and so that they read back as what they are: a name with a line end in it is still one name.
pub fn write(record: &GameRecord, format: Format, options: &WriteOptions) -> String {
    let fitted = || fit(record, format, &|text| text::held_by(options.encoding, text));
    match format {
        Format::Kif => kif::write(&fitted(), options.encoding),
        Format::Ki2 => ki2::write(&fitted()),
        Format::Csa => csa::write(&fitted(), options.encoding),
        Format::Jkf => jkf::write(&fitted()),
        Format::Usi => usi::write(record),
        Format::Sfen => usi::write_sfens(record),
    }
}

/// Writes a record as KIF in UTF-8. (To write any format in any encoding takes half a megabyte of code and tables,
/// which a WebAssembly module does without.)
pub(crate) fn write_kif(record: &GameRecord) -> String {
    kif::write(&fit(record, Format::Kif, &str::to_owned), TextEncoding::Utf8)
}

/// The record as a format holds it, its texts in characters that are `held`. Control characters become blanks, line
/// ends in comments begin new lines of them. A fact whose line would be read as something else becomes a comment of the
/// start, and an end by such a word becomes 中断 with the word in a comment.
fn fit(record: &GameRecord, format: Format, held: &dyn Fn(&str) -> String) -> GameRecord {
    let mut record = record.clone();
    let clean = |text: &str| held(&one_line(text));
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut comments = Vec::new();
    for (name, value) in std::mem::take(&mut record.metadata) {
        let (name, value) = (clean(&name).trim().to_owned(), clean(&value).trim().to_owned());
        if holds_fact(format, &name, &value, &facts) {
            facts.push((name, value));
        } else if !value.is_empty() {
            comments.push(format!("{name}：{value}"));
        }
    }
    record.metadata = facts;
    for node in &mut record.nodes {
        comments.extend(word_that_does_not_fit(node, format, clean));
        comments.extend(node.comments.iter().flat_map(|comment| comment.split('\n')).map(clean));
        node.comments = std::mem::take(&mut comments);
        node.bookmark = node.bookmark.as_deref().map(clean);
        node.time = node.time.map(|time| time.min(MAX_TIME));
    }
    if format == Format::Ki2 {
        move_before_ends(&mut record);
    }
    record
}

/// Gives what is said of ends to the moves before them: programs refuse a KI2 file with lines behind that of the
/// result.
fn move_before_ends(record: &mut GameRecord) {
    let mut ends = Vec::new();
    record.visit(|id, node, _| ends.extend(node.ending().map(|_| id)));
    for end in ends {
        let node = record.node_mut(end);
        let (comments, bookmark) = (std::mem::take(&mut node.comments), node.bookmark.take());
        let before = record.move_before(end);
        let node = record.node_mut(before);
        node.comments.extend(comments);
        match bookmark {
            Some(bookmark) if node.bookmark.is_some() => node.comments.push(bookmark),
            Some(bookmark) => node.bookmark = Some(bookmark),
            None => {}
        }
    }
}

/// Whether a format can hold a fact besides others.
fn holds_fact(format: Format, name: &str, value: &str, others: &[(String, String)]) -> bool {
    match format {
        Format::Csa => csa::holds_fact(name, value, others),
        Format::Jkf => name != jkf::HANDICAP,
        _ => {
            let line = format!("{name}：{value}");
            reader::detect_line(&line).is_none() && kakinoki::is_read_as_fact(&line, name, value)
        }
    }
}

/// Whether a format reads the word of an end that it does not know as that word.
fn holds_ending(format: Format, word: &str) -> bool {
    let own = Ending::Other(word.to_owned());
    match format {
        Format::Kif => kif::is_own_ending(word),
        Format::Ki2 => Ending::from_result(&format!("1手で{word}"), Color::Black).is_some_and(|(read, _)| read == own),
        _ => own.csa_comment().and_then(|comment| Ending::Interrupt.named_by_comment(&comment)) == Some(own),
    }
}

/// Cleans the word of an end. Where the format cannot hold it, the end becomes 中断 and the word is returned as a
/// comment.
fn word_that_does_not_fit(node: &mut Node, format: Format, clean: impl Fn(&str) -> String) -> Option<String> {
    let Entry::End(Ending::Other(word)) = &mut node.entry else { return None };
    *word = clean(word).trim().to_owned();
    if holds_ending(format, word) {
        return None;
    }
    let comment = Ending::Other(std::mem::take(word)).csa_comment();
    node.entry = Entry::End(Ending::Interrupt);
    comment
}

/// A text without the characters that end lines or mean something to terminals, blanks in their place.
fn one_line(text: &str) -> String {
    let is_kept = |c: char| c == '\t' || !(c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.chars().map(|c| if is_kept(c) { c } else { ' ' }).collect()
}

/// The characters of a record's texts for which an encoding has neither a code nor a similar character, each once.
pub fn unencodable(record: &GameRecord, encoding: TextEncoding) -> String {
    let facts = record.metadata.iter().flat_map(|(name, value)| [name, value]);
    let texts = record.nodes.iter().flat_map(|node| {
        let word = match &node.entry {
            Entry::End(Ending::Other(word)) => Some(word),
            _ => None,
        };
        node.comments.iter().chain(&node.bookmark).chain(word)
    });
    let all: BTreeSet<char> = facts.chain(texts).flat_map(|text| text.chars()).collect();
    all.into_iter().filter(|&c| !c.is_control() && text::similar(encoding, c).is_none()).collect()
}

// What an engine says about a position, as comments that GUIs show as a graph.
//
// ShogiHome and ShogiGUI find evaluations in the comments of a record. To write an analysed game, give every node
// its [`EvaluatedLine`]s with [`GameRecord::annotate`] and then write the record as usual:
//
// ```
// use std::time::Duration;
// use kurosabi::records::{EvaluatedLine, Format, NodeId, Records, WriteOptions, write};
// use kurosabi::types::Outcome;
//
// let mut record = Records::parse("startpos moves 7g7f")?.next().unwrap()?;
// // About the position before the first move, from the view of the side to move, like a search's result.
// let evaluation = EvaluatedLine {
//     score: Outcome::Centipawns(52),
//     pv: vec!["2g2f".parse().unwrap(), "8c8d".parse().unwrap()],
//     depth: Some(18),
//     ..EvaluatedLine::default()
// };
// record.annotate(NodeId::ROOT, &[evaluation], Format::Kif);
// let text = write(&record, Format::Kif, &WriteOptions::default());
// assert!(text.contains("**解析 0 候補1 深さ 18 評価値 52 読み筋 ▲２六歩(27) △８四歩(83)\n"));
// # Ok::<(), kurosabi::records::ReadError>(())
// ```

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
        let score = self.score.number(|plies| WIN - plies.min(WIN as u32 / 2) as i32);
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
