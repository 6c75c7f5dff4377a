//! The engine without its protocol.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use std::collections::HashSet;

use kurosabi::engine::{Answer, Decision, DecisionObserver, Engine, EngineMessage};
use kurosabi::position::Position;
use kurosabi::rules::GameLine;
use kurosabi::search::{SearchInfo, SearchLimits, SearchObserver, Signals, SilentObserver};
use kurosabi::types::Move;

/// Fails at the first line of a search, on the thread that searches.
#[derive(Default)]
struct Saboteur {
    done: AtomicBool,
    messages: Mutex<Vec<String>>,
}

impl SearchObserver for Saboteur {
    fn on_info(&self, _: &SearchInfo) {
        assert!(self.done.swap(true, Ordering::SeqCst), "sabotage");
    }
}

impl DecisionObserver for Saboteur {
    fn on_message(&self, message: &EngineMessage) {
        self.messages.lock().unwrap().push(message.to_string());
    }
}

/// Keeps the lines of a search.
#[derive(Default)]
struct Recorder(Mutex<Vec<SearchInfo>>);

impl SearchObserver for Recorder {
    fn on_info(&self, info: &SearchInfo) {
        self.0.lock().unwrap().push(info.clone());
    }
}

impl DecisionObserver for Recorder {}

const MIDDLEGAME: &str = "l6kl/1r2gbs2/3p1gnp1/p1psppp1p/1n5P1/P1PSPPP1P/2NP1SN2/3GGBR2/LK6L b Pp 61";

/// What a new engine answers with these options, and what it reported before.
fn answer_with(options: &[(&str, &str)], seed: u64, limits: &SearchLimits) -> (Answer, Vec<SearchInfo>) {
    let mut engine = Engine::new();
    engine.set_seed(seed);
    for (name, value) in [("USI_Hash", "1"), ("PvInterval", "0")].iter().chain(options) {
        engine.set_option(name, Some(value)).unwrap();
    }
    engine.set_position(Some(MIDDLEGAME), []).unwrap();
    let recorder = Recorder::default();
    let answer = engine.go(limits, &Signals::new(), &recorder);
    (answer, recorder.0.into_inner().unwrap())
}

#[test]
fn a_skill_level_plays_by_chance_what_the_seed_decides() {
    let best = |level: &str, seed| {
        let (answer, _) = answer_with(&[("SkillLevel", level)], seed, &SearchLimits::default());
        let Decision::Play { best, .. } = answer.decision else { panic!("{answer:?}") };
        assert_eq!(answer.lines[0].pv[0], best);
        best
    };
    let different = |level| (0..20).map(|seed| best(level, seed)).collect::<HashSet<_>>().len();
    assert_eq!(best("0", 3), best("0", 3));
    assert!(different("0") > 4 && different("0") > different("19"));
}

#[test]
fn a_skill_level_shows_the_lines_asked_for_and_searches_little() {
    for (lines, multi_pv) in [(1, "1"), (3, "3"), (20, "20")] {
        for level in ["0", "10", "19"] {
            let options = [("SkillLevel", level), ("MultiPV", multi_pv)];
            let (answer, reported) = answer_with(&options, 1, &SearchLimits::default());
            let found = answer.lines.len();
            assert_eq!(found, lines, "{answer:?}");
            assert!(answer.lines.iter().map(|line| line.multi_pv).eq(1..=found), "{answer:?}");
            assert!(reported.iter().all(|line| line.multi_pv <= lines));
            assert!(answer.lines[0].nodes <= 50_000 && !reported.is_empty());
        }
    }
    let few = SearchLimits { nodes: Some(200), ..SearchLimits::default() };
    assert_eq!(answer_with(&[("SkillLevel", "10")], 1, &few).0.lines[0].nodes, 200);
    let options = [("SkillLevel", "10"), ("NodesLimit", "300")];
    assert_eq!(answer_with(&options, 1, &SearchLimits::default()).0.lines[0].nodes, 300);
}

/// The moves of a game that a level plays against itself.
fn game_at(level: &str, seed: u64, options: &[(&str, &str)]) -> Vec<Move> {
    let mut engine = Engine::new();
    engine.set_seed(seed);
    for (name, value) in [("SkillLevel", level), ("USI_OwnBook", "false")].iter().chain(options) {
        engine.set_option(name, Some(value)).unwrap();
    }
    let mut moves = Vec::new();
    for _ in 0..40 {
        engine.set_line(&GameLine::new(Position::startpos(), moves.clone()));
        let Decision::Play { best, .. } =
            engine.go(&SearchLimits::default(), &Signals::new(), &SilentObserver).decision
        else {
            break;
        };
        moves.push(best);
    }
    moves
}

#[test]
fn a_game_of_a_level_depends_on_its_seed_and_on_no_machine() {
    for level in ["1", "11"] {
        let game = game_at(level, 3, &[]);
        assert_eq!(game, game_at(level, 3, &[("Threads", "2"), ("USI_Hash", "64")]), "{level}");
        assert_ne!(game, game_at(level, 4, &[]), "{level}");
    }
}

#[test]
fn the_highest_skill_level_changes_nothing() {
    let limits = SearchLimits { nodes: Some(30_000), ..SearchLimits::default() };
    let (set, reported) = answer_with(&[("SkillLevel", "20")], 1, &limits);
    let (usual, told_usually) = answer_with(&[], 2, &limits);
    assert_eq!((&set.lines[0].pv, set.lines[0].nodes), (&usual.lines[0].pv, usual.lines[0].nodes));
    assert_eq!(reported.len(), told_usually.len());
}

#[test]
fn a_panic_in_the_search_still_gives_a_legal_move() {
    for threads in ["1", "2"] {
        let mut engine = Engine::new();
        engine.set_option("USI_Hash", Some("1")).unwrap();
        engine.set_option("Threads", Some(threads)).unwrap();
        let limits = SearchLimits { depth: Some(12), ..SearchLimits::default() };
        let saboteur = Saboteur::default();
        let answer = engine.go(&limits, &Signals::new(), &saboteur);
        let Decision::Play { best, .. } = answer.decision else { panic!("{answer:?}") };
        assert!(engine.position().is_legal(best));
        let messages = saboteur.messages.into_inner().unwrap();
        assert!(matches!(messages.as_slice(), [text] if text.contains("sabotage")), "{messages:?}");
        // The next search is as good as any; of two threads, the one that was less deep may have the better move.
        let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
        let depth = engine.go(&limits, &Signals::new(), &SilentObserver).lines[0].depth;
        assert!(depth == 3 || threads == "2" && depth > 0, "{depth}");
    }
}
