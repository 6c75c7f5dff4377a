//! The table of the numbers.
//!
//! Length: one row for each number, so that each is found by its name in one place.

use super::tuning::parameters;

parameters! {
    /// First half-width of the aspiration window.
    aspiration_window: 33, 2..=100, 3;

    /// Evaluation change of the opponent's last move: its weight in the move's history score.
    change_factor: 6, 0..=30, 2;
    /// What the history score gains when nothing changed.
    change_base: -137, -500..=1500, 100;

    /// Reduction from which a node that was reduced too much is searched a ply deeper.
    hindsight_deeper: 3, 1..=6, 1;
    /// Reduction from which a node that turns out well is searched a ply less deep.
    hindsight_shallower: 3, 1..=6, 1;
    /// How well: the sum of both sides' evaluations.
    hindsight_margin: 204, 0..=500, 20;

    /// Razoring: fixed margin.
    razoring_base: 509, 0..=1000, 40;
    /// Margin for the square of the plies left.
    razoring_factor: 294, 40..=600, 30;

    /// Reverse futility: deepest node.
    reverse_futility_depth: 14, 4..=20, 1;
    /// The margin for each ply left.
    reverse_futility_per_ply: 72, 30..=200, 8;
    /// Taken off for each ply when the table knows nothing of the node.
    reverse_futility_unknown: 21, 0..=60, 4;
    /// Taken off when the position is improving, in 1/1024 of the margin for a ply.
    reverse_futility_improving: 1457, 0..=5000, 200;
    /// Taken off when the opponent's position is worsening, in 1/1024 of the margin for a ply.
    reverse_futility_worsening: 304, 0..=2000, 100;
    /// How much correction of the static evaluation adds a point to the margin, in eighths of a point.
    reverse_futility_correction: 7, 1..=40, 2;

    /// Null move: by how much the evaluation must be above beta.
    null_move_base: 110, 0..=800, 30;
    /// What a ply of depth takes off that.
    null_move_per_ply: 20, 0..=50, 3;
    /// What improving takes off that.
    null_move_improving: 77, 0..=200, 10;
    /// Base reduction in plies.
    null_move_reduction: 7, 3..=9, 1;
    /// Depth for each further ply of reduction.
    null_move_divisor: 2, 2..=8, 1;
    /// Depth from which a null move's result is verified.
    null_move_verify_depth: 16, 8..=24, 1;
    /// For how much of the verification's depth null moves are off, in quarters.
    null_move_verify_quarters: 2, 1..=4, 1;

    /// Shallowest node without a table move that is reduced by one ply.
    internal_reduction_depth: 6, 2..=12, 1;
    /// A node that was reduced by more than this is not reduced again for want of a table move.
    internal_reduction_limit: 3, 1..=6, 1;

    /// ProbCut: shallowest node.
    prob_cut_depth: 3, 2..=8, 1;
    /// By how much a capture must beat beta.
    prob_cut_margin: 141, 80..=500, 15;
    /// Taken off that when the position is improving.
    prob_cut_improving: 27, 0..=150, 10;
    /// By how much the proof is less deep.
    prob_cut_reduction: 5, 2..=6, 1;
    /// By how much the score of a shallower table entry must beat beta to cut the node off.
    prob_cut_tt: 493, 150..=1000, 30;

    /// By how many plies its search may have been shallower.
    prob_cut_tt_depth: 4, 1..=8, 1;

    /// Late-move pruning: number of moves before it starts at depth 0.
    late_move_base: 4, 1..=12, 1;
    /// Further moves for the square of the depth, in percent.
    late_move_factor: 117, 30..=300, 10;

    /// Captures that cannot raise alpha: deepest (reduced) node.
    capture_futility_depth: 6, 2..=12, 1;
    /// Fixed margin.
    capture_futility_base: 307, 0..=600, 25;
    /// Margin for each ply left.
    capture_futility_per_ply: 261, 50..=500, 20;
    /// Weight of the capture's history score, in 1/1024.
    capture_futility_history: 121, 0..=512, 20;
    /// What a capture or check may lose in an exchange, for each ply left.
    see_tactical: 129, 30..=400, 15;
    /// History score of a capture that lets it lose a point more, as a divisor.
    see_tactical_history: 24, 8..=128, 6;

    /// History pruning: the history score below zero at which a quiet move goes, for each ply left.
    history_pruning: 2271, 1000..=9000, 300;
    /// Weight of the butterfly history beside continuation and pawn history for the pruning below, in 1/32.
    history_pruning_quiet: 48, 0..=200, 8;
    /// The history score that makes a quiet move's depth a ply deeper for the pruning below.
    history_depth: 3313, 1000..=9000, 300;
    /// Futility of quiet moves: deepest (reduced) node.
    futility_depth: 11, 4..=16, 1;
    /// Fixed margin.
    futility_base: 1, 0..=400, 20;
    /// Margin while there is no best move.
    futility_no_best: 12, 0..=400, 20;
    /// Margin for each ply left.
    futility_per_ply: 31, 30..=250, 10;
    /// Margin when the evaluation is above alpha.
    futility_above: 86, 0..=300, 15;
    /// What a quiet move may lose, for the square of each (reduced) ply left.
    see_quiet: 10, 0..=100, 4;

    /// Singular extension: shallowest node.
    singular_depth: 5, 4..=12, 1;
    /// By how many plies the search of the table entry may have been shallower.
    singular_tt_depth: 3, 1..=6, 1;
    /// By how much all other moves must be worse for each ply, in 1/64.
    singular_margin: 40, 20..=300, 10;
    /// More of that in former nodes of the principal variation.
    singular_margin_pv: 79, 0..=300, 10;
    /// By how much more for an extension by two plies.
    double_extension: 5, -100..=200, 15;
    /// More of that in nodes of the principal variation.
    double_extension_pv: 171, 0..=500, 20;
    /// Less of that when the table's move is quiet.
    double_extension_quiet: 157, 0..=400, 20;
    /// By how much more for an extension by three plies.
    triple_extension: 91, 0..=400, 20;
    /// More of that in nodes of the principal variation.
    triple_extension_pv: 321, 0..=600, 25;
    /// Less of that when the table's move is quiet.
    triple_extension_quiet: 207, 0..=500, 20;
    /// More of that in former nodes of the principal variation.
    triple_extension_tt_pv: 94, 0..=400, 20;
    /// Double and triple extension: less where the static evaluation was corrected, as a divisor of the correction.
    extension_correction: 197225, 50000..=1000000, 20000;
    /// Less where the line is longer than the iteration.
    extension_deep: 23, 0..=200, 10;
    /// Less for a double extension where table moves have fared well, as a divisor of their history score.
    extension_tt_history: 121, 32..=512, 16;
    /// Negative extension of a table move that is not singular, where its score is above beta.
    negative_extension_beta: 3, 1..=4, 1;
    /// The same in other cut nodes.
    negative_extension_cut: 2, 1..=4, 1;
    /// Ply from which moves to and fro are not extended.
    shuffling_ply: 19, 8..=40, 2;
    /// Multi-cut: malus in the table moves' history, for each ply.
    multi_cut_malus_factor: 106, 0..=400, 15;
    /// Fixed part.
    multi_cut_malus_base: 460, 0..=1500, 50;
    /// The largest.
    multi_cut_malus_most: 3739, 1000..=8000, 200;

    /// Late-move reductions: fixed part.
    reduction_base: 1277, -1024..=3072, 80;
    /// The factor of the logarithms of depth and move number.
    reduction_factor: 550, 200..=1000, 25;
    /// More of the logarithms' part when the position is not improving, in 1/512.
    reduction_not_improving: 149, 0..=600, 20;
    /// Less where the window is as wide as at the root.
    reduction_window: 772, 0..=2000, 60;
    /// More in former nodes of the principal variation, for pruning only.
    reduction_pv_pruning: 1183, 0..=3000, 100;
    /// Offset of what follows, for searching only.
    reduction_offset: 943, -1000..=2000, 80;
    /// Less for each move before.
    reduction_per_move: 9, 0..=200, 8;
    /// How much correction of the evaluation makes one less.
    reduction_correction: 26265, 5000..=100000, 2500;
    /// Less in former nodes of the principal variation.
    reduction_pv: 3168, 0..=5000, 120;
    /// Less in nodes of the principal variation.
    reduction_open: 877, 0..=3000, 100;
    /// Less in former ones whose table score is above alpha.
    reduction_tt_above: 1176, 0..=3000, 100;
    /// Less in former ones whose table entry is deep enough.
    reduction_tt_deep: 914, 0..=3000, 100;
    /// Less in those that are cut nodes.
    reduction_tt_deep_cut: 732, 0..=3000, 100;
    /// More in cut nodes.
    reduction_cut: 4260, 0..=6000, 150;
    /// More in cut nodes without a table move.
    reduction_cut_no_move: 504, 0..=3000, 100;
    /// More when the table's move captures.
    reduction_tt_capture: 1284, 0..=3000, 100;
    /// More when nodes below have failed high twice.
    reduction_cutoffs: 377, 0..=2000, 80;
    /// More when they have done so more often.
    reduction_many_cutoffs: 1123, 0..=3000, 100;
    /// More of that in nodes that are expected to fail low.
    reduction_cutoffs_all: 843, 0..=3000, 100;
    /// Less for the table's move.
    reduction_tt_move: 1465, 0..=5000, 150;
    /// Less for each 4096 of a move's history score.
    reduction_history: 340, 100..=1500, 40;
    /// More in nodes that are expected to fail low, in 1/256 of the rest: dividend ...
    reduction_all: 200, 0..=800, 25;
    /// ... and what is added to the divisor, which grows with the depth.
    reduction_all_base: 266, 64..=1024, 25;
    /// Weight of a captured piece's value in the history score of a capture, in quarters.
    reduction_victim: 36, 0..=80, 3;
    /// A reduced move that comes out above the best score by this much is searched again a ply deeper
    /// than usual.
    deeper_margin: 16, 5..=150, 8;
    /// One that comes out by less than this is searched again a ply less deep.
    shallower_margin: 11, 0..=60, 4;
    /// What a reduced move that raised alpha gains as a continuation.
    raised_bonus: 2157, 0..=4000, 150;
    /// Reduction from which a move that is not reduced loses a ply after all.
    late_ply: 4120, 2000..=9000, 300;
    /// Reduction from which it loses a second one.
    late_plies: 5789, 2000..=12000, 300;
    /// What the lack of a table move adds to that reduction.
    late_no_move: 1507, 0..=4000, 100;
    /// Plies taken off the moves that follow one that raised alpha.
    raised_reduction: 2, 0..=3, 1;
    /// Shallowest node in which that is done.
    raised_depth_min: 3, 1..=8, 1;
    /// Deepest node in which that is done.
    raised_depth_max: 13, 8..=20, 1;

    /// In quiescence, what a capture must bring the evaluation up to, beyond the piece it takes.
    quiescence_margin: 68, 0..=800, 30;
    /// How many moves of a quiescence node are tried whatever they are.
    quiescence_moves: 1, 1..=12, 1;
    /// What an exchange in quiescence may lose.
    quiescence_see: 15, -100..=300, 15;

    /// Nodes of at least this depth are cut off by the table even where its score is on the other side of beta than
    /// was expected.
    tt_cutoff_depth: 5, 2..=12, 1;

    /// Bonus of a move that raised the score: for each ply.
    bonus_factor: 245, 50..=400, 12;
    /// Fixed part below zero.
    bonus_base: -14, -400..=400, 40;
    /// The largest.
    bonus_most: 1602, 500..=4000, 120;
    /// More for the table's move.
    bonus_tt_move: 348, 0..=1000, 50;
    /// Malus of the moves tried before it: for each ply.
    malus_factor: 923, 100..=1500, 60;
    /// Fixed part below zero.
    malus_base: 131, -400..=800, 40;
    /// The largest.
    malus_most: 1825, 500..=4000, 150;
    /// Malus of the opponent's last move where it was an early one, in 1/1024 of it.
    malus_early: 712, 0..=2048, 80;
    /// Part of the opponent's last move's history score that is added to the bonus, as a divisor.
    bonus_prior_history: 32, 8..=128, 6;
    /// Bonus of a quiet best move, in 1/1024.
    bonus_quiet: 798, 256..=2048, 60;
    /// Malus of quiet moves tried before it, in 1/1024.
    malus_quiet: 1210, 256..=2048, 60;
    /// What is left of it from each such move to the next, in 1/1024.
    malus_quiet_decay: 991, 700..=1024, 15;
    /// Bonus of a best move that captures, in 1/1024.
    bonus_capture: 999, 256..=3000, 80;
    /// Malus of captures tried before the best move, in 1/1024.
    malus_capture: 1571, 256..=3000, 80;
    /// Low-ply history: weight of a bonus, in 1/1024.
    history_low_ply: 830, 0..=2048, 60;
    /// Continuation history: weight of a bonus, in 1/1024.
    history_continuation: 755, 256..=2048, 60;
    /// The part of that for the move one ply before, in 1/1024.
    history_continuation_1: 1273, 0..=2048, 60;
    /// For the move two plies before.
    history_continuation_2: 636, 0..=2048, 60;
    /// For the move three plies before.
    history_continuation_3: 459, 0..=2048, 40;
    /// For the move four plies before.
    history_continuation_4: 514, 0..=2048, 60;
    /// For the move five plies before.
    history_continuation_5: 267, 0..=2048, 40;
    /// For the move six plies before.
    history_continuation_6: 511, 0..=2048, 40;
    /// What any move that is judged gains as the answer to the last one: it was at least worth a try.
    history_answer: 50, 0..=400, 15;
    /// Pawn history: weight of a bonus, in 1/1024.
    history_pawn_bonus: 666, 0..=2048, 60;
    /// Weight of a malus, in 1/1024.
    history_pawn_malus: 345, 0..=2048, 60;

    /// Cutoff by the table: bonus of its move, for each ply.
    tt_cutoff_factor: 107, 0..=400, 12;
    /// Fixed part below zero.
    tt_cutoff_base: 63, 0..=400, 20;
    /// The largest.
    tt_cutoff_most: 984, 300..=4000, 100;
    /// Malus of the opponent's last move.
    tt_cutoff_malus: 2073, 0..=5000, 150;
    /// Which of the opponent's moves have that malus: so many of the first.
    tt_cutoff_early: 6, 1..=10, 1;
    /// Bonus of the table's move in the history of table moves where it was best.
    tt_move_bonus: 776, 0..=3000, 80;
    /// Malus where another was best.
    tt_move_malus: 782, 0..=3000, 80;

    /// Evaluation change of the opponent's last move: largest gain that counts.
    change_gain: 148, 50..=500, 15;
    /// Largest loss that counts.
    change_loss: 193, 50..=500, 15;
    /// Weight of its bonus in the pawn history, in fifths.
    change_pawn: 6, 0..=20, 1;

    /// Bonus of the opponent's last move when it left no good answer: for each ply.
    prior_factor: 143, 0..=400, 12;
    /// Fixed part below zero.
    prior_base: 116, 0..=400, 20;
    /// The largest.
    prior_most: 1596, 300..=4000, 100;
    /// Scale of all of it, in 1/1024.
    prior_bonus: 1271, 0..=3000, 100;
    /// That scale: fixed part below zero.
    prior_scale_base: 88, 0..=800, 30;
    /// Less for a history score that was good already, as a divisor.
    prior_scale_history: 152, 30..=400, 10;
    /// More for each ply.
    prior_scale_factor: 39, 0..=200, 8;
    /// The most of that.
    prior_scale_most: 311, 100..=1500, 40;
    /// More for a late move.
    prior_scale_late: 175, 0..=500, 20;
    /// Which moves are late: those after so many.
    prior_late: 9, 2..=20, 1;
    /// More where the score is below the static evaluation.
    prior_scale_below: 165, 0..=500, 20;
    /// By how much it must be.
    prior_below: 106, 0..=400, 15;
    /// More where the score is below what the opponent's static evaluation said.
    prior_scale_better: 137, 0..=500, 20;
    /// By how much it must be.
    prior_better: 75, 0..=400, 15;
    /// Its weight in continuation history, in 1/16384.
    prior_continuation: 291, 0..=800, 25;
    /// Its weight in butterfly history, in 1/32768.
    prior_quiet: 194, 0..=800, 25;
    /// Its weight in pawn history, in 1/8192.
    prior_pawn: 251, 0..=1000, 30;
    /// Bonus of the opponent's last move when it captured.
    prior_capture: 1036, 0..=3000, 80;

    /// Quiet moves with a history score worse than this below zero come after losing captures.
    good_quiet: 8516, 4000..=40000, 1500;
    /// What a quiet check is worth in the order of moves.
    check_order: 18611, 0..=40000, 1500;
    /// What a quiet move off a square that a cheaper piece attacks gains there, as a factor of the piece's value.
    threat_from: 23, 0..=60, 3;
    /// What one onto such a square loses.
    threat_to: 25, 0..=60, 3;
    /// Losing captures: how much of its order a capture may lose, as a divisor.
    good_capture: 16, 4..=100, 4;

    /// Correction history: weight of the pawn key's entry, in 1/131072.
    correction_pawn: 13112, 0..=40000, 1200;
    /// Of the minor-piece key's.
    correction_minor: 7744, 0..=40000, 1200;
    /// Of each side's non-pawn key's.
    correction_non_pawn: 17993, 0..=40000, 1200;
    /// Of the hands'.
    correction_hands: 10547, 0..=40000, 1200;
    /// Of those of the last moves.
    correction_moves: 14730, 0..=40000, 1200;
    /// Bonus of an entry for each point and ply that the evaluation was off, in 1/128: where the search failed low.
    correction_bonus_low: 17, 4..=40, 2;
    /// Where it did not.
    correction_bonus_high: 15, 4..=40, 2;
    /// Scale of the clamped bonus, in 1/1024.
    correction_bonus_scale: 1241, 256..=2048, 60;
    /// Rate of the pawn key's entry and of the hands', in 1/128 of the bonus.
    correction_rate_pawn: 98, 32..=400, 10;
    /// Of the minor-piece key's.
    correction_rate_minor: 177, 32..=400, 10;
    /// Of each side's non-pawn key's.
    correction_rate_non_pawn: 185, 32..=400, 10;
    /// Of that of the last move and the one two plies before.
    correction_rate_moves: 118, 32..=400, 10;
    /// Of that of the last move and the one four plies before.
    correction_rate_moves_far: 54, 16..=400, 6;
}
