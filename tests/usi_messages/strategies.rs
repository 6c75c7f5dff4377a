//! Strategies for every message, as property tests draw them. Words of the protocol are mixed into
//! all free texts.

use kurosabi::types::{Move, PieceType, Square};
use kurosabi::usi::message::*;
use proptest::prelude::*;
use proptest::sample::select;

const KEYWORDS: [&str; 24] = [
    "name",
    "value",
    "type",
    "default",
    "var",
    "min",
    "code",
    "moves",
    "sfen",
    "startpos",
    "pv",
    "string",
    "score",
    "mate",
    "btime",
    "infinite",
    "searchmoves",
    "later",
    "7g7f",
    "resign",
    "-1",
    "<empty>",
    "quit",
    "usi",
];
const COMMANDS: [&str; 20] = [
    "usi",
    "isready",
    "setoption",
    "usinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "gameover",
    "quit",
    "d",
    "eval",
    "bench",
    "id",
    "option",
    "usiok",
    "readyok",
    "bestmove",
    "checkmate",
    "info",
];

fn is_blank(c: char) -> bool {
    [' ', '\t', '\r', '\n'].contains(&c)
}

/// A word that is none of `stops`.
pub(crate) fn a_word(stops: &'static [&'static str]) -> impl Strategy<Value = String> {
    let random = prop::collection::vec(any::<char>().prop_filter("blank", |&c| !is_blank(c)), 1..6)
        .prop_map(|chars| chars.into_iter().collect::<String>());
    prop_oneof![random, select(&KEYWORDS).prop_map(str::to_owned)]
        .prop_filter("stop", move |word| !stops.contains(&&**word))
}

/// Words joined by single blanks.
fn phrase(stops: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(a_word(stops), 1..5).prop_map(|words| words.join(" "))
}

/// Words with any blanks between them, or nothing.
fn text() -> impl Strategy<Value = String> {
    let blanks = select(&[" ", "  ", "\t"]);
    prop::collection::vec((a_word(&[]), blanks), 0..5)
        .prop_map(|parts| parts.into_iter().map(|(word, blank)| word + blank).collect::<String>())
        .prop_map(|text| text.trim_matches(is_blank).to_owned())
}

/// A text where the protocol can mark it as empty, which the mark itself cannot be.
fn markable(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    text.prop_map(|text| if text == "<empty>" { String::new() } else { text })
}

fn a_move() -> impl Strategy<Value = Move> {
    let square = |index: u8| Square::new(index % 81).unwrap();
    prop_oneof![
        (0..81u8, 1..81u8, any::<bool>()).prop_map(move |(from, step, promote)| Move::board(
            square(from),
            square(from + step),
            promote
        )),
        (select(&PieceType::HAND), 0..81u8).prop_map(move |(piece_type, to)| Move::drop(piece_type, square(to))),
    ]
}

fn some_moves() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec(a_move(), 0..6)
}

fn any_clock() -> impl Strategy<Value = Clock> {
    (any::<[[Option<i64>; 2]; 2]>(), any::<Option<i64>>(), any::<Option<u32>>())
        .prop_map(|([time, increment], byoyomi, moves_to_go)| Clock { time, increment, byoyomi, moves_to_go })
}

fn any_position() -> impl Strategy<Value = PositionSpec> {
    let initial = prop_oneof![
        Just(InitialPosition::Startpos),
        Just(InitialPosition::Sfen(String::new())),
        phrase(&["moves"]).prop_map(InitialPosition::Sfen),
    ];
    let moves = prop_oneof![a_move().prop_map(Ok), a_word(&[]).prop_map(|word| word.parse())];
    (initial, prop::collection::vec(moves, 0..8)).prop_map(|(initial, moves)| PositionSpec { initial, moves })
}

fn any_go_params() -> impl Strategy<Value = GoParams> {
    (any_clock(), any::<[bool; 2]>(), any::<[Option<u64>; 3]>(), any::<Option<u32>>(), some_moves()).prop_map(
        |(clock, [ponder, infinite], [movetime, rtime, nodes], depth, searchmoves)| GoParams {
            ponder,
            clock,
            movetime,
            rtime,
            depth,
            nodes,
            infinite,
            searchmoves,
        },
    )
}

fn any_go() -> impl Strategy<Value = Go> {
    let mate = (any::<Option<u64>>(), any_go_params())
        .prop_map(|(time, params)| Go::Mate(MateParams { time, limits: GoParams { infinite: false, ..params } }));
    prop_oneof![
        4 => any_go_params().prop_map(Go::Search),
        2 => mate,
        1 => any::<u32>().prop_map(Go::Perft),
    ]
}

fn any_score() -> impl Strategy<Value = InfoScore> {
    let value = prop_oneof![
        any::<i32>().prop_map(UsiScore::Cp),
        any::<Option<u32>>().prop_map(UsiScore::MateIn),
        any::<Option<u32>>().prop_map(UsiScore::MatedIn),
    ];
    (value, select(&[Bound::Exact, Bound::Lower, Bound::Upper])).prop_map(|(value, bound)| InfoScore { value, bound })
}

fn any_info() -> impl Strategy<Value = Info> {
    use UsiPvEnd::*;
    let ends = [RepDraw, RepWin, RepLose, RepSup, RepInf, Win, Resign];
    let lines = (some_moves(), prop::option::of(select(ends.to_vec())));
    (
        any::<[Option<u32>; 5]>(),
        any::<[Option<u64>; 3]>(),
        prop::option::of(any_score()),
        prop::option::of(a_move()),
        lines,
        prop::option::of(text()),
    )
        .prop_map(|(small, large, score, currmove, (pv, pv_end), string)| {
            let [depth, seldepth, multipv, hashfull, currmovenumber] = small;
            let [nodes, nps, time] = large;
            Info {
                depth,
                seldepth,
                multipv,
                score,
                nodes,
                nps,
                hashfull,
                time,
                currmove,
                currmovenumber,
                pv,
                pv_end,
                string,
            }
        })
}

fn any_option() -> impl Strategy<Value = OptionDecl> {
    let entry = || markable(phrase(&["default", "var"]));
    let default = || prop::option::of(markable(text()));
    let kind = prop_oneof![
        any::<Option<bool>>().prop_map(|default| OptionKind::Check { default }),
        any::<[Option<i64>; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (prop::option::of(entry()), prop::collection::vec(entry(), 0..4))
            .prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        default().prop_map(|default| OptionKind::String { default }),
        default().prop_map(|default| OptionKind::Filename { default }),
    ];
    (phrase(&["type"]), kind).prop_map(|(name, kind)| OptionDecl { name, kind })
}

fn to_engine() -> impl Strategy<Value = UsiMessage> {
    let results = [GameOver::Win, GameOver::Lose, GameOver::Draw, GameOver::Unknown];
    prop_oneof![
        Just(UsiMessage::Usi),
        Just(UsiMessage::IsReady),
        (phrase(&["value"]), prop::option::of(markable(text())))
            .prop_map(|(name, value)| UsiMessage::SetOption { name, value }),
        Just(UsiMessage::UsiNewGame),
        any_position().prop_map(UsiMessage::Position),
        any_go().prop_map(UsiMessage::Go),
        Just(UsiMessage::Stop),
        any_clock().prop_map(UsiMessage::PonderHit),
        select(results.to_vec()).prop_map(UsiMessage::GameOver),
        Just(UsiMessage::Quit),
        Just(UsiMessage::Display),
        Just(UsiMessage::Eval),
        Just(UsiMessage::Help),
        (a_move().prop_map(Ok)).prop_map(UsiMessage::Why),
        any::<Option<u32>>().prop_map(|depth| UsiMessage::Bench { depth }),
    ]
}

fn to_gui() -> impl Strategy<Value = UsiMessage> {
    let best = prop_oneof![
        (a_move(), prop::option::of(a_move())).prop_map(|(best, ponder)| BestMove::Move { best, ponder }),
        Just(BestMove::Resign),
        Just(BestMove::Win),
    ];
    let checkmate = prop_oneof![
        some_moves().prop_map(Checkmate::Moves),
        Just(Checkmate::NoMate),
        Just(Checkmate::Timeout),
        Just(Checkmate::NotImplemented),
    ];
    prop_oneof![
        text().prop_map(|name| UsiMessage::Id(Id::Name(name))),
        text().prop_map(|author| UsiMessage::Id(Id::Author(author))),
        any_option().prop_map(UsiMessage::Option),
        Just(UsiMessage::UsiOk),
        Just(UsiMessage::ReadyOk),
        best.prop_map(UsiMessage::BestMove),
        checkmate.prop_map(UsiMessage::Checkmate),
        any_info().prop_map(UsiMessage::Info),
    ]
}

/// Any message that may be written.
pub(crate) fn any_message() -> impl Strategy<Value = UsiMessage> {
    let other = text()
        .prop_map(|text| text.trim_start_matches(|c| c == '\u{feff}' || is_blank(c)).to_owned())
        .prop_filter("a command", |text| !COMMANDS.contains(&text.split(is_blank).next().unwrap_or_default()));
    prop_oneof![10 => to_engine(), 10 => to_gui(), 1 => other.prop_map(UsiMessage::Unknown)]
}
