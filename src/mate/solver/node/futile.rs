//! Futile interpositions (無駄合): drops that only delay a mate by a piece that checks from afar.
//!
//! By the custom of problems they do not count: where all that the defender can do is to drop pieces that are taken at
//! once, with mate again by the same custom, the king is mated. Interpositions before the end of a solution, and moves
//! of pieces on the board, always count.

use std::collections::HashMap;

use crate::movegen::{MoveList, generate_checks, has_legal_move, legal_moves};
use crate::position::Position;
use crate::types::Move;

/// Whether the side to move, which is in check, is mated: by the rules, or by custom where futile interpositions are
/// left out.
pub(in crate::mate::solver) fn is_mated(position: &mut Position, without_futile: bool) -> bool {
    if without_futile { has_only_futile_moves(position, &mut Judged::new()) } else { !has_legal_move(position) }
}

/// Positions after a drop was captured, by their keys, and whether they are mate by custom. The same pieces can be
/// dropped in any order: a check across seven squares has millions of orders, but only some thousand positions.
type Judged = HashMap<u64, bool>;

fn has_only_futile_moves(position: &mut Position, judged: &mut Judged) -> bool {
    let answers = legal_moves(position);
    // What is dropped matters: a pawn may not be able to follow it on the next square, and a drop may give check.
    answers.iter().all(|mv| mv.is_drop()) && answers.iter().all(|&mv| is_futile(position, mv, judged))
}

/// Whether what is dropped is taken with mate.
fn is_futile(position: &mut Position, drop: Move, judged: &mut Judged) -> bool {
    position.do_move(drop);
    let mut checks = MoveList::new();
    generate_checks(position, &mut checks);
    let futile = (&checks).into_iter().filter(|mv| mv.to() == drop.to()).any(|mv| {
        position.do_move(mv);
        let key = position.key();
        let mated = judged.get(&key).copied().unwrap_or_else(|| {
            let mated = has_only_futile_moves(position, judged);
            judged.insert(key, mated);
            mated
        });
        position.undo_move(mv);
        mated
    });
    position.undo_move(drop);
    futile
}
