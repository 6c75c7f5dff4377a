//! Moves as people write them.

use std::cmp::Ordering;

use super::kanji;
pub(crate) use super::kanji::piece as piece_in_japanese;
use crate::bitboard::{Bitboard, attacks};
use crate::position::Setup;
use crate::types::{Color, Move, MoveKind, Piece, PieceType, Square};

/// A way of writing a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Notation {
    /// 7g7f, 8h2b+, P*5e
    #[default]
    Usi,
    /// ▲７六歩, △同　銀不成 (as in KI2), by the Japan Shogi Association's rules
    #[cfg_attr(feature = "cli", value(alias = "ki2"))]
    Japanese,
    /// P-7f, Bx2b+, S-2c=, P*5e
    Western,
    /// P-76, Bx22+, S-23=, P*55
    Numeric,
    /// ７六歩(77), as in KIF, without number and time
    Kif,
}

impl Notation {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        ["usi", "japanese", "western", "numeric", "kif"][self as usize]
    }

    /// Writes a move. `board` is the board before it; `last` is the square the move before went to, which 同 refers
    /// to. The move may be illegal; of one from an empty square, no piece is named: `△５四(55)`, `5e-5d`.
    pub fn write(self, board: &Setup, mv: Move, last: Option<Square>) -> String {
        match self {
            Notation::Usi => mv.to_string(),
            Notation::Japanese => format!("{}{}", mark(board.side_to_move()), write_japanese(board, mv, last)),
            Notation::Kif => write_with_origin(board.moved_type(mv), mv, last),
            Notation::Western => write_western(board, mv, |square| square.to_string()),
            Notation::Numeric => write_western(board, mv, kanji::digits),
        }
    }

    /// Writes a line of moves, such as a PV, from the board before its first move. The moves are separated by
    /// blanks where the notation has no marks.
    pub fn write_line(self, board: &Setup, moves: &[Move], last: Option<Square>) -> String {
        let words = written(board, moves, last, |board, mv, last| self.write(board, mv, last));
        words.join(if self == Notation::Japanese { "" } else { " " })
    }
}

/// Each move of a line, written by a function of the board before it and the square of the move before it.
pub(super) fn written(
    board: &Setup,
    moves: &[Move],
    mut last: Option<Square>,
    write: impl Fn(&Setup, Move, Option<Square>) -> String,
) -> Vec<String> {
    let mut board = board.clone();
    let words = moves.iter().map(|&mv| {
        let word = write(&board, mv, last);
        board.do_move(mv);
        last = Some(mv.to());
        word
    });
    words.collect()
}

/// The triangle before a move. Shift_JIS holds these two, but not ☗ and ☖.
pub(super) fn mark(color: Color) -> char {
    match color {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// The square and piece, then the words that say which piece moves and whether it promotes: `７六歩`, `同　銀左不成`.
/// A blank stands between 同 and a piece of one character.
fn write_japanese(board: &Setup, mv: Move, last: Option<Square>) -> String {
    let color = board.side_to_move();
    let Some(piece_type) = board.moved_type(mv) else { return write_with_origin(None, mv, last) };
    let piece = kanji::piece(piece_type);
    let mut text = match last == Some(mv.to()) {
        true if piece.chars().count() == 1 => "同　".to_owned(),
        true => "同".to_owned(),
        false => square_in_japanese(mv.to()),
    };
    text.push_str(piece);
    text.push_str(&distinction_words(board, mv));
    match mv.kind() {
        MoveKind::Drop { .. } => {}
        MoveKind::Board { from, to, promote } => {
            let could = piece_type.can_promote() && (from.in_promotion_zone(color) || to.in_promotion_zone(color));
            text.push_str(match (promote, could) {
                (true, _) => "成",
                (false, true) => "不成",
                (false, false) => "",
            });
        }
    }
    text
}

/// 打, 左, 右, 直, 上, 寄, 引 or two of them; nothing where the square and the piece suffice.
pub(super) fn distinction_words(board: &Setup, mv: Move) -> String {
    let Some(piece_type) = board.moved_type(mv) else { return String::new() };
    let all = candidates(board, piece_type, mv.to());
    match mv.kind() {
        MoveKind::Drop { .. } if all.is_empty() => String::new(),
        MoveKind::Drop { .. } => "打".to_owned(),
        MoveKind::Board { from, to, .. } => distinction(piece_type, board.side_to_move(), from, to, &all),
    }
}

/// The square and piece with the origin instead of words: `７六歩(77)`, `５五角打`.
pub(super) fn write_with_origin(piece_type: Option<PieceType>, mv: Move, last: Option<Square>) -> String {
    let place = if last == Some(mv.to()) { "同　".to_owned() } else { square_in_japanese(mv.to()) };
    let piece = piece_type.map_or("", kanji::piece);
    match mv.kind() {
        MoveKind::Drop { .. } => format!("{place}{piece}打"),
        MoveKind::Board { from, promote, .. } => {
            let promoted = if promote { "成" } else { "" };
            format!("{place}{piece}{promoted}({})", kanji::digits(from))
        }
    }
}

/// A square as in `７六`.
pub(crate) fn square_in_japanese(square: Square) -> String {
    [kanji::file(square.file()), kanji::rank(square.rank())].iter().collect()
}

/// Where pieces of the side to move of this type stand that reach a square, checks and pins disregarded.
pub(super) fn candidates(board: &Setup, piece_type: PieceType, to: Square) -> Vec<Square> {
    let piece = Piece::new(board.side_to_move(), piece_type);
    let mut occupied = Bitboard::EMPTY;
    Square::all()
        .filter(|&square| board.piece_on(square).is_some())
        .for_each(|square| occupied |= Bitboard::from_square(square));
    let standing = Square::all().filter(|&from| board.piece_on(from) == Some(piece));
    standing.filter(|&from| attacks(piece, from, occupied).contains(to)).collect()
}

/// Where an origin lies as seen from the destination by the player: whether the piece goes forward (上, `Less`),
/// sideways (寄) or back (引, `Greater`), and whether it comes from the left (`Less`), the same file or the right.
pub(super) fn relative_place(color: Color, from: Square, to: Square) -> (Ordering, Ordering) {
    let (from, to) = (from.relative(color), to.relative(color));
    (to.rank().cmp(&from.rank()), to.file().cmp(&from.file()))
}

/// The words that distinguish a piece from the others that could go to the same square; `all` holds its origin as well.
fn distinction(piece_type: PieceType, color: Color, from: Square, to: Square, all: &[Square]) -> String {
    use PieceType::{Bishop, Dragon, Horse, Rook};
    let others: Vec<Square> = all.iter().copied().filter(|&other| other != from).collect();
    if others.is_empty() {
        return String::new();
    }
    let (motion, side) = relative_place(color, from, to);
    let word = match motion {
        Ordering::Less => "上",
        Ordering::Equal => "寄",
        Ordering::Greater => "引",
    };
    if others.iter().all(|&other| relative_place(color, other, to).0 != motion) {
        return word.to_owned();
    }
    if matches!(piece_type, Bishop | Rook | Horse | Dragon) {
        // There are only two of them: one is left of the other, wherever they go.
        let file = |square: Square| square.relative(color).file();
        return if others.iter().all(|&other| file(other) < file(from)) { "左" } else { "右" }.to_owned();
    }
    if side == Ordering::Equal && motion == Ordering::Less {
        return "直".to_owned();
    }
    let side_word = if side == Ordering::Less { "左" } else { "右" };
    match others.iter().any(|&other| relative_place(color, other, to).1 == side) {
        true => format!("{side_word}{word}"),
        false => side_word.to_owned(),
    }
}

/// Writes a move, its squares as `name` gives them. The origin is named where another piece of the same type could go
/// there too or none stands there, and `=` stands for a promotion declined.
fn write_western(board: &Setup, mv: Move, name: impl Fn(Square) -> String) -> String {
    let color = board.side_to_move();
    let piece_type = board.moved_type(mv);
    let piece = piece_type.map_or(String::new(), |piece_type| {
        let plus = if piece_type.is_promoted() { "+" } else { "" };
        format!("{plus}{}", piece_type.letter())
    });
    let to = name(mv.to());
    match mv.kind() {
        MoveKind::Drop { .. } => format!("{piece}*{to}"),
        MoveKind::Board { from, promote, .. } => {
            let is_clear = piece_type.is_some_and(|piece_type| candidates(board, piece_type, mv.to()).len() < 2);
            let origin = if is_clear { String::new() } else { name(from) };
            let captures = if board.piece_on(mv.to()).is_some() { 'x' } else { '-' };
            let in_zone = from.in_promotion_zone(color) || mv.to().in_promotion_zone(color);
            let promotion = match promote {
                true => "+",
                false if piece_type.is_some_and(PieceType::can_promote) && in_zone => "=",
                false => "",
            };
            format!("{piece}{origin}{captures}{to}{promotion}")
        }
    }
}
