//! Sennichite: the same board, hands and turn for the fourth time.

use kurosabi::position::{Position, Repetition, STARTPOS_SFEN, SearchRepetition};

use crate::squares::{after, play, position, turned, turned_moves};

/// The rule's verdict after each ply of a game, for the side to move.
fn verdicts(sfen: &str, moves: &str) -> Vec<Repetition> {
    let mut position = position(sfen);
    moves
        .split_whitespace()
        .map(|usi| {
            play(&mut position, usi);
            position.repetition()
        })
        .collect()
}

/// Asserts that a game's last ply, and none before it, has this verdict; the same with colours changed.
#[track_caller]
fn ends_with(sfen: &str, moves: &str, expected: Repetition) {
    let games = [(sfen.to_owned(), moves.to_owned()), (turned(&position(sfen)).to_sfen(), turned_moves(moves))];
    for (sfen, moves) in games {
        let verdicts = verdicts(&sfen, &moves);
        let (last, before) = verdicts.split_last().unwrap();
        assert!(before.iter().all(|&verdict| verdict == Repetition::None), "{sfen} moves {moves}: {before:?}");
        assert_eq!(*last, expected, "{sfen} moves {moves}");
    }
}

const SHUFFLE: &str = "2h3h 8b7b 3h2h 7b8b ";

#[test]
fn the_fourth_occurrence_is_a_draw_and_the_third_is_none() {
    ends_with(STARTPOS_SFEN, &SHUFFLE.repeat(2), Repetition::None);
    ends_with(STARTPOS_SFEN, &SHUFFLE.repeat(3), Repetition::Draw);
    // The first of the four is the position in which the shuffling begins.
    ends_with(STARTPOS_SFEN, &format!("7g7f 3c3d {}", SHUFFLE.repeat(3)), Repetition::Draw);
}

#[test]
fn a_fifth_occurrence_counts_as_well() {
    assert_eq!(after(STARTPOS_SFEN, &SHUFFLE.repeat(4)).repetition(), Repetition::Draw);
    assert_eq!(after(STARTPOS_SFEN, &SHUFFLE.repeat(40)).repetition(), Repetition::Draw);
}

#[test]
fn the_occurrences_need_not_follow_each_other() {
    let others = "4i4h 6a6b 4h4i 6b6a ";
    let around = "2h3h 8b7b 3h4h 7b6b 4h2h 6b8b ";
    ends_with(STARTPOS_SFEN, &format!("{others}{around}{SHUFFLE}"), Repetition::Draw);
    ends_with(STARTPOS_SFEN, &format!("{around}{around}"), Repetition::None);
}

#[test]
fn the_history_counts_from_its_very_start() {
    let tour = "2h3h 8b7b 3h4h 7b6b 4h5h 6b5b 5h6h 5b4b 6h7h 4b3b 7h2h 3b8b ";
    ends_with(STARTPOS_SFEN, &tour.repeat(3), Repetition::Draw);
    // A position set up without its history has occurred once.
    let later = after(STARTPOS_SFEN, tour).to_sfen();
    ends_with(&later, &tour.repeat(2), Repetition::None);
}

#[test]
fn the_hands_must_be_the_same() {
    // White's king takes a pawn dropped beside it and comes back: the board is as before, the hands are not.
    let give_away = "P*5e 5d5e 5i4i 5e4e 4i5i 4e5d ";
    let game = after("9/9/9/4k4/9/9/9/9/4K4 b 4P 1", &give_away.repeat(4));
    assert_eq!(game.to_sfen(), "9/9/9/4k4/9/9/9/9/4K4 b 4p 25");
    assert_eq!(game.repetition(), Repetition::None);
}

#[test]
fn the_turn_must_be_the_same() {
    // Black loses a move with its king (three moves for a triangle) while White goes there and back;
    // then White does: the board returns five plies later, each time with the other player to move.
    let start = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let black_loses_a_move = "5i5h 5a5b 5h4h 5b5a 4h5i ";
    let white_loses_a_move = "5a5b 5i5h 5b4b 5h5i 4b5a ";
    let game = format!("{black_loses_a_move}{white_loses_a_move}{black_loses_a_move}{white_loses_a_move}");
    let board = |sfen: String| sfen.split(' ').next().unwrap().to_owned();
    let mut position = position(start);
    let mut returns = 0;
    for usi in game.split_whitespace() {
        play(&mut position, usi);
        returns += usize::from(board(position.to_sfen()) == "4k4/9/9/9/9/9/9/9/4K4");
        assert_eq!(position.repetition(), Repetition::None, "{position:?}");
    }
    assert_eq!(returns, 4);
    // Black has had the move on this board three times; now it is the fourth.
    play(&mut position, &format!("{black_loses_a_move}{white_loses_a_move}"));
    assert_eq!(position.repetition(), Repetition::Draw);
}

/// A rook that checks a king up and down.
const CHECKS: &str = "9a9b 5b5a 9b9a 5a5b ";
const CHECKED: &str = "R8/4k4/9/9/9/9/9/9/4K4 b - 1";

#[test]
fn perpetual_check_loses_for_the_checker() {
    // The fourth occurrence may come with the checker to move…
    ends_with(CHECKED, &CHECKS.repeat(3), Repetition::Lose);
    // …or with the other side to move.
    ends_with("9/R3k4/9/9/9/9/9/9/4K4 w - 1", &"5b5a 9b9a 5a5b 9a9b ".repeat(3), Repetition::Win);
    ends_with(CHECKED, &CHECKS.repeat(2), Repetition::None);
}

#[test]
fn checks_before_the_first_occurrence_change_nothing() {
    // The rook follows the king with checks; from the seventh ply on the same positions return.
    let start = "9/9/9/9/4k4/R8/9/9/4K4 b - 1";
    let before = "9f9e 5e5d 9e9d 5d5c 9d9c 5c5b 9c9b 5b5a 9b9a 5a5b ";
    ends_with(start, &format!("{before}{}", CHECKS.repeat(2)), Repetition::None);
    ends_with(start, &format!("{before}{}9a9b", CHECKS.repeat(2)), Repetition::Win);
}

#[test]
fn quiet_moves_before_the_first_occurrence_change_nothing() {
    let start = "1R7/4k4/9/9/9/9/9/9/4K4 b - 1";
    ends_with(start, &format!("8a9a 5b5c 5i5h 5c5b {}", CHECKS.repeat(3)), Repetition::Lose);
}

#[test]
fn a_cycle_with_one_quiet_move_is_a_draw() {
    // In the first, the second or the third round; with one quiet move, or two.
    for quiet in ["9a9b 5b5c 9b9a 5c5b ", "5i5h 5b5c 5h5i 5c5b "] {
        for round in 0..3 {
            let mut rounds = [CHECKS; 3];
            rounds[round] = quiet;
            ends_with(CHECKED, &rounds.concat(), Repetition::Draw);
        }
    }
}

#[test]
fn checks_before_a_quiet_move_do_not_make_up_for_it() {
    let start = "9/9/9/9/4k4/R8/9/9/4K4 b - 1";
    let checks = "9f9e 5e5d 9e9d 5d5c 9d9c 5c5b 9c9b 5b5a 9b9a 5a5b ";
    ends_with(start, &format!("{checks}9a9b 5b5c 9b9a 5c5b {CHECKS}9a9b"), Repetition::Draw);
}

/// More plies from the root than any of these games has.
const WITHIN_TREE: usize = 100;

#[test]
fn search_needs_one_repetition_only() {
    let start = Position::startpos();
    assert_eq!(start.search_repetition(WITHIN_TREE), SearchRepetition::Rules(Repetition::None));
    assert_eq!(
        after(STARTPOS_SFEN, "2h3h 8b7b 3h2h").search_repetition(WITHIN_TREE),
        SearchRepetition::Rules(Repetition::None)
    );
    assert_eq!(after(STARTPOS_SFEN, SHUFFLE).search_repetition(WITHIN_TREE), SearchRepetition::Rules(Repetition::Draw));
    assert_eq!(after(CHECKED, CHECKS).search_repetition(WITHIN_TREE), SearchRepetition::Rules(Repetition::Lose));
    assert_eq!(
        after("9/R3k4/9/9/9/9/9/9/4K4 w - 1", "5b5a 9b9a 5a5b 9a9b").search_repetition(WITHIN_TREE),
        SearchRepetition::Rules(Repetition::Win)
    );
}

#[test]
fn boards_before_the_root_count_by_the_rules_alone() {
    let once = after(STARTPOS_SFEN, SHUFFLE);
    let plies = SHUFFLE.split_whitespace().count();
    assert_eq!(
        once.search_repetition(plies),
        SearchRepetition::Rules(Repetition::None),
        "the root itself can be had again"
    );
    assert_eq!(once.search_repetition(plies + 1), SearchRepetition::Rules(Repetition::Draw));
    assert_eq!(
        after(STARTPOS_SFEN, &SHUFFLE.repeat(2)).search_repetition(1),
        SearchRepetition::Rules(Repetition::None)
    );
    assert_eq!(
        after(STARTPOS_SFEN, &SHUFFLE.repeat(3)).search_repetition(1),
        SearchRepetition::Rules(Repetition::Draw)
    );
}

#[test]
fn more_or_fewer_pieces_in_hand_are_superior_or_inferior() {
    // White gains a pawn, Black to move has lost it.
    let given = "P*5e 5d5e 5i4i 5e4e 4i5i 4e5d";
    let board = "9/9/9/4k4/9/9/9/9/4K4";
    assert_eq!(after(&format!("{board} b P 1"), given).search_repetition(WITHIN_TREE), SearchRepetition::Inferior);
    // The same with White to move.
    let taken = "5d4d P*4e 4d4e 5i4i 4e5d 4i5i";
    assert_eq!(after(&format!("{board} w P 1"), taken).search_repetition(WITHIN_TREE), SearchRepetition::Superior);
    // The rule itself knows neither.
    assert_eq!(after(&format!("{board} b P 1"), given).repetition(), Repetition::None);
    // With colours changed.
    let turned_board = turned(&position(&format!("{board} b P 1"))).to_sfen();
    assert_eq!(after(&turned_board, &turned_moves(given)).search_repetition(WITHIN_TREE), SearchRepetition::Inferior);
}

/// Black passes and goes to and fro, White comes back in three moves: the board of before the null move is no
/// repetition.
#[test]
fn boards_before_a_null_move_are_not_repeated() {
    let mut position = position("4k4/9/9/9/9/9/9/9/4K4 b G 1");
    let before = position.key();
    position.do_null_move();
    play(&mut position, "5a4a 5i4i 4a4b 4i5i 4b5a");
    assert_eq!(position.key(), before);
    assert_eq!(
        (position.repetition(), position.search_repetition(100)),
        (Repetition::None, SearchRepetition::Rules(Repetition::None))
    );
}

#[test]
fn a_null_move_ends_the_look_back() {
    let mut position = after(STARTPOS_SFEN, &SHUFFLE.repeat(3));
    position.do_null_move();
    assert_eq!(
        (position.repetition(), position.search_repetition(WITHIN_TREE)),
        (Repetition::None, SearchRepetition::Rules(Repetition::None))
    );
    position.undo_null_move();
    assert_eq!(position.repetition(), Repetition::Draw);
}

#[test]
fn taking_back_a_move_takes_back_the_verdict() {
    let mut position = after(STARTPOS_SFEN, &SHUFFLE.repeat(3));
    let last = "7b8b".parse().unwrap();
    position.undo_move(last);
    assert_eq!(position.repetition(), Repetition::None);
    position.do_move(last);
    assert_eq!(position.repetition(), Repetition::Draw);
}

#[test]
fn a_move_that_can_be_taken_back_repeats() {
    let repeats = |sfen: &str, moves: &str, last: &str| {
        let games = [
            (after(sfen, moves), last.to_owned()),
            (after(&turned(&position(sfen)).to_sfen(), &turned_moves(moves)), turned_moves(last)),
        ];
        let both = games.map(|(mut game, last)| {
            let Some(back) = game.repeating_move(last.trim().parse().unwrap()) else { return false };
            game.do_move(back);
            assert_eq!(
                game.search_repetition(WITHIN_TREE),
                SearchRepetition::Rules(Repetition::Draw),
                "{sfen} {moves}"
            );
            true
        });
        assert_eq!(both[0], both[1], "{sfen} {moves}");
        both[0]
    };
    assert!(repeats(STARTPOS_SFEN, "2h3h 8b7b 3h2h", "8b7b"));
    assert!(!repeats(STARTPOS_SFEN, "2h3h 8b7b", "2h3h"), "too short");
    assert!(!repeats(STARTPOS_SFEN, "2h3h 8b7b 3h4h", "8b7b"), "the opponent has gone on");
    assert!(!repeats(STARTPOS_SFEN, "2h3h 3c3d 3h2h", "3c3d"), "pawns do not go back");
    assert!(!repeats("4k4/9/9/9/9/9/4G4/9/4K4 w - 1", "5a4a 5g6f 4a5a", "5g6f"), "nor golds aslant");
    assert!(repeats("4k4/9/9/9/9/9/4S4/9/4K4 w - 1", "5a4a 5g6f 4a5a", "5g6f"));
    assert!(!repeats("4k4/9/9/9/9/9/5r3/4S4/K8 w - 1", "4g5g 5h4g 5g4g", "5h4g"), "captured meanwhile");
    assert!(!repeats("9/R3k4/9/9/9/9/9/9/4K4 w - 1", "5b5a 9b9a 5a5b", "9b9a"), "checks");
}
