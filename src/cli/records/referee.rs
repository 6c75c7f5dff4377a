//! `kurosabi referee`.

use std::ffi::OsString;
use std::io::Write;

use clap::Args;
use serde_json::json;

use super::inputs::{Input, Starts, for_each_record, inputs_of};
use crate::cli::arguments::{Wording, at_least};
use crate::cli::failure::Result;
use crate::cli::terminal::{Output, left};
use crate::language::{self, Language, contradiction, counted};
use crate::position::{EnteringKingRule, Position};
use crate::records::{Ending, GameRecord, ReadError, RecordResult, Verdict};
use crate::rules::Rules;
use crate::types::{Color, Move, Phrase, visible};

/// Decide who won recorded games, and by which rule, under each rule for entering kings
///
/// 棋譜の勝敗とその理由を、入玉のルールごとに判定します
#[derive(Debug, Args)]
pub(in crate::cli) struct RefereeArgs {
    /// Files, folders or patterns of game records in any format; - for standard input
    ///
    /// 棋譜のファイル、フォルダ、またはパターン。形式は問いません。- は標準入力
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<OsString>,
    /// Count a game as drawn after this many moves [default: what the record says under 最大手数 (CSA: $MAX_MOVES),
    /// else never]
    ///
    /// この手数で引き分けとします [既定値: 棋譜の「最大手数」（CSAでは$MAX_MOVES）、なければ無制限]
    #[arg(long, value_name = "N", value_parser = at_least::<u32>(1))]
    max_moves: Option<u32>,
    #[command(flatten)]
    wording: Wording,
    /// Write one JSON object per game instead of text
    ///
    /// 文章の代わりに、対局ごとに1つのJSONを出力します
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(args: &RefereeArgs) -> Result {
    let language = args.wording.language();
    let (inputs, missing) = inputs_of(&args.inputs, language);
    let mut out = if args.json { Output::data() } else { Output::text() };
    let mut failures = for_each_record(&inputs, language, Starts::Allowed, |input, number, record| {
        let case = Case::new(input, number, record, args.max_moves);
        let write = |case: Case<'_>| match args.json {
            true => case.write_json(&mut out),
            false => case.write_text(&mut out, args.wording),
        };
        case.map_or(Ok(()), write)
    })?;
    failures.unread += missing;
    failures.check(Phrase::new("read", "読み込め"))
}

/// A game and what every rule says to it.
struct Case<'a> {
    input: &'a Input,
    number: usize,
    record: &'a GameRecord,
    last_position: Position,
    max_moves: Option<u32>,
    verdicts: Vec<(EnteringKingRule, Verdict)>,
}

impl<'a> Case<'a> {
    /// # Errors
    /// When the rules do not allow the start.
    fn new(
        input: &'a Input,
        number: usize,
        record: &'a GameRecord,
        max_moves: Option<u32>,
    ) -> Result<Case<'a>, &'a ReadError> {
        let last_position = record.last_position()?;
        let recorded = record.info("最大手数").and_then(|text| text.trim_end_matches('手').trim().parse().ok());
        let max_moves = max_moves.or(recorded.filter(|&limit: &u32| limit > 0));
        let judge = |king_rule| (king_rule, record.verdict(&Rules { king_rule, max_moves }));
        let verdicts = EnteringKingRule::ALL.into_iter().map(judge).collect();
        Ok(Case { input, number, record, last_position, max_moves, verdicts })
    }

    /// Points and pieces towards declaration at the end, Black's first.
    fn points(&self) -> [(u32, u32); 2] {
        Color::ALL.map(|color| {
            let declaration = self.last_position.declaration_of(color, EnteringKingRule::CsaRule27);
            (declaration.points, declaration.pieces)
        })
    }

    fn recorded(&self) -> Option<(&Ending, RecordResult)> {
        Some((self.record.ending()?, self.record.result()?))
    }

    fn write_text(&self, out: &mut impl Write, wording: Wording) -> Result {
        let player = |color| self.record.player(color).unwrap_or("?");
        let number = if self.number > 1 { format!(" ({})", self.number) } else { String::new() };
        let heading = format!(
            "{}{number}: ▲{} △{}",
            wording.language().say(self.input),
            player(Color::Black),
            player(Color::White)
        );
        writeln!(out, "{}", visible(&heading))?;
        let language = wording.language();
        let mut subjects = vec![(["Record", "棋譜"], self.record_text(language)), self.points_text(language)];
        subjects.extend(self.max_moves.map(|limit| {
            (["Limit", "手数制限"], language.choose(counted(limit as usize, "move"), format!("{limit}手")))
        }));
        let is_handicap = self.record.is_handicap();
        subjects.extend(self.record.contradictions().iter().map(|found| {
            let said = language.say(&contradiction(found, is_handicap));
            (["Remark", "備考"], said)
        }));
        for ([english, japanese], text) in subjects {
            writeln!(out, "  {} {text}", left(language.choose(english, japanese), 8))?;
        }
        for (rule, verdict) in &self.verdicts {
            let result = self.result_text(verdict.result, language);
            let (ground, moves) = (self.ground_text(verdict, wording), verdict.moves);
            let why =
                language.choose(format!("after {}: {ground}", counted(moves, "move")), format!("{moves}手で{ground}"));
            writeln!(out, "  {} {}  {why}", left(rule.name(), 15), left(&result, 10))?;
        }
        Ok(())
    }

    fn result_text(&self, result: RecordResult, language: Language) -> String {
        language.say(&language::result(result, self.record.is_handicap()))
    }

    fn record_text(&self, language: Language) -> String {
        let moves = self.record.legal_moves().len();
        let Some((ending, result)) = self.recorded() else {
            return language
                .choose(format!("{}, no end given", counted(moves, "move")), format!("{moves}手、終局の記載なし"));
        };
        let (english, japanese) = (ending.english(), ending.japanese());
        let result = self.result_text(result, language);
        language.choose(
            format!("{}, {japanese} ({english}): {result}", counted(moves, "move")),
            format!("{moves}手、{japanese}: {result}"),
        )
    }

    fn points_text(&self, language: Language) -> ([&'static str; 2], String) {
        let [black, white] = self.points();
        let [first, second] = Color::ALL.map(|color| color.japanese(self.record.is_handicap()));
        let pieces = [black, white].map(|(_, pieces)| counted(pieces as usize, "piece"));
        let said = language.choose(
            format!("Black {} ({} in the zone), White {} ({})", black.0, pieces[0], white.0, pieces[1]),
            format!("{first}{}点（敵陣{}枚）、{second}{}点（敵陣{}枚）", black.0, black.1, white.0, white.1),
        );
        (["Points", "点数"], said)
    }

    fn ground_text(&self, verdict: &Verdict, wording: Wording) -> String {
        // Of a move: it is the last one that counts, or the one behind it where that breaks the rules.
        let write = |mv: Move| {
            let nodes: Vec<_> = self.record.main_line().filter(|&id| self.record.node(id).played().is_some()).collect();
            let at = nodes.iter().take(verdict.moves).rposition(|&id| self.record.node(id).played() == Some(mv));
            let board = at.map_or_else(|| self.last_position.setup(), |at| self.record.board_before(nodes[at]));
            wording.notation().write(&board, mv, None)
        };
        let ground = &verdict.ground;
        match wording.language() {
            Language::English => ground.to_string(),
            Language::Japanese => language::ground(ground, self.record.is_handicap(), write),
        }
    }

    fn write_json(&self, out: &mut impl Write) -> Result {
        let side = |color: Color| if color == Color::Black { "black" } else { "white" };
        let result = |outcome: RecordResult| match outcome {
            RecordResult::Win(color) => side(color),
            RecordResult::Draw => "draw",
            RecordResult::Open => "none",
        };
        let verdicts = self.verdicts.iter().map(|(rule, verdict)| {
            json!({
                "rule": rule.name(),
                "result": result(verdict.result),
                "kind": verdict.ground.kind(),
                "reason": verdict.ground.to_string(),
                "moves": verdict.moves,
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
            "file": self.input.name(),
            "game": self.number,
            "black": self.record.player(Color::Black),
            "white": self.record.player(Color::White),
            "moves": self.record.legal_moves().len(),
            "recorded": self.record.ending().map(|ending| ending.japanese()),
            "recorded_result": self.recorded().map(|(_, outcome)| result(outcome)),
            "max_moves": self.max_moves,
            "points": {"black": points[0], "white": points[1]},
            "illegal": illegal.collect::<Vec<_>>(),
            "remarks": self.record.contradictions().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "verdicts": verdicts.collect::<Vec<_>>(),
        });
        Ok(writeln!(out, "{line}")?)
    }
}
