//! A game and everything that is asked of its positions, short enough to be interpreted by Miri
//! (`scripts/slow/miri`), which finds undefined behaviour that no other test could.

use std::ops::ControlFlow;

use kurosabi::mate::mate_in_one;
use kurosabi::movegen::{
    MAX_MOVES, MoveList, MoveSet, Selection, count_legal_moves, generate, generate_checks, has_legal_move, legal_moves,
};
use kurosabi::position::Position;
use kurosabi::types::{Move, Square};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Plies of a game; under Miri each takes a second or two.
const PLIES: usize = if cfg!(miri) { 60 } else { 200 };

fn visit(position: &mut Position) -> MoveList {
    let moves = legal_moves(position);
    assert_eq!(count_legal_moves(position), moves.len());
    assert_eq!(has_legal_move(position), !moves.is_empty());
    let mut walked = 0;
    let _ = generate::<true>(position, Selection::All, |set| {
        set.for_each(|mv| {
            assert!(moves.contains(&mv) && mv.to().index() < Square::COUNT);
            walked += 1;
        });
        match set {
            MoveSet::Drops { .. } if walked > 200 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    let mut checks = MoveList::new();
    generate_checks(position, &mut checks);
    assert!(checks.iter().all(|&mv| position.gives_check(mv)));
    if !position.in_check() {
        assert!(mate_in_one(position).is_none_or(|mv| moves.contains(&mv)));
    }
    assert_eq!(Position::from_sfen(&position.to_sfen()).unwrap().key(), position.key());
    moves
}

#[test]
fn a_game_and_back() {
    let mut rng = StdRng::seed_from_u64(15);
    let mut position = Position::startpos();
    let mut played = Vec::new();
    while played.len() < PLIES {
        let moves = visit(&mut position);
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        assert!(position.is_legal(mv) && position.see_ge(mv, i32::MIN / 2));
        position.do_move(mv);
        played.push(mv);
    }
    for mv in played.into_iter().rev() {
        position.undo_move(mv);
    }
    assert_eq!(position.to_sfen(), Position::startpos().to_sfen());
}

/// The composition with the most moves: 593.
#[test]
fn the_longest_list() {
    let mut position = Position::from_sfen("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1").unwrap();
    assert_eq!(visit(&mut position).len(), 593);
}

#[test]
fn a_list_that_is_full_takes_no_more() {
    let mut list = MoveList::new();
    let mv: Move = "7g7f".parse().unwrap();
    (0..2 * MAX_MOVES).for_each(|_| list.push(mv));
    let position = Position::from_sfen("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1").unwrap();
    let _ = generate::<true>(&position, Selection::All, |set| {
        list.extend(set);
        ControlFlow::Continue(())
    });
    assert!(list.len() < 2 * MAX_MOVES && list.iter().all(|mv| mv.to().index() < Square::COUNT));
}
