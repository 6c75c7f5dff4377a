//! The side that owns the engine and carries out the commands, in order.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::output::{INTERVAL, Output, SessionError, keep_alive};
use super::queue::{Command, CommandQueue, Snapshot, Task, TaskKind};
use super::{convert, display};
use crate::engine::{
    Answer, BenchSettings, DecisionObserver, Engine, EngineMessage, MAX_PERFT_DEPTH, Notice, bench, panic_text,
    perft_divide,
};
use crate::eval::nnue::InstructionSet;
use crate::language::{Foreign, InJapanese, Text, text};
use crate::mate::{MateError, MateLimits, MateObserver, MateProgress};
use crate::rules::{LineError, RepetitionWarning};
use crate::search::{SearchInfo, SearchLimits, SearchObserver};
use crate::types::Phrase;
use crate::usi::message::{BestMove, Checkmate, GoParams, Id, InitialPosition, MateParams, PositionSpec, UsiMessage};

/// What happens to the commands behind one that cannot be carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OnFailure {
    /// The client gets an `info string`, and they are carried out.
    GoOn,
    /// They are not carried out.
    End,
}

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

pub(super) struct Worker<'a, W> {
    output: &'a Output<W>,
    queue: &'a CommandQueue,
    engine: Engine,
    /// When the last command was answered that clients wait for. A `go` that was read before has not lost the
    /// time until then: whoever sends commands ahead of the answers runs no clock.
    free_since: Instant,
    /// The last `position` command failed, so the engine still has the position before it.
    position_refused: bool,
    on_failure: OnFailure,
    /// The first command that could not be done, where that ends the session.
    failure: Option<SessionError>,
    /// The first command that ended by a defect.
    defect: Option<SessionError>,
}

impl<'a, W: Write + Send> Worker<'a, W> {
    pub(super) fn new(output: &'a Output<W>, queue: &'a CommandQueue, on_failure: OnFailure) -> Worker<'a, W> {
        let free_since = Instant::now();
        let engine = Engine::new();
        Worker { output, queue, engine, free_since, position_refused: false, on_failure, failure: None, defect: None }
    }

    /// Works until no more commands can come, or until one fails where that ends the session. A defect in one command
    /// ends that command only.
    pub(super) fn run(mut self) -> Result<(), SessionError> {
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
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.execute(command))) {
            let defect = Phrase::new("internal error", "内部エラー");
            let reason = Text::about(&defect, &Foreign(panic_text(panic.as_ref())));
            self.fail(&reason);
            self.defect.get_or_insert_with(|| SessionError::new(&reason));
        }
        if let Command::Task(task) = command {
            // Done already unless it panicked.
            self.queue.finish(task);
        }
    }

    /// A command cannot be done.
    fn fail(&mut self, reason: &impl InJapanese) {
        match self.on_failure {
            OnFailure::GoOn => self.output.info_string(reason),
            OnFailure::End if self.failure.is_none() => self.failure = Some(SessionError::new(reason)),
            OnFailure::End => {}
        }
    }

    /// Passes on what the engine says of what the options ask for.
    fn notify(&mut self, notices: Vec<Notice>) {
        for notice in notices {
            match notice.failure() {
                Some(reason) if self.on_failure == OnFailure::End => {
                    self.fail(&Text { en: reason, ja: notice.in_japanese() });
                }
                _ => self.output.info_string(&notice),
            }
        }
    }

    fn execute(&mut self, command: &Command) {
        match command {
            Command::Message(message) => self.answer(message),
            Command::Task(task) => match &task.kind {
                TaskKind::Search(params) => self.search(task, params),
                TaskKind::Mate(params) => self.mate(task, params),
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
                let rule = self.engine.options().rules().king_rule;
                self.output.text(&display::display(self.engine.position(), rule, self.output.language()));
            }
            UsiMessage::Eval => self.evaluate(),
            UsiMessage::Why(mv) => self.output.text(&display::why(self.engine.position(), mv, self.output.language())),
            // `debug`, `register`, and what only engines say.
            other => log::debug!("nothing to do for {other:?}"),
        }
    }

    fn get_ready(&mut self) {
        let notices = keep_alive(self.output, INTERVAL, || self.engine.prepare());
        self.notify(notices);
        if self.failure.is_some() {
            return;
        }
        if self.engine.is_on_large_pages() {
            self.output
                .info_string(&Phrase::new("transposition table on large pages", "置換表にラージページを使用します"));
        }
        self.output.send(&UsiMessage::ReadyOk);
        self.free_since = Instant::now();
    }

    fn evaluate(&mut self) {
        if self.position_refused {
            return self.output.info_string(&REFUSED);
        }
        let (evaluation, notices) = self.engine.evaluate();
        self.notify(notices);
        if self.failure.is_none() {
            self.output.text(&display::eval(&evaluation, self.output.language()));
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
        match set {
            Err(error @ (LineError::Unreadable(_) | LineError::Sfen { .. })) => self.fail(&error),
            Err(error) if self.on_failure == OnFailure::End => self.fail(&error),
            Err(error) => {
                let why = error.in_japanese();
                self.fail(&text!("{error}; the position is the one before it", "{why}。その手の前の局面にします"));
            }
            Ok(()) => {
                let position = self.engine.position();
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
        let evaluation = self.engine.evaluation().clone();
        Snapshot { position, rule, evaluation }
    }

    fn search(&mut self, task: &Arc<Task>, params: &GoParams) {
        if self.on_failure == OnFailure::End {
            if let Some(mv) = params.searchmoves.iter().find(|&&mv| !self.engine.position().is_legal(mv)) {
                return self.fail(&text!("illegal search move \"{mv}\"", "searchmovesの「{mv}」は反則です"));
            }
            // Else the search itself would pass on what there is to say, and begin.
            let notices = self.engine.prepare();
            self.notify(notices);
            if self.failure.is_some() {
                return;
            }
        }
        if self.position_refused {
            return self.refuse_search(task, params);
        }
        let asked_at = Some(task.read_at.max(self.free_since));
        let limits = SearchLimits { asked_at, ..convert::limits(params) };
        if let (Some(asked), Some(used)) = (params.depth, limits.depth) {
            self.say_cut("go depth", asked.into(), used as u64);
        }
        if let (Some(asked), Some(used)) = (params.nodes, limits.nodes) {
            self.say_cut("go nodes", asked, used);
        }
        let observer = ClientObserver::new(self.output, self.queue, task, self.snapshot());
        self.engine.go(&limits, &task.control, &observer);
        self.free_since = observer.answered_at().unwrap_or_else(Instant::now);
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

    /// Answers `go` where the position that was sent cannot be set up. Scores of another position than the client's
    /// would be stored for it, and a move would most likely be illegal there.
    fn refuse_search(&mut self, task: &Arc<Task>, params: &GoParams) {
        let limits = convert::limits(params);
        let bounded = limits.is_bounded(self.engine.position().side_to_move());
        begin(self.output, self.queue, task, &self.snapshot(), bounded);
        self.output.info_string(&REFUSED);
        task.control.wait_until_answerable(limits.infinite);
        self.queue.finish(task);
        self.output.send(&UsiMessage::BestMove(BestMove::Resign));
        self.free_since = Instant::now();
    }

    fn mate(&mut self, task: &Arc<Task>, params: &MateParams) {
        let (position, settings) = (self.engine.position(), self.engine.options().search_settings());
        let limits = convert::mate_limits(params, &settings.time, position.side_to_move(), position.game_ply());
        begin(self.output, self.queue, task, &self.snapshot(), limits != MateLimits::default());
        if self.position_refused {
            // `nomate` would be false.
            self.queue.finish(task);
            self.output.info_string(&REFUSED);
            self.output.send(&UsiMessage::Checkmate(Checkmate::Timeout));
        } else {
            let without_meaning =
                [("ponder", params.limits.ponder), ("searchmoves", !params.limits.searchmoves.is_empty())];
            for (word, _) in without_meaning.into_iter().filter(|&(_, is_given)| is_given) {
                self.output.info_string(&text!(
                    "\"{word}\" has no meaning with \"go mate\" and is ignored",
                    "「{word}」は「go mate」では意味がないため、無視します"
                ));
            }
            self.solve_mate(task, &limits);
        }
        self.free_since = Instant::now();
    }

    fn solve_mate(&mut self, task: &Arc<Task>, limits: &MateLimits) {
        let observer = MateClientObserver { output: self.output, task };
        let result = self.engine.solve_mate(limits, &observer);
        self.queue.finish(task);
        match result {
            Ok(result) => self.output.send_all(&convert::mate_answer(&result)),
            Err(error) => {
                let answer = match error {
                    MateError::NoKing => Checkmate::NoMate,
                    MateError::Thread(_) => Checkmate::Timeout,
                };
                self.fail(&error);
                if self.failure.is_none() {
                    self.output.send(&UsiMessage::Checkmate(answer));
                }
            }
        }
    }

    fn perft(&mut self, task: &Arc<Task>, depth: u32) {
        begin(self.output, self.queue, task, &self.snapshot(), true);
        if self.position_refused {
            self.queue.finish(task);
            return self.output.info_string(&REFUSED);
        }
        if depth > MAX_PERFT_DEPTH {
            self.output.info_string(&text!(
                "perft {depth} is too deep, {MAX_PERFT_DEPTH} is counted",
                "perft {depth}は深すぎるため、{MAX_PERFT_DEPTH}まで数えます"
            ));
        }
        let depth = depth.min(MAX_PERFT_DEPTH);
        let divided = perft_divide(self.engine.position(), depth, self.engine.options().threads, &task.control);
        self.queue.finish(task);
        match divided {
            Some(divided) => self.output.text(&display::perft(depth, &divided)),
            None => self.output.info_string(&Phrase::new("perft was stopped", "perftを中断しました")),
        }
        self.free_since = Instant::now();
    }

    fn bench(&mut self, task: &Arc<Task>, depth: Option<u32>) {
        begin(self.output, self.queue, task, &self.snapshot(), true);
        let mut settings = BenchSettings::default();
        if let Some(asked) = depth {
            settings.depth = convert::depth(asked);
            self.say_cut("bench", asked.into(), settings.depth as u64);
        }
        let total = bench(&settings, &task.control, |entry| self.output.text(&self.output.language().say(entry)));
        self.queue.finish(task);
        match total {
            Ok(total) => self.output.text(&total.to_string()),
            Err(error) => self.fail(&error),
        }
        self.free_since = Instant::now();
    }
}

/// Makes a task known to the reading side, and answers what was asked right behind it.
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
struct ClientObserver<'a, W> {
    output: &'a Output<W>,
    queue: &'a CommandQueue,
    task: &'a Arc<Task>,
    snapshot: Snapshot,
    answered_at: Mutex<Option<Instant>>,
}

impl<'a, W> ClientObserver<'a, W> {
    /// For a search from the state that the snapshot holds.
    fn new(
        output: &'a Output<W>,
        queue: &'a CommandQueue,
        task: &'a Arc<Task>,
        snapshot: Snapshot,
    ) -> ClientObserver<'a, W> {
        ClientObserver { output, queue, task, snapshot, answered_at: Mutex::new(None) }
    }

    /// When the answer went out, if it did.
    fn answered_at(self) -> Option<Instant> {
        self.answered_at.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write + Send> SearchObserver for ClientObserver<'_, W> {
    fn on_info(&self, line: &SearchInfo) {
        self.output.send(&convert::info(line));
    }
}

impl<W: Write + Send> DecisionObserver for ClientObserver<'_, W> {
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
struct MateClientObserver<'a, W> {
    output: &'a Output<W>,
    task: &'a Arc<Task>,
}

impl<W: Write + Send> MateObserver for MateClientObserver<'_, W> {
    fn on_progress(&self, progress: &MateProgress) {
        self.output.send(&convert::mate_info(progress));
    }

    fn is_stopped(&self) -> bool {
        self.task.control.is_stopped()
    }
}
