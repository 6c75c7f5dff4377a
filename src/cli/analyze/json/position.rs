//! A position as JSON.

use serde::Serialize;

use super::rules::{DeclarationRecords, EndRecord, RepetitionRecord};
use super::{rounded, texts};
use crate::cli::analyze::has_entered_king;
use crate::cli::analyze::worker::Analysis;
use crate::cli::wording::side_name;
use crate::engine::Decision;
use crate::language::Text;
use crate::records::EvaluatedLine;
use crate::report::{FoundMate, Judgement, Mistake, win_rate};
use crate::rules::RepetitionWarning;
use crate::search::SearchInfo;
use crate::types::{Move, Outcome};

/// A position that was analysed. Texts are in USI notation, scores from the view of the side to move.
#[derive(Serialize)]
pub(super) struct AnalysisRecord {
    /// The file it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Number of the game in the file, from 1, where every position of a game is analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
    /// Number of the line in the input, from 1; 0 where there is none to name.
    line: usize,
    /// Number of the move to be played next in the game.
    move_number: u32,
    sfen: String,
    side: &'static str,
    /// A move, `win` for a declaration (`draw` for one that only draws), or null when the game is over.
    best_move: Option<String>,
    score: Option<ScoreRecord>,
    /// The chance of the side to move to win, 0 to 1.
    win_rate: Option<f64>,
    #[serde(skip_serializing_if = "is_false")]
    check: bool,
    /// The move played in the game, and what became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<PlayedRecord>,
    /// A mate by checks that the side to move has.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<MateRecord>,
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
    depth: u32,
    seldepth: u32,
    pv: Vec<String>,
}

/// An object with one member.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ScoreRecord {
    /// Hundredths of a pawn.
    Cp(i64),
    /// Plies to the mate; zero or less when the side to move is the one mated.
    Mate(i64),
    /// Plies to a win by rule (declaration, perpetual check), at least one; zero or less for a loss.
    Rule(i64),
}

impl From<Outcome> for ScoreRecord {
    fn from(outcome: Outcome) -> ScoreRecord {
        match outcome {
            Outcome::Centipawns(cp) => ScoreRecord::Cp(cp.into()),
            Outcome::MateIn(plies) => ScoreRecord::Mate(plies.into()),
            Outcome::MatedIn(plies) => ScoreRecord::Mate(-i64::from(plies)),
            Outcome::WinIn(plies) => ScoreRecord::Rule(plies.max(1).into()),
            Outcome::LossIn(plies) => ScoreRecord::Rule(-i64::from(plies)),
        }
    }
}

impl AnalysisRecord {
    /// An analysis, with the judgement of the move played, where there is one.
    pub(super) fn new(analysis: &Analysis, judgement: Option<&Judgement>) -> AnalysisRecord {
        let Analysis { game, made, position, answer, found, .. } = analysis;
        let best = answer.lines.first();
        let is_whole_game = game.record.is_some();
        AnalysisRecord {
            file: game.place.file(),
            game: is_whole_game.then_some(game.place.game),
            line: analysis.source_line(),
            move_number: position.game_ply(),
            sfen: position.to_sfen(),
            side: side_name(position.side_to_move()),
            best_move: match answer.decision {
                Decision::DeclareWin => Some("win".to_owned()),
                Decision::DeclareDraw => Some("draw".to_owned()),
                _ => found.best_move().map(|mv| mv.to_string()),
            },
            score: found.score().map(ScoreRecord::from),
            win_rate: found.score().map(|score| rounded(win_rate(score))),
            check: position.in_check(),
            played: is_whole_game.then(|| game.line.moves().get(*made)).flatten().map(|&mv| played(mv, judgement)),
            mate: found.mate.as_ref().map(MateRecord::from),
            depth: best.map_or(0, |line| line.depth),
            seldepth: best.map_or(0, |line| line.selective_depth),
            nodes: best.map_or(0, |line| line.nodes),
            nps: best.map_or(0, SearchInfo::nps),
            time_ms: best.map_or(0, |line| line.time.as_millis() as u64),
            pv: texts(found.best_line().unwrap_or_default()),
            multipv: found.shown_lines().iter().take(answer.lines.len()).zip(1..).map(LineRecord::from).collect(),
            game_end: found.end.as_ref().map(EndRecord::from),
            repetition: RepetitionWarning::of(position).map(RepetitionRecord::from),
            declaration: has_entered_king(position).then(|| DeclarationRecords::of(position)),
            messages: analysis.messages.iter().map(Text::to_string).collect(),
        }
    }
}

/// A move that was played. What its judgement says is missing where there is none.
#[derive(Serialize)]
struct PlayedRecord {
    #[serde(rename = "move")]
    mv: String,
    /// Its place among the lines of `multipv`; null where it is not among them.
    rank: Option<usize>,
    /// The score of the position after it, from its mover's view.
    score: Option<ScoreRecord>,
    /// What it lost against the best move, in hundredths of a pawn; scores are cut at 20 pawns.
    loss: Option<i32>,
    /// By how much it lowered the mover's chance to win.
    win_rate_loss: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mistake: Option<&'static str>,
}

fn played(mv: Move, judgement: Option<&Judgement>) -> PlayedRecord {
    PlayedRecord {
        mv: mv.to_string(),
        rank: judgement.and_then(|judgement| judgement.rank),
        score: judgement.map(|judgement| judgement.score.into()),
        loss: judgement.map(|judgement| judgement.loss),
        win_rate_loss: judgement.map(|judgement| rounded(judgement.drop)),
        mistake: judgement.and_then(|judgement| judgement.mistake).map(Mistake::english),
    }
}

#[derive(Serialize)]
struct MateRecord {
    plies: usize,
    moves: Vec<String>,
    /// Whether no mate is shorter.
    shortest: bool,
    /// Whether the move played keeps a mate; null where that is not known.
    kept: Option<bool>,
}

impl From<&FoundMate> for MateRecord {
    fn from(mate: &FoundMate) -> MateRecord {
        MateRecord { plies: mate.moves.len(), moves: texts(&mate.moves), shortest: mate.is_shortest, kept: mate.kept }
    }
}

impl From<(&EvaluatedLine, usize)> for LineRecord {
    fn from((line, rank): (&EvaluatedLine, usize)) -> LineRecord {
        // A mate that the solver found is as deep as it is long.
        let length = line.pv.len() as u32;
        let (depth, seldepth) = (line.depth.unwrap_or(length), line.selective_depth.unwrap_or(length));
        LineRecord { rank, score: line.score.into(), depth, seldepth, pv: texts(&line.pv) }
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}
