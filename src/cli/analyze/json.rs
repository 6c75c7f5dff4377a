//! Entries as JSON, one object a line.

use std::io;

use serde::Serialize;

use super::input::{BadLine, InputError};
use super::worker::{Analysis, Entry};
use super::{has_entered_king, side_name};
use crate::engine::Decision;
use crate::position::{Declaration, Position};
use crate::rules::{GameEnd, LineError, RepetitionWarning, Rules};
use crate::search::SearchInfo;
use crate::types::{Color, Move, Outcome};

/// A position that was analysed. Texts are in USI notation, scores from the view of the side to move.
#[derive(Serialize)]
struct AnalysisRecord {
    /// Number of the line in the input, from 1.
    line: usize,
    /// Number of the move to be played next in the game.
    move_number: u32,
    sfen: String,
    side: &'static str,
    /// A move, `win` for a declaration (`draw` for one that only draws), or null when there is no legal move.
    best_move: Option<String>,
    score: Option<ScoreRecord>,
    depth: i32,
    seldepth: usize,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    pv: Vec<String>,
    /// All lines asked for, the best first.
    multipv: Vec<LineRecord>,
    /// How the game ends in this position, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    game_end: Option<EndRecord>,
    /// A fourth occurrence of a position ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    repetition: Option<RepetitionRecord>,
    /// How both sides stand by each entering-king rule, where a king has entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    declaration: Option<DeclarationRecords>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<String>,
}

#[derive(Serialize)]
struct LineRecord {
    rank: usize,
    score: ScoreRecord,
    depth: i32,
    seldepth: usize,
    pv: Vec<String>,
}

/// An object with one member.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ScoreRecord {
    /// Hundredths of a pawn.
    Cp(i64),
    /// Plies to the mate; zero or less when the side to move is the one mated.
    Mate(i64),
    /// Plies to a win by rule (declaration, perpetual check); less than zero for a loss.
    Rule(i64),
}

impl From<Outcome> for ScoreRecord {
    fn from(outcome: Outcome) -> ScoreRecord {
        match outcome {
            Outcome::Centipawns(cp) => ScoreRecord::Cp(cp.into()),
            Outcome::MateIn(plies) => ScoreRecord::Mate(plies.into()),
            Outcome::MatedIn(plies) => ScoreRecord::Mate(-i64::from(plies)),
            Outcome::WinIn(plies) => ScoreRecord::Rule(plies.into()),
            Outcome::LossIn(plies) => ScoreRecord::Rule(-i64::from(plies)),
        }
    }
}

#[derive(Serialize)]
struct EndRecord {
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
struct RepetitionRecord {
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
struct DeclarationRecords {
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
    fn of(position: &Position) -> DeclarationRecords {
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

/// A line that could not be analysed.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    line: usize,
    text: &'a str,
    error: ErrorDescription,
}

#[derive(Serialize)]
struct ErrorDescription {
    /// Of an illegal move, the rule that it breaks.
    kind: &'static str,
    /// The move that cannot be made or read.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    /// Its place in the list of moves, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    message: String,
}

/// An entry as one line of text.
pub(super) fn record(entry: &Entry) -> io::Result<String> {
    let text = match entry {
        Entry::Analysis(analysis) => serde_json::to_string(&analysis_record(analysis)),
        Entry::Bad(line) => serde_json::to_string(&error_record(line)),
    };
    Ok(text? + "\n")
}

fn analysis_record(analysis: &Analysis) -> AnalysisRecord {
    let Analysis { position, answer, .. } = analysis;
    let best = answer.lines.first();
    let best_move = match answer.decision {
        Decision::DeclareWin => Some("win".to_owned()),
        Decision::DeclareDraw => Some("draw".to_owned()),
        _ => best.and_then(|line| line.pv.first()).map(ToString::to_string),
    };
    AnalysisRecord {
        line: analysis.line_number,
        move_number: position.game_ply(),
        sfen: position.to_sfen(),
        side: side_name(position.side_to_move()),
        best_move,
        score: best.map(|line| line.score.outcome().into()),
        depth: best.map_or(0, |line| line.depth),
        seldepth: best.map_or(0, |line| line.selective_depth),
        nodes: best.map_or(0, |line| line.nodes),
        nps: best.map_or(0, SearchInfo::nps),
        time_ms: best.map_or(0, |line| line.time.as_millis() as u64),
        pv: best.map(moves).unwrap_or_default(),
        multipv: answer.lines.iter().map(line_record).collect(),
        game_end: analysis.end.as_ref().map(EndRecord::from),
        repetition: RepetitionWarning::of(position).map(RepetitionRecord::from),
        declaration: has_entered_king(position).then(|| DeclarationRecords::of(position)),
        messages: analysis.messages.clone(),
    }
}

fn line_record(line: &SearchInfo) -> LineRecord {
    LineRecord {
        rank: line.multi_pv,
        score: line.score.outcome().into(),
        depth: line.depth,
        seldepth: line.selective_depth,
        pv: moves(line),
    }
}

fn moves(line: &SearchInfo) -> Vec<String> {
    line.pv.iter().map(ToString::to_string).collect()
}

fn error_record(line: &BadLine) -> ErrorRecord<'_> {
    let (mv, number) = match &line.error {
        InputError::Line(LineError::IllegalMove { mv, number, .. }) => (Some(mv.to_string()), Some(*number)),
        InputError::Line(LineError::UnreadableMove { text, number }) => (Some(text.clone()), Some(*number)),
        _ => (None, None),
    };
    let error = ErrorDescription { kind: line.error.kind(), mv, number, message: line.error.to_string() };
    ErrorRecord { line: line.number, text: &line.text, error }
}
