//! A USI session: commands in, answers out.
//!
//! The calling thread reads; a second thread owns the [`Engine`](crate::engine::Engine) and carries out the commands in
//! order. `stop`, `ponderhit`, `gameover` and `quit` act at once on the searches asked for so far, through a control
//! that each of them has. A search without end (`infinite`, pondering, or no limit at all) gives way to the next `go`
//! and to the end of the input; one with a limit runs to its end.
//!
//! # Questions during a search
//!
//! `help` is answered at once, always, and so is `usi` while a search or other long work runs or waits; else `usi` is
//! answered in its turn, such as behind an `isready` that loads a network. `isready`, `d`, `eval` and `why` are
//! answered at once, and the search goes on, where they come right behind the running search, also when they were sent
//! together with its `go`. What changes something (`setoption`, `position`, `usinewgame`) waits for the end of the
//! search, as in Stockfish and YaneuraOu, and so do `d`, `eval` and `why` behind it. An `isready` behind it is held as
//! well: when `readyok` comes, the options set before it are in force, memory and files included. Unlike in those
//! engines, `stop` is read meanwhile.
//!
//! # The end
//!
//! Behind the last line of the input, searches with a limit and benchmarks are finished for whoever reads the output,
//! as scripts do. When nobody does, since the output is closed as well, everything ends. A network, a book or a table
//! that is being made ready is waited for only as long as something behind it is to be answered.

mod convert;
mod display;
mod output;
mod queue;
mod worker;

pub(crate) use display::greeting;

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use output::Output;
use queue::{CommandQueue, Reply, TaskKind};
use worker::Worker;

use crate::engine::panic_text;
use crate::language::{Foreign, Language, Text, text};
use crate::types::Phrase;
use crate::usi::lines::{InputLine, LineReader};
use crate::usi::message::{Go, UsiMessage};
use crate::usi::parser::{UsiParseError, parse_one, parse_strict};

/// Ample: searches run on threads of their own.
const ENGINE_STACK_BYTES: usize = 16 << 20;
/// How often to check, once the input has ended, whether anybody still reads the output.
const READER_POLL: Duration = Duration::from_millis(100);
/// How long the end waits for what nobody needs any more, such as a large table that is being made.
const PATIENCE: Duration = Duration::from_millis(700);

/// What surrounds a session.
pub trait Host {
    /// Whether somebody may read the output. Asked only when the input has ended; that writing fails is noticed in any
    /// case.
    fn has_reader(&self) -> bool {
        true
    }

    /// The session should have ended, but its engine prepares something at length that nobody will use. This may end
    /// the process.
    fn give_up(&self) {}

    /// What to say of a line that is no command: nothing to a program.
    fn explain_unknown(&self, _line: &str) -> Option<String> {
        None
    }
}

/// Nothing is known of what surrounds the session.
impl Host for () {}

/// Holds a session: reads commands until `quit` or the end of the input, and returns when all of
/// them are answered.
///
/// ```
/// let mut answers = Vec::new();
/// kurosabi::usi::session::run("position startpos moves 7g7f\nd\n".as_bytes(), &mut answers);
/// let answers = String::from_utf8(answers).unwrap();
/// assert!(answers.contains("Sfen: lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"));
/// ```
pub fn run<R: Read, W: Write + Send>(input: R, output: W) {
    run_for(input, output, &());
}

/// Holds a session like [`run`], in these surroundings.
pub fn run_for<R: Read, W: Write + Send>(input: R, output: W, host: &impl Host) {
    // It has been said in the output.
    let _ = hold(input, output, Language::English, host, OnFailure::GoOn);
}

/// What happens to the commands behind one that cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnFailure {
    /// The client gets an `info string`, and they are carried out.
    GoOn,
    /// They are not carried out: all are known beforehand, such as the arguments of the program, nobody can react to a
    /// failure, and they rely on what the failed one would have set.
    End,
}

/// A session that is given one line after another and works on the calling thread, as pages of a browser have only one.
///
/// ```
/// use kurosabi::usi::session::LineSession;
///
/// let session = LineSession::new(std::io::stdout());
/// for line in ["usi", "isready", "position startpos", "go nodes 100"] {
///     assert!(session.receive(line));
///     session.run();
/// }
/// assert!(!session.receive("quit"));
/// ```
pub struct LineSession<W> {
    output: Arc<Output<W>>,
    queue: Arc<CommandQueue>,
    /// Locked while it runs.
    worker: Mutex<Worker<W>>,
}

impl<W: Write + Send> LineSession<W> {
    /// A session with an engine of its own, whose answers go to `output`.
    pub fn new(output: W) -> LineSession<W> {
        let (output, queue) = (Arc::new(Output::new(output, Language::English)), Arc::default());
        let worker = Worker::new(Arc::clone(&output), Arc::clone(&queue), OnFailure::GoOn);
        LineSession { output, queue, worker: Mutex::new(worker) }
    }

    /// Takes a line: what commands a search takes effect at once, also while [`run`](Self::run) is under way; what is a
    /// question then is answered; all else waits for `run`. Returns whether the session goes on: `quit` ends it.
    pub fn receive(&self, line: &str) -> bool {
        Listener { output: &*self.output, queue: &self.queue, host: &() }.take_line(line)
    }

    /// No line follows: searches without end give way, as at the end of a program's input.
    pub fn end_input(&self) {
        self.queue.end_input();
    }

    /// Carries out what waits. Does nothing where it is under way already.
    pub fn run(&self) {
        if let Ok(mut worker) = self.worker.try_lock() {
            worker.run_waiting();
        }
    }
}

const NO_THREAD: Phrase = Phrase::new("no thread for the engine", "エンジンのスレッドを作成できません");

/// Holds a session with a person at a terminal, in their language (programs are spoken to in English), or carries out
/// commands.
///
/// # Errors
/// When there was no engine to answer, an answer failed by a defect or for lack of memory, the input could not be read
/// to its end, or output was lost that somebody reads. With [`OnFailure::End`] also when a command cannot be carried
/// out (a position that cannot be read, an illegal move, an unknown option, a file that cannot be used).
pub(crate) fn hold<R: Read, W: Write + Send>(
    input: R,
    output: W,
    language: Language,
    host: &impl Host,
    on_failure: OnFailure,
) -> Result<(), Text> {
    let (output, queue) = (Arc::new(Output::new(output, language)), Arc::<CommandQueue>::default());
    let worker = || Worker::new(Arc::clone(&output), Arc::clone(&queue), on_failure).run();
    let held = thread::scope(|scope| {
        let thread = thread::Builder::new().name("engine".into()).stack_size(ENGINE_STACK_BYTES);
        let worker = thread.spawn_scoped(scope, worker).map_err(|error| Text::about(&NO_THREAD, &error))?;
        let read = Listener { output: &*output, queue: &queue, host }.listen(input);
        let ended = Instant::now();
        while !queue.wait_until_done(READER_POLL) {
            let has_reader = !output.is_broken() && host.has_reader();
            if !has_reader {
                queue.stop();
            }
            if ended.elapsed() >= PATIENCE && !(has_reader && queue.is_worth_waiting_for()) {
                host.give_up();
            }
        }
        worker.join().unwrap_or_else(|panic| Err(Text::new(&Foreign(panic_text(panic.as_ref())))))?;
        read
    });
    if let (Err(failure), OnFailure::GoOn) = (&held, on_failure) {
        output.info_string(failure);
    }
    held.and_then(|()| output.check())
}

// The side that reads: acts at once on what commands searches, answers questions that can be answered now, and
// queues all else.

struct Listener<'a, W, H> {
    output: &'a Output<W>,
    queue: &'a CommandQueue,
    host: &'a H,
}

impl<W: Write + Send, H: Host> Listener<'_, W, H> {
    /// Reads until `quit` or the end of the input.
    ///
    /// # Errors
    /// When the input cannot be read to its end.
    fn listen(&self, input: impl Read) -> Result<(), Text> {
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
    fn take_line(&self, text: &str) -> bool {
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
