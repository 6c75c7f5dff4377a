//! ShogiGUI's books (`.sbk`).

use std::process::Command;

use kurosabi::book::{Book, BookMove, BookTable, Lookup};
use kurosabi::position::Position;

use crate::{ANY_PLY, EXACT, after, key, moves, rotated, scratch};

/// Written by ShogiHome's own code (`storeSbkBook`, at its commit 040d292) from [`LINES`], each move counted once for
/// each line; with a comment, results, an evaluation, a mark, and 8c8d with weight 0 at the handicap.
const SHOGIHOME: &[u8] = include_bytes!("../data/shogihome.sbk");

const LANCE: &str = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const LINES: [(&str, &str); 7] = [
    (START, "7g7f 3c3d 8h2b+ 3a2b B*4e B*8e"),
    (START, "7g7f 3c3d 8h2b+ 8b4b 2b3a"),
    (START, "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c"),
    (START, "7g7f 3c3d 2g2f 2b8h+ 7i8h"),
    (START, "2g2f 3c3d 7g7f 4c4d"),
    (START, "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b"),
    (LANCE, "3c3d 7g7f 4c4d"),
];

fn table_of_lines() -> BookTable {
    let mut table = BookTable::default();
    for (start, line) in LINES {
        let mut position = Position::from_sfen(start).unwrap();
        for text in line.split(' ') {
            let mv = text.parse().unwrap();
            table.add(&position, position.game_ply(), BookMove::unscored(mv, 1));
            position.try_do_move(mv).unwrap();
        }
    }
    table
}

/// All that a table holds, with the moves of each position in order.
fn content(table: &BookTable) -> Vec<(String, u32, Vec<BookMove>)> {
    let sorted = |moves: &[BookMove]| {
        let mut moves = moves.to_vec();
        moves.sort_by_key(|book_move| book_move.mv);
        moves
    };
    table.entries().map(|(sfen, entry)| (sfen.to_owned(), entry.ply, sorted(&entry.moves))).collect()
}

fn read(bytes: impl Into<Vec<u8>>) -> (BookTable, Vec<String>) {
    let mut remarks = Vec::new();
    let book = Book::from_bytes(bytes.into()).unwrap();
    assert_eq!(book.format(), "sbk");
    let table = BookTable::read(book, &mut |text| remarks.push(text.to_string())).unwrap();
    (table, remarks)
}

#[test]
fn an_sbk_written_by_shogihome_is_read() {
    let (table, remarks) = read(SHOGIHOME);
    assert_eq!(remarks, [""; 0]);
    assert_eq!(content(&table), content(&table_of_lines()));
    let mut book = Book::from_bytes(SHOGIHOME.to_vec()).unwrap();
    // Two orders of moves lead to this position: each says what it says.
    assert_eq!(moves(&mut book, &after("2g2f 3c3d 7g7f"), EXACT), ["2b8h+", "4c4d"]);
    assert_eq!(moves(&mut book, &after("7g7f 3c3d 2g2f"), EXACT), ["2b8h+", "4c4d"]);
    // What has weight 0 is not to be played.
    let lance = Position::from_sfen(LANCE).unwrap();
    assert_eq!(moves(&mut book, &lance, EXACT), ["3c3d"]);
    // The move numbers do not count; the board turned around does.
    let later = Position::from_sfen(&format!("{} 31", key(&Position::startpos()))).unwrap();
    assert_eq!(moves(&mut book, &later, EXACT).len(), 2);
    let turned = rotated(&after("7g7f 3c3d 8h2b+ 3a2b"));
    assert_eq!(moves(&mut book, &turned, EXACT), [""; 0]);
    assert_eq!(moves(&mut book, &turned, Lookup { ignore_ply: false, flipped: true }), ["B*6e"]);
    assert_eq!(moves(&mut book, &after("1g1f"), ANY_PLY), [""; 0]);
}

/// The wire format, written down once more.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn number(field: u8, number: i64) -> Vec<u8> {
    [vec![field << 3], varint(number as u64)].concat()
}

fn block(field: u8, bytes: &[u8]) -> Vec<u8> {
    [vec![field << 3 | 2], varint(bytes.len() as u64), bytes.to_vec()].concat()
}

fn edge(code: u32, weight: i64, next: i64) -> Vec<u8> {
    let fields = [number(1, i64::from(code as i32)), number(2, 0), number(3, weight), number(4, next)];
    block(9, &fields.concat())
}

/// A state as ShogiGUI writes it, with hashes of its own.
fn state(id: i64, position: &str, edges: &[Vec<u8>]) -> Vec<u8> {
    let mut fields =
        [number(1, id), number(2, -id - 7), number(3, 99), number(4, 1), number(5, 0), number(6, 0)].concat();
    if !position.is_empty() {
        fields.extend(block(7, position.as_bytes()));
    }
    fields.extend(edges.concat());
    block(3, &fields)
}

const P7G7F: u32 = 0x0100_7677;
const P3C3D: u32 = 0x9100_3433;

/// 7g7f with weight 1 at the start, 2g2f with 1,000,000,000 and the answer 8c8d.
pub(crate) fn weighted() -> Vec<u8> {
    let start = state(0, "", &[edge(P7G7F, 1, -1), edge(0x0100_2627, 1_000_000_000, 1)]);
    [start, state(1, "", &[edge(0x9100_8483, 3, -1)])].concat()
}

#[test]
fn the_first_state_of_an_sbk_is_the_start_and_moves_may_lead_to_no_state() {
    let bytes = [
        block(1, "著者".as_bytes()),
        block(2, b""),
        state(0, "", &[edge(P7G7F, 5, 1), edge(0x0100_2627, 3, -1), edge(0x0100_1617, 0, 77)]),
        state(1, "", &[edge(P3C3D, 0, 0), edge(0x9100_8483, 0, 2)]),
        state(2, "", &[]),
    ];
    let (table, remarks) = read(bytes.concat());
    assert_eq!(remarks, [""; 0]);
    let texts = |position: &Position| {
        let moves = &table.get(position).unwrap().moves;
        moves.iter().map(|it| format!("{} {}", it.mv, it.count)).collect::<Vec<_>>()
    };
    assert_eq!(texts(&Position::startpos()), ["7g7f 5", "2g2f 3"]);
    // Where no move has a weight, all moves count.
    assert_eq!(texts(&after("7g7f")), ["3c3d 0", "8c8d 0"]);
    assert_eq!(table.len(), 2);
}

#[test]
fn each_unusable_part_of_an_sbk_has_its_remark() {
    let bytes = [
        state(0, START, &[edge(P7G7F, 1, 1), edge(0x0100_7577, 1, 2), edge(0, 1, 3)]),
        state(1, "", &[edge(P7G7F, 1, 0)]),
        state(2, "", &[edge(P3C3D, 1, 3)]),
        state(3, "no position", &[edge(P3C3D, 1, 0)]),
    ];
    let (table, remarks) = read(bytes.concat());
    assert_eq!((table.len(), table.moves()), (1, 1));
    let expected = [
        "\"0x00000000\" is no move, in ",
        "7g7e is illegal ",
        "7g7f is illegal ",
        "bad position \"no position\": ",
        "positions that no move leads to: 2",
    ];
    assert_eq!(remarks.len(), expected.len(), "{remarks:#?}");
    for (remark, expected) in remarks.iter().zip(expected) {
        assert!(remark.starts_with(expected), "{remark}");
    }
}

#[test]
fn a_damaged_sbk_is_refused_with_the_offset() {
    let error = |bytes: Vec<u8>| Book::from_bytes(bytes).err().unwrap().to_string();
    assert!(error(SHOGIHOME[..SHOGIHOME.len() - 1].to_vec()).starts_with("the file is truncated, or damaged at byte "));
    // Beyond what is looked at to find out what a file is.
    let states: Vec<u8> = (0..5000).flat_map(|id| state(id, "", &[edge(P7G7F, 1, -1)])).collect();
    let with = |damage: &[u8]| [states.as_slice(), damage].concat();
    for damage in [
        vec![0x1b],
        number(3, 1),
        block(3, &[0x4a, 200, 1]),
        block(3, &[0x4a, 2, 1]),
        block(3, &[0; 5 << 10]),
        vec![0xff; 11],
        vec![0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    ] {
        let expected = format!("the file is truncated, or damaged at byte {}", states.len());
        assert_eq!(error(with(&damage)), expected, "{damage:x?}");
    }
    // Fields that are not known are passed over.
    let (table, _) =
        read(with(&[number(7, 5), block(8, b"new"), vec![0x49, 1, 2, 3, 4, 5, 6, 7, 8], vec![0x4d; 5]].concat()));
    assert_eq!(table.len(), 1);
}

#[test]
fn the_command_line_converts_sbk_books() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kurosabi")).arg("book").args(arguments).output().unwrap();
        let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.success(), texts.concat())
    };
    let path = |name: &str| scratch(name).display().to_string();
    let (book, text) = (path("cli.sbk"), path("cli_sbk.db"));
    std::fs::write(&book, SHOGIHOME).unwrap();
    assert_eq!(run(&["convert", &book, "-o", &text]).1, format!("{text}: 22 positions, 27 moves\n"));
    let converted = Book::from_bytes(std::fs::read(&text).unwrap()).unwrap();
    let converted = BookTable::read(converted, &mut |remark| panic!("{remark}")).unwrap();
    assert_eq!(content(&converted), content(&table_of_lines()));
    assert!(run(&["show", &book, "startpos", "moves", "7g7f"]).1.contains("\n3c3d               -      -        3\n"));
    std::fs::write(&text, &SHOGIHOME[..600]).unwrap();
    let (done, damaged) = run(&["show", &text]);
    assert!(!done && damaged.contains("cli_sbk.db: the file is truncated"), "{damaged}");
}
