//! The message parser and writer: lines that real clients and engines send, broken ones, and the
//! round trip of every message.

mod strategies;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use kurosabi::types::{Move, Outcome, ParseMoveError};
use kurosabi::usi::message::*;
use kurosabi::usi::parser::{UsiParseError, parse, parse_one, parse_strict, parse_with_unknown};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use strategies::{a_word, any_message};

fn moves(text: &str) -> Vec<Move> {
    text.split(' ').map(|word| word.parse().unwrap()).collect()
}

fn search(line: &str) -> GoParams {
    match parse_one(line) {
        UsiMessage::Go(Go::Search(params)) => params,
        other => panic!("{line}: {other:?}"),
    }
}

fn position(line: &str) -> PositionSpec {
    match parse_one(line) {
        UsiMessage::Position(position) => position,
        other => panic!("{line}: {other:?}"),
    }
}

fn info(line: &str) -> Info {
    match parse_one(line) {
        UsiMessage::Info(info) => info,
        other => panic!("{line}: {other:?}"),
    }
}

fn set_option(name: &str, value: Option<&str>) -> UsiMessage {
    UsiMessage::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

fn unknown(text: &str) -> UsiMessage {
    UsiMessage::Unknown(text.to_owned())
}

fn clocks(fields: [Option<i64>; 5]) -> Clocks {
    let [btime, wtime, byoyomi, binc, winc] = fields;
    Clocks { btime, wtime, byoyomi, binc, winc, movestogo: None }
}

#[test]
fn clocks_are_read_as_each_client_sends_them() {
    let cases = [
        // ShogiHome: byoyomi or increments, never both; the clock less the increment can be negative.
        ("go btime 60000 wtime 50000 byoyomi 10000", [Some(60_000), Some(50_000), Some(10_000), None, None]),
        (
            "go btime -5000 wtime -5000 binc 10000 winc 10000",
            [Some(-5000), Some(-5000), None, Some(10_000), Some(10_000)],
        ),
        // cshogi
        ("go btime 1000 wtime 900 binc 100 winc 100", [Some(1000), Some(900), None, Some(100), Some(100)]),
        // shogitest: the side to move first, each clock with its own increment; a fixed time as byoyomi.
        ("go wtime 8000 winc 80 btime 9000 binc 90", [Some(9000), Some(8000), None, Some(90), Some(80)]),
        ("go btime 100 byoyomi 1000 wtime 200", [Some(100), Some(200), Some(1000), None, None]),
        ("go btime 0 byoyomi 500", [Some(0), None, Some(500), None, None]),
        ("go wtime 0 byoyomi 500", [None, Some(0), Some(500), None, None]),
        // Shogidokoro always sends byoyomi.
        ("go btime 0 wtime 0 byoyomi 0", [Some(0), Some(0), Some(0), None, None]),
        ("go", [None; 5]),
    ];
    for (line, fields) in cases {
        let clocks = clocks(fields);
        assert_eq!(search(line), GoParams { clocks, ..GoParams::default() }, "{line}");
        assert_eq!(parse_one(&line.replace("go", "ponderhit")), UsiMessage::PonderHit(clocks), "{line}");
        let ponder = search(&line.replace("go", "go ponder"));
        assert_eq!(ponder, GoParams { ponder: true, clocks, ..GoParams::default() }, "{line}");
    }
}

#[test]
fn limits_combine_in_any_order() {
    let expected = GoParams {
        clocks: Clocks { btime: Some(1), movestogo: Some(2), ..Clocks::default() },
        movetime: Some(3),
        rtime: Some(4),
        depth: Some(5),
        nodes: Some(6),
        infinite: true,
        searchmoves: moves("7g7f P*5e 8h2b+"),
        ..GoParams::default()
    };
    for line in [
        "go btime 1 movestogo 2 movetime 3 rtime 4 depth 5 nodes 6 infinite searchmoves 7g7f P*5e 8h2b+",
        "go searchmoves 7g7f P*5e 8h2b+ nodes 6 infinite depth 5 rtime 4 movetime 3 movestogo 2 btime 1",
        // The last of two holds.
        "go depth 9 searchmoves 1a1b btime 7 btime 1 movestogo 2 movetime 3 rtime 4 depth 5 nodes 6 infinite \
         searchmoves 7g7f P*5e 8h2b+",
        // What cannot be read is skipped, also among the moves.
        "go fast depth 9 depth 5 infinite btime 1 wtime winc x byoyomi movestogo 2 movetime 3 rtime 4 nodes 6 \
         searchmoves 7g7f oops P*5e 7g7f++ 8h2b+",
        "\tgo  btime\t1 movestogo 2 movetime 3 rtime 4 depth 5 nodes 6   infinite searchmoves 7g7f P*5e 8h2b+ \t\r\n",
    ] {
        assert_eq!(search(line), expected, "{line}");
    }
    // A move that no `searchmoves` asks for restricts nothing.
    assert_eq!(search("go 7g7f depth 5").searchmoves, []);
}

#[test]
fn numbers_beyond_their_range_saturate_and_others_are_skipped() {
    let digits = "9".repeat(500);
    let huge = search(&format!("go btime {digits} wtime -{digits} nodes {digits} depth {digits} movetime -1"));
    assert_eq!((huge.clocks.btime, huge.clocks.wtime), (Some(i64::MAX), Some(i64::MIN)));
    assert_eq!((huge.nodes, huge.depth, huge.movetime), (Some(u64::MAX), Some(u32::MAX), Some(0)));
    assert_eq!(search("go depth +7 nodes 007"), GoParams { depth: Some(7), nodes: Some(7), ..GoParams::default() });
    for line in ["go depth", "go depth 7x", "go depth 1.5", "go depth ７", "go depth - 7", "go depth --7", "go depth +"]
    {
        assert_eq!(search(line), GoParams::default(), "{line}");
    }
}

#[test]
fn mate_and_perft_are_no_searches() {
    for (line, go) in [
        ("go mate infinite", Go::Mate(MateLimit::Infinite)),
        ("go mate", Go::Mate(MateLimit::Infinite)),
        ("go mate soon", Go::Mate(MateLimit::Infinite)),
        ("go mate 60000", Go::Mate(MateLimit::Time(60_000))),
        ("go mate nodes 1000", Go::Mate(MateLimit::Nodes(1000))),
        ("go btime 0 wtime 0 mate 500", Go::Mate(MateLimit::Time(500))),
        ("go perft 5", Go::Perft(5)),
        ("go perft", Go::Search(GoParams::default())),
    ] {
        assert_eq!(parse_one(line), UsiMessage::Go(go), "{line}");
    }
}

#[test]
fn positions_keep_their_texts() {
    const BOARD: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let sfen = |text: &str| InitialPosition::Sfen(text.to_owned());
    for (line, initial, played) in [
        ("position startpos".to_owned(), InitialPosition::Startpos, ""),
        ("position startpos moves".to_owned(), InitialPosition::Startpos, ""),
        ("position startpos moves 7g7f 3c3d 8h2b+ P*5e".to_owned(), InitialPosition::Startpos, "7g7f 3c3d 8h2b+ P*5e"),
        ("position startpos please moves 7g7f".to_owned(), InitialPosition::Startpos, "7g7f"),
        // shogitest: four fields and always a list
        (format!("position sfen {BOARD} b - 1 moves"), sfen(&format!("{BOARD} b - 1")), ""),
        (format!("position sfen {BOARD} w - 1 moves 3c3d"), sfen(&format!("{BOARD} w - 1")), "3c3d"),
        // without the move number; without the word; with too many blanks
        (format!("position sfen {BOARD} b - moves 7g7f"), sfen(&format!("{BOARD} b -")), "7g7f"),
        (format!("position {BOARD} b 2Pp 12 moves 7g7f"), sfen(&format!("{BOARD} b 2Pp 12")), "7g7f"),
        (format!("position  sfen\t{BOARD}  b  -\tmoves  7g7f "), sfen(&format!("{BOARD} b -")), "7g7f"),
        // The board layer says what is wrong with these.
        ("position sfen こまおち w - 1".to_owned(), sfen("こまおち w - 1"), ""),
        ("position moves 7g7f".to_owned(), sfen(""), "7g7f"),
        ("position".to_owned(), sfen(""), ""),
    ] {
        let played = if played.is_empty() { Vec::new() } else { moves(played) };
        assert_eq!(position(&line), PositionSpec::new(initial, played), "{line}");
    }
    let bad = position("position startpos moves 7g7f 七六歩 3c3d").moves;
    assert_eq!(bad, [Ok(moves("7g7f")[0]), Err(ParseMoveError("七六歩".to_owned())), Ok(moves("3c3d")[0])]);
}

#[test]
fn the_longest_games_are_read_in_linear_time() {
    let line = format!("position startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(100_000));
    let start = Instant::now();
    let position = position(&line);
    assert_eq!(position.moves.len(), 400_000);
    assert_eq!(position.to_string(), line);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn option_values_are_kept_as_they_are() {
    for (line, name, value) in [
        ("setoption name USI_Ponder value true", "USI_Ponder", Some("true")),
        (r"setoption name EvalFile value C:\My  Nets\nn 評価.bin", "EvalFile", Some(r"C:\My  Nets\nn 評価.bin")),
        ("setoption name BookFile value <empty>", "BookFile", Some("")),
        // ShogiHome sends an empty value as nothing.
        ("setoption name BookFile value ", "BookFile", Some("")),
        ("setoption name Skill Level value 3\r\n", "Skill Level", Some("3")),
        ("setoption  name  Clear   Hash", "Clear Hash", None),
        ("setoption name X value value value", "X", Some("value value")),
    ] {
        assert_eq!(parse_one(line), set_option(name, value), "{line}");
    }
    for line in ["setoption", "setoption name", "setoption name value 3", "setoption Threads 3"] {
        assert_eq!(parse_one(line), unknown(line));
    }
}

#[test]
fn short_commands_are_read_with_and_without_more() {
    for (line, message) in [
        ("usi", UsiMessage::Usi),
        ("isready\r\n", UsiMessage::IsReady),
        ("  usinewgame now", UsiMessage::UsiNewGame),
        ("stop", UsiMessage::Stop),
        ("quit\t", UsiMessage::Quit),
        ("\u{feff}usi", UsiMessage::Usi),
        ("\r\n\n quit \nusi", UsiMessage::Quit),
        ("debug on", UsiMessage::Debug(true)),
        ("debug off", UsiMessage::Debug(false)),
        ("register later", UsiMessage::Register(Register::Later)),
        ("ponderhit", UsiMessage::PonderHit(Clocks::default())),
        ("gameover win", UsiMessage::GameOver(GameResult::Win)),
        ("gameover lose", UsiMessage::GameOver(GameResult::Lose)),
        ("gameover draw", UsiMessage::GameOver(GameResult::Draw)),
        // cshogi's bare form, and a word of the future: the game is over all the same.
        ("gameover", UsiMessage::GameOver(GameResult::Unknown)),
        ("gameover abandoned", UsiMessage::GameOver(GameResult::Unknown)),
        ("d", UsiMessage::Display),
        ("eval", UsiMessage::Eval),
        ("help", UsiMessage::Help),
        ("why 7g7f", UsiMessage::Why("7g7f".parse())),
        ("why 76fu", UsiMessage::Why("76fu".parse())),
        ("why", unknown("why")),
        ("bench", UsiMessage::Bench { depth: None }),
        ("bench 12", UsiMessage::Bench { depth: Some(12) }),
        // Keywords are lower case and whole words.
        ("USI", unknown("USI")),
        ("usifoo", unknown("usifoo")),
        ("stop!", unknown("stop!")),
        ("ｑｕｉｔ", unknown("ｑｕｉｔ")),
        (" what  is this ", unknown("what  is this")),
        ("debug", unknown("debug")),
        ("", unknown("")),
        ("\r\n", unknown("")),
    ] {
        assert_eq!(parse_one(line), message, "{line:?}");
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
    for (line, expected) in [
        (
            "option name USI_Hash type spin default 1024 min 1 max 33554432",
            OptionDecl::spin("USI_Hash", 1024, 1..=33_554_432),
        ),
        ("option name USI_Ponder type check default false", OptionDecl::check("USI_Ponder", false)),
        (
            "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule27",
            OptionDecl::combo("EnteringKingRule", "CSARule27", &["NoEnteringKing", "CSARule27"]),
        ),
        ("option name BookDir type string default <empty>", OptionDecl::string("BookDir", "")),
        ("option name EvalFile type filename default my net.bin", OptionDecl::filename("EvalFile", "my net.bin")),
        ("option name Clear Hash type button", OptionDecl::button("Clear Hash")),
        ("option name X type check", option("X", OptionKind::Check { default: None })),
        ("option name X type string", option("X", OptionKind::String { default: None })),
        (
            "option name X type combo var Best line default Any var Any",
            OptionDecl::combo("X", "Any", &["Best line", "Any"]),
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
            score: Some(InfoScore { value: UsiScore::Cp(87), bound: ScoreBound::Lower }),
            nodes: Some(123_456),
            nps: Some(1_000_000),
            hashfull: Some(12),
            time: Some(123),
            pv: moves("7g7f 3c3d"),
            pv_end: Some(PvEnd::RepDraw),
            ..Info::default()
        }
    );
    // the draft's, in another order
    assert_eq!(
        info(
            "info cpuload 500 currmovenumber 3 currmove P*5e refutation 7g7f 3c3d currline 1 2g2f time 5 new 1 depth x \
             string  pv 7g7f  depth 3 "
        ),
        Info {
            time: Some(5),
            currmove: Some(moves("P*5e")[0]),
            currmovenumber: Some(3),
            cpuload: Some(500),
            refutation: moves("7g7f 3c3d"),
            currline: Some(CurrLine { cpu: Some(1), moves: moves("2g2f") }),
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
        for (bound, word) in
            [(ScoreBound::Exact, ""), (ScoreBound::Lower, " lowerbound"), (ScoreBound::Upper, " upperbound")]
        {
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
    let told = UsiMessage::info_string("bad SFEN: \"７六歩\u{1b}\t\"\r\nbestmove resign\n");
    assert_eq!(told.to_string(), r#"info string bad SFEN: "７六歩\u{1b}\t"\r\nbestmove resign"#);
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
            unread: "dpeth 6 nodes 5".to_owned()
        })
    );
    assert_eq!(parse_strict("usi \nsetoption name Hash value 64\n"), Ok(vec![usi, hash]));
    for (line, bad) in [
        ("go depth", "depth"),
        ("go searchmoves 7g7f oops", "oops"),
        ("go infinite please", "please"),
        ("position startpos please moves 7g7f", "please moves 7g7f"),
        ("ponderhit btime x", "btime x"),
        ("gameover abandoned", "abandoned"),
        ("stop now", "now"),
        ("bestmove 7g7f ponder none", "ponder none"),
        ("info depth 1 score 5", "score 5"),
        ("info pv 7g7f oops", "oops"),
        ("option name X type spin default 1 step 2", "step 2"),
        ("option name X type button default", "default"),
    ] {
        let error = parse_strict(line).unwrap_err();
        assert!(matches!(&error, UsiParseError::UnreadableWords { unread, line: 1, .. } if unread == bad), "{error}");
    }
}

/// Numbers the variants. One that is added must be added to the strategies as well.
fn variant(message: &UsiMessage) -> usize {
    match message {
        UsiMessage::Usi => 0,
        UsiMessage::Debug(_) => 1,
        UsiMessage::IsReady => 2,
        UsiMessage::SetOption { .. } => 3,
        UsiMessage::Register(_) => 4,
        UsiMessage::UsiNewGame => 5,
        UsiMessage::Position(_) => 6,
        UsiMessage::Go(_) => 7,
        UsiMessage::Stop => 8,
        UsiMessage::PonderHit(_) => 9,
        UsiMessage::GameOver(_) => 10,
        UsiMessage::Quit => 11,
        UsiMessage::Display => 12,
        UsiMessage::Eval => 13,
        UsiMessage::Bench { .. } => 14,
        UsiMessage::Id(_) => 15,
        UsiMessage::Option(_) => 16,
        UsiMessage::UsiOk => 17,
        UsiMessage::ReadyOk => 18,
        UsiMessage::BestMove(_) => 19,
        UsiMessage::Checkmate(_) => 20,
        UsiMessage::Info(_) => 21,
        UsiMessage::CopyProtection(_) => 22,
        UsiMessage::Registration(_) => 23,
        UsiMessage::Unknown(_) => 24,
        UsiMessage::Help => 25,
        UsiMessage::Why(_) => 26,
    }
}

#[test]
fn the_round_trip_covers_every_message() {
    let mut runner = TestRunner::deterministic();
    let seen: HashSet<usize> =
        (0..2000).map(|_| variant(&any_message().new_tree(&mut runner).unwrap().current())).collect();
    assert_eq!(seen.len(), 27);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_message_survives_the_wire(message in any_message()) {
        let line = message.to_string();
        prop_assert!(!line.contains(['\r', '\n']), "{:?}", line);
        prop_assert_eq!(&parse_one(&line), &message, "{:?}", line);
        prop_assert_eq!(&parse_one(&format!(" {line}\t\r\n")), &message);
        if !matches!(message, UsiMessage::Unknown(_)) {
            prop_assert_eq!(parse_strict(&line), Ok(vec![message]));
        }
    }

    /// Whatever comes in, what was understood of it is stable.
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let message = parse_one(&text);
        prop_assert_eq!(parse_one(&message.to_string()), message);
        prop_assert!(parse(&text).len() <= parse_with_unknown(&text).len());
        let _ = parse_strict(&text);
    }

    #[test]
    fn mangled_messages_are_read(
        message in any_message(),
        extra in prop::collection::vec((any::<prop::sample::Index>(), a_word(&[])), 0..4),
        swap in any::<[prop::sample::Index; 2]>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let line = message.to_string();
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let count = words.len();
        words.swap(swap[0].index(count), swap[1].index(count));
        for (index, word) in extra {
            words.insert(index.index(words.len() + 1), word);
        }
        let whole = words.join(" ");
        let cut: String = whole.chars().take(cut.index(whole.chars().count() + 1)).collect();
        for text in [whole, cut] {
            let message = parse_one(&text);
            prop_assert_eq!(parse_one(&message.to_string()), message, "{:?}", text);
            let _ = parse_strict(&text);
        }
    }
}
