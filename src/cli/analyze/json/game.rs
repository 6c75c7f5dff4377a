//! The report of a game as JSON.

use serde::Serialize;

use super::rules::{DeclarationRecords, EndRecord};
use super::{rounded, texts};
use crate::cli::analyze::has_entered_king;
use crate::cli::analyze::input::Game;
use crate::cli::wording::side_name;
use crate::position::Declaration;
use crate::records::GameRecord;
use crate::report::{Breach, GameReport, MissedDeclaration, MissedMate, SideReport, TurningPoint};
use crate::types::Color;

/// The line that follows the positions of a game.
#[derive(Serialize)]
pub(super) struct ReportLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    game: usize,
    report: ReportRecord,
}

#[derive(Serialize)]
struct ReportRecord {
    black: SideRecord,
    white: SideRecord,
    /// The name of the start; null where it has none.
    start: Option<&'static str>,
    /// Legal moves.
    moves: usize,
    /// How the record says that the game ended, in Japanese and in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<[String; 2]>,
    /// By an illegal move, or by what the record says.
    winner: Option<&'static str>,
    /// The move that ends the game and breaks the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    illegal_move: Option<IllegalMoveRecord>,
    /// How the rules end the game in the last position, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    game_end: Option<EndRecord>,
    turning_points: Vec<TurningPointRecord>,
    missed_mates: Vec<MissedMateRecord>,
    missed_declarations: Vec<MissedDeclarationRecord>,
    /// How both sides stand at the end, where a king has entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    declaration: Option<DeclarationRecords>,
}

#[derive(Serialize)]
struct IllegalMoveRecord {
    number: u32,
    #[serde(rename = "move")]
    mv: String,
    /// The rule that it breaks, as one word and in words.
    kind: &'static str,
    reason: String,
}

impl From<&Breach> for IllegalMoveRecord {
    fn from(breach: &Breach) -> IllegalMoveRecord {
        let Breach { number, mv, reason, .. } = breach;
        IllegalMoveRecord { number: *number, mv: mv.to_string(), kind: reason.kind(), reason: reason.to_string() }
    }
}

#[derive(Serialize)]
struct SideRecord {
    name: Option<String>,
    moves: usize,
    /// Percent.
    accuracy: Option<f64>,
    /// Hundredths of a pawn.
    mean_loss: Option<f64>,
    best_moves: usize,
    dubious: usize,
    mistakes: usize,
    blunders: usize,
}

/// Moves are numbered from 1.
#[derive(Serialize)]
struct TurningPointRecord {
    number: usize,
    #[serde(rename = "move")]
    mv: Option<String>,
    leader: &'static str,
}

#[derive(Serialize)]
struct MissedMateRecord {
    number: usize,
    plies: usize,
    shortest: bool,
    moves: Vec<String>,
}

#[derive(Serialize)]
struct MissedDeclarationRecord {
    number: usize,
    rule: &'static str,
    points: u32,
    pieces: u32,
}

impl ReportLine {
    pub(super) fn new(game: &Game, report: &GameReport) -> ReportLine {
        let record = game.record.as_ref();
        let moves = game.line.moves();
        let last = game.line.end();
        let side = |color: Color| SideRecord::new(record, color, &report.sides[color.index()]);
        let turning_point = |point: &TurningPoint| TurningPointRecord {
            number: point.moves + 1,
            mv: moves.get(point.moves).map(ToString::to_string),
            leader: side_name(point.leader),
        };
        let ending = record.and_then(GameRecord::ending);
        let report = ReportRecord {
            black: side(Color::Black),
            white: side(Color::White),
            start: record.and_then(GameRecord::handicap).map(|handicap| handicap.english()),
            moves: moves.len(),
            ending: ending.map(|ending| [ending.japanese().to_owned(), ending.english().to_owned()]),
            winner: game
                .breach
                .as_ref()
                .map(|breach| breach.winner)
                .or(record.and_then(GameRecord::winner))
                .map(side_name),
            illegal_move: game.breach.as_ref().map(IllegalMoveRecord::from),
            game_end: report.end.as_ref().map(EndRecord::from),
            turning_points: report.turning_points.iter().map(turning_point).collect(),
            missed_mates: report.missed_mates.iter().map(MissedMateRecord::from).collect(),
            missed_declarations: report.missed_declarations.iter().map(MissedDeclarationRecord::from).collect(),
            declaration: has_entered_king(&last).then(|| DeclarationRecords::of(&last)),
        };
        ReportLine { file: game.place.file(), game: game.place.game, report }
    }
}

impl SideRecord {
    fn new(record: Option<&GameRecord>, color: Color, report: &SideReport) -> SideRecord {
        let [dubious, mistakes, blunders] = report.mistakes;
        SideRecord {
            name: record.and_then(|record| record.player(color)).map(str::to_owned),
            moves: report.moves,
            accuracy: report.accuracy.map(rounded),
            mean_loss: report.mean_loss.map(rounded),
            best_moves: report.best_moves,
            dubious,
            mistakes,
            blunders,
        }
    }
}

impl From<&MissedMate> for MissedMateRecord {
    fn from(missed: &MissedMate) -> MissedMateRecord {
        MissedMateRecord {
            number: missed.moves + 1,
            plies: missed.mate.len(),
            shortest: missed.is_shortest,
            moves: texts(&missed.mate),
        }
    }
}

impl From<&MissedDeclaration> for MissedDeclarationRecord {
    fn from(missed: &MissedDeclaration) -> MissedDeclarationRecord {
        let Declaration { rule, points, pieces, .. } = missed.declaration;
        MissedDeclarationRecord { number: missed.moves + 1, rule: rule.name(), points, pieces }
    }
}
