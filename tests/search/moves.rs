//! What a search finds.

use kurosabi::eval::Evaluation;
use kurosabi::eval::nnue::OutOfMemory;
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::search::{SearchLimits, SearchSettings, Searcher, SearcherError, Signals, SilentObserver};
use kurosabi::types::{Outcome, Score};

use super::common::{MATES, MIDDLEGAME, position, search, search_with, to_depth};

#[test]
fn known_mates_are_found_and_played_out() {
    for (plies, sfen) in MATES {
        let result = search(sfen, 22);
        let score = result.score().expect(sfen);
        assert_eq!(score.outcome(), Outcome::MateIn(plies), "{sfen}: {:?}", result.lines[0].pv);
        // The line shown is legal and really mates.
        let mut position = position(sfen);
        assert_eq!(result.lines[0].pv.len(), plies as usize, "{sfen}");
        for &mv in &result.lines[0].pv {
            assert!(position.is_legal(mv), "{sfen}: {mv}");
            position.do_move(mv);
        }
        assert!(position.in_check() && legal_moves(&position).is_empty(), "{sfen}");
    }
}

#[test]
fn a_drop_pawn_mate_is_not_a_mate() {
    // Dropping the pawn in front of the cornered king would mate; nothing else does.
    let sfen = "8k/6S2/7G1/9/9/9/9/9/4K4 b P 1";
    let result = search(sfen, 1);
    assert_ne!(result.best_move(), "P*1b".parse().ok());
    assert!(!position(sfen).is_legal("P*1b".parse().unwrap()));
}

#[test]
fn a_won_capture_is_taken() {
    let result = search("4k4/9/4r4/9/9/4L4/9/9/4K4 b - 1", 5);
    assert_eq!(result.best_move(), "5f5c+".parse().ok());
}

#[test]
fn the_same_search_gives_the_same_tree() {
    let (first, second) = (search(MIDDLEGAME, 9), search(MIDDLEGAME, 9));
    assert_eq!(first.nodes, second.nodes);
    assert_eq!(first.lines[0].pv, second.lines[0].pv);
    let mut searcher = Searcher::new(1, 16);
    let run = |searcher: &mut Searcher| {
        let settings = SearchSettings::default();
        searcher.search(&position(MIDDLEGAME), &to_depth(9), &settings, &Signals::new(), &SilentObserver).nodes
    };
    assert_eq!(run(&mut searcher), first.nodes);
    assert_ne!(run(&mut searcher), first.nodes, "the table remembers");
    searcher.clear();
    assert_eq!(run(&mut searcher), first.nodes, "a cleared searcher is a new one");
}

#[test]
fn moves_to_search_may_be_those_that_are_not_generated() {
    let mut position = Position::startpos();
    for mv in ["7g7f", "3c3d"] {
        position.do_move(mv.parse().unwrap());
    }
    // To take the bishop without promoting is not much worse; to lose one is
    let search_moves = ["8h5e", "8h2b"].map(|mv| mv.parse().unwrap()).to_vec();
    let result =
        search_with(&position.to_sfen(), SearchLimits { search_moves, ..to_depth(6) }, &SearchSettings::default());
    assert_eq!(result.best_move().unwrap().to_string(), "8h2b");
}

#[test]
fn without_a_legal_move_there_is_no_line() {
    let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    assert!(legal_moves(&position(mated)).is_empty());
    assert!(search(mated, 5).lines.is_empty());
}

#[test]
fn several_threads_agree_on_a_mate() {
    for (threads, (plies, sfen)) in (2..).zip(MATES.into_iter().filter(|(plies, _)| *plies <= 5)) {
        let settings = SearchSettings::default();
        let mut searcher = Searcher::new(threads.min(3), 16);
        let result = searcher.search(&position(sfen), &to_depth(14), &settings, &Signals::new(), &SilentObserver);
        assert_eq!(result.score().map(Score::outcome), Some(Outcome::MateIn(plies)), "{sfen}");
    }
}

#[test]
fn a_searcher_of_another_evaluation_searches_as_a_new_one() {
    let settings = SearchSettings::default();
    let search = |searcher: &mut Searcher| {
        let result = searcher.search(&position(MIDDLEGAME), &to_depth(7), &settings, &Signals::new(), &SilentObserver);
        (result.nodes, result.score(), result.lines[0].pv.clone())
    };
    let mut changed = Searcher::new(1, 1);
    let by_network = search(&mut changed);
    changed.set_evaluation(Evaluation::Material);
    let by_material = search(&mut changed);
    assert_ne!(by_material, by_network);
    assert_eq!(by_material, search(&mut Searcher::try_new(1, 1, Evaluation::Material).unwrap()));
}

#[test]
fn a_table_that_the_system_has_no_memory_for_is_an_error() {
    let too_large = 1 << 38;
    let error = Searcher::try_new(1, too_large, Evaluation::Material).err().unwrap();
    assert!(matches!(error, SearcherError::Memory(OutOfMemory { mib }) if mib == too_large), "{error}");
    let error = Searcher::try_new_local(usize::MAX, Evaluation::Material).err().unwrap();
    assert!(matches!(error, SearcherError::Memory(_)), "{error}");
}

#[test]
fn a_non_promotion_that_avoids_a_drop_pawn_mate_is_found() {
    let result = search("5k3/4l4/9/5S1RN/7p1/5n1l1/9/9/K8 b P 1", 12);
    assert_eq!(result.score().unwrap().outcome(), Outcome::MateIn(5), "{:?}", result.lines[0]);
    assert_eq!(result.best_move().unwrap().to_string(), "2d2a");
}
