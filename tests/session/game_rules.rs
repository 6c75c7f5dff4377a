//! Games that end by rule.

use crate::client::{Client, only_info_string};

const SHUFFLE: &str = "2h3h 8b7b 3h2h 7b8b";
const CHASE: &str = "5i4i 4a5a 4i5i 5a4a";
const CAN_DECLARE: &str = "sfen K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB 1";
const CAN_TRY: &str = "sfen 9/4K4/9/9/9/9/9/9/k8 b - 1";

#[test]
fn a_position_that_ends_the_game_is_reported_once() {
    let mut client = Client::ready();
    client.send("setoption name MaxMovesToDraw value 20");
    let thrice = [SHUFFLE; 3].join(" ");
    let chase = format!("9i5i 5a4a {} 5i4i 4a5a 4i5i", [CHASE; 2].join(" "));
    for (position, words) in [
        (format!("startpos moves {thrice}"), ["sennichite", "draw"]),
        (
            format!("sfen 4k4/9/9/9/9/9/9/K8/R8 b - 1 moves {chase}"),
            ["sennichite: perpetual check by Black", "White wins"],
        ),
        ("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1".to_owned(), ["mate", "White is mated"]),
        ("sfen 8k/6G2/7G1/9/9/9/9/9/4K4 w - 1".to_owned(), ["no legal move", "Black wins"]),
        (CAN_DECLARE.to_owned(), ["declaration", "CSARule27 (28 points, 10 pieces)"]),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 21".to_owned(), ["move limit", "20 moves"]),
    ] {
        client.send(&format!("position {position}"));
        let lines = client.sync();
        let report = only_info_string(&lines);
        assert!(words.iter().all(|word| report.contains(word)), "{position}: {report}");
        // The game may go on all the same: somebody asks for a move, or sends one more.
        client.send("go depth 2");
        client.until("bestmove");
    }
    for position in [
        format!("startpos moves {SHUFFLE} 2h3h 8b7b 3h2h"),
        format!("startpos moves {thrice} 7g7f"),
        "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 20".to_owned(),
        "startpos".to_owned(),
    ] {
        client.send(&format!("position {position}"));
        assert_eq!(client.sync(), [""; 0], "{position}");
    }
    client.finish();
}

#[test]
fn a_lost_king_resigns_and_an_entered_one_declares() {
    let mut client = Client::ready();
    let answer = |client: &mut Client, position: &str| client.go(position, "go depth 3").pop().unwrap();
    assert_eq!(answer(&mut client, "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), "bestmove resign");
    assert_eq!(answer(&mut client, "sfen 8k/6G2/7G1/9/9/9/9/9/4K4 w - 1"), "bestmove resign");
    assert_eq!(answer(&mut client, CAN_DECLARE), "bestmove win");
    assert_ne!(answer(&mut client, CAN_TRY), "bestmove win");
    client.send("setoption name EnteringKingRule value TryRule");
    assert_eq!(answer(&mut client, CAN_TRY), "bestmove 5b5a");
    assert_ne!(answer(&mut client, CAN_DECLARE), "bestmove win");
    client.send("setoption name EnteringKingRule value CSARule24");
    assert_ne!(answer(&mut client, CAN_DECLARE), "bestmove win");
    client.send("setoption name EnteringKingRule value NoEnteringKing");
    assert_ne!(answer(&mut client, CAN_DECLARE), "bestmove win");
    client.finish();
}

/// The king that reached the square ends the game, as one that is about to does not yet.
#[test]
fn a_try_that_was_made_has_won() {
    let mut client = Client::ready();
    client.send("setoption name EnteringKingRule value TryRule");
    let tried = "sfen 9/9/4K4/9/9/9/9/9/k8 b R2B4G4S4N4L17Prp 1 moves 5c5b 9i8h 5b5a";
    client.send(&format!("position {tried}"));
    let reported = "try: Black's king has reached the other's first square, Black wins";
    assert_eq!(client.until("info string"), [format!("info string {reported}")]);
    client.send("d");
    assert!(client.until("Game over:").pop().unwrap().ends_with(reported));
    client.until("Declaration:");
    let lines = client.go(tried, "go depth 3");
    assert!(lines.last().unwrap() == "bestmove resign", "{lines:#?}");
    client.send("setoption name EnteringKingRule value CSARule27");
    assert_ne!(client.go(tried, "go depth 3").last().unwrap(), "bestmove resign");
    client.finish();
}

#[test]
fn a_win_by_the_try_rule_is_shown_as_the_move_that_wins() {
    let mut client = Client::ready();
    client.send("setoption name EnteringKingRule value TryRule");
    let line =
        |client: &mut Client, position: &str, go: &str| client.go(position, go).iter().rev().nth(1).unwrap().clone();
    let own = line(&mut client, CAN_TRY, "go depth 3");
    assert!(own.contains(" score mate 1 ") && own.ends_with(" pv 5b5a"), "{own}");
    let named = line(&mut client, CAN_TRY, "go depth 3 searchmoves 5b5a");
    assert!(named.ends_with(" pv 5b5a"), "nothing follows the end of a game: {named}");
    let of_opponent = line(&mut client, "sfen K8/9/9/9/9/9/9/4k4/9 b - 1", "go depth 3");
    assert!(of_opponent.contains(" score mate -2 ") && of_opponent.ends_with(" 5h5i"), "{of_opponent}");
    client.finish();
}

#[test]
fn the_engine_resigns_when_told_to() {
    let mut client = Client::ready();
    let lost = "sfen 3rkr3/9/9/9/9/9/9/9/4K4 b 2b4g4s 1";
    assert_ne!(client.go(lost, "go depth 3").last().unwrap(), "bestmove resign");
    client.send("setoption name ResignValue value 1000");
    let lines = client.go(lost, "go depth 3");
    assert_eq!(lines.last().unwrap(), "bestmove resign");
    assert!(lines[lines.len() - 2].contains(" score ") && lines[lines.len() - 2].contains(" pv "), "{lines:#?}");
    assert_ne!(client.go("startpos", "go depth 3").last().unwrap(), "bestmove resign");
    client.finish();
}

/// A number behind a word.
fn field<'a>(line: &'a str, key: &str) -> &'a str {
    line.split_whitespace().skip_while(|word| *word != key).nth(1).unwrap_or_default()
}

#[test]
fn where_a_declaration_wins_the_other_moves_are_analysed_behind_it() {
    let mut client = Client::ready();
    let is_win = |line: &str| line.contains(" multipv 1 score mate 1 ") && line.ends_with(" pv win");
    client.send(&format!("position {CAN_DECLARE}"));
    client.send("go infinite");
    let deeper =
        |line: &str| line.contains(" multipv 2 ") && field(line, "depth").parse::<u32>().is_ok_and(|depth| depth > 2);
    client.until_that("a second line", deeper);
    client.until_that("the win", is_win);
    client.send("stop");
    let lines = client.until("bestmove");
    assert!(is_win(&lines[lines.len() - 2]) && lines.last().unwrap() == "bestmove win", "{lines:#?}");

    // In a game it is declared at once, and reported once.
    for go in ["go byoyomi 5000", "go depth 5", "go movetime 5000"] {
        let lines = client.go(CAN_DECLARE, go);
        let reported: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
        assert!(
            reported.len() == 1 && is_win(reported[0]) && lines.last().unwrap() == "bestmove win",
            "{go}: {lines:#?}"
        );
    }

    client.send("setoption name MultiPV value 3");
    let lines = client.go(CAN_DECLARE, "go depth 3");
    let last: Vec<&String> = lines.iter().rev().skip(1).take(3).collect();
    assert!(is_win(last[0]), "{lines:#?}");
    assert_eq!([field(last[1], "multipv"), field(last[2], "multipv")], ["2", "3"]);
    assert_ne!(field(last[1], "pv"), field(last[2], "pv"));

    client.send("setoption name EnteringKingRule value TryRule");
    let lines = client.go(CAN_TRY, "go depth 3");
    let [third, second, first] = &lines[lines.len() - 4..lines.len() - 1] else { panic!("{lines:#?}") };
    assert!(first.contains("multipv 1 score mate 1 ") && field(first, "pv") == "5b5a", "{first}");
    assert!(field(second, "pv") != "5b5a" && field(third, "pv") != "5b5a");
    assert_eq!(lines.last().unwrap(), "bestmove 5b5a");
    client.finish();
}

#[test]
fn the_draw_by_the_24_point_rule_is_claimed_where_the_position_is_worth_less() {
    const CAN_DRAW: &str = "sfen +P+P+P+P+PK3/9/LNSGG4/9/9/9/9/9/3gkg3 b RB8Prb3s3n3l5p 1";
    let mut client = Client::ready();
    for (rule, draw_value, declare, claims) in [
        ("CSARule24", 25_000, true, true),
        ("CSARule24H", 25_000, true, true),
        ("CSARule24", -25_000, true, false),
        ("CSARule24", 25_000, false, false),
        ("CSARule27", 25_000, true, true),
        ("TryRule", 25_000, true, false),
    ] {
        client.send(&format!("setoption name EnteringKingRule value {rule}"));
        client.send(&format!("setoption name DrawValueBlack value {draw_value}"));
        client.send(&format!("setoption name DeclareDraw value {declare}"));
        let lines = client.go(CAN_DRAW, "go depth 2");
        let answer = lines.last().unwrap();
        assert_eq!(answer == "bestmove win", claims, "{rule} {draw_value} {declare}: {lines:#?}");
        // 28 points win by the 27-point rule.
        let score = if rule == "CSARule27" { " score mate 1 " } else { " score cp 25000 " };
        let reported = &lines[lines.len() - 2];
        assert_eq!(reported.contains(score) && reported.ends_with(" pv win"), claims, "{reported}");
    }
    client.finish();
}
