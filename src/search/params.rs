//! The numbers search is tuned by, each in one place. Margins are in [`Score`](crate::types::Score)
//! units, of which 90 are a pawn.

use crate::types::Depth;

/// First half-width of the aspiration window.
pub(super) const ASPIRATION_WINDOW: i32 = 25;
/// Depth from which iterations start with a narrow window.
pub(super) const ASPIRATION_DEPTH: Depth = 4;

/// Reverse futility: deepest node, and the margin for each ply left.
pub(super) const REVERSE_FUTILITY_DEPTH: Depth = 8;
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 100;
/// Taken off that margin for each ply when the position is improving.
pub(super) const REVERSE_FUTILITY_IMPROVING: i32 = 60;

/// Razoring: deepest node, fixed margin and margin for the square of the plies left.
pub(super) const RAZORING_DEPTH: Depth = 4;
pub(super) const RAZORING_BASE: i32 = 280;
pub(super) const RAZORING_FACTOR: i32 = 180;

/// Null move: shallowest node, base reduction, depth for each further ply, score for each further ply.
pub(super) const NULL_MOVE_DEPTH: Depth = 3;
pub(super) const NULL_MOVE_BASE: Depth = 4;
pub(super) const NULL_MOVE_DIVISOR: Depth = 4;
pub(super) const NULL_MOVE_EVAL: i32 = 220;
pub(super) const NULL_MOVE_EVAL_MOST: i32 = 3;

/// Shallowest node without a table move that is reduced by one ply.
pub(super) const INTERNAL_REDUCTION_DEPTH: Depth = 5;

/// Singular extension: shallowest node; by how much all other moves must be worse, for two plies of depth;
/// and by how much more for an extension by two plies.
pub(super) const SINGULAR_DEPTH: Depth = 5;
pub(super) const SINGULAR_MARGIN: i32 = 2;
pub(super) const DOUBLE_EXTENSION_MARGIN: i32 = 12;

/// Late-move pruning: deepest node and the number of quiet moves before it starts.
pub(super) const LATE_MOVE_DEPTH: Depth = 8;
pub(super) const LATE_MOVE_BASE: i32 = 5;

/// Futility of quiet moves: deepest (reduced) node, fixed margin, margin for each ply left.
pub(super) const FUTILITY_DEPTH: Depth = 8;
pub(super) const FUTILITY_BASE: i32 = 150;
pub(super) const FUTILITY_MARGIN: i32 = 110;

/// History pruning: deepest (reduced) node, and the record below which a move goes, for each ply left.
pub(super) const HISTORY_PRUNING_DEPTH: Depth = 5;
pub(super) const HISTORY_PRUNING_MARGIN: i32 = -3500;

/// Exchanges that lose more than this for each ply left are not tried: quiet moves, captures.
pub(super) const SEE_DEPTH: Depth = 8;
pub(super) const SEE_QUIET_MARGIN: i32 = -35;
pub(super) const SEE_TACTICAL_MARGIN: i32 = -110;

/// Late-move reductions: `base + ln(depth) · ln(moves) / divisor`, in plies.
pub(super) const REDUCTION_BASE: f64 = 0.4;
pub(super) const REDUCTION_DIVISOR: f64 = 2.1;
pub(super) const REDUCTION_DEPTH: Depth = 3;
/// A record of this size changes the reduction by a ply.
pub(super) const REDUCTION_HISTORY: i32 = 9000;

/// A reduced move that comes out above the best score by this much is searched again a ply deeper than usual; one
/// that comes out by less than this, a ply less deep.
pub(super) const DEEPER_MARGIN: i32 = 25;
pub(super) const SHALLOWER_MARGIN: i32 = 4;

/// In quiescence, what a capture must bring the evaluation up to, beyond the man it takes.
pub(super) const QUIESCENCE_MARGIN: i32 = 180;

/// Bonus and malus of a move's record: for each ply, fixed part, and largest.
pub(super) const BONUS_FACTOR: i32 = 170;
pub(super) const BONUS_BASE: i32 = -90;
pub(super) const BONUS_MOST: i32 = 1700;
