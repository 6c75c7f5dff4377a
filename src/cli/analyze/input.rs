//! From files to what is to be analysed: what an input holds, the jobs in it, and the queue of jobs read ahead.

use std::collections::VecDeque;
use std::io::{self, Cursor, IsTerminal, Read};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::failure::Result;
use crate::cli::records::inputs::{Input, warn};
use crate::cli::resumable::{ItemId, KeptItems};
use crate::cli::terminal::remark;
use crate::language::{InJapanese, Language, Text, misnamed, text};
use crate::open_file;
use crate::position::{IllegalMove, Setup};
use crate::records::notation::Notation;
use crate::records::{Format, GameRecord, HEAD, Legality, NodeId, Problem, ReadError, Records, Remedy, decoded_lines};
use crate::report::Breach;
use crate::rules::{GameLine, LineError};
use crate::threads::lock;
use crate::types::{Color, Move};
use crate::usi::lines::{InputLine, LineReader};

/// Where something stands in the input.
#[derive(Clone, Debug)]
pub(super) struct InputPlace {
    pub(super) input: Input,
    /// The number of the game in its file, from 1.
    pub(super) game: usize,
    /// The line of the file, from 1; 0 where there is none to name.
    pub(super) line: usize,
}

impl InputPlace {
    /// The file's name; none for standard input.
    pub(super) fn file(&self) -> Option<String> {
        matches!(self.input, Input::File(_)).then(|| self.input.name())
    }
}

/// A position with the moves that led to it, or a game.
#[derive(Debug)]
pub(super) struct InputGame {
    pub(super) place: InputPlace,
    /// The start and all legal moves.
    pub(super) line: GameLine,
    /// The record, where every position is analysed.
    pub(super) record: Option<GameRecord>,
    /// The illegal move that ends it, if one does.
    pub(super) breach: Option<Breach>,
    /// Why the record could not be read on, if it could not.
    pub(super) fault: Option<Text>,
}

impl InputGame {
    /// What it is: its file and everything that its results are made of, but not where it stands in the file.
    pub(super) fn id(&self) -> ItemId {
        let kind = if self.record.is_some() { "game" } else { "position" };
        let breach = self.breach.as_ref().map(|breach| format!("{} {}", breach.mv, breach.reason));
        let record = self.record.as_ref();
        let player = |color| record.and_then(|record| record.player(color)).unwrap_or_default();
        let ending = record.and_then(GameRecord::ending).map(|ending| ending.japanese()).unwrap_or_default();
        ItemId::new(&[
            kind,
            &self.place.input.name(),
            &self.line.to_string(),
            &breach.unwrap_or_default(),
            player(Color::Black),
            player(Color::White),
            ending,
        ])
    }
}

/// Something in the input that cannot be analysed, or not to its end.
#[derive(Debug)]
pub(super) struct BadInput {
    pub(super) place: InputPlace,
    /// The text, where it is a line.
    pub(super) text: String,
    /// What is wrong with it.
    pub(super) error: InputError,
}

impl BadInput {
    /// What it is, but not where it stands in the file.
    pub(super) fn id(&self) -> ItemId {
        ItemId::new(&["error", &self.place.input.name(), &self.text, &self.error.text.en])
    }
}

/// Why something cannot be analysed.
#[derive(Debug)]
pub(super) struct InputError {
    /// The kind of mistake as one word, for programs; of an illegal move the rule that it breaks.
    pub(super) kind: &'static str,
    /// The move that cannot be made or read.
    pub(super) mv: Option<String>,
    /// Its place in the list of moves, from 1.
    pub(super) number: Option<usize>,
    pub(super) text: Text,
}

impl InputError {
    fn new(kind: &'static str, message: &impl InJapanese) -> InputError {
        InputError { kind, mv: None, number: None, text: Text::new(message) }
    }

    /// A move that breaks the rules.
    fn illegal(number: usize, mv: Move, reason: &IllegalMove, board: &Setup) -> InputError {
        let text = Text::pair(
            format!("illegal move \"{mv}\" at number {number}: {reason}"),
            format!("{number}手目の{}は反則です: {}", Notation::Japanese.write(board, mv, None), reason.in_japanese()),
        );
        InputError { kind: reason.kind(), mv: Some(mv.to_string()), number: Some(number), text }
    }

    /// A record's move that is not the one of the piece it names.
    fn misnamed(number: usize, mv: Move, board: &Setup) -> InputError {
        let text = misnamed(number, mv, board);
        InputError { kind: "unclear_move", mv: Some(mv.to_string()), number: Some(number), text }
    }
}

impl From<LineError> for InputError {
    fn from(error: LineError) -> InputError {
        let (mv, number) = match &error {
            LineError::UnreadableMove { text, number } => (Some(text.clone()), Some(*number)),
            _ => (None, None),
        };
        InputError { mv, number, ..InputError::new(error.kind(), &error) }
    }
}

/// One entry of the report to come.
#[derive(Debug)]
pub(super) enum Job {
    /// The position after `made` moves.
    Position(Arc<InputGame>, usize),
    /// All positions of a game came before.
    GameEnd(Arc<InputGame>),
    /// Nothing to search.
    Bad(BadInput),
    /// Nothing to do: an earlier run has written the results. Whether it is bad.
    Kept(InputPlace, bool),
}

/// How inputs are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Analyse every position of a line of moves.
    pub(super) whole_games: bool,
    /// All inputs hold lines; none is looked at to find out.
    pub(super) lines: bool,
    /// Of warnings.
    pub(super) language: Language,
}

/// The jobs that inputs give, in order.
pub(super) struct Jobs {
    inputs: VecDeque<Input>,
    open: Option<Open>,
    reading: Reading,
    /// What is reported already.
    kept: Arc<Mutex<KeptItems>>,
    waiting: VecDeque<Job>,
}

/// The input being read.
struct Open {
    place: InputPlace,
    source: Source,
}

impl Jobs {
    pub(super) fn new(inputs: impl IntoIterator<Item = Input>, reading: Reading, kept: Arc<Mutex<KeptItems>>) -> Jobs {
        Jobs { inputs: inputs.into_iter().collect(), open: None, reading, kept, waiting: VecDeque::new() }
    }

    fn is_kept(&self, item: impl FnOnce() -> ItemId) -> bool {
        let mut kept = lock(&self.kept);
        !kept.is_empty() && kept.take(&item())
    }

    fn add_bad(&mut self, place: InputPlace, text: String, error: InputError) {
        let bad = BadInput { place, text, error };
        let is_kept = self.is_kept(|| bad.id());
        self.waiting.push_back(match is_kept {
            true => Job::Kept(bad.place, true),
            false => Job::Bad(bad),
        });
    }

    /// Adds a record that cannot be read, or not to its end.
    fn add_unread(&mut self, place: InputPlace, error: &ReadError) {
        let place = InputPlace { line: error.line, ..place };
        self.add_bad(place, String::new(), InputError::new(error.kind(), error));
    }

    /// Opens the next input; `None` where there is none.
    fn open_next(&mut self) -> Option<()> {
        let place = InputPlace { input: self.inputs.pop_front()?, game: 0, line: 0 };
        match Source::open(&place.input, self.reading.lines) {
            Ok(source) => self.open = Some(Open { place, source }),
            Err(error) => self.add_unread(place, &error),
        }
        Some(())
    }

    /// Adds what comes next in the open input; false at its end.
    fn read_on(&mut self) -> Result<bool> {
        let Some(Open { place, source }) = &mut self.open else { return Ok(false) };
        match source {
            Source::Lines(lines) => {
                let Some(line) = lines.next().transpose()? else { return Ok(false) };
                place.line += 1;
                let place = place.clone();
                self.add_line(place, line);
            }
            Source::Records(records) => {
                let Some(record) = records.next() else { return Ok(false) };
                place.game += 1;
                let place = place.clone();
                match record {
                    Ok(record) => self.add_record(place, record),
                    Err(error) => self.add_unread(place, &error),
                }
            }
        }
        Ok(true)
    }

    fn add_line(&mut self, place: InputPlace, line: InputLine) {
        match line {
            InputLine::TooLong { limit } => {
                let text = text!("a line of more than {limit} bytes", "{limit}バイトを超える行です");
                self.add_bad(place, String::new(), InputError::new("unreadable", &text));
            }
            InputLine::Text(text) => match text.trim_start_matches('\u{feff}').trim() {
                text if text.is_empty() || text.starts_with('#') => {}
                text => self.add_text(InputPlace { game: place.line, ..place }, text.to_owned()),
            },
        }
    }

    fn add_text(&mut self, place: InputPlace, text: String) {
        let (line, error) = match GameLine::read_text(&text) {
            Ok(read) => read,
            Err(error) => return self.add_bad(place, text, error.into()),
        };
        let end = line.end();
        if self.reading.whole_games {
            let record = Some(GameRecord::from(&line));
            self.add_game(InputGame { place: place.clone(), line, record, breach: None, fault: None });
        } else if error.is_none() {
            self.add_game(InputGame { place: place.clone(), line, record: None, breach: None, fault: None });
        }
        if let Some(error) = error {
            let error = match error {
                LineError::IllegalMove { number, mv, reason } => InputError::illegal(number, mv, &reason, &end.setup()),
                error => error.into(),
            };
            self.add_bad(place, text, error);
        }
    }

    /// Adds all positions of a game or, without a record, the last one.
    fn add_game(&mut self, game: InputGame) {
        if self.is_kept(|| game.id()) {
            self.waiting.push_back(Job::Kept(game.place, false));
            return;
        }
        let moves = game.line.moves().len();
        let game = Arc::new(game);
        if game.record.is_none() {
            self.waiting.push_back(Job::Position(game, moves));
            return;
        }
        self.waiting.extend((0..=moves).map(|made| Job::Position(game.clone(), made)));
        self.waiting.push_back(Job::GameEnd(game));
    }

    fn add_record(&mut self, place: InputPlace, record: GameRecord) {
        let line = match record.line() {
            Ok(line) => line,
            Err(error) => return self.add_unread(place, error),
        };
        let warnings = record.warnings().iter().filter(|warning| warning.remedy != Remedy::GAME_CUT);
        warnings.for_each(|warning| warn(&place.input, warning, self.reading.language));
        let breach = Breach::find(&record);
        // An illegal move ends a game; moves behind it are a mistake of the record.
        let fault = match &breach {
            Some(Breach { moves_behind: 0, .. }) => None,
            Some(Breach { number, mv, reason, board, source_line, .. }) => {
                Some((*source_line, InputError::illegal(*number as usize, *mv, reason, board)))
            }
            None => record.main_line().find_map(|id| misnamed_move(&record, id)),
        };
        let cut = record.cut().filter(|_| fault.is_none()).cloned();
        let text = fault.as_ref().map(|(_, error)| error.text.clone()).or(cut.as_ref().map(Text::new));
        self.add_game(InputGame { place: place.clone(), line, record: Some(record), breach, fault: text });
        if let Some((line, error)) = fault {
            self.add_bad(InputPlace { line: line as usize, ..place }, String::new(), error);
        } else if let Some(error) = cut {
            self.add_unread(place, &error);
        }
    }
}

/// Why a node is wrong whose move is not that of the piece it names, with the line it stands in.
fn misnamed_move(record: &GameRecord, id: NodeId) -> Option<(u32, InputError)> {
    let node = record.node(id);
    let mv = node.played().filter(|_| node.legality == Legality::Misnamed)?;
    let error = InputError::misnamed(node.ply() as usize, mv, &record.board_before(id));
    Some((node.source_line, error))
}

impl Iterator for Jobs {
    type Item = Result<Job>;

    fn next(&mut self) -> Option<Result<Job>> {
        loop {
            if let Some(job) = self.waiting.pop_front() {
                return Some(Ok(job));
            }
            if self.open.is_none() {
                self.open_next()?;
                continue;
            }
            match self.read_on() {
                Ok(true) => {}
                Ok(false) => self.open = None,
                Err(error) => {
                    self.open = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Jobs that wait to be done, read ahead of the searches on a thread of its own.
pub(super) struct JobQueue {
    first: std::vec::IntoIter<Result<Job>>,
    rest: mpsc::Receiver<Result<Job>>,
    taken: usize,
}

/// Pause between two looks whether to go on waiting for input.
const WAIT: Duration = Duration::from_millis(100);
/// Jobs read ahead, at most.
const READ_AHEAD: usize = 64;
/// How long the first jobs are waited for, to see whether there are fewer than cores.
const FIRST_LOOK: Duration = Duration::from_millis(100);

impl JobQueue {
    /// Reads ahead; returns also how many positions there are, when that is seen to be at most `few`.
    pub(super) fn new(mut jobs: Jobs, few: usize) -> Result<(JobQueue, Option<usize>)> {
        let (sender, receiver) = mpsc::sync_channel(READ_AHEAD);
        // It may wait for input for ever, and ends with the process.
        let read = move || while jobs.next().is_some_and(|job| sender.send(job).is_ok()) {};
        thread::Builder::new().name("input".into()).spawn(read)?;
        let deadline = Instant::now() + FIRST_LOOK;
        let (mut first, mut positions, mut has_ended) = (Vec::new(), 0, false);
        while positions <= few {
            match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(job) => {
                    positions += usize::from(matches!(job, Ok(Job::Position(..))));
                    first.push(job);
                }
                Err(error) => {
                    has_ended = error == RecvTimeoutError::Disconnected;
                    break;
                }
            }
        }
        Ok((JobQueue { first: first.into_iter(), rest: receiver, taken: 0 }, has_ended.then_some(positions)))
    }

    /// The next job with its place in the order, or why the input cannot be read on; `None` at its end, and when it is
    /// not worth waiting any longer.
    pub(super) fn take(&mut self, is_stopped: impl Fn() -> bool) -> Option<Result<(usize, Job)>> {
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
        self.taken += 1;
        Some(job.map(|job| (self.taken - 1, job)))
    }
}

/// An input whose content is known.
pub(super) enum Source {
    /// Positions and games, one a line, which may still be being written.
    Lines(LineReader<Box<dyn Read + Send>>),
    /// Games in another format.
    Records(Records),
}

impl Source {
    /// Finds out what an input holds; with `lines` it is known.
    ///
    /// # Errors
    /// When it cannot be read or holds no record.
    pub(super) fn open(input: &Input, lines: bool) -> Result<Source, ReadError> {
        let mut reader = reader(input)?;
        let (head, is_lines) = if lines { (mark(&mut reader)?, true) } else { look(input, &mut reader)? };
        Ok(match is_lines {
            true => Source::Lines(LineReader::new(decoded_lines(head, reader)?)),
            false => Source::Records(Records::open(Cursor::new(head).chain(reader))?),
        })
    }
}

/// Whether an input holds positions and games, one a line, rather than records. What cannot be read holds no lines.
pub(super) fn holds_lines(input: &Input) -> bool {
    reader(input).and_then(|mut reader| look(input, &mut reader)).is_ok_and(|(_, is_lines)| is_lines)
}

fn reader(input: &Input) -> Result<Box<dyn Read + Send>, ReadError> {
    Ok(match input {
        Input::Stdin => {
            if io::stdin().is_terminal() {
                let waiting =
                    text!("reading positions, one a line, from the terminal", "端末から一行に一局面ずつ読み込みます");
                remark(&waiting, Language::from_environment());
            }
            Box::new(io::stdin())
        }
        Input::File(path) => Box::new(open_file::to_read(path)?),
    })
}

/// Reads a beginning that has the mark of its encoding, if there is one.
fn mark(reader: &mut impl Read) -> Result<Vec<u8>, ReadError> {
    let mut head = Vec::new();
    while head.len() < 2 && read_some(reader, &mut head)? > 0 {}
    Ok(head)
}

/// Reads the beginning; returns also whether it is one of lines.
fn look(input: &Input, reader: &mut impl Read) -> Result<(Vec<u8>, bool), ReadError> {
    let mut head = Vec::new();
    // Not longer than until a line decides it: who types, or is another program, waits for the answer.
    while Format::detect_in_lines(&head).is_none() && head.len() < HEAD {
        if read_some(reader, &mut head)? == 0 {
            break;
        }
    }
    let is_lines = match Format::detect(&head) {
        Ok(format) => format.is_lines(),
        // Any words typed or piped in are answered line by line.
        Err(error) => *input == Input::Stdin && matches!(error.problem, Problem::UnknownFormat(_) | Problem::Empty),
    };
    Ok((head, is_lines))
}

/// Reads what is there, waiting only where nothing is.
fn read_some(reader: &mut impl Read, head: &mut Vec<u8>) -> io::Result<usize> {
    let mut buffer = [0; 8192];
    loop {
        match reader.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(read) => {
                head.extend_from_slice(&buffer[..read]);
                return Ok(read);
            }
        }
    }
}
