//! What a player of a level sees: which moves come to mind, its own and the opponent's, and how far it reads mates.
//!
//! People overlook some kinds of moves far more than others: those of pieces that stand far from where the game was
//! last played, long moves of sliders, retreats, drops, and moves that open a line for another piece. So each move
//! gets its ease, and the level adds how much it sees. What is overlooked stays so for some moves, and what a player is
//! prone to overlook stays the same for a game: all that chance decides is drawn from the seed of the game.

use crate::bitboard::Bitboard;
use crate::movegen::{MoveList, Selection, list_moves};
use crate::position::{CheckInfo, Position, exchange_value};
use crate::types::{Color, Move, PieceType, Square};

/// The ease of a move that nobody overlooks.
const OBVIOUS: f64 = 99.0;
/// For how many plies of the game a player's attention rests on the same moves.
const ATTENTION: u64 = 6;

/// The one who plays at a level, through a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Character {
    seed: u64,
    /// How prone it is to overlook moves from afar, retreats and drops: 1 is usual.
    far: f64,
    retreats: f64,
    drops: f64,
}

impl Character {
    /// The character that belongs to a game.
    pub(super) fn new(seed: u64) -> Character {
        let trait_of = |number| 0.6 + 0.8 * draw(seed, &[number]);
        Character { seed, far: trait_of(1), retreats: trait_of(2), drops: trait_of(3) }
    }

    /// A number from 0 to 1 for a question of this game, the same whenever it is asked.
    pub(super) fn draw(&self, question: &[u64]) -> f64 {
        draw(self.seed, question)
    }
}

/// A number from 0 (included) to 1, a hash of all that is given (by the mixing function of SplitMix64).
fn draw(seed: u64, question: &[u64]) -> f64 {
    let mixed = question.iter().fold(mix(seed), |hash, &part| mix(hash ^ part));
    (mixed >> 11) as f64 / (1u64 << 53) as f64
}

fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// The share of cases that odds, as their logarithm, stand for.
pub(super) fn share(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// How a player looks at the moves of a position, of whichever side is to move there.
pub(super) struct Sight<'a> {
    character: &'a Character,
    position: &'a Position,
    last: Option<LastMove>,
    checks: CheckInfo,
    /// Of the side to move that give check by moving away.
    discoverers: Bitboard,
}

/// The move that led to a position.
#[derive(Clone, Copy)]
struct LastMove {
    to: Square,
    captured: bool,
}

impl<'a> Sight<'a> {
    /// The sight of a position to which `last` has led, a capture or not.
    pub(super) fn new(
        character: &'a Character,
        position: &'a Position,
        last: Option<Move>,
        captured: bool,
    ) -> Sight<'a> {
        let last = last.map(|mv| LastMove { to: mv.to(), captured });
        let checks = CheckInfo::new(position);
        let discoverers = checks.discoverers();
        Sight { character, position, last, checks, discoverers }
    }

    /// How easily a move comes to mind, as the logarithm of odds.
    pub(super) fn ease(&self, mv: Move) -> f64 {
        let us = self.position.side_to_move();
        let to = mv.to();
        let victim = self.position.piece_on(to);
        if let Some(last) = self.last
            && last.to == to
        {
            // An exchange that has begun is read to its end.
            let is_beside = mv.from().is_some_and(|from| distance(from, to) == 1);
            return if last.captured {
                OBVIOUS
            } else if is_beside {
                4.0
            } else {
                2.5
            };
        }
        let mut ease = 0.0;
        match mv.from() {
            None => ease -= 0.8 * self.character.drops,
            Some(from) => {
                let length = distance(from, to);
                let is_king = self.position.piece_on(from).is_some_and(|piece| piece.piece_type() == PieceType::King);
                if advance(from, to, us) < 0 && !is_king {
                    ease -= 1.0 * self.character.retreats;
                }
                ease -= 0.3 * self.character.far * f64::from((length - 2).max(0));
                if self.discoverers.contains(from) {
                    ease -= 1.2;
                }
                if victim.is_some() && length == 1 {
                    ease += 1.5;
                }
                if victim.is_none() && !is_king && self.is_threatened(from) {
                    ease += 2.5;
                }
            }
        }
        if let Some(victim) = victim {
            ease += 0.8 + f64::from(exchange_value(victim.piece_type())) / 700.0;
        }
        if mv.is_promotion() {
            ease += 0.8;
        }
        if self.checks.gives_check(self.position, mv) {
            ease += 0.7;
        }
        if let Some(last) = self.last {
            let near = mv.from().map_or(9, |from| distance(from, last.to)).min(distance(to, last.to));
            ease -= 0.15 * self.character.far * f64::from((near - 2).max(0));
        }
        if self.position.in_check() {
            ease += 2.0;
        }
        ease
    }

    /// Whether a move takes back what was just taken.
    pub(super) fn is_obvious(&self, mv: Move) -> bool {
        self.ease(mv) >= OBVIOUS
    }

    /// Whether a piece of some worth is attacked by a cheaper one, or attacked and not defended.
    fn is_threatened(&self, square: Square) -> bool {
        let us = self.position.side_to_move();
        let value = |square| self.position.piece_on(square).map_or(0, |piece| exchange_value(piece.piece_type()));
        let occupied = self.position.occupied();
        let attackers = self.position.attackers(!us, square, occupied);
        let is_attacked_by_cheaper = || attackers.into_iter().any(|attacker| value(attacker) < value(square));
        let is_defended = || !self.position.attackers(us, square, occupied).is_empty();
        value(square) >= exchange_value(PieceType::Knight)
            && !attackers.is_empty()
            && (is_attacked_by_cheaper() || !is_defended())
    }

    /// How far a move is above being overlooked, at this acuity; below zero it is overlooked.
    fn clearness(&self, mv: Move, acuity: f64) -> f64 {
        let us = self.position.side_to_move();
        let rested = u64::from(self.position.game_ply()) / ATTENTION;
        let chance = self.character.draw(&[rested, u64::from(mv.to_bits()), us.index() as u64]).max(1e-9);
        acuity + self.ease(mv) - (chance / (1.0 - chance)).ln()
    }

    /// The moves that come to mind, the clearest first, at least `least` and at most `most` of them.
    pub(super) fn moves(&self, acuity: f64, least: usize, most: usize) -> Vec<Move> {
        let mut list = MoveList::new();
        list_moves::<false>(self.position, Selection::All, &mut list);
        let mut moves: Vec<(f64, Move)> = list.into_iter().map(|mv| (self.clearness(mv, acuity), mv)).collect();
        moves.sort_by(|a, b| b.0.total_cmp(&a.0));
        let seen = moves.iter().filter(|(clearness, _)| *clearness >= 0.0).count().max(least);
        moves.into_iter().take(seen.min(most)).map(|(_, mv)| mv).collect()
    }

    /// Whether a move is overlooked.
    pub(super) fn overlooks(&self, mv: Move, acuity: f64) -> bool {
        self.clearness(mv, acuity) < 0.0
    }
}

/// How many squares a king needs from one to the other.
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file().index() as i32 - b.file().index() as i32).abs();
    let ranks = (a.rank().index() as i32 - b.rank().index() as i32).abs();
    files.max(ranks)
}

/// By how many ranks a move goes forward.
fn advance(from: Square, to: Square, us: Color) -> i32 {
    from.rank().relative(us) as i32 - to.rank().relative(us) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After an opening: both sides' bishops look at each other, the rooks' pawns have advanced.
    fn position(moves: &str) -> (Position, Option<Move>, bool) {
        let mut position = Position::startpos();
        let mut last = (None, false);
        for mv in moves.split_whitespace() {
            let mv = mv.parse().unwrap();
            let captured = position.do_move(mv).captured.is_some();
            last = (Some(mv), captured);
        }
        (position, last.0, last.1)
    }

    fn ease(moves: &str, mv: &str) -> f64 {
        let (position, last, captured) = position(moves);
        Sight::new(&USUAL, &position, last, captured).ease(mv.parse().unwrap())
    }

    const USUAL: Character = Character { seed: 1, far: 1.0, retreats: 1.0, drops: 1.0 };

    #[test]
    fn an_exchange_that_has_begun_is_seen() {
        assert_eq!(ease("7g7f 3c3d 8h2b+", "3a2b"), OBVIOUS);
        assert!(ease("7g7f 3c3d", "8h2b+") > ease("7g7f 3c3d", "9g9f"));
    }

    #[test]
    fn retreats_drops_and_far_moves_are_seen_less() {
        let opening = "7g7f 3c3d 8h2b+ 3a2b";
        let near = ease(opening, "2g2f");
        assert!(ease(opening, "B*5e") < near, "a drop");
        assert!(ease(opening, "9g9f") < near, "far from the last move");
        assert!(ease("7g7f 8c8d 8h5e 8d8e", "5e8h") < ease("7g7f 8c8d 8h5e 8d8e", "5e4d"), "a retreat");
    }

    #[test]
    fn captures_beside_and_escapes_are_seen() {
        let rook_out = "2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d";
        let [attacked, left_alone] = ["P*2c", "1c1d"].map(|last| format!("{rook_out} {last}"));
        assert!(ease(&attacked, "2d2f") > ease(&left_alone, "2d2f") + 2.0, "a rook attacked by a pawn");
        assert!(ease(rook_out, "P*2c") < ease("2g2f 8c8d 2f2e 8d8e 2e2d", "2c2d"), "the pawn beside");
    }

    #[test]
    fn the_better_the_acuity_the_more_moves_are_seen() {
        let (position, last, captured) = position("7g7f 3c3d 2g2f 8c8d");
        let sight = Sight::new(&USUAL, &position, last, captured);
        let seen = [-4.0, -1.0, 1.0, 9.0].map(|acuity| sight.moves(acuity, 3, 500));
        assert!(seen.windows(2).all(|pair| pair[0].len() < pair[1].len()), "{:?}", seen.map(|moves| moves.len()));
        assert!(seen[1].iter().all(|&mv| !sight.overlooks(mv, -1.0)));
        assert_eq!(sight.moves(9.0, 3, 10).len(), 10);
    }

    #[test]
    fn a_character_is_that_of_its_game() {
        let numbers = |seed| (1..100).map(move |part| Character::new(seed).draw(&[part, 7])).collect::<Vec<_>>();
        assert_eq!(numbers(3), numbers(3));
        assert_ne!(numbers(3), numbers(4));
        let mean = numbers(5).iter().sum::<f64>() / 99.0;
        assert!((0.4..0.6).contains(&mean) && numbers(5).iter().all(|number| (0.0..1.0).contains(number)));
    }
}
