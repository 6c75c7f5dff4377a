//! What was asked for and is not yet answered, as both threads see it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use crate::eval::Evaluation;
use crate::position::{EnteringKingRule, Position};
use crate::search::{Clock, SearchControl};
use crate::usi::message::GoParams;

/// Work that takes time.
#[derive(Debug)]
pub(super) enum Task {
    /// `go`
    Search(GoParams),
    /// `go perft`
    Perft(u32),
    /// `bench`
    Bench { depth: Option<u32> },
}

/// A task and the handle to command it by, from the moment it was read.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) task: Task,
    pub(super) control: SearchControl,
    /// When it was read: a client's clock runs since then, however long it takes until a thread has time.
    pub(super) read_at: Instant,
    /// It pondered, and the clocks came with `ponderhit`.
    clock_came: AtomicBool,
}

impl Job {
    pub(super) fn new(task: Task) -> Arc<Job> {
        let control = SearchControl::new();
        control.reset(matches!(&task, Task::Search(params) if params.ponder));
        Arc::new(Job { task, control, read_at: Instant::now(), clock_came: AtomicBool::new(false) })
    }

    fn is_go(&self) -> bool {
        !matches!(self.task, Task::Bench { .. })
    }

    fn ponder_hit(&self, clock: Option<Clock>) {
        if self.control.is_pondering() {
            self.clock_came.store(clock.is_some(), Ordering::SeqCst);
            self.control.ponder_hit(clock);
        }
    }

    fn is_infinite(&self) -> bool {
        matches!(&self.task, Task::Search(params) if params.infinite)
    }
}

/// What the engine's thread works on.
struct Running {
    job: Arc<Job>,
    snapshot: Snapshot,
    /// By what was asked at the start, it ends by itself once it does not ponder.
    bounded: bool,
}

impl Running {
    fn ends_by_itself(&self) -> bool {
        let bounded = self.bounded || (self.job.clock_came.load(Ordering::SeqCst) && !self.job.is_infinite());
        bounded && !self.job.control.is_pondering()
    }
}

/// What `d` and `eval` are about.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) position: Position,
    pub(super) rule: EnteringKingRule,
    pub(super) evaluation: Evaluation,
}

#[derive(Default)]
struct State {
    /// Commands sent to the engine's thread that it has not begun.
    queued: usize,
    /// Jobs not yet finished, in the order of their arrival.
    jobs: Vec<Arc<Job>>,
    running: Option<Running>,
    input_ended: bool,
}

impl State {
    /// Stops a search without end when something waits for it.
    fn make_way(&self) {
        let Some(running) = &self.running else { return };
        let go_waits = self.jobs.iter().any(|job| job.is_go() && !Arc::ptr_eq(job, &running.job));
        if (self.input_ended || go_waits) && !running.ends_by_itself() {
            running.job.control.stop();
        }
    }
}

/// The jobs of a session.
#[derive(Default)]
pub(super) struct JobBoard {
    state: Mutex<State>,
}

impl JobBoard {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    // The reading side

    /// A command was sent to the engine's thread.
    pub(super) fn queued(&self) {
        self.state().queued += 1;
    }

    /// A job was asked for.
    pub(super) fn add(&self, job: &Arc<Job>) {
        let mut state = self.state();
        state.jobs.push(Arc::clone(job));
        state.make_way();
    }

    /// Whether a job runs or waits that was not told to stop.
    pub(super) fn is_busy(&self) -> bool {
        self.state().jobs.iter().any(|job| !job.control.is_stopped())
    }

    /// What the running job is about, when nothing waits behind it.
    pub(super) fn snapshot(&self) -> Option<Snapshot> {
        let state = self.state();
        let running = state.running.as_ref().filter(|_| state.queued == 0);
        running.map(|running| running.snapshot.clone())
    }

    /// Ends all jobs asked for so far.
    pub(super) fn stop(&self) {
        self.state().jobs.iter().for_each(|job| job.control.stop());
    }

    /// The expected move was played.
    pub(super) fn ponder_hit(&self, clock: Option<Clock>) {
        let state = self.state();
        state.jobs.iter().for_each(|job| job.ponder_hit(clock));
        state.make_way();
    }

    /// Nothing will be read any more: jobs without end must end.
    pub(super) fn end_input(&self) {
        let mut state = self.state();
        state.input_ended = true;
        state.make_way();
    }

    /// The session is to end now. A benchmark is let finish: scripts send `quit` right behind it.
    pub(super) fn quit(&self) {
        let mut state = self.state();
        state.input_ended = true;
        state.jobs.iter().filter(|job| job.is_go()).for_each(|job| job.control.stop());
    }

    // The engine's side

    /// A command is begun.
    pub(super) fn dequeued(&self) {
        self.state().queued -= 1;
    }

    /// A job is begun.
    pub(super) fn begin(&self, job: &Arc<Job>, snapshot: Snapshot, bounded: bool) {
        let mut state = self.state();
        state.running = Some(Running { job: Arc::clone(job), snapshot, bounded });
        state.make_way();
    }

    /// A job is done. To be called before its answer goes out: whoever has the answer may count on what
    /// it sends next being done in order.
    pub(super) fn finish(&self, job: &Arc<Job>) {
        let mut state = self.state();
        state.running = None;
        state.jobs.retain(|other| !Arc::ptr_eq(job, other));
    }
}
