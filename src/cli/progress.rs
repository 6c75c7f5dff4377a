//! How progress is shown on the terminal.

use std::fmt::Write;

use indicatif::{ProgressState, ProgressStyle};

/// The style of a progress bar, where `{rate}` stands for steps a second with one decimal.
pub(super) fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{:.1}/s", state.per_sec());
    })
}
