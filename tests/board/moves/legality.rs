//! The rules of moves, as the rule texts say them, on positions where each decides.

use kurosabi::movegen::legal_moves;
use kurosabi::types::Move;

use crate::squares::{mv, position, turned, turned_move};

/// Asserts that the generator and the test of single moves agree on moves, for both colours.
#[track_caller]
fn check(sfen: &str, legal: &str, illegal: &str) {
    let position = position(sfen);
    let turned = turned(&position);
    for (text, expected) in [(legal, true), (illegal, false)] {
        for usi in text.split_whitespace() {
            for (position, mv) in [(&position, mv(usi)), (&turned, turned_move(mv(usi)))] {
                assert_eq!(position.is_legal(mv), expected, "{mv} by itself in {position:?}");
                assert_eq!(legal_moves(position).contains(&mv), expected, "{mv} in the list of {position:?}");
            }
        }
    }
}

/// The destinations of the piece on a square, in the order of squares.
fn destinations(sfen: &str, from: &str) -> String {
    let from = from.parse().unwrap();
    let moves = legal_moves(&position(sfen));
    let mut squares: Vec<_> = moves.iter().filter(|mv| mv.from() == Some(from)).map(|mv| mv.to()).collect();
    squares.sort();
    squares.dedup();
    squares.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn how_each_piece_moves() {
    for (piece, expected) in [
        ("P", "5d"),
        ("N", "4c 6c"),
        ("S", "4d 4f 5d 6d 6f"),
        ("G", "4d 4e 5d 5f 6d 6e"),
        ("+P", "4d 4e 5d 5f 6d 6e"),
        ("+L", "4d 4e 5d 5f 6d 6e"),
        ("+N", "4d 4e 5d 5f 6d 6e"),
        ("+S", "4d 4e 5d 5f 6d 6e"),
        ("L", "5a 5b 5c 5d"),
        ("B", "1a 1i 2b 2h 3c 3g 4d 4f 6d 6f 7c 7g 8b 8h 9a 9i"),
        ("R", "1e 2e 3e 4e 5a 5b 5c 5d 5f 5g 5h 5i 6e 7e 8e 9e"),
        ("+B", "1a 1i 2b 2h 3c 3g 4d 4e 4f 5d 5f 6d 6e 6f 7c 7g 8b 8h 9a 9i"),
        ("+R", "1e 2e 3e 4d 4e 4f 5a 5b 5c 5d 5f 5g 5h 5i 6d 6e 6f 7e 8e 9e"),
    ] {
        // One king, out of the way of every line.
        let sfen = format!("9/9/9/8k/4{piece}4/9/9/9/9 b - 1");
        assert_eq!(destinations(&sfen, "5e"), expected, "{piece}");
    }
    assert_eq!(destinations("9/9/9/8k/4K4/9/9/9/9 b - 1", "5e"), "4d 4e 4f 5d 5f 6d 6e 6f");
}

#[test]
fn only_the_knight_jumps_and_own_pieces_are_not_taken() {
    let crowd = |piece: &str| format!("4k4/9/9/3SSS3/3G{piece}G3/3+P+P+P3/9/9/4K4 b - 1");
    for piece in ["P", "L", "S", "G", "B", "R", "+P", "+L", "+N", "+S", "+B", "+R"] {
        assert_eq!(destinations(&crowd(piece), "5e"), "", "{piece}");
    }
    assert_eq!(destinations(&crowd("N"), "5e"), "4c 6c");
    // A slider takes the first enemy on its line and goes no farther.
    assert_eq!(destinations("4k4/9/9/2p6/9/9/2L6/9/4K4 b - 1", "7g"), "7d 7e 7f");
}

#[test]
fn promotion_is_offered_entering_inside_and_leaving_the_zone() {
    check("8k/9/4S4/9/9/9/9/9/K8 b - 1", "5c5b 5c5b+ 5c4d 5c4d+ 5c6d 5c6d+", "5c4c 5c5d");
    check("8k/9/9/4S4/9/9/9/9/K8 b - 1", "5d5c 5d5c+ 5d4e", "5d4e+");
    check("8k/9/9/9/4R4/9/9/9/K8 b - 1", "5e5c+ 5e5c 5e5d", "5e5d+ 5e9e+");
}

#[test]
fn pieces_that_could_not_move_again_must_promote() {
    check("8k/4P4/9/9/9/9/9/9/K8 b - 1", "5b5a+", "5b5a");
    check("8k/4L4/9/9/9/9/9/9/K8 b - 1", "5b5a+", "5b5a");
    check("8k/9/4N4/9/9/9/9/9/K8 b - 1", "5c4a+ 5c6a+", "5c4a 5c6a");
    check("8k/9/9/4N4/9/9/9/9/K8 b - 1", "5d4b+ 5d6b+", "5d4b 5d6b");
    // Elsewhere in the zone the choice stays, for pawn, lance, bishop and rook too.
    check("8k/9/9/4P4/9/9/9/9/K8 b - 1", "5d5c 5d5c+", "");
    check("8k/9/4P4/9/9/9/9/9/K8 b - 1", "5c5b 5c5b+", "");
    check("8k/9/9/4L4/9/9/9/9/K8 b - 1", "5d5c 5d5c+ 5d5b 5d5b+ 5d5a+", "5d5a");
    check("8k/9/9/9/4N4/9/9/9/K8 b - 1", "5e4c 5e4c+ 5e6c 5e6c+", "");
    check("8k/9/4B4/9/9/9/9/9/K8 b - 1", "5c7a 5c7a+ 5c8f 5c8f+", "");
    check("8k/9/4R4/9/9/9/9/9/K8 b - 1", "5c5a 5c5a+ 5c5i 5c5i+", "");
}

#[test]
fn gold_king_and_promoted_pieces_do_not_promote() {
    check(
        "7k1/9/3+P1+N3/2G1K1+R2/4+B4/9/9/9/9 b - 1",
        "6c6b 4c4b 7d7c 5d5c 3d3c 5e8b",
        "6c6b+ 4c4b+ 7d7c+ 5d5c+ 3d3c+ 5e8b+",
    );
}

#[test]
fn drops_go_to_empty_squares_where_the_piece_can_move() {
    let open = "8k/9/9/9/4p4/9/9/9/K8 b RBGSNLP 1";
    check(open, "P*5b L*5b N*5c G*5a S*5a B*5a R*5a P*5i R*5i", "P*5a L*5a N*5a N*5b P*5e R*5e G*9i G*1a");
    // A piece that only other pieces block may be dropped.
    check("8k/9/3GGG3/9/9/9/9/9/K8 b LNP 1", "L*5d P*5d N*5e", "L*5c");
    // What is not in hand cannot be dropped; the opponent's hand is not one's own.
    check("8k/9/9/9/9/9/9/9/K8 b Pg 1", "P*5e", "G*5e S*5e");
}

#[test]
fn nifu() {
    check("8k/9/9/9/9/9/4P4/9/K8 b P 1", "P*4e P*6e", "P*5b P*5e P*5h");
    // A tokin is no pawn, and neither is the opponent's.
    check("8k/9/4+P4/9/3p5/9/9/9/K8 b P 1", "P*5e P*6d P*6f", "");
    check("8k/9/9/9/9/9/PPPPPPPPP/9/K8 b P 1", "9g9f", "P*1e P*2e P*3e P*4e P*5e P*6e P*7e P*8e P*9e");
    // Moving a pawn away from its file makes no room: it stays on its file.
    check("8k/9/9/9/9/9/P8/9/K8 b P 1", "P*8e", "P*9e P*9d");
}

#[test]
fn a_pawn_may_give_check_but_not_mate_by_a_drop() {
    // The bare pattern: lances beside the king, a gold that covers the rest.
    check("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", "P*5g", "P*5b");
    // The king can take the pawn.
    check("3lkl3/9/9/9/9/9/9/9/4K4 b P 1", "P*5b", "");
    // The king can step aside.
    check("3lk4/9/4G4/9/9/9/9/9/4K4 b P 1", "P*5b", "");
    // Another piece can take it: a gold beside the pawn does, a silver does not.
    check("3lkls2/5s3/4G4/9/9/9/9/9/4K4 b P 1", "", "P*5b");
    check("3lklg2/5g3/4G4/9/9/9/9/9/4K4 b P 1", "P*5b", "");
    // Any other piece may mate by a drop, and a pawn may mate by moving.
    check("3lkl3/9/4G4/9/9/9/9/9/4K4 b GP 1", "G*5b", "P*5b");
    check("3lkl3/9/3GPG3/9/9/9/9/9/4K4 b - 1", "5c5b 5c5b+", "");
}

#[test]
fn a_pinned_piece_takes_the_dropped_pawn_only_along_its_line() {
    // The gold on 4b is pinned by the bishop on 2d.
    check("3lkl3/5g3/2G6/3N3B1/9/9/9/9/4K4 b P 1", "", "P*5b");
    // Without the bishop it takes.
    check("3lkl3/5g3/2G6/3N5/9/9/9/9/4K4 b P 1", "P*5b", "");
    // The rook on 5c is pinned by the lance behind it, on the pawn's own file: it takes.
    check("3lkl3/9/2G1r1G2/3N5/4L4/9/9/9/4K4 b P 1", "P*5b", "");
    // The checking bishop on 4a is pinned by the rook: the interposed pawn would mate.
    check("3lkb2R/9/2G3G2/3N5/1K7/9/9/9/9 b P 1", "6d5b+", "P*5b");
    // The gold on 6a is pinned by the rook, and the pawn on the dropped pawn's file, by the lance, does not take there.
    check("R2gkn3/9/3PpG3/9/9/9/9/9/4L3K b P 1", "", "P*5b");
    // The checking rook on 1b is free and takes it.
    check("3lkl3/K7r/2G3G2/3N5/9/9/9/9/9 b P 1", "P*5b", "");
}

#[test]
fn the_dropped_pawn_may_open_an_escape_behind_it() {
    // The pawn cuts the rook's line to 4b.
    check("3lkl3/R8/9/5N3/9/9/9/9/4K4 b P 1", "P*5b", "");
    check("3lkl3/R8/6G2/5N3/9/9/9/9/4K4 b P 1", "", "P*5b");
}

#[test]
fn a_check_must_be_answered() {
    // By taking, stepping between, dropping between or going away.
    let checked = "4k4/9/9/9/4r4/9/9/4K4/9 b GP 1";
    check(checked, "P*5f P*5g G*5f G*5g 5h4h 5h6h 5h4i", "5h5g 5h5i P*4e G*5d G*9i");
    check("4k4/9/9/2B6/4r4/9/9/3SK4/9 b - 1", "6h5g 7d5f", "7d6e 7d5f+ 6h6g");
    check("4k4/9/9/9/3Br4/9/9/4K4/9 b - 1", "6e5f", "6e5d 6e9i");
    // A double check only by the king.
    let double = "3gkg3/9/3N5/9/9/9/9/4R4/4K4 w rb2p 1";
    assert_eq!(legal_moves(&position(double)).to_vec().len(), 2);
    check(double, "5a4b 5a6b", "P*5e R*5c 6a6b 5a5b");
}

#[test]
fn the_king_does_not_walk_into_check() {
    check("9/9/4k4/9/4K4/9/9/9/9 b - 1", "5e5f 5e4e", "5e5d 5e4d 5e6d");
    check("8k/9/9/9/r8/4K4/9/9/9 b - 1", "5f5g 5f4f", "5f5e 5f4e 5f6e");
    // Nor along the line of the piece that checks it, nor onto a defended piece.
    check("4k4/4l4/9/9/4K4/9/9/9/9 b - 1", "5e4e", "5e5f 5e5d");
    check("4k4/9/9/3gp4/4K4/9/9/9/9 b - 1", "5e6d 5e4d 5e4e", "5e5d 5e6e");
}

#[test]
fn a_pinned_piece_stays_on_its_line() {
    check("4r3k/9/9/9/9/9/4G4/9/4K4 b - 1", "5g5f 5g5h", "5g4g 5g4f 5g6f");
    check("4r3k/9/9/9/9/9/4R4/9/4K4 b - 1", "5g5a+ 5g5h", "5g4g 5g9g");
    check("8b/8k/9/9/9/9/2B6/9/K8 b - 1", "7g1a+ 7g4d 7g8h", "7g8f 7g6h");
    check("8b/8k/9/9/9/9/2N6/9/K8 b - 1", "9i9h", "7g6e 7g8e");
    // Two pieces between: no pin.
    check("4r3k/9/9/4p4/9/9/4G4/9/4K4 b - 1", "5g4g", "");
}

#[test]
fn without_a_legal_move_the_list_is_empty_in_check_or_not() {
    let mated = position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert!(mated.in_check() && legal_moves(&mated).is_empty());
    let stuck = position("8k/6G2/7G1/9/9/9/9/9/4K4 w - 1");
    assert!(!stuck.in_check());
    assert_eq!(legal_moves(&stuck).to_vec(), Vec::<Move>::new());
}
