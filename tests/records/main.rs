//! Game records: every format read, written and converted, hostile files refused, moves in every notation.

mod cli;
mod endings;
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

/// The error that reading a text ends with.
fn failure(text: impl Into<Vec<u8>>) -> ReadError {
    match Records::parse(text) {
        Err(error) => error,
        Ok(mut records) => records.find_map(Result::err).expect("an error"),
    }
}

/// The moves of the main line as USI text, illegal ones included.
fn moves(record: &GameRecord) -> String {
    let moves = record.main_line().filter_map(|id| record.node(id).played());
    moves.map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}
