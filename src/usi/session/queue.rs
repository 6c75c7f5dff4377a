//! The commands that were read and not yet answered, as the reading thread and the engine's thread see them.
//!
//! Commands are done in order. Searches and other work that takes time are [`Task`]s, each with a control of its own
//! from the moment it was read, so that `stop`, `ponderhit` and `quit` reach them at once, begun or not. Questions
//! (`isready`, `d`, `eval`, `why`) are answered in their place too; where that place is right behind a running search,
//! it is now, and the search goes on.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::eval::Evaluation;
use crate::position::{EnteringKingRule, Position};
use crate::search::{Clock, Signals};
use crate::threads::lock;
use crate::usi::message::{GoParams, MateParams, UsiMessage};

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
    Bench(Option<u32>),
}

/// Work that takes time, and the handle to command it by.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) kind: TaskKind,
    pub(super) control: Signals,
    /// When it was read: a client's clock runs since then, and not since a thread has time.
    pub(super) read_at: Instant,
    /// When a search was answered, which may be before it ends.
    pub(super) answered_at: OnceLock<Instant>,
}

impl Task {
    /// Whether a `go` asked for it.
    fn is_go(&self) -> bool {
        !matches!(self.kind, TaskKind::Bench(_))
    }
}

/// The task that the engine's thread works on.
struct Running {
    task: Arc<Task>,
    snapshot: Arc<Snapshot>,
    /// It ends by itself once it does not ponder, by the limits that it was begun with.
    bounded: bool,
}

/// What `d`, `eval` and `why` are about.
pub(super) struct Snapshot {
    pub(super) position: Position,
    pub(super) rule: EnteringKingRule,
    pub(super) evaluation: Evaluation,
}

/// What the reading thread hands to the engine's thread.
#[derive(Clone)]
pub(super) enum Command {
    /// A message that is answered quickly, but for `isready`.
    Message(Arc<UsiMessage>),
    /// Work that takes time.
    Task(Arc<Task>),
}

/// What to do with a question that was read.
pub(super) enum Reply {
    /// Answer it now, all but `isready` from this state of the running task.
    Now(Option<Arc<Snapshot>>),
    /// It waits for its turn.
    Later,
}

#[derive(Default)]
struct QueueState {
    commands: VecDeque<Command>,
    /// What the engine's thread carries out.
    current: Option<Command>,
    /// Tasks neither finished nor stopped, in the order of their arrival.
    open: VecDeque<Arc<Task>>,
    running: Option<Running>,
    /// The questions that waited for the running task are being answered: later ones have to follow them.
    answering: bool,
    input_ended: bool,
    /// By `quit`.
    is_quit: bool,
    /// The engine's thread has done all there was to do.
    done: bool,
}

impl QueueState {
    /// Stops a search without end when something waits for it.
    fn make_way(&self) {
        let go_waits = || self.commands.iter().any(|command| matches!(command, Command::Task(task) if task.is_go()));
        if let Some(Running { task, bounded, .. }) = &self.running
            && (!bounded || task.control.is_pondering())
            && (self.input_ended || go_waits())
        {
            task.control.stop();
        }
    }

    /// The next command, which the engine begins to carry out.
    fn take_next(&mut self) -> Option<Command> {
        self.current = self.commands.pop_front();
        self.current.clone()
    }
}

fn is_question(message: &UsiMessage) -> bool {
    matches!(message, UsiMessage::IsReady | UsiMessage::Display | UsiMessage::Eval | UsiMessage::Why(_))
}

/// The queue of a session's commands.
#[derive(Default)]
pub(super) struct CommandQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

impl CommandQueue {
    // The reading side

    /// A message that waits for its turn.
    pub(super) fn push(&self, message: UsiMessage) {
        lock(&self.state).commands.push_back(Command::Message(Arc::new(message)));
        self.changed.notify_all();
    }

    /// A task that waits for its turn. A search without end gives way to it.
    pub(super) fn push_task(&self, kind: TaskKind) {
        let control = Signals::new();
        control.reset(matches!(&kind, TaskKind::Search(params) if params.ponder));
        let task = Arc::new(Task { kind, control, read_at: Instant::now(), answered_at: OnceLock::new() });
        let mut state = lock(&self.state);
        state.open.push_back(Arc::clone(&task));
        state.commands.push_back(Command::Task(task));
        state.make_way();
        self.changed.notify_all();
    }

    /// A question, which waits for its turn unless it may be answered now.
    pub(super) fn ask(&self, question: &UsiMessage) -> Reply {
        let mut state = lock(&self.state);
        let is_early = match question {
            // Options set before it must be in force when `readyok` comes, and questions before it answered.
            UsiMessage::IsReady => {
                let is_message = |command: &Command| matches!(command, Command::Message(_));
                state.open.is_empty() || state.current.iter().chain(&state.commands).any(is_message)
            }
            _ => state.running.is_none() || !state.commands.is_empty(),
        };
        if state.answering || is_early {
            state.commands.push_back(Command::Message(Arc::new(question.clone())));
            self.changed.notify_all();
            return Reply::Later;
        }
        Reply::Now(state.running.as_ref().map(|running| Arc::clone(&running.snapshot)))
    }

    /// Whether a task runs or waits that was not stopped.
    pub(super) fn is_busy(&self) -> bool {
        !lock(&self.state).open.is_empty()
    }

    /// Ends all tasks asked for so far.
    pub(super) fn stop(&self) {
        lock(&self.state).open.drain(..).for_each(|task| task.control.stop());
    }

    /// The expected move was played.
    pub(super) fn ponder_hit(&self, clock: Option<Clock>) {
        let state = lock(&self.state);
        state.open.iter().for_each(|task| task.control.ponder_hit(clock));
        state.make_way();
    }

    /// The input has ended: tasks without a limit must end.
    pub(super) fn end_input(&self) {
        let mut state = lock(&self.state);
        state.input_ended = true;
        state.make_way();
        self.changed.notify_all();
    }

    /// The session is to end now. A benchmark may finish: scripts send `quit` right behind it.
    pub(super) fn quit(&self) {
        let mut state = lock(&self.state);
        (state.input_ended, state.is_quit) = (true, true);
        state.open.iter().filter(|task| task.is_go()).for_each(|task| task.control.stop());
        self.changed.notify_all();
    }

    /// Waits until all is done, for at most this long. Only once the input has ended does that come about.
    pub(super) fn wait_until_done(&self, timeout: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(lock(&self.state), timeout, |state| !state.done);
        waited.unwrap_or_else(PoisonError::into_inner).0.done
    }

    /// Whether what is done or waits once the input has ended is of use to whoever reads the output: after `quit` only
    /// benchmarks, else not what says at most `readyok`.
    pub(super) fn is_worth_waiting_for(&self) -> bool {
        let state = lock(&self.state);
        if state.is_quit {
            return state.open.iter().any(|task| !task.is_go());
        }
        let has_answer = |command: &Command| match command {
            Command::Task(_) => true,
            Command::Message(message) => is_question(message) && **message != UsiMessage::IsReady,
        };
        state.current.is_none() || state.current.iter().chain(&state.commands).any(has_answer)
    }

    // The engine's side

    /// Waits for the next command; none when there will be no more.
    pub(super) fn wait_next(&self) -> Option<Command> {
        let mut state = lock(&self.state);
        state.current = None;
        let is_empty = |state: &mut QueueState| state.commands.is_empty() && !state.input_ended;
        self.changed.wait_while(state, is_empty).unwrap_or_else(PoisonError::into_inner).take_next()
    }

    /// The next command, if one waits.
    pub(super) fn next(&self) -> Option<Command> {
        lock(&self.state).take_next()
    }

    /// A task is begun. The questions asked right behind it are to be answered before the work: see
    /// [`next_question`](Self::next_question).
    pub(super) fn begin(&self, task: &Arc<Task>, snapshot: &Arc<Snapshot>, bounded: bool) {
        let mut state = lock(&self.state);
        state.running = Some(Running { task: Arc::clone(task), snapshot: Arc::clone(snapshot), bounded });
        state.answering = true;
        state.make_way();
    }

    /// The next question that was asked right behind the task just begun. To be called until there is none, after
    /// each answer: until then none that is read later is answered, so that answers keep the order of the questions.
    pub(super) fn next_question(&self) -> Option<Command> {
        let mut state = lock(&self.state);
        let is_stopped = state.running.as_ref().is_none_or(|running| running.task.control.is_stopped());
        // Whoever asks behind a `stop` whether the engine is ready means the time after the search.
        let may_be_answered = |message: &UsiMessage| !is_stopped || *message != UsiMessage::IsReady;
        let question = state.commands.pop_front_if(
            |command| matches!(command, Command::Message(message) if is_question(message) && may_be_answered(message)),
        );
        state.answering = question.is_some();
        question
    }

    /// A task is done. To be called before its answer goes out: whoever has the answer may count on what
    /// it sends next being done in order.
    pub(super) fn finish(&self, task: &Arc<Task>) {
        let mut state = lock(&self.state);
        state.running = None;
        state.answering = false;
        // Tasks are done in order, so that it is the first if it was not stopped.
        if state.open.front().is_some_and(|first| Arc::ptr_eq(first, task)) {
            state.open.pop_front();
        }
    }

    /// The engine's thread ends.
    pub(super) fn done(&self) {
        lock(&self.state).done = true;
        self.changed.notify_all();
    }
}
