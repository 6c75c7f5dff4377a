//! Positions as rows of a table.

use std::fmt::Write;

use super::{Style, right};
use crate::cli::analyze::has_entered_king;
use crate::cli::analyze::input::BadInput;
use crate::cli::analyze::words::side_name;
use crate::cli::analyze::worker::Analysis;
use crate::engine::Decision;
use crate::position::Declaration;
use crate::records::Board;
use crate::rules::{RepetitionWarning, Rules};
use crate::search::SearchInfo;
use crate::types::{Color, Move, Square};

/// Columns before the line of play.
const INDENT: usize = 55;

/// The first line of the table.
pub(in crate::cli::analyze) fn heading() -> String {
    let (score, line) = ("Score", "Line of play");
    format!(
        "{:>5} {:>5} {:>4}  {:5}  {score:>11}  {:>7}  {:6}  {line}\n",
        "No", "Line", "Move", "Side", "Depth", "Best"
    )
}

/// The row of what cannot be analysed.
pub(in crate::cli::analyze) fn bad_input(number: usize, bad: &BadInput, style: &Style) -> String {
    let mut row = match bad.place.file() {
        Some(file) => format!("{number:5}  {file}: error: {}", bad.error),
        None => format!("{number:5} {:5}  error: {}", bad.place.line, bad.error),
    };
    if !bad.text.is_empty() && !row.contains(&bad.text) {
        let _ = write!(row, "; the line is {:?}", bad.text);
    }
    style.cut(&row, INDENT) + "\n"
}

/// The rows of a position.
pub(in crate::cli::analyze) fn position(number: usize, analysis: &Analysis, style: &Style) -> String {
    let position = &analysis.position;
    let side = side_name(position.side_to_move());
    let mut rows = format!("{number:5} {:5} {:4}  {side:5}", analysis.game.place.line, position.game_ply());
    let (board, last) = (Board::from(position), analysis.last_move().map(Move::to));
    for (rank, line) in analysis.answer.lines.iter().enumerate() {
        if rank > 0 {
            let _ = write!(rows, "{:23}", "");
        }
        let _ = writeln!(rows, "  {}", columns(line, analysis.answer.decision, &board, last, style));
    }
    for note in notes(analysis) {
        rows.push_str(&style.cut(&format!("{:25}{note}", ""), INDENT));
        rows.push('\n');
    }
    rows
}

/// What there is to say besides: by rule, and by the engine.
pub(super) fn notes(analysis: &Analysis) -> Vec<String> {
    let position = &analysis.position;
    let mut notes: Vec<String> = analysis.found.end.iter().map(ToString::to_string).collect();
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
fn columns(line: &SearchInfo, decision: Decision, board: &Board, last: Option<Square>, style: &Style) -> String {
    let score = right(&style.score(line.score.outcome()), 11);
    let depth = format!("{}/{}", line.depth, line.selective_depth);
    let best = match (line.pv.first(), decision) {
        (Some(&mv), _) => style.notation.write(board, mv, last),
        (None, Decision::DeclareWin) => "win".to_owned(),
        (None, Decision::DeclareDraw) => "draw".to_owned(),
        (None, _) => "none".to_owned(),
    };
    let best = super::left(&best, 6);
    // A long name of the best move takes from the room of the line.
    let taken = INDENT - 6 + console::measure_text_width(&best);
    let room = style.width.map(|width| width.saturating_sub(taken));
    let line_of_play = style.line_of_play(board, &line.pv, last, room);
    format!("{score}  {depth:>7}  {best}  {line_of_play}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_indent_is_that_of_the_heading() {
        assert_eq!(heading().find("Line of play"), Some(INDENT));
    }
}
