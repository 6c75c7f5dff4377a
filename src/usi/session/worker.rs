//! The side that owns the engine and carries out the commands, in order.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::output::{INTERVAL, Output, keep_alive, lines};
use super::queue::{Command, CommandQueue, Snapshot, Task, TaskKind};
use super::{OnFailure, convert, display};
use crate::engine::{
    Answer, BenchSettings, DecisionObserver, Engine, EngineMessage, MAX_PERFT_DEPTH, bench, panic_text, perft_divide,
};
use crate::eval::nnue::InstructionSet;
use crate::language::{Foreign, InJapanese, Text, text};
use crate::mate::{MateError, MateLimits, MateObserver, MateProgress};
use crate::rules::{LineError, RepetitionWarning};
use crate::search::{SearchInfo, SearchLimits, SearchObserver};
use crate::types::Phrase;
use crate::usi::message::{BestMove, Checkmate, GoParams, Id, InitialPosition, MateParams, PositionSpec, UsiMessage};

/// Why nothing is said of a position.
const REFUSED: Phrase = Phrase::new(
    "nothing is searched: the position that was sent cannot be set up",
    "指定された局面にできないため、何も探索しません",
);

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

pub(super) struct Worker<W> {
    output: Arc<Output<W>>,
    queue: Arc<CommandQueue>,
    engine: Engine,
    /// When the last command was answered that clients wait for. A `go` that was read before has not lost the
    /// time until then: whoever sends commands ahead of the answers runs no clock.
    free_since: Instant,
    /// The last `position` command failed, so the engine still has the position before it.
    position_refused: bool,
    on_failure: OnFailure,
    /// The first command that could not be done, where that ends the session.
    failure: Option<Text>,
    /// The first command that ended by a defect.
    defect: Option<Text>,
}

impl<W: Write + Send> Worker<W> {
    pub(super) fn new(output: Arc<Output<W>>, queue: Arc<CommandQueue>, on_failure: OnFailure) -> Worker<W> {
        let (engine, free_since) = (Engine::new(), Instant::now());
        Worker { output, queue, engine, free_since, position_refused: false, on_failure, failure: None, defect: None }
    }

    /// Works until no more commands can come, or until one fails where that ends the session. A defect in one command
    /// ends that command only.
    pub(super) fn run(mut self) -> Result<(), Text> {
        while self.failure.is_none()
            && let Some(command) = self.queue.wait_next()
        {
            self.carry_out(&command);
        }
        self.queue.done();
        self.failure.or(self.defect).map_or(Ok(()), Err)
    }

    /// Carries out the commands that wait.
    pub(super) fn run_waiting(&mut self) {
        while let Some(command) = self.queue.next() {
            self.carry_out(&command);
        }
    }

    fn carry_out(&mut self, command: &Command) {
        let done = catch_unwind(AssertUnwindSafe(|| match command {
            Command::Message(message) => self.answer(message),
            Command::Task(task) => self.work(task),
        }));
        if let Err(panic) = done {
            let defect = Phrase::new("internal error", "内部エラー");
            let reason = Text::about(&defect, &Foreign(panic_text(panic.as_ref())));
            self.fail(&reason);
            self.defect.get_or_insert(reason);
        }
        if let Command::Task(task) = command {
            // Done already unless it panicked.
            self.queue.finish(task);
            self.free_since = task.answered_at.get().copied().unwrap_or_else(Instant::now);
        }
    }

    /// A command cannot be done.
    fn fail(&mut self, reason: &impl InJapanese) {
        match self.on_failure {
            OnFailure::GoOn => self.output.info_string(reason),
            OnFailure::End => drop(self.failure.get_or_insert_with(|| Text::new(reason))),
        }
    }

    /// Passes on what the engine says of what the options ask for. Returns whether the session goes on.
    fn pass_on(&mut self, messages: Vec<EngineMessage>) -> bool {
        for message in messages {
            match message.failure().filter(|_| self.on_failure == OnFailure::End) {
                Some(en) => self.fail(&Text { en, ja: message.in_japanese() }),
                None => self.output.info_string(&message),
            }
        }
        self.failure.is_none()
    }

    fn answer(&mut self, message: &UsiMessage) {
        match message {
            UsiMessage::Usi => introduce(&self.output),
            UsiMessage::IsReady => self.get_ready(),
            UsiMessage::SetOption { name, value } => self.set_option(name, value.as_deref()),
            UsiMessage::UsiNewGame => self.engine.new_game(),
            UsiMessage::GameOver(_) => self.engine.game_over(),
            UsiMessage::Position(spec) => self.set_position(spec),
            UsiMessage::Display => {
                let rule = self.engine.options().rules().king_rule;
                self.output.text(&display::display(self.engine.position(), rule, self.output.language));
            }
            UsiMessage::Why(mv) => self.output.text(&display::why(self.engine.position(), mv, self.output.language)),
            UsiMessage::Eval => self.evaluate(),
            // What only engines say.
            other => log::debug!("nothing to do for {other:?}"),
        }
    }

    fn get_ready(&mut self) {
        let messages = keep_alive(&self.output, INTERVAL, || self.engine.prepare());
        if !self.pass_on(messages) {
            return;
        }
        if self.engine.is_on_large_pages() {
            let phrase = Phrase::new("transposition table on large pages", "置換表にラージページを使用します");
            self.output.info_string(&phrase);
        }
        self.output.send(&UsiMessage::ReadyOk);
        self.free_since = Instant::now();
    }

    fn evaluate(&mut self) {
        if self.position_refused {
            return self.output.info_string(&REFUSED);
        }
        let (evaluation, messages) = self.engine.evaluate();
        if self.pass_on(messages) {
            self.output.text(&display::eval(&evaluation, self.output.language));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let log_before = self.engine.options().debug_log_file.clone();
        log::info!("option {name}: {}", value.unwrap_or_default());
        match self.engine.set_option(name, value) {
            Ok(None) => {}
            Ok(Some(clamped)) => self.output.info_string(&clamped),
            Err(error) => self.fail(&error),
        }
        let file = &self.engine.options().debug_log_file;
        if *file != log_before
            && let Err(error) = self.output.log_to(file)
        {
            let why = error.in_japanese();
            self.fail(&text!(
                "DebugLogFile \"{file}\": {error}; nothing is logged",
                "DebugLogFile「{file}」: {why}。記録しません"
            ));
        }
    }

    fn set_position(&mut self, spec: &PositionSpec) {
        let sfen = match &spec.initial {
            InitialPosition::Startpos => None,
            InitialPosition::Sfen(text) => Some(text.as_str()),
        };
        let set = self.engine.set_position(sfen, spec.moves.iter().cloned());
        self.position_refused = set.is_err();
        let position = self.engine.position();
        match set {
            Err(error @ (LineError::Unreadable(_) | LineError::Sfen { .. })) => self.fail(&error),
            Err(error) if self.on_failure == OnFailure::End => self.fail(&error),
            Err(error) => {
                let why = error.in_japanese();
                self.fail(&text!("{error}; the position is the one before it", "{why}。その手の前の局面にします"));
            }
            Ok(()) => {
                if let Some(end) = self.engine.game_end() {
                    self.output.info_string(&display::end(&end, position));
                } else if let Some(warning) = RepetitionWarning::from_position(position) {
                    self.output.info_string(&display::warning(&warning, position));
                }
            }
        }
    }

    /// What questions about the position are answered from while a task runs.
    fn snapshot(&self) -> Snapshot {
        let position = self.engine.position().clone();
        let rule = self.engine.options().rules().king_rule;
        Snapshot { position, rule, evaluation: self.engine.evaluation().clone() }
    }

    /// Makes a task known to the reading side, and answers what was asked right behind it.
    fn begin(&self, task: &Arc<Task>, bounded: bool) {
        let snapshot = Arc::new(self.snapshot());
        self.queue.begin(task, &snapshot, bounded);
        while let Some(Command::Message(question)) = self.queue.next_question() {
            display::answer(&self.output, &question, Some(&snapshot));
        }
    }

    fn work(&mut self, task: &Arc<Task>) {
        let found = match &task.kind {
            TaskKind::Search(params) => return self.search(task, params),
            TaskKind::Mate(params) => self.mate(task, params),
            TaskKind::Perft(depth) => self.perft(task, *depth),
            TaskKind::Bench(depth) => self.bench(task, *depth),
        };
        self.queue.finish(task);
        match found {
            Ok(text) => self.output.text(&text),
            Err(reason) => self.fail(&reason),
        }
    }

    fn search(&mut self, task: &Arc<Task>, params: &GoParams) {
        if self.on_failure == OnFailure::End {
            if let Some(mv) = params.searchmoves.iter().find(|&&mv| !self.engine.position().is_legal(mv)) {
                return self.fail(&text!("illegal search move \"{mv}\"", "searchmovesの「{mv}」は反則です"));
            }
            // Else the search itself would pass on what there is to say, and begin.
            let messages = self.engine.prepare();
            if !self.pass_on(messages) {
                return;
            }
        }
        let asked_at = Some(task.read_at.max(self.free_since));
        let limits = SearchLimits { asked_at, ..convert::limits(params) };
        let color = self.engine.position().side_to_move();
        self.begin(task, self.engine.effective_limits(limits.clone()).is_bounded(color));
        if self.position_refused {
            // Scores of another position than the client's would be stored for it, and a move would most likely be
            // illegal there.
            self.output.info_string(&REFUSED);
            task.control.wait_until_answerable(limits.infinite);
            self.queue.finish(task);
            return self.output.send(&UsiMessage::BestMove(BestMove::Resign));
        }
        if let (Some(asked), Some(used)) = (params.depth, limits.depth) {
            self.say_cut("go depth", asked.into(), used as u64);
        }
        if let (Some(asked), Some(used)) = (params.nodes, limits.nodes) {
            self.say_cut("go nodes", asked, used);
        }
        self.engine.go(&limits, &task.control, &TaskObserver { output: &*self.output, queue: &self.queue, task });
    }

    /// Says that a number is outside its range.
    fn say_cut(&self, what: &str, asked: u64, used: u64) {
        if asked != used {
            self.output.info_string(&text!(
                "{what} {asked} is out of range: {used} is used",
                "{what} {asked}は範囲外のため、{used}を使用します"
            ));
        }
    }

    fn mate(&mut self, task: &Arc<Task>, params: &MateParams) -> Result<String, Text> {
        let (position, settings) = (self.engine.position(), self.engine.options().search_settings());
        let limits = convert::mate_limits(params, &settings.time, position.side_to_move(), position.game_ply());
        self.begin(task, limits != MateLimits::default());
        if self.position_refused {
            self.output.info_string(&REFUSED);
            // `nomate` would be false.
            return Ok(UsiMessage::Checkmate(Checkmate::Timeout).to_string());
        }
        let GoParams { ponder, searchmoves, .. } = &params.limits;
        for (word, is_given) in [("ponder", *ponder), ("searchmoves", !searchmoves.is_empty())] {
            if is_given {
                self.output.info_string(&text!(
                    "\"{word}\" has no meaning with \"go mate\" and is ignored",
                    "「{word}」は「go mate」では意味がないため、無視します"
                ));
            }
        }
        let observer = TaskObserver { output: &*self.output, queue: &self.queue, task };
        match self.engine.solve_mate(&limits, &observer) {
            Ok(result) => Ok(lines(&convert::mate_answer(&result))),
            Err(error) if self.on_failure == OnFailure::End => Err(Text::new(&error)),
            Err(error) => {
                self.output.info_string(&error);
                let answer = match error {
                    MateError::NoKing => Checkmate::NoMate,
                    MateError::Thread(_) => Checkmate::Timeout,
                };
                Ok(UsiMessage::Checkmate(answer).to_string())
            }
        }
    }

    fn perft(&mut self, task: &Arc<Task>, asked: u32) -> Result<String, Text> {
        self.begin(task, true);
        if self.position_refused {
            return Ok(self.output.as_info_string(&REFUSED).to_string());
        }
        let depth = asked.min(MAX_PERFT_DEPTH);
        if depth < asked {
            self.output.info_string(&text!(
                "perft {asked} is too deep, {depth} is counted",
                "perft {asked}は深すぎるため、{depth}まで数えます"
            ));
        }
        let stopped = Phrase::new("perft was stopped", "perftを中断しました");
        let divided = perft_divide(self.engine.position(), depth, self.engine.options().threads, &task.control);
        Ok(match divided {
            Some(divided) => display::perft(depth, &divided),
            None => self.output.as_info_string(&stopped).to_string(),
        })
    }

    fn bench(&mut self, task: &Arc<Task>, depth: Option<u32>) -> Result<String, Text> {
        self.begin(task, true);
        let mut settings = BenchSettings::default();
        if let Some(asked) = depth {
            settings.depth = convert::depth(asked);
            self.say_cut("bench", asked.into(), settings.depth as u64);
        }
        let total = bench(&settings, &task.control, |entry| self.output.text(&self.output.language.say(entry)));
        total.map(|total| total.to_string()).map_err(|error| Text::new(&error))
    }
}

/// Passes the progress of a task and a search's answer on to the client.
struct TaskObserver<'a, W> {
    output: &'a Output<W>,
    queue: &'a CommandQueue,
    task: &'a Arc<Task>,
}

impl<W: Write + Send> SearchObserver for TaskObserver<'_, W> {
    fn on_info(&self, line: &SearchInfo) {
        self.output.send(&convert::info(line));
    }
}

impl<W: Write + Send> DecisionObserver for TaskObserver<'_, W> {
    fn on_message(&self, message: &EngineMessage) {
        self.output.info_string(message);
    }

    fn on_answer(&self, answer: &Answer) {
        self.queue.finish(self.task);
        self.output.send_all(&convert::answer(answer));
        let _ = self.task.answered_at.set(Instant::now());
    }
}

impl<W: Write + Send> MateObserver for TaskObserver<'_, W> {
    fn on_progress(&self, progress: &MateProgress) {
        self.output.send(&convert::mate_info(progress));
    }

    fn is_stopped(&self) -> bool {
        self.task.control.is_stopped()
    }
}
