//! The tunable parameters of the search (limits and scales that are not tuned stand where they are used): each has a
//! value, a range that makes sense, and a step that should be noticeable. Margins are in [`Score`](crate::types::Score)
//! units, of which 90 are a pawn; reductions in 1/1024 of a ply. Most started from what Stockfish and YaneuraOu use;
//! all of them were then tuned by SPSA on pairs of games at 5,000 to 8,000 nodes a move.

use std::sync::LazyLock;
#[cfg(feature = "tuning")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use crate::types::Depth;

/// A tunable parameter of the search.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, as an option and in the source.
    pub name: &'static str,
    /// Its value in an ordinary build.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
    /// A change that should be noticeable, with which a tuner starts.
    pub step: i32,
    #[cfg(feature = "tuning")]
    value: AtomicI32,
}

impl Parameter {
    pub(super) const fn new(name: &'static str, default: i32, (min, max): (i32, i32), step: i32) -> Parameter {
        Parameter {
            name,
            default,
            min,
            max,
            step,
            #[cfg(feature = "tuning")]
            value: AtomicI32::new(default),
        }
    }

    /// The value that searches use.
    #[cfg(feature = "tuning")]
    #[inline(always)]
    pub fn value(&self) -> i32 {
        self.value.load(Relaxed)
    }

    /// Changes the value for all searches of this process; out of range, the nearest allowed value is taken.
    #[cfg(feature = "tuning")]
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(self.min, self.max), Relaxed);
    }
}

/// Declares parameters: a function of each one's name that gives its value, and the table of all.
///
/// `name: value, smallest..=largest, step;`
macro_rules! parameters {
    ($($(#[$meta:meta])* $name:ident: $default:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        /// The index of a parameter in the table.
        #[cfg(feature = "tuning")]
        #[allow(non_camel_case_types, clippy::enum_variant_names)]
        enum Place { $($name,)* }

        $(
            $(#[$meta])*
            #[inline(always)]
            pub(super) fn $name() -> i32 {
                #[cfg(feature = "tuning")]
                return PARAMETERS[Place::$name as usize].value();
                #[cfg(not(feature = "tuning"))]
                $default
            }
        )*

        /// All tunable parameters.
        pub static PARAMETERS: [Parameter; [$(stringify!($name)),*].len()] = [
            $(Parameter::new(stringify!($name), $default, ($min, $max), $step),)*
        ];
    };
}

parameters! {
    /// First half-width of the aspiration window.
    aspiration_window: 33, 2..=100, 3;

    /// Evaluation change of the last move: weight of the change in the bonus that the move gets in butterfly history.
    change_factor: 7, 0..=30, 2;
    /// Evaluation change of the last move: the bonus when nothing changed.
    change_base: -121, -500..=1500, 100;
    /// Evaluation change of the last move: largest gain that counts.
    change_gain: 151, 50..=500, 15;
    /// Evaluation change of the last move: largest loss that counts.
    change_loss: 202, 50..=500, 15;
    /// Evaluation change of the last move: weight of the bonus in pawn history, in fifths.
    change_pawn: 6, 0..=20, 1;

    /// Hindsight: LMR reduction from which the depth is raised again, unless the sum of the two sides' static
    /// evaluations is above 0.
    hindsight_deeper: 3, 1..=6, 1;
    /// Hindsight: LMR reduction from which the depth may be reduced again.
    hindsight_shallower: 3, 1..=6, 1;
    /// Hindsight: sum of the two sides' static evaluations above which the depth is reduced again.
    hindsight_margin: 217, 0..=500, 20;

    /// Razoring: fixed margin.
    razoring_base: 530, 0..=1000, 40;
    /// Razoring: margin for the square of the plies left.
    razoring_factor: 316, 40..=600, 30;

    /// Reverse futility: deepest node.
    reverse_futility_depth: 14, 4..=20, 1;
    /// Reverse futility: margin for each ply left.
    reverse_futility_per_ply: 73, 30..=200, 8;
    /// Reverse futility: less margin for each ply left when the TT has no entry of the node.
    reverse_futility_unknown: 21, 0..=60, 4;
    /// Reverse futility: less margin when the position is improving, in 1/1024 of the margin for a ply.
    reverse_futility_improving: 1449, 0..=5000, 200;
    /// Reverse futility: less margin when the opponent's position is worsening, in 1/1024 of the margin for a ply.
    reverse_futility_worsening: 249, 0..=2000, 100;
    /// Reverse futility: how much correction of the static evaluation adds a point to the margin, in eighths of a
    /// point.
    reverse_futility_correction: 9, 1..=40, 2;

    /// Null move: by how much the static evaluation must be above beta.
    null_move_base: 110, 0..=800, 30;
    /// Null move: by how much less for each ply of depth the static evaluation must be above beta.
    null_move_per_ply: 20, 0..=50, 3;
    /// Null move: by how much less the static evaluation must be above beta when the position is improving.
    null_move_improving: 77, 0..=200, 10;
    /// Null move: base reduction in plies.
    null_move_reduction: 7, 3..=9, 1;
    /// Null move: depth for each further ply of reduction.
    null_move_divisor: 2, 2..=8, 1;
    /// Null move: depth from which the result is verified.
    null_move_verify_depth: 16, 8..=24, 1;
    /// Null move: for how much of the verification's depth null moves are off, in quarters.
    null_move_verify_quarters: 2, 1..=4, 1;

    /// Internal iterative reduction: shallowest node without a TT move that is reduced by one ply.
    internal_reduction_depth: 6, 2..=12, 1;
    /// Internal iterative reduction: LMR reduction above which a node is not reduced again without a TT move.
    internal_reduction_limit: 2, 1..=6, 1;

    /// ProbCut: shallowest node.
    prob_cut_depth: 5, 2..=8, 1;
    /// ProbCut: by how much a capture must beat beta.
    prob_cut_margin: 128, 80..=500, 15;
    /// ProbCut: by how much less a capture must beat beta when the position is improving.
    prob_cut_improving: 25, 0..=150, 10;
    /// ProbCut: by how many plies the search of the capture is reduced.
    prob_cut_reduction: 6, 2..=6, 1;
    /// ProbCut by the TT alone: by how much the score of the entry must beat beta.
    prob_cut_tt: 457, 150..=1000, 30;
    /// ProbCut by the TT alone: by how many plies the search of the entry may have been shallower.
    prob_cut_tt_depth: 4, 1..=8, 1;

    /// Late-move pruning: number of moves before it starts at depth 0.
    late_move_base: 4, 1..=12, 1;
    /// Late-move pruning: further moves for the square of the depth, in percent.
    late_move_factor: 118, 30..=300, 10;

    /// Futility of captures: deepest (reduced) node.
    capture_futility_depth: 8, 2..=12, 1;
    /// Futility of captures: fixed margin.
    capture_futility_base: 311, 0..=600, 25;
    /// Futility of captures: margin for each ply left.
    capture_futility_per_ply: 242, 50..=500, 20;
    /// Futility of captures: weight of the capture's history score in the margin, in 1/1024.
    capture_futility_history: 124, 0..=512, 20;
    /// SEE pruning: what a capture or check may lose in an exchange, for each ply left.
    see_tactical: 136, 30..=400, 15;
    /// SEE pruning: history score of a capture that lets it lose a point more, as a divisor.
    see_tactical_history: 27, 8..=128, 6;

    /// History pruning: the history score below zero at which a quiet move goes, for each ply left.
    history_pruning: 2102, 1000..=9000, 300;
    /// History pruning: weight of butterfly history against continuation and pawn history in the depth of futility and
    /// SEE pruning of quiet moves, in 1/32.
    history_pruning_quiet: 48, 0..=200, 8;
    /// History pruning: the history score that makes the depth of futility and SEE pruning of quiet moves a ply deeper.
    history_depth: 3736, 1000..=9000, 300;
    /// Futility of quiet moves: deepest (reduced) node.
    futility_depth: 9, 4..=16, 1;
    /// Futility of quiet moves: fixed margin.
    futility_base: 9, 0..=400, 20;
    /// Futility of quiet moves: margin while there is no best move.
    futility_no_best: 5, 0..=400, 20;
    /// Futility of quiet moves: margin for each ply left.
    futility_per_ply: 40, 30..=250, 10;
    /// Futility of quiet moves: margin when the static evaluation is above alpha.
    futility_above: 88, 0..=300, 15;
    /// Futility of quiet moves: after this many in a row, the others are left out unseen.
    futile_moves: 4, 1..=64, 2;
    /// Futility of quiet moves: only checks are generated where history scores would have to make up for this many
    /// plies.
    futile_history: 4, 0..=30, 2;
    /// SEE pruning: what a quiet move may lose in an exchange, for the square of each (reduced) ply left.
    see_quiet: 15, 0..=100, 4;

    /// Singular extension: shallowest node.
    singular_depth: 4, 4..=12, 1;
    /// Singular extension: by how many plies the search of the TT entry may have been shallower.
    singular_tt_depth: 2, 1..=6, 1;
    /// Singular extension: by how much all other moves must be worse for each ply, in 1/64.
    singular_margin: 48, 20..=300, 10;
    /// Singular extension: by how much more they must be worse for each ply at ttPv nodes that are not PV nodes, in
    /// 1/64.
    singular_margin_pv: 79, 0..=300, 10;
    /// Double extension: by how much more than for a single one all other moves must be worse.
    double_extension: 5, -100..=200, 15;
    /// Double extension: by how much more the other moves must be worse at PV nodes.
    double_extension_pv: 169, 0..=500, 20;
    /// Double extension: by how much less the other moves must be worse when the TT move is quiet.
    double_extension_quiet: 173, 0..=400, 20;
    /// Triple extension: by how much more than for a single one all other moves must be worse.
    triple_extension: 101, 0..=400, 20;
    /// Triple extension: by how much more the other moves must be worse at PV nodes.
    triple_extension_pv: 330, 0..=600, 25;
    /// Triple extension: by how much less the other moves must be worse when the TT move is quiet.
    triple_extension_quiet: 180, 0..=500, 20;
    /// Triple extension: by how much more the other moves must be worse at ttPv nodes.
    triple_extension_tt_pv: 80, 0..=400, 20;
    /// Double and triple extension: by how much less the other moves must be worse where the static evaluation was
    /// corrected, as a divisor of the correction.
    extension_correction: 189521, 50000..=1000000, 20000;
    /// Double and triple extension: by how much less the other moves must be worse where the line is longer than the
    /// iteration is deep.
    extension_deep: 10, 0..=200, 10;
    /// Double extension: by how much less the other moves must be worse where TT moves have fared well, as a divisor
    /// of their history score.
    extension_tt_history: 132, 32..=512, 16;
    /// Negative extension: plies for a TT move that is not singular, where its score is at least beta.
    negative_extension_beta: 3, 1..=4, 1;
    /// Negative extension: plies for a TT move that is not singular, at other cut nodes.
    negative_extension_cut: 3, 1..=4, 1;
    /// Singular extension: ply from which shuffling moves are not extended.
    shuffling_ply: 18, 8..=40, 2;
    /// Multi-cut: malus in the TT moves' history, for each ply.
    multi_cut_malus_factor: 113, 0..=400, 15;
    /// Multi-cut: fixed part of the malus in the TT moves' history.
    multi_cut_malus_base: 442, 0..=1500, 50;
    /// Multi-cut: largest malus in the TT moves' history.
    multi_cut_malus_most: 3690, 1000..=8000, 200;

    /// LMR (late-move reductions): fixed part.
    reduction_base: 1262, -1024..=3072, 80;
    /// LMR: factor of the logarithms of depth and move number.
    reduction_factor: 505, 200..=1000, 25;
    /// LMR: more of the logarithms' part when the position is not improving, in 1/512.
    reduction_not_improving: 159, 0..=600, 20;
    /// LMR: less where the window is as wide as at the root.
    reduction_window: 721, 0..=2000, 60;
    /// LMR: more at ttPv nodes, only for the depth by which moves are pruned.
    reduction_tt_pv_pruning: 1160, 0..=3000, 100;
    /// LMR: fixed part, only for the depth to which moves are searched.
    reduction_offset: 1008, -1000..=2000, 80;
    /// LMR: less for each move before.
    reduction_per_move: 17, 0..=200, 8;
    /// LMR: less where the static evaluation was corrected, as a divisor of the correction.
    reduction_correction: 23999, 5000..=100000, 2500;
    /// LMR: less at ttPv nodes.
    reduction_tt_pv: 3211, 0..=5000, 120;
    /// LMR: less at PV nodes.
    reduction_pv_node: 1011, 0..=3000, 100;
    /// LMR: less at ttPv nodes unless the TT score is known to be at most alpha.
    reduction_tt_above: 1198, 0..=3000, 100;
    /// LMR: less at ttPv nodes whose TT entry is deep enough.
    reduction_tt_deep: 976, 0..=3000, 100;
    /// LMR: less at ttPv cut nodes whose TT entry is deep enough, in addition to `reduction_tt_deep`.
    reduction_tt_deep_cut: 725, 0..=3000, 100;
    /// LMR: more at cut nodes.
    reduction_cut: 4259, 0..=6000, 150;
    /// LMR: more at cut nodes without a TT move.
    reduction_cut_no_tt_move: 590, 0..=3000, 100;
    /// LMR: more when the TT move captures.
    reduction_tt_capture: 1225, 0..=3000, 100;
    /// LMR: more when nodes of the next ply have failed high at least twice.
    reduction_cutoffs: 361, 0..=2000, 80;
    /// LMR: more when nodes of the next ply have failed high at least three times.
    reduction_many_cutoffs: 1252, 0..=3000, 100;
    /// LMR: more at all nodes when nodes of the next ply have failed high at least twice.
    reduction_cutoffs_all: 995, 0..=3000, 100;
    /// LMR: less for the TT move.
    reduction_tt_move: 1287, 0..=5000, 150;
    /// LMR: less for each 4096 of a move's history score.
    reduction_history: 378, 100..=1500, 40;
    /// LMR: more at all nodes, a part of the rest: the dividend, in 1/256.
    reduction_all: 236, 0..=800, 25;
    /// LMR: more at all nodes, a part of the rest: what is added to the divisor, which is 256 for each ply of depth.
    reduction_all_base: 313, 64..=1024, 25;
    /// LMR: weight of a captured piece's value in the history score of a capture, in quarters.
    reduction_victim: 37, 0..=80, 3;
    /// LMR: a reduced move whose score is above the best one by more than this is searched again a ply deeper than
    /// usual.
    deeper_margin: 15, 5..=150, 8;
    /// LMR: a reduced move whose score is above the best one by less than this is searched again a ply less deep than
    /// usual.
    shallower_margin: 16, 0..=60, 4;
    /// LMR: bonus in continuation history of a reduced move that raised alpha.
    raised_bonus: 2219, 0..=4000, 150;
    /// Full-depth search without LMR: reduction above which a move loses a ply after all.
    full_depth_threshold_1: 3968, 2000..=9000, 300;
    /// Full-depth search without LMR: reduction above which a move loses a second ply.
    full_depth_threshold_2: 5712, 2000..=12000, 300;
    /// Full-depth search without LMR: what the lack of a TT move adds to the reduction.
    full_depth_no_tt_move: 1665, 0..=4000, 100;

    /// Quiescence: what a capture must bring the evaluation up to, beyond the piece it takes.
    quiescence_margin: 97, 0..=800, 30;
    /// Quiescence: how many moves of a node are tried regardless of what they are.
    quiescence_moves: 3, 1..=12, 1;
    /// Quiescence: what an exchange may lose.
    quiescence_see: 22, -100..=300, 15;

    /// Cutoff by the TT: depth from which it is made even where the entry's score is on the other side of beta than
    /// was expected.
    tt_cutoff_depth: 5, 2..=12, 1;

    /// Bonus of a best move that raised the score: for each ply.
    bonus_factor: 240, 50..=400, 12;
    /// Bonus of a best move: fixed part, which is subtracted.
    bonus_base: 11, -400..=400, 40;
    /// Bonus of a best move: the largest.
    bonus_most: 1624, 500..=4000, 120;
    /// Bonus of a best move: more for the TT move.
    bonus_tt_move: 314, 0..=1000, 50;
    /// Malus of the moves tried before the best move: for each ply.
    malus_factor: 916, 100..=1500, 60;
    /// Malus of the moves tried before the best move: fixed part, which is subtracted.
    malus_base: 112, -400..=800, 40;
    /// Malus of the moves tried before the best move: the largest.
    malus_most: 2110, 500..=4000, 150;
    /// Malus of the opponent's last move where it was the first tried besides the TT move, in 1/1024 of that of the
    /// moves tried before the best move.
    malus_early: 801, 0..=2048, 80;
    /// Bonus of a best move: part of the opponent's last move's history score that is added, as a divisor.
    bonus_prior_history: 33, 8..=128, 6;
    /// Bonus of a quiet best move: its scale, in 1/1024.
    bonus_quiet: 805, 256..=2048, 60;
    /// Malus of quiet moves tried before the best move: its scale, in 1/1024.
    malus_quiet: 1258, 256..=2048, 60;
    /// Malus of quiet moves tried before the best move: what is left of it from each to the next, in 1/1024.
    malus_quiet_decay: 990, 700..=1024, 15;
    /// Bonus of a best move that captures: its scale, in 1/1024.
    bonus_capture: 988, 256..=3000, 80;
    /// Malus of captures tried before the best move: its scale, in 1/1024.
    malus_capture: 1495, 256..=3000, 80;
    /// Low-ply history: weight of a bonus, in 1/1024.
    history_low_ply: 858, 0..=2048, 60;
    /// Continuation history: weight of a bonus, in 1/1024.
    history_continuation: 768, 256..=2048, 60;
    /// Continuation history: the part of a bonus for the move one ply before, in 1/1024.
    history_continuation_1: 1285, 0..=2048, 60;
    /// Continuation history: the part of a bonus for the move two plies before, in 1/1024.
    history_continuation_2: 691, 0..=2048, 60;
    /// Continuation history: the part of a bonus for the move three plies before, in 1/1024.
    history_continuation_3: 435, 0..=2048, 40;
    /// Continuation history: the part of a bonus for the move four plies before, in 1/1024.
    history_continuation_4: 544, 0..=2048, 60;
    /// Continuation history: the part of a bonus for the move five plies before, in 1/1024.
    history_continuation_5: 248, 0..=2048, 40;
    /// Continuation history: the part of a bonus for the move six plies before, in 1/1024.
    history_continuation_6: 495, 0..=2048, 40;
    /// Continuation history: what any move that is judged gains as the answer to the last one, since it was at least
    /// worth a try.
    history_answer: 47, 0..=400, 15;
    /// Pawn history: weight of a bonus, in 1/1024.
    history_pawn_bonus: 616, 0..=2048, 60;
    /// Pawn history: weight of a malus, in 1/1024.
    history_pawn_malus: 229, 0..=2048, 60;

    /// Cutoff by the TT: bonus of its move, for each ply.
    tt_cutoff_factor: 83, 0..=400, 12;
    /// Cutoff by the TT: fixed part of its move's bonus, which is subtracted.
    tt_cutoff_base: 34, 0..=400, 20;
    /// Cutoff by the TT: largest bonus of its move.
    tt_cutoff_most: 1031, 300..=4000, 100;
    /// Cutoff by the TT: malus of the opponent's last move.
    tt_cutoff_malus: 1993, 0..=5000, 150;
    /// Cutoff by the TT: how many of the moves that the opponent tries first have that malus.
    tt_cutoff_early: 6, 1..=10, 1;
    /// History of TT moves: bonus where the TT move was best.
    tt_move_bonus: 788, 0..=3000, 80;
    /// History of TT moves: malus where another move was best.
    tt_move_malus: 703, 0..=3000, 80;

    /// Prior-move bonus, for the opponent's last move when it left no good answer: for each ply.
    prior_factor: 158, 0..=400, 12;
    /// Prior-move bonus: fixed part, which is subtracted.
    prior_base: 96, 0..=400, 20;
    /// Prior-move bonus: the largest, before its scale.
    prior_most: 1525, 300..=4000, 100;
    /// Prior-move bonus: weight of its scale, in 1/1024.
    prior_bonus: 1380, 0..=3000, 100;
    /// Prior-move bonus: fixed part of its scale, which is subtracted.
    prior_scale_base: 72, 0..=800, 30;
    /// Prior-move bonus: less scale for a history score that was good already, as a divisor.
    prior_scale_history: 155, 30..=400, 10;
    /// Prior-move bonus: more scale for each ply.
    prior_scale_factor: 51, 0..=200, 8;
    /// Prior-move bonus: the most scale that plies add.
    prior_scale_most: 294, 100..=1500, 40;
    /// Prior-move bonus: more scale for a late move.
    prior_scale_late: 163, 0..=500, 20;
    /// Prior-move bonus: number of moves after which a move is late.
    prior_late: 10, 2..=20, 1;
    /// Prior-move bonus: more scale where the score is below the static evaluation.
    prior_scale_below: 165, 0..=500, 20;
    /// Prior-move bonus: by how much the score must be below the static evaluation for that.
    prior_below: 92, 0..=400, 15;
    /// Prior-move bonus: more scale where the score is below what the opponent's static evaluation said.
    prior_scale_better: 140, 0..=500, 20;
    /// Prior-move bonus: by how much the score must be below what the opponent's static evaluation said for that.
    prior_better: 114, 0..=400, 15;
    /// Prior-move bonus: its weight in continuation history, in 1/16384.
    prior_continuation: 305, 0..=800, 25;
    /// Prior-move bonus: its weight in butterfly history, in 1/32768.
    prior_quiet: 189, 0..=800, 25;
    /// Prior-move bonus: its weight in pawn history, in 1/8192.
    prior_pawn: 263, 0..=1000, 30;
    /// Prior-move bonus: that of a move that captured, in capture history.
    prior_capture: 991, 0..=3000, 80;

    /// Order of moves: quiet moves with a history score worse than this below zero come after losing captures.
    good_quiet: 7987, 4000..=40000, 1500;
    /// Order of moves: what a quiet check is worth.
    check_order: 17249, 0..=40000, 1500;
    /// Order of moves: what a quiet move off a square that a cheaper piece attacks gains, as a factor of the piece's
    /// value.
    threat_from: 20, 0..=60, 3;
    /// Order of moves: what a quiet move onto a square that a cheaper piece attacks loses, as a factor of the piece's
    /// value.
    threat_to: 27, 0..=60, 3;
    /// Order of moves: how much of its score a capture may lose in an exchange and still come before quiet moves, as a
    /// divisor.
    good_capture: 15, 4..=100, 4;

    /// Correction history: weight of the pawn key's entry, in 1/131072.
    correction_pawn: 12703, 0..=40000, 1200;
    /// Correction history: weight of the minor-piece key's entry, in 1/131072.
    correction_minor: 8110, 0..=40000, 1200;
    /// Correction history: weight of the entry of each side's non-pawn key, in 1/131072.
    correction_non_pawn: 18452, 0..=40000, 1200;
    /// Correction history: weight of the hand key's entry, in 1/131072.
    correction_hands: 11612, 0..=40000, 1200;
    /// Continuation correction history: weight of each of its two entries, in 1/131072.
    correction_moves: 14484, 0..=40000, 1200;
    /// Correction history: bonus of an entry for each point and ply that the evaluation was off where the search failed
    /// low, in 1/128.
    correction_bonus_low: 17, 4..=40, 2;
    /// Correction history: bonus of an entry for each point and ply that the evaluation was off where the search did
    /// not fail low, in 1/128.
    correction_bonus_high: 14, 4..=40, 2;
    /// Correction history: scale of the clamped bonus, in 1/1024.
    correction_bonus_scale: 1245, 256..=2048, 60;
    /// Correction history: rate of the entries of the pawn key and of the hand key, in 1/128 of the bonus.
    correction_rate_pawn: 101, 32..=400, 10;
    /// Correction history: rate of the minor-piece key's entry, in 1/128 of the bonus.
    correction_rate_minor: 164, 32..=400, 10;
    /// Correction history: rate of the entry of each side's non-pawn key, in 1/128 of the bonus.
    correction_rate_non_pawn: 191, 32..=400, 10;
    /// Continuation correction history: rate of the entry of the last move together with the move 2 plies before this
    /// position, in 1/128 of the bonus.
    correction_rate_moves: 111, 32..=400, 10;
    /// Continuation correction history: rate of the entry of the last move together with the move 4 plies before this
    /// position, in 1/128 of the bonus.
    correction_rate_moves_far: 51, 16..=400, 6;
}

/// A certain win or loss is stored in the TT with this much more depth than it was searched to, since it holds at
/// any depth.
pub(super) const MATE_DEPTH: Depth = 6;

/// A ply of depth in the unit of reductions.
pub(super) const PLY: i32 = 1024;
const LARGEST: usize = 128;

/// Natural logarithms of small numbers, in units of 1/1024.
pub(super) struct Reductions([i16; LARGEST]);

static TABLE: LazyLock<Reductions> =
    LazyLock::new(|| Reductions(std::array::from_fn(|n| ((n.max(1) as f64).ln() * 1024.0).round() as i16)));

impl Reductions {
    pub(super) fn table() -> &'static Reductions {
        &TABLE
    }

    #[inline(always)]
    fn ln(&self, n: usize) -> i32 {
        i32::from(self.0[n.min(LARGEST - 1)])
    }

    /// The part of a reduction that depth and move number make, in units of which [`PLY`] are a ply.
    #[inline(always)]
    pub(super) fn get(&self, depth: Depth, moves: usize) -> i32 {
        let product = (self.ln(depth.max(0) as usize) * self.ln(moves)) >> 10;
        (reduction_factor() * product) >> 10
    }
}

#[cfg(test)]
mod tests {
    use super::PARAMETERS;

    #[test]
    fn defaults_lie_within_their_range_and_names_are_told_apart() {
        let mut names = std::collections::HashSet::new();
        for parameter in &PARAMETERS {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.default), "{parameter:?}");
            assert!(parameter.step > 0 && parameter.step <= parameter.max - parameter.min, "{parameter:?}");
            assert!(names.insert(parameter.name), "{parameter:?}");
        }
    }
}
