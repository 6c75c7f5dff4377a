//! What KIF and KI2 have in common: headers, comments, and the line that tells the result.

use super::bod::StartLines;
use super::builder::Builder;
use super::text::key_value;
use crate::records::ending::{Ending, Told};
use crate::records::error::ReadError;
use crate::records::read::Format;
use crate::types::Color;

/// Names that only the 柿木 formats begin lines with.
const HEADERS: [&str; 9] = ["手合割", "先手", "後手", "下手", "上手", "開始日時", "棋戦", "後手の持駒", "上手の持駒"];

/// Marks of the sides, with which KI2 and some KIF files begin a move.
pub(super) const MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// Whether a line belongs to the header of a KIF or KI2 file.
pub(super) fn is_header(line: &str) -> bool {
    line.starts_with("|v")
        || line.starts_with("+---")
        || key_value(line).is_some_and(|(name, _)| HEADERS.contains(&name))
}

/// Whether a line stands in KIF only: the table's head, or a numbered move.
pub(super) fn shows_kif(line: &str) -> bool {
    line.starts_with("手数----") || numbered(line).is_some_and(|(_, rest)| !rest.is_ascii())
}

/// Splits a move's number from the move.
pub(super) fn numbered(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start_matches([' ', '\u{3000}', '\t']);
    let end = line.find(|c: char| !c.is_ascii_digit())?;
    let number = line[..end].parse().ok()?;
    let rest = line[end..].strip_prefix([' ', '\u{3000}', '\t'])?;
    Some((number, rest.trim_start_matches([' ', '\u{3000}', '\t'])))
}

/// The number of `変化：12手`.
pub(super) fn variation(line: &str) -> Option<Option<usize>> {
    let rest = line.trim_start_matches([' ', '\u{3000}']).strip_prefix("変化")?.strip_prefix(['：', ':'])?;
    let digits = rest.trim().trim_end_matches('手').trim();
    Some(crate::records::kanji::parse_number(digits).map(|number| number as usize))
}

/// The part of a file before its moves.
pub(super) struct Header {
    start: StartLines,
    pub(super) metadata: Vec<(String, String)>,
    comments: Vec<String>,
    bookmark: Option<String>,
    format: Format,
}

impl Header {
    pub(super) fn new(format: Format) -> Header {
        Header { start: StartLines::new(), metadata: Vec::new(), comments: Vec::new(), bookmark: None, format }
    }

    /// Takes a line. Text that fits nothing is kept as a comment.
    pub(super) fn take(&mut self, line: &str, number: usize) -> Result<(), ReadError> {
        let line = line.trim_end_matches(['\r', '\n']);
        if let Some(comment) = line.strip_prefix('*') {
            self.comments.push(comment.to_owned());
        } else if let Some(bookmark) = line.strip_prefix('&') {
            self.bookmark = Some(bookmark.to_owned());
        } else if self.start.take(self.format, line, number)? || line.starts_with("手数----") {
        } else if let Some((name, value)) = key_value(line) {
            if name != "変化" {
                self.metadata.push((name.to_owned(), value.to_owned()));
            }
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            self.comments.push(line.trim().to_owned());
        }
        Ok(())
    }

    /// The record that begins here.
    pub(super) fn begin(&mut self) -> Result<Builder, ReadError> {
        let mut builder = Builder::new(self.start.position(self.format)?);
        let root = builder.node();
        root.comments = std::mem::take(&mut self.comments);
        root.bookmark = self.bookmark.take();
        Ok(builder)
    }
}

/// Takes a comment, a bookmark, a note on the game or the result's line; `false` for other lines.
pub(super) fn take_remark(
    builder: &mut Builder,
    metadata: &mut Vec<(String, String)>,
    line: &str,
    number: usize,
) -> Result<bool, ReadError> {
    let trimmed = line.trim_matches([' ', '\u{3000}', '\t', '\r']);
    if let Some(comment) = line.strip_prefix('*') {
        builder.node().comments.push(comment.trim_end_matches('\r').to_owned());
    } else if let Some(bookmark) = line.strip_prefix('&') {
        builder.node().bookmark = Some(bookmark.trim_end_matches('\r').to_owned());
    } else if let Some(result) = trimmed.strip_prefix("まで") {
        if let Some((ending, told)) = summary(result, builder.side_to_move()) {
            builder.push_result(ending, told, number)?;
        }
    } else if trimmed.is_empty() || trimmed.starts_with('#') {
    } else if let Some((name, value)) = key_value(trimmed) {
        metadata.push((name.to_owned(), value.to_owned()));
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// The end that a line such as `まで122手で後手の勝ち` tells, without its まで.
fn summary(text: &str, side_to_move: Color) -> Option<(Ending, Told)> {
    let is_space = |c: char| c.is_whitespace() || c == '、';
    let text: String = text.chars().filter(|&c| !is_space(c)).collect();
    let after_number = text.trim_start_matches(|c: char| c.is_numeric() || crate::records::kanji::digit(c).is_some());
    let rest = after_number.strip_prefix("手").unwrap_or(&text);
    let rest = rest.strip_prefix('で').unwrap_or(rest);
    let wins = winner(rest).map(|winner| winner == side_to_move);
    let ending = match rest {
        "" => return None,
        _ if rest.contains("不戦") && wins.is_some() => choose(wins, Ending::DefaultWin, Ending::DefaultLoss),
        _ if rest.contains("反則") && wins.is_some() => choose(wins, Ending::IllegalWin, Ending::IllegalLoss),
        _ if rest.ends_with("反則勝ち") => Ending::IllegalWin,
        _ if rest.ends_with("反則負け") => Ending::IllegalLoss,
        _ if rest.contains("時間切れ") || rest.contains("切れ負け") => {
            choose(wins, Ending::Win, Ending::TimeUp)
        }
        // Only the side to move declares.
        _ if wins != Some(false) && (rest.ends_with("入玉勝ち") || rest.contains("宣言")) => Ending::Declaration,
        _ if wins.is_some() || rest.ends_with("勝ち") => choose(wins, Ending::Win, Ending::Resign),
        _ => Ending::from_japanese(rest),
    };
    Some((ending, if wins.is_some() { Told::ByName } else { Told::BySideToMove }))
}

/// One end where the side to move wins, the other where it loses or nobody is said to win.
fn choose(wins: Option<bool>, win: Ending, loss: Ending) -> Ending {
    if wins == Some(true) { win } else { loss }
}

/// Who won by the words of a result: the side named last wins (先手の勝ち) or loses (反則により先手の負け).
fn winner(result: &str) -> Option<Color> {
    const SIDES: [(&str, Color); 4] =
        [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)];
    const WINS: [&str; 2] = ["勝ち", "勝"];
    const LOSSES: [&str; 7] = ["負け", "負", "敗", "時間切れ", "投了", "反則", "反則行為"];
    let ends_with_any = |words: &[&str]| words.iter().any(|word| result.ends_with(word));
    let named = SIDES.iter().filter_map(|&(name, color)| Some((result.rfind(name)?, color)));
    let (_, named) = named.max_by_key(|&(at, _)| at)?;
    if ends_with_any(&WINS) {
        return Some(named);
    }
    ends_with_any(&LOSSES).then_some(!named)
}
