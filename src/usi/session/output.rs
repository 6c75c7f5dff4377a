//! The one writer of a session.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, OnceLock};

use super::log_file::LogFile;
use crate::usi::message::UsiMessage;

/// Texts longer than this are cut in `info string`.
const MAX_INFO_CHARS: usize = 400;

/// Writes whole lines, flushed at once, from any thread, and logs both directions to a file on request.
pub(super) struct Output<W> {
    sink: Mutex<Sink<W>>,
    /// Why writing has failed, the first time it did.
    error: OnceLock<io::Error>,
}

struct Sink<W> {
    writer: W,
    log: Option<LogFile>,
}

impl<W: Write> Sink<W> {
    /// Writes text that ends with a line end.
    fn write(&mut self, text: &str) -> io::Result<()> {
        let written = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush());
        self.log('<', text);
        written
    }

    fn log(&mut self, direction: char, text: &str) {
        let Some(file) = &mut self.log else { return };
        if let Err(error) = file.write(direction, text) {
            self.log = None;
            log::warn!("DebugLogFile: {error}; nothing more is logged");
        }
    }
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output { sink: Mutex::new(Sink { writer, log: None }), error: OnceLock::new() }
    }

    fn sink(&self) -> MutexGuard<'_, Sink<W>> {
        self.sink.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A reader that has gone away is no reason to stop before the input ends too.
    fn write(&self, text: &str) {
        if let Err(error) = self.sink().write(text) {
            log::debug!("output failed: {error}");
            let _ = self.error.set(error);
        }
    }

    /// Whether anything written was lost.
    pub(super) fn is_broken(&self) -> bool {
        self.error.get().is_some()
    }

    /// Why anything written was lost, other than that nobody reads any more.
    pub(super) fn failure(&self) -> Option<&io::Error> {
        self.error.get().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
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
    pub(super) fn info_string(&self, text: impl Display) {
        let text = text.to_string();
        match text.char_indices().nth(MAX_INFO_CHARS) {
            Some((end, _)) => self.send(&UsiMessage::info_string(Cut(&text[..end]))),
            None => self.send(&UsiMessage::info_string(text)),
        }
    }

    /// Logs to this file from now on; to none when the path is empty.
    ///
    /// # Errors
    /// Says why the file cannot be written; nothing is then logged.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        self.sink().log = None;
        if !path.is_empty() {
            // Opening may take long, and nothing else has to wait for it.
            let file = LogFile::open(path)?;
            self.sink().log = Some(file);
        }
        Ok(())
    }

    /// Logs a line that was read.
    pub(super) fn log_input(&self, line: &str) {
        self.sink().log('>', line);
    }
}

struct Cut<'a>(&'a str);

impl Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}...", self.0)
    }
}
