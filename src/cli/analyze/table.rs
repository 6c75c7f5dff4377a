//! Entries as rows of a table.

use std::fmt::Write;

use super::input::BadLine;
use super::worker::{Analysis, Entry};
use super::{has_entered_king, side_name};
use crate::engine::Decision;
use crate::position::Declaration;
use crate::rules::{RepetitionWarning, Rules};
use crate::search::SearchInfo;
use crate::types::{Color, Move, Outcome};

/// Columns before the line of play.
const INDENT: usize = 55;
/// Texts longer than this are cut even where the table may be as wide as it likes.
const MAX_TEXT: usize = 400;

/// The width to cut lines to: that of the terminal on standard output, if it is one.
pub(super) fn terminal_width() -> Option<usize> {
    let terminal = console::Term::stdout();
    let size = terminal.is_term().then(|| terminal.size_checked()).flatten();
    size.map(|(_, columns)| columns.into())
}

/// The first line of the table.
pub(super) fn heading() -> String {
    let (score, line) = ("Score", "Line of play");
    format!(
        "{:>5} {:>5} {:>4}  {:5}  {score:>11}  {:>7}  {:6}  {line}\n",
        "No", "Line", "Move", "Side", "Depth", "Best"
    )
}

/// The rows of an entry.
pub(super) fn rows(number: usize, entry: &Entry, width: Option<usize>) -> String {
    match entry {
        Entry::Bad(line) => bad_line(number, line, width),
        Entry::Analysis(analysis) => analysed(number, analysis, width),
    }
}

fn bad_line(number: usize, line: &BadLine, width: Option<usize>) -> String {
    let mut row = format!("{number:5} {:5}  error: {}", line.number, line.error);
    if !row.contains(&line.text) {
        let _ = write!(row, "; the line is {:?}", line.text);
    }
    cut_text(row, width) + "\n"
}

fn analysed(number: usize, analysis: &Analysis, width: Option<usize>) -> String {
    let position = &analysis.position;
    let side = side_name(position.side_to_move());
    let mut rows = format!("{number:5} {:5} {:4}  {side:5}", analysis.line_number, position.game_ply());
    for (rank, line) in analysis.answer.lines.iter().enumerate() {
        if rank > 0 {
            let _ = write!(rows, "{:23}", "");
        }
        let _ = writeln!(rows, "  {}", columns(line, analysis.answer.decision, width));
    }
    for note in notes(analysis) {
        let row = format!("{:25}{note}", "");
        rows.push_str(&cut_text(row, width));
        rows.push('\n');
    }
    rows
}

/// What there is to say besides: by rule, and by the engine.
fn notes(analysis: &Analysis) -> Vec<String> {
    let position = &analysis.position;
    let mut notes: Vec<String> = analysis.end.iter().map(ToString::to_string).collect();
    notes.extend(RepetitionWarning::of(position).map(|warning| warning.to_string()));
    if has_entered_king(position) {
        let stands =
            |declaration: Declaration| format!("{} {}: {declaration}", side_name(declaration.side), declaration.rule);
        notes.extend(Color::ALL.into_iter().flat_map(|color| Rules::declarations(position, color)).map(stands));
    }
    notes.extend(analysis.messages.iter().cloned());
    notes
}

/// The part of a row that tells of a line of play.
fn columns(line: &SearchInfo, decision: Decision, width: Option<usize>) -> String {
    let score = match line.score.outcome() {
        Outcome::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        decided => decided.to_string(),
    };
    let depth = format!("{}/{}", line.depth, line.selective_depth);
    let best = match (line.pv.first(), decision) {
        (Some(mv), _) => mv.to_string(),
        (None, Decision::DeclareWin) => "win".to_owned(),
        (None, Decision::DeclareDraw) => "draw".to_owned(),
        (None, _) => "none".to_owned(),
    };
    let room = width.map(|width| width.saturating_sub(INDENT));
    let columns = format!("{score:>11}  {depth:>7}  {best:6}  {}", line_of_play(&line.pv, room));
    columns.trim_end().to_owned()
}

/// As many moves as there is room for; the first always.
fn line_of_play(moves: &[Move], room: Option<usize>) -> String {
    let mut text = String::new();
    for (index, mv) in moves.iter().enumerate() {
        let mv = mv.to_string();
        // Every move but the last leaves room for the mark that some are missing.
        let mark = if index + 1 < moves.len() { " ..".len() } else { 0 };
        if index > 0 && room.is_some_and(|room| text.len() + 1 + mv.len() + mark > room) {
            return text + " ..";
        }
        if index > 0 {
            text.push(' ');
        }
        text.push_str(&mv);
    }
    text
}

fn cut_text(text: String, width: Option<usize>) -> String {
    let width = width.unwrap_or(MAX_TEXT).max(INDENT);
    if text.chars().count() <= width {
        return text;
    }
    text.chars().take(width - 2).chain("..".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_play_are_cut_between_moves() {
        let moves: Vec<Move> = ["7g7f", "8h2b+", "P*5e"].map(|text| text.parse().unwrap()).into();
        let cut = |room| line_of_play(&moves, room);
        assert_eq!(cut(None), "7g7f 8h2b+ P*5e");
        assert_eq!(cut(Some(15)), "7g7f 8h2b+ P*5e");
        assert_eq!(cut(Some(14)), "7g7f 8h2b+ ..");
        assert_eq!(cut(Some(13)), "7g7f 8h2b+ ..");
        assert_eq!(cut(Some(12)), "7g7f ..");
        assert_eq!(cut(Some(0)), "7g7f ..");
        assert_eq!(line_of_play(&[], Some(0)), "");
    }

    #[test]
    fn the_indent_is_that_of_the_heading() {
        assert_eq!(heading().find("Line of play"), Some(INDENT));
    }

    #[test]
    fn texts_are_cut_between_characters() {
        let text = "\u{9999}".repeat(1000);
        assert_eq!(cut_text(text.clone(), None).chars().count(), MAX_TEXT);
        assert_eq!(cut_text(text, Some(80)).chars().count(), 80);
        assert_eq!(cut_text("short".to_owned(), Some(80)), "short");
    }
}
