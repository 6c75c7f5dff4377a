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
mod listener;
mod output;
mod queue;
mod worker;

use std::io::{Read, Write};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use display::greeting;
use listener::Listener;
use output::Output;
pub(crate) use output::SessionError;
use queue::CommandQueue;
use worker::{OnFailure, Worker};

use crate::engine::panic_text;
use crate::language::{Foreign, Language, Text};
use crate::types::Phrase;

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
    let _ = run_in_language(input, output, Language::English, host);
}

/// Holds a session with a person at a terminal, in their language; programs are spoken to in English.
///
/// # Errors
/// When there was no engine to answer, one of its answers failed by a defect or for lack of memory, the input could not
/// be read to its end, or output was lost that somebody reads.
pub(crate) fn run_in_language<R: Read, W: Write + Send>(
    input: R,
    output: W,
    language: Language,
    host: &impl Host,
) -> Result<(), SessionError> {
    let output = Output::new(output, language);
    hold(input, &output, host, OnFailure::GoOn).inspect_err(|failure| output.info_string(failure))?;
    output.check()
}

/// Carries out commands that are all known beforehand, such as the arguments of the program. Nobody can react to a
/// failure, and the commands after it rely on what the failed one would have set. So while a session with a GUI goes on
/// after a position that cannot be read, these commands do not.
///
/// # Errors
/// When a command cannot be carried out (a position that cannot be read, an illegal move, an unknown option, a file
/// that cannot be used), after which the rest are left out; or when output cannot be written, unless nobody reads it.
pub(crate) fn run_commands<R: Read, W: Write + Send>(
    commands: R,
    output: W,
    language: Language,
    host: &impl Host,
) -> Result<(), SessionError> {
    let output = Output::new(output, language);
    hold(commands, &output, host, OnFailure::End)?;
    output.check()
}

/// What a [`LineSession`] writes to, and the commands that wait for it.
pub struct LineSessionState<W> {
    output: Output<W>,
    queue: CommandQueue,
}

impl<W: Write + Send> LineSessionState<W> {
    /// Nothing has been received; answers go to `output`.
    pub fn new(output: W) -> LineSessionState<W> {
        LineSessionState { output: Output::new(output, Language::English), queue: CommandQueue::default() }
    }
}

/// A session that is given one line after another and works on the calling thread, as pages of a browser have only one.
///
/// ```
/// use kurosabi::usi::session::{LineSession, LineSessionState};
///
/// let state = LineSessionState::new(std::io::stdout());
/// let session = LineSession::new(&state);
/// for line in ["usi", "isready", "position startpos", "go nodes 100"] {
///     assert!(session.receive(line));
///     session.run();
/// }
/// assert!(!session.receive("quit"));
/// ```
pub struct LineSession<'a, W> {
    state: &'a LineSessionState<W>,
    /// Locked while it runs.
    worker: Mutex<Worker<'a, W>>,
}

impl<'a, W: Write + Send> LineSession<'a, W> {
    /// A session with an engine of its own.
    pub fn new(state: &'a LineSessionState<W>) -> LineSession<'a, W> {
        let worker = Worker::new(&state.output, &state.queue, OnFailure::GoOn);
        LineSession { state, worker: Mutex::new(worker) }
    }

    /// Takes a line: what commands a search takes effect at once, also while [`run`](Self::run) is under way; what is a
    /// question then is answered; all else waits for `run`. Returns whether the session goes on: `quit` ends it.
    pub fn receive(&self, line: &str) -> bool {
        let LineSessionState { output, queue } = self.state;
        Listener { output, queue, host: &() }.take_line(line)
    }

    /// Carries out what waits. Does nothing where it is under way already.
    pub fn run(&self) {
        if let Ok(mut worker) = self.worker.try_lock() {
            worker.run_waiting();
        }
    }
}

const NO_THREAD: Phrase = Phrase::new("no thread for the engine", "エンジンのスレッドを作成できません");

fn hold<W: Write + Send>(
    input: impl Read,
    output: &Output<W>,
    host: &impl Host,
    on_failure: OnFailure,
) -> Result<(), SessionError> {
    let queue = CommandQueue::default();
    thread::scope(|scope| {
        let worker = || Worker::new(output, &queue, on_failure).run();
        let started = thread::Builder::new().name("engine".into()).stack_size(ENGINE_STACK_BYTES);
        let worker =
            started.spawn_scoped(scope, worker).map_err(|error| SessionError::new(&Text::about(&NO_THREAD, &error)))?;
        let read = Listener { output, queue: &queue, host }.listen(input);
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
        worker.join().unwrap_or_else(|panic| Err(SessionError::new(&Foreign(panic_text(panic.as_ref())))))?;
        read
    })
}
