//! What the engine in a page says of the rules: rules, notation and formats of records are not written a second time
//! for pages.

use serde::Deserialize;
use serde_json::{Value, json};

use super::data::Shown;
use crate::movegen::legal_moves;
use crate::records::{Entry, GameRecord, NodeId, Records, diagram, write_kif};
use crate::rules::{GameEnd, GameLine, Rules};
use crate::types::{Color, Move};

/// What a page asks.
#[derive(Deserialize)]
struct Question {
    /// As USI's `position` has it.
    position: String,
    /// Moves from there, of which the notation is asked; each line up to the first move that is illegal.
    #[serde(default)]
    lines: Vec<String>,
    /// A record, and lines from its start to be added to it.
    record: Option<Addition>,
}

#[derive(Deserialize)]
struct Addition {
    /// In KIF.
    text: String,
    /// Moves in USI, each with a comment.
    lines: Vec<Vec<(String, String)>>,
}

/// The answer to a question, both JSON. What cannot be answered has `error`.
pub fn answer(question: &str) -> String {
    let question = serde_json::from_str(question).map_err(|error| error.to_string());
    let answer = question.and_then(|question: Question| question.answer());
    answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
}

impl Question {
    fn answer(&self) -> Result<Value, String> {
        let line: GameLine = self.position.parse().map_err(|error| format!("{error}"))?;
        let mut shown = Shown::new(line.start());
        line.moves().iter().for_each(|&mv| shown.make(mv));
        let end = GameEnd::from_position(&shown.position, &Rules::default());
        let lines = self.lines.iter().map(|moves| {
            let moves = moves.split_whitespace().map_while(|mv| mv.parse().ok());
            shown.words(GameLine::new(shown.position.clone(), moves).moves())
        });
        Ok(json!({
            "sfen": shown.position.to_sfen(),
            "number": shown.position.game_ply(),
            "check": shown.position.in_check(),
            "notes": shown.notes(end),
            // A declaration may be made, the other ends have come.
            "over": end.is_some_and(|end| !matches!(end, GameEnd::Declaration(..))),
            "end": end.map(|end| end.kind()),
            "winner": end.and_then(|end| end.winner()).map(Color::index),
            "moves": legal_moves(&shown.position).iter().flat_map(|&mv| shown.words(&[mv])).collect::<Vec<_>>(),
            "lines": lines.collect::<Vec<_>>(),
            "bod": diagram(&shown.position),
            "record": self.record.as_ref().map(Addition::write).transpose()?,
        }))
    }
}

impl Addition {
    fn write(&self) -> Result<String, String> {
        let mut record = Records::parse_kif(&self.text).map_err(|error| error.to_string())?;
        for line in &self.lines {
            let mut at = NodeId::ROOT;
            for (mv, comment) in line {
                at = next(&mut record, at, mv.parse().map_err(|error| format!("{error}"))?);
                record.node_mut(at).comments.extend(comment.lines().map(str::to_owned));
            }
        }
        Ok(write_kif(&record))
    }
}

/// The node of a move behind another, which is added where it is not there.
fn next(record: &mut GameRecord, at: NodeId, mv: Move) -> NodeId {
    let known = record.node(at).children().iter().copied().find(|&id| record.node(id).played() == Some(mv));
    known.unwrap_or_else(|| record.append(at, Entry::Move(mv)))
}
