//! What the generator hands out: each selection against the list of all legal moves, and that list
//! against the test of single moves.

use std::collections::HashSet;
use std::ops::ControlFlow;

use kurosabi::movegen::{
    MoveList, MoveSet, Selection, count_legal_moves, generate, has_legal_move, legal_moves, list_moves,
};
use kurosabi::position::{CheckInfo, Position};
use kurosabi::types::{Move, MoveKind, PieceType};

use crate::games::visit_positions;
use crate::squares::{position, turned, turned_move};

/// The moves of a selection; none may come twice.
fn moves<const EVERY: bool>(position: &Position, selection: Selection) -> HashSet<Move> {
    let mut list = MoveList::new();
    list_moves::<EVERY>(position, selection, &mut list);
    let set: HashSet<Move> = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "a move comes twice in {selection:?} of {position:?}");
    let mut handed_out = HashSet::new();
    let mut count = 0;
    let end = generate::<EVERY>(position, selection, |moves| {
        count += moves.len();
        assert_eq!(usize::from(!moves.is_empty()), moves.len().min(1));
        moves.for_each(|mv| assert!(handed_out.insert(mv), "{mv} comes twice in {selection:?} of {position:?}"));
        if let MoveSet::Drops { piece_types, .. } = moves {
            assert_eq!(piece_types.iter().collect::<HashSet<_>>().len(), piece_types.len());
            assert!(piece_types.len() <= PieceType::HAND.len());
        }
        ControlFlow::Continue(())
    });
    assert_eq!((count, end), (set.len(), ControlFlow::Continue(())), "{selection:?} of {position:?}");
    assert_eq!(handed_out, set);
    set
}

#[test]
fn a_move_is_legal_exactly_when_it_is_generated() {
    visit_positions(9, 240, |position, listed, rng| {
        // Every bit pattern a hash table could hold; one position in four, to keep the test short.
        if rand::RngExt::random_bool(rng, 0.75) {
            return;
        }
        let listed: HashSet<Move> = listed.iter().copied().collect();
        let legal: HashSet<Move> =
            (0..=u16::MAX).filter_map(Move::from_bits).filter(|&mv| position.is_legal(mv)).collect();
        assert_eq!(legal, listed, "{position:?}");
    });
}

#[test]
fn counting_agrees_with_listing() {
    visit_positions(10, 900, |position, listed, _| {
        assert_eq!(count_legal_moves(position), listed.len(), "{position:?}");
        assert_eq!(has_legal_move(position), !listed.is_empty(), "{position:?}");
    });
}

#[test]
fn captures_and_quiet_moves_share_out_all_moves() {
    fn check<const EVERY: bool>(position: &Position) {
        let all = moves::<EVERY>(position, Selection::All);
        let captures = moves::<EVERY>(position, Selection::Captures);
        let quiet = moves::<EVERY>(position, Selection::Quiet);
        assert!(captures.is_disjoint(&quiet), "{position:?}");
        assert_eq!(&captures | &quiet, all, "{position:?}");
        let takes = |mv: &Move| position.piece_on(mv.to()).is_some();
        assert_eq!(all.iter().copied().filter(takes).collect::<HashSet<_>>(), captures, "{position:?}");
    }
    visit_positions(11, 600, |position, _, _| {
        check::<true>(position);
        check::<false>(position);
    });
}

#[test]
fn only_useless_non_promotions_are_left_out() {
    visit_positions(12, 600, |position, _, _| {
        let useless = |mv: &Move| {
            let MoveKind::Board { from, to, promote: false } = mv.kind() else { return false };
            let piece = position.piece_on(from).unwrap().piece_type();
            let us = position.side_to_move();
            let could_promote = from.in_promotion_zone(us) || to.in_promotion_zone(us);
            match piece {
                PieceType::Pawn | PieceType::Bishop | PieceType::Rook => could_promote,
                PieceType::Lance => to.rank().relative(us) < 2,
                _ => false,
            }
        };
        for selection in [Selection::All, Selection::Captures, Selection::Quiet] {
            let every = moves::<true>(position, selection);
            let useful: HashSet<Move> = every.iter().copied().filter(|mv| !useless(mv)).collect();
            assert_eq!(moves::<false>(position, selection), useful, "{selection:?} of {position:?}");
        }
    });
}

#[test]
fn generated_moves_are_added_to_what_is_in_the_list() {
    let start = Position::startpos();
    let mut list = MoveList::new();
    list_moves::<true>(&start, Selection::Captures, &mut list);
    list_moves::<true>(&start, Selection::Quiet, &mut list);
    assert_eq!(list.len(), 30);
    list_moves::<true>(&start, Selection::Quiet, &mut list);
    assert_eq!(list.len(), 60);
    list.clear();
    assert!(list.is_empty());
}

#[test]
fn a_listener_may_break_off_after_any_set() {
    visit_positions(13, 40, |position, _, _| {
        let mut sets = Vec::new();
        let all = generate::<true>(position, Selection::All, |set| {
            sets.push(format!("{set:?}"));
            ControlFlow::Continue(())
        });
        assert!(all.is_continue());
        for wanted in 1..=sets.len() {
            let mut seen = Vec::new();
            let end = generate::<true>(position, Selection::All, |set| {
                seen.push(format!("{set:?}"));
                if seen.len() < wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            assert!(end.is_break() && seen == sets[..wanted], "{position:?}");
        }
    });
}

#[test]
fn both_players_move_alike() {
    visit_positions(14, 360, |position, listed, _| {
        let expected: HashSet<Move> = listed.iter().map(|&mv| turned_move(mv)).collect();
        let turned = turned(position);
        assert_eq!(legal_moves(&turned).iter().copied().collect::<HashSet<_>>(), expected, "{position:?}");
    });
}

#[test]
fn check_squares_are_where_a_piece_would_check() {
    visit_positions(15, 120, |position, listed, _| {
        for mv in listed.iter().filter(|mv| mv.is_drop()) {
            let kind = mv.dropped().unwrap();
            assert_eq!(
                position.check_squares(kind).contains(mv.to()),
                position.gives_check(*mv),
                "{mv} in {position:?}"
            );
        }
        // Asked for all at once, they are the same.
        let all = CheckInfo::new(position);
        for piece_type in PieceType::ALL.into_iter().filter(|&piece_type| piece_type != PieceType::King) {
            assert_eq!(all.squares(piece_type), position.check_squares(piece_type), "{piece_type:?} in {position:?}");
        }
    });
}

#[test]
fn moves_on_a_board_with_one_king() {
    // Black has no king to lose: it may leave any piece where it can be taken.
    let attackers = position("4k4/9/4P4/9/9/9/9/9/9 b 2G 1");
    assert_eq!(legal_moves(&attackers).len(), 81);
    assert!(attackers.is_legal("G*5b".parse().unwrap()));
    // And nobody can be checked when White has none: dropping a pawn anywhere never mates.
    let free = position("9/9/9/9/9/9/9/9/4K4 b P 1");
    assert_eq!(legal_moves(&free).len(), 5 + 8 * 9 - 1);
}
