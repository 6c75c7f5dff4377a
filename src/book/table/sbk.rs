//! Writing ShogiGUI's book (`.sbk`).

use std::collections::HashMap;
use std::io::Write;

use prost::encoding::message;

use super::{BookTable, TableEntry, position};
use crate::book::files::sbk::message::{STATE_FIELD, State, StateMove};
use crate::book::files::sbk::moves::move_to_sbk;
use crate::book::{BookError, key};

/// The positions of a table, and behind them those without an entry that its moves lead to: ShogiGUI's own books have
/// a state for each.
struct States<'a> {
    entries: Vec<(&'a str, &'a TableEntry)>,
    /// The moves of each entry, with the positions in place of their states' numbers.
    moves: Vec<Vec<StateMove>>,
    /// How many positions there are in all.
    count: usize,
}

impl<'a> States<'a> {
    fn of(table: &'a BookTable) -> Result<States<'a>, BookError> {
        let entries: Vec<_> = table.entries().collect();
        let mut index: HashMap<String, i32> = entries.iter().map(|(sfen, _)| (*sfen).to_owned()).zip(0..).collect();
        let mut moves = Vec::with_capacity(entries.len());
        for (sfen, entry) in &entries {
            let mut before = position(sfen)?;
            let mut own = Vec::with_capacity(entry.moves.len());
            for book_move in entry.sorted() {
                let code = move_to_sbk(&before, book_move.mv);
                before.do_move(book_move.mv);
                let count = index.len() as i32;
                let next = *index.entry(key(&before.to_sfen()).to_owned()).or_insert(count);
                before.undo_move(book_move.mv);
                // A move with weight 0 is never played.
                let weight = book_move.count.clamp(1, i32::MAX as u64) as i32;
                own.push(StateMove { code, mark: 0, weight, next });
            }
            moves.push(own);
        }
        Ok(States { entries, moves, count: index.len() })
    }

    /// The positions from which all others can be reached: the start of an even game, those that no move leads to,
    /// and one of each circle that is left.
    fn roots(&self) -> Vec<usize> {
        let mut led_to = vec![false; self.count];
        self.moves.iter().flatten().for_each(|it| led_to[it.next as usize] = true);
        let start = crate::position::STARTPOS_SFEN;
        let start = self.entries.binary_search_by_key(&key(start), |entry| entry.0).ok();
        let all = 0..self.entries.len();
        let mut reached = vec![false; self.count];
        let mut roots = Vec::new();
        for root in start.into_iter().chain(all.clone().filter(|&entry| !led_to[entry])).chain(all) {
            if std::mem::replace(&mut reached[root], true) {
                continue;
            }
            roots.push(root);
            let mut open = vec![root];
            while let Some(entry) = open.pop() {
                for next in self.moves.get(entry).into_iter().flatten().map(|it| it.next as usize) {
                    if !std::mem::replace(&mut reached[next], true) {
                        open.push(next);
                    }
                }
            }
        }
        roots
    }
}

/// Writes a table. Scores are left out: the format has none for moves.
pub(super) fn write(table: &BookTable, out: &mut dyn Write) -> Result<(), BookError> {
    let states = States::of(table)?;
    // ShogiGUI reads a book only where the roots come first.
    let mut order = states.roots();
    let mut is_root = vec![false; states.count];
    order.iter().for_each(|&root| is_root[root] = true);
    order.extend((0..states.count).filter(|&state| !is_root[state]));
    let mut ids = vec![0; states.count];
    order.iter().zip(0..).for_each(|(&state, id)| ids[state] = id);
    let mut bytes = Vec::new();
    for &state in &order {
        let mut moves = states.moves.get(state).cloned().unwrap_or_default();
        moves.iter_mut().for_each(|it| it.next = ids[it.next as usize]);
        let games = moves.iter().fold(0i32, |games, it| games.saturating_add(it.weight));
        let told = states.entries.get(state).filter(|_| is_root[state]);
        // The move number is always 1: books are searched by the whole text.
        let position = told.map(|(sfen, _)| format!("{sfen} 1").into_bytes());
        let state = State { id: ids[state], games, position, moves, ..State::default() };
        message::encode(STATE_FIELD, &state, &mut bytes);
        out.write_all(&bytes)?;
        bytes.clear();
    }
    Ok(())
}
