//! The side that owns the engine and does what is asked, in order.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use super::keep_alive::{INTERVAL, keep_alive};
use super::output::Output;
use super::queue::{Command, CommandQueue};
use super::task::{Snapshot, Task, TaskKind};
use super::{convert, display};
use crate::engine::{BenchSettings, Engine, MAX_PERFT_DEPTH, bench, panic_text, perft_divide};
use crate::eval::nnue::InstructionSet;
use crate::mate::{MateObserver, MateProgress};
use crate::rules::{LineError, RepetitionWarning};
use crate::search::{SearchInfo, SearchLimits, SearchObserver};
use crate::types::{Depth, MAX_PLY};
use crate::usi::message::{BestMove, Checkmate, GoParams, Id, InitialPosition, MateLimit, PositionSpec, UsiMessage};

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

    /// Tells the reading side what is worked on, and answers what was asked right behind it.
    fn begin(&self, task: &Arc<Task>, bounded: bool) {
        let position = self.engine.position().clone();
        let rule = self.engine.options().rules().king_rule;
        let evaluation = self.engine.evaluation().clone();
        let snapshot = Snapshot { position, rule, evaluation };
        for question in self.queue.begin(task, snapshot.clone(), bounded) {
            display::answer(self.output, &question, Some(&snapshot));
        }
    }

    fn search(&mut self, task: &Arc<Task>, params: &GoParams) {
        let asked_at = Some(task.read_at.max(self.free_since));
        let limits = self.engine.effective_limits(SearchLimits { asked_at, ..convert::limits(params) });
        self.begin(task, limits.is_bounded(self.engine.position().side_to_move()));
        let announcer = Announcer { output: self.output, queue: self.queue, task, answered: Mutex::new(None) };
        let answer = self.engine.go(&limits, &task.control, &announcer);
        self.queue.finish(task);
        let answered = *announcer.answered();
        if answered.is_none() {
            self.output.send_all(&convert::answer(&answer));
        }
        self.free_since = answered.unwrap_or_else(Instant::now);
    }

    fn mate(&mut self, task: &Arc<Task>, limit: MateLimit) {
        self.begin(task, limit != MateLimit::Infinite);
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
        self.begin(task, true);
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
        self.begin(task, true);
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

/// Passes a search's progress on to the client, until it is answered.
struct Announcer<'a, W> {
    output: &'a Output<W>,
    queue: &'a CommandQueue,
    task: &'a Arc<Task>,
    /// When it was, if before the search ended.
    answered: Mutex<Option<Instant>>,
}

impl<W> Announcer<'_, W> {
    fn answered(&self) -> MutexGuard<'_, Option<Instant>> {
        self.answered.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<W: Write + Send> SearchObserver for Announcer<'_, W> {
    fn on_info(&self, line: &SearchInfo) {
        let answered = self.answered();
        if answered.is_none() {
            self.output.send(&convert::info(line));
        }
    }

    fn on_overdue(&self, lines: &[SearchInfo]) {
        let Some(&[best, ref answer @ ..]) = lines.first().map(|line| &line.pv[..]) else { return };
        let mut answered = self.answered();
        *answered = Some(Instant::now());
        self.queue.finish(self.task);
        let ponder = answer.first().copied();
        self.output.send_all(&convert::last_messages(lines, BestMove::Move { best, ponder }));
    }

    fn on_message(&self, text: &str) {
        self.output.info_string(text);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    #[test]
    fn nothing_is_said_of_a_search_that_was_answered_for() {
        let mut written = Vec::new();
        let output = Output::new(&mut written);
        let queue = CommandQueue::default();
        queue.push_task(TaskKind::Search(GoParams::default()));
        let Some(Command::Task(task)) = queue.next() else { panic!() };
        let announcer = Announcer { output: &output, queue: &queue, task: &task, answered: Mutex::new(None) };

        let line = SearchInfo::unsearched(Score::ZERO, vec!["7g7f".parse().unwrap()]);
        announcer.on_info(&line);
        announcer.on_overdue(std::slice::from_ref(&line));
        announcer.on_info(&line);
        assert!(!queue.is_busy(), "what the client sends next is done in order");
        drop(output);
        let written = String::from_utf8(written).unwrap();
        let lines: Vec<&str> = written.lines().collect();
        let [told, last, answer] = lines[..] else { panic!("{written}") };
        assert!(told.starts_with("info ") && last.starts_with("info ") && last.ends_with(" pv 7g7f"), "{written}");
        assert_eq!(answer, "bestmove 7g7f");
    }
}
