//! What KIF and KI2 have in common: the order of a file, headers, comments, and the line of the result.

use std::fmt::Write as _;

use super::Format;
use super::bod::{self, StartLines};
use super::builder::{Builder, VARIATION_NUMBER};
use super::ending::Ending;
use super::error::ReadError;
use super::kanji::{self, BLANKS, key_value};
use super::notation::write_with_origin;
use super::record::{GameRecord, Node};
use crate::position::Setup;
use crate::types::{Color, Move, PieceType, Square};

/// Names that only the 柿木 formats begin lines with.
const HEADERS: [&str; 9] = ["手合割", "先手", "後手", "下手", "上手", "開始日時", "棋戦", "後手の持駒", "上手の持駒"];

/// Facts about the game that may stand behind the moves; any other line with a colon is a remark there.
const LATE_FACTS: [&str; 9] =
    ["終了日時", "消費時間", "先手消費時間", "後手消費時間", "開始日時", "棋戦", "場所", "備考", "戦型"];

/// Whether a line belongs to the header of a KIF or KI2 file.
pub(super) fn is_header(line: &str) -> bool {
    line.starts_with("|v")
        || line.starts_with("+---")
        || key_value(line).is_some_and(|(name, _)| HEADERS.contains(&name))
}

/// Whether a line stands in KIF only: the table's head, or a numbered move.
pub(super) fn shows_kif(line: &str) -> bool {
    is_table_head(line) || numbered(line).is_some_and(|(_, rest)| !rest.is_ascii())
}

/// Whether a line heads the table of moves: `手数----指手---------消費時間--`, with as many hyphens as a program likes.
fn is_table_head(line: &str) -> bool {
    line.starts_with("手数--")
}

/// Splits a move's number from the move. The files above a diagram (９ ８ ７ …) are none.
pub(super) fn numbered(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start_matches(BLANKS);
    let end = line.find(|c| kanji::arabic(c).is_none())?;
    let digits: String = line[..end].chars().filter_map(kanji::arabic).collect();
    let rest = line[end..].strip_prefix(BLANKS)?;
    let rest = rest.trim_start_matches(BLANKS);
    let mut chars = rest.chars();
    let is_file = chars.next().and_then(kanji::arabic).is_some() && chars.next().is_some_and(|c| BLANKS.contains(&c));
    if is_file { None } else { Some((digits.parse::<u32>().ok()? as usize, rest)) }
}

/// The number of `変化：12手`, as programs write it: 変化：12手目, 変化:12.
fn variation(line: &str) -> Option<Option<usize>> {
    let behind_word = |text: &str| {
        let rest = text.strip_prefix("変化")?.trim_start_matches(BLANKS).strip_prefix(['：', ':'])?;
        Some(text.len() - rest.trim_start_matches(BLANKS).len())
    };
    let mut rest = line.trim_matches(BLANKS);
    rest = &rest[behind_word(rest)?..];
    // A converter writes 変化：変化：3手.
    while let Some(end) = behind_word(rest) {
        rest = &rest[end..];
    }
    Some(kanji::strip_number(rest).map(|(number, _)| number as usize))
}

/// Whether the line of a fact is read as this fact, and as nothing else.
pub(super) fn is_read_as_fact(line: &str, name: &str, value: &str) -> bool {
    !line.starts_with(['*', '&', '#'])
        && result(line).is_none()
        && variation(line).is_none()
        && key_value(line) == Some((name, value))
        && matches!(StartLines::new().take(Format::Kif, line, 0), Ok(false))
}

/// How a format writes moves.
pub(super) trait MoveLines {
    /// The format.
    const FORMAT: Format;

    /// Whether the header ends before a line of moves, or of an end.
    fn begins(&self, line: &str) -> bool;

    /// Whether a line behind the header is one of moves.
    fn is_line(&self, line: &str) -> bool;

    /// Who makes the first move, by the first line of moves; `None` where that does not show it.
    fn first_mover(&self, line: &str, start: &Setup) -> Option<Color>;

    /// Adds the moves of a line to the record.
    fn read(&mut self, builder: &mut Builder, line: &str, number: usize) -> Result<(), ReadError>;

    /// The number that a line of moves begins with, where moves are numbered.
    fn number(&self, line: &str) -> Option<usize>;

    /// Where in its line a variation begins whose first move has this number.
    fn variation_at(&mut self, number: usize) -> Option<usize>;
}

/// Reads a file. Behind a line that cannot be read, the moves up to the next variation are lost.
pub(super) fn read<M: MoveLines>(text: &str, mut moves: M) -> Result<GameRecord, ReadError> {
    let mut header = Header::new(M::FORMAT);
    let mut builder: Option<Builder> = None;
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let is_moves = moves.is_line(line);
        let current = match &mut builder {
            Some(current) => current,
            None if moves.begins(line) || (header.has_table && is_moves) => {
                builder.insert(header.begin(|start| moves.first_mover(line, start))?)
            }
            None if header.result.is_some() && variation(line).is_some() => {
                builder.insert(header.begin_without_moves()?)
            }
            None => {
                header.take(line, number)?;
                continue;
            }
        };
        let damage = if is_moves {
            if current.is_lost() { Ok(()) } else { moves.read(current, line, number) }
        } else if let Some(named) = variation(line) {
            let mut following = lines.clone().map(|(line, _)| line).skip_while(|line| line.trim().is_empty());
            let first_move = following.next().and_then(|line| moves.number(line));
            let [named, first_move] = [named, first_move].map(|number| moves.variation_at(number?));
            let error = || ReadError::syntax(number, M::FORMAT, VARIATION_NUMBER, line);
            current.begin_variation(named, first_move, error);
            Ok(())
        } else {
            take_remark(current, &mut header.metadata, line, number)
        };
        damage.or_else(|error| current.lose(error))?;
    }
    let builder = match builder {
        Some(builder) => builder,
        None => header.begin_without_moves()?,
    };
    Ok(builder.finish(header.metadata))
}

/// The part of a file before its moves.
struct Header {
    start: StartLines,
    metadata: Vec<(String, String)>,
    comments: Vec<String>,
    bookmark: Option<String>,
    /// The line of the result, by its place among the comments: one above the moves is a comment. And its number.
    result: Option<(usize, usize)>,
    /// The head of the table of moves was read.
    has_table: bool,
    format: Format,
}

impl Header {
    fn new(format: Format) -> Header {
        Header {
            start: StartLines::new(),
            metadata: Vec::new(),
            comments: Vec::new(),
            bookmark: None,
            result: None,
            has_table: false,
            format,
        }
    }

    /// Takes a line. Text that fits nothing is kept as a comment.
    fn take(&mut self, line: &str, number: usize) -> Result<(), ReadError> {
        let line = line.trim_end_matches(['\r', '\n']);
        if let Some(comment) = line.strip_prefix('*') {
            self.comments.push(comment.to_owned());
        } else if let Some(bookmark) = line.strip_prefix('&') {
            self.bookmark = Some(bookmark.to_owned());
        } else if is_table_head(line) {
            self.has_table = true;
        } else if result(line).is_some() {
            self.result = Some((self.comments.len(), number));
            self.comments.push(line.trim_matches(BLANKS).to_owned());
        } else if line.starts_with('#') || self.start.take(self.format, line, number)? {
        } else if let Some((name, value)) = key_value(line) {
            if name != "変化" {
                self.metadata.push((name.to_owned(), value.to_owned()));
            }
        } else if !line.trim().is_empty() {
            self.comments.push(line.trim().to_owned());
        }
        Ok(())
    }

    /// The record that begins here; `first_mover` knows who makes the first move on a board.
    fn begin(&mut self, first_mover: impl FnOnce(&Setup) -> Option<Color>) -> Result<Builder, ReadError> {
        let mut builder = Builder::new(self.start.record(self.format, first_mover)?);
        let root = builder.node();
        root.comments = std::mem::take(&mut self.comments);
        root.bookmark = self.bookmark.take();
        Ok(builder)
    }

    /// The record whose main line has no moves, but may have a result.
    fn begin_without_moves(&mut self) -> Result<Builder, ReadError> {
        let line = self.result.take().map(|(at, number)| (self.comments.remove(at), number));
        let mut builder = self.begin(|_| None)?;
        if let Some((line, number)) = line {
            take_result(&mut builder, result(&line).unwrap_or_default(), number)?;
        }
        Ok(builder)
    }
}

/// The text of the line of the result, behind まで.
fn result(line: &str) -> Option<&str> {
    line.trim_matches(BLANKS).strip_prefix("まで")
}

/// Takes a line that is none of moves: a comment, a bookmark, a fact about the game or the line of the result. Any
/// other text is a comment.
fn take_remark(
    builder: &mut Builder,
    metadata: &mut Vec<(String, String)>,
    line: &str,
    number: usize,
) -> Result<(), ReadError> {
    let trimmed = line.trim_matches(BLANKS);
    if let Some((name, value)) = key_value(trimmed).filter(|(name, _)| LATE_FACTS.contains(name)) {
        metadata.push((name.to_owned(), value.to_owned()));
    } else if builder.is_lost() || trimmed.is_empty() || trimmed.starts_with('#') {
    } else if let Some(comment) = line.strip_prefix('*') {
        builder.node().comments.push(comment.trim_end_matches('\r').to_owned());
    } else if let Some(bookmark) = line.strip_prefix('&') {
        builder.node().bookmark = Some(bookmark.trim_end_matches('\r').to_owned());
    } else if let Some(result) = result(line) {
        take_result(builder, result, number)?;
    } else {
        builder.node().comments.push(trimmed.to_owned());
    }
    Ok(())
}

/// Takes the line of the result, without its まで.
fn take_result(builder: &mut Builder, result: &str, number: usize) -> Result<(), ReadError> {
    match Ending::from_result(result, builder.side_to_move()) {
        Some((ending, source)) => builder.push_result(ending, source, number),
        None => Ok(()),
    }
}

/// Takes the destination off a move: two digits, or 同 for that of the move before.
pub(super) fn read_square(text: &str, last: Option<Square>) -> Option<(Square, &str)> {
    if let Some(rest) = text.strip_prefix('同') {
        return Some((last?, rest.trim_start_matches([' ', '\u{3000}'])));
    }
    let mut chars = text.chars();
    let square = kanji::square(chars.next()?, chars.next()?)?;
    Some((square, chars.as_str().trim_start_matches([' ', '\u{3000}'])))
}

/// The square that the move before a node's went to.
pub(super) fn last_square(record: &GameRecord, node: &Node) -> Option<Square> {
    record.node(node.parent()?).played().map(Move::to)
}

/// The lines of the start and of the facts about the game. Not every program knows every handicap by its name.
pub(super) fn write_header(record: &GameRecord) -> String {
    let mut text = String::new();
    let board = record.start_board();
    if let Some(handicap) = record.handicap() {
        let _ = writeln!(text, "手合割：{handicap}");
    }
    if record.common_handicap().is_none() {
        text.push_str(&bod::write(board));
    }
    record.metadata.iter().for_each(|(name, value)| _ = writeln!(text, "{name}：{value}"));
    text
}

/// The lines of a node's comment and bookmark.
pub(super) fn remarks(node: &Node) -> String {
    let lines = node.comments.iter().map(|line| format!("*{line}\n"));
    lines.chain(node.bookmark.iter().map(|bookmark| format!("&{bookmark}\n"))).collect()
}

/// A move as KIF has it. One from an empty square is written as a pawn's, which reads back as illegal.
pub(super) fn kif_move(board: &Setup, mv: Move, named: Option<PieceType>, last: Option<Square>) -> String {
    let piece_type = named.or(board.moved_type(mv)).unwrap_or(PieceType::Pawn);
    write_with_origin(Some(piece_type), mv, last)
}

/// The line of the result, such as `まで122手で後手の勝ち`.
pub(super) fn summary(record: &GameRecord, node: &Node, ending: &Ending, board: &Setup) -> String {
    let side = |color: Color| color.japanese(record.is_handicap());
    let (next, last) = (side(board.side_to_move()), side(!board.side_to_move()));
    let result = match ending {
        Ending::Resign => format!("{last}の勝ち"),
        Ending::Win => format!("{next}の勝ち"),
        Ending::TimeUp => format!("時間切れにより{last}の勝ち"),
        Ending::IllegalWin => format!("{next}の反則勝ち"),
        Ending::IllegalLoss => format!("{next}の反則負け"),
        Ending::Declaration => format!("{next}の入玉勝ち"),
        _ => ending.japanese().to_owned(),
    };
    format!("まで{}手で{result}\n", node.ply() - 1)
}
