//! Wins by entering king (jishogi, 持将棋): declarations and the try rule.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Position;
use crate::bitboard::{Bitboard, king_attacks};
use crate::types::{Color, File, Move, PieceType, Rank, Square};

/// By which rule an entered king wins. The names are those of YaneuraOu's option of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EnteringKingRule {
    /// No such win.
    NoEnteringKing,
    /// 24-point rule: 31 points win (24 to 30 are a draw, which nobody declares).
    CsaRule24,
    /// The same, with White's requirement lowered by the men it gave as handicap.
    CsaRule24H,
    /// 27-point rule: 28 points win for Black, 27 for White.
    #[default]
    CsaRule27,
    /// The same, with White's requirement lowered by the men it gave as handicap.
    CsaRule27H,
    /// The king wins by reaching the square where the enemy king starts.
    TryRule,
}

impl EnteringKingRule {
    /// Every rule, in the order of the option.
    pub const ALL: [EnteringKingRule; 6] = [
        EnteringKingRule::NoEnteringKing,
        EnteringKingRule::CsaRule24,
        EnteringKingRule::CsaRule24H,
        EnteringKingRule::CsaRule27,
        EnteringKingRule::CsaRule27H,
        EnteringKingRule::TryRule,
    ];

    /// The option value that selects the rule.
    pub const fn name(self) -> &'static str {
        match self {
            EnteringKingRule::NoEnteringKing => "NoEnteringKing",
            EnteringKingRule::CsaRule24 => "CSARule24",
            EnteringKingRule::CsaRule24H => "CSARule24H",
            EnteringKingRule::CsaRule27 => "CSARule27",
            EnteringKingRule::CsaRule27H => "CSARule27H",
            EnteringKingRule::TryRule => "TryRule",
        }
    }
}

impl fmt::Display for EnteringKingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no entering-king rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no entering-king rule is called {0:?}")]
pub struct ParseRuleError(pub String);

impl FromStr for EnteringKingRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, ParseRuleError> {
        let found = Self::ALL.into_iter().find(|rule| rule.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| ParseRuleError(text.to_owned()))
    }
}

/// How the side to move stands by an entering-king rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The rule that was asked.
    pub rule: EnteringKingRule,
    /// Whether the side to move may declare now and wins (by the try rule: with `try_move`).
    pub wins: bool,
    /// Points of the men in the enemy's three ranks and in hand: rooks and bishops 5, others 1, king 0.
    pub points: u32,
    /// Men in the enemy's three ranks, without the king.
    pub pieces: u32,
    /// By the try rule, the king's move that wins.
    pub try_move: Option<Move>,
}

/// All points of a full set of men.
const SET_POINTS: u32 = 54;
/// Men a declarer needs in the zone besides the king.
const MEN_NEEDED: u32 = 10;

impl Position {
    /// How the side to move stands by a rule (CSA server protocol; the rules' points and conditions
    /// are listed in the Japanese Shogi Association's and the CSA's rule texts).
    pub fn declaration(&self, rule: EnteringKingRule) -> Declaration {
        use EnteringKingRule::*;
        let us = self.side_to_move;
        let zone_men = self.men(us) & Bitboard::promotion_zone(us) & !self.men_of_type(PieceType::King);
        let points = self.points(zone_men) + self.hand_points(us);
        let pieces = zone_men.count();
        let mut declaration = Declaration { rule, wins: false, points, pieces, try_move: None };
        let needed = match rule {
            NoEnteringKing => return declaration,
            TryRule => {
                declaration.try_move = self.try_move();
                declaration.wins = declaration.try_move.is_some();
                return declaration;
            }
            CsaRule24 => 31,
            CsaRule24H => 31 - self.handicap_points(us).min(31),
            CsaRule27 => [28, 27][us.index()],
            CsaRule27H => [28, 27][us.index()] - self.handicap_points(us).min(27),
        };
        let king_entered = self.king_square(us).is_some_and(|king| king.in_promotion_zone(us));
        declaration.wins = king_entered && !self.in_check() && pieces >= MEN_NEEDED && points >= needed;
        declaration
    }

    /// Whether the side to move can win by declaration now: the quick form for search.
    #[inline]
    pub fn can_declare(&self, rule: EnteringKingRule) -> bool {
        let us = self.side_to_move;
        rule != EnteringKingRule::NoEnteringKing
            && self.king_square(us).is_some_and(|king| king.rank().relative(us) <= 3)
            && self.declaration(rule).wins
    }

    fn points(&self, men: Bitboard) -> u32 {
        men.count() + 4 * (men & (self.diagonal_sliders() | self.orthogonal_sliders())).count()
    }

    fn hand_points(&self, color: Color) -> u32 {
        let hand = self.hand(color);
        hand.total() + 4 * (hand.count(PieceType::Bishop) + hand.count(PieceType::Rook))
    }

    /// The points White gave as handicap: what is missing from the set. White is the giver, so
    /// Black's requirement never changes.
    fn handicap_points(&self, color: Color) -> u32 {
        if color == Color::Black {
            return 0;
        }
        let board = self.points(self.occupied() & !self.men_of_type(PieceType::King));
        SET_POINTS.saturating_sub(board + self.hand_points(Color::Black) + self.hand_points(Color::White))
    }

    fn try_move(&self) -> Option<Move> {
        let us = self.side_to_move;
        let king = self.king_square(us)?;
        // 5a for Black, 5i for White.
        let goal = Square::at(File::new(4)?, Rank::new(0)?).relative(us);
        if !king_attacks(king).contains(goal) {
            return None;
        }
        let mv = Move::board(king, goal, false);
        self.is_legal(mv).then_some(mv)
    }
}
