//! The board, its rules and its moves, tested through the public surface.

mod bitboard;
mod game_line;
mod games;
mod moves;
mod position;
mod repetition_warning;
mod soundness;
mod squares;
mod twin;
