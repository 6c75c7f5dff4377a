//! Entries as JSON, one object a line.

use serde::Serialize;

use super::has_entered_king;
use super::input::{BadInput, InputError, InputGame};
use super::worker::Analysis;
use crate::cli::arguments::side_name;
use crate::cli::failure::Result;
use crate::cli::records::inputs::Input;
use crate::engine::Decision;
use crate::language::Text;
use crate::position::{Declaration, Position};
use crate::records::{EvaluatedLine, GameRecord};
use crate::report::{
    Breach, FoundMate, GameReport, Judgement, MissedDeclaration, MissedMate, Mistake, SideReport, TurningPoint,
    win_rate,
};
use crate::rules::{GameEnd, LineError, RepetitionWarning, Rules};
use crate::search::SearchInfo;
use crate::types::{Color, Move, Outcome};

/// Something that could not be analysed.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
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

/// What an input holds.
#[derive(Serialize)]
struct InputRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    holds: &'static str,
}

/// What an input holds as a line of text.
pub(super) fn input(input: &Input, is_lines: bool) -> Result<String> {
    let file = matches!(input, Input::File(_)).then(|| input.name());
    line(&InputRecord { file, holds: if is_lines { "lines" } else { "records" } })
}

/// A position as a line of text, with the judgement of the move played.
pub(super) fn position(analysis: &Analysis, judgement: Option<&Judgement>) -> Result<String> {
    line(&AnalysisRecord::new(analysis, judgement))
}

/// The report of a game as a line of text.
pub(super) fn game(game: &InputGame, report: &GameReport) -> Result<String> {
    line(&ReportLine::new(game, report))
}

/// What could not be analysed as a line of text.
pub(super) fn bad_input(bad: &BadInput) -> Result<String> {
    let (mv, number) = match &bad.error {
        InputError::Illegal { mv, number, .. } | InputError::Misnamed { mv, number } => {
            (Some(mv.to_string()), Some(*number))
        }
        InputError::Breach(breach) => (Some(breach.mv.to_string()), Some(breach.number as usize)),
        InputError::Line(LineError::UnreadableMove { text, number }) => (Some(text.clone()), Some(*number)),
        _ => (None, None),
    };
    let error = ErrorDescription { kind: bad.error.kind(), mv, number, message: bad.error.to_string() };
    line(&ErrorRecord { file: bad.place.file(), line: bad.place.line, text: &bad.text, error })
}

fn line(record: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(record)? + "\n")
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// To four decimals, which is more than anybody needs.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

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
    pub(super) fn new(game: &InputGame, report: &GameReport) -> ReportLine {
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
            declaration: has_entered_king(&last).then(|| DeclarationRecords::new(&last)),
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
            repetition: RepetitionWarning::from_position(position).map(RepetitionRecord::from),
            declaration: has_entered_king(position).then(|| DeclarationRecords::new(position)),
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
    fn new(position: &Position) -> DeclarationRecords {
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
