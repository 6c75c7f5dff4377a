//! Entries as JSON, one object a line.

mod game;
mod position;
mod rules;

use serde::Serialize;

use super::input::{BadInput, Game, InputError};
use super::worker::Analysis;
use crate::cli::failure::Result;
use crate::cli::records::inputs::Input;
use crate::report::{GameReport, Judgement};
use crate::rules::LineError;
use crate::types::Move;

/// Something that could not be analysed.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: usize,
    text: &'a str,
    error: ErrorDescription,
}

#[derive(Serialize)]
struct ErrorDescription {
    /// Of an illegal move, the rule that it breaks.
    kind: &'static str,
    /// The move that cannot be made or read.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    /// Its place in the list of moves, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    message: String,
}

/// What an input holds.
#[derive(Serialize)]
struct InputRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    holds: &'static str,
}

/// What an input holds as a line of text.
pub(super) fn input(input: &Input, is_lines: bool) -> Result<String> {
    let file = matches!(input, Input::File(_)).then(|| input.name());
    line(&InputRecord { file, holds: if is_lines { "lines" } else { "records" } })
}

/// A position as a line of text, with the judgement of the move played.
pub(super) fn position(analysis: &Analysis, judgement: Option<&Judgement>) -> Result<String> {
    line(&position::AnalysisRecord::new(analysis, judgement))
}

/// The report of a game as a line of text.
pub(super) fn game(game: &Game, report: &GameReport) -> Result<String> {
    line(&game::ReportLine::new(game, report))
}

/// What could not be analysed as a line of text.
pub(super) fn bad_input(bad: &BadInput) -> Result<String> {
    let (mv, number) = match &bad.error {
        InputError::Illegal { mv, number, .. } | InputError::Misnamed { mv, number } => {
            (Some(mv.to_string()), Some(*number))
        }
        InputError::Breach(breach) => (Some(breach.mv.to_string()), Some(breach.number as usize)),
        InputError::Line(LineError::UnreadableMove { text, number }) => (Some(text.clone()), Some(*number)),
        _ => (None, None),
    };
    let error = ErrorDescription { kind: bad.error.kind(), mv, number, message: bad.error.to_string() };
    line(&ErrorRecord { file: bad.place.file(), line: bad.place.line, text: &bad.text, error })
}

fn line(record: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(record)? + "\n")
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// To four decimals, which is more than anybody can tell.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
