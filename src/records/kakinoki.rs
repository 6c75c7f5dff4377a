//! Reads what KIF and KI2 have in common: the order of a file, headers, comments, and the line of the result.

use super::bod::StartLines;
use super::builder::{Builder, VARIATION_NUMBER};
use super::ending::Ending;
use super::kanji::{self, BLANKS, key_value, marked_side, numbered};
use super::kif::{self, Numbering};
use super::record::GameRecord;
use super::{Format, ReadError};
use crate::position::Setup;
use crate::records::ki2;

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
        && matches!(StartLines::new(Format::Kif).take(line, 0), Ok(false))
}

/// Reads a file. Behind a line that cannot be read, the moves up to the next variation are lost.
pub(super) fn read(text: &str, format: Format) -> Result<GameRecord, ReadError> {
    let lines: Vec<&str> = text.lines().collect();
    let is_moves = |line: &str| if format == Format::Kif { numbered(line).is_some() } else { ki2::is_line(line) };
    let begins = |line: &str| if format == Format::Kif { kif::begins(line) } else { ki2::is_moves(line) };
    let (mut has_table, mut has_result) = (false, false);
    let begin = lines.iter().position(|line| {
        has_table |= is_table_head(line);
        has_result |= result(line).is_some();
        begins(line) || (has_table && is_moves(line)) || (has_result && variation(line).is_some())
    });
    let (header, behind) = lines.split_at(begin.unwrap_or(lines.len()));
    let first = behind.first().filter(|line| is_moves(line));
    // A line of the result above the moves is a comment.
    let result_at = header.iter().rposition(|line| first.is_none() && result(line).is_some());
    let mut start = StartLines::new(format);
    let mut remarks = Vec::new();
    for (line, number) in header.iter().zip(1..) {
        let is_remark = line.starts_with(['*', '&', '#']) || result(line).is_some();
        if !is_table_head(line) && result_at != Some(number - 1) && (is_remark || !start.take(line, number)?) {
            remarks.push((*line, number));
        }
    }
    let first_mover =
        |board: &Setup| marked_side(first?.trim_start_matches(BLANKS)).or_else(|| kif::first_mover(first?, board));
    let mut builder = Builder::new(start.record(first_mover)?);
    let mut metadata = Vec::new();
    for (line, _) in remarks {
        take_remark(&mut builder, &mut metadata, line, |name| name != "変化");
    }
    if let Some(at) = result_at {
        take_result(&mut builder, lines[at], at + 1)?;
    }
    let mut numbering = Numbering::default();
    for (line, number) in behind.iter().zip(header.len() + 1..) {
        let damage = if is_moves(line) {
            match format {
                _ if builder.is_lost() => Ok(()),
                Format::Kif => kif::read_line(&mut numbering, &mut builder, line, number),
                _ => ki2::read_line(&mut builder, line, number),
            }
        } else if let Some(named) = variation(line) {
            let mut following = lines[number..].iter().skip_while(|line| line.trim().is_empty());
            let first_move = following.next().and_then(|line| numbered(line)).map(|(number, _)| number);
            let [named, first_move] = [named, first_move].map(|number| numbering.variation_at(number?));
            let error = || ReadError::syntax(number, format, VARIATION_NUMBER, line);
            builder.begin_variation(named, first_move, error);
            Ok(())
        } else if result(line).is_some() {
            take_result(&mut builder, line, number)
        } else {
            take_remark(&mut builder, &mut metadata, line, |name| LATE_FACTS.contains(&name));
            Ok(())
        };
        damage.or_else(|error| builder.lose(error))?;
    }
    Ok(builder.finish(metadata))
}

/// The text of the line of the result, behind まで.
fn result(line: &str) -> Option<&str> {
    line.trim_matches(BLANKS).strip_prefix("まで")
}

/// Takes a line that is none of moves: a comment, a bookmark or a fact about the game. Any other text is a comment.
fn take_remark(
    builder: &mut Builder,
    metadata: &mut Vec<(String, String)>,
    line: &str,
    is_fact: impl Fn(&str) -> bool,
) {
    let trimmed = line.trim_matches(BLANKS);
    let is_marked = trimmed.starts_with(['*', '&', '#']);
    if let Some((name, value)) = key_value(trimmed).filter(|(name, _)| !is_marked && is_fact(name)) {
        metadata.push((name.to_owned(), value.to_owned()));
    } else if builder.is_lost() || trimmed.is_empty() || trimmed.starts_with('#') {
    } else if let Some(comment) = line.strip_prefix('*') {
        builder.node().comments.push(comment.trim_end_matches('\r').to_owned());
    } else if let Some(bookmark) = line.strip_prefix('&') {
        builder.node().bookmark = Some(bookmark.trim_end_matches('\r').to_owned());
    } else {
        builder.node().comments.push(trimmed.to_owned());
    }
}

/// Takes the line of the result.
fn take_result(builder: &mut Builder, line: &str, number: usize) -> Result<(), ReadError> {
    match Ending::from_result(result(line).unwrap_or_default(), builder.side_to_move()) {
        Some((ending, source)) => builder.push_result(ending, source, number),
        None => Ok(()),
    }
}
