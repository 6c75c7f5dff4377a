//! Moves: which there are, which are legal and why not, how many lines they make, which mate.

mod illegal;
mod legality;
mod mate;
mod movegen;
mod perft;
