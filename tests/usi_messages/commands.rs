//! What clients say.

use super::*;

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

fn clock(fields: [Option<i64>; 5]) -> Clock {
    let [btime, wtime, byoyomi, binc, winc] = fields;
    Clock { time: [btime, wtime], increment: [binc, winc], byoyomi, moves_to_go: None }
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
        let clock = clock(fields);
        assert_eq!(search(line), GoParams { clock, ..GoParams::default() }, "{line}");
        assert_eq!(parse_one(&line.replace("go", "ponderhit")), UsiMessage::PonderHit(clock), "{line}");
        let ponder = search(&line.replace("go", "go ponder"));
        assert_eq!(ponder, GoParams { ponder: true, clock, ..GoParams::default() }, "{line}");
    }
}

#[test]
fn limits_combine_in_any_order() {
    let expected = GoParams {
        clock: Clock { time: [Some(1), None], moves_to_go: Some(2), ..Clock::default() },
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
    assert_eq!(huge.clock.time, [Some(i64::MAX), Some(i64::MIN)]);
    assert_eq!((huge.nodes, huge.depth, huge.movetime), (Some(u64::MAX), Some(u32::MAX), Some(0)));
    assert_eq!(search("go depth +7 nodes 007"), GoParams { depth: Some(7), nodes: Some(7), ..GoParams::default() });
    for line in ["go depth", "go depth 7x", "go depth 1.5", "go depth ７", "go depth - 7", "go depth --7", "go depth +"]
    {
        assert_eq!(search(line), GoParams::default(), "{line}");
    }
}

#[test]
fn mate_and_perft_are_no_searches() {
    let mate = |time, limits| Go::Mate(MateParams { time, limits });
    for (line, go) in [
        ("go mate infinite", mate(None, GoParams::default())),
        ("go mate", mate(None, GoParams::default())),
        ("go mate soon", mate(None, GoParams::default())),
        ("go mate 60000", mate(Some(60_000), GoParams::default())),
        ("go infinite mate 60000", mate(Some(60_000), GoParams::default())),
        ("go mate nodes 1000", mate(None, GoParams { nodes: Some(1000), ..GoParams::default() })),
        (
            "go depth 7 mate 500 nodes 9",
            mate(Some(500), GoParams { depth: Some(7), nodes: Some(9), ..GoParams::default() }),
        ),
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
        ("ponderhit", UsiMessage::PonderHit(Clock::default())),
        ("gameover win", UsiMessage::GameOver(GameOver::Win)),
        ("gameover lose", UsiMessage::GameOver(GameOver::Lose)),
        ("gameover draw", UsiMessage::GameOver(GameOver::Draw)),
        // cshogi's bare form, and a word of the future: the game is over all the same.
        ("gameover", UsiMessage::GameOver(GameOver::Unknown)),
        ("gameover abandoned", UsiMessage::GameOver(GameOver::Unknown)),
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
