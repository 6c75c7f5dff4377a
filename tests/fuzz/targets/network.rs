//! Network files of all formats. The first four bytes say how long the file is that the others begin: weights are
//! many, and zeros will do for the rest. Checksums are made right.
#![no_main]

use std::sync::Arc;

use kurosabi::eval::nnue::{Network, NnueEvaluator};
use kurosabi::position::Position;
use libfuzzer_sys::fuzz_target;

const LONGEST: u32 = 1 << 20;

fn read(bytes: &[u8]) {
    let Ok(network) = Network::read(bytes) else { return };
    let mut evaluator = NnueEvaluator::new(Arc::new(network));
    let mut position = Position::startpos();
    evaluator.reset(&position);
    let _ = evaluator.value(&position);
    for mv in ["7g7f", "3c3d", "8h2b+"] {
        position.do_move(mv.parse().unwrap());
        evaluator.reset(&position);
        let _ = evaluator.value(&position);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((length, start)) = bytes.split_first_chunk() else { return };
    let mut file = start.to_vec();
    file.resize(file.len().max((u32::from_le_bytes(*length) % LONGEST) as usize), 0);
    read(&file);
    if file.starts_with(b"KUROSABI") && file.len() > 4 {
        let end = file.len() - 4;
        let checksum = crc32fast::hash(&file[..end]);
        file[end..].copy_from_slice(&checksum.to_le_bytes());
        read(&file);
    }
});
