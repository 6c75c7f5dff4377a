//! Positions: as text, through moves and back, by the rules, and what they are worth.

mod declaration;
mod evaluation;
mod make;
mod part_keys;
mod repetition;
mod see;
mod sfen;
mod without;
