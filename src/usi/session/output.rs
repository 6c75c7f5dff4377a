//! The one writer of a session.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{LockResult, Mutex, MutexGuard, OnceLock, PoisonError};

use super::log_file::LogFile;
use super::worker::Failure;
use crate::language::{InJapanese, Language, Text, text};
use crate::types::{Phrase, visible_lines};
use crate::usi::message::UsiMessage;

/// Texts longer than this are cut in `info string`.
const MAX_INFO_CHARS: usize = 400;

/// Writes whole lines, flushed at once, from any thread, and logs both directions to a file on request.
///
/// Writing blocks while the client does not read. Logging has its own lock, so that commands are still read meanwhile.
pub(super) struct Output<W> {
    /// Of what is said to people.
    language: Language,
    writer: Mutex<W>,
    /// Lock order: the writer first, then the log.
    log: Mutex<Option<LogFile>>,
    /// Why writing has failed, the first time it did.
    error: OnceLock<io::Error>,
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W, language: Language) -> Output<W> {
        Output { language, writer: Mutex::new(writer), log: Mutex::new(None), error: OnceLock::new() }
    }

    /// Writes text that ends with a line end. What came from outside, such as the name of a file, is shown by the
    /// terminal or the GUI, and not obeyed. A reader that has gone away is no reason to stop before the input ends too.
    fn write(&self, text: &str) {
        let text = &*visible_lines(text);
        let mut writer = unpoisoned(self.writer.lock());
        let mut written = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
        if let Some(failure) = self.log('<', text) {
            let line = format!("{}\n", self.as_info_string(&failure));
            written = written.and_then(|()| writer.write_all(line.as_bytes())).and_then(|()| writer.flush());
        }
        drop(writer);
        if let Err(error) = written {
            log::debug!("output failed: {error}");
            let _ = self.error.set(error);
        }
    }

    /// Logs lines; what is to be said where that fails, after which nothing more is logged.
    fn log(&self, direction: char, text: &str) -> Option<Text> {
        let mut log = self.log_file();
        let file = log.as_mut()?;
        let error = file.write(direction, text).err()?;
        let (name, why) = (file.name().to_owned(), error.in_japanese());
        *log = None;
        Some(text!(
            "DebugLogFile \"{name}\": {error}; nothing more is logged",
            "DebugLogFile「{name}」: {why}。以後は記録しません"
        ))
    }

    fn log_file(&self) -> MutexGuard<'_, Option<LogFile>> {
        unpoisoned(self.log.lock())
    }

    /// Whether anything written was lost.
    pub(super) fn is_broken(&self) -> bool {
        self.error.get().is_some()
    }

    /// Whether all that was written arrived; that nobody reads any more is no failure.
    ///
    /// # Errors
    /// Says why it did not.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self.error.get().filter(|error| error.kind() != io::ErrorKind::BrokenPipe) {
            None => Ok(()),
            Some(error) => {
                Err(Failure::new(&Text::about(&Phrase::new("cannot write output", "出力を書き込めません"), error)))
            }
        }
    }

    /// Writes lines of text; an empty text is an empty line.
    pub(super) fn text(&self, text: &str) {
        let mut text = text.to_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.write(&text);
    }

    /// Writes a message.
    pub(super) fn send(&self, message: &UsiMessage) {
        self.send_all(std::slice::from_ref(message));
    }

    /// Writes messages with nothing between them.
    pub(super) fn send_all(&self, messages: &[UsiMessage]) {
        let mut text = String::new();
        for message in messages {
            let _ = writeln!(text, "{message}");
        }
        self.write(&text);
    }

    /// Writes an `info string`, cut where a text in it is without end.
    pub(super) fn info_string(&self, message: &impl InJapanese) {
        self.send(&self.as_info_string(message));
    }

    fn as_info_string(&self, message: &impl InJapanese) -> UsiMessage {
        let text = self.language.say(message);
        match text.char_indices().nth(MAX_INFO_CHARS) {
            Some((end, _)) => UsiMessage::info_string(format_args!("{}...", &text[..end])),
            None => UsiMessage::info_string(text),
        }
    }

    /// The language of what is said to people.
    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// Logs to this file from now on; to none when the path is empty.
    ///
    /// # Errors
    /// Says why the file cannot be written; nothing is then logged.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        *self.log_file() = None;
        if !path.is_empty() {
            // Opening may take long, and nothing else has to wait for it.
            let file = LogFile::open(path)?;
            *self.log_file() = Some(file);
        }
        Ok(())
    }

    /// Logs a line that was read.
    pub(super) fn log_input(&self, line: &str) {
        if let Some(failure) = self.log('>', line) {
            self.info_string(&failure);
        }
    }
}

/// The guard even after a panic: at worst a line is incomplete.
fn unpoisoned<T>(locked: LockResult<T>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}
