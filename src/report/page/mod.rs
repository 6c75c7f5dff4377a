//! A game's report as one HTML page that needs nothing beside it, and the list of such pages.

mod answer;
mod data;
mod engine;
mod trainer;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use answer::answer;
pub use data::PageOptions;
pub use engine::{EngineFile, engine_file, with_engine_beside};
pub use trainer::{Question, trainer_page, trainer_questions};

use super::{GameReport, Mistake, PositionAnalysis, SideReport, rounded};
use crate::records::GameRecord;
use crate::types::{Color, Text, visible, visible_lines};

const GAME: &str = include_str!("game.html");
const INDEX: &str = include_str!("index.html");
const STYLE: &str = include_str!("style.css");
const PAGE_SCRIPT: &str = include_str!("page.js");
const GAME_SCRIPT: [&str; 13] = [
    PAGE_SCRIPT,
    include_str!("words.js"),
    include_str!("board.js"),
    include_str!("input.js"),
    include_str!("graph.js"),
    include_str!("game.js"),
    include_str!("panels.js"),
    include_str!("lesson.js"),
    include_str!("questions.js"),
    include_str!("practise.js"),
    include_str!("engine.js"),
    include_str!("study.js"),
    include_str!("live.js"),
];
const INDEX_SCRIPT: [&str; 2] = [PAGE_SCRIPT, include_str!("index.js")];

/// The page of a game whose positions were analysed, the start first.
pub fn game_page(
    record: &GameRecord,
    analyses: &[PositionAnalysis],
    report: &GameReport,
    options: &PageOptions<'_>,
) -> String {
    let data = data::game(record, analyses, report, options);
    let title = format!("{} - {}", name(record, Color::Black), name(record, Color::White));
    fill(GAME, options.language, &title, data, &GAME_SCRIPT)
}

fn name(record: &GameRecord, color: Color) -> &str {
    record.player(color).unwrap_or(if color == Color::Black { "☗" } else { "☖" })
}

/// A game in the list of games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IndexRow {
    /// The name of its page.
    pub file: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// How it ended.
    pub result: Text,
    /// Legal moves.
    pub moves: usize,
    /// Of both sides, Black's first.
    pub accuracy: [Option<f64>; 2],
    /// Black's win rate at some of the positions, the start first.
    pub rates: Vec<f64>,
    /// Mistakes and blunders of both sides.
    pub mistakes: usize,
}

/// Win rates kept for the small graph of a row.
const INDEX_RATES: usize = 60;

impl IndexRow {
    /// The row of a game whose page has this name.
    pub fn new(file: String, record: &GameRecord, report: &GameReport) -> IndexRow {
        let rates: Vec<f64> = report.win_rates.iter().copied().flatten().map(rounded).collect();
        let step = rates.len().div_ceil(INDEX_RATES).max(1);
        let serious = |side: &SideReport| -> usize {
            let serious = Mistake::ALL.iter().zip(side.mistakes).filter(|(mistake, _)| **mistake >= Mistake::Mistake);
            serious.map(|(_, count)| count).sum()
        };
        IndexRow {
            file,
            black: record.player(Color::Black).unwrap_or_default().to_owned(),
            white: record.player(Color::White).unwrap_or_default().to_owned(),
            result: data::result(record, report),
            moves: record.legal_moves().len(),
            accuracy: Color::ALL.map(|color| report.sides[color.index()].accuracy),
            rates: rates.iter().copied().step_by(step).collect(),
            mistakes: report.sides.iter().map(serious).sum(),
        }
    }
}

/// The list of games; `language` is `en` or `ja`. It may have the [page of questions](trainer_page) beside it.
pub fn index_page(games: Vec<IndexRow>, language: &str, has_trainer: bool) -> String {
    let data = json!({ "language": language, "games": games, "trainer": has_trainer });
    fill(INDEX, language, "Kurosabi", data, &INDEX_SCRIPT)
}

/// The rows of a list of games; `None` where the text is no such page.
pub fn index_rows(page: &str) -> Option<Vec<IndexRow>> {
    serde_json::from_value(page_data(page)?.get_mut("games")?.take()).ok()
}

/// What a page shows.
fn page_data(page: &str) -> Option<Value> {
    let (_, rest) = page.split_once("id=\"data\">")?;
    let (data, _) = rest.split_once("</script>")?;
    serde_json::from_str(data).ok()
}

/// The strings of a value [visible](visible_lines): a name with marks of direction would show what stands behind it in
/// another order.
fn with_visible_strings(value: Value) -> Value {
    match value {
        Value::String(text) => visible_lines(&text).into(),
        Value::Array(values) => values.into_iter().map(with_visible_strings).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, with_visible_strings(value))).collect(),
        other => other,
    }
}

fn fill(page: &str, language: &str, title: &str, data: Value, scripts: &[&str]) -> String {
    let data = with_visible_strings(data).to_string();
    let title = visible(title).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // One JSON text: without "<" it cannot end its element.
    let data = data.replace('<', "\\u003c");
    // "use strict" of the first holds for all: they are one script.
    let script = scripts.join("\n");
    let engine = if page.contains("@ENGINE@") { engine::element() } else { String::new() };
    // The template has no other "@" than those around its marks. Split once: marks are not looked for in what is put
    // in.
    let parts = page.split('@').map(|part| match part {
        "LANG" => language,
        "TITLE" => &title,
        "STYLE" => STYLE,
        "SCRIPT" => &script,
        "DATA" => &data,
        "ENGINE" => &engine,
        text => text,
    });
    parts.collect()
}
