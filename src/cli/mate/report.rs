//! Results of `kurosabi mate` as text and as JSON.

use std::fmt::{self, Write};

use console::Alignment;
use serde_json::{Map, Value, json};

use super::finding::{Finding, soundness_lines, unneeded};
use super::kif::KifFolder;
use crate::cli::failure::Result;
use crate::cli::records::inputs::{Input, warn};
use crate::cli::resumable::ItemOutput;
use crate::cli::wording::Wording;
use crate::language::{Foreign, Language, text};
use crate::mate::{MateOutcome, Soundness};
use crate::position::Position;
use crate::types::{Move, visible};

/// Writes findings.
pub(super) struct FindingWriter {
    out: ItemOutput,
    kif: Option<KifFolder>,
    json: bool,
    /// The file of the problem last written, where there are several: each has a heading.
    heading: Option<String>,
    wording: Wording,
    problems: usize,
    bad: usize,
}

impl FindingWriter {
    pub(super) fn new(
        out: ItemOutput,
        kif: Option<KifFolder>,
        json: bool,
        several_files: bool,
        wording: Wording,
    ) -> FindingWriter {
        let heading = several_files.then(String::new);
        FindingWriter { out, kif, json, heading, wording, problems: 0, bad: 0 }
    }

    /// Counts a problem, and whether it is none that can be solved.
    pub(super) fn count(&mut self, is_bad: bool) {
        self.problems += 1;
        self.bad += usize::from(is_bad);
    }

    /// Writes what was found of a problem, at once.
    pub(super) fn write(&mut self, finding: &Finding) -> Result {
        self.count(finding.error.is_some());
        if finding.is_end_of_game {
            let taken = text!(
                "this is a whole game: its last position is taken",
                "最初から指された一局のため、最後の局面を対象にします"
            );
            warn(&Foreign(&finding.name()), &taken, self.wording.language());
        }
        // First of all: a run that is resumed takes a line for a problem that is done.
        if let Some(kif) = &self.kif {
            kif.write(finding)?;
        }
        if self.json {
            return self.out.end_item(&format!("{}\n", Value::Object(json(finding))), || finding.id());
        }
        let mut text = String::new();
        // Nothing fails to be written to a string.
        let _ = self.text(finding, &mut text);
        self.out.end_text(&text)
    }

    /// Ends the report.
    ///
    /// # Errors
    /// Tells how many of the problems could not be read.
    pub(super) fn finish(self) -> Result {
        self.out.finish()?;
        match self.bad {
            0 => Ok(()),
            bad => {
                let all = self.problems;
                Err(text!(
                    "{bad} of {all} problems could not be read or solved",
                    "{all}問のうち{bad}問は読み込めないか、解けませんでした"
                ))?
            }
        }
    }

    fn text(&mut self, finding: &Finding, out: &mut String) -> fmt::Result {
        let (wording, language) = (self.wording, self.wording.language());
        if let Some(heading) = self.heading.as_mut().filter(|heading| **heading != finding.file) {
            heading.clone_from(&finding.file);
            writeln!(out, "{}", shown_name(heading, language))?;
        }
        write!(out, "{:>5}  ", finding.number)?;
        if let Some(error) = &finding.error {
            if self.heading.is_none() && finding.in_file.is_none() {
                write!(out, "{}: ", shown_name(&finding.file, language))?;
            }
            let (name, error) = (language.choose("error", "エラー"), language.say(error));
            return writeln!(out, "{name}: {}", visible(&error));
        }
        let (Some(result), Ok(start)) = (&finding.result, Position::from_sfen(&finding.sfen)) else {
            return writeln!(out, "{}", language.choose("nothing known", "不明"));
        };
        let write = |moves: &[Move]| wording.notation().write_line(&start.setup(), moves, None);
        let (verdict, moves) = match &result.outcome {
            MateOutcome::Mate(mate) => {
                let plies = mate.plies();
                let or_less = if mate.is_shortest { "" } else { language.choose(" or less", "以内") };
                let verdict = language.choose(format!("mate in {plies}{or_less}"), format!("{plies}手詰{or_less}"));
                (verdict, write(&mate.moves))
            }
            MateOutcome::NoMate { escape } => {
                let escape = escape.map(|mv| {
                    let mv = write(&[mv]);
                    language.choose(format!("escapes by {mv}"), format!("{mv}で逃れます"))
                });
                (language.choose("no mate", "不詰").to_owned(), escape.unwrap_or_default())
            }
            MateOutcome::NoMateWithin(plies) => {
                (language.choose(format!("no mate in {plies}"), format!("{plies}手以内は不詰")), String::new())
            }
            MateOutcome::Unknown => (language.choose("not solved", "未解決").to_owned(), String::new()),
        };
        let verdict = console::pad_str(&verdict, VERDICT, Alignment::Left, None);
        let (nodes, time) = (result.progress.nodes, result.progress.time.as_millis());
        let [node, ms] = language.choose(["nodes", "ms"], ["ノード", "ミリ秒"]);
        writeln!(out, "{verdict} {nodes:>10} {node} {time:>7} {ms}  {moves}")?;
        let lines = finding.soundness.iter().flat_map(|found| soundness_lines(&start, found, wording));
        lines.into_iter().try_for_each(|line| writeln!(out, "       {line}"))
    }
}

/// The name of an input in a report.
fn shown_name(file: &str, language: Language) -> String {
    if file == Input::Stdin.name() { language.say(&Input::Stdin) } else { visible(file).into_owned() }
}

/// Columns of a verdict.
const VERDICT: usize = 14;

fn strings(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

fn json(finding: &Finding) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("number", json!(finding.number));
    put("problem", json!(finding.name()));
    if let Some(error) = &finding.error {
        put("error", json!(error.to_string()));
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
