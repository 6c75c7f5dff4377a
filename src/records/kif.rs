//! KIF: numbered moves with their origins and times; and what is written in KIF and KI2 alike.

use std::fmt::Write as _;
use std::time::Duration;

use super::builder::Builder;
use super::ending::{Ending, WinnerSource};
use super::kanji::{self, BLANKS, MARKS, numbered, read_square};
use super::notation::write_with_origin;
use super::record::{Entry, GameRecord, Node, NodeId, time};
use super::text::TextEncoding;
use super::{Format, ReadError, Remedy, bod};
use crate::position::Setup;
use crate::types::{Color, Move, Phrase, Piece, PieceType, Square};

/// How the moves of a file are numbered.
#[derive(Default)]
pub(super) struct Numbering {
    /// What numbers count besides the moves of the record: behind a diagram with 手数＝2 some programs number the first
    /// move 3.
    offset: Option<i64>,
    /// By how much the numbers of the present line are wrong, and those of the main line.
    shift: i64,
    main_shift: i64,
}

impl Numbering {
    /// Where in its line a variation begins whose first move has this number.
    pub(super) fn variation_at(&mut self, number: usize) -> Option<usize> {
        self.shift = self.main_shift;
        usize::try_from(number as i64 - self.offset.unwrap_or(0) - self.shift).ok()
    }
}

/// Whether the header ends before a line: one of a move, or of an end.
pub(super) fn begins(line: &str) -> bool {
    numbered(line).is_some_and(|(_, text)| {
        let text = text.trim_start_matches(MARKS);
        let is_end = || Ending::from_word(word(text), Color::Black).is_some();
        text.starts_with('同') || read_square(text, None).is_some() || is_end()
    })
}

/// Who makes the first move, by the piece that moves, or the only hand that has it.
pub(super) fn first_mover(line: &str, start: &Setup) -> Option<Color> {
    let (_, text) = numbered(line)?;
    let Parsed::Move(mv, ..) = read_move(text.trim_start_matches(MARKS), None) else { return None };
    match mv.from() {
        Some(from) => start.piece_on(from).map(Piece::color),
        None => {
            let has_it = |color| mv.dropped().is_some_and(|dropped| start.in_hand(color, dropped) > 0);
            Color::ALL.into_iter().find(|&color| has_it(color) && !has_it(!color))
        }
    }
}

/// Reads a numbered line: a move or an end, and its time.
pub(super) fn read_line(
    numbering: &mut Numbering,
    builder: &mut Builder,
    line: &str,
    number: usize,
) -> Result<(), ReadError> {
    let error = |expected| ReadError::syntax(number, Format::Kif, expected, line);
    let (written, text) = numbered(line).ok_or_else(|| error(Phrase::new("a numbered move", "手数の付いた指し手")))?;
    let text = text.trim_start_matches(MARKS);
    let [written, before_start, next] = [written, builder.moves_before_start(), builder.ply() + 1].map(|n| n as i64);
    let counted = written - *numbering.offset.get_or_insert(if written == before_start + 1 { before_start } else { 0 });
    let ply = counted - numbering.shift;
    let parsed = read_move(text, builder.last_square());
    let is_move = !matches!(parsed, Parsed::Other);
    let ending = Ending::from_word(word(text), builder.side_to_move()).filter(|_| !is_move);
    let is_known_ending = ending.is_some();
    let wrong_number = || error(Phrase::new("the next move's number", "次の手数"));
    let may_go_on = ply != next && (counted == next || !(1..next).contains(&ply));
    if may_go_on && matches!(parsed, Parsed::Move(mv, ..) if builder.is_legal(mv)) {
        // Numbers left out or counted from elsewhere do not matter where the moves go on.
        numbering.shift = counted - next;
        if builder.is_main_line() {
            numbering.main_shift = numbering.shift;
        }
        if numbering.shift != 0 {
            builder.warn(wrong_number(), Remedy::NEXT_MOVE);
        }
    } else if is_move && ((1..next).contains(&ply) || (ply > next && builder.begins_variation())) {
        // A variation without a line before it, or one whose line has another number.
        if !builder.begins_variation() {
            builder.warn(wrong_number(), Remedy::VARIATION);
        }
        builder.begin_variation(usize::try_from(ply).ok(), None, wrong_number);
    } else if is_known_ending && ply > next && ply % 2 == next % 2 {
        // An end is one of the same side where moves before it are left out.
        builder.warn(wrong_number(), Remedy::NEXT_MOVE);
    } else if ply != next && !is_move && !is_known_ending {
        builder.node().comments.push(line.trim_matches(BLANKS).to_owned());
        return Ok(());
    } else if ply != next && !(is_known_ending && counted == next) {
        return Err(wrong_number());
    }
    let rest = match parsed {
        Parsed::Move(mv, piece_type, rest) => {
            builder.push_move(mv, Some(piece_type), number)?;
            rest
        }
        Parsed::Other => {
            let word = word(text);
            if ending.is_none() && !word.starts_with(char::is_alphabetic) {
                return Err(error(Phrase::new(
                    "a move such as ７六歩(77), or how the game ended",
                    "７六歩(77)のような指し手か終局の言葉",
                )));
            }
            let (ending, source) = ending.unwrap_or((Ending::Other(word.to_owned()), WinnerSource::SideToMove));
            builder.push_end(ending, source, number)?;
            text.strip_prefix(word).unwrap_or_default()
        }
        Parsed::Bad => {
            return Err(error(Phrase::new(
                "a move such as ７六歩(77) or ５五角打",
                "７六歩(77)や５五角打のような指し手",
            )));
        }
    };
    if !builder.is_lost() {
        let (time, remark) = read_time(rest);
        builder.node().time = time;
        builder.node().comments.extend(remark);
    }
    Ok(())
}

/// The word or words of an end, up to its time and the mark of a variation.
fn word(text: &str) -> &str {
    let end = text.find(['(', '（', '\t']).unwrap_or(text.len());
    text[..end].trim_end_matches(|c| BLANKS.contains(&c) || c == '+')
}

/// Whether a word behind a move's number is read as an end of its own, also by programs that know no signs in one.
pub(super) fn is_own_ending(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().all(char::is_alphanumeric)
        && matches!(read_move(text, None), Parsed::Other)
        && Ending::from_word(text, Color::Black).is_none()
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

/// Reads a move; `last` is the square that the move before it went to.
fn read_move(text: &str, last: Option<Square>) -> Parsed<'_> {
    let Some((to, rest)) = read_square(text, last) else {
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

/// Takes `(77)` off what follows a move.
fn read_origin(text: &str) -> Option<(Square, &str)> {
    let inner = text.trim_start_matches([' ', '\u{3000}']).strip_prefix(['(', '（'])?;
    let mut chars = inner.chars();
    let square = kanji::square(chars.next()?, chars.next()?)?;
    Some((square, chars.as_str().strip_prefix([')', '）'])?))
}

/// The time of `( 0:16/00:00:16)`, and what is said behind it. Other parentheses are none: `５五角打(00) ( 0:07/…)`.
fn read_time(text: &str) -> (Option<Duration>, Option<String>) {
    let mut rest = text;
    let mut time = None;
    let mut remark = String::new();
    while let Some((before, after)) = rest.split_once(['(', '（']) {
        remark.push_str(before);
        let Some((inner, behind)) = after.split_once([')', '）']) else {
            rest = &rest[before.len()..];
            break;
        };
        match parse_time(inner) {
            Some(found) if time.is_none() => time = Some(found),
            // The same time twice, or the origin of a drop.
            again if again.is_some() && again == time => {}
            _ if inner.chars().all(|c| c == '0' || c == '０') => {}
            _ => remark.push_str(&rest[before.len()..rest.len() - behind.len()]),
        }
        rest = behind;
    }
    remark.push_str(rest);
    let remark = remark.trim_matches(|c| BLANKS.contains(&c) || c == '+');
    (time, (!remark.is_empty()).then(|| remark.to_owned()))
}

/// Reads `0:16/00:00:16`, or either part of it.
fn parse_time(text: &str) -> Option<Duration> {
    if !text.contains(['/', ':', '：', '／']) {
        return None;
    }
    let spent = text.split(['/', '／']).next()?.trim_matches(BLANKS);
    let mut seconds = 0.0;
    for part in spent.split([':', '：']) {
        let value: f64 = part.trim_matches(BLANKS).parse().ok().filter(|value: &f64| (0.0..1e9).contains(value))?;
        seconds = seconds * 60.0 + value;
    }
    time(seconds)
}

/// Writes a record as it stands.
pub(super) fn write(record: &GameRecord, encoding: TextEncoding) -> String {
    let encoding = match encoding {
        TextEncoding::Utf8 => "UTF-8",
        TextEncoding::ShiftJis => "Shift_JIS",
    };
    let mut text = format!("#KIF version=2.0 encoding={encoding}\n");
    text.push_str(&write_header(record));
    text.push_str("手数----指手---------消費時間--\n");
    text.push_str(&remarks(record.node(NodeId::ROOT)));
    let totals = record.total_times();
    let last = record.main_line().last();
    let mut result = None;
    record.visit(|id, node, board| {
        if record.is_variation(id) {
            text.extend(result.take());
            let _ = writeln!(text, "\n変化：{}手", node.ply());
        }
        let _ = write!(text, "{:4} {}", node.ply(), entry(record, node, board));
        if let Some(time) = node.time {
            let (spent, total) = (time.as_secs(), totals[id.index()].as_secs());
            let _ = write!(text, " ({:2}:{:02}/", spent / 60, spent % 60);
            let _ = write!(text, "{:02}:{:02}:{:02})", total / 3600, total / 60 % 60, total % 60);
        }
        // Programs take the mark for a part of the word of an end.
        let has_mark = record.siblings(id).last() != Some(&id) && (node.played().is_some() || node.time.is_some());
        text.push_str(if has_mark { "+\n" } else { "\n" });
        text.push_str(&remarks(node));
        if let Some(ending) = node.ending().filter(|ending| last == Some(id) && has_common_summary(ending)) {
            result = Some(summary(record, node, ending, board));
        }
    });
    text.extend(result);
    text
}

/// A move or an end, padded so that times stand below each other.
fn entry(record: &GameRecord, node: &Node, board: &Setup) -> String {
    let text = match &node.entry {
        Entry::Move(mv) => kif_move(board, *mv, node.named_piece, last_square(record, node)),
        Entry::End(ending) => ending.japanese().to_owned(),
        Entry::Start => String::new(),
    };
    let width: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let padding = if node.time.is_some() { 13_usize.saturating_sub(width) } else { 0 };
    text + &" ".repeat(padding)
}

/// Whether every program reads the line of the result of this ending. KIF has a word for the ending, so that the line
/// can be left out where Kifu for JS would refuse the record for it; KI2 has nothing but the line.
fn has_common_summary(ending: &Ending) -> bool {
    use Ending::*;
    !matches!(ending, Adjourn | Declaration | Draw | MaxMoves | Try | DefaultWin | DefaultLoss | Other(_))
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
        let _ = writeln!(text, "手合割：{}", handicap.name());
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
