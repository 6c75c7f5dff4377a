//! Reading all records that arguments name, with word on standard error of what cannot be read.

use std::ffi::OsString;

use super::inputs::Input;
use crate::cli::failure::Result;
use crate::cli::terminal::remark;
use crate::language::{Foreign, InJapanese, Language, Text, text};
use crate::records::GameRecord;
use crate::types::Phrase;

/// Warns of something that is wrong with an input.
pub(in crate::cli) fn warn(name: &impl InJapanese, problem: &impl InJapanese, language: Language) {
    remark(&Text::about(name, problem), language);
}

/// The inputs that arguments name, in order, and how many arguments name none.
pub(in crate::cli) fn inputs_of(arguments: &[OsString], language: Language) -> (Vec<Input>, usize) {
    let (inputs, missing) = Input::all(arguments);
    missing.iter().for_each(|argument| warn(&Foreign(argument), &Input::MISSING, language));
    (inputs, missing.len())
}

/// Which starts of games a command can do something with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Starts {
    /// Those that the rules allow.
    Allowed,
    /// Any board.
    Any,
}

/// How many inputs and records could not be read.
#[derive(Default)]
pub(super) struct Failures {
    pub(super) unread: usize,
    /// Of these the main line could not be read to its end.
    cut: usize,
}

/// Hands over the records of some inputs, each with its number in its input, from 1, and tells of faults in them.
///
/// # Errors
/// When a record cannot be dealt with.
pub(super) fn for_each_record(
    inputs: &[Input],
    language: Language,
    starts: Starts,
    mut deal_with: impl FnMut(&Input, usize, &GameRecord) -> Result,
) -> Result<Failures> {
    let mut failures = Failures::default();
    for input in inputs {
        let records = match input.records() {
            Ok(records) => records,
            Err(error) => {
                warn(input, &error, language);
                failures.unread += 1;
                continue;
            }
        };
        for (record, number) in records.zip(1..) {
            let record = record.and_then(|record| match record.start() {
                Err(error) if starts == Starts::Allowed => Err(error.clone()),
                _ => Ok(record),
            });
            match record {
                Ok(record) => {
                    record.warnings().iter().for_each(|warning| warn(input, warning, language));
                    failures.cut += usize::from(record.cut().is_some());
                    deal_with(input, number, &record)?;
                }
                Err(error) => {
                    warn(input, &error, language);
                    failures.unread += 1;
                }
            }
        }
    }
    Ok(failures)
}

impl Failures {
    /// Fails where games could not be `done`, such as `converted` and `変換でき`, or only in part.
    ///
    /// # Errors
    /// Says how many.
    pub(super) fn check(&self, done: Phrase) -> Result {
        let Phrase { en, ja } = done;
        let games = |count: usize| if count == 1 { "one game".to_owned() } else { format!("{count} games") };
        let (unread, cut) = (games(self.unread), games(self.cut));
        Err(match (self.unread, self.cut) {
            (0, 0) => return Ok(()),
            (ja_unread, 0) => text!("{unread} could not be {en}", "{ja_unread}局は{ja}ませんでした"),
            (0, ja_cut) => text!("{cut} could be {en} in part only", "{ja_cut}局は途中までしか{ja}ませんでした"),
            (ja_unread, ja_cut) => text!(
                "{unread} could not be {en}, {cut} in part only",
                "{ja_unread}局は{ja}ませんでした（ほかに{ja_cut}局は途中まで）"
            ),
        })?
    }
}
