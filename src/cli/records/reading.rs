//! Reading all records that arguments name, with word on standard error of what cannot be read.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};

use super::inputs::Input;
use crate::cli::language::Language;
use crate::records::GameRecord;

/// Tells of something wrong with an input.
pub(super) fn warn(name: &str, problem: &dyn Display) {
    let _ = writeln!(io::stderr(), "kurosabi: {name}: {problem}");
}

/// The inputs that arguments name, in order, and how many arguments name none.
pub(in crate::cli) fn inputs_of(arguments: &[OsString], language: Language) -> (Vec<Input>, usize) {
    let (inputs, missing) = Input::all(arguments);
    missing.iter().for_each(|argument| warn(argument, &Input::missing(language)));
    (inputs, missing.len())
}

/// Hands over the records of some inputs, each with its number in its input, from 1. Returns how many inputs and
/// records could not be read.
///
/// # Errors
/// When a record cannot be dealt with.
pub(super) fn for_each_record(
    inputs: &[Input],
    language: Language,
    mut deal_with: impl FnMut(&Input, usize, &GameRecord) -> io::Result<()>,
) -> io::Result<usize> {
    let mut failures = 0;
    for input in inputs {
        let records = match input.records() {
            Ok(records) => records,
            Err(error) => {
                warn(&input.name(), &language.tell(&error));
                failures += 1;
                continue;
            }
        };
        for (record, number) in records.zip(1..) {
            match record {
                Ok(record) => deal_with(input, number, &record)?,
                Err(error) => {
                    warn(&input.name(), &language.tell(&error));
                    failures += 1;
                }
            }
        }
    }
    Ok(failures)
}

/// Fails where games could not be `done`, such as `converted` or `変換でき`.
///
/// # Errors
/// Tells how many.
pub(super) fn check_all(failures: usize, done: &str, language: Language) -> io::Result<()> {
    let english = match failures {
        0 => return Ok(()),
        1 => format!("one game could not be {done}"),
        _ => format!("{failures} games could not be {done}"),
    };
    Err(io::Error::other(language.choose(english, format!("{failures}局は{done}なかった"))))
}
