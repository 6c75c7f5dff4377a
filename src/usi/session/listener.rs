//! The side that reads: acts at once on what commands searches, answers questions that can be answered now, and
//! queues all else.

use std::io::{Read, Write};

use super::output::Output;
use super::queue::{CommandQueue, Reply, TaskKind};
use super::{Host, convert, display, worker};
use crate::language::{Text, text};
use crate::types::Phrase;
use crate::usi::lines::{InputLine, LineReader};
use crate::usi::message::{Go, UsiMessage};
use crate::usi::parser::{UsiParseError, parse_one, parse_strict};

pub(super) struct Listener<'a, W, H> {
    pub(super) output: &'a Output<W>,
    pub(super) queue: &'a CommandQueue,
    pub(super) host: &'a H,
}

impl<W: Write + Send, H: Host> Listener<'_, W, H> {
    /// Reads until `quit` or the end of the input.
    ///
    /// # Errors
    /// When the input cannot be read to its end.
    pub(super) fn listen(&self, input: impl Read) -> Result<(), Text> {
        let mut read = Ok(());
        for line in LineReader::new(input) {
            match line {
                Ok(InputLine::Text(text)) => {
                    if !self.take_line(&text) {
                        return Ok(());
                    }
                }
                Ok(InputLine::TooLong { limit }) => self.output.info_string(&text!(
                    "a line of more than {limit} bytes is ignored",
                    "{limit}バイトを超える行は無視します"
                )),
                Err(error) => {
                    read = Err(Text::about(&Phrase::new("cannot read the input", "入力を読み込めません"), &error));
                    break;
                }
            }
        }
        self.queue.end_input();
        read
    }

    /// Takes a line. Returns whether the session goes on: `quit` ends it.
    pub(super) fn take_line(&self, text: &str) -> bool {
        self.output.log_input(text);
        let message = parse_one(text);
        if matches!(message, UsiMessage::Go(_) | UsiMessage::Position(_)) {
            self.warn_unparsed(text);
        }
        match message {
            UsiMessage::Quit => {
                self.queue.quit();
                return false;
            }
            UsiMessage::Stop => self.queue.stop(),
            UsiMessage::PonderHit(clock) => self.queue.ponder_hit(convert::clock(&clock)),
            UsiMessage::GameOver(_) => {
                self.queue.stop();
                self.queue.push(message);
            }
            UsiMessage::Help => self.output.text(display::help(self.output.language)),
            UsiMessage::Usi if self.queue.is_busy() => worker::introduce(self.output),
            UsiMessage::IsReady | UsiMessage::Display | UsiMessage::Eval | UsiMessage::Why(_) => {
                if let Reply::Now(snapshot) = self.queue.ask(&message) {
                    display::answer(self.output, &message, snapshot.as_deref());
                }
            }
            UsiMessage::Go(Go::Search(params)) => self.queue.push_task(TaskKind::Search(params)),
            UsiMessage::Go(Go::Mate(params)) => self.queue.push_task(TaskKind::Mate(params)),
            UsiMessage::Go(Go::Perft(depth)) => self.queue.push_task(TaskKind::Perft(depth)),
            UsiMessage::Bench { depth } => self.queue.push_task(TaskKind::Bench(depth)),
            UsiMessage::Unknown(text) => self.unknown(&text),
            message => self.queue.push(message),
        }
        true
    }

    /// Warns of words that mean nothing: a mistyped limit leaves a search that may never end, and moves without the
    /// word `moves` before them another position than was meant.
    fn warn_unparsed(&self, command: &str) {
        if let Err(UsiParseError::UnreadableWords { unread, .. }) = parse_strict(command) {
            let command = command.trim();
            self.output.info_string(&text!(
                "cannot read \"{unread}\" in \"{command}\"",
                "「{command}」の「{unread}」を読み込めません"
            ));
        }
    }

    /// Nothing is said to programs about unknown commands, but there is a warning about a known one that cannot be
    /// read.
    fn unknown(&self, text: &str) {
        log::debug!("unknown command: {text:?}");
        if text.split_ascii_whitespace().next() == Some("setoption") {
            self.output.info_string(&text!(
                "cannot read \"{text}\": expected setoption name <name> [value <value>]",
                "「{text}」を読み込めません。setoption name <名前> [value <値>] のように指定してください"
            ));
        } else if let Some(explanation) = self.host.explain_unknown(text) {
            self.output.text(&explanation);
        }
    }
}
