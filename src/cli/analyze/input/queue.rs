//! Jobs read ahead of the searches.

use crate::cli::failure::Result;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::jobs::{Job, Jobs};

/// Jobs that wait to be done, read ahead of the searches on a thread of its own.
pub(in crate::cli::analyze) struct JobQueue {
    first: std::vec::IntoIter<Result<Job>>,
    rest: mpsc::Receiver<Result<Job>>,
    taken: usize,
}

/// Pause between two looks whether to go on waiting for input.
const WAIT: Duration = Duration::from_millis(100);
/// So many jobs are read ahead at most.
const READ_AHEAD: usize = 64;
/// How long the first jobs are waited for, to see whether there are fewer than cores.
const FIRST_LOOK: Duration = Duration::from_millis(100);

impl JobQueue {
    /// Reads ahead, and tells how many positions there are when that is seen to be at most `few`.
    pub(in crate::cli::analyze) fn new(jobs: Jobs, few: usize) -> Result<(JobQueue, Option<usize>)> {
        let (sender, receiver) = mpsc::sync_channel(READ_AHEAD);
        // It may wait for input for ever, and ends with the process.
        thread::Builder::new().name("input".into()).spawn(move || {
            for job in jobs {
                if sender.send(job).is_err() {
                    return;
                }
            }
        })?;
        let deadline = Instant::now() + FIRST_LOOK;
        let mut first = Vec::new();
        let mut positions = 0;
        let ended = loop {
            match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(job) => {
                    positions += usize::from(matches!(job, Ok(Job::Position(..))));
                    first.push(job);
                }
                Err(RecvTimeoutError::Timeout) => break false,
                Err(RecvTimeoutError::Disconnected) => break true,
            }
            if positions > few {
                break false;
            }
        };
        Ok((JobQueue { first: first.into_iter(), rest: receiver, taken: 0 }, ended.then_some(positions)))
    }

    /// The next job with its place in the order, or why the input cannot be read on; `None` at its end, and when it is
    /// not worth waiting any longer.
    pub(in crate::cli::analyze) fn take(&mut self, is_stopped: impl Fn() -> bool) -> Option<Result<(usize, Job)>> {
        let job = match self.first.next() {
            Some(job) => job,
            None => loop {
                match self.rest.recv_timeout(WAIT) {
                    Ok(job) => break job,
                    Err(RecvTimeoutError::Timeout) if !is_stopped() => {}
                    Err(_) => return None,
                }
            },
        };
        let index = self.taken;
        self.taken += 1;
        Some(job.map(|job| (index, job)))
    }
}
