//! What engines say.

use super::*;

fn info(line: &str) -> Info {
    match parse_one(line) {
        UsiMessage::Info(info) => info,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn engines_answers_are_read() {
    let best = |best: &str, ponder: Option<&str>| {
        let ponder = ponder.map(|mv| mv.parse().unwrap());
        UsiMessage::BestMove(BestMove::Move { best: best.parse().unwrap(), ponder })
    };
    for (line, message) in [
        ("id name YaneuraOu NNUE 9.00", UsiMessage::Id(Id::Name("YaneuraOu NNUE 9.00".to_owned()))),
        ("id author by yaneurao", UsiMessage::Id(Id::Author("by yaneurao".to_owned()))),
        ("usiok", UsiMessage::UsiOk),
        ("readyok", UsiMessage::ReadyOk),
        ("bestmove 7g7f", best("7g7f", None)),
        ("bestmove 8h2b+ ponder 3a2b", best("8h2b+", Some("3a2b"))),
        ("bestmove P*5e ponder none", best("P*5e", None)),
        ("bestmove resign", UsiMessage::BestMove(BestMove::Resign)),
        ("bestmove win", UsiMessage::BestMove(BestMove::Win)),
        ("checkmate nomate", UsiMessage::Checkmate(Checkmate::NoMate)),
        ("checkmate timeout", UsiMessage::Checkmate(Checkmate::Timeout)),
        ("checkmate notimplemented", UsiMessage::Checkmate(Checkmate::NotImplemented)),
        ("checkmate G*5b 5a4a 5b4b", UsiMessage::Checkmate(Checkmate::Moves(moves("G*5b 5a4a 5b4b")))),
        // A runner must not take these for an answer.
        ("bestmove none", unknown("bestmove none")),
        ("bestmove", unknown("bestmove")),
        ("checkmate none", unknown("checkmate none")),
        ("checkmate G*5b oops", unknown("checkmate G*5b oops")),
    ] {
        assert_eq!(parse_one(line), message, "{line}");
    }
}

#[test]
fn declared_options_are_read() {
    let option = |name: &str, kind| OptionDecl { name: name.to_owned(), kind };
    let combo = |default: &str, vars: &[&str]| OptionKind::Combo {
        default: Some(default.to_owned()),
        vars: vars.iter().map(|&var| var.to_owned()).collect(),
    };
    for (line, expected) in [
        (
            "option name USI_Hash type spin default 1024 min 1 max 33554432",
            option("USI_Hash", OptionKind::Spin { default: Some(1024), min: Some(1), max: Some(33_554_432) }),
        ),
        (
            "option name USI_Ponder type check default false",
            option("USI_Ponder", OptionKind::Check { default: Some(false) }),
        ),
        (
            "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule27",
            option("EnteringKingRule", combo("CSARule27", &["NoEnteringKing", "CSARule27"])),
        ),
        (
            "option name BookDir type string default <empty>",
            option("BookDir", OptionKind::String { default: Some(String::new()) }),
        ),
        (
            "option name EvalFile type filename default my net.bin",
            option("EvalFile", OptionKind::Filename { default: Some("my net.bin".to_owned()) }),
        ),
        ("option name Clear Hash type button", option("Clear Hash", OptionKind::Button)),
        ("option name X type check", option("X", OptionKind::Check { default: None })),
        ("option name X type string", option("X", OptionKind::String { default: None })),
        (
            "option name X type combo var Best line default Any var Any",
            option("X", combo("Any", &["Best line", "Any"])),
        ),
        (
            "option name X type spin max 5 default -1 step 2",
            option("X", OptionKind::Spin { default: Some(-1), min: None, max: Some(5) }),
        ),
    ] {
        assert_eq!(parse_one(line), UsiMessage::Option(expected), "{line}");
    }
    for line in ["option", "option name X", "option name type check", "option name X type slider default 1"] {
        assert_eq!(parse_one(line), unknown(line));
    }
}

#[test]
fn info_lines_are_read() {
    // YaneuraOu
    assert_eq!(
        info(
            "info depth 12 seldepth 19 multipv 1 score cp 87 lowerbound nodes 123456 nps 1000000 hashfull 12 time 123 \
             pv 7g7f 3c3d rep_draw"
        ),
        Info {
            depth: Some(12),
            seldepth: Some(19),
            multipv: Some(1),
            score: Some(InfoScore { value: UsiScore::Cp(87), bound: Bound::Lower }),
            nodes: Some(123_456),
            nps: Some(1_000_000),
            hashfull: Some(12),
            time: Some(123),
            pv: moves("7g7f 3c3d"),
            pv_end: Some(UsiPvEnd::RepDraw),
            ..Info::default()
        }
    );
    // the draft's, in another order
    assert_eq!(
        info(
            "info currmovenumber 3 currmove P*5e refutation 7g7f 3c3d currline 1 2g2f time 5 new 1 depth x \
             string  pv 7g7f  depth 3 "
        ),
        Info {
            time: Some(5),
            currmove: Some(moves("P*5e")[0]),
            currmovenumber: Some(3),
            string: Some("pv 7g7f  depth 3".to_owned()),
            ..Info::default()
        }
    );
    // A line of moves ends where one cannot be read.
    assert_eq!(info("info pv 7g7f oops 3c3d depth 4"), Info { pv: moves("7g7f"), depth: Some(4), ..Info::default() });
}

#[test]
fn scores_are_read_and_written() {
    for (text, score) in [
        ("cp -32", UsiScore::Cp(-32)),
        ("mate 5", UsiScore::MateIn(Some(5))),
        ("mate -4", UsiScore::MatedIn(Some(4))),
        ("mate 0", UsiScore::MateIn(Some(0))),
        ("mate -0", UsiScore::MatedIn(Some(0))),
        ("mate +", UsiScore::MateIn(None)),
        ("mate -", UsiScore::MatedIn(None)),
    ] {
        for (bound, word) in [(Bound::Exact, ""), (Bound::Lower, " lowerbound"), (Bound::Upper, " upperbound")] {
            let line = format!("info score {text}{word} nodes 1");
            let expected = Info { score: Some(InfoScore { value: score, bound }), nodes: Some(1), ..Info::default() };
            assert_eq!(info(&line), expected, "{line}");
            assert_eq!(expected.to_string(), line);
        }
    }
    assert_eq!(info("info score mate +7").score, Some(UsiScore::MateIn(Some(7)).into()));
    for (outcome, text) in [
        (Outcome::Centipawns(-120), "cp -120"),
        (Outcome::MateIn(3), "mate 3"),
        (Outcome::MatedIn(0), "mate -0"),
        (Outcome::WinIn(1), "mate 1"),
        (Outcome::LossIn(2), "mate -2"),
    ] {
        assert_eq!(UsiScore::from(outcome).to_string(), text);
    }
}

#[test]
fn a_message_stays_on_its_line() {
    let injected = set_option("Book\nFile", Some("a\r\nquit"));
    assert_eq!(injected.to_string(), "setoption name Book File value a  quit");
    let message = UsiMessage::info_string("bad SFEN: \"７六歩\u{1b}\t\"\r\nbestmove resign\n");
    assert_eq!(message.to_string(), r#"info string bad SFEN: "７六歩\u{1b}\t"\r\nbestmove resign"#);
}
