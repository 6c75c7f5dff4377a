//! Perft, the speed of move generation: leaves counted, and leaves written to a list.
//!
//! The rates shown are leaves a second: of the fastest of ten runs, and of the median.
//!
//! `cargo bench` takes half a minute. `cargo bench --manifest-path benches/peers/Cargo.toml` has two libraries from
//! crates.io run between, with the same compiler flags: haitaka counts its leaves too, rsshogi lists them. With the
//! environment variable `DEEP` set the start position is also run to depth 6.

use std::hint::black_box;
use std::time::{Duration, Instant};

use kurosabi::movegen::{perft, perft_listing};
use kurosabi::position::{Position, STARTPOS_SFEN};

/// A name, an SFEN, a depth and its count.
type Case = (&'static str, &'static str, u32, u64);

const CASES: [Case; 4] = [
    ("start d5", STARTPOS_SFEN, 5, 19_861_490),
    ("tactical d3", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3, 4_809_015),
    ("tactical d4", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 4, 516_925_165),
    ("max-moves d3", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3, 53_393_368),
];

const DEEP_CASE: Case = ("start d6", STARTPOS_SFEN, 6, 547_581_517);

#[cfg(feature = "peers")]
fn haitaka_perft(board: &haitaka::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        let mut count = |moves: haitaka::PieceMoves| {
            nodes += moves.into_iter().len() as u64;
            false
        };
        board.generate_board_moves(&mut count);
        board.generate_drops(&mut count);
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += haitaka_perft(&child, depth - 1);
        }
        false
    });
    nodes
}

#[cfg(feature = "peers")]
fn rsshogi_perft(position: &rsshogi::board::Position, depth: u32) -> u64 {
    rsshogi::board::perft::perft(position, depth as u8).expect("the depth is small").nodes
}

/// How often each program runs a case.
const RUNS: usize = 10;

/// A program's name, and how it counts the leaves of a case.
type Program<'a> = (&'static str, Box<dyn Fn() -> u64 + 'a>);

fn programs(position: &Position, depth: u32) -> Vec<Program<'_>> {
    #[cfg(feature = "peers")]
    let (haitaka, rsshogi) = {
        let sfen = position.to_sfen();
        let haitaka = haitaka::Board::from_sfen(&sfen).expect("a legal position");
        (haitaka, rsshogi::board::position_from_sfen(&sfen).expect("a legal position"))
    };
    vec![
        ("kurosabi, leaves counted", Box::new(move || perft(&mut position.clone(), depth))),
        #[cfg(feature = "peers")]
        ("haitaka, leaves counted", Box::new(move || haitaka_perft(&haitaka, depth))),
        ("kurosabi, leaves listed", Box::new(move || perft_listing(&mut position.clone(), depth))),
        #[cfg(feature = "peers")]
        ("rsshogi, leaves listed", Box::new(move || rsshogi_perft(&rsshogi, depth))),
    ]
}

fn main() {
    let deep = std::env::var_os("DEEP").map(|_| DEEP_CASE);
    for (name, sfen, depth, leaves) in CASES.into_iter().chain(deep) {
        let position = Position::from_sfen(sfen).expect("a legal position");
        let programs = programs(&position, depth);
        let mut times: Vec<Vec<Duration>> = programs.iter().map(|_| Vec::new()).collect();
        // The programs take turns, so that whatever else the machine does falls on all of them.
        for _ in 0..RUNS {
            for ((program, count), times) in programs.iter().zip(&mut times) {
                let start = Instant::now();
                assert_eq!(black_box(count()), leaves, "{program} at {name}");
                times.push(start.elapsed());
            }
        }
        println!("{name}: {leaves} leaves");
        for ((program, _), mut times) in programs.iter().zip(times) {
            times.sort_unstable();
            let rate = |time: Duration| leaves as f64 / time.as_secs_f64() / 1e6;
            println!("  {program:<24} {:8.1} M/s, median {:8.1}", rate(times[0]), rate(times[RUNS / 2]));
        }
    }
}
