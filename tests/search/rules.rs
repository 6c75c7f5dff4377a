//! The rules that end games, in the tree and at the root.

use kurosabi::position::{EnteringKingRule, Position};
use kurosabi::rules::Rules;
use kurosabi::search::{SearchLimits, SearchResult, SearchSettings, Searcher, Signals, SilentObserver};
use kurosabi::types::{Move, Outcome, Score};

use super::common::{MATES, MIDDLEGAME, position, search_with, to_depth};

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
    Searcher::new(1, 16).search(position, &to_depth(depth), settings, &Signals::new(), &SilentObserver)
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
            search_with(sfen, to_depth(plies as i32 + 8), &settings).score().unwrap()
        };
        assert_eq!(score(last).outcome(), Outcome::MateIn(plies), "{sfen}");
        assert_eq!(score(last - 1), draw, "{sfen}");
    }
}

#[test]
fn a_last_move_that_leaves_none_wins_without_check_too() {
    // 5c5b stalemates.
    let limits = SearchLimits { search_moves: vec!["5c5b".parse().unwrap()], ..to_depth(2) };
    let rules = Rules { max_moves: Some(1), ..Rules::default() };
    let settings = SearchSettings { rules, ..SearchSettings::default() };
    let result = search_with("8k/9/4R4/9/9/9/9/7R1/4K4 b - 1", limits, &settings);
    assert_eq!(result.score().unwrap().outcome(), Outcome::MateIn(1));
}
