//! One thread's share of a search.

use std::sync::atomic::Ordering::Relaxed;

use crate::movegen::{Selection, legal_moves};
use crate::position::Position;
use crate::search::control::{SearchLimits, SearchSettings};
use crate::search::ordering::nonpromotions::{NonPromotions, list_with};
use crate::search::pool::vote::Found;
use crate::search::pool::watchdog::OnDrop;
use crate::search::state::shared::Shared;
use crate::search::state::thread::{Memory, SearchThread};
use crate::types::Move;

/// Searches on the calling thread, as one of the threads of the search.
pub(crate) fn search_one(
    index: usize,
    shared: &Shared<'_>,
    memory: &mut Memory,
    position: &Position,
    root_moves: &[Move],
) -> Found {
    // The other threads end with the main thread, whose watch they rely on, be it by a panic.
    let _others_end = (index == 0).then(|| OnDrop(|| shared.stop.store(true, Relaxed)));
    let mut thread = SearchThread::new(index, shared, memory, position, root_moves);
    thread.deepen();
    thread.poll();
    thread.drop_refuted_moves();
    let count = shared.settings.multi_pv.clamp(1, root_moves.len());
    if thread.is_main() {
        shared.answer.put(thread.lines(count));
        shared.control.wait_until_answerable(shared.limits.infinite);
    }
    Found {
        completed_depth: thread.completed_depth,
        lines: thread.infos(count),
        is_proven: thread.mates.proven.is_some(),
    }
}

/// The moves to search: those that the limits name, else all that are worth a search.
pub(crate) fn root_moves(position: &Position, limits: &SearchLimits, settings: &SearchSettings) -> Vec<Move> {
    if !limits.search_moves.is_empty() {
        // `searchmoves` may name moves that are not generated otherwise.
        let all = legal_moves(position);
        return all.into_iter().filter(|mv| limits.search_moves.contains(mv)).collect();
    }
    list_with(position, Selection::All, NonPromotions::at_root(settings)).into_iter().collect()
}
