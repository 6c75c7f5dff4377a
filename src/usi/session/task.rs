//! Work that takes time: searches for moves and for mates, perft, the benchmark.

use std::sync::Arc;
use std::time::Instant;

use crate::eval::Evaluation;
use crate::position::{EnteringKingRule, Position};
use crate::search::Signals;
use crate::usi::message::{GoParams, MateParams};

/// The kinds of work that take time.
#[derive(Debug)]
pub(super) enum TaskKind {
    /// `go`
    Search(GoParams),
    /// `go mate`
    Mate(MateParams),
    /// `go perft`
    Perft(u32),
    /// `bench`
    Bench { depth: Option<u32> },
}

/// Work that takes time, and the handle to command it by.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) kind: TaskKind,
    pub(super) control: Signals,
    /// When it was read: a client's clock runs since then, however long it takes until a thread has time.
    pub(super) read_at: Instant,
}

impl Task {
    pub(super) fn new(kind: TaskKind) -> Arc<Task> {
        let control = Signals::new();
        control.reset(matches!(&kind, TaskKind::Search(params) if params.ponder));
        Arc::new(Task { kind, control, read_at: Instant::now() })
    }

    /// Whether a `go` asked for it.
    pub(super) fn is_go(&self) -> bool {
        !matches!(self.kind, TaskKind::Bench { .. })
    }
}

/// The task that the engine's thread works on.
pub(super) struct Running {
    pub(super) task: Arc<Task>,
    pub(super) snapshot: Snapshot,
    /// It ends by itself once it does not ponder, by the limits that it was begun with.
    pub(super) bounded: bool,
}

impl Running {
    pub(super) fn ends_by_itself(&self) -> bool {
        self.bounded && !self.task.control.is_pondering()
    }
}

/// What `d` and `eval` are about.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) position: Position,
    pub(super) rule: EnteringKingRule,
    pub(super) evaluation: Evaluation,
}
