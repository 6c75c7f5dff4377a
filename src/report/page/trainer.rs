//! Questions from analysed games, each a position in which a better move was there, and the page that asks them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{PageOptions, fill, page_data};
use crate::records::GameRecord;
use crate::report::judgement::WIN_RATE_SCALE;
use crate::report::{GameReport, Mistake, PositionAnalysis, Scale, rounded};
use crate::rules::GameLine;
use crate::types::{Color, Outcome};

/// A position in which a better move was there than the one that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The name of the game's page, or where there is none of its record.
    pub source: String,
    /// The players, Black first.
    pub players: [Option<String>; 2],
    /// Moves made before.
    pub moves: usize,
    /// As USI's `position` has it, without the game before it.
    pub position: String,
    /// The move that was played.
    pub played: String,
    /// By how much that lowered the mover's win rate.
    pub drop: f64,
    /// And the score, in centipawns.
    pub loss: i32,
    /// Whether there was a handicap.
    pub handicap: bool,
    /// Whether that had decided the game, so that moves are judged in points.
    #[serde(default)]
    pub in_points: bool,
    /// Whether it missed a mate, that of the first line.
    pub mate: bool,
    /// The best lines.
    pub lines: Vec<QuestionLine>,
}

/// A line of a [`Question`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionLine {
    /// The kind and the number, from Black's view.
    score: (String, i64),
    moves: Vec<String>,
}

/// Moves kept of a line that does not mate.
const MOVES: usize = 8;

impl Question {
    /// The mistakes and missed mates of a game.
    pub fn all(
        source: &str,
        record: &GameRecord,
        line: &GameLine,
        analyses: &[PositionAnalysis],
        report: &GameReport,
    ) -> Vec<Question> {
        let missed = |moves: usize| report.missed_mates.iter().any(|missed| missed.moves == moves);
        let in_points = Scale::new(&line.start(), analyses.first(), Color::Black).is_in_points();
        let judged = report.judgements.iter().zip(analyses).enumerate();
        let questions = judged.filter_map(|(moves, (judgement, analysis))| {
            let judgement = judgement.as_ref()?;
            let is_mistake = judgement.mistake.is_some_and(|mistake| mistake >= Mistake::Mistake);
            let position = line.position_after(moves);
            let is_black = position.side_to_move() == Color::Black;
            let lines = analysis.shown_lines().into_iter().filter(|line| !line.pv.is_empty()).map(|line| {
                let is_mate = matches!(line.score, Outcome::MateIn(_) | Outcome::MatedIn(_));
                let shown = if is_mate { line.pv.len() } else { MOVES };
                let (kind, number) = if is_black { line.score } else { line.score.flipped(0) }.kind_and_number();
                let moves = line.pv.iter().take(shown).map(ToString::to_string).collect();
                QuestionLine { score: (kind.to_owned(), number), moves }
            });
            let lines: Vec<_> = lines.collect();
            // A win by rule may be nearer than the mate.
            let mate = missed(moves) && lines.first().is_some_and(|line| line.score.0 == "mate");
            // Without a move there is a win to be declared.
            ((is_mistake || mate) && !lines.is_empty()).then(|| Question {
                source: source.to_owned(),
                players: Color::ALL.map(|color| record.player(color).map(str::to_owned)),
                moves,
                position: format!("sfen {}", position.to_sfen()),
                played: judgement.played.to_string(),
                drop: rounded(judgement.drop),
                loss: judgement.loss,
                handicap: record.is_handicap(),
                in_points,
                mate,
                lines,
            })
        });
        questions.collect()
    }
}

const TRAINER: &str = include_str!("trainer.html");
const SCRIPT: [&str; 7] = [
    super::PAGE_SCRIPT,
    include_str!("words.js"),
    include_str!("board.js"),
    include_str!("input.js"),
    include_str!("questions.js"),
    include_str!("trainer.js"),
    include_str!("engine.js"),
];

/// The page that asks questions. It needs the [engine](super::engine_file), which it holds.
pub fn trainer_page(questions: &[Question], options: &PageOptions<'_>) -> String {
    let PageOptions { language, notation, index, .. } = *options;
    let data = json!({
        "language": language, "notation": notation, "index": index, "scale": WIN_RATE_SCALE, "questions": questions,
    });
    fill(TRAINER, language, "Kurosabi", data, &SCRIPT)
}

/// The questions of a page; `None` where the text is no such page.
pub fn trainer_questions(page: &str) -> Option<Vec<Question>> {
    let mut data: Value = page_data(page)?;
    serde_json::from_value(data.get_mut("questions")?.take()).ok()
}
