//! What the rules say, as JSON.

use serde::Serialize;

use crate::cli::wording::side_name;
use crate::position::{Declaration, Position};
use crate::rules::{GameEnd, RepetitionWarning, Rules};
use crate::types::{Color, Move};

#[derive(Serialize)]
pub(super) struct EndRecord {
    kind: &'static str,
    /// Null for a draw.
    winner: Option<&'static str>,
    text: String,
}

impl From<&GameEnd> for EndRecord {
    fn from(end: &GameEnd) -> EndRecord {
        EndRecord { kind: end.kind(), winner: end.winner().map(side_name), text: end.to_string() }
    }
}

#[derive(Serialize)]
pub(super) struct RepetitionRecord {
    /// How often the position has occurred, this time included.
    occurrences: usize,
    /// The moves that would make some position occur for the fourth time.
    fourth: Vec<FourthRecord>,
    text: String,
}

#[derive(Serialize)]
struct FourthRecord {
    #[serde(rename = "move")]
    mv: String,
    /// Null for a draw.
    winner: Option<&'static str>,
}

impl From<RepetitionWarning> for RepetitionRecord {
    fn from(warning: RepetitionWarning) -> RepetitionRecord {
        let fourth =
            |&(mv, winner): &(Move, Option<Color>)| FourthRecord { mv: mv.to_string(), winner: winner.map(side_name) };
        RepetitionRecord {
            occurrences: warning.occurrences,
            fourth: warning.fourth.iter().map(fourth).collect(),
            text: warning.to_string(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct DeclarationRecords {
    black: Vec<DeclarationRecord>,
    white: Vec<DeclarationRecord>,
}

#[derive(Serialize)]
struct DeclarationRecord {
    rule: &'static str,
    wins: bool,
    draws: bool,
    points: u32,
    pieces: u32,
    points_short: u32,
    pieces_short: u32,
    king_entered: bool,
    text: String,
}

impl DeclarationRecords {
    pub(super) fn of(position: &Position) -> DeclarationRecords {
        let record = |declaration: Declaration| DeclarationRecord {
            rule: declaration.rule.name(),
            wins: declaration.wins,
            draws: declaration.draws,
            points: declaration.points,
            pieces: declaration.pieces,
            points_short: declaration.points_short(),
            pieces_short: declaration.pieces_short(),
            king_entered: declaration.king_entered,
            text: declaration.to_string(),
        };
        let of = |color| Rules::declarations(position, color).map(record).collect();
        DeclarationRecords { black: of(Color::Black), white: of(Color::White) }
    }
}
