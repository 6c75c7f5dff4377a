//! KIF and KI2.

use std::fmt::Write as _;

use super::{TextEncoding, WriteOptions, bod, has_common_name, total_times};
use crate::position::Setup;
use crate::records::ending::Ending;
use crate::records::notation::{Notation, candidates, mark, write_with_origin};
use crate::records::record::{Entry, GameRecord, Node, NodeId};
use crate::types::{Color, Move, PieceType, Square};

pub(super) fn write_kif(record: &GameRecord, options: &WriteOptions) -> String {
    let encoding = match options.encoding {
        TextEncoding::Utf8 => "UTF-8",
        TextEncoding::ShiftJis => "Shift_JIS",
    };
    let mut text = format!("#KIF version=2.0 encoding={encoding}\n");
    text.push_str(&header(record));
    text.push_str("手数----指手---------消費時間--\n");
    text.push_str(&remarks(record.node(NodeId::ROOT)));
    let totals = total_times(record);
    let mut result = None;
    record.visit(|id, node, board| {
        if is_variation(record, id) {
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
        let has_mark = has_later_sibling(record, id) && (node.played().is_some() || node.time.is_some());
        text.push_str(if has_mark { "+\n" } else { "\n" });
        text.push_str(&remarks(node));
        let is_last = node.children().is_empty() && is_on_main_line(record, id);
        if let Some(ending) = node.ending().filter(|ending| is_last && has_common_summary(ending)) {
            result = Some(summary(record, node, ending, board));
        }
    });
    text.extend(result);
    text
}

pub(super) fn write_ki2(record: &GameRecord) -> String {
    let mut text = header(record);
    text.push_str(&remarks(record.node(NodeId::ROOT)));
    // Moves on the present line of text.
    let mut moves = 0;
    record.visit(|id, node, board| {
        if is_variation(record, id) {
            end_line(&mut text, &mut moves);
            let _ = writeln!(text, "\n変化：{}手", node.ply());
        }
        match &node.entry {
            Entry::Move(mv) => {
                // Kifu for JS takes 同 at the beginning of a variation for a square of the line before it.
                let last = last_square(record, node).filter(|_| !is_variation(record, id));
                let word = ki2_move(board, *mv, node.named_piece, last);
                let _ = write!(text, "{}{word}", if moves > 0 { " " } else { "" });
                moves += 1;
                if moves == 6 {
                    end_line(&mut text, &mut moves);
                }
            }
            Entry::End(ending) => {
                end_line(&mut text, &mut moves);
                text.push_str(&summary(record, node, ending, board));
            }
            Entry::Start => {}
        }
        let remarks = remarks(node);
        if !remarks.is_empty() {
            end_line(&mut text, &mut moves);
            text.push_str(&remarks);
        }
    });
    end_line(&mut text, &mut moves);
    text
}

fn end_line(text: &mut String, moves: &mut u32) {
    if std::mem::take(moves) > 0 {
        text.push('\n');
    }
}

fn is_variation(record: &GameRecord, id: NodeId) -> bool {
    let parent = record.node(id).parent().unwrap_or(NodeId::ROOT);
    record.node(parent).children().first() != Some(&id)
}

fn has_later_sibling(record: &GameRecord, id: NodeId) -> bool {
    let parent = record.node(id).parent().unwrap_or(NodeId::ROOT);
    record.node(parent).children().last() != Some(&id)
}

fn is_on_main_line(record: &GameRecord, id: NodeId) -> bool {
    let mut at = id;
    while let Some(parent) = record.node(at).parent() {
        if record.node(parent).children().first() != Some(&at) {
            return false;
        }
        at = parent;
    }
    true
}

/// The square that the move before a node's went to.
fn last_square(record: &GameRecord, node: &Node) -> Option<Square> {
    record.node(node.parent()?).played().map(Move::to)
}

fn header(record: &GameRecord) -> String {
    let mut text = String::new();
    let board = record.start_board();
    match record.handicap() {
        Some(handicap) => {
            let _ = writeln!(text, "手合割：{handicap}");
            // Not every program knows the other names.
            if !has_common_name(&handicap) {
                text.push_str(&bod::write(board));
            }
        }
        None => text.push_str(&bod::write(board)),
    }
    record.metadata.iter().for_each(|(name, value)| _ = writeln!(text, "{name}：{value}"));
    text
}

fn remarks(node: &Node) -> String {
    let lines = node.comments.iter().map(|line| format!("*{line}\n"));
    lines.chain(node.bookmark.iter().map(|bookmark| format!("&{bookmark}\n"))).collect()
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

/// A move as KIF has it. One from an empty square is written as a pawn's, which reads back as illegal.
fn kif_move(board: &Setup, mv: Move, named: Option<PieceType>, last: Option<Square>) -> String {
    let piece_type = named.or(board.moved_type(mv)).unwrap_or(PieceType::Pawn);
    write_with_origin(Some(piece_type), mv, last)
}

/// A move as KI2 has it. One that its words cannot tell, being illegal, gets its origin behind it.
fn ki2_move(board: &Setup, mv: Move, named: Option<PieceType>, last: Option<Square>) -> String {
    let moved = board.moved_type(mv);
    let can_move = moved.is_some_and(|piece_type| match mv.from() {
        Some(from) => candidates(board, piece_type, mv.to()).contains(&from),
        None => true,
    });
    if named.is_none() && can_move {
        return Notation::Japanese.write(board, mv, last);
    }
    let mark = mark(board.side_to_move());
    format!("{mark}{}", kif_move(board, mv, named, last).replace('　', ""))
}

/// Whether every program reads the line of the result of this ending. KIF tells an ending by its word, so that the line
/// can be left out where Kifu for JS would refuse the record for it; KI2 has nothing but the line.
fn has_common_summary(ending: &Ending) -> bool {
    use Ending::*;
    !matches!(ending, Declaration | Draw | MaxMoves | Try | DefaultWin | DefaultLoss | Other(_))
}

/// The line that tells the result, such as `まで122手で後手の勝ち`.
fn summary(record: &GameRecord, node: &Node, ending: &Ending, board: &Setup) -> String {
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
