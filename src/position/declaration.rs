//! Wins by entering king (jishogi, 持将棋): declarations and the try rule.

use std::fmt;

use super::Position;
use crate::bitboard::{Bitboard, king_attacks};
use crate::types::{Color, File, Move, PieceType, Rank, Square};

/// By which rule an entered king wins. The names are those of YaneuraOu's option of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EnteringKingRule {
    /// No such win.
    NoEnteringKing,
    /// 24-point rule: 31 points win, 24 to 30 draw.
    CsaRule24,
    /// The same, with White's requirement lowered by the pieces it gave as handicap.
    CsaRule24H,
    /// 27-point rule: 28 points win for Black, 27 for White.
    #[default]
    CsaRule27,
    /// The same, with White's requirement lowered by the pieces it gave as handicap.
    CsaRule27H,
    /// The king wins by reaching the square where the enemy king starts.
    TryRule,
}

impl EnteringKingRule {
    /// Every rule, in the order of the option.
    pub const ALL: [EnteringKingRule; 6] = {
        use EnteringKingRule::*;
        [NoEnteringKing, CsaRule24, CsaRule24H, CsaRule27, CsaRule27H, TryRule]
    };

    /// The option values that select them.
    pub const NAMES: [&str; 6] = ["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];

    /// The option value that selects the rule.
    pub const fn name(self) -> &'static str {
        EnteringKingRule::NAMES[self as usize]
    }

    /// Where the enemy king starts, and a side's king wins by the try rule: 5a for Black, 5i for White.
    pub const fn try_square(side: Color) -> Square {
        const OF_BLACK: Square = Square::at(File::new(4).unwrap(), Rank::new(0).unwrap());
        OF_BLACK.relative(side)
    }
}

impl fmt::Display for EnteringKingRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a side stands under an entering-king rule. Only the side to move may declare; for the other side this is what it
/// could do if it were its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The side that is asked about.
    pub side: Color,
    /// The rule that was asked.
    pub rule: EnteringKingRule,
    /// Whether the side may declare and wins (by the try rule: with `try_move`).
    pub wins: bool,
    /// Whether it may declare and draws: by the 24-point rules, with 24 to 30 points.
    pub draws: bool,
    /// Points of the pieces in the enemy's three ranks and in hand: rooks and bishops 5, others 1, king 0.
    pub points: u32,
    /// Pieces in the enemy's three ranks, without the king.
    pub pieces: u32,
    /// What a win requires; `None` where no declaration wins.
    pub needed: Option<Requirement>,
    /// Whether the king stands in the enemy's three ranks.
    pub king_entered: bool,
    /// Whether the side is in check, which forbids a declaration.
    pub in_check: bool,
    /// By the try rule, the king's move that wins.
    pub try_move: Option<Move>,
}

/// What a declaration requires besides a king that is in the enemy's three ranks and not in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Points that win, less those given as handicap.
    pub points: u32,
    /// Points that draw, less those given as handicap; `None` under rules without such a draw.
    pub draw_points: Option<u32>,
    /// Pieces in the enemy's three ranks, without the king.
    pub pieces: u32,
}

impl Declaration {
    /// Points missing for a win.
    pub fn points_short(&self) -> u32 {
        self.needed.map_or(0, |needed| needed.points.saturating_sub(self.points))
    }

    /// Pieces missing in the enemy's three ranks.
    pub fn pieces_short(&self) -> u32 {
        self.needed.map_or(0, |needed| needed.pieces.saturating_sub(self.pieces))
    }
}

/// What the side has and what it lacks, in words.
impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(mv) = self.try_move {
            return write!(f, "wins with {mv}");
        }
        let Some(needed) = self.needed else {
            return f.write_str(match self.rule {
                EnteringKingRule::TryRule => "the king cannot step on the square where the enemy king starts",
                _ => "no declarations",
            });
        };
        let mut missing = Vec::new();
        if !self.king_entered {
            missing.push("king not in the zone".to_owned());
        }
        let counted = |count: u32, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let short = [(self.pieces_short(), "piece"), (self.points_short(), "point")];
        let short: Vec<String> =
            short.into_iter().filter(|&(count, _)| count > 0).map(|(count, word)| counted(count, word)).collect();
        if !short.is_empty() {
            missing.push(format!("{} short", short.join(" and ")));
        }
        if self.in_check {
            missing.push("in check".to_owned());
        }
        write!(f, "{} of {} points, {} of {} pieces: ", self.points, needed.points, self.pieces, needed.pieces)?;
        match (missing.is_empty(), self.draws) {
            (true, _) => f.write_str("wins"),
            (false, true) => write!(f, "draws ({} of a win)", missing.join(", ")),
            (false, false) => f.write_str(&missing.join(", ")),
        }
    }
}

/// All points of a full set of pieces.
const SET_POINTS: u32 = 54;
/// Pieces a declarer needs in the zone besides the king.
const PIECES_NEEDED: u32 = 10;

impl EnteringKingRule {
    /// What the rule requires of a side; points that it gave as handicap count only under the rules that say so.
    fn requirement(self, side: Color, handicap: impl FnOnce() -> u32) -> Option<Requirement> {
        use EnteringKingRule::*;
        let (points, draw_points, given): (u32, Option<u32>, u32) = match self {
            NoEnteringKing | TryRule => return None,
            CsaRule24 => (31, Some(24), 0),
            CsaRule24H => (31, Some(24), handicap()),
            CsaRule27 => ([28, 27][side.index()], None, 0),
            CsaRule27H => ([28, 27][side.index()], None, handicap()),
        };
        Some(Requirement {
            points: points.saturating_sub(given),
            draw_points: draw_points.map(|points| points.saturating_sub(given)),
            pieces: PIECES_NEEDED,
        })
    }
}

impl Position {
    /// How the side to move stands by a rule (CSA server protocol; the rules' points and conditions
    /// are listed in the Japanese Shogi Association's and the CSA's rule texts).
    pub fn declaration(&self, rule: EnteringKingRule) -> Declaration {
        self.declaration_of(self.side_to_move, rule)
    }

    /// How a side stands by a rule.
    pub fn declaration_of(&self, side: Color, rule: EnteringKingRule) -> Declaration {
        let zone = self.pieces(side) & Bitboard::promotion_zone(side) & !self.pieces_of_type(PieceType::King);
        let points = self.points(zone) + self.hand_points(side);
        let pieces = zone.count();
        let needed = rule.requirement(side, || self.handicap_points(side));
        let king_entered = self.king_square(side).is_some_and(|king| king.in_promotion_zone(side));
        let in_check = side == self.side_to_move && self.in_check();
        let reaches = |points_needed| {
            let enough = |needed: Requirement| pieces >= needed.pieces && points >= points_needed;
            king_entered && !in_check && needed.is_some_and(enough)
        };
        let try_move = if rule == EnteringKingRule::TryRule { self.try_move(side) } else { None };
        let wins = try_move.is_some() || needed.is_some_and(|needed| reaches(needed.points));
        let draws = !wins && needed.and_then(|needed| needed.draw_points).is_some_and(reaches);
        Declaration { side, rule, wins, draws, points, pieces, needed, king_entered, in_check, try_move }
    }

    /// Whether the side to move can win by declaration now: the quick form for search.
    #[inline]
    pub fn can_declare(&self, rule: EnteringKingRule) -> bool {
        let us = self.side_to_move;
        rule != EnteringKingRule::NoEnteringKing
            && self.king_square(us).is_some_and(|king| king.in_promotion_zone(us))
            && self.declaration(rule).wins
    }

    fn points(&self, pieces: Bitboard) -> u32 {
        pieces.count() + 4 * (pieces & (self.diagonal_sliders() | self.orthogonal_sliders())).count()
    }

    /// The points of all of a side's pieces, anywhere on the board and in hand: five for a bishop or rook, promoted or
    /// not, none for the king, one for each other.
    pub fn all_points(&self, color: Color) -> u32 {
        self.points(self.pieces(color) & !self.pieces_of_type(PieceType::King)) + self.hand_points(color)
    }

    fn hand_points(&self, color: Color) -> u32 {
        let hand = self.hand(color);
        hand.total() + 4 * (hand.count(PieceType::Bishop) + hand.count(PieceType::Rook))
    }

    /// The points that White gave as handicap: what is missing from the set. White is the giver, so
    /// Black's requirement never changes.
    pub fn handicap_points(&self, color: Color) -> u32 {
        if color == Color::Black {
            return 0;
        }
        let board = self.points(self.occupied() & !self.pieces_of_type(PieceType::King));
        SET_POINTS.saturating_sub(board + self.hand_points(Color::Black) + self.hand_points(Color::White))
    }

    fn try_move(&self, side: Color) -> Option<Move> {
        let king = self.king_square(side)?;
        let goal = EnteringKingRule::try_square(side);
        if !king_attacks(king).contains(goal) {
            return None;
        }
        let mv = Move::board(king, goal, false);
        (side == self.side_to_move && self.is_legal(mv)).then_some(mv)
    }
}
