//! Keys of parts of the board.

use kurosabi::position::Position;
use kurosabi::types::Color;

use crate::squares::position;

fn board(board: &str) -> Position {
    position(&format!("{board} b - 1"))
}

#[test]
fn each_key_has_its_own_pieces() {
    let start = board("4k4/4r4/9/4p4/9/4P4/4s4/4R4/4K4");
    let pawn_moved = board("4k4/4r4/9/4p4/4P4/9/4s4/4R4/4K4");
    let silver_moved = board("4k4/4r4/9/4p4/9/4Ps3/9/4R4/4K4");
    let rook_moved = board("4k4/4r4/9/4p4/9/4P4/4s4/3R5/4K4");
    let white_rook_moved = board("4k4/3r5/9/4p4/9/4P4/4s4/4R4/4K4");
    let keys = |position: &Position| {
        let [black, white] = Color::ALL.map(|color| position.non_pawn_key(color));
        [position.pawn_key(), position.minor_key(), black, white]
    };
    let same = |other: &Position| -> [bool; 4] { std::array::from_fn(|part| keys(&start)[part] == keys(other)[part]) };
    assert_eq!(same(&pawn_moved), [false, true, true, true]);
    assert_eq!(same(&silver_moved), [true, false, true, false]);
    assert_eq!(same(&rook_moved), [true, true, false, true]);
    assert_eq!(same(&white_rook_moved), [true, true, true, false]);
}

#[test]
fn promoted_pawns_are_no_pawns() {
    let pawn = board("4k4/9/4P4/9/9/9/9/9/4K4");
    let tokin = board("4k4/9/4+P4/9/9/9/9/9/4K4");
    assert_ne!(pawn.pawn_key(), tokin.pawn_key());
    assert_ne!(pawn.minor_key(), tokin.minor_key());
    assert_eq!(tokin.pawn_key(), board("4k4/9/9/9/9/9/9/9/4K4").pawn_key());
}
