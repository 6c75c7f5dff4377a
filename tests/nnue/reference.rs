//! Evaluation straight from the formats' description: no file, no incremental accumulators, no vectors.

use kurosabi::position::Position;
use kurosabi::types::{Color, PieceType, Square};

use super::generator::{Features, Weights};

/// A piece as one player sees it; kings have numbers from 1548 (own) and 1629 (enemy).
fn pieces(position: &Position, side: Color) -> Vec<usize> {
    use PieceType::*;
    let mut pieces = Vec::new();
    for square in Square::all() {
        let Some(piece) = position.piece_on(square) else { continue };
        let enemy = usize::from(piece.color() != side);
        let base = match piece.piece_type() {
            Pawn => 90,
            Lance => 252,
            Knight => 414,
            Silver => 576,
            Gold | ProPawn | ProLance | ProKnight | ProSilver => 738,
            Bishop => 900,
            Horse => 1062,
            Rook => 1224,
            Dragon => 1386,
            King => 1548,
        };
        pieces.push(base + 81 * enemy + square.relative(side).index());
    }
    for (owner, bases) in [(side, [1, 39, 49, 59, 69, 79, 85]), (!side, [20, 44, 54, 64, 74, 82, 88])] {
        for (piece_type, base) in [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook].into_iter().zip(bases) {
            pieces.extend((0..position.hand(owner).count(piece_type) as usize).map(|n| base + n));
        }
    }
    pieces
}

/// The rows that a position with both kings switches on.
fn rows(features: Features, position: &Position, side: Color) -> Vec<usize> {
    let king = position.king_square(side).unwrap().relative(side);
    let pieces = pieces(position, side);
    let mut rows: Vec<usize> = match features {
        Features::HalfKp => {
            pieces.iter().filter(|&&piece| piece < 1548).map(|piece| king.index() * 1548 + piece).collect()
        }
        Features::KP => pieces.clone(),
        Features::HalfKaHm2 => {
            let mirror = king.file().index() >= 5;
            let see = |index: usize| {
                if mirror { (8 - index / 9) * 9 + index % 9 } else { index }
            };
            let bucket = see(king.index()) * 1629;
            let row = |piece: usize| match piece {
                0..90 => piece,
                1629.. => 1548 + see(piece - 1629),
                _ => 90 + (piece - 90) / 81 * 81 + see((piece - 90) % 81),
            };
            pieces.iter().map(|&piece| bucket + row(piece)).collect()
        }
    };
    let (nobody, missing) = match features {
        Features::HalfKp => (king.index() * 1548, 40 - pieces.len()),
        Features::KP => (0, 40 - pieces.len()),
        Features::HalfKaHm2 => {
            ((if king.file().index() >= 5 { king.mirrored() } else { king }).index() * 1629, 40 - pieces.len())
        }
    };
    rows.extend(std::iter::repeat_n(nobody, missing));
    rows
}

/// The network's output for a position with both kings.
pub(crate) fn raw(weights: &Weights, position: &Position) -> i32 {
    let arch = &weights.arch;
    let us = position.side_to_move();
    let accumulators = [us, !us].map(|side| {
        let rows = rows(arch.features, position, side);
        let sum =
            |j| weights.transformer_bias(j) + rows.iter().map(|&row| weights.transformer_weight(row, j)).sum::<i64>();
        (0..arch.width).map(sum).collect::<Vec<i64>>()
    });
    let mut stack = 0;
    let layer = |stack: usize, layer: usize, inputs: &[i64]| -> Vec<i64> {
        let outputs = arch.layers()[layer].1;
        let output = |o| {
            let products = inputs.iter().enumerate().filter(|&(_, &x)| x != 0);
            weights.bias(stack, layer, o) + products.map(|(i, &x)| x * weights.weight(stack, layer, o, i)).sum::<i64>()
        };
        (0..outputs).map(output).collect()
    };
    let clip = |x: i64| (x >> 6).clamp(0, 127);
    let mut shortcut = 0;
    let hidden: Vec<i64> = if arch.is_sfnn() {
        if arch.stacks == 9 {
            let third = |color: Color| position.king_square(color).unwrap().relative(color).rank().index() / 3;
            stack = third(us) * 3 + third(!us);
        }
        let half = arch.width / 2;
        let clamp = |x: i64| (2 * x).clamp(0, 254);
        let inputs: Vec<i64> = accumulators
            .iter()
            .flat_map(|accumulators| {
                (0..half)
                    .map(|j| (clamp(accumulators[j]) * clamp(accumulators[j + half]) * 128) >> 16)
                    .collect::<Vec<_>>()
            })
            .collect();
        let first = layer(stack, 0, &inputs);
        let size = arch.hidden[0];
        shortcut = first.get(size).copied().unwrap_or(0);
        let squares = first[..size].iter().map(|x| ((x * x) >> 19).min(127));
        squares.chain(first[..size].iter().map(|&x| clip(x))).collect()
    } else {
        let inputs: Vec<i64> = accumulators.iter().flatten().map(|x| *x.clamp(&0, &127)).collect();
        layer(stack, 0, &inputs).into_iter().map(clip).collect()
    };
    let hidden: Vec<i64> = layer(stack, 1, &hidden).into_iter().map(clip).collect();
    (layer(stack, 2, &hidden)[0] + shortcut) as i32
}
