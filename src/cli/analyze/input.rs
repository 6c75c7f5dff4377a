//! Lines of text into positions to be analysed.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::rules::{GameLine, LineError};
use crate::usi::lines::{Line, LineReader};

/// A line of the input that is understood.
#[derive(Debug)]
pub(super) struct InputLine {
    /// Its number, from 1.
    pub(super) number: usize,
    /// The position and the moves made from it.
    pub(super) game: GameLine,
}

/// A line of the input that cannot be analysed, or not to its end.
#[derive(Debug)]
pub(super) struct BadLine {
    /// Its number, from 1.
    pub(super) number: usize,
    /// The line.
    pub(super) text: String,
    /// What is wrong with it.
    pub(super) error: InputError,
}

/// Why a line cannot be analysed.
#[derive(Debug, Error)]
pub(super) enum InputError {
    /// It is no position with its moves.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It is longer than any game.
    #[error("a line of more than {0} bytes")]
    TooLong(usize),
}

impl InputError {
    /// The kind of mistake as one word, for programs.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            InputError::Line(error) => error.kind(),
            InputError::TooLong(_) => "unreadable",
        }
    }
}

/// One entry of the report to come.
#[derive(Debug)]
pub(super) enum Job {
    /// The position after so many moves of a line.
    Position(Arc<InputLine>, usize),
    /// Nothing to search.
    Bad(BadLine),
}

/// Jobs that wait to be done, read ahead of the searches on a thread of its own.
pub(super) struct JobQueue {
    first: std::vec::IntoIter<io::Result<Job>>,
    rest: mpsc::IntoIter<io::Result<Job>>,
}

/// So many jobs are read ahead at most.
const READ_AHEAD: usize = 64;
/// How long the first jobs are waited for, to see whether there are fewer than cores.
const FIRST_LOOK: Duration = Duration::from_millis(100);

impl JobQueue {
    /// Reads ahead, and tells how many jobs there are when that is seen to be at most `few`.
    pub(super) fn new<R: Read + Send + 'static>(jobs: Jobs<R>, few: usize) -> io::Result<(JobQueue, Option<usize>)> {
        let (sender, receiver) = mpsc::sync_channel(READ_AHEAD);
        // It may wait for input for ever, and ends with the process.
        thread::Builder::new().name("input".into()).spawn(move || {
            let mut jobs = jobs;
            jobs.try_for_each(|job| sender.send(job))
        })?;
        let deadline = Instant::now() + FIRST_LOOK;
        let mut first = Vec::new();
        let ended = loop {
            match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(job) => first.push(job),
                Err(RecvTimeoutError::Timeout) => break false,
                Err(RecvTimeoutError::Disconnected) => break true,
            }
            if first.len() > few {
                break false;
            }
        };
        let number = ended.then_some(first.len());
        Ok((JobQueue { first: first.into_iter(), rest: receiver.into_iter() }, number))
    }
}

impl Iterator for JobQueue {
    type Item = io::Result<Job>;

    fn next(&mut self) -> Option<io::Result<Job>> {
        self.first.next().or_else(|| self.rest.next())
    }
}

/// The jobs that a text gives, in order.
pub(super) struct Jobs<R> {
    input: LineReader<R>,
    line_number: usize,
    /// Analyse the positions before the last one too.
    move_by_move: bool,
    waiting: VecDeque<Job>,
}

impl<R: Read> Jobs<R> {
    pub(super) fn new(input: R, move_by_move: bool) -> Jobs<R> {
        Jobs { input: LineReader::new(input), line_number: 0, move_by_move, waiting: VecDeque::new() }
    }

    /// Adds the jobs of a line.
    fn add_line(&mut self, line: Line) {
        self.line_number += 1;
        match line {
            Line::TooLong { limit } => {
                let (text, error) = (String::new(), InputError::TooLong(limit));
                self.waiting.push_back(Job::Bad(BadLine { number: self.line_number, text, error }));
            }
            Line::Text(text) => match text.trim_start_matches('\u{feff}').trim() {
                text if text.is_empty() || text.starts_with('#') => {}
                text => self.add_jobs(text.to_owned()),
            },
        }
    }

    fn add_jobs(&mut self, text: String) {
        let number = self.line_number;
        let (game, error) = match GameLine::read_text(&text) {
            Ok(game) => game,
            Err(error) => return self.waiting.push_back(Job::Bad(BadLine { number, text, error: error.into() })),
        };
        let moves = game.moves().len();
        let line = Arc::new(InputLine { number, game });
        if self.move_by_move {
            self.waiting.extend((0..=moves).map(|made| Job::Position(line.clone(), made)));
        } else if error.is_none() {
            self.waiting.push_back(Job::Position(line, moves));
        }
        self.waiting.extend(error.map(|error| Job::Bad(BadLine { number, text, error: error.into() })));
    }
}

impl<R: Read> Iterator for Jobs<R> {
    type Item = io::Result<Job>;

    fn next(&mut self) -> Option<io::Result<Job>> {
        while self.waiting.is_empty() {
            match self.input.next()? {
                Ok(line) => self.add_line(line),
                Err(error) => return Some(Err(error)),
            }
        }
        self.waiting.pop_front().map(Ok)
    }
}
