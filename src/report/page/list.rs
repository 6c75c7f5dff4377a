//! The list of games: a row for each, from which the page makes sums for each player.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{INDEX, INDEX_SCRIPT, data, fill, page_data};
use crate::records::GameRecord;
use crate::report::{GameReport, Judgement, Mistake};
use crate::types::{Color, PieceType, Text};

/// A game in the list of games. A list that an older program wrote has rows without some of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IndexRow {
    /// The name of its page.
    pub file: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// When it was played, as the record says it.
    #[serde(default)]
    pub date: String,
    /// What it was played for.
    #[serde(default)]
    pub event: String,
    /// The name of its opening.
    #[serde(default)]
    pub opening: Option<Text>,
    /// How it ended.
    pub result: Text,
    /// Who won, by [`Color::index`].
    #[serde(default)]
    pub winner: Option<usize>,
    /// Legal moves.
    pub moves: usize,
    /// Of both sides, Black's first.
    pub accuracy: [Option<f64>; 2],
    /// Black's win rate at some of the positions, the start first.
    pub rates: Vec<f64>,
    /// Mistakes and blunders of both sides.
    pub mistakes: usize,
    /// How each side played, Black first.
    #[serde(default)]
    pub sides: [IndexSide; 2],
}

/// How a side played a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct IndexSide {
    /// Its opening.
    pub opening: Option<Text>,
    /// Its castle.
    pub castle: Option<Text>,
    /// Opening, middle game and endgame.
    pub phases: [IndexPhase; 3],
    /// Mates that it missed.
    pub missed: usize,
    /// How often it lost the lead.
    pub lost: usize,
}

/// How a side played a phase of a game.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct IndexPhase {
    /// Its moves that were judged.
    pub moves: usize,
    /// The sum of their accuracies.
    pub accuracy: f64,
    /// How many were dubious, mistakes and blunders.
    pub mistakes: [usize; 3],
}

/// Win rates kept for the small graph of a row.
const INDEX_RATES: usize = 60;
/// The opening has no more moves than this.
const OPENING_MOVES: usize = 30;
/// With as many pieces other than pawns in hands the endgame begins.
const ENDGAME_PIECES: u8 = 5;

impl IndexRow {
    /// The row of a game whose page has this name.
    pub fn new(file: String, record: &GameRecord, report: &GameReport) -> IndexRow {
        let rates = report.win_rates.iter().copied().flatten().map(|rate| (rate * 100.0).round() / 100.0);
        let rates: Vec<f64> = rates.collect();
        let step = rates.len().div_ceil(INDEX_RATES).max(1);
        let said = |names: &[&str]| {
            let said = names.iter().filter_map(|name| record.info(name)).find(|said| !said.trim().is_empty());
            said.unwrap_or_default().to_owned()
        };
        let mut sides = [0, 1].map(|side| IndexSide {
            opening: report.names.sides[side].opening.map(Text::from),
            castle: report.names.sides[side].castle.map(Text::from),
            lost: report.turning_points.iter().filter(|point| point.leader.index() != side).count(),
            ..IndexSide::default()
        });
        let mover = |made: usize| record.start_board().side_to_move().index() ^ (made % 2);
        for (made, (phase, judgement)) in phases(record).into_iter().zip(&report.judgements).enumerate() {
            let phase = &mut sides[mover(made)].phases[phase];
            judgement.iter().for_each(|judgement| phase.add(judgement));
        }
        for missed in &report.missed_mates {
            sides[mover(missed.moves)].missed += 1;
        }
        let (result, winner) = data::result(record, report);
        IndexRow {
            file,
            black: record.player(Color::Black).unwrap_or_default().to_owned(),
            white: record.player(Color::White).unwrap_or_default().to_owned(),
            date: said(&["開始日時", "対局日", "終了日時"]),
            event: said(&["棋戦", "表題", "棋戦詳細"]),
            opening: report.names.opening.map(Text::from),
            result,
            winner: winner.map(Color::index),
            moves: record.legal_moves().len(),
            accuracy: Color::ALL.map(|color| report.sides[color.index()].accuracy),
            rates: rates.iter().copied().step_by(step).collect(),
            mistakes: report.sides.iter().flat_map(|side| &side.mistakes[Mistake::Mistake as usize..]).sum(),
            sides,
        }
    }
}

impl IndexPhase {
    fn add(&mut self, judgement: &Judgement) {
        self.moves += 1;
        self.accuracy += judgement.accuracy();
        judgement.mistake.into_iter().for_each(|mistake| self.mistakes[mistake as usize] += 1);
    }
}

/// The phase that each move belongs to.
fn phases(record: &GameRecord) -> Vec<usize> {
    let (mut board, mut is_endgame) = (record.start_board().clone(), false);
    let phases = record.legal_moves().into_iter().enumerate().map(|(made, mv)| {
        let pieces = PieceType::HAND.into_iter().filter(|&piece_type| piece_type != PieceType::Pawn);
        let held = pieces.map(|it| board.in_hand(Color::Black, it) + board.in_hand(Color::White, it)).sum::<u8>();
        is_endgame |= held >= ENDGAME_PIECES;
        board.do_move(mv);
        if is_endgame { 2 } else { usize::from(made >= OPENING_MOVES) }
    });
    phases.collect()
}

/// The list of games; `language` is `en` or `ja`. It may have the [page of questions](super::trainer_page) beside it.
pub fn index_page(games: Vec<IndexRow>, language: &str, has_trainer: bool) -> String {
    let data = json!({ "language": language, "games": games, "trainer": has_trainer });
    fill(INDEX, language, "Kurosabi", data, &INDEX_SCRIPT)
}

/// The rows of a list of games; `None` where the text is no such page.
pub fn index_rows(page: &str) -> Option<Vec<IndexRow>> {
    serde_json::from_value(page_data(page)?.get_mut("games")?.take()).ok()
}
