//! KI2: moves as people write them, distinguished by 左, 右, 上, 直, 寄, 引 and 打.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::builder::Builder;
use super::kanji::{self, BLANKS, MARKS, read_square};
use super::kif::{kif_move, last_square, remarks, summary, write_header};
use super::notation::{Notation, candidates, mark, relative_place};
use super::record::{Entry, GameRecord, NodeId};
use super::{Format, ReadError};
use crate::position::Setup;
use crate::types::{Color, Move, Phrase, PieceType, Square};

/// Whether a line is one of moves, which begins with a triangle.
pub(super) fn is_moves(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\u{3000}', '\t']);
    line.strip_prefix(MARKS).is_some_and(|rest| {
        let mut chars = rest.trim_start().chars();
        let square = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
        square.0 == '同' || kanji::square(square.0, square.1).is_some()
    })
}

/// Whether a line behind the header is one of moves. A damaged move still has a digit of its square and a piece.
pub(super) fn is_line(line: &str) -> bool {
    let is_damaged_move = |rest: &str| {
        let has_digit = rest.chars().take(2).any(|c| kanji::digit(c).is_some());
        has_digit && rest.chars().take(4).any(|c| kanji::strip_piece(c.encode_utf8(&mut [0; 4])).is_some())
    };
    is_moves(line) || line.trim_start_matches(BLANKS).strip_prefix(MARKS).is_some_and(is_damaged_move)
}

/// Adds the moves of a line, each with its side's mark before it.
pub(super) fn read_line(builder: &mut Builder, line: &str, number: usize) -> Result<(), ReadError> {
    for text in line.split(MARKS).map(|text| text.trim_matches(BLANKS)).skip(1) {
        let error = |expected| ReadError::syntax(number, Format::Ki2, expected, text);
        let written = Written::read(text, builder.last_square())
            .ok_or_else(|| error(Phrase::new("a move such as ７六歩", "７六歩のような指し手")))?;
        let mv = written
            .resolve(builder)
            .ok_or_else(|| error(Phrase::new("a move that one piece can make", "一つの駒だけが指せる手")))?;
        builder.push_move(mv, Some(written.piece_type), number)?;
        if builder.is_lost() {
            break;
        }
    }
    Ok(())
}

/// A move as written.
struct Written<'a> {
    to: Square,
    piece_type: PieceType,
    /// 左, 右, 上, 直, 寄, 引, 行, 入, 打.
    words: &'a str,
    promote: bool,
    /// The origin, which we write for illegal moves that words cannot express.
    origin: Option<Square>,
}

impl<'a> Written<'a> {
    fn read(text: &'a str, last: Option<Square>) -> Option<Written<'a>> {
        let (to, rest) = read_square(text, last)?;
        let (piece_type, rest) = kanji::strip_piece(rest)?;
        let end = rest.find(|c| !"左右上直寄引行入打".contains(c)).unwrap_or(rest.len());
        let (promotion, origin) = match rest[end..].split_once('(') {
            Some((promotion, digits)) => {
                let mut digits = digits.strip_suffix(')')?.chars();
                (promotion, Some(kanji::square(digits.next()?, digits.next()?)?))
            }
            None => (&rest[end..], None),
        };
        let promote = match promotion.trim() {
            "" | "不成" | "生" => false,
            "成" => true,
            _ => return None,
        };
        Some(Written { to, piece_type, words: &rest[..end], promote, origin })
    }

    /// The move that is meant.
    fn resolve(&self, builder: &mut Builder) -> Option<Move> {
        let board = builder.board();
        let color = board.side_to_move();
        let drop = || PieceType::HAND.contains(&self.piece_type).then(|| Move::drop(self.piece_type, self.to));
        if self.words.contains('打') {
            let is_king = self.piece_type == PieceType::King;
            return (!is_king).then(|| Move::drop(self.piece_type.unpromoted(), self.to));
        }
        if let Some(from) = self.origin {
            return (from != self.to).then(|| Move::board(from, self.to, self.promote));
        }
        let all = candidates(board, self.piece_type, self.to);
        let moves = |from: &Square| Move::board(*from, self.to, self.promote);
        let meant: Vec<Move> = all.iter().filter(|&&from| self.fits(color, from, &all)).map(moves).collect();
        match meant[..] {
            [] if all.is_empty() && board.piece_on(self.to).is_none() => drop(),
            [] => None,
            [mv] => Some(mv),
            // A pinned piece need not be distinguished from the others.
            _ => {
                let position = builder.position()?;
                let mut legal = meant.into_iter().filter(|&mv| position.is_legal(mv));
                legal.next().filter(|_| legal.next().is_none())
            }
        }
    }

    /// Whether the words fit a piece on this square.
    fn fits(&self, color: Color, from: Square, all: &[Square]) -> bool {
        use PieceType::{Bishop, Dragon, Horse, Rook};
        let (motion, side) = relative_place(color, from, self.to);
        // Of two large pieces, one is left or right of the other, not of the destination.
        let large = matches!(self.piece_type, Bishop | Rook | Horse | Dragon);
        let file = |square: Square| square.relative(color).file();
        let is_left = if large { all.iter().all(|&other| file(other) <= file(from)) } else { side == Ordering::Less };
        let is_right =
            if large { all.iter().all(|&other| file(other) >= file(from)) } else { side == Ordering::Greater };
        self.words.chars().all(|word| match word {
            '左' => is_left,
            '右' => is_right,
            '直' => side == Ordering::Equal && motion == Ordering::Less,
            '上' | '行' | '入' => motion == Ordering::Less,
            '寄' => motion == Ordering::Equal,
            '引' => motion == Ordering::Greater,
            _ => true,
        })
    }
}

/// Writes a record as it stands.
pub(super) fn write(record: &GameRecord) -> String {
    let mut text = write_header(record);
    text.push_str(&remarks(record.node(NodeId::ROOT)));
    // Moves on the present line of text.
    let mut moves = 0;
    record.visit(|id, node, board| {
        if record.is_variation(id) {
            end_line(&mut text, &mut moves);
            let _ = writeln!(text, "\n変化：{}手", node.ply());
        }
        match &node.entry {
            Entry::Move(mv) => {
                // Kifu for JS takes 同 at the beginning of a variation for a square of the line before it.
                let last = last_square(record, node).filter(|_| !record.is_variation(id));
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

/// A move as KI2 has it. One that its words cannot express, being illegal, gets its origin behind it.
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
