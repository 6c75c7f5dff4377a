//! What is written of a record reads back as the same game: none of its names, comments and words can become a move, a
//! result or another name.

use std::time::Duration;

use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::records::{Ending, Entry, Format, GameRecord, Node, NodeId, TextEncoding, WriteOptions, encode, write};
use kurosabi::types::Move;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{RngAlgorithm, RngSeed};

use crate::{read, warnings};

/// Texts that mean something in one of the formats, or to programs that read them.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "\0",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\u{b}",
    "\u{1a}",
    "\u{1b}$B",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\u{3000}",
    "N+abc",
    "N-",
    "V2.2",
    "V3.0",
    "PI",
    "P1-KY",
    "P+00FU",
    "+",
    "-",
    "+7776FU",
    "-3334FU",
    "%TORYO",
    "%CHUDAN",
    "T5",
    "/",
    "$EVENT:x",
    "$",
    "'",
    "'*",
    "'CSA encoding=SHIFT_JIS",
    ",",
    "まで2手で先手の勝ち",
    "まで",
    "1 ７六歩(77)",
    "   2 投了",
    "先手：y",
    "後手",
    "先手",
    "上手",
    "下手",
    "手合割",
    "手合割：香落ち",
    "後手の持駒：飛",
    "先手の持駒",
    "手番",
    "後手番",
    "手数＝3  まで",
    "手数----指手---------消費時間--",
    "変化：1手",
    "変化",
    "*",
    "&",
    "#",
    "#KIF version=2.0 encoding=Shift_JIS",
    "# encoding=EUC-JP",
    "|v香v桂v銀v金v玉v金v銀v桂v香|一",
    "+---------------------------+",
    "▲７六歩",
    "△３四歩",
    "☗",
    "⛉",
    "⛊７六歩",
    "▽",
    "同　歩",
    "投了",
    "中断",
    "千日手",
    "入玉勝ち",
    "反則負け",
    "雨天",
    "終局：トライ",
    "終局：雨天",
    "終局：投了",
    "切れ負け",
    "{",
    "}",
    "\"",
    "\\",
    "startpos moves 7g7f",
    "sfen",
    "position startpos",
    "resign",
    "(",
    ")",
    "( 0:16/00:00:16)",
    "（",
    "：",
    ":",
    "://",
    "https://example.com/",
    "EVENT",
    "棋戦",
    "備考",
    "備考：x",
    "消費時間：9",
    "終了日時",
    "9:00",
    "９",
    "１",
    "一",
    "甲〜乙",
    "—",
    "¥",
    "‾",
    "−",
    "\u{a0}",
    "𠮷田",
    "é",
    "😀",
    "ｱ",
    "ﾃｱ",
    "Ã±",
    "山田",
    "a",
    "x",
    "。",
    "、",
    "残り",
    "解析 0",
    "__proto__",
    "読み筋=▲７六歩",
    "%",
    "ILLEGAL_ACTION",
    "Black wins",
    "先手の勝ち",
    "。まで",
    "歩打",
];

fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(select(HOSTILE), 0..4).prop_map(|parts| parts.concat()),
        1 => prop::collection::vec(any::<char>(), 0..6).prop_map(String::from_iter),
        1 => Just("山田".to_owned()),
    ]
}

fn ending() -> impl Strategy<Value = Ending> {
    use Ending::*;
    let known = select(vec![
        Resign,
        Interrupt,
        Adjourn,
        Repetition,
        Impasse,
        Draw,
        MaxMoves,
        Mate,
        NoMate,
        TimeUp,
        IllegalLoss,
        IllegalWin,
        Declaration,
        Win,
        Try,
        DefaultWin,
        DefaultLoss,
    ]);
    prop_oneof![known, hostile().prop_map(Other)]
}

/// What a node says besides its entry.
#[derive(Clone, Debug)]
struct Said {
    comments: Vec<String>,
    bookmark: Option<String>,
    time: Option<u64>,
}

fn said() -> impl Strategy<Value = Said> {
    let comments = prop::collection::vec(hostile(), 0..3);
    (comments, prop::option::weighted(0.2, hostile()), prop::option::weighted(0.4, 0..2_000_000_000_000_u64))
        .prop_map(|(comments, bookmark, time)| Said { comments, bookmark, time })
}

#[derive(Clone, Debug)]
struct Plan {
    format: Format,
    encoding: TextEncoding,
    start: &'static str,
    facts: Vec<(String, String)>,
    root: Said,
    /// Each behind a node, by its index; an ending, or the move of this index of the legal ones.
    entries: Vec<(Index, Result<Index, Ending>, Said)>,
}

const STARTS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k3l/9/4+P4/9/5+b3/9/9/9/4K4 w BNr4g12p 17",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
];

fn plan() -> impl Strategy<Value = Plan> {
    let form = (
        select(vec![Format::Kif, Format::Ki2, Format::Csa, Format::Jkf]),
        select(vec![TextEncoding::Utf8, TextEncoding::ShiftJis]),
    );
    let entry = prop_oneof![4 => any::<Index>().prop_map(Ok), 1 => ending().prop_map(Err)];
    let entries = prop::collection::vec((any::<Index>(), entry, said()), 0..8);
    let facts = prop::collection::vec((hostile(), hostile()), 0..4);
    (form, select(&STARTS[..]), facts, said(), entries).prop_map(|((format, encoding), start, facts, root, entries)| {
        Plan { format, encoding, start, facts, root, entries }
    })
}

fn say(node: &mut Node, said: &Said) {
    node.comments.clone_from(&said.comments);
    node.bookmark.clone_from(&said.bookmark);
    node.time = said.time.map(Duration::from_millis);
}

fn record(plan: &Plan) -> GameRecord {
    let start = Position::from_sfen(plan.start).unwrap();
    let mut record = GameRecord::new(start.clone());
    plan.facts.iter().for_each(|(name, value)| record.add_info(name.clone(), value.clone()));
    say(record.node_mut(NodeId::ROOT), &Said { time: None, ..plan.root.clone() });
    // The nodes that others can follow, with their positions.
    let mut open = vec![(NodeId::ROOT, start)];
    for (parent, entry, said) in &plan.entries {
        // Mostly the last one, so that there are lines.
        let (parent, position) = open[open.len() - 1 - parent.index(open.len() * 2).saturating_sub(open.len())].clone();
        let id = match entry {
            Ok(mv) => {
                let moves: Vec<Move> = legal_moves(&position).iter().copied().collect();
                if moves.is_empty() {
                    continue;
                }
                let mv = *mv.get(&moves);
                let mut after = position;
                after.do_move(mv);
                let id = record.append(parent, Entry::Move(mv));
                open.push((id, after));
                id
            }
            Err(ending) => record.append(parent, Entry::End(ending.clone())),
        };
        say(record.node_mut(id), said);
    }
    record
}

/// What a record says, in an order in which it can be compared; texts without what any format may change.
fn essence(record: &GameRecord, format: Format, encoding: TextEncoding) -> (String, Vec<String>, Vec<String>) {
    let mut nodes = Vec::new();
    let mut texts = Vec::new();
    let plain = |text: &str| {
        let text: String = text.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
        // The same whether it stands in a comment or not, and by whichever of two names.
        let mut text = text.trim_start_matches("終局：").to_owned();
        for (name, same) in [("EVENT：", "棋戦："), ("下手：", "先手："), ("上手：", "後手：")] {
            if let Some(value) = text.strip_prefix(name) {
                text = format!("{same}{value}");
            }
        }
        encode(&text, encoding).iter().map(|&byte| char::from(byte)).collect::<String>()
    };
    let mut take = |node: &Node| {
        let entry = match &node.entry {
            Entry::End(Ending::Other(word)) => {
                texts.push(plain(word));
                "end".to_owned()
            }
            // An ending by a word that a format cannot hold.
            Entry::End(Ending::Interrupt) => "end".to_owned(),
            Entry::End(ending) => format!("{ending:?}"),
            Entry::Move(mv) => mv.to_string(),
            Entry::Start => String::new(),
        };
        let time = node.time.map(|time| time.min(Duration::from_secs(999_999_999))).map(|time| match format {
            Format::Csa => time.as_millis(),
            Format::Ki2 => 0,
            _ => u128::from(time.as_secs()),
        });
        let time = time.filter(|_| format != Format::Ki2);
        nodes.push(format!("{} {entry} {time:?}", node.ply()));
        texts.extend(node.comments.iter().flat_map(|comment| comment.split('\n')).map(plain));
        texts.extend(node.bookmark.iter().map(|bookmark| plain(bookmark)));
    };
    take(record.node(NodeId::ROOT));
    if format == Format::Csa {
        record.main_line().skip(1).for_each(|id| take(record.node(id)));
    } else {
        record.visit(|_, node, _| take(node));
    }
    let facts = record.metadata.iter().filter(|(_, value)| !plain(value).is_empty());
    texts.extend(facts.map(|(name, value)| plain(&format!("{name}：{value}"))));
    texts.retain(|text| !text.is_empty());
    texts.sort();
    let start = record.start_sfen().rsplit_once(' ').unwrap().0.to_owned();
    (start, nodes, texts)
}

fn check(plan: &Plan) -> Result<(), TestCaseError> {
    let (record, &Plan { format, encoding, .. }) = (record(plan), plan);
    let options = WriteOptions { encoding };
    let stored = |record: &GameRecord| encode(&write(record, format, &options), encoding).into_owned();
    let bytes = stored(&record);
    let text = String::from_utf8_lossy(&bytes);
    let back = read(bytes.clone());
    prop_assert!(back.warnings().is_empty(), "{:?}\n{text}", back.warnings());
    prop_assert_eq!(essence(&record, format, encoding), essence(&back, format, encoding), "{}", text);
    // What is written of what was read is the same, and so is what is read of that.
    prop_assert!(read(stored(&back)) == back, "{text}");
    Ok(())
}

/// The quick test draws the same records each time, the long one others. The numbers need not be good ones, and those
/// that are come from a library that is built without optimisation: they would take a third of the time.
fn config(cases: u32, rng_seed: RngSeed) -> ProptestConfig {
    let rng_algorithm = RngAlgorithm::XorShift;
    ProptestConfig { cases, rng_algorithm, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(10_000, RngSeed::Fixed(1)))]

    #[test]
    fn hostile_text_changes_nothing_of_a_game(plan in plan()) {
        check(&plan)?;
    }
}

proptest! {
    #![proptest_config(config(1_000_000, RngSeed::Random))]

    #[test]
    #[ignore = "a million records take minutes"]
    fn hostile_text_changes_nothing_of_any_of_a_million_games(plan in plan()) {
        check(&plan)?;
    }
}

#[test]
fn a_variation_without_a_line_before_it_is_reported() {
    let kif = "手合割：平手\n 1 ７六歩(77)\n 2 ３四歩(33)\n 1 ２六歩(27)\n 2 ８四歩(83)\n";
    let warnings = warnings(kif);
    assert!(matches!(&warnings[..], [one] if one.contains("taken as a variation")), "{warnings:?}");
}
