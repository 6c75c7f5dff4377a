//! Entries as tables for people.

mod board;
mod game;
mod positions;

use console::measure_text_width;

use crate::language::Language;
use crate::records::Board;
use crate::records::notation::Notation;
use crate::types::{Move, Outcome, Square, visible};

pub(super) use board::drawing;
pub(super) use game::{game_end, game_heading, game_row};
pub(super) use positions::{bad_input, heading, position};

/// How tables are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Lines are cut to this width, when there is one.
    pub(super) width: Option<usize>,
    /// Whether colours are understood.
    pub(super) color: bool,
    pub(super) notation: Notation,
    pub(super) language: Language,
}

/// Texts longer than this are cut even where the table may be as wide as it likes.
const MAX_TEXT: usize = 400;

impl Style {
    /// A line of play from a board: as many moves as there is room for, the first always.
    fn line_of_play(&self, board: &Board, moves: &[Move], last: Option<Square>, room: Option<usize>) -> String {
        let separator = if self.notation == Notation::Japanese { "" } else { " " };
        let (mut board, mut last, mut text) = (board.clone(), last, String::new());
        for (index, &mv) in moves.iter().enumerate() {
            let word = self.notation.write(&board, mv, last);
            // Every move but the last leaves room for the mark that some are missing.
            let mark = if index + 1 < moves.len() { " ..".len() } else { 0 };
            let width = widest(&text) + separator.len() + widest(&word);
            if index > 0 && room.is_some_and(|room| width + mark > room) {
                return text + " ..";
            }
            if index > 0 {
                text.push_str(separator);
            }
            text.push_str(&word);
            board.do_move(mv);
            last = Some(mv.to());
        }
        text
    }

    /// The text, which may come from outside, on one row.
    fn cut(&self, text: &str, least: usize) -> String {
        let width = self.width.unwrap_or(MAX_TEXT).max(least);
        console::truncate_str(&visible(text), width, "..").into_owned()
    }

    /// The text on as many rows as it needs, broken between words; rows after the first begin with so many blanks.
    fn wrap(&self, text: &str, indent: usize) -> String {
        let text = visible(text);
        let text = console::truncate_str(&text, MAX_TEXT, "..");
        let Some(width) = self.width else { return text.into_owned() };
        let words = text.trim_start();
        let (mut rows, mut row) = (String::new(), text[..text.len() - words.len()].to_owned());
        for word in words.split(' ') {
            let is_first = row.trim_start().is_empty();
            if !is_first && measure_text_width(&row) + 1 + measure_text_width(word) > width {
                rows = rows + &row + "\n";
                row = " ".repeat(indent);
            } else if !is_first {
                row.push(' ');
            }
            row += word;
        }
        rows + &row
    }

    /// A score as people write it: in pawns, in Japanese in hundredths of one.
    fn score(&self, score: Outcome) -> String {
        match score {
            Outcome::Centipawns(centipawns) => match self.language {
                Language::English => format!("{:+.2}", f64::from(centipawns) / 100.0),
                Language::Japanese => format!("{centipawns:+}"),
            },
            decided => match (self.language, decided) {
                (Language::English, Outcome::MateIn(0) | Outcome::MatedIn(0)) => "mate".to_owned(),
                (Language::Japanese, Outcome::MateIn(0) | Outcome::MatedIn(0)) => "詰み".to_owned(),
                (Language::Japanese, Outcome::MateIn(plies)) => format!("+{}", plies_to_mate(plies)),
                (Language::Japanese, Outcome::MatedIn(plies)) => format!("-{}", plies_to_mate(plies)),
                (Language::Japanese, Outcome::WinIn(plies)) => format!("勝ち{plies}手"),
                (Language::Japanese, Outcome::LossIn(plies)) => format!("負け{plies}手"),
                _ => decided.to_string(),
            },
        }
    }
}

/// In Japanese a mate is called by its length, which is odd, where the side that mates is to move.
fn plies_to_mate(plies: u32) -> String {
    if plies % 2 == 1 { format!("{plies}手詰") } else { format!("{plies}手で詰み") }
}

/// The columns that a text needs wherever it is shown: consoles of Japanese Windows give two to the marks of the sides,
/// other terminals one.
fn widest(text: &str) -> usize {
    measure_text_width(text) + text.matches(['▲', '△']).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn style(notation: Notation) -> Style {
        Style { width: None, color: false, notation, language: Language::English }
    }

    #[test]
    fn lines_of_play_are_cut_between_moves() {
        let moves: Vec<Move> = ["7g7f", "3c3d", "8h2b+"].map(|text| text.parse().unwrap()).into();
        let board = Board::from(&Position::startpos());
        let cut = |room| style(Notation::Usi).line_of_play(&board, &moves, None, room);
        assert_eq!(cut(None), "7g7f 3c3d 8h2b+");
        assert_eq!(cut(Some(15)), "7g7f 3c3d 8h2b+");
        assert_eq!(cut(Some(14)), "7g7f 3c3d ..");
        assert_eq!(cut(Some(12)), "7g7f 3c3d ..");
        assert_eq!(cut(Some(11)), "7g7f ..");
        assert_eq!(cut(Some(0)), "7g7f ..");
        assert_eq!(style(Notation::Usi).line_of_play(&board, &[], None, Some(0)), "");
        let japanese = style(Notation::Japanese).line_of_play(&board, &moves, None, Some(22));
        assert_eq!(japanese, "▲７六歩△３四歩 ..");
        let japanese = |room| style(Notation::Japanese).line_of_play(&board, &moves[..2], None, Some(room));
        assert_eq!(japanese(16), "▲７六歩△３四歩");
        assert_eq!(japanese(15), "▲７六歩 ..", "where a mark takes two columns, both moves need 16");
    }

    #[test]
    fn texts_are_wrapped_between_words() {
        let wrap = |text: &str, width| Style { width, ..style(Notation::Usi) }.wrap(text, 2);
        assert_eq!(wrap("  one two three", Some(9)), "  one two\n  three");
        assert_eq!(wrap("  one two three", Some(8)), "  one\n  two\n  three");
        assert_eq!(wrap("  one two three", None), "  one two three");
        assert_eq!(wrap("incomprehensible", Some(8)), "incomprehensible");
        assert!(wrap(&"x ".repeat(1000), Some(80)).len() <= MAX_TEXT + 2 * MAX_TEXT / 78);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        let cut = |text: &str, width| Style { width, ..style(Notation::Usi) }.cut(text, 10);
        let text = "\u{9999}".repeat(1000);
        assert!(measure_text_width(&cut(&text, None)) <= MAX_TEXT);
        assert!((79..=80).contains(&measure_text_width(&cut(&text, Some(80)))));
        assert_eq!(cut("short", Some(80)), "short");
    }
}
