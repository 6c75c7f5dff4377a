//! Results of `kurosabi mate` as text and as JSON.

use std::fmt::{self, Write};
use std::fs;
use std::path::{Path, PathBuf};

use console::Alignment;
use serde_json::{Value, json};

use super::problems::Problem;
use crate::cli::arguments::Wording;
use crate::cli::failure::Result;
use crate::cli::records::files::{EncodingArg, RecordForm, WrittenNames, naming};
use crate::cli::records::inputs::{Input, warn};
use crate::cli::resumable::ItemOutput;
use crate::language::{Foreign, Language, Text, mate_in, mate_within, text};
use crate::mate::{MateOutcome, MateResult, Soundness};
use crate::position::Position;
use crate::records::notation::{piece_in_japanese, square_in_japanese};
use crate::records::{Ending, Entry, Format, GameRecord, NodeId};
use crate::rules::GameLine;
use crate::types::{Hand, Move, PieceType, visible};

/// Writes findings.
pub(super) struct FindingWriter {
    pub(super) out: ItemOutput,
    pub(super) kif: Option<KifFolder>,
    pub(super) json: bool,
    /// The file of the problem last written, where there are several: each has a heading.
    pub(super) heading: Option<String>,
    pub(super) wording: Wording,
    pub(super) problems: usize,
    pub(super) bad: usize,
}

impl FindingWriter {
    /// Counts a problem, and whether it is none that can be solved.
    pub(super) fn count(&mut self, is_bad: bool) {
        self.problems += 1;
        self.bad += usize::from(is_bad);
    }

    /// Writes what was found of the problem with this number, at once.
    pub(super) fn write(&mut self, number: usize, finding: &Finding) -> Result {
        let Finding { problem, answer } = finding;
        self.count(answer.is_err());
        if problem.is_end_of_game {
            let taken = text!(
                "this is a whole game: its last position is taken",
                "最初から指された一局のため、最後の局面を対象にします"
            );
            warn(&problem.title(), &taken, self.wording.language());
        }
        // First of all: a run that is resumed takes a line for a problem that is done.
        if let (Some(kif), Ok(answer)) = (&mut self.kif, answer) {
            kif.write(number, &problem.name(), answer)?;
        }
        if self.json {
            let line = format!("{}\n", json(number, finding));
            return self.out.end_item(&line, || problem.item(answer.is_err()));
        }
        let mut text = String::new();
        // Nothing fails to be written to a string.
        let _ = self.text(number, finding, &mut text);
        self.out.end_text(&text)
    }

    /// Ends the report.
    ///
    /// # Errors
    /// Notes how many of the problems could not be read.
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

    fn text(&mut self, number: usize, Finding { problem, answer }: &Finding, out: &mut String) -> fmt::Result {
        let (wording, language) = (self.wording, self.wording.language());
        if let Some(heading) = self.heading.as_mut().filter(|heading| **heading != problem.file) {
            heading.clone_from(&problem.file);
            writeln!(out, "{}", shown_name(heading, language))?;
        }
        write!(out, "{number:>5}  ")?;
        let Answer { start, result, soundness } = match answer {
            Ok(answer) => answer,
            Err(error) => {
                if self.heading.is_none() && problem.in_file.is_none() {
                    write!(out, "{}: ", shown_name(&problem.file, language))?;
                }
                let (name, error) = (language.choose("error", "エラー"), language.say(error));
                return writeln!(out, "{name}: {}", visible(&error));
            }
        };
        let write = |moves: &[Move]| wording.notation().write_line(&start.setup(), moves, None);
        let (verdict, moves) = match &result.outcome {
            MateOutcome::Mate(mate) => {
                let plies = mate.plies();
                let or_less = if mate.is_shortest { "" } else { " or less" };
                let english = if plies == 0 { "mated".to_owned() } else { format!("mate in {plies}{or_less}") };
                let japanese = if mate.is_shortest { mate_in(plies) } else { mate_within(plies) };
                (language.choose(english, japanese), write(&mate.moves))
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
        let lines = soundness.iter().flat_map(|found| soundness_lines(start, found, wording));
        lines.into_iter().try_for_each(|line| writeln!(out, "       {line}"))
    }
}

/// The name of an input in a report.
fn shown_name(file: &str, language: Language) -> String {
    if file == Input::Stdin.name() { language.say(&Input::Stdin) } else { visible(file).into_owned() }
}

/// Columns of a verdict.
const VERDICT: usize = 14;

fn json(number: usize, Finding { problem, answer }: &Finding) -> Value {
    let (number, name) = (json!(number), problem.name());
    let Answer { start, result, soundness } = match answer {
        Ok(answer) => answer,
        Err(error) => return json!({"number": number, "problem": name, "error": error.to_string()}),
    };
    let mut object = match &result.outcome {
        MateOutcome::Mate(mate) => json!({
            "result": "mate", "plies": mate.plies(), "shortest": mate.is_shortest, "moves": mate.moves.iter().map(Move::to_string).collect::<Vec<_>>(),
        }),
        MateOutcome::NoMate { escape: None } => json!({"result": "nomate"}),
        MateOutcome::NoMate { escape: Some(mv) } => json!({"result": "nomate", "escape": mv.to_string()}),
        MateOutcome::NoMateWithin(plies) => json!({"result": "nomate within", "plies": plies}),
        MateOutcome::Unknown => json!({"result": "unknown"}),
    };
    object["number"] = number;
    object["problem"] = json!(name);
    object["sfen"] = json!(start.to_sfen());
    object["nodes"] = json!(result.progress.nodes);
    object["time_ms"] = json!(result.progress.time.as_millis() as u64);
    if let Some(soundness) = soundness {
        object["soundness"] = soundness_json(soundness);
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

/// What was found of a problem.
pub(super) struct Finding {
    pub(super) problem: Problem,
    pub(super) answer: Result<Answer, Text>,
}

/// What the solver found.
pub(super) struct Answer {
    pub(super) start: Position,
    pub(super) result: MateResult,
    pub(super) soundness: Option<Soundness>,
}

/// What an examination of a position's mate found, a line for each kind of thing.
pub(super) fn soundness_lines(start: &Position, soundness: &Soundness, wording: Wording) -> Vec<String> {
    let (language, notation) = (wording.language(), wording.notation());
    // A move in place of the one with this number, from 1, of the solution.
    let write = |number: usize, mv: Move| {
        let before = GameLine::new(start.clone(), soundness.solution.iter().take(number - 1).copied());
        notation.write(&before.end().setup(), mv, before.moves().last().map(|mv| mv.to()))
    };
    let at = |number: usize, mv: Move| {
        let mv = write(number, mv);
        language.choose(format!("{mv} at move {number}"), format!("{number}手目{mv}"))
    };
    let first = soundness.first_moves.iter().map(|first| {
        let (mv, plies) = (write(1, first.mv), first.plies);
        language.choose(format!("{mv} ({plies})"), format!("{mv}（{plies}手）"))
    });
    let cook = |minor: bool| {
        let cooks = soundness.cooks.iter().filter(move |cook| cook.is_minor == minor);
        cooks.map(|cook| at(cook.number, cook.mv)).collect()
    };
    let left = soundness.left_over;
    let left = (!left.is_empty()).then(|| language.choose(left.to_string(), hand_in_japanese(left)));
    let unneeded = language.choose(unneeded(soundness), unneeded_in_japanese(soundness));
    let traps = soundness.drop_pawn_mates.iter().map(|&(number, to)| at(number, Move::drop(PieceType::Pawn, to)));
    let unanswered = (soundness.unanswered > 0).then(|| soundness.unanswered.to_string());
    let verdict = match soundness.is_sound() {
        Some(true) => language.choose("sound", "完全作"),
        Some(false) => language.choose("not sound", "不完全作"),
        None => language
            .choose("not known: some questions are beyond the limits", "不明（制限内に判定できない項目があります）"),
    };
    let kinds: [([&str; 2], Vec<String>); 8] = [
        (["first moves that mate, with plies", "詰む初手"], first.collect()),
        (["other solutions (余詰)", "余詰"], cook(false)),
        (["other moves by custom allowed", "慣例で許される別の手"], cook(true)),
        (["left over (駒余り)", "駒余り"], left.into_iter().collect()),
        (["not needed", "不要な駒"], unneeded),
        (["pawn drop would mate (打ち歩詰め)", "打ち歩詰めになる手"], traps.collect()),
        (["questions beyond the limits", "制限内に判定できなかった項目の数"], unanswered.into_iter().collect()),
        (["verdict", "判定"], vec![verdict.to_owned()]),
    ];
    let held = kinds.into_iter().filter(|(_, items)| !items.is_empty());
    let line = |([english, japanese], items): ([&str; 2], Vec<String>)| {
        let items = items.join(language.choose(", ", "、"));
        format!("{}: {items}", language.choose(english, japanese))
    };
    held.map(line).collect()
}

fn hand_in_japanese(hand: Hand) -> String {
    let word = |(piece_type, count): (PieceType, u32)| {
        let count = if count > 1 { count.to_string() } else { String::new() };
        format!("{}{count}", piece_in_japanese(piece_type))
    };
    hand.iter().map(word).collect::<Vec<_>>().join("、")
}

fn unneeded_in_japanese(soundness: &Soundness) -> Vec<String> {
    let words = soundness.unneeded.iter().map(|&(piece, square)| {
        let name = piece_in_japanese(piece.piece_type());
        square.map_or_else(|| format!("持駒の{name}"), |square| format!("{}の{name}", square_in_japanese(square)))
    });
    words.collect()
}

/// Pieces as SFEN letters with their squares, or with `*` when in hand.
pub(super) fn unneeded(soundness: &Soundness) -> Vec<String> {
    let place =
        |square: &Option<_>| square.map_or_else(|| "*".to_owned(), |square: crate::types::Square| square.to_string());
    soundness.unneeded.iter().map(|(piece, square)| format!("{piece}{}", place(square))).collect()
}

/// A folder of solutions, a file for each problem.
pub(super) struct KifFolder {
    path: PathBuf,
    form: RecordForm,
    wording: Wording,
    written: WrittenNames,
}

impl KifFolder {
    /// Makes the folder if there is none.
    pub(super) fn create(path: &Path, encoding: EncodingArg, wording: Wording) -> Result<KifFolder> {
        fs::create_dir_all(path).map_err(|error| naming(path, error))?;
        let form = RecordForm::for_files(Format::Kif, encoding);
        Ok(KifFolder { path: path.to_owned(), form, wording, written: WrittenNames::default() })
    }

    /// Writes the solution of a problem, named by its number, if it has one or is known to have none. Files that were
    /// there before stay.
    fn write(&mut self, number: usize, name: &str, answer: &Answer) -> Result {
        let Some(record) = record(name, answer, self.wording) else { return Ok(()) };
        self.form.warn_of_unencodable(&record, &Foreign(name), self.wording.language());
        let bytes = self.form.bytes(&self.form.text(&record)).into_owned();
        self.written.write(&self.path, &format!("{number:05}"), self.form.extension(), &bytes)
    }
}

/// Whether a file's name is one that a solution may be given.
pub(super) fn is_solution(name: &str) -> bool {
    let number = name.strip_suffix(".kif").or(name.strip_suffix(".kifu"));
    number.is_some_and(|number| number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn record(name: &str, Answer { start, result, soundness }: &Answer, wording: Wording) -> Option<GameRecord> {
    let (moves, ending, remark) = match &result.outcome {
        MateOutcome::Mate(mate) => {
            let length = if mate.is_shortest { mate_in(mate.plies()) } else { mate_within(mate.plies()) };
            (mate.moves.as_slice(), Ending::Mate, length)
        }
        MateOutcome::NoMate { escape } => (escape.as_slice(), Ending::NoMate, "不詰".to_owned()),
        MateOutcome::NoMateWithin(_) | MateOutcome::Unknown => return None,
    };
    // A problem has no game before it.
    let mut record = GameRecord::from(&GameLine::new(start.without_history(), moves.iter().copied()));
    record.add_info("作品名", name);
    let comments = &mut record.node_mut(NodeId::ROOT).comments;
    comments.push(remark);
    comments.extend(soundness.iter().flat_map(|found| soundness_lines(start, found, wording)));
    let last = record.main_line().last()?;
    record.append(last, Entry::End(ending));
    Some(record)
}
