//! Games in memory, at about four bytes a position.
//!
//! A run goes through all its positions once an epoch. Kept as rows of the first layer they would take 170 bytes each;
//! so games are kept as moves and scores, and positions are made of them by replaying (0.2 µs each), a game at a time.
//! 300 million positions in games of a hundred moves take 1.5 GB.
//!
//! | bytes | what |
//! |---|---|
//! | u8 | 0 for a draw, 1 or 2 for Black's or White's win |
//! | u8, … | length and text of the start's SFEN; 0 for the start of an even game |
//! | u8 | number of opening moves |
//! | u16 each | the opening moves |
//! | u16, i16 each | the moves played with their scores (to the end) |

use std::ops::Range;

use super::filters::Filters;
use super::sample::{Features, Sample};
use crate::datagen::game::GameError;
use crate::datagen::scores::td_lambda::td_lambda;
use crate::datagen::{Game, GameResult, ScoredMove};
use crate::position::Position;
use crate::types::numbers::split_mix;
use crate::types::{Color, Move, Score};

/// Games with the positions of them that are to be used.
#[derive(Clone, Debug)]
pub struct GameStore {
    filters: Filters,
    lambda: f32,
    bytes: Vec<u8>,
    /// Where each game begins, and the number that tells it from others.
    games: Vec<(u64, u64)>,
    positions: u64,
}

impl GameStore {
    /// No games yet; of those to come, the positions that pass these filters are used, with their own scores.
    pub fn new(filters: Filters) -> GameStore {
        GameStore { filters, lambda: 0.0, bytes: Vec::new(), games: Vec::new(), positions: 0 }
    }

    /// The same, but the scores of games to come are changed by TD(λ): later searches have this share in a position's
    /// score. 0 leaves all scores as they are.
    #[must_use]
    pub fn with_lambda(self, lambda: f32) -> GameStore {
        GameStore { lambda, ..self }
    }

    /// How many positions there are to be used.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Adds a game. One with a longer opening than the format of record files has room for is left out, as is one whose
    /// start has no SFEN of 255 bytes.
    ///
    /// # Errors
    /// Names the first move that is not legal; the game is then left out.
    pub fn push(&mut self, mut game: Game) -> Result<(), GameError> {
        let start = game.start.as_ref().map_or_else(String::new, |position| position.to_sfen());
        let (Ok(start_length), Ok(opening)) = (u8::try_from(start.len()), u8::try_from(game.opening.len())) else {
            return Ok(());
        };
        let identity = identity(&game);
        td_lambda(&mut game.moves, self.lambda);
        let (mut positions, mut ply) = (0, 0);
        game.replay(|position, scored| {
            positions +=
                u64::from(self.filters.pass(position, scored, || uniform(split_mix(identity.wrapping_add(ply)))));
            ply += 1;
        })?;
        self.positions += positions;
        let result = match game.result {
            GameResult::Draw => 0,
            GameResult::Win(color) => 1 + color.index() as u8,
        };
        self.games.push((self.bytes.len() as u64, identity));
        self.bytes.extend([result, start_length]);
        self.bytes.extend(start.as_bytes());
        self.bytes.push(opening);
        self.bytes.extend(game.opening.iter().flat_map(|mv| mv.to_bits().to_le_bytes()));
        for ScoredMove { mv, score } in &game.moves {
            self.bytes.extend(mv.to_bits().to_le_bytes());
            self.bytes.extend((score.value() as i16).to_le_bytes());
        }
        Ok(())
    }

    fn game_bytes(&self, number: usize) -> Range<usize> {
        let end = self.games.get(number + 1).map_or(self.bytes.len(), |&(begin, _)| begin as usize);
        self.games[number].0 as usize..end
    }

    /// Calls `visit` with the positions of a game that are to be used, their scores and the points that their sides to
    /// move got. The moves are legal: `push` has checked them.
    pub(super) fn replay(&self, number: usize, mut visit: impl FnMut(&Position, i16, f32)) {
        let bytes = &self.bytes[self.game_bytes(number)];
        let [result, start, rest @ ..] = bytes else { return };
        let (start, rest) = rest.split_at(usize::from(*start));
        let (opening, rest) = rest.split_first().unwrap_or((&0, &[]));
        let (opening, moves) = rest.split_at(2 * usize::from(*opening));
        // It was written by the same program a while ago.
        let mut position = std::str::from_utf8(start).ok().and_then(|sfen| Position::from_sfen(sfen).ok());
        let position = position.get_or_insert_default();
        let result = match result {
            0 => GameResult::Draw,
            1 => GameResult::Win(Color::Black),
            _ => GameResult::Win(Color::White),
        };
        let read_move = |bits| Move::from_bits(u16::from_le_bytes(bits));
        for &bits in opening.as_chunks().0 {
            let Some(mv) = read_move(bits) else { return };
            position.do_move(mv);
        }
        for (ply, &[a, b, c, d]) in (0..).zip(moves.as_chunks().0) {
            let (Some(mv), score) = (read_move([a, b]), i16::from_le_bytes([c, d])) else { return };
            let scored = ScoredMove { mv, score: Score::from_value(i32::from(score)) };
            if self.filters.pass(position, scored, || uniform(split_mix(self.games[number].1.wrapping_add(ply)))) {
                visit(position, score, result.points(position.side_to_move()));
            }
            position.do_move(mv);
        }
    }

    /// All samples, game by game. For small sets only: a sample is forty times as large as its position in the store.
    pub fn samples(&self, features: &Features) -> Vec<Sample> {
        let mut samples = Vec::new();
        (0..self.games()).for_each(|number| self.append(number, features, &mut samples));
        samples
    }

    /// Appends the samples of a game.
    pub fn append(&self, number: usize, features: &Features, samples: &mut Vec<Sample>) {
        self.replay(number, |position, score, points| samples.push(features.sample(position, score, points)));
    }
}

/// A number that follows from the moves of a game.
pub(super) fn identity(game: &Game) -> u64 {
    let start = game.start.as_ref().map_or(0, |position| position.key());
    let moves = game.opening.iter().copied().chain(game.moves.iter().map(|scored| scored.mv));
    moves.fold(start, |hash, mv| split_mix(hash.wrapping_add(u64::from(mv.to_bits()))))
}

/// A number hashed to one between 0 and 1, uniformly distributed.
pub(super) fn uniform(number: u64) -> f64 {
    split_mix(number) as f64 / u64::MAX as f64
}
