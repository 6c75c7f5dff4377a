//! CSA 2.2, and 3.0 where a record says what 2.2 cannot.

use std::fmt::Write as _;
use std::time::Duration;

use super::{TextEncoding, WriteOptions};
use crate::position::{Handicap, Setup};
use crate::records::csa_names::{keyword, piece, write_move};
use crate::records::record::{Entry, GameRecord, Node};
use crate::types::{Color, File, PieceType, Rank, Square};

pub(super) fn write(record: &GameRecord, options: &WriteOptions) -> String {
    let mut text = String::new();
    let is_shift_jis = options.encoding == TextEncoding::ShiftJis;
    let is_version_3 = needs_version_3(record);
    if is_version_3 || is_shift_jis {
        let _ = writeln!(text, "'CSA encoding={}", if is_shift_jis { "SHIFT_JIS" } else { "UTF-8" });
    }
    text.push_str(if is_version_3 { "V3.0\n" } else { "V2.2\n" });
    // Programs refuse names behind other facts.
    let mut facts: Vec<&(String, String)> = record.metadata.iter().collect();
    facts.sort_by_key(|(name, _)| player_sign(name).map_or(2, |sign| u8::from(sign == '-')));
    facts.iter().for_each(|(name, value)| text += &format!("{}\n", fact_line(name, value)));
    text.push_str(&start(record));
    let mut board = record.start_board().clone();
    for id in record.main_line() {
        let node = record.node(id);
        let _ = match &node.entry {
            Entry::Start => Ok(()),
            Entry::Move(mv) => writeln!(text, "{}", write_move(&board, *mv, node.named_piece)),
            Entry::End(ending) => writeln!(text, "%{}", ending.csa(board.side_to_move(), record.offender_told(node))),
        };
        if let Entry::Move(mv) = node.entry {
            board.do_move(mv);
        }
        if let Some(time) = node.time {
            let _ = writeln!(text, "T{}", seconds(time));
        }
        text.push_str(&remarks(node));
    }
    text
}

/// The sign of the player whose name this fact is.
pub(super) fn player_sign(name: &str) -> Option<char> {
    match name {
        "先手" | "下手" => Some('+'),
        "後手" | "上手" => Some('-'),
        _ => None,
    }
}

/// The line of a fact about the game.
pub(super) fn fact_line(name: &str, value: &str) -> String {
    match player_sign(name) {
        Some(sign) => format!("N{sign}{value}"),
        None => format!("${}:{value}", keyword_for(name, value).unwrap_or(name)),
    }
}

/// Milliseconds came with version 3. So did some facts about the game, which readers of version 2 pass over, while many
/// refuse a file of version 3.
fn needs_version_3(record: &GameRecord) -> bool {
    let has_milliseconds = |node: &Node| node.time.is_some_and(|time| time.subsec_millis() > 0);
    record.main_line().any(|id| has_milliseconds(record.node(id)))
}

/// The keyword for a fact, if its value is of the form that the format prescribes.
fn keyword_for(name: &str, value: &str) -> Option<&'static str> {
    let is_limit =
        |value: &str| value.bytes().all(|b| b.is_ascii_digit() || b":+.".contains(&b)) && value.contains('+');
    match keyword(name)? {
        "TIME_LIMIT" | "TIME" if !is_limit(value) => None,
        "TIME_LIMIT" if !value.contains(':') => Some("TIME"),
        found => Some(found),
    }
}

fn seconds(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        millis => format!("{}.{millis:03}", time.as_secs()),
    }
}

fn remarks(node: &Node) -> String {
    // A comment without the star of those for programs was kept with its mark.
    let is_whole = |line: &str| line.starts_with('\'') && !line.starts_with("'*") && !line.starts_with("'CSA encoding");
    let lines = node.comments_with_marks().into_iter();
    lines.map(|line| if is_whole(&line) { format!("{line}\n") } else { format!("'*{line}\n") }).collect()
}

fn start(record: &GameRecord) -> String {
    let board = record.start_board().clone();
    let turn = if board.side_to_move() == Color::Black { '+' } else { '-' };
    match record.handicap() {
        Some(handicap) => format!("PI{}\n{turn}\n", given(&board, handicap)),
        None => format!("{}{turn}\n", diagram(&board)),
    }
}

/// The pieces that are missing from an even start.
fn given(board: &Setup, handicap: Handicap) -> String {
    if handicap == Handicap::Even {
        return String::new();
    }
    let even = Handicap::Even.setup();
    let missing = Square::all().filter(|&square| board.piece_on(square).is_none());
    let missing = missing.filter_map(|square| Some((square, even.piece_on(square)?)));
    missing.map(|(square, standing)| format!("{}{}", digits(square), piece(standing.piece_type()))).collect()
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file().index() + 1, square.rank().index() + 1)
}

fn diagram(board: &Setup) -> String {
    let mut text = String::new();
    for rank in Rank::all() {
        let _ = write!(text, "P{}", rank.index() + 1);
        for file in File::all().rev() {
            match board.piece_on(Square::at(file, rank)) {
                None => text.push_str(" * "),
                Some(standing) => {
                    text.push(if standing.color() == Color::Black { '+' } else { '-' });
                    text.push_str(piece(standing.piece_type()));
                }
            }
        }
        text.push('\n');
    }
    for (color, sign) in [(Color::Black, '+'), (Color::White, '-')] {
        let hand = PieceType::HAND.into_iter().rev();
        let held: String =
            hand.map(|held| format!("00{}", piece(held)).repeat(usize::from(board.in_hand(color, held)))).collect();
        let _ = writeln!(text, "P{sign}{held}");
    }
    text
}
