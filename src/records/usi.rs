//! One game or position a line: SFEN and the moves of a USI `position` command.

use std::fmt::Write as _;

use super::builder::Builder;
use super::ending::{Ending, WinnerSource};
use super::record::{GameRecord, NodeId};
use super::{Format, Problem, ReadError};
use crate::position::{Handicap, Position, STARTPOS_SFEN, Setup};
use crate::rules::SpecialMove;
use crate::types::{Move, Phrase};

/// The words of a line for its start position, and those for its moves.
fn split(line: &str) -> (Vec<&str>, Vec<&str>) {
    let mut words = line.split_whitespace().peekable();
    words.next_if_eq(&"position");
    let start = std::iter::from_fn(|| words.next_if(|&word| word != "moves")).collect();
    (start, words.skip(1).collect())
}

/// Whether a line is a position without moves.
pub(super) fn is_position(line: &str) -> bool {
    let (start, moves) = split(line);
    moves.is_empty() && start.len() <= 5 && is_board(&start)
}

fn is_board(start: &[&str]) -> bool {
    let (is_named, board) = match *start {
        ["sfen", board, ..] => (true, board),
        [board, ..] => (false, board),
        [] => return false,
    };
    // Without the word before it, it must not be the address of a page.
    board.is_ascii() && board.matches('/').count() >= 6 && (is_named || board.chars().all(is_of_board))
}

/// Whether a character may stand in the board of an SFEN.
fn is_of_board(c: char) -> bool {
    matches!(c, '1'..='9' | '/' | '+') || "PLNSGBRK".contains(c.to_ascii_uppercase())
}

/// Whether a line is a game: a start position with moves, or moves alone.
pub(super) fn is_game(line: &str) -> bool {
    let (start, moves) = split(line);
    match start.first() {
        None => !moves.is_empty(),
        Some(&"startpos") => true,
        Some(word) => {
            word.starts_with(Handicap::PREFIX) || line.starts_with("position ") || is_board(&start) || is_move(word)
        }
    }
}

fn is_move(word: &str) -> bool {
    word.parse::<Move>().is_ok()
}

/// Reads one line: an SFEN, `sfen …`, `handicap:NAME`, `position …` or `startpos …`, with moves and a special word
/// (`resign`, `win` …) at their end or without. `number` is the line's number, for errors.
///
/// # Errors
/// Says what cannot be read. An illegal move is no error; it ends the record's [`GameRecord::legal_moves`].
pub fn read_line(line: &str, number: usize) -> Result<GameRecord, ReadError> {
    let error = |expected, found: &str| ReadError::syntax(number, Format::Usi, expected, found);
    let (start, mut moves) = split(line);
    let record = match start[..] {
        ["startpos"] => Ok(GameRecord::new(Position::startpos())),
        [] if !moves.is_empty() => Ok(GameRecord::new(Position::startpos())),
        [name] if name.starts_with(Handicap::PREFIX) => from_sfen(name, number),
        ["sfen", ref fields @ ..] if !fields.is_empty() => from_sfen(&fields.join(" "), number),
        [first, ..] if moves.is_empty() && is_move(first) => {
            moves.clone_from(&start);
            Ok(GameRecord::new(Position::startpos()))
        }
        [first, ..] if first.contains('/') => from_sfen(&start.join(" "), number),
        _ => {
            return Err(error(
                Phrase::new(
                    "an SFEN, sfen …, startpos, handicap:NAME or position …",
                    "SFEN、sfen …、startpos、handicap:名前、position …のどれか",
                ),
                line,
            ));
        }
    };
    let mut builder = Builder::new(record?);
    let last = moves.len().wrapping_sub(1);
    for (at, word) in moves.into_iter().enumerate() {
        if let Ok(mv) = word.parse::<Move>() {
            builder.push_move(mv, None, number)?;
            continue;
        }
        let special = SpecialMove::from_word(word).map(|special| (special.into(), WinnerSource::SideToMove));
        let ending = special.or_else(|| Ending::from_word(word, builder.side_to_move()));
        match ending.filter(|_| at == last) {
            Some((ending, source)) => builder.push_end(ending, source, number)?,
            None => {
                builder.lose(error(
                    Phrase::new(
                        "a move such as 7g7f, or resign, win … at the end",
                        "7g7fのような指し手（最後はresign、winなどでもかまいません）",
                    ),
                    word,
                ))?;
                break;
            }
        }
    }
    let mut record = builder.finish(Vec::new());
    record.node_mut(NodeId::ROOT).source_line = u32::try_from(number).unwrap_or(0);
    Ok(record)
}

/// The record from a position, which the rules may not allow.
fn from_sfen(sfen: &str, number: usize) -> Result<GameRecord, ReadError> {
    let setup = Setup::from_sfen(sfen).map_err(|error| ReadError::new(number, Problem::Start(error)))?;
    Ok(GameRecord::from_setup(setup, number))
}

/// `startpos moves …` or `sfen … moves …`, on one line, illegal moves left out with what follows them.
pub(super) fn write(record: &GameRecord) -> String {
    let start = record.start_sfen();
    let mut text = match start == STARTPOS_SFEN {
        true => "startpos".to_owned(),
        false => format!("sfen {start}"),
    };
    let moves = record.moves_before_breach();
    let is_cut = record.main_line().any(|id| record.node(id).breach().is_some());
    let word =
        if is_cut { word_behind_breach(record, moves.len()) } else { record.ending().and_then(Ending::special_move) };
    if !moves.is_empty() || word.is_some() {
        text.push_str(" moves");
    }
    let words = moves.iter().map(Move::to_string).chain(word.map(|word| word.to_string()));
    words.for_each(|word| _ = write!(text, " {word}"));
    text.push('\n');
    text
}

/// The word for the result of a game whose moves end before an illegal one, seen from the side that made it.
fn word_behind_breach(record: &GameRecord, moves: usize) -> Option<SpecialMove> {
    let first = record.start_board().side_to_move();
    let offender = if moves.is_multiple_of(2) { first } else { !first };
    Some(match (record.ending(), record.winner()) {
        (None | Some(Ending::IllegalWin | Ending::IllegalLoss), winner) if winner != Some(offender) => {
            SpecialMove::Illegal
        }
        (_, Some(winner)) if winner == offender => Ending::Win.special_move()?,
        (_, Some(_)) => SpecialMove::Lose,
        (ending, None) => ending?.special_move()?,
    })
}

pub(super) fn write_sfens(record: &GameRecord) -> String {
    let mut board = record.start_board().clone();
    let mut text = String::new();
    let moves = record.moves_before_breach();
    for mv in moves.into_iter().map(Some).chain([None]) {
        let _ = writeln!(text, "{}", board.to_sfen());
        mv.into_iter().for_each(|mv| board.do_move(mv));
    }
    text
}
