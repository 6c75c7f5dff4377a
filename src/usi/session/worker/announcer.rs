//! What a client is told while the engine works.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::engine::{Answer, DecisionObserver, EngineMessage};
use crate::mate::{MateObserver, MateProgress};
use crate::search::{SearchInfo, SearchLimits, SearchObserver};
use crate::usi::session::output::Output;
use crate::usi::session::queue::CommandQueue;
use crate::usi::session::task::{Snapshot, Task};
use crate::usi::session::{convert, display};

/// Tells the reading side what is worked on, and answers what was asked right behind it.
pub(super) fn begin<W: Write + Send>(
    output: &Output<W>,
    queue: &CommandQueue,
    task: &Arc<Task>,
    snapshot: &Snapshot,
    bounded: bool,
) {
    queue.begin(task, snapshot.clone(), bounded);
    while let Some(question) = queue.next_question() {
        display::answer(output, &question, Some(snapshot));
    }
}

/// Passes a search's progress and its answer on to the client.
pub(super) struct Announcer<'a, W> {
    output: &'a Output<W>,
    queue: &'a CommandQueue,
    task: &'a Arc<Task>,
    snapshot: Snapshot,
    answered_at: Mutex<Option<Instant>>,
}

impl<'a, W> Announcer<'a, W> {
    /// For a search from the state that the snapshot holds.
    pub(super) fn new(
        output: &'a Output<W>,
        queue: &'a CommandQueue,
        task: &'a Arc<Task>,
        snapshot: Snapshot,
    ) -> Announcer<'a, W> {
        Announcer { output, queue, task, snapshot, answered_at: Mutex::new(None) }
    }

    /// When the answer went out, if it did.
    pub(super) fn answered_at(self) -> Option<Instant> {
        self.answered_at.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write + Send> SearchObserver for Announcer<'_, W> {
    fn on_info(&self, line: &SearchInfo) {
        self.output.send(&convert::info(line));
    }
}

impl<W: Write + Send> DecisionObserver for Announcer<'_, W> {
    fn on_begin(&self, limits: &SearchLimits) {
        let bounded = limits.is_bounded(self.snapshot.position.side_to_move());
        begin(self.output, self.queue, self.task, &self.snapshot, bounded);
    }

    fn on_message(&self, message: &EngineMessage) {
        self.output.info_string(message);
    }

    fn on_answer(&self, answer: &Answer) {
        self.queue.finish(self.task);
        self.output.send_all(&convert::answer(answer));
        *self.answered_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

/// Passes the progress of a search for a mate on to the client.
pub(super) struct MateAnnouncer<'a, W> {
    pub(super) output: &'a Output<W>,
    pub(super) task: &'a Arc<Task>,
}

impl<W: Write + Send> MateObserver for MateAnnouncer<'_, W> {
    fn on_progress(&self, progress: &MateProgress) {
        self.output.send(&convert::mate_info(progress));
    }

    fn is_stopped(&self) -> bool {
        self.task.control.is_stopped()
    }
}
