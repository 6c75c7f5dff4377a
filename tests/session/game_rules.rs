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
