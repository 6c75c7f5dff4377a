//! KIF: numbered moves with their origins and times.

use std::time::Duration;

use super::builder::Builder;
use super::kif_lines::{Header, MARKS, numbered, take_remark, variation};
use crate::records::ending::{Ending, Told};
use crate::records::error::ReadError;
use crate::records::kanji;
use crate::records::read::Format;
use crate::records::record::GameRecord;
use crate::types::{Move, Phrase, PieceType, Square};

pub(super) fn read(text: &str) -> Result<GameRecord, ReadError> {
    let mut header = Header::new(Format::Kif);
    let mut builder: Option<Builder> = None;
    // Behind a diagram with 手数＝2 some programs number the first move 3.
    let mut offset = None;
    for (line, number) in text.lines().zip(1..) {
        let Some(current) = &mut builder else {
            if numbered(line).is_some() {
                let mut begun = header.begin()?;
                read_entry(&mut begun, &mut offset, line, number)?;
                builder = Some(begun);
            } else if line.trim_start().starts_with("まで") {
                let mut begun = header.begin()?;
                take_remark(&mut begun, &mut header.metadata, line, number)?;
                builder = Some(begun);
            } else {
                header.take(line, number)?;
            }
            continue;
        };
        if numbered(line).is_some() {
            read_entry(current, &mut offset, line, number)?;
        } else if let Some(ply) = variation(line) {
            let error = || {
                ReadError::syntax(
                    number,
                    Format::Kif,
                    Phrase::new("the number of a move of this line", "この手順にある手数"),
                    line,
                )
            };
            let ply = ply.and_then(|ply| ply.checked_sub(offset.unwrap_or(0)));
            let ply = ply.filter(|&ply| ply >= 1 && ply <= current.ply() + 1).ok_or_else(error)?;
            current.go_back(ply - 1);
        } else if !take_remark(current, &mut header.metadata, line, number)? {
            let expected = Phrase::new(
                "a numbered move, 変化：, まで or a comment",
                "手数の付いた指し手、変化：、まで、コメントのどれか",
            );
            return Err(ReadError::syntax(number, Format::Kif, expected, line));
        }
    }
    let builder = match builder {
        Some(builder) => builder,
        None => header.begin()?,
    };
    Ok(builder.finish(header.metadata))
}

/// Reads a numbered line: a move or an end, and its time. The first one tells what its number and all others count
/// besides the moves of the record.
fn read_entry(builder: &mut Builder, offset: &mut Option<usize>, line: &str, number: usize) -> Result<(), ReadError> {
    let error = |expected| ReadError::syntax(number, Format::Kif, expected, line);
    let (ply, text) = numbered(line).ok_or_else(|| error(Phrase::new("a numbered move", "手数の付いた指し手")))?;
    let before_start = builder.moves_before_start();
    let offset = *offset.get_or_insert(if ply == before_start + 1 { before_start } else { 0 });
    let ply = ply.saturating_sub(offset);
    if ply == 0 || ply > builder.ply() + 1 {
        return Err(error(Phrase::new("the next move's number", "次の手数")));
    }
    builder.go_back(ply - 1);
    let rest = match read_move(builder, text.trim_start_matches(MARKS)) {
        Parsed::Move(mv, piece_type, rest) => {
            builder.push_move(mv, Some(piece_type), number)?;
            rest
        }
        Parsed::Other => {
            let end = text.find([' ', '\u{3000}', '(', '（', '+', '\t']).unwrap_or(text.len());
            let word = &text[..end];
            if !word.starts_with(char::is_alphabetic) {
                return Err(error(Phrase::new(
                    "a move such as ７六歩(77), or how the game ended",
                    "７六歩(77)のような指し手か終局の言葉",
                )));
            }
            builder.push_end(Ending::from_japanese(word), Told::BySideToMove, number)?;
            &text[end..]
        }
        Parsed::Bad => {
            return Err(error(Phrase::new(
                "a move such as ７六歩(77) or ５五角打",
                "７六歩(77)や５五角打のような指し手",
            )));
        }
    };
    builder.node().time = read_time(rest);
    Ok(())
}

/// What stands behind a move's number.
enum Parsed<'a> {
    /// A move, the piece it names, and what follows.
    Move(Move, PieceType, &'a str),
    /// No move.
    Other,
    /// The beginning of a move.
    Bad,
}

fn read_move<'a>(builder: &Builder, text: &'a str) -> Parsed<'a> {
    let Some((to, rest)) = read_square(text, builder.last_square()) else {
        let looks_like_a_move =
            text.starts_with('同') || text.chars().next().is_some_and(|c| kanji::digit(c).is_some());
        return if looks_like_a_move { Parsed::Bad } else { Parsed::Other };
    };
    let Some((piece_type, rest)) = kanji::strip_piece(rest) else { return Parsed::Bad };
    let rest = rest.trim_start_matches([' ', '\u{3000}', '左', '右', '上', '直', '寄', '引']);
    let (promote, rest) = match rest.strip_prefix("不成") {
        Some(rest) => (false, rest),
        None => rest.strip_prefix('成').map_or((false, rest), |rest| (true, rest)),
    };
    if let Some(rest) = rest.strip_prefix('打') {
        return match piece_type {
            PieceType::King => Parsed::Bad,
            _ => Parsed::Move(Move::drop(piece_type.unpromoted(), to), piece_type, rest),
        };
    }
    match read_origin(rest) {
        Some((from, rest)) if from != to => Parsed::Move(Move::board(from, to, promote), piece_type, rest),
        _ => Parsed::Bad,
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

/// Takes `(77)` off what follows a move.
fn read_origin(text: &str) -> Option<(Square, &str)> {
    let inner = text.trim_start_matches([' ', '\u{3000}']).strip_prefix(['(', '（'])?;
    let mut chars = inner.chars();
    let square = kanji::square(chars.next()?, chars.next()?)?;
    Some((square, chars.as_str().strip_prefix([')', '）'])?))
}

/// The time of `( 0:16/00:00:16)`.
fn read_time(text: &str) -> Option<Duration> {
    let inner = text.split_once(['(', '（'])?.1;
    let spent = inner.split(['/', ')', '）']).next()?.trim();
    let mut seconds = 0.0;
    for part in spent.split([':', '：']) {
        let value: f64 = part.trim().parse().ok().filter(|value: &f64| (0.0..1e9).contains(value))?;
        seconds = seconds * 60.0 + value;
    }
    Duration::try_from_secs_f64((seconds * 1000.0).round() / 1000.0).ok()
}
