//! Mates by trying everything: what the solver is held against.

use std::collections::HashMap;

use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;

pub(super) struct Exhaustive {
    /// Answers by position and plies left.
    known: HashMap<(u64, u32), bool>,
    /// Positions that end the game without mate.
    barred: Vec<u64>,
}

impl Exhaustive {
    pub(super) fn new() -> Exhaustive {
        Exhaustive::barring(&[])
    }

    /// Where these positions, named by their keys, end the game without mate.
    pub(super) fn barring(barred: &[u64]) -> Exhaustive {
        Exhaustive { known: HashMap::new(), barred: barred.to_vec() }
    }

    /// The length of the shortest mate by the side to move in at most `longest` plies.
    pub(super) fn shortest(&mut self, position: &Position, longest: u32) -> Option<usize> {
        let mut position = position.clone();
        (1..=longest).step_by(2).find(|&plies| self.attack(&mut position, plies)).map(|plies| plies as usize)
    }

    /// The length of the longest defence against the shortest mate, when it is the defender's turn.
    pub(super) fn shortest_against(&mut self, position: &Position, longest: u32) -> Option<usize> {
        let mut position = position.clone();
        (0..=longest).step_by(2).find(|&plies| self.defend(&mut position, plies)).map(|plies| plies as usize)
    }

    fn attack(&mut self, position: &mut Position, plies: u32) -> bool {
        let key = (position.key(), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mates = (&legal_moves(position)).into_iter().any(|mv| {
            position.gives_check(mv) && {
                position.do_move(mv);
                let mates = !self.barred.contains(&position.key()) && self.defend(position, plies - 1);
                position.undo_move(mv);
                mates
            }
        });
        self.known.insert(key, mates);
        mates
    }

    fn defend(&mut self, position: &mut Position, plies: u32) -> bool {
        let moves = legal_moves(position);
        if plies == 0 {
            return moves.is_empty() && position.in_check();
        }
        (&moves).into_iter().all(|mv| {
            position.do_move(mv);
            let mates = !self.barred.contains(&position.key()) && self.attack(position, plies - 1);
            position.undo_move(mv);
            mates
        })
    }
}
