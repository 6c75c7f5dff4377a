//! The side that owns the engine and does what is asked, in order.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::keep_alive::{INTERVAL, keep_alive};
use super::output::Output;
use super::queue::{Command, CommandQueue};
use super::task::{Snapshot, Task, TaskKind};
use super::{convert, display};
use crate::engine::{
    Answer, BenchSettings, DecisionObserver, Engine, MAX_PERFT_DEPTH, bench, panic_text, perft_divide,
};
use crate::eval::nnue::InstructionSet;
use crate::mate::{MateObserver, MateProgress};
use crate::rules::{LineError, RepetitionWarning};
use crate::search::{SearchInfo, SearchLimits, SearchObserver};
use crate::types::{Depth, MAX_PLY};
use crate::usi::message::{Checkmate, GoParams, Id, InitialPosition, MateLimit, PositionSpec, UsiMessage};

/// Answers `usi`.
pub(super) fn introduce<W: Write>(output: &Output<W>) {
    let name = format!("Kurosabi {}", env!("CARGO_PKG_VERSION"));
    let mut messages =
        vec![UsiMessage::Id(Id::Name(name)), UsiMessage::Id(Id::Author("the Kurosabi authors".to_owned()))];
    if let Ok(instruction_set) = InstructionSet::chosen() {
        messages.push(UsiMessage::info_string(format_args!("Networks are evaluated with {instruction_set}.")));
    }
    messages.extend(convert::option_list());
    messages.push(UsiMessage::UsiOk);
    output.send_all(&messages);
}

pub(super) struct Worker<'a, W> {
    output: &'a Output<W>,
    queue: &'a CommandQueue,
    engine: Engine,
    /// When the last command was answered that clients wait for. A `go` that was read before has not lost the
    /// time until then: whoever sends commands ahead of the answers runs no clock.
    free_since: Instant,
}

impl<'a, W: Write + Send> Worker<'a, W> {
    pub(super) fn new(output: &'a Output<W>, queue: &'a CommandQueue) -> Worker<'a, W> {
        Worker { output, queue, engine: Engine::new(), free_since: Instant::now() }
    }

    /// Works until no more commands can come. A defect in one command ends that command only.
    pub(super) fn run(mut self) {
        while let Some(command) = self.queue.next() {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.execute(&command))) {
                self.output.info_string(format_args!("internal error: {}", panic_text(panic.as_ref())));
            }
            if let Command::Task(task) = &command {
                // Done already unless it panicked.
                self.queue.finish(task);
            }
        }
        self.queue.done();
    }

    fn execute(&mut self, command: &Command) {
        match command {
            Command::Message(message) => self.answer(message),
            Command::Task(task) => match &task.kind {
                TaskKind::Search(params) => self.search(task, params),
                TaskKind::Mate(limit) => self.mate(task, *limit),
                TaskKind::Perft(depth) => self.perft(task, *depth),
                TaskKind::Bench { depth } => self.bench(task, *depth),
            },
        }
    }

    fn answer(&mut self, message: &UsiMessage) {
        match message {
            UsiMessage::Usi => introduce(self.output),
            UsiMessage::IsReady => self.get_ready(),
            UsiMessage::SetOption { name, value } => self.set_option(name, value.as_deref()),
            UsiMessage::UsiNewGame => self.engine.new_game(),
            UsiMessage::GameOver(_) => self.engine.game_over(),
            UsiMessage::Position(spec) => self.set_position(spec),
            UsiMessage::Display => {
                self.output.text(&display::display(self.engine.position(), self.engine.options().rules().king_rule));
            }
            UsiMessage::Eval => self.evaluate(),
            UsiMessage::Why(mv) => self.output.text(&display::why(self.engine.position(), mv)),
            // `debug`, `register`, and what only engines say.
            other => log::debug!("nothing to do for {other:?}"),
        }
    }

    fn get_ready(&mut self) {
        for notice in keep_alive(self.output, INTERVAL, || self.engine.prepare()) {
            self.output.info_string(notice);
        }
        if self.engine.is_on_large_pages() {
            self.output.info_string("transposition table on large pages");
        }
        self.output.send(&UsiMessage::ReadyOk);
        self.free_since = Instant::now();
    }

    fn evaluate(&mut self) {
        let (evaluation, notices) = self.engine.evaluate();
        for notice in notices {
            self.output.info_string(notice);
        }
        self.output.text(&display::eval(&evaluation));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let log_before = self.engine.options().debug_log_file.clone();
        log::info!("option {name}: {}", value.unwrap_or_default());
        match self.engine.set_option(name, value) {
            Ok(None) => {}
            Ok(Some(clamped)) => self.output.info_string(clamped),
            Err(error) => self.output.info_string(error),
        }
        let log_file = &self.engine.options().debug_log_file;
        if *log_file != log_before
            && let Err(error) = self.output.log_to(log_file)
        {
            self.output.info_string(format_args!("DebugLogFile \"{log_file}\": {error}; nothing is logged"));
        }
    }

    fn set_position(&mut self, spec: &PositionSpec) {
        let sfen = match &spec.initial {
            InitialPosition::Startpos => None,
            InitialPosition::Sfen(text) => Some(text.as_str()),
        };
        match self.engine.set_position(sfen, spec.moves.iter().cloned()) {
            Err(error @ (LineError::Unreadable(_) | LineError::Sfen { .. })) => self.output.info_string(error),
            Err(error) => self.output.info_string(format_args!("{error}; the position is the one before it")),
            Ok(()) => {
                if let Some(end) = self.engine.game_end() {
                    self.output.info_string(end);
                } else if let Some(warning) = RepetitionWarning::of(self.engine.position()) {
                    self.output.info_string(warning);
                }
            }
        }
    }

    /// What questions about the position are answered from while a task runs.
    fn snapshot(&self) -> Snapshot {
        let position = self.engine.position().clone();
        let rule = self.engine.options().rules().king_rule;
        let evaluation = self.engine.evaluation().clone();
        Snapshot { position, rule, evaluation }
    }

    fn search(&mut self, task: &Arc<Task>, params: &GoParams) {
        let asked_at = Some(task.read_at.max(self.free_since));
        let limits = SearchLimits { asked_at, ..convert::limits(params) };
        let announcer = Announcer {
            output: self.output,
            queue: self.queue,
            task,
            snapshot: self.snapshot(),
            answered_at: Mutex::new(None),
        };
        self.engine.go(&limits, &task.control, &announcer);
        let answered_at = announcer.answered_at.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.free_since = answered_at.unwrap_or_else(Instant::now);
    }

    fn mate(&mut self, task: &Arc<Task>, limit: MateLimit) {
        begin(self.output, self.queue, task, &self.snapshot(), limit != MateLimit::Infinite);
        let announcer = MateAnnouncer { output: self.output, task };
        let result = self.engine.solve_mate(&convert::mate_limits(limit), &announcer);
        self.queue.finish(task);
        match result {
            Ok(result) => self.output.send_all(&convert::mate_answer(&result)),
            Err(error) => {
                self.output.info_string(error);
                self.output.send(&UsiMessage::Checkmate(Checkmate::NoMate));
            }
        }
        self.free_since = Instant::now();
    }

    fn perft(&mut self, task: &Arc<Task>, depth: u32) {
        begin(self.output, self.queue, task, &self.snapshot(), true);
        if depth > MAX_PERFT_DEPTH {
            self.output.info_string(format_args!("perft {depth} is too deep, {MAX_PERFT_DEPTH} is counted"));
        }
        let depth = depth.min(MAX_PERFT_DEPTH);
        let divided = perft_divide(self.engine.position(), depth, self.engine.options().threads, &task.control);
        self.queue.finish(task);
        match divided {
            Some(divided) => self.output.text(&display::perft(depth, &divided)),
            None => self.output.info_string("perft was stopped"),
        }
        self.free_since = Instant::now();
    }

    fn bench(&mut self, task: &Arc<Task>, depth: Option<u32>) {
        begin(self.output, self.queue, task, &self.snapshot(), true);
        let mut settings = BenchSettings::default();
        if let Some(depth) = depth {
            settings.depth = depth.clamp(1, MAX_PLY as u32) as Depth;
        }
        let total = bench(&settings, &task.control, |entry| self.output.text(&entry.to_string()));
        self.queue.finish(task);
        self.output.text(&total.to_string());
        self.free_since = Instant::now();
    }
}

/// Tells the reading side what is worked on, and answers what was asked right behind it.
fn begin<W: Write + Send>(
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
struct Announcer<'a, W> {
    output: &'a Output<W>,
    queue: &'a CommandQueue,
    task: &'a Arc<Task>,
    snapshot: Snapshot,
    answered_at: Mutex<Option<Instant>>,
}

impl<W: Write + Send> SearchObserver for Announcer<'_, W> {
    fn on_info(&self, line: &SearchInfo) {
        self.output.send(&convert::info(line));
    }

    fn on_message(&self, text: &str) {
        self.output.info_string(text);
    }
}

impl<W: Write + Send> DecisionObserver for Announcer<'_, W> {
    fn on_begin(&self, limits: &SearchLimits) {
        let bounded = limits.is_bounded(self.snapshot.position.side_to_move());
        begin(self.output, self.queue, self.task, &self.snapshot, bounded);
    }

    fn on_answer(&self, answer: &Answer) {
        self.queue.finish(self.task);
        self.output.send_all(&convert::answer(answer));
        *self.answered_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

/// Passes the progress of a search for a mate on to the client.
struct MateAnnouncer<'a, W> {
    output: &'a Output<W>,
    task: &'a Arc<Task>,
}

impl<W: Write + Send> MateObserver for MateAnnouncer<'_, W> {
    fn on_progress(&self, progress: &MateProgress) {
        self.output.send(&convert::mate_info(progress));
    }

    fn is_stopped(&self) -> bool {
        self.task.control.is_stopped()
    }
}
