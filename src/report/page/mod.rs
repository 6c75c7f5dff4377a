//! A game's report as one HTML page that needs nothing beside it, and the list of such pages.

mod answer;
mod data;
mod engine;
mod list;
mod trainer;

use serde_json::Value;

pub use answer::answer;
pub use data::PageOptions;
pub use engine::{EngineFile, engine_file, with_engine_beside};
pub use list::{IndexRow, index_page, index_rows};
pub use trainer::{Question, trainer_page, trainer_questions};

use super::{GameReport, PositionAnalysis};
use crate::records::GameRecord;
use crate::types::{Color, visible, visible_lines};

const GAME: &str = include_str!("game.html");
const INDEX: &str = include_str!("index.html");
const STYLE: &str = include_str!("style.css");
const INDEX_STYLE: &str = include_str!("index.css");
const PAGE_SCRIPT: &str = include_str!("page.js");
const GAME_SCRIPT: [&str; 13] = [
    PAGE_SCRIPT,
    include_str!("words.js"),
    include_str!("board.js"),
    include_str!("input.js"),
    include_str!("graph.js"),
    include_str!("game.js"),
    include_str!("lesson.js"),
    include_str!("questions.js"),
    include_str!("practise.js"),
    include_str!("engine.js"),
    include_str!("study.js"),
    include_str!("live.js"),
    include_str!("panels.js"),
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
        "LIST" => INDEX_STYLE,
        "SCRIPT" => &script,
        "DATA" => &data,
        "ENGINE" => &engine,
        text => text,
    });
    parts.collect()
}
