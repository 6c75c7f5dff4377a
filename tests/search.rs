//! The search through its public surface: what it finds, what bounds it, who commands it.
//!
//! Length: one test program on the search through its public surface; the tests share its helpers.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kurosabi::movegen::legal_moves;
use kurosabi::position::{EnteringKingRule, Position, Repetition};
use kurosabi::rules::Rules;
use kurosabi::search::{
    Bound, Clock, PvEnd, SearchControl, SearchInfo, SearchLimits, SearchObserver, SearchResult, SearchSettings,
    Searcher, SilentObserver, TimeSettings,
};
use kurosabi::types::{Move, Outcome, Score};

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect(sfen)
}

fn search_with(sfen: &str, limits: SearchLimits, settings: &SearchSettings) -> SearchResult {
    let mut searcher = Searcher::new(1, 16);
    searcher.search(&position(sfen), &limits, settings, &SearchControl::new(), &SilentObserver)
}

fn to_depth(depth: i32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

fn search(sfen: &str, depth: i32) -> SearchResult {
    search_with(sfen, to_depth(depth), &SearchSettings::default())
}

/// Keeps all lines it is told.
#[derive(Default)]
struct Recorder(Mutex<Vec<SearchInfo>>);

impl SearchObserver for Recorder {
    fn on_info(&self, info: &SearchInfo) {
        self.0.lock().unwrap().push(info.clone());
    }
}

/// Where a line leads, all of whose moves must be legal.
fn after_line(position: &Position, line: &[Move]) -> Position {
    let mut position = position.clone();
    for &mv in line {
        assert!(position.is_legal(mv), "{mv} of {line:?}");
        position.do_move(mv);
    }
    position
}

const MIDDLEGAME: &str = "ln1g5/1r4k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b b BG2SLPnp 61";

/// Positions out of random games whose mates cshogi's mate solver found, with their length in plies.
const MATES: [(u32, &str); 9] = [
    (3, "l1b2rg1l/3g3+R1/2nkppn2/p1pps1p1p/1p3s2P/P1P2S3/1PSPP2nL/2G2G3/LN1K5 b BP3p 79"),
    (3, "l6nl/5g2R/p2p1pkps/2Rs2p2/BpP1SP2P/4p1P2/PP+nP3P1/6SK1/LNBG1G1NL b G2Pp 65"),
    (3, "1n1s3nB/lp4kS1/3Bppg2/r7p/2P3p2/L7P/1P1PPP1R1/2GSG1S2/1N2K2NL b G5Pl2p 73"),
    (5, "r7l/4gs2b/3p5/2B3s1k/4p4/1PPP4N/lGN4GN/2K1+n2PL/6P2 w RGP2sl10p 164"),
    (5, "3+P1gr+L1/6g2/1kn1p1s1P/p4ppp1/2P1P2Pl/PsK2P1r1/1P4N1L/1g1G5/LN4b1s w N3Pbs2p 148"),
    (5, "l1+R4nk/3s1Ss1l/3pg2pp/1p2pp3/2P1P1pP1/p1GP1K3/3BnPS1P/9/B6RL b 2G2NL3Pp 123"),
    (7, "3gr2nl/1b1kgg3/+N1nsp2p1/2pp1pP1p/sP5R1/P1PP1P2P/4P1N2/1K1sg4/L7L w L2Pbs2p 94"),
    (7, "ln1nsk2l/5b3/4gp1p1/ps2pg2p/3p5/P1SPP2P1/1SG2G1KP/L1N6/B7L w 2rn7p 120"),
    (7, "l6n1/8l/kr3g1p1/p1+S5p/1p3Np2/P1PpKSPPP/LP2RG3/3G5/1N6L b 2BG2SN5Pp 113"),
];

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

/// Bounds of the lines of some searches, those told on the way and those at the end.
fn bounds_shown(settings: &SearchSettings) -> (Vec<Bound>, Vec<Bound>) {
    let lines = Recorder::default();
    let mut last = Vec::new();
    for nodes in (2_000..30_000).step_by(2_000) {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        let control = SearchControl::new();
        let result = Searcher::new(1, 1).search(&position(MIDDLEGAME), &limits, settings, &control, &lines);
        last.push(result.lines[0].bound);
    }
    (lines.0.into_inner().unwrap().iter().map(|line| line.bound).collect(), last)
}

#[test]
fn bounds_are_shown_when_they_may() {
    let is_bound = |bound: &Bound| *bound != Bound::Exact;
    let settings = |report_bounds_after| SearchSettings { report_bounds_after, ..SearchSettings::default() };
    let (told, last) = bounds_shown(&settings(Some(Duration::ZERO)));
    assert!(told.iter().any(is_bound) && !last.iter().any(is_bound), "{told:?} {last:?}");
    let (told, _) = bounds_shown(&settings(Some(Duration::from_secs(3600))));
    assert!(!told.iter().any(is_bound));
    let consideration = SearchSettings { consideration_mode: true, ..settings(Some(Duration::ZERO)) };
    for settings in [settings(None), consideration] {
        let (told, last) = bounds_shown(&settings);
        assert!(!told.iter().any(is_bound) && !last.iter().any(is_bound));
    }
}

/// A position, the last lines of a search of it, and those told on the way.
struct Found {
    root: Position,
    last: Vec<SearchInfo>,
    told: Vec<SearchInfo>,
}

impl Found {
    /// Whether a line was told in its iteration with the same score.
    fn was_told(&self, line: &SearchInfo) -> bool {
        let is_same = |told: &SearchInfo| (told.depth, told.score, told.pv[0]) == (line.depth, line.score, line.pv[0]);
        self.told.iter().any(is_same)
    }
}

/// What searches find that are cut short at all sorts of moments, in an analysis or in a game on the clock.
fn results_of(multi_pv: usize, threads: usize, clock: Option<Clock>) -> Vec<Found> {
    let settings = SearchSettings { multi_pv, pv_interval: Duration::ZERO, ..SearchSettings::default() };
    let mut searcher = Searcher::new(threads, 4);
    let mut results = Vec::new();
    for sfen in [MIDDLEGAME, SHUFFLE_ENDGAME, MATES[0].1, MATES[3].1, MATES[6].1] {
        searcher.clear();
        for nodes in (1..15_000).step_by(1_111) {
            let limits = SearchLimits { nodes: Some(nodes), clock, ..SearchLimits::default() };
            let root = position(sfen);
            let told = Recorder::default();
            let last = searcher.search(&root, &limits, &settings, &SearchControl::new(), &told).lines;
            results.push(Found { root, last, told: told.0.into_inner().unwrap() });
        }
    }
    results
}

/// Two kings that can do little but go to and fro.
const SHUFFLE_ENDGAME: &str = "k8/9/9/9/9/9/9/9/8K b - 1";

/// How the rules end the game after a line, if they do.
fn end_of(root: &Position, line: &SearchInfo) -> Option<PvEnd> {
    PvEnd::of_repetition(after_line(root, &line.pv).search_repetition(line.pv.len()))
}

#[test]
fn last_lines_are_exact_whole_and_in_order() {
    let hour = Clock { time: [Some(3_600_000); 2], ..Clock::default() };
    for (multi_pv, threads, clock) in [(1, 1, None), (1, 2, None), (4, 1, None), (4, 2, None), (4, 1, Some(hour))] {
        let results = results_of(multi_pv, threads, clock);
        let (mut lines, mut short, mut mixed) = (0, 0, 0);
        for found in &results {
            let (root, result) = (&found.root, &found.last);
            for pair in result.windows(2) {
                assert!(pair[0].score >= pair[1].score, "{result:#?}");
                assert!(pair[0].pv[0] != pair[1].pv[0] && pair[0].multi_pv < pair[1].multi_pv, "{result:#?}");
            }
            // (What the mate solver has proved has a depth of its own.)
            let searched: Vec<_> = result.iter().filter(|line| !line.score.is_decided()).collect();
            let depths: HashSet<_> = searched.iter().map(|line| line.depth).collect();
            assert!(depths.len() <= 1 || clock.is_some(), "all lines are of one iteration: {result:#?}");
            // A new best move is of the unfinished iteration, and so may others be, but none has an invented score.
            mixed += usize::from(depths.len() > 1);
            for line in &searched {
                let is_new = clock.is_some() && line.depth == searched[0].depth;
                assert!(multi_pv == 1 || is_new || line.depth == 1 || found.was_told(line), "{line:?} in {result:#?}");
            }
            for line in result {
                assert_eq!(line.bound, Bound::Exact);
                let end = after_line(root, &line.pv);
                assert_eq!(line.pv_end, end_of(root, line), "{line:?}");
                if let Outcome::MateIn(plies) = line.score.outcome()
                    && line.pv.len() == plies as usize
                {
                    assert!(legal_moves(&end).is_empty(), "{line:?}");
                }
                let whole = line.score.is_decided() || line.pv_end.is_some() || legal_moves(&end).is_empty();
                lines += 1;
                short += usize::from(!whole && line.pv.len() < 8.min(line.depth as usize));
            }
        }
        assert!(short * 100 <= lines, "{multi_pv} {threads}: {short} of {lines}");
        assert_eq!(mixed > 0, clock.is_some(), "{mixed}");
    }
}

#[test]
fn a_line_tells_that_it_ends_by_repetition() {
    let results = results_of(1, 1, None);
    let drawn = |found: &&Found| found.last[0].pv_end == Some(PvEnd::RepetitionDraw);
    assert!(results.iter().filter(drawn).count() > 3);
    for Found { root, last: lines, .. } in &results {
        // Nothing follows a repetition.
        for length in 1..lines[0].pv.len() {
            let position = after_line(root, &lines[0].pv[..length]);
            assert_eq!(position.search_repetition(length), Repetition::None, "{:?}", lines[0]);
        }
    }
}

#[test]
fn there_is_nearly_always_a_move_to_ponder_on() {
    let results = results_of(2, 1, None);
    let searched: Vec<_> = results.iter().filter(|found| found.last[0].nodes > 2).collect();
    let without = |Found { root, last: lines, .. }: &&&Found| {
        lines[0].pv.len() < 2 && !legal_moves(&after_line(root, &lines[0].pv)).is_empty()
    };
    let count = searched.iter().filter(without).count();
    assert!(count * 50 < searched.len(), "{count} of {}", searched.len());
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
        searcher.search(&position(MIDDLEGAME), &to_depth(9), &settings, &SearchControl::new(), &SilentObserver).nodes
    };
    assert_eq!(run(&mut searcher), first.nodes);
    assert_ne!(run(&mut searcher), first.nodes, "the table remembers");
    searcher.clear();
    assert_eq!(run(&mut searcher), first.nodes, "a cleared searcher is a new one");
}

#[test]
fn limits_are_kept() {
    let settings = SearchSettings::default();
    let limits = SearchLimits { nodes: Some(12_345), ..SearchLimits::default() };
    assert_eq!(search_with(MIDDLEGAME, limits, &settings).nodes, 12_345);

    let result = search_with(MIDDLEGAME, to_depth(4), &settings);
    assert_eq!(result.lines[0].depth, 4);

    let only: Vec<Move> = ["7g7f", "P*9d", "G*8b", "5g5f"].iter().filter_map(|text| text.parse().ok()).collect();
    let legal: Vec<Move> = only.iter().copied().filter(|&mv| position(MIDDLEGAME).is_legal(mv)).collect();
    assert!(!legal.is_empty());
    let limits = SearchLimits { search_moves: only, ..to_depth(5) };
    let best = search_with(MIDDLEGAME, limits, &settings).best_move().unwrap();
    assert!(legal.contains(&best));

    let start = Instant::now();
    let limits = SearchLimits { move_time: Some(Duration::from_millis(150)), ..SearchLimits::default() };
    search_with(MIDDLEGAME, limits, &settings);
    let elapsed = start.elapsed();
    assert!(elapsed > Duration::from_millis(100) && elapsed < Duration::from_millis(1500), "{elapsed:?}");
}

#[test]
fn a_search_stopped_at_once_still_has_a_legal_move() {
    let control = SearchControl::new();
    control.stop();
    let limits = SearchLimits { infinite: true, ..SearchLimits::default() };
    let mut searcher = Searcher::new(2, 1);
    let settings = SearchSettings { multi_pv: 5, ..SearchSettings::default() };
    let result = searcher.search(&position(MIDDLEGAME), &limits, &settings, &control, &SilentObserver);
    assert!(position(MIDDLEGAME).is_legal(result.best_move().unwrap()));
    assert_eq!(result.lines.len(), 5);
}

#[test]
fn byoyomi_is_used_and_not_overstepped() {
    let clock = Clock { byoyomi: Some(300), ..Clock::default() };
    let limits = SearchLimits { clock: Some(clock), ..SearchLimits::default() };
    let time = TimeSettings { network_delay: Duration::ZERO, network_delay2: Duration::ZERO, ..Default::default() };
    let settings = SearchSettings { time, ..SearchSettings::default() };
    let start = Instant::now();
    search_with(MIDDLEGAME, limits, &settings);
    let elapsed = start.elapsed();
    assert!(elapsed > Duration::from_millis(250) && elapsed < Duration::from_millis(1500), "{elapsed:?}");
}

/// Runs a search on its own thread and returns what `command` did with it, with the time it took.
fn commanded(
    sfen: &'static str,
    limits: SearchLimits,
    command: impl FnOnce(&SearchControl),
) -> (SearchResult, Duration) {
    commanded_with(SearchSettings::default(), sfen, limits, command)
}

fn commanded_with(
    settings: SearchSettings,
    sfen: &'static str,
    limits: SearchLimits,
    command: impl FnOnce(&SearchControl),
) -> (SearchResult, Duration) {
    let control = Arc::new(SearchControl::new());
    control.reset(limits.ponder);
    let start = Instant::now();
    let search = std::thread::spawn({
        let control = Arc::clone(&control);
        move || {
            let mut searcher = Searcher::new(1, 16);
            searcher.search(&position(sfen), &limits, &settings, &control, &SilentObserver)
        }
    });
    command(&control);
    (search.join().unwrap(), start.elapsed())
}

/// The search itself is over in no time.
const EASY_MATE: &str = MATES[0].1;
const WHILE: Duration = Duration::from_millis(150);

#[test]
fn nothing_is_answered_before_stop_in_infinite() {
    let limits = SearchLimits { infinite: true, ..SearchLimits::default() };
    let (result, elapsed) = commanded(EASY_MATE, limits, |control| {
        std::thread::sleep(WHILE);
        control.stop();
    });
    assert!(elapsed >= WHILE && result.best_move().is_some());
}

#[test]
fn nothing_is_answered_before_ponderhit_in_ponder() {
    let limits = SearchLimits { ponder: true, ..to_depth(3) };
    let (result, elapsed) = commanded(EASY_MATE, limits, |control| {
        std::thread::sleep(WHILE);
        control.ponder_hit(None);
    });
    assert!(elapsed >= WHILE && result.best_move().is_some());
}

#[test]
fn ponderhit_starts_the_clock_it_brings() {
    let clock = Clock { byoyomi: Some(60_000), ..Clock::default() };
    let limits = SearchLimits { ponder: true, clock: Some(clock), ..SearchLimits::default() };
    let (result, elapsed) = commanded(MIDDLEGAME, limits, |control| {
        std::thread::sleep(WHILE);
        control.ponder_hit(Some(Clock { byoyomi: Some(400), ..Clock::default() }));
    });
    assert!(result.best_move().is_some());
    assert!(elapsed > WHILE + Duration::from_millis(150) && elapsed < Duration::from_millis(2500), "{elapsed:?}");
}

/// How long a search goes on after a `ponderhit` that comes when it has pondered for some time.
fn after_ponderhit(sfen: &'static str, clock: Clock, pondered: Duration) -> Duration {
    let limits = SearchLimits { ponder: true, clock: Some(clock), ..SearchLimits::default() };
    let time = TimeSettings {
        minimum_thinking_time: Duration::ZERO,
        round_up_to_full_second: false,
        ..TimeSettings::default()
    };
    let settings = SearchSettings { time, ..SearchSettings::default() };
    let (result, elapsed) = commanded_with(settings, sfen, limits, |control| {
        std::thread::sleep(pondered);
        control.ponder_hit(None);
    });
    assert!(result.best_move().is_some());
    elapsed - pondered
}

#[test]
fn what_was_thought_while_pondering_need_not_be_thought_again() {
    let minute = Clock { time: [Some(60_000); 2], ..Clock::default() };
    let byoyomi = Clock { byoyomi: Some(5_000), ..Clock::default() };
    let only_move = "k6r1/9/9/9/9/9/9/9/r7K b - 1";
    assert_eq!(legal_moves(&position(only_move)).len(), 1);
    for (sfen, clock, pondered) in [(MIDDLEGAME, minute, 3), (only_move, minute, 1), (only_move, byoyomi, 1)] {
        // On a busy machine it thinks less in the same time: then it ponders longer.
        let elapsed =
            [1, 3, 9].map(|times| move || after_ponderhit(sfen, clock, Duration::from_secs(times * pondered)));
        assert!(elapsed.iter().any(|elapsed| elapsed() < Duration::from_millis(600)), "{sfen}");
    }
    let elapsed = after_ponderhit(MIDDLEGAME, Clock { byoyomi: Some(800), ..byoyomi }, Duration::from_secs(1));
    assert!(elapsed > Duration::from_millis(500), "byoyomi cannot be saved: {elapsed:?}");
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
fn lines_of_multi_pv_differ_and_are_ordered() {
    let settings = SearchSettings { multi_pv: 6, ..SearchSettings::default() };
    let lines = search_with(MIDDLEGAME, to_depth(7), &settings).lines;
    assert_eq!(lines.iter().map(|line| line.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    for pair in lines.windows(2) {
        assert!(pair[0].score >= pair[1].score && pair[0].pv[0] != pair[1].pv[0]);
    }
}

#[test]
fn more_lines_than_moves_are_as_many_as_moves() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 w - 1";
    let moves = legal_moves(&position(sfen)).len();
    let settings = SearchSettings { multi_pv: 500, ..SearchSettings::default() };
    assert_eq!(search_with(sfen, to_depth(3), &settings).lines.len(), moves);
}

#[test]
fn without_a_legal_move_there_is_no_line() {
    let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    assert!(legal_moves(&position(mated)).is_empty());
    assert!(search(mated, 5).lines.is_empty());
}

#[test]
fn several_threads_agree_on_a_mate() {
    let mut searcher = Searcher::new(2, 16);
    for (plies, sfen) in MATES.into_iter().filter(|(plies, _)| *plies <= 5) {
        let settings = SearchSettings::default();
        let result = searcher.search(&position(sfen), &to_depth(14), &settings, &SearchControl::new(), &SilentObserver);
        assert_eq!(result.score().map(Score::outcome), Some(Outcome::MateIn(plies)), "{sfen}");
        searcher.set_threads(3);
    }
}

/// Plays moves on top of an SFEN.
fn after(sfen: &str, moves: &str) -> Position {
    let mut position = position(sfen);
    for text in moves.split_whitespace() {
        let mv: Move = text.parse().unwrap();
        assert!(position.is_legal(mv), "{text}");
        position.do_move(mv);
    }
    position
}

fn search_position(position: &Position, depth: i32, settings: &SearchSettings) -> SearchResult {
    Searcher::new(1, 16).search(position, &to_depth(depth), settings, &SearchControl::new(), &SilentObserver)
}

/// Black is a rook and a bishop down but may go back to a position that has occurred three times.
fn behind_but_a_move_from_sennichite() -> Position {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL w rb 1";
    after(sfen, &("5a5b 5i5h 5b5a 5h5i ".repeat(2) + "5a5b 5i5h 5b5a"))
}

#[test]
fn the_losing_side_takes_the_draw_by_repetition() {
    let position = behind_but_a_move_from_sennichite();
    let settings = SearchSettings { draw_value: [Score::ZERO; 2], ..SearchSettings::default() };
    let result = search_position(&position, 6, &settings);
    assert_eq!(result.score(), Some(Score::ZERO), "{:?}", result.lines[0].pv);
}

#[test]
fn a_draw_is_worth_what_the_options_say() {
    let position = behind_but_a_move_from_sennichite();
    let draw_value = [Score::from_eval(-37), Score::from_eval(55)];
    let settings = SearchSettings { draw_value, ..SearchSettings::default() };
    assert_eq!(search_position(&position, 6, &settings).score(), Some(draw_value[0]));
}

#[test]
fn perpetual_check_is_no_way_to_draw() {
    // Black, far behind, can check for ever with the rook; the fourth repetition would lose.
    let position = after("4k4/9/9/5R3/9/9/9/9/K8 b 2b4g4s 1", &"4d5d 5a4a 5d4d 4a5a ".repeat(2));
    let settings = SearchSettings { draw_value: [Score::ZERO; 2], ..SearchSettings::default() };
    let score = search_position(&position, 7, &settings).score().unwrap();
    assert!(score < Score::ZERO, "{:?}", score.outcome());
}

#[test]
fn a_declaration_inside_the_tree_is_a_win() {
    // Black needs one step into the zone: 28 points and ten pieces are there.
    let sfen = "+P+P+P+P+P+P+P+P+P/+PG7/8p/4K4/9/9/9/9/k8 b 2R2B3G4S7P 1";
    let before = position(sfen);
    assert!(!before.declaration(EnteringKingRule::CsaRule27).wins);
    let score_with = |king_rule| {
        let limits = SearchLimits { search_moves: vec!["5d5c".parse().unwrap()], ..to_depth(3) };
        let rules = Rules { king_rule, ..Rules::default() };
        let settings = SearchSettings { rules, ..SearchSettings::default() };
        search_with(sfen, limits, &settings).score().unwrap().outcome()
    };
    assert_eq!(score_with(EnteringKingRule::CsaRule27), Outcome::WinIn(3));
    assert!(!matches!(score_with(EnteringKingRule::NoEnteringKing), Outcome::WinIn(_)));
}

#[test]
fn the_move_limit_draws() {
    let limit = position(MIDDLEGAME).game_ply();
    let settings = SearchSettings {
        rules: Rules { max_moves: Some(limit), ..Rules::default() },
        draw_value: [Score::from_eval(-11); 2],
        ..SearchSettings::default()
    };
    assert_eq!(search_with(MIDDLEGAME, to_depth(5), &settings).score(), Some(Score::from_eval(-11)));
}

#[test]
fn mate_on_the_last_move_counts_and_one_move_later_it_is_a_draw() {
    let draw = Score::from_eval(-11);
    for (plies, sfen) in MATES {
        let last = position(sfen).game_ply() + plies - 1;
        let score = |max_moves| {
            let rules = Rules { max_moves: Some(max_moves), ..Rules::default() };
            let settings = SearchSettings { rules, draw_value: [draw; 2], ..SearchSettings::default() };
            search_with(sfen, to_depth(plies as i32 + 6), &settings).score().unwrap()
        };
        assert_eq!(score(last).outcome(), Outcome::MateIn(plies), "{sfen}");
        assert_eq!(score(last - 1), draw, "{sfen}");
    }
}

#[test]
fn an_observer_sees_rising_depths_and_legal_lines() {
    let watch = Recorder::default();
    let settings = SearchSettings { pv_interval: Duration::ZERO, ..SearchSettings::default() };
    Searcher::new(1, 16).search(&position(MIDDLEGAME), &to_depth(9), &settings, &SearchControl::new(), &watch);
    let seen = watch.0.into_inner().unwrap();
    assert_eq!(seen.iter().map(|line| line.depth).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
    for line in seen {
        after_line(&position(MIDDLEGAME), &line.pv);
    }
}

#[test]
fn a_non_promotion_that_avoids_a_drop_pawn_mate_is_found() {
    let result = search("5k3/4l4/9/5S1RN/7p1/5n1l1/9/9/K8 b P 1", 12);
    assert_eq!(result.score().unwrap().outcome(), Outcome::MateIn(5), "{:?}", result.lines[0]);
    assert_eq!(result.best_move().unwrap().to_string(), "2d2a");
}
