//! The way to the terminal: results, remarks, errors, progress and the log.
//!
//! All that the commands write to standard output and standard error goes through here, and nothing in it that came
//! from outside, such as a player's name with an escape sequence, is obeyed by the terminal.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Stdout, Write};
use std::time::Duration;

use console::{Term, measure_text_width};
use indicatif::{FormattedDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use unicode_linebreak::linebreaks;

use crate::language::{InJapanese, Language, text};
use crate::types::{Phrase, visible_lines};

/// Standard output, line by line, where what a terminal would obey is shown instead.
pub(super) struct Output {
    out: Stdout,
    /// The part of a line that waits for its end.
    line: Vec<u8>,
    is_for_people: bool,
}

impl Output {
    /// For texts that people read, now or from the file that a shell makes of them.
    pub(super) fn text() -> Output {
        Output::new(true)
    }

    /// For records, JSON and the like: their bytes stay as they are in files and pipes, not on a terminal.
    pub(super) fn data() -> Output {
        Output::new(io::stdout().is_terminal())
    }

    fn new(is_for_people: bool) -> Output {
        Output { out: io::stdout(), line: Vec::new(), is_for_people }
    }

    /// For rows that have colours, and are [`visible`](crate::types::visible) without them.
    pub(super) fn painted() -> Stdout {
        io::stdout()
    }

    fn write_up_to(&mut self, end: usize) -> io::Result<()> {
        let rest = self.line.split_off(end);
        let lines = std::mem::replace(&mut self.line, rest);
        self.out.write_all(&shown(&lines))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_for_people {
            return self.out.write(bytes);
        }
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|&byte| byte == b'\n') {
            self.write_up_to(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_up_to(self.line.len())?;
        self.out.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

/// Whole lines as a terminal shows them. Those in Shift_JIS have no control characters but those of ASCII.
fn shown(lines: &[u8]) -> Cow<'_, [u8]> {
    if let Ok(lines) = str::from_utf8(lines) {
        return match visible_lines(lines) {
            Cow::Borrowed(lines) => lines.as_bytes().into(),
            Cow::Owned(lines) => lines.into_bytes().into(),
        };
    }
    let show = |&byte: &u8| match byte {
        b'\r' | b'\n' | b'\t' => vec![byte],
        byte if byte.is_ascii_control() => byte.escape_ascii().collect(),
        byte => vec![byte],
    };
    lines.iter().flat_map(show).collect::<Vec<u8>>().into()
}

/// Says something on standard error, where it does not mix with results.
pub(super) fn remark(message: &impl InJapanese, language: Language) {
    write_error(&format!("kurosabi: {}\n", language.say(message)));
}

/// Says why the program ends.
pub(super) fn error(message: &impl InJapanese, language: Language) {
    write_error(&format!("{}: {}\n", language.choose("error", "エラー"), language.say(message)));
}

/// Writes to standard error what is ready to be read. That nobody reads it is no reason to end.
pub(super) fn write_error(text: &str) {
    let _ = io::stderr().write_all(visible_lines(text).as_bytes());
}

/// Waits for a key where the window would close with the program, and what it says be lost: a console of Windows that
/// was opened for it alone, as by files dropped on its icon.
#[cfg(windows)]
pub(super) fn hold_window(language: Language) {
    use windows_sys::Win32::System::Console::GetConsoleProcessList;
    let mut processes = [0; 2];
    // SAFETY: there is room for as many numbers as it is said to write at most.
    let count = unsafe { GetConsoleProcessList(processes.as_mut_ptr(), processes.len() as u32) };
    if count == 1 && io::stdin().is_terminal() && io::stderr().is_terminal() {
        remark(&Phrase::new("press a key to close this window", "何かキーを押すと、この画面を閉じます"), language);
        let _ = Term::stderr().read_key();
    }
}

/// Elsewhere windows stay.
#[cfg(not(windows))]
pub(super) fn hold_window(_: Language) {}

/// Begins the log, on standard error as RUST_LOG asks for it. Some clients never read that, and an engine that fills
/// its pipe stands still: silent unless asked.
pub(crate) fn start_log(language: Language) {
    let asked = std::env::var("RUST_LOG").unwrap_or_default();
    if let Err(error) = env_filter::Builder::new().try_parse(&asked) {
        let ignored = text!("RUST_LOG is ignored: {error}", "RUST_LOGの「{asked}」は正しくないため、無視します");
        return remark(&ignored, language);
    }
    let filters = if asked.is_empty() { "off" } else { &asked };
    let format = |out: &mut env_logger::fmt::Formatter, record: &log::Record<'_>| {
        let message = record.args().to_string();
        writeln!(out, "[{} {} {}] {}", out.timestamp(), record.level(), record.target(), visible_lines(&message))
    };
    env_logger::Builder::new().parse_filters(filters).format(format).init();
}

/// Shows on a terminal how much is done, of all where that is known. What is being done may be shown in a line below,
/// as the bar's message.
pub(super) fn progress(unit: Phrase, length: Option<u64>, has_line_below: bool, language: Language) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(5));
    if bar.is_hidden() {
        return bar;
    }
    let Phrase { en, ja } = unit;
    let mut template = language.say(&match length {
        Some(_) => text!(
            "{{elapsed_precise}} {{wide_bar}} {{pos}}/{{len}} {en}, {{per_sec:1}}{{left}}",
            "{{elapsed_precise}} {{wide_bar}} {{pos}}/{{len}}{ja}、{{per_sec:1}}{{left}}"
        ),
        None => {
            text!("{{elapsed_precise}} {{pos}} {en}, {{per_sec:1}}", "{{elapsed_precise}} {{pos}}{ja}、{{per_sec:1}}")
        }
    });
    if has_line_below {
        template += "\n{wide_msg}";
    }
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let left = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // Until the first is done nobody knows. The mean stays sober where one item takes long, unlike the state's own
        // estimate by the present rate.
        if let (done @ 1.., Some(all)) = (state.pos(), state.len()) {
            let share = all.saturating_sub(done) as f64 / done as f64;
            let left = FormattedDuration(Duration::from_secs(state.elapsed().mul_f64(share).as_secs()));
            let _ = out.write_str(&language.choose(format!(", {left} left"), format!("、残り{left}")));
        }
    };
    // Every console has these characters.
    bar.set_style(style.with_key("left", left).progress_chars("##-"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The language of standard output where the command has no argument for it: English for programs, which read it
/// through a pipe or from a file.
pub(super) fn output_language() -> Language {
    if io::stdout().is_terminal() { Language::from_environment() } else { Language::English }
}

/// The text with blanks before it up to a width, counted as a terminal shows it.
pub(super) fn right(text: &str, width: usize) -> String {
    console::pad_str(text, width, console::Alignment::Right, None).into_owned()
}

/// The text with blanks behind it up to a width, counted as a terminal shows it.
pub(super) fn left(text: &str, width: usize) -> String {
    console::pad_str(text, width, console::Alignment::Left, None).into_owned()
}

/// The columns of the terminal that standard output is shown on, if it is.
pub(super) fn width() -> Option<usize> {
    columns(&Term::stdout())
}

/// The columns of the terminal that progress is shown on, if it is.
pub(super) fn progress_width() -> Option<usize> {
    columns(&Term::stderr())
}

fn columns(terminal: &Term) -> Option<usize> {
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
/// behind a blank and next to a wide character is such a place.
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
    fn lines_for_the_terminal_are_shown_in_any_encoding() {
        assert_eq!(shown("先手：\x1b[2J\u{9b}31m\r\n".as_bytes()), "先手：\\u{1b}[2J\\u{9b}31m\n".as_bytes());
        assert_eq!(shown(b"\x90\xe6\x8e\xe8\x1b[2J\r\n"), &b"\x90\xe6\x8e\xe8\\x1b[2J\r\n"[..]);
    }

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
