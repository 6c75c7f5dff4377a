//! Keys of parts of the board.

use kurosabi::position::StructureKeys;
use kurosabi::types::Color;

use super::squares::position;

fn keys(board: &str) -> StructureKeys {
    *position(&format!("{board} b - 1")).structure()
}

#[test]
fn each_part_has_its_own_men() {
    let start = keys("4k4/9/9/4p4/9/4P4/4s4/4R4/4K4");
    let pawn_moved = keys("4k4/9/9/4p4/4P4/9/4s4/4R4/4K4");
    let silver_moved = keys("4k4/9/9/4p4/9/4Ps3/9/4R4/4K4");
    let rook_moved = keys("4k4/9/9/4p4/9/4P4/4s4/3R5/4K4");
    let parts =
        |keys: StructureKeys| [keys.pawns(), keys.minors(), keys.others(Color::Black), keys.others(Color::White)];
    let same = |other| std::array::from_fn(|part| parts(start)[part] == parts(other)[part]);
    assert_eq!(same(pawn_moved), [false, true, true, true]);
    assert_eq!(same(silver_moved), [true, false, true, false]);
    assert_eq!(same(rook_moved), [true, true, false, true]);
}

#[test]
fn promoted_pawns_are_no_pawns() {
    let pawn = keys("4k4/9/4P4/9/9/9/9/9/4K4");
    let tokin = keys("4k4/9/4+P4/9/9/9/9/9/4K4");
    assert_ne!(pawn.pawns(), tokin.pawns());
    assert_ne!(pawn.minors(), tokin.minors());
    assert_eq!(tokin.pawns(), keys("4k4/9/9/9/9/9/9/9/4K4").pawns());
}
