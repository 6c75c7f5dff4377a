//! The board, its rules and its moves, tested through the public surface.

mod bitboard;
mod declaration;
mod evaluation;
mod game_line;
mod games;
mod illegal;
mod legality;
mod make;
mod mate;
mod movegen;
mod part_keys;
mod perft;
mod repetition;
mod see;
mod sfen;
mod soundness;
mod squares;
mod twin;
