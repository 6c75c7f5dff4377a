//! The board as text.

use std::fmt;

use crate::position::Position;
use crate::types::{Color, File, Hand, Rank, Square};

struct HandText(Hand);

impl fmt::Display for HandText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("-") } else { fmt::Display::fmt(&self.0, f) }
    }
}

/// A diagram with White at the top, hands beside it and the turn below.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "+----+----+----+----+----+----+----+----+----+";
        writeln!(f, "White in hand: {}", HandText(self.hand(Color::White)))?;
        writeln!(f, "  9    8    7    6    5    4    3    2    1")?;
        writeln!(f, "{RULE}")?;
        for rank in Rank::all() {
            for file in File::all().rev() {
                let piece = self.piece_on(Square::at(file, rank)).map_or(String::new(), |piece| piece.to_string());
                write!(f, "|{piece:>3} ")?;
            }
            writeln!(f, "| {rank}")?;
            writeln!(f, "{RULE}")?;
        }
        writeln!(f, "Black in hand: {}", HandText(self.hand(Color::Black)))?;
        let side = if self.side_to_move() == Color::Black { "Black" } else { "White" };
        write!(f, "{side} to move, move {}", self.game_ply())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_sfen())
    }
}
