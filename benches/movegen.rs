//! Perft, the speed of move generation: leaves counted, and leaves written to a list.
//!
//! Two peers from crates.io run beside it, with the same compiler flags: haitaka counts its leaves too,
//! rsshogi lists them. The rates shown are leaves a second.
//!
//! `cargo bench --bench movegen` takes about two minutes. With the environment variable `DEEP` set it
//! also runs the start position to depth 6, which takes three more.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
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

fn rsshogi_perft(position: &rsshogi::board::Position, depth: u32) -> u64 {
    rsshogi::board::perft::perft(position, depth as u8).expect("the depth is small").nodes
}

fn bench_perft(criterion: &mut Criterion) {
    let deep = std::env::var_os("DEEP").map(|_| DEEP_CASE);
    for (name, sfen, depth, leaves) in CASES.into_iter().chain(deep) {
        let position = Position::from_sfen(sfen).expect("a legal position");
        let haitaka = haitaka::Board::from_sfen(sfen).expect("a legal position");
        let rsshogi = rsshogi::board::position_from_sfen(sfen).expect("a legal position");
        let programs: [(&str, &dyn Fn() -> u64); 4] = [
            ("kurosabi, leaves counted", &|| perft(&mut position.clone(), depth)),
            ("haitaka, leaves counted", &|| haitaka_perft(&haitaka, depth)),
            ("kurosabi, leaves listed", &|| perft_listing(&mut position.clone(), depth)),
            ("rsshogi, leaves listed", &|| rsshogi_perft(&rsshogi, depth)),
        ];

        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(leaves)).sampling_mode(SamplingMode::Flat);
        for (program, count) in programs {
            group.bench_function(program, |bencher| {
                bencher.iter(|| assert_eq!(black_box(count()), leaves, "{program} at {name}"));
            });
        }
        group.finish();
    }
}

/// One run of a deep perft takes seconds, so each is repeated ten times only.
fn few_samples() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

criterion_group! {
    name = benches;
    config = few_samples();
    targets = bench_perft
}
criterion_main!(benches);
