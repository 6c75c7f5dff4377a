//! The numbers search is tuned by, each in one place: its value, the range that makes sense, and a
//! change that should be noticeable. Margins are in [`Score`](crate::types::Score) units, of which 90
//! are a pawn; reductions in 1/1024 of a ply. Most started from what Stockfish and YaneuraOu use; thirty of
//! those that matter most were then tuned by SPSA on pairs of games at 7,000 and 20,000 nodes a move.

pub(crate) mod reductions;
mod tuning;

pub use tuning::Parameter;
use tuning::parameters;

use crate::types::Depth;

/// Mate is mate at any depth: by so many plies deeper than it was searched it is stored in the table.
pub(crate) const MATE_DEPTH: Depth = 6;

parameters! {
    /// First half-width of the aspiration window.
    aspiration_window: 5, 2..=100, 3;

    /// Evaluation change of the opponent's last move: its weight in the move's history score.
    change_factor: 10, 0..=30, 2;
    /// What the history score gains when nothing changed.
    change_base: 600, -500..=1500, 100;

    /// Reduction from which a node that was reduced too much is searched a ply deeper.
    hindsight_deeper: 3, 1..=6, 1;
    /// Reduction from which a node that turns out well is searched a ply less deep.
    hindsight_shallower: 2, 1..=6, 1;
    /// How well: the sum of both sides' evaluations.
    hindsight_margin: 173, 0..=500, 20;

    /// Razoring: fixed margin.
    razoring_base: 502, 0..=1000, 40;
    /// Margin for the square of the plies left.
    razoring_factor: 380, 40..=600, 30;

    /// Reverse futility: deepest node.
    reverse_futility_depth: 14, 4..=20, 1;
    /// The margin for each ply left.
    reverse_futility_per_ply: 71, 30..=200, 8;
    /// Taken off for each ply when the table knows nothing of the node.
    reverse_futility_unknown: 21, 0..=60, 4;
    /// Taken off when the position is improving, in 1/1024 of the margin for a ply.
    reverse_futility_improving: 2686, 0..=5000, 200;
    /// Taken off when the opponent's position is worsening, in 1/1024 of the margin for a ply.
    reverse_futility_worsening: 362, 0..=2000, 100;

    /// Null move: by how much the evaluation must be above beta.
    null_move_base: 171, 0..=800, 30;
    /// What a ply of depth takes off that.
    null_move_per_ply: 16, 0..=50, 3;
    /// What improving takes off that.
    null_move_improving: 53, 0..=200, 10;
    /// Base reduction in plies.
    null_move_reduction: 7, 3..=9, 1;
    /// Depth for each further ply of reduction.
    null_move_divisor: 3, 2..=8, 1;
    /// Depth from which a null move's result is verified.
    null_move_verify_depth: 16, 8..=24, 1;

    /// Shallowest node without a table move that is reduced by one ply.
    internal_reduction_depth: 6, 2..=12, 1;

    /// ProbCut: shallowest node.
    prob_cut_depth: 3, 2..=8, 1;
    /// By how much a capture must beat beta.
    prob_cut_margin: 179, 80..=500, 15;
    /// Taken off that when the position is improving.
    prob_cut_improving: 61, 0..=150, 10;
    /// By how much the proof is less deep.
    prob_cut_reduction: 4, 2..=6, 1;
    /// By how much a shallower entry of the table must beat beta to be believed.
    prob_cut_tt: 416, 150..=1000, 30;

    /// Late-move pruning: number of moves before it starts at depth 0.
    late_move_base: 3, 1..=12, 1;
    /// Further moves for the square of the depth, in percent.
    late_move_factor: 146, 30..=300, 10;

    /// Captures that cannot raise alpha: deepest (reduced) node.
    capture_futility_depth: 6, 2..=12, 1;
    /// Fixed margin.
    capture_futility_base: 335, 0..=600, 25;
    /// Margin for each ply left.
    capture_futility_per_ply: 223, 50..=500, 20;
    /// What a capture or check may lose, for each ply left.
    see_tactical: 123, 30..=400, 15;

    /// History pruning: the history score below zero at which a quiet move goes, for each ply left.
    history_pruning: 2425, 1000..=9000, 300;
    /// The history score that makes a quiet move's depth a ply deeper for the pruning below.
    history_depth: 2332, 1000..=9000, 300;
    /// Futility of quiet moves: deepest (reduced) node.
    futility_depth: 12, 4..=16, 1;
    /// Fixed margin.
    futility_base: 6, 0..=400, 20;
    /// Margin while there is no best move.
    futility_no_best: 151, 0..=400, 20;
    /// Margin for each ply left.
    futility_per_ply: 65, 30..=250, 10;
    /// Margin when the evaluation is above alpha.
    futility_above: 86, 0..=300, 15;
    /// What a quiet move may lose, for the square of each (reduced) ply left.
    see_quiet: 7, 0..=100, 4;

    /// Singular extension: shallowest node.
    singular_depth: 6, 4..=12, 1;
    /// By how much all other moves must be worse for each ply, in 1/64.
    singular_margin: 64, 20..=300, 10;
    /// More of that in former nodes of the principal variation.
    singular_margin_pv: 77, 0..=300, 10;
    /// By how much more for an extension by two plies.
    double_extension: -4, -100..=200, 15;
    /// More of that in nodes of the principal variation.
    double_extension_pv: 212, 0..=500, 20;
    /// Less of that when the table's move is quiet.
    double_extension_quiet: 164, 0..=400, 20;
    /// By how much more for an extension by three plies.
    triple_extension: 73, 0..=400, 20;
    /// More of that in nodes of the principal variation.
    triple_extension_pv: 320, 0..=600, 25;
    /// Less of that when the table's move is quiet.
    triple_extension_quiet: 218, 0..=500, 20;

    /// Late-move reductions: fixed part.
    reduction_base: 1255, -1024..=3072, 80;
    /// The factor of the logarithms of depth and move number.
    reduction_factor: 548, 200..=1000, 25;
    /// More of the logarithms' part when the position is not improving, in 1/512.
    reduction_not_improving: 149, 0..=600, 20;
    /// Less where the window is as wide as at the root.
    reduction_window: 585, 0..=2000, 60;
    /// More in former nodes of the principal variation, for pruning only.
    reduction_pv_pruning: 1013, 0..=3000, 100;
    /// Offset of what follows, for searching only.
    reduction_offset: 691, -1000..=2000, 80;
    /// Less for each move before.
    reduction_per_move: 39, 0..=200, 8;
    /// How much correction of the evaluation makes one less.
    reduction_correction: 25600, 5000..=100000, 2500;
    /// Less in former nodes of the principal variation.
    reduction_pv: 2765, 0..=5000, 120;
    /// Less in nodes of the principal variation.
    reduction_open: 973, 0..=3000, 100;
    /// Less in former ones whose table score is above alpha.
    reduction_tt_above: 905, 0..=3000, 100;
    /// Less in former ones whose table entry is deep enough.
    reduction_tt_deep: 935, 0..=3000, 100;
    /// Less in those that are cut nodes.
    reduction_tt_deep_cut: 959, 0..=3000, 100;
    /// More in cut nodes.
    reduction_cut: 4345, 0..=6000, 150;
    /// More in cut nodes without a table move.
    reduction_cut_no_move: 985, 0..=3000, 100;
    /// More when the table's move captures.
    reduction_tt_capture: 1054, 0..=3000, 100;
    /// More when nodes below have failed high twice.
    reduction_cutoffs: 251, 0..=2000, 80;
    /// More when they have done so more often.
    reduction_many_cutoffs: 1124, 0..=3000, 100;
    /// More of that in nodes that are expected to fail low.
    reduction_cutoffs_all: 1042, 0..=3000, 100;
    /// Less for the table's move.
    reduction_tt_move: 2239, 0..=5000, 150;
    /// Less for each 4096 of a move's history score.
    reduction_history: 379, 100..=1500, 40;
    /// A reduced move that comes out above the best score by this much is searched again a ply deeper
    /// than usual.
    deeper_margin: 48, 5..=150, 8;
    /// One that comes out by less than this is searched again a ply less deep.
    shallower_margin: 9, 0..=60, 4;
    /// What a reduced move that raised alpha gains as a continuation.
    raised_bonus: 1426, 0..=4000, 150;
    /// Reduction from which a move that is not reduced loses a ply after all.
    late_ply: 4628, 2000..=9000, 300;
    /// Reduction from which it loses a second one.
    late_plies: 5772, 2000..=12000, 300;
    /// What the lack of a table move adds to that reduction.
    late_no_move: 1057, 0..=4000, 100;
    /// Plies taken off the moves that follow one that raised alpha.
    raised_reduction: 2, 0..=3, 1;

    /// In quiescence, what a capture must bring the evaluation up to, beyond the piece it takes.
    quiescence_margin: 281, 0..=800, 30;
    /// How many moves of a quiescence node are tried whatever they are.
    quiescence_moves: 2, 1..=12, 1;
    /// What an exchange in quiescence may lose.
    quiescence_see: 32, -100..=300, 15;

    /// Bonus of a move that raised the score: for each ply.
    bonus_factor: 169, 50..=400, 12;
    /// Fixed part below zero.
    bonus_base: 77, -400..=400, 40;
    /// The largest.
    bonus_most: 1529, 500..=4000, 120;
    /// More for the table's move.
    bonus_tt_move: 353, 0..=1000, 50;
    /// Malus of the moves tried before it: for each ply.
    malus_factor: 1094, 100..=1500, 60;
    /// Fixed part below zero.
    malus_base: 204, -400..=800, 40;
    /// The largest.
    malus_most: 2122, 500..=4000, 150;
    /// Malus of the opponent's last move where it was an early one, in 1/1024 of it.
    malus_early: 616, 0..=2048, 80;
    /// What the opponent's last move gains when it left no good answer: scale of all of it.
    prior_bonus: 1024, 0..=3000, 100;
    /// Quiet moves with a history score worse than this below zero come after losing captures.
    good_quiet: 10997, 4000..=40000, 1500;
    /// What a quiet check is worth in the order of moves.
    check_order: 23829, 0..=40000, 1500;
    /// Losing captures: how much of its order a capture may lose, as a divisor.
    good_capture: 18, 4..=100, 4;

    /// Correction of the evaluation: weight of the pawns' lesson, in 1/131072.
    correction_pawns: 12153, 0..=40000, 1200;
    /// Of that of the minor pieces.
    correction_minors: 8620, 0..=40000, 1200;
    /// Of those of each side's pieces other than pawns.
    correction_others: 12355, 0..=40000, 1200;
    /// Of that of the hands.
    correction_hands: 10497, 0..=40000, 1200;
    /// Of those of the last moves.
    correction_moves: 14171, 0..=40000, 1200;
}
