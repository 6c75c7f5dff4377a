//! The message parser and writer: lines that real clients and engines send, broken ones, and the
//! round trip of every message.

mod answers;
mod commands;
mod round_trip;
mod strategies;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use kurosabi::types::{Move, Outcome, ParseMoveError};
use kurosabi::usi::message::*;
use kurosabi::usi::parser::{UsiParseError, parse, parse_one, parse_strict, parse_with_unknown};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn moves(text: &str) -> Vec<Move> {
    text.split(' ').map(|word| word.parse().unwrap()).collect()
}

fn set_option(name: &str, value: Option<&str>) -> UsiMessage {
    UsiMessage::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

fn unknown(text: &str) -> UsiMessage {
    UsiMessage::Unknown(text.to_owned())
}

#[test]
fn whole_texts_are_read_leniently_or_strictly() {
    let text = "\u{feff}usi\r\n\r\nsetoption name Hash value 64\r\nhello there\r\ngo dpeth 6 nodes 5\r\nquit";
    let (usi, hash) = (UsiMessage::Usi, set_option("Hash", Some("64")));
    let go = UsiMessage::Go(Go::Search(GoParams { nodes: Some(5), ..GoParams::default() }));
    assert_eq!(parse(text), [usi.clone(), hash.clone(), go.clone(), UsiMessage::Quit]);
    assert_eq!(parse_with_unknown(text), [usi.clone(), hash.clone(), unknown("hello there"), go, UsiMessage::Quit]);
    assert_eq!(parse_strict(text), Err(UsiParseError::UnknownMessage { line: 4, text: "hello there".to_owned() }));
    assert_eq!(
        parse_strict(&text.replace("hello there", "")),
        Err(UsiParseError::UnreadableWords {
            line: 5,
            text: "go dpeth 6 nodes 5".to_owned(),
            unread: "dpeth 6".to_owned()
        })
    );
    assert_eq!(parse_strict("usi \nsetoption name Hash value 64\n"), Ok(vec![usi, hash]));
    for (line, bad) in [
        ("go depth", "depth"),
        ("go searchmoves 7g7f oops", "oops"),
        ("go infinite please", "please"),
        ("go xyz depth 1", "xyz"),
        ("go\txyz   abc  depth 1 uvw\t", "xyz   abc"),
        ("go depth nodes 5", "depth"),
        ("go depth 1 byoyomi", "byoyomi"),
        ("position startpos please moves 7g7f", "please"),
        ("ponderhit btime x", "btime x"),
        ("ponderhit btime x wtime 5", "btime x"),
        ("gameover abandoned", "abandoned"),
        ("stop now", "now"),
        ("bestmove 7g7f ponder none", "ponder none"),
        ("info depth 1 score 5", "score 5"),
        ("info depth 1 score 5 nodes 6", "score 5"),
        ("info pv 7g7f oops", "oops"),
        ("option name X type spin default 1 step 2", "step 2"),
        ("option name X type button default", "default"),
    ] {
        let error = parse_strict(line).unwrap_err();
        assert!(matches!(&error, UsiParseError::UnreadableWords { unread, line: 1, .. } if unread == bad), "{error}");
    }
}
