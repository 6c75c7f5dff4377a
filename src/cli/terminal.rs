//! What goes to the terminal beside the results: remarks, errors and progress.

use std::io::{self, Write};

use indicatif::{ProgressState, ProgressStyle};

use crate::language::{InJapanese, Language, visible_lines};

/// Says something on standard error, where it does not mix with results. Text from outside, which is part of many
/// messages, is shown and not obeyed.
pub(super) fn remark(message: &impl InJapanese, language: Language) {
    let _ = writeln!(io::stderr(), "kurosabi: {}", visible_lines(&language.say(message)));
}

/// Says why the program ends.
pub(super) fn error(message: &impl InJapanese, language: Language) {
    let name = language.choose("error", "エラー");
    let _ = writeln!(io::stderr(), "{name}: {}", visible_lines(&language.say(message)));
}

/// The style of a progress bar, where `{rate}` stands for steps a second with one decimal.
pub(super) fn progress_style(template: &str, language: Language) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let unit = language.choose("/s", "/秒");
    style.with_key("rate", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{:.1}{unit}", state.per_sec());
    })
}

/// The text with blanks before it up to a width, counted as a terminal shows it.
pub(super) fn right(text: &str, width: usize) -> String {
    console::pad_str(text, width, console::Alignment::Right, None).into_owned()
}

/// The text with blanks behind it up to a width, counted as a terminal shows it.
pub(super) fn left(text: &str, width: usize) -> String {
    console::pad_str(text, width, console::Alignment::Left, None).into_owned()
}
