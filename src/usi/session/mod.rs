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
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use display::greeting;
use listener::Listener;
use output::Output;
use queue::CommandQueue;
use worker::Worker;

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
