//! The numbers search is tuned by, each in one place: its value, the range that makes sense, and a
//! change that should be noticeable. Margins are in [`Score`](crate::types::Score) units, of which 90
//! are a pawn.

use super::tuning::parameters;

parameters! {
    /// First half-width of the aspiration window.
    aspiration_window: 25, 5..=100, 5;
    /// Depth from which iterations start with a narrow window.
    aspiration_depth: 4, 2..=8, 1;

    /// Reverse futility: deepest node.
    reverse_futility_depth: 8, 4..=16, 1;
    /// The margin for each ply left.
    reverse_futility_per_ply: 100, 30..=200, 10;
    /// Taken off the margin for every two plies when the position is improving.
    reverse_futility_improving: 60, 0..=150, 10;

    /// Razoring: deepest node.
    razoring_depth: 4, 1..=10, 1;
    /// Fixed margin.
    razoring_base: 280, 0..=800, 40;
    /// Margin for the square of the plies left.
    razoring_factor: 180, 40..=400, 20;

    /// Null move: shallowest node.
    null_move_depth: 3, 2..=6, 1;
    /// Base reduction in plies.
    null_move_base: 4, 2..=8, 1;
    /// Depth for each further ply of reduction.
    null_move_divisor: 4, 2..=8, 1;
    /// Evaluation above beta for each further ply of reduction.
    null_move_eval: 220, 60..=500, 20;
    /// Most plies of reduction that evaluation adds.
    null_move_eval_most: 3, 0..=8, 1;
    /// Depth from which a null move's result is verified.
    null_move_verify_depth: 14, 8..=24, 1;

    /// Shallowest node without a table move that is reduced by one ply.
    internal_reduction_depth: 5, 2..=12, 1;

    /// Singular extension: shallowest node.
    singular_depth: 5, 4..=12, 1;
    /// By how much all other moves must be worse, for two plies of depth.
    singular_margin: 2, 1..=12, 1;
    /// By how much more for an extension by two plies.
    double_extension_margin: 12, 0..=80, 5;

    /// Late-move pruning: deepest node.
    late_move_depth: 8, 4..=16, 1;
    /// Number of quiet moves before it starts at depth 0.
    late_move_base: 5, 1..=12, 1;

    /// Futility of quiet moves: deepest (reduced) node.
    futility_depth: 8, 4..=16, 1;
    /// Fixed margin.
    futility_base: 150, 0..=400, 20;
    /// Margin for each ply left.
    futility_per_ply: 110, 30..=250, 10;

    /// History pruning: deepest (reduced) node.
    history_pruning_depth: 5, 2..=10, 1;
    /// The record below zero at which a move goes, for each ply left.
    history_pruning_margin: 3500, 1000..=9000, 400;

    /// Exchanges that lose are not tried: deepest (reduced) node.
    see_depth: 8, 4..=16, 1;
    /// What a quiet move may lose, for the square of each ply left.
    see_quiet_margin: 35, 5..=100, 5;
    /// What a capture may lose, for each ply left.
    see_tactical_margin: 110, 30..=300, 15;

    /// Late-move reductions: `base + factor · ln(depth) · ln(moves)`, in 1/1024 of a ply.
    reduction_base: 410, -1024..=2048, 100;
    /// The factor of both logarithms, in 1/1024 of a ply.
    reduction_factor: 488, 200..=1000, 30;
    /// Shallowest node with reductions.
    reduction_depth: 3, 2..=4, 1;
    /// A record of this size changes the reduction by a ply.
    reduction_history: 9000, 3000..=30000, 1000;

    /// A reduced move that comes out above the best score by this much is searched again a ply deeper
    /// than usual.
    deeper_margin: 25, 5..=100, 8;
    /// One that comes out by less than this is searched again a ply less deep.
    shallower_margin: 4, 0..=40, 4;

    /// In quiescence, what a capture must bring the evaluation up to, beyond the man it takes.
    quiescence_margin: 180, 0..=500, 25;

    /// Bonus and malus of a move's record: for each ply.
    bonus_factor: 170, 50..=400, 20;
    /// Fixed part below zero.
    bonus_base: 90, -400..=400, 50;
    /// The largest.
    bonus_most: 1700, 500..=4000, 200;
}
