//! The one writer of a session.

use std::fmt::{self, Display, Write as _};
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard};

use crate::usi::message::UsiMessage;

/// Texts longer than this are cut in `info string`.
const MAX_INFO_CHARS: usize = 400;

/// Writes whole lines, flushed at once, from any thread, and logs both directions to a file on request.
pub(super) struct Output<W> {
    sink: Mutex<Sink<W>>,
}

struct Sink<W> {
    writer: W,
    log: Option<File>,
}

impl<W: Write> Sink<W> {
    /// Writes text that ends with a line end. A reader that has gone away is no reason to stop: its
    /// end of the input will say so.
    fn write(&mut self, text: &str) {
        let written = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush());
        if let Err(error) = written {
            log::debug!("output failed: {error}");
        }
        self.log("<", text);
    }

    fn log(&mut self, direction: &str, text: &str) {
        let Some(file) = &mut self.log else { return };
        let mut entry = String::new();
        for line in text.lines() {
            let _ = writeln!(entry, "{direction} {line}");
        }
        if let Err(error) = file.write_all(entry.as_bytes()) {
            log::warn!("logging failed: {error}");
            self.log = None;
        }
    }
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output { sink: Mutex::new(Sink { writer, log: None }) }
    }

    fn sink(&self) -> MutexGuard<'_, Sink<W>> {
        self.sink.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Writes lines of text; an empty text is an empty line.
    pub(super) fn text(&self, text: &str) {
        let mut text = text.to_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.sink().write(&text);
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
        self.sink().write(&text);
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
        let mut sink = self.sink();
        sink.log = None;
        if !path.is_empty() {
            sink.log = Some(File::options().create(true).append(true).open(path)?);
        }
        Ok(())
    }

    /// Logs a line that was read.
    pub(super) fn log_input(&self, line: &str) {
        self.sink().log(">", line);
    }
}

struct Cut<'a>(&'a str);

impl Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}...", self.0)
    }
}
