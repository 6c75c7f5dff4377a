//! The data that the page of a game shows.

use serde::Serialize;

use super::Text;
use crate::position::Position;
use crate::records::notation::Notation;
use crate::records::{EvaluatedLine, GameRecord};
use crate::report::{Breach, GameReport, Judgement, PositionAnalysis};
use crate::rules::{GameEnd, RepetitionWarning};
use crate::types::{Color, Move, Outcome, Square};

/// The initial settings of a page, and what it says about how it was made.
#[derive(Clone, Copy, Debug)]
pub struct PageOptions<'a> {
    /// `en` or `ja`
    pub language: &'a str,
    /// `usi`, `western`, `numeric` or `japanese`
    pub notation: &'a str,
    /// Engine and limits.
    pub engine: &'a str,
    /// Whether there is a list of games beside it.
    pub index: bool,
    /// What to say of the illegal move that ended the game, if one did.
    pub breach: Option<&'a Text>,
}

/// A move in USI, Japanese and western notation.
type Words = [String; 3];

#[derive(Serialize)]
pub(super) struct GameData<'a> {
    language: &'a str,
    notation: &'a str,
    engine: &'a str,
    index: bool,
    handicap: bool,
    about: Vec<Text>,
    start: String,
    positions: Vec<PositionData>,
    sides: [SideData; 2],
    turning: Vec<TurningData>,
    mates: Vec<MateData>,
    declarations: Vec<DeclarationData>,
}

#[derive(Serialize)]
struct PositionData {
    /// The number of the move to be played.
    number: u32,
    /// From Black's view, as the win rate.
    score: Option<(&'static str, i64)>,
    rate: Option<f64>,
    check: bool,
    notes: Vec<Text>,
    played: Option<PlayedData>,
    lines: Vec<LineData>,
}

#[derive(Serialize)]
struct PlayedData {
    #[serde(rename = "move")]
    words: Words,
    drop: f64,
    /// 0 to 2, null for none.
    mistake: Option<usize>,
}

#[derive(Serialize)]
struct LineData {
    score: (&'static str, i64),
    depth: Option<u32>,
    moves: Vec<Words>,
}

#[derive(Serialize)]
struct SideData {
    name: Option<String>,
    moves: usize,
    accuracy: Option<f64>,
    loss: Option<f64>,
    best: usize,
    mistakes: [usize; 3],
}

#[derive(Serialize)]
struct TurningData {
    moves: usize,
    leader: usize,
}

#[derive(Serialize)]
struct MateData {
    moves: usize,
    plies: usize,
}

#[derive(Serialize)]
struct DeclarationData {
    moves: usize,
    points: u32,
    rule: &'static str,
}

/// Moves shown of a line; mates are shown to their end.
const SHOWN_MOVES: usize = 16;

impl<'a> GameData<'a> {
    pub(super) fn new(
        record: &GameRecord,
        analyses: &[PositionAnalysis],
        report: &GameReport,
        options: &PageOptions<'a>,
    ) -> GameData<'a> {
        let mut position = record.start().ok().cloned();
        let is_handicap = record.is_handicap();
        let moves = record.legal_moves();
        let mut positions = Vec::new();
        let mut last = None;
        for (made, analysis) in analyses.iter().take(moves.len() + 1).enumerate() {
            let Some(position) = &mut position else { break };
            let rate = report.win_rates.get(made).copied().flatten();
            let played = moves.get(made).filter(|_| made + 1 < analyses.len());
            let judgement = report.judgements.get(made).and_then(Option::as_ref);
            let comments = record.main_line_node(made).map(|id| record.node(id).comments.clone()).unwrap_or_default();
            let shown = Shown { position, last, is_handicap };
            let data = shown.data(analysis, rate, played.copied(), judgement, comments);
            positions.push(data);
            if let (Some(data), Some(breach), None) = (positions.last_mut(), options.breach, played) {
                let data: &mut PositionData = data;
                data.notes.push(breach.clone());
            }
            if let Some(&mv) = played {
                position.do_move(mv);
                last = Some(mv.to());
            }
        }
        let side = |color: Color| {
            let side = &report.sides[color.index()];
            SideData {
                name: record.player(color).map(str::to_owned),
                moves: side.moves,
                accuracy: side.accuracy,
                loss: side.mean_loss,
                best: side.best_moves,
                mistakes: side.mistakes,
            }
        };
        GameData {
            language: options.language,
            notation: options.notation,
            engine: options.engine,
            index: options.index,
            handicap: is_handicap,
            about: about(record, report, moves.len()),
            start: record.start_sfen(),
            positions,
            sides: Color::ALL.map(side),
            turning: report
                .turning_points
                .iter()
                .map(|point| TurningData { moves: point.moves, leader: point.leader.index() })
                .collect(),
            mates: report
                .missed_mates
                .iter()
                .map(|missed| MateData { moves: missed.moves, plies: missed.mate.len() })
                .collect(),
            declarations: report
                .missed_declarations
                .iter()
                .map(|missed| DeclarationData {
                    moves: missed.moves,
                    points: missed.declaration.points,
                    rule: missed.declaration.rule.name(),
                })
                .collect(),
        }
    }
}

/// What the record says about the game.
fn about(record: &GameRecord, report: &GameReport, moves: usize) -> Vec<Text> {
    let mut about: Vec<Text> =
        ["棋戦", "開始日時"].into_iter().filter_map(|name| record.info(name)).map(Text::same).collect();
    if let Some(handicap) = record.handicap() {
        about.push(Text::new(handicap.english(), handicap.name()));
    }
    about
        .push(Text::new(if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }, format!("{moves}手")));
    about.push(result(record, report));
    if record.has_variations() {
        about.push(Text::new("main line only", "本譜のみ解析"));
    }
    about.retain(|text| !text.en.is_empty());
    about
}

/// How the game ended: by an illegal move, as the record says or, where it does not, as the rules end it.
pub(super) fn result(record: &GameRecord, report: &GameReport) -> Text {
    let by_rule = report.end.as_ref().filter(|end| !matches!(end, GameEnd::Declaration(..) | GameEnd::MoveLimit(_)));
    let breach = Breach::find(record);
    let (winner, english, japanese) = match (record.ending(), by_rule) {
        _ if breach.is_some() => (breach.map(|breach| breach.winner), "illegal move", "反則"),
        (Some(ending), _) => (record.winner(), ending.english(), ending.japanese()),
        (None, Some(end)) => {
            let [english, japanese] = end.short();
            (end.winner(), english, japanese)
        }
        (None, None) => return Text::same(""),
    };
    match winner {
        Some(winner) => Text::new(
            format!("{winner:?} wins ({english})"),
            format!("{}勝ち（{japanese}）", winner.japanese(record.is_handicap())),
        ),
        None => Text::new(english, japanese),
    }
}

/// A position of the game, and the square that the move before went to.
struct Shown<'a> {
    position: &'a Position,
    last: Option<Square>,
    is_handicap: bool,
}

impl Shown<'_> {
    fn data(
        &self,
        analysis: &PositionAnalysis,
        rate: Option<f64>,
        played: Option<Move>,
        judgement: Option<&Judgement>,
        comments: Vec<String>,
    ) -> PositionData {
        let position = self.position;
        let side = position.side_to_move();
        let write = |mv: Move| Notation::Japanese.write(&position.setup(), mv, None);
        let mut notes: Vec<Text> =
            analysis.end.iter().map(|end| Text::new(end.to_string(), end.japanese(self.is_handicap, write))).collect();
        let warning = RepetitionWarning::from_position(position);
        notes.extend(warning.map(|warning| Text::new(warning.to_string(), warning.japanese(self.is_handicap, write))));
        notes.extend(comments.iter().map(|comment| Text::same(comment)));
        // A line without moves but with a win is a declaration.
        let is_shown = |line: &EvaluatedLine| !line.pv.is_empty() || matches!(line.score, Outcome::WinIn(_));
        let lines = analysis.shown_lines().iter().filter(|line| is_shown(line)).map(|line| self.line(line)).collect();
        PositionData {
            number: position.game_ply(),
            score: analysis.score().map(|score| black_score(score, side)),
            rate: rate.map(rounded),
            check: position.in_check(),
            notes,
            played: played.map(|mv| PlayedData {
                words: self.words(&[mv]).pop().unwrap_or_default(),
                drop: judgement.map_or(0.0, |judgement| rounded(judgement.drop)),
                mistake: judgement.and_then(|judgement| judgement.mistake).map(|mistake| mistake as usize),
            }),
            lines,
        }
    }

    fn line(&self, line: &EvaluatedLine) -> LineData {
        let is_mate = matches!(line.score, Outcome::MateIn(_) | Outcome::MatedIn(_));
        let shown = if is_mate { line.pv.len() } else { line.pv.len().min(SHOWN_MOVES) };
        LineData {
            score: black_score(line.score, self.position.side_to_move()),
            depth: line.depth,
            moves: self.words(&line.pv[..shown]),
        }
    }

    fn words(&self, moves: &[Move]) -> Vec<Words> {
        let (mut board, mut last) = (self.position.setup(), self.last);
        let words = moves.iter().map(|&mv| {
            let words = [Notation::Usi, Notation::Japanese, Notation::Western].map(|it| it.write(&board, mv, last));
            board.do_move(mv);
            last = Some(mv.to());
            words
        });
        words.collect()
    }
}

/// The kind and the number, from Black's view.
fn black_score(score: Outcome, side: Color) -> (&'static str, i64) {
    let (kind, number) = match score {
        Outcome::Centipawns(centipawns) => ("cp", i64::from(centipawns)),
        Outcome::MateIn(plies) => ("mate", i64::from(plies)),
        Outcome::MatedIn(plies) => ("mate", -i64::from(plies)),
        Outcome::WinIn(plies) => ("rule", i64::from(plies)),
        Outcome::LossIn(plies) => ("rule", -i64::from(plies)),
    };
    (kind, if side == Color::Black { number } else { -number })
}

pub(super) fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
