//! Reading all records that arguments name, with word on standard error of what cannot be read.

use std::ffi::OsString;

use super::inputs::Input;
use crate::cli::failure::Result;
use crate::cli::terminal::remark;
use crate::language::{Foreign, InJapanese, Language, Text, text};
use crate::records::GameRecord;
use crate::types::Phrase;

/// Warns of something that is wrong with an input.
pub(super) fn warn(name: &impl InJapanese, problem: &impl InJapanese, language: Language) {
    remark(&Text::about(name, problem), language);
}

/// The inputs that arguments name, in order, and how many arguments name none.
pub(in crate::cli) fn inputs_of(arguments: &[OsString], language: Language) -> (Vec<Input>, usize) {
    let (inputs, missing) = Input::all(arguments);
    missing.iter().for_each(|argument| warn(&Foreign(argument), &Input::MISSING, language));
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
    mut deal_with: impl FnMut(&Input, usize, &GameRecord) -> Result,
) -> Result<usize> {
    let mut failures = 0;
    for input in inputs {
        let records = match input.records() {
            Ok(records) => records,
            Err(error) => {
                warn(input, &error, language);
                failures += 1;
                continue;
            }
        };
        for (record, number) in records.zip(1..) {
            match record {
                Ok(record) => deal_with(input, number, &record)?,
                Err(error) => {
                    warn(input, &error, language);
                    failures += 1;
                }
            }
        }
    }
    Ok(failures)
}

/// Fails where games could not be `done`, such as `converted` and `変換でき`.
///
/// # Errors
/// Says how many.
pub(super) fn check_all(failures: usize, done: Phrase) -> Result {
    let Phrase { en, ja } = done;
    Err(match failures {
        0 => return Ok(()),
        1 => text!("one game could not be {en}", "1局は{ja}ませんでした"),
        _ => text!("{failures} games could not be {en}", "{failures}局は{ja}ませんでした"),
    })?
}
