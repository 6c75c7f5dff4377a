//! How tables for people are written: their style, and lines of play.

use console::measure_text_width;

use crate::cli::terminal;
use crate::language::{Language, mate_in};
use crate::position::Setup;
use crate::records::notation::Notation;
use crate::types::{Move, Outcome, Square, visible};

/// How tables are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Lines are no longer than this, when there is one.
    pub(super) width: Option<usize>,
    /// Whether colours are understood.
    pub(super) color: bool,
    pub(super) notation: Notation,
    pub(super) language: Language,
}

/// On terminals with fewer columns than this the other columns are narrow.
const NARROW: usize = 100;

/// Moves from a board, in which the move before went to `last`.
pub(super) struct LineOfPlay<'a> {
    pub(super) board: &'a Setup,
    pub(super) moves: &'a [Move],
    pub(super) last: Option<Square>,
}

/// Where a line of play is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineLayout {
    /// Columns before it in rows after the first.
    pub(super) indent: usize,
    /// Columns before it in the first row.
    pub(super) taken: usize,
    /// How many rows it may have.
    pub(super) rows: usize,
}

/// Columns that a line of play needs at least.
const LEAST_ROOM: usize = 16;
/// Columns before it where there are fewer.
const LEAST_INDENT: usize = 4;

/// Texts longer than this are cut even where the table may be as wide as it likes.
const MAX_TEXT: usize = 400;

impl Style {
    /// Whether columns are to be spared for lines of play.
    pub(super) fn is_narrow(&self) -> bool {
        self.width.is_some_and(|width| width < NARROW)
    }

    /// A line of play, on as many rows as it needs and its place allows, broken between moves.
    pub(super) fn line_of_play(&self, line: &LineOfPlay<'_>, place: LineLayout) -> String {
        let separator = if self.notation == Notation::Japanese { "" } else { " " };
        let (mut board, mut last, mut text) = (line.board.clone(), line.last, String::new());
        let (mut column, mut row) = (place.taken, 1);
        // On a very narrow terminal the columns before the line are too many.
        let most = self.width.unwrap_or(usize::MAX);
        let indent = if place.indent + LEAST_ROOM > most { LEAST_INDENT } else { place.indent };
        for (index, &mv) in line.moves.iter().enumerate() {
            let word = self.notation.write(&board, mv, last);
            // In the last row every move but the last leaves room for the mark that some are missing.
            let is_cut = row == place.rows && index + 1 < line.moves.len();
            let mark = if is_cut { " ..".len() } else { 0 };
            let width = separator.len() + widest(&word);
            let may_break = index > 0 || row < place.rows && column > indent;
            if may_break && column + width + mark > most {
                if row == place.rows {
                    return text + " ..";
                }
                text = text + "\n" + &" ".repeat(indent) + &word;
                (column, row) = (indent + widest(&word), row + 1);
            } else {
                if index > 0 {
                    text.push_str(separator);
                }
                text.push_str(&word);
                column += if index > 0 { width } else { widest(&word) };
            }
            board.do_move(mv);
            last = Some(mv.to());
        }
        text
    }

    /// The text, which may come from outside, on one row.
    pub(super) fn cut(&self, text: &str, least: usize) -> String {
        let width = self.width.unwrap_or(MAX_TEXT).max(least);
        console::truncate_str(&visible(text), width, "..").into_owned()
    }

    /// The text on as many rows as it needs, broken between words; rows after the first begin with `indent` blanks.
    pub(super) fn wrap(&self, text: &str, indent: usize) -> String {
        let text = visible(text);
        let text = console::truncate_str(&text, MAX_TEXT, "..");
        let words = text.trim_start();
        let first = &text[..text.len() - words.len()];
        terminal::wrapped(words, self.width.unwrap_or(usize::MAX), first, &" ".repeat(indent))
    }

    /// A score as people write it: in pawns, in Japanese in hundredths of one.
    pub(super) fn score(&self, score: Outcome) -> String {
        match (self.language, score) {
            (Language::English, Outcome::Centipawns(centipawns)) => format!("{:+.2}", f64::from(centipawns) / 100.0),
            (Language::Japanese, Outcome::Centipawns(centipawns)) => format!("{centipawns:+}"),
            (language, Outcome::MateIn(0) | Outcome::MatedIn(0)) => language.choose("mate", "詰み").to_owned(),
            (Language::Japanese, Outcome::MateIn(plies)) => format!("+{}", mate_in(plies as usize)),
            (Language::Japanese, Outcome::MatedIn(plies)) => format!("-{}", mate_in(plies as usize)),
            (Language::Japanese, Outcome::WinIn(plies)) => format!("勝ち{plies}手"),
            (Language::Japanese, Outcome::LossIn(plies)) => format!("負け{plies}手"),
            (Language::English, decided) => decided.to_string(),
        }
    }
}

/// The columns that a text needs wherever it is shown: consoles of Japanese Windows give two to the marks of the sides,
/// other terminals one.
pub(super) fn widest(text: &str) -> usize {
    measure_text_width(text) + text.matches(['▲', '△']).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn style(notation: Notation) -> Style {
        Style { width: None, color: false, notation, language: Language::English }
    }

    fn line_of_play(notation: Notation, width: usize, place: LineLayout, moves: usize) -> String {
        let all: Vec<Move> = ["7g7f", "3c3d", "8h2b+"].map(|text| text.parse().unwrap()).into();
        let line = LineOfPlay { board: &Position::startpos().setup(), moves: &all[..moves], last: None };
        Style { width: Some(width), ..style(notation) }.line_of_play(&line, place)
    }

    #[test]
    fn lines_of_play_are_cut_between_moves() {
        let cut = |room: usize| line_of_play(Notation::Usi, room + 5, LineLayout { indent: 0, taken: 5, rows: 1 }, 3);
        assert_eq!(cut(15), "7g7f 3c3d 8h2b+");
        assert_eq!(cut(14), "7g7f 3c3d ..");
        assert_eq!(cut(12), "7g7f 3c3d ..");
        assert_eq!(cut(11), "7g7f ..");
        assert_eq!(cut(0), "7g7f ..");
        let one_row = LineLayout { indent: 0, taken: 0, rows: 1 };
        assert_eq!(line_of_play(Notation::Usi, 0, one_row, 0), "");
        assert_eq!(line_of_play(Notation::Japanese, 22, one_row, 3), "▲７六歩△３四歩 ..");
        assert_eq!(line_of_play(Notation::Japanese, 16, one_row, 2), "▲７六歩△３四歩");
        let narrow = line_of_play(Notation::Japanese, 15, one_row, 2);
        assert_eq!(narrow, "▲７六歩 ..", "where a mark takes two columns, both moves need 16");
    }

    #[test]
    fn lines_of_play_are_wrapped_between_moves() {
        let wrap = |width, rows| line_of_play(Notation::Usi, width, LineLayout { indent: 4, taken: 6, rows }, 3);
        assert_eq!(wrap(15, 9), "7g7f 3c3d\n    8h2b+");
        assert_eq!(wrap(14, 9), "7g7f\n    3c3d 8h2b+");
        assert_eq!(wrap(13, 9), "7g7f\n    3c3d\n    8h2b+");
        assert_eq!(wrap(13, 2), "7g7f\n    3c3d ..");
        assert_eq!(wrap(0, 9), "\n    7g7f\n    3c3d\n    8h2b+");
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
