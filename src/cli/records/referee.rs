//! `kurosabi referee`.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Args;
use serde_json::json;

use super::reading::{check_all, for_each_record, inputs_of};
use crate::position::EnteringKingRule;
use crate::records::{GameRecord, RecordResult, Verdict};
use crate::rules::Rules;
use crate::types::Color;

/// Decide who won recorded games, and by which rule, under each rule for entering kings
#[derive(Debug, Args)]
pub(in crate::cli) struct RefereeArgs {
    /// Files, folders or patterns of game records in any format; - for standard input
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<OsString>,
    /// Count a game as drawn after this many moves [default: what the record says under 最大手数 (CSA: $MAX_MOVES),
    /// else never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Write one JSON object per game instead of text
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &RefereeArgs) -> io::Result<()> {
    let (inputs, missing) = inputs_of(&args.inputs);
    let mut out = io::stdout().lock();
    let unread = for_each_record(&inputs, |input, number, record| {
        let case = Case::new(input.name(), number, record, args.max_moves);
        if args.json { case.write_json(&mut out) } else { case.write_text(&mut out) }
    })?;
    check_all(missing + unread, "read")
}

/// A game and what every rule says to it.
struct Case<'a> {
    name: String,
    number: usize,
    record: &'a GameRecord,
    max_moves: Option<u32>,
    verdicts: Vec<(EnteringKingRule, Verdict)>,
}

impl<'a> Case<'a> {
    fn new(name: String, number: usize, record: &'a GameRecord, max_moves: Option<u32>) -> Case<'a> {
        let recorded = record.info("最大手数").and_then(|text| text.trim_end_matches('手').trim().parse().ok());
        let max_moves = max_moves.or(recorded.filter(|&limit: &u32| limit > 0));
        let judge = |king_rule| (king_rule, record.verdict(&Rules { king_rule, max_moves }));
        let verdicts = EnteringKingRule::ALL.into_iter().map(judge).collect();
        Case { name, number, record, max_moves, verdicts }
    }

    /// Points and pieces towards declaration at the end, Black's first.
    fn points(&self) -> [(u32, u32); 2] {
        let position = self.record.last_position();
        Color::ALL.map(|color| {
            let declaration = position.declaration_of(color, EnteringKingRule::CsaRule27);
            (declaration.points, declaration.pieces)
        })
    }

    fn recorded(&self) -> Option<(String, RecordResult)> {
        let ending = self.record.ending()?;
        let result = match self.record.winner() {
            Some(winner) => RecordResult::Win(winner),
            None if ending.is_draw() => RecordResult::Draw,
            None => RecordResult::Open,
        };
        Some((format!("{} ({})", ending.japanese(), ending.english()), result))
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let player = |color| self.record.player(color).unwrap_or("?");
        let number = if self.number > 1 { format!(" ({})", self.number) } else { String::new() };
        writeln!(out, "{}{number}: ▲{} △{}", self.name, player(Color::Black), player(Color::White))?;
        let moves = self.record.legal_moves().len();
        match self.recorded() {
            Some((ending, result)) => writeln!(out, "  Record   {moves} moves, {ending}: {result}")?,
            None => writeln!(out, "  Record   {moves} moves, no end given")?,
        }
        let [black, white] = self.points();
        writeln!(
            out,
            "  Points   Black {} ({} pieces in the zone), White {} ({} pieces)",
            black.0, black.1, white.0, white.1
        )?;
        if let Some(limit) = self.max_moves {
            writeln!(out, "  Limit    {limit} moves")?;
        }
        for remark in self.record.contradictions() {
            writeln!(out, "  Remark   {remark}")?;
        }
        for (rule, verdict) in &self.verdicts {
            let first = self.first_declarations(*rule);
            writeln!(
                out,
                "  {:<15} {:<10}  after {} moves: {}{first}",
                rule.name(),
                verdict.result.to_string(),
                verdict.moves,
                verdict.ground
            )?;
        }
        Ok(())
    }

    fn first_declarations(&self, rule: EnteringKingRule) -> String {
        let firsts = self.record.first_declarations(rule);
        let firsts = firsts.iter().map(|first| format!("{:?} after {} moves", first.color, first.moves));
        match firsts.collect::<Vec<_>>() {
            firsts if firsts.is_empty() => String::new(),
            firsts => format!("; could have declared: {}", firsts.join(", ")),
        }
    }

    fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let side = |color: Color| if color == Color::Black { "black" } else { "white" };
        let result = |outcome: RecordResult| match outcome {
            RecordResult::Win(color) => side(color),
            RecordResult::Draw => "draw",
            RecordResult::Open => "none",
        };
        let verdicts = self.verdicts.iter().map(|(rule, verdict)| {
            let firsts = self.record.first_declarations(*rule);
            json!({
                "rule": rule.name(),
                "result": result(verdict.result),
                "kind": verdict.ground.kind(),
                "reason": verdict.ground.to_string(),
                "moves": verdict.moves,
                "could_declare": firsts.iter().map(|first| json!({
                    "side": side(first.color), "moves": first.moves,
                })).collect::<Vec<_>>(),
            })
        });
        let points = self.points().map(|(points, pieces)| json!({"points": points, "pieces": pieces}));
        let illegal = self.record.illegal_moves().map(|id| {
            let node = self.record.node(id);
            json!({
                "number": node.ply(),
                "line": node.source_line,
                "move": node.played().map(|mv| mv.to_string()),
                "reason": node.breach(),
            })
        });
        let line = json!({
            "file": self.name,
            "game": self.number,
            "black": self.record.player(Color::Black),
            "white": self.record.player(Color::White),
            "moves": self.record.legal_moves().len(),
            "recorded": self.record.ending().map(|ending| ending.japanese()),
            "recorded_result": self.recorded().map(|(_, outcome)| result(outcome)),
            "max_moves": self.max_moves,
            "points": {"black": points[0], "white": points[1]},
            "illegal": illegal.collect::<Vec<_>>(),
            "remarks": self.record.contradictions(),
            "verdicts": verdicts.collect::<Vec<_>>(),
        });
        writeln!(out, "{line}")
    }
}
