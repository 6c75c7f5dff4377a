//! One worker of those that search positions at once.

use std::io;
use std::iter::Enumerate;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use super::input::{BadLine, InputLine, Job, JobQueue};
use crate::engine::{Answer, Clamped, DecisionObserver, Engine, EvalFileNotice, Notice, OptionError};
use crate::position::Position;
use crate::rules::GameEnd;
use crate::search::{SearchControl, SearchInfo, SearchLimits, SearchObserver};

/// What all workers share.
pub(super) struct Workplace {
    /// The jobs not yet taken, with their places in the report.
    pub(super) jobs: Mutex<Enumerate<JobQueue>>,
    /// Names and values of the options of each engine.
    pub(super) settings: Vec<(String, String)>,
    /// Limits of each search.
    pub(super) limits: SearchLimits,
    /// Stops all searches, and the taking of jobs, when nobody wants the results any more.
    pub(super) control: SearchControl,
}

/// An entry of the report.
pub(super) enum Entry {
    Analysis(Box<Analysis>),
    Bad(BadLine),
}

/// What was found out about a position.
pub(super) struct Analysis {
    /// The number of its line in the input, from 1.
    pub(super) line_number: usize,
    pub(super) position: Position,
    /// Why the game is over there, or can be ended.
    pub(super) end: Option<GameEnd>,
    pub(super) answer: Answer,
    /// What the engine had to say besides.
    pub(super) messages: Vec<String>,
}

/// An entry and its place in the report, or why no more input can be read.
pub(super) type Delivery = io::Result<(usize, Entry)>;

/// Does jobs until there are none.
pub(super) fn work(place: &Workplace, results: &Sender<Delivery>) {
    // Made for the first job: there may be fewer positions than cores.
    let mut engine = None;
    while !place.control.is_stopped() {
        let taken = place.jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((index, job)) = taken else { return };
        let delivery = job.map(|job| match job {
            Job::Bad(line) => (index, Entry::Bad(line)),
            Job::Position(line, made) => {
                let new = || new_engine(&place.settings).expect("the settings were checked before").0;
                let engine = engine.get_or_insert_with(new);
                (index, Entry::Analysis(Box::new(analyze(engine, &line, made, place))))
            }
        });
        let failed = delivery.is_err();
        if results.send(delivery).is_err() || failed {
            return;
        }
    }
}

/// An engine with these settings, and those of them that were out of range.
fn new_engine(settings: &[(String, String)]) -> Result<(Engine, Vec<Clamped>), OptionError> {
    let mut engine = Engine::new();
    // What is analysed is searched.
    engine.set_option("USI_OwnBook", Some("false"))?;
    let mut clamped = Vec::new();
    for (name, value) in settings {
        clamped.extend(engine.set_option(name, Some(value))?);
    }
    Ok((engine, clamped))
}

/// Whether engines can be had with these settings: what there is to say about them, or why not.
pub(super) fn check(settings: &[(String, String)]) -> io::Result<Vec<String>> {
    let (mut engine, clamped) = new_engine(settings).map_err(io::Error::other)?;
    let mut remarks: Vec<String> = clamped.iter().map(Clamped::to_string).collect();
    for notice in engine.prepare() {
        match notice {
            Notice::EvalFile(EvalFileNotice::Unusable { file, error }) => {
                return Err(io::Error::other(format!("EvalFile {file:?}: {error}")));
            }
            notice => remarks.push(notice.to_string()),
        }
    }
    Ok(remarks)
}

/// Searches a position with nothing learnt from those before it, so that the result does not depend on them.
fn analyze(engine: &mut Engine, line: &InputLine, made: usize, place: &Workplace) -> Analysis {
    engine.new_game();
    engine.set_line(&line.game.up_to(made));
    let messages = Messages::default();
    let answer = engine.go(&place.limits, &place.control, &messages);
    Analysis {
        line_number: line.number,
        position: engine.position().clone(),
        end: engine.game_end(),
        answer,
        messages: messages.0.into_inner().unwrap_or_else(PoisonError::into_inner),
    }
}

/// Keeps what is said in words; the lines come with the answer.
#[derive(Default)]
struct Messages(Mutex<Vec<String>>);

impl DecisionObserver for Messages {}

impl SearchObserver for Messages {
    fn on_info(&self, _info: &SearchInfo) {}

    fn on_message(&self, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }
}
