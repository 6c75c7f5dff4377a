//! The rules of a game, as opposed to those of a move: how it ends, and the position that a start and its moves lead
//! to.

mod game_end;
mod game_line;

pub use game_end::{GameEnd, RepetitionWarning, SpecialMove};
pub use game_line::{GameLine, LineError};

use crate::position::{Declaration, EnteringKingRule, Position};
use crate::types::Color;

/// The rules that differ from one tournament to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rules {
    /// The rule by which an entered king wins.
    pub king_rule: EnteringKingRule,
    /// The game is drawn after this many moves; `None` for never.
    pub max_moves: Option<u32>,
}

impl Rules {
    /// Whether the side to move can win by declaration now: the quick form of [`GameEnd::Declaration`], for search.
    #[inline(always)]
    pub fn can_declare(&self, position: &Position) -> bool {
        position.can_declare(self.king_rule)
    }

    /// Whether the side that moved last has won by the try rule.
    pub fn has_tried(&self, position: &Position) -> bool {
        let side = !position.side_to_move();
        self.king_rule == EnteringKingRule::TryRule
            && position.king_square(side) == Some(EnteringKingRule::try_square(side))
    }

    /// How a side stands by each rule under which a king wins or draws by entering; those with handicap only where
    /// one was given.
    pub fn declarations(position: &Position, side: Color) -> impl Iterator<Item = Declaration> {
        let handicap = Color::ALL.iter().any(|&color| position.handicap_points(color) > 0);
        let applies = move |rule: &EnteringKingRule| match rule {
            EnteringKingRule::NoEnteringKing => false,
            EnteringKingRule::CsaRule24H | EnteringKingRule::CsaRule27H => handicap,
            EnteringKingRule::CsaRule24 | EnteringKingRule::CsaRule27 | EnteringKingRule::TryRule => true,
        };
        let rules = EnteringKingRule::ALL.into_iter().filter(applies);
        rules.map(move |rule| position.declaration_of(side, rule))
    }

    /// Whether enough moves were made that the game is drawn, unless the last one left no legal move or made a
    /// repetition; [`GameEnd::from_position`] says why in this order.
    #[inline(always)]
    pub fn is_too_long(&self, position: &Position) -> bool {
        self.max_moves.is_some_and(|limit| position.game_ply() > limit)
    }
}
