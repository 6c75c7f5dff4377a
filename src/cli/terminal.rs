//! What goes to the terminal beside the results: remarks, errors and progress.

use std::collections::BTreeSet;
use std::io::{self, Write};

use console::measure_text_width;
use indicatif::{ProgressState, ProgressStyle};

use unicode_linebreak::linebreaks;

use crate::language::{InJapanese, Language, visible_lines};

/// Says something on standard error, where it does not mix with results. Text from outside, which is part of many
/// messages, is shown and not obeyed.
pub(super) fn remark(message: &impl InJapanese, language: Language) {
    let _ = writeln!(io::stderr(), "kurosabi: {}", visible_lines(&language.say(message)));
}

/// Writes to standard error what is ready to be read.
pub(super) fn write_error(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
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

/// The columns of the terminal that a person reads: that of standard output, if it is one.
pub(super) fn width() -> Option<usize> {
    let terminal = console::Term::stdout();
    let size = terminal.is_term().then(|| terminal.size_checked()).flatten();
    size.map(|(_, columns)| columns.into())
}

/// A text on as many lines of this width as it needs, which begin with these indents. Lines end between words and,
/// where there are none as in Japanese, where the rules of Unicode allow it: 。 does not begin a line.
pub(super) fn wrapped(text: &str, width: usize, first: &str, others: &str) -> String {
    let (mut lines, mut line, mut start) = (String::new(), first.to_owned(), 0);
    let mut is_empty = true;
    for end in places_to_break(text) {
        let part = &text[start..end];
        start = end;
        if !is_empty && measure_text_width(&line) + measure_text_width(part.trim_end()) > width {
            lines = lines + line.trim_end() + "\n";
            line = others.to_owned();
        }
        line.push_str(part);
        is_empty = false;
    }
    lines + line.trim_end()
}

/// Where lines may end, the end of the text among them. Names such as `--until-stable` and `.db/.ybb` stay whole: only
/// behind a blank and beside a wide character is such a place.
fn places_to_break(text: &str) -> BTreeSet<usize> {
    let is_wide = |c: char| measure_text_width(c.encode_utf8(&mut [0; 4])) == 2;
    let is_place = |at: &usize| {
        let (before, after) = text.split_at(*at);
        after.is_empty()
            || before.ends_with(char::is_whitespace)
            || before.ends_with(is_wide)
            || after.starts_with(is_wide)
    };
    let by_unicode = linebreaks(text).map(|(at, _)| at).filter(is_place);
    // Unicode's rules keep a hyphen, which may begin an option, beside the 。 before it.
    let behind_stops = text.match_indices(['、', '。']).map(|(at, stop)| at + stop.len());
    let behind_stops = behind_stops.filter(|&at| text[at..].starts_with('-'));
    by_unicode.chain(behind_stops).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_is_wrapped_between_words() {
        let wrap = |text: &str, width| wrapped(text, width, "  ", "    ");
        assert_eq!(wrap("one two three", 9), "  one two\n    three");
        assert_eq!(wrap("one two three", 8), "  one\n    two\n    three");
        assert_eq!(wrap("set --until-stable or a/b.db", 12), "  set\n    --until-stable\n    or\n    a/b.db");
        assert_eq!(wrap("incomprehensible", 8), "  incomprehensible");
        assert_eq!(wrap("", 8), "");
    }

    #[test]
    fn japanese_is_wrapped_by_its_own_rules() {
        let wrap = |text: &str, width| wrapped(text, width, "", "");
        assert_eq!(wrap("局面を解析します。", 10), "局面を解析\nします。");
        assert_eq!(wrap("局面を解析します。", 16), "局面を解析しま\nす。", "。 does not begin a line");
        assert_eq!(wrap("結果は「先手の勝ち」です", 8), "結果は\n「先手の\n勝ち」で\nす");
        assert!(wrap(&"漢字かな".repeat(30), 80).lines().take(2).all(|line| measure_text_width(line) == 80));
    }
}
