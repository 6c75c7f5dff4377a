//! A USI session: commands in, answers out.
//!
//! The calling thread reads; a second thread owns the [`Engine`](crate::engine::Engine) and does what
//! is asked in order. `stop`, `ponderhit`, `gameover` and `quit` act at once on the searches asked for
//! so far, through a control that each of them has; `isready`, `usi`, `d` and `eval` are answered at
//! once while a search runs. All else waits for its turn. A search without end (`infinite`, pondering,
//! or no limit at all) gives way to the next `go` and to the end of the input; one with a limit runs
//! to its end.

mod convert;
mod jobs;
mod output;
mod reader;
mod report;
mod worker;

use std::io::{Read, Write};
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::message::{Go, UsiMessage};
use super::parser::parse_one;
use jobs::{Job, JobBoard, Task};
use output::Output;
use reader::{Line, LineReader};
use worker::{Command, Worker};

/// Ample: searches run on threads of their own.
const ENGINE_STACK_BYTES: usize = 16 << 20;

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
    let output = Output::new(output);
    let board = JobBoard::default();
    let (commands, queue) = mpsc::channel();
    thread::scope(|scope| {
        let worker = || Worker::new(&output, &board).run(queue);
        let started = thread::Builder::new().name("engine".into()).stack_size(ENGINE_STACK_BYTES);
        if let Err(error) = started.spawn_scoped(scope, worker) {
            output.info_string(format_args!("no thread for the engine: {error}"));
            return;
        }
        Listener { output: &output, board: &board, commands }.listen(input);
    });
}

/// The reading side.
struct Listener<'a, W> {
    output: &'a Output<W>,
    board: &'a JobBoard,
    commands: Sender<Command>,
}

impl<W: Write + Send> Listener<'_, W> {
    fn listen(&self, input: impl Read) {
        for line in LineReader::new(input) {
            let text = match line {
                Line::Text(text) => text,
                Line::TooLong { limit } => {
                    self.output.info_string(format_args!("a line of more than {limit} bytes is ignored"));
                    continue;
                }
            };
            self.output.log_input(&text);
            match parse_one(&text) {
                UsiMessage::Quit => {
                    self.board.quit();
                    return;
                }
                message => self.take(message),
            }
        }
        self.board.end_input();
    }

    fn take(&self, message: UsiMessage) {
        match message {
            UsiMessage::Stop => self.board.stop(),
            UsiMessage::PonderHit(clocks) => self.board.ponder_hit(convert::clock(&clocks)),
            UsiMessage::GameOver(_) => {
                self.board.stop();
                self.enqueue(Command::Message(Box::new(message)));
            }
            UsiMessage::IsReady if self.board.is_busy() => self.output.send(&UsiMessage::ReadyOk),
            UsiMessage::Usi if self.board.is_busy() => worker::introduce(self.output),
            UsiMessage::Display | UsiMessage::Eval => match self.board.snapshot() {
                Some(snapshot) if message == UsiMessage::Display => {
                    self.output.text(&report::display(&snapshot.position, snapshot.rule));
                }
                Some(snapshot) => self.output.text(&report::eval(&snapshot.evaluation.report(&snapshot.position))),
                None => self.enqueue(Command::Message(Box::new(message))),
            },
            UsiMessage::Go(Go::Search(params)) => self.start(Task::Search(params)),
            UsiMessage::Go(Go::Perft(depth)) => self.start(Task::Perft(depth)),
            UsiMessage::Bench { depth } => self.start(Task::Bench { depth }),
            UsiMessage::Unknown(text) => self.unknown(&text),
            message => self.enqueue(Command::Message(Box::new(message))),
        }
    }

    fn start(&self, task: Task) {
        let job = Job::new(task);
        self.board.add(&job);
        self.enqueue(Command::Job(job));
    }

    fn enqueue(&self, command: Command) {
        self.board.queued();
        // The engine's thread outlives this one's input, so it is there to receive.
        let _ = self.commands.send(command);
    }

    /// Nothing is said about unknown commands, but a known one that cannot be read deserves a word.
    fn unknown(&self, text: &str) {
        log::debug!("unknown command: {text:?}");
        if text.split_ascii_whitespace().next() == Some("setoption") {
            self.output
                .info_string(format_args!("cannot read {text:?}: expected setoption name <name> [value <value>]"));
        }
    }
}
