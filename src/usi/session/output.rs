//! The one writer of a session: messages, text for people, signs of life, and the log of both directions.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use crate::language::{InJapanese, Language, Text, text};
use crate::threads::{self, lock};
use crate::types::{Phrase, visible_lines};
use crate::usi::message::UsiMessage;

/// Texts longer than this are cut in `info string`.
const MAX_INFO_CHARS: usize = 400;

/// Writes whole lines, flushed at once, from any thread, and logs both directions to a file on request.
///
/// Writing blocks while the client does not read. Logging has its own lock, so that commands are still read meanwhile.
pub(super) struct Output<W> {
    /// Of what is said to people.
    pub(super) language: Language,
    writer: Mutex<W>,
    /// Lock order: the writer first, then the log.
    log: Mutex<Option<(String, File)>>,
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
        let mut writer = lock(&self.writer);
        let mut write = |text: &str| writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
        let mut written = write(text);
        if let Some(failure) = self.log('<', text) {
            written = written.and_then(|()| write(&format!("{}\n", self.as_info_string(&failure))));
        }
        drop(writer);
        if let Err(error) = written {
            log::debug!("output failed: {error}");
            let _ = self.error.set(error);
        }
    }

    /// Logs lines, each behind a sign of its direction; what is to be said where that fails, after which nothing more
    /// is logged.
    fn log(&self, direction: char, text: &str) -> Option<Text> {
        let mut log = lock(&self.log);
        let (name, file) = log.as_mut()?;
        let mut entry = String::new();
        for line in text.lines() {
            let _ = writeln!(entry, "{direction} {line}");
        }
        let error = file.write_all(entry.as_bytes()).err()?;
        let why = error.in_japanese();
        let failure = text!(
            "DebugLogFile \"{name}\": {error}; nothing more is logged",
            "DebugLogFile「{name}」: {why}。以後は記録しません"
        );
        *log = None;
        Some(failure)
    }

    /// Whether anything written was lost.
    pub(super) fn is_broken(&self) -> bool {
        self.error.get().is_some()
    }

    /// Whether all that was written arrived; that nobody reads any more is no failure.
    ///
    /// # Errors
    /// Says why it did not.
    pub(super) fn check(&self) -> Result<(), Text> {
        let lost = self.error.get().filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
        let about = |error| Text::about(&Phrase::new("cannot write output", "出力を書き込めません"), error);
        lost.map_or(Ok(()), |error| Err(about(error)))
    }

    /// Writes lines of text; an empty text is an empty line.
    pub(super) fn text(&self, text: &str) {
        self.write(&format!("{}\n", text.strip_suffix('\n').unwrap_or(text)));
    }

    /// Writes a message.
    pub(super) fn send(&self, message: &UsiMessage) {
        self.send_all(std::slice::from_ref(message));
    }

    /// Writes messages with nothing between them.
    pub(super) fn send_all(&self, messages: &[UsiMessage]) {
        self.write(&lines(messages));
    }

    /// Writes an `info string`, cut where a text in it is without end.
    pub(super) fn info_string(&self, message: &impl InJapanese) {
        self.send(&self.as_info_string(message));
    }

    pub(super) fn as_info_string(&self, message: &impl InJapanese) -> UsiMessage {
        let text = self.language.say(message);
        match text.char_indices().nth(MAX_INFO_CHARS) {
            Some((end, _)) => UsiMessage::info_string(format_args!("{}...", &text[..end])),
            None => UsiMessage::info_string(text),
        }
    }

    /// Logs to this file from now on; to none when the path is empty.
    ///
    /// # Errors
    /// Says why the file cannot be written; nothing is then logged.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        *lock(&self.log) = None;
        if !path.is_empty() {
            // Opening may take long, and nothing else has to wait for it.
            let file = open_log(path)?;
            *lock(&self.log) = Some((path.to_owned(), file));
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

/// The messages as they are written.
pub(super) fn lines(messages: &[UsiMessage]) -> String {
    messages.iter().map(|message| format!("{message}\n")).collect()
}

/// A file to append to, which is created when it is not there, and never waited for: a pipe that nobody reads must not
/// hold up the engine.
///
/// # Errors
/// Says why it cannot be written, as with a named pipe that nobody reads.
fn open_log(path: &str) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options.open(path)
}

/// Clients give up on an engine that says nothing for five seconds.
pub(super) const INTERVAL: Duration = Duration::from_secs(2);

/// Does some work, with an empty line from time to time while it lasts. Where the system refuses the thread that writes
/// them, the work is done without: a late answer is better than none.
pub(super) fn keep_alive<W: Write + Send, T>(output: &Output<W>, interval: Duration, work: impl FnOnce() -> T) -> T {
    if !threads::AVAILABLE {
        return work();
    }
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        let signs_of_life = move || {
            while wait.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                output.text("");
            }
        };
        if let Err(error) = thread::Builder::new().spawn_scoped(scope, signs_of_life) {
            log::warn!("no thread for signs of life: {error}");
        }
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::Sender;

    use super::*;
    use crate::language::Language;

    /// Hands on each byte that is written.
    struct ByteSender(Sender<u8>);

    impl Write for ByteSender {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            bytes.iter().try_for_each(|&byte| self.0.send(byte)).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn keep_alive_writes_empty_lines_during_long_work() {
        let (sender, written) = channel();
        let output = Output::new(ByteSender(sender), Language::English);
        // Work that lasts until two lines are there.
        let next = |_| written.recv_timeout(Duration::from_secs(60));
        let lines = keep_alive(&output, Duration::from_millis(1), || [(); 2].map(next));
        drop(output);
        assert!(lines.into_iter().chain(written.iter().map(Ok)).all(|byte| byte == Ok(b'\n')));
    }
}
