//! Game records: every format read, written and converted, hostile files refused, moves in every notation.

mod cli;
mod endings;
mod escapes;
mod faithful;
mod generous;
mod hostile;
mod japanese;
mod notation;
mod reading;
mod writing;

use kurosabi::records::{GameRecord, ReadError, Records};

/// The one record of a text.
fn read(text: impl Into<Vec<u8>>) -> GameRecord {
    let mut records = Records::parse(text).unwrap();
    let record = records.next().unwrap().unwrap();
    assert!(records.next().is_none());
    record
}

/// The first fault of a text: an error that ends the reading, or the fault of a warning.
fn failure(text: impl Into<Vec<u8>>) -> ReadError {
    let warned = |record: GameRecord| record.warnings().first().map(|warning| warning.error.clone());
    match Records::parse(text) {
        Err(error) => error,
        Ok(mut records) => records.find_map(|record| record.map_or_else(Some, warned)).expect("a fault"),
    }
}

/// The warnings of the one record of a text.
fn warnings(text: impl Into<Vec<u8>>) -> Vec<String> {
    read(text).warnings().iter().map(ToString::to_string).collect()
}

/// The moves of the main line as USI text, illegal ones included.
fn moves(record: &GameRecord) -> String {
    let moves = record.main_line().filter_map(|id| record.node(id).played());
    moves.map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}
