//! Static exchange evaluation against exchanges worked out by hand, and against a plain one.

use kurosabi::bitboard::{Bitboard, line_through};
use kurosabi::position::{Position, exchange_value};
use kurosabi::types::PieceType::{self, *};
use kurosabi::types::{Color, Move, Square};

use crate::games::visit_positions;
use crate::squares::{mv, position, turned, turned_move};

fn value(piece_type: PieceType) -> i32 {
    exchange_value(piece_type)
}

/// Asserts that the exchange is worth exactly `expected`, for both colours.
#[track_caller]
fn worth(sfen: &str, usi: &str, expected: i32) {
    let position = position(sfen);
    for (position, mv) in [(position.clone(), mv(usi)), (turned(&position), turned_move(mv(usi)))] {
        assert!(position.is_legal(mv), "{mv} in {position:?}");
        assert!(position.see_ge(mv, expected), "{mv} in {position:?} is worth {expected}");
        assert!(!position.see_ge(mv, expected + 1), "{mv} in {position:?} is worth no more than {expected}");
    }
}

#[test]
fn a_move_without_exchange_is_worth_nothing() {
    worth("8k/9/9/9/9/9/4P4/9/K8 b - 1", "5g5f", 0);
    worth("8k/9/9/9/9/9/9/9/K8 b G 1", "G*5e", 0);
}

#[test]
fn an_undefended_piece_is_won() {
    worth("8k/9/9/9/4s4/4P4/9/9/K8 b - 1", "5f5e", value(Silver));
    worth("8k/9/9/9/4+p4/4P4/9/9/K8 b - 1", "5f5e", value(ProPawn));
}

#[test]
fn a_defended_piece_costs_the_taker() {
    worth("8k/9/9/4g4/4s4/9/9/9/K3R4 b - 1", "5i5e", value(Silver) - value(Rook));
    worth("8k/9/9/4g4/4s4/4S4/9/9/K8 b - 1", "5f5e", 0);
}

#[test]
fn a_piece_put_where_it_is_taken_is_lost() {
    worth("8k/9/9/4g4/9/9/9/9/K8 b S 1", "S*5e", -value(Silver));
    // Defended: the gold that takes is taken back, so White leaves the silver alone.
    worth("8k/9/9/4g4/9/4P4/9/9/K8 b S 1", "S*5e", 0);
    // Pawn against silver: White takes and gives the pawn, winning a silver for a pawn.
    worth("8k/9/9/4p4/9/4P4/9/9/K8 b S 1", "S*5e", value(Pawn) - value(Silver));
}

#[test]
fn a_promotion_gains_the_difference() {
    let gain = value(ProPawn) - value(Pawn);
    worth("8k/9/9/4P4/9/9/9/9/K8 b - 1", "5d5c+", gain);
    worth("8k/9/4s4/4P4/9/9/9/9/K8 b - 1", "5d5c+", value(Silver) + gain);
    // Taken back, only the pawn is gone that began.
    worth("8k/4g4/4s4/4P4/9/9/9/9/K8 b - 1", "5d5c+", value(Silver) - value(Pawn));
}

#[test]
fn pieces_behind_the_first_join_in() {
    // The lance takes a pawn, the lance takes it, the rook takes that.
    worth("4l3k/9/9/9/4p4/9/4L4/4R4/K8 b - 1", "5g5e", value(Pawn) - value(Lance) + value(Lance));
    // With a rook behind White's lance Black would give a rook for a lance, and stops.
    worth("4r3k/4l4/9/9/4p4/9/4L4/4R4/K8 b - 1", "5g5e", value(Pawn) - value(Lance));
    // A horse behind a bishop.
    worth("8k/9/6s2/5p3/9/9/2B6/1+B7/K8 b - 1", "7g4d", value(Pawn) - value(Bishop) + value(Silver));
}

#[test]
fn the_least_valuable_piece_takes_back() {
    // Silver takes knight, pawn takes silver; the gold that takes the pawn would be lost to the rook.
    worth("4r3k/9/9/4p4/4n4/3SG4/9/9/K8 b - 1", "6f5e", value(Knight) - value(Silver));
    // Without the rook the gold takes the pawn.
    worth("8k/9/9/4p4/4n4/3SG4/9/9/K8 b - 1", "6f5e", value(Knight) - value(Silver) + value(Pawn));
}

#[test]
fn the_king_takes_back_only_what_is_not_defended() {
    worth("9/9/9/4k4/4p4/4G4/9/9/K8 b - 1", "5f5e", value(Pawn) - value(Gold));
    worth("9/9/9/4k4/4p4/4G4/4L4/9/K8 b - 1", "5f5e", value(Pawn));
    // One's own king may take an undefended piece.
    worth("8k/9/9/9/4p4/4K4/9/9/9 b - 1", "5f5e", value(Pawn));
}

#[test]
fn pinned_pieces_take_only_along_the_pin() {
    // The gold on 5d stands before its king and cannot take on 6d.
    worth("4k4/9/9/4g4/3S5/9/9/9/K3R4 b - 1", "6e6d", 0);
    worth("4k4/9/9/4g4/5S3/9/9/9/K8 b - 1", "4e4d", -value(Silver));
    // On the line of the pin it takes, and is taken back.
    worth("4k4/9/9/4g4/9/9/9/9/K3L4 b R 1", "R*5e", value(Gold) - value(Rook));
}

/// Kinds in the order in which they take back.
const ORDER: [PieceType; 14] =
    [Pawn, Lance, Knight, Silver, ProPawn, ProLance, ProKnight, ProSilver, Gold, Bishop, Horse, Rook, Dragon, King];

/// What `side` wins at most by taking a piece of this kind on a square or leaving it.
fn won(position: &Position, to: Square, occupied: Bitboard, side: Color, taken: PieceType) -> i32 {
    let attackers = |color| position.attackers(color, to, occupied) & occupied;
    let may_leave = |from| {
        let along = position.king_square(side).is_some_and(|king| line_through(king, to).contains(from));
        !position.blockers(side).contains(from) || along
    };
    let takers: Vec<Square> = attackers(side).into_iter().filter(|&from| may_leave(from)).collect();
    let kind_on = |from: Square| position.piece_on(from).unwrap().piece_type();
    let rank = |from| ORDER.iter().position(|&kind| kind == kind_on(from));
    let Some(&from) = takers.iter().min_by_key(|&&from| rank(from)) else { return 0 };
    if kind_on(from) == King && attackers(!side).any() {
        return 0;
    }
    let after = won(position, to, occupied - Bitboard::from_square(from), !side, kind_on(from));
    (value(taken) - after).max(0)
}

/// What the exchange that a move begins is worth.
fn plain_worth(position: &Position, mv: Move) -> i32 {
    let (to, after) = (mv.to(), position.moved_piece_after(mv).piece_type());
    let mut worth = position.piece_on(to).map_or(0, |victim| value(victim.piece_type()));
    let mut occupied = position.occupied() | Bitboard::from_square(to);
    if let Some(from) = mv.from() {
        worth += value(after) - position.piece_on(from).map_or(0, |piece| value(piece.piece_type()));
        occupied -= Bitboard::from_square(from);
    }
    worth - won(position, to, occupied, !position.side_to_move(), after)
}

#[test]
fn exchanges_of_random_games_are_worth_what_a_plain_look_finds() {
    visit_positions(11, 240, |position, moves, _| {
        for &mv in moves {
            let worth = plain_worth(position, mv);
            assert!(position.see_ge(mv, worth), "{mv} in {position:?} is worth {worth}");
            assert!(!position.see_ge(mv, worth + 1), "{mv} in {position:?} is worth no more than {worth}");
        }
    });
}
