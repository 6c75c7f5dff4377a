use std::collections::BTreeSet;

use super::*;
use crate::movegen::list_moves;

const POSITIONS: [&str; 3] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "l5nkl/3+S5/p3p1gPb/3P1s2p/PSp1P4/2P2pP1P/2NG5/LGN3S2/3r3KL b RG5Pbnp 97",
];

/// What a picker of the main search hands out, when these are its answers about quiet moves.
fn picked(position: &Position, tt_move: Option<Move>, skip_quiet: bool, only_checks: bool) -> Vec<Move> {
    let (history, check_info) = (History::new(), CheckInfo::of(position));
    let mut picker =
        MovePicker::new(position, &check_info, tt_move, Continuations::default(), MAX_PLY, NonPromotions::Always);
    std::iter::from_fn(|| picker.next(position, &history, skip_quiet, &mut || only_checks)).collect()
}

#[test]
fn each_move_is_handed_out_once_and_quiet_ones_as_they_are_wanted() {
    for sfen in POSITIONS {
        let position = Position::from_sfen(sfen).unwrap();
        let mut legal = MoveList::new();
        list_moves::<true>(&position, Selection::All, &mut legal);
        let is_good_check = |mv| position.gives_check(mv) && position.see_ge(mv, -CHECK_LOSS);
        for tt_move in [None, Some(legal[legal.len() / 2])] {
            let wanted = |quiets: &dyn Fn(Move) -> bool| -> BTreeSet<String> {
                // Evasions are handed out whatever is wanted
                let any = |mv| position.in_check() || Some(mv) == tt_move || !is_quiet(&position, mv);
                let kept = |&mv: &Move| any(mv) || quiets(mv);
                legal.into_iter().filter(kept).map(|mv| mv.to_string()).collect()
            };
            for (skip_quiet, only_checks, expected) in [
                (false, false, wanted(&|_| true)),
                (false, true, wanted(&is_good_check)),
                (true, false, wanted(&|_| false)),
            ] {
                let came = picked(&position, tt_move, skip_quiet, only_checks);
                assert!(tt_move.is_none_or(|mv| came[0] == mv), "{sfen}");
                let names: BTreeSet<String> = came.iter().map(Move::to_string).collect();
                assert_eq!((names, came.len()), (expected.clone(), expected.len()), "{sfen}");
            }
        }
    }
}
