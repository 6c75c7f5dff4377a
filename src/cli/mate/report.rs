//! Results of `kurosabi mate` as text and as JSON.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::finding::{Finding, soundness_lines, unneeded};
use super::kif::KifFolder;
use crate::mate::{MateOutcome, Soundness};
use crate::types::Move;

/// Writes findings.
pub(super) struct FindingWriter {
    out: Box<dyn Write>,
    kif: Option<KifFolder>,
    json: bool,
    problems: usize,
    bad: usize,
}

impl FindingWriter {
    pub(super) fn new(out: Box<dyn Write>, kif: Option<KifFolder>, json: bool) -> FindingWriter {
        FindingWriter { out, kif, json, problems: 0, bad: 0 }
    }

    /// Writes what was found of a problem, at once.
    pub(super) fn write(&mut self, finding: &Finding) -> io::Result<()> {
        self.problems += 1;
        self.bad += usize::from(finding.error.is_some());
        // First of all: a run that is resumed takes a line for a problem that is done.
        if let Some(kif) = &self.kif {
            kif.write(finding)?;
        }
        if self.json {
            writeln!(self.out, "{}", Value::Object(json(finding)))?;
        } else {
            self.text(finding)?;
        }
        self.out.flush()
    }

    /// Ends the report.
    ///
    /// # Errors
    /// Tells how many of the problems could not be read.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        match self.bad {
            0 => Ok(()),
            bad => Err(io::Error::other(format!("{bad} of {} problems could not be read", self.problems))),
        }
    }

    fn text(&mut self, finding: &Finding) -> io::Result<()> {
        write!(self.out, "{:>5}  ", finding.number)?;
        if let Some(error) = &finding.error {
            return writeln!(self.out, "{}: {error}", finding.name);
        }
        let Some(result) = &finding.result else { return writeln!(self.out, "nothing known") };
        let (verdict, moves) = match &result.outcome {
            MateOutcome::Mate(mate) => {
                let or_less = if mate.is_shortest { "" } else { " or less" };
                (format!("mate in {}{or_less}", mate.plies()), words(&mate.moves))
            }
            MateOutcome::NoMate { escape: None } => ("no mate".to_owned(), String::new()),
            MateOutcome::NoMate { escape: Some(mv) } => ("no mate".to_owned(), format!("escapes by {mv}")),
            MateOutcome::NoMateWithin(plies) => (format!("no mate in {plies}"), String::new()),
            MateOutcome::Unknown => ("not solved".to_owned(), String::new()),
        };
        let progress = &result.progress;
        writeln!(self.out, "{verdict:<14} {:>10} nodes {:>7} ms  {moves}", progress.nodes, progress.time.as_millis())?;
        let lines = finding.soundness.iter().flat_map(soundness_lines);
        lines.into_iter().try_for_each(|line| writeln!(self.out, "       {line}"))
    }
}

fn words(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

fn strings(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

fn json(finding: &Finding) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("number", json!(finding.number));
    put("problem", json!(finding.name));
    if let Some(error) = &finding.error {
        put("error", json!(error));
        return object;
    }
    put("sfen", json!(finding.sfen));
    if let Some(result) = &finding.result {
        match &result.outcome {
            MateOutcome::Mate(mate) => {
                put("result", json!("mate"));
                put("plies", json!(mate.plies()));
                put("shortest", json!(mate.is_shortest));
                put("moves", json!(strings(&mate.moves)));
            }
            MateOutcome::NoMate { escape } => {
                put("result", json!("nomate"));
                if let Some(mv) = escape {
                    put("escape", json!(mv.to_string()));
                }
            }
            MateOutcome::NoMateWithin(plies) => {
                put("result", json!("nomate within"));
                put("plies", json!(plies));
            }
            MateOutcome::Unknown => {
                put("result", json!("unknown"));
            }
        }
        put("nodes", json!(result.progress.nodes));
        put("time_ms", json!(result.progress.time.as_millis() as u64));
    }
    if let Some(soundness) = &finding.soundness {
        put("soundness", soundness_json(soundness));
    }
    object
}

fn soundness_json(soundness: &Soundness) -> Value {
    let first = soundness.first_moves.iter().map(|first| json!({"move": first.mv.to_string(), "plies": first.plies}));
    let cooks = soundness
        .cooks
        .iter()
        .map(|cook| json!({"number": cook.number, "move": cook.mv.to_string(), "minor": cook.is_minor}));
    let traps = soundness.drop_pawn_mates.iter();
    json!({
        "sound": soundness.is_sound(),
        "first_moves": first.collect::<Vec<_>>(),
        "cooks": cooks.collect::<Vec<_>>(),
        "left_over": soundness.left_over.to_string(),
        "unneeded": unneeded(soundness),
        "drop_pawn_mates": traps.map(|(number, to)| json!({"number": number, "drop": format!("P*{to}")})).collect::<Vec<_>>(),
        "unanswered": soundness.unanswered,
    })
}
