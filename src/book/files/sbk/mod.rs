//! ShogiGUI's book (`.sbk`), read as a whole: its positions are known only by the moves that lead to them.
//!
//! It has no move numbers and no scores of moves: evaluations of positions stand in it as comments, which are not read.

pub(in crate::book) mod message;
pub(in crate::book) mod moves;
mod states;

use std::collections::VecDeque;

use super::source::Source;
use super::{Found, Visitor};
use crate::book::{BookError, BookMove};
use crate::movegen::MAX_MOVES;
use crate::position::{Position, STARTPOS_SFEN, Setup};
use message::State;
use moves::move_from_sbk;
use states::States;
pub(super) use states::is_likely;

/// No root's SFEN is longer.
const MAX_SFEN: usize = 300;

/// A book in memory.
pub(in crate::book) struct SbkBook {
    graph: Graph,
    /// The keys of the positions with moves, in order, and their states.
    index: Vec<(u64, u32)>,
}

impl SbkBook {
    /// Reads a book in at most about `limit` bytes of memory.
    pub(super) fn open(mut source: Source, limit: u64) -> Result<SbkBook, BookError> {
        let graph = Graph::read(&mut source, limit)?;
        let mut index = Vec::new();
        graph.walk(&mut |state, position| {
            index.push((position.key(), state));
            Ok(())
        })?;
        index.sort_unstable();
        Ok(SbkBook { graph, index })
    }

    /// The moves of a position. The format has no move numbers, so the ply does not matter.
    pub(super) fn probe(&self, position: &Position) -> Result<Option<Found>, BookError> {
        let key = position.key();
        let from = self.index.partition_point(|&(other, _)| other < key);
        let states = self.index[from..].iter().take_while(|&&(other, _)| other == key);
        let mut found = Found::default();
        for &(_, state) in states.take(MAX_MOVES) {
            self.graph.add_moves(state, &mut found)?;
        }
        Ok((!found.is_empty()).then_some(found))
    }

    /// Every position with its moves, from the roots on.
    pub(super) fn for_each(self, visit: Visitor<'_>) -> Result<(), BookError> {
        let graph = self.graph;
        let reached = graph.walk(&mut |state, position| {
            let sfen = position.to_sfen();
            visit(crate::book::key(&sfen), Some(position.game_ply()), graph.found(state)?)
        })?;
        for (state, sfen) in graph.roots.iter().filter(|(state, _)| !reached[*state as usize]) {
            visit(sfen, None, graph.found(*state)?)?;
        }
        let is_root = |state: u32| graph.roots.binary_search_by_key(&state, |root| root.0).is_ok();
        let states = (0..).zip(&reached);
        let lost = states.filter(|&(state, &reached)| !reached && !graph.moves(state).is_empty() && !is_root(state));
        match lost.count() {
            0 => Ok(()),
            lost => visit(
                "",
                None,
                Found { unreadable: vec![format!("{lost} positions that no move leads to")], ..Found::default() },
            ),
        }
    }
}

/// A move as it is kept.
struct Edge {
    code: i32,
    weight: u32,
    next: i32,
}

/// The states and moves of a file.
#[derive(Default)]
struct Graph {
    /// Where the moves of each state end.
    ends: Vec<u32>,
    edges: Vec<Edge>,
    /// The states that have an SFEN, and the SFEN.
    roots: Vec<(u32, String)>,
}

impl Graph {
    fn read(source: &mut Source, limit: u64) -> Result<Graph, BookError> {
        let (mut graph, mut bytes) = (Graph::default(), 0);
        let mut states = States::of(source);
        while let Some(state) = states.next()? {
            bytes += graph.add(&state).ok_or(BookError::TooLarge(limit >> 20))?;
            if bytes > limit {
                return Err(BookError::TooLarge(limit >> 20));
            }
        }
        Ok(graph)
    }

    /// Adds the next state; returns the bytes it takes, its share of the index included, if there is room for it.
    fn add(&mut self, state: &State) -> Option<u64> {
        let number = u32::try_from(self.ends.len()).ok()?;
        let moves = state.moves.iter().take(MAX_MOVES);
        self.edges.extend(moves.map(|it| Edge { code: it.code, weight: it.weight.max(0) as u32, next: it.next }));
        self.ends.push(u32::try_from(self.edges.len()).ok()?);
        let mut bytes = state.moves.len() * size_of::<Edge>() + size_of::<(u32, u64, u32)>();
        let told = state.position.as_deref().unwrap_or_default().trim_ascii();
        if !told.is_empty() || number == 0 {
            let sfen = String::from_utf8_lossy(&told[..told.len().min(MAX_SFEN)]);
            // The first state is the start of an even game where nothing else is told.
            let sfen = if told.is_empty() { STARTPOS_SFEN.to_owned() } else { sfen.into_owned() };
            bytes += sfen.len() + size_of::<(u32, String)>();
            self.roots.push((number, sfen));
        }
        Some(bytes as u64)
    }

    fn moves(&self, state: u32) -> &[Edge] {
        let end = |state: u32| self.ends[state as usize] as usize;
        &self.edges[state.checked_sub(1).map_or(0, end)..end(state)]
    }

    fn found(&self, state: u32) -> Result<Found, BookError> {
        let mut found = Found::default();
        self.add_moves(state, &mut found)?;
        Ok(found)
    }

    /// The moves of a state that are to be played: those with a weight, or all if none has one.
    fn add_moves(&self, state: u32, found: &mut Found) -> Result<(), BookError> {
        let moves = self.moves(state);
        let is_weighted = moves.iter().any(|edge| edge.weight > 0);
        for edge in moves.iter().filter(|edge| edge.weight > 0 || !is_weighted) {
            found.add(match move_from_sbk(edge.code) {
                Some(mv) => Ok(Some(BookMove::unscored(mv, edge.weight.into()))),
                None => Err(format!("{:#010x}", edge.code)),
            })?;
        }
        Ok(())
    }

    /// Calls `visit` with each state that has moves and can be reached from a root, and its position, by the fewest
    /// moves first. Returns which these are.
    fn walk(&self, visit: &mut dyn FnMut(u32, &Position) -> Result<(), BookError>) -> Result<Vec<bool>, BookError> {
        let mut reached = vec![false; self.ends.len()];
        // Setups: there may be a million at a time, and a position takes some 10 KiB.
        let mut open: VecDeque<(u32, Setup)> = VecDeque::new();
        for (root, sfen) in &self.roots {
            if !reached[*root as usize] && !self.moves(*root).is_empty() {
                open.extend(Setup::from_sfen(sfen).ok().map(|setup| (*root, setup)));
            }
            while let Some((state, setup)) = open.pop_front() {
                let Ok(mut position) = Position::from_setup(&setup) else { continue };
                reached[state as usize] = true;
                visit(state, &position)?;
                for edge in self.moves(state) {
                    let Some(next) = self.unreached(edge.next, &reached) else { continue };
                    let mv = move_from_sbk(edge.code).filter(|&mv| position.is_legal(mv));
                    let Some(mv) = mv else { continue };
                    position.do_move(mv);
                    open.push_back((next, position.setup()));
                    position.undo_move(mv);
                    reached[next as usize] = true;
                }
            }
        }
        Ok(reached)
    }

    /// The state with this number, if there is one that has moves and was not reached yet.
    fn unreached(&self, state: i32, reached: &[bool]) -> Option<u32> {
        let state = u32::try_from(state).ok()?;
        (!*reached.get(state as usize)? && !self.moves(state).is_empty()).then_some(state)
    }
}
