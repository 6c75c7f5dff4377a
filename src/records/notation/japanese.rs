//! Japanese notation. Which word tells two pieces apart follows the Japan Shogi Association's page on
//! notation (<https://www.shogi.or.jp/faq/kihuhyouki.html>).

use std::cmp::Ordering;

use crate::bitboard::{Bitboard, attacks};
use crate::position::Setup;
use crate::records::kanji;
use crate::types::{Color, Move, MoveKind, Piece, PieceType, Square};

/// The square and piece, then the words that tell which piece and whether it promotes: `７六歩`, `同　銀左不成`.
/// A blank stands between 同 and a piece of one character.
pub(super) fn write(board: &Setup, mv: Move, last: Option<Square>) -> String {
    let color = board.side_to_move();
    let Some(piece_type) = board.moved_type(mv) else { return write_with_origin(None, mv, last) };
    let piece = kanji::piece(piece_type);
    let mut text = match last == Some(mv.to()) {
        true if piece.chars().count() == 1 => "同　".to_owned(),
        true => "同".to_owned(),
        false => square(mv.to()),
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

/// 打, 左, 右, 直, 上, 寄, 引 or two of them; nothing where the square and the piece tell the move.
pub(in crate::records) fn distinction_words(board: &Setup, mv: Move) -> String {
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
    let place = if last == Some(mv.to()) { "同　".to_owned() } else { square(mv.to()) };
    let piece = piece_type.map_or("", kanji::piece);
    match mv.kind() {
        MoveKind::Drop { .. } => format!("{place}{piece}打"),
        MoveKind::Board { from, promote, .. } => {
            let promoted = if promote { "成" } else { "" };
            format!("{place}{piece}{promoted}({}{})", from.file().index() + 1, from.rank().index() + 1)
        }
    }
}

/// A square as in `７六`.
pub(crate) fn square(square: Square) -> String {
    [kanji::file(square.file()), kanji::rank(square.rank())].iter().collect()
}

/// Where pieces of the side to move of this type stand that reach a square, whatever check and pins say.
pub(in crate::records) fn candidates(board: &Setup, piece_type: PieceType, to: Square) -> Vec<Square> {
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
pub(in crate::records) fn relative_place(color: Color, from: Square, to: Square) -> (Ordering, Ordering) {
    let (from, to) = (from.relative(color), to.relative(color));
    (to.rank().cmp(&from.rank()), to.file().cmp(&from.file()))
}

/// The words that tell a piece from the others that could go to the same square; `all` holds its origin as well.
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
