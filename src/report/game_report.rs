//! The report of a game: how well each side moved, where the lead changed hands, what was missed.

use super::{GameNames, Judgement, Mistake, PositionAnalysis, Scale, win_rate};
use crate::position::{Declaration, EnteringKingRule, IllegalMove, Position, Setup};
use crate::records::{GameRecord, Ground, RecordResult};
use crate::rules::{GameEnd, Rules};
use crate::types::{Color, Move};

/// How well a side moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideReport {
    /// Moves that were judged.
    pub moves: usize,
    /// The mean of [`Judgement::accuracy`], in percent; `None` without moves.
    pub accuracy: Option<f64>,
    /// The mean of [`Judgement::loss`], in centipawns; `None` without moves.
    pub mean_loss: Option<f64>,
    /// Moves that were the engine's first choice.
    pub best_moves: usize,
    /// How many were dubious, mistakes and blunders, in the order of [`Mistake::ALL`].
    pub mistakes: [usize; 3],
}

/// A mate that a player had and missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissedMate {
    /// How many moves had been made.
    pub moves: usize,
    /// The mate.
    pub mate: Vec<Move>,
    /// Whether no mate is shorter.
    pub is_shortest: bool,
}

/// A declaration that would have won when a move was made instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissedDeclaration {
    /// How many moves had been made.
    pub moves: usize,
    /// How the side stood under the rule.
    pub declaration: Declaration,
}

/// What the analysis of a game says.
#[derive(Clone, Debug, Default)]
pub struct GameReport {
    /// The judgement of each move, as far as known.
    pub judgements: Vec<Option<Judgement>>,
    /// Black's win rate in each position, the start first.
    pub win_rates: Vec<Option<f64>>,
    /// The reports of both sides, by [`Color::index`].
    pub sides: [SideReport; 2],
    /// Where the lead changed hands.
    pub turning_points: Vec<TurningPoint>,
    /// Missed mates.
    pub missed_mates: Vec<MissedMate>,
    /// Declarations not made; the first of each run of them.
    pub missed_declarations: Vec<MissedDeclaration>,
    /// How the rules end the game after its last move, where that was analysed.
    pub end: Option<GameEnd>,
    /// The names of its openings and castles.
    pub names: GameNames,
}

/// The move with which a game ends that breaks the rules, and so loses.
#[derive(Clone, Debug)]
pub struct Breach {
    /// Its number in the game.
    pub number: u32,
    /// The move.
    pub mv: Move,
    /// The rule that it breaks.
    pub reason: IllegalMove,
    /// The board before it.
    pub board: Setup,
    /// Who wins by it.
    pub winner: Color,
    /// The line of the record that it stands in; 0 where there is none to name.
    pub source_line: u32,
    /// Moves recorded behind it.
    pub moves_behind: usize,
}

impl Breach {
    /// The first move of a record's main line that breaks the rules, where nothing else ended the game before.
    pub fn find(record: &GameRecord) -> Option<Breach> {
        let verdict = record.verdict(&Rules { king_rule: EnteringKingRule::NoEnteringKing, max_moves: None });
        let (Ground::Illegal(mv, reason), RecordResult::Win(winner)) = (verdict.ground, verdict.result) else {
            return None;
        };
        let moves: Vec<_> = record.main_line().filter(|&id| record.node(id).played().is_some()).collect();
        let &id = moves.get(verdict.moves.checked_sub(1)?)?;
        let (number, source_line) = (record.node(id).ply(), record.node(id).source_line);
        let moves_behind = moves.len() - verdict.moves;
        Some(Breach { number, mv, reason, board: record.board_before(id), winner, source_line, moves_behind })
    }
}

impl GameReport {
    /// The report of a game: its start, its moves, and the analysis of every position, the start first. Positions at
    /// the end may be missing.
    pub fn new(start: &Position, moves: &[Move], analyses: &[PositionAnalysis]) -> GameReport {
        let judgements = judgements(start, moves, analyses);
        let win_rates = win_rates(start.side_to_move(), analyses);
        let turning_points = turning_points(start.side_to_move(), &win_rates, &judgements);
        let mover = |moves: usize| if moves.is_multiple_of(2) { start.side_to_move() } else { !start.side_to_move() };
        let sides = Color::ALL.map(|color| {
            let own = judgements.iter().zip(analyses).enumerate();
            let own = own.filter(|(moves, _)| mover(*moves) == color);
            SideReport::new(own.filter_map(|(_, (judged, before))| Some((judged.as_ref()?, before))))
        });
        let missed_mates = analyses.iter().zip(moves).enumerate().filter_map(missed_mate).collect();
        let end = analyses.get(moves.len()).and_then(|analysis| analysis.end);
        let (missed_declarations, names) = (Vec::new(), GameNames::new(start, moves));
        let mut report =
            GameReport { judgements, win_rates, sides, turning_points, missed_mates, missed_declarations, end, names };
        report.find_missed_declarations(moves, analyses);
        report
    }

    fn find_missed_declarations(&mut self, moves: &[Move], analyses: &[PositionAnalysis]) {
        // A side that does not declare now is not blamed again for each move on which it could.
        let mut blamed = [false; 2];
        for (made, (analysis, &mv)) in analyses.iter().zip(moves).enumerate() {
            let blamed = &mut blamed[made % 2];
            match analysis.end {
                Some(GameEnd::Declaration(_, declaration)) if declaration.try_move != Some(mv) => {
                    if !std::mem::replace(blamed, true) {
                        self.missed_declarations.push(MissedDeclaration { moves: made, declaration });
                    }
                }
                _ => *blamed = false,
            }
        }
    }
}

fn judgements(start: &Position, moves: &[Move], analyses: &[PositionAnalysis]) -> Vec<Option<Judgement>> {
    let first = start.side_to_move();
    let scales = [first, !first].map(|side| Scale::new(start, analyses.first(), side));
    let judge =
        |(made, &mv): (usize, &Move)| Judgement::new(mv, analyses.get(made)?, analyses.get(made + 1), scales[made % 2]);
    moves.iter().enumerate().map(judge).collect()
}

fn win_rates(first: Color, analyses: &[PositionAnalysis]) -> Vec<Option<f64>> {
    let mut side = !first;
    let rates = analyses.iter().map(|analysis| {
        side = !side;
        let rate = analysis.score().map(win_rate);
        rate.map(|rate| if side == Color::Black { rate } else { 1.0 - rate })
    });
    rates.collect()
}

fn missed_mate((moves, (analysis, _)): (usize, (&PositionAnalysis, &Move))) -> Option<MissedMate> {
    let mate = analysis.mate.as_ref().filter(|_| analysis.misses_mate())?;
    Some(MissedMate { moves, mate: mate.moves.clone(), is_shortest: mate.is_shortest })
}

impl SideReport {
    fn new<'a>(judged: impl Iterator<Item = (&'a Judgement, &'a PositionAnalysis)>) -> SideReport {
        let mut report = SideReport::default();
        let (mut accuracy, mut loss) = (0.0, 0.0);
        for (judgement, before) in judged {
            report.moves += 1;
            accuracy += judgement.accuracy();
            loss += f64::from(judgement.loss);
            report.best_moves += usize::from(before.best_move() == Some(judgement.played));
            for (count, mistake) in report.mistakes.iter_mut().zip(Mistake::ALL) {
                *count += usize::from(judgement.mistake == Some(mistake));
            }
        }
        let mean = |sum: f64| (report.moves > 0).then(|| sum / report.moves as f64);
        SideReport { accuracy: mean(accuracy), mean_loss: mean(loss), ..report }
    }
}

/// A side leads from this win rate on.
const LEAD: f64 = 0.7;

/// A move that gave the lead to the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurningPoint {
    /// How many moves were made before it.
    pub moves: usize,
    /// Who led from then on.
    pub leader: Color,
}

/// The turning points of a game, from who moved first, Black's win rate in every position and the judgements of the
/// moves between. Between the last lead of one side and the first lead of the other it is the move of the side that led
/// which lost most; where that side made no move between, none gave the lead away.
fn turning_points(first: Color, win_rates: &[Option<f64>], judgements: &[Option<Judgement>]) -> Vec<TurningPoint> {
    let mover = |moves: usize| if moves.is_multiple_of(2) { first } else { !first };
    let drop = |moves: usize| judgements.get(moves).and_then(Option::as_ref).map_or(0.0, |judged| judged.drop);
    let mut points = Vec::new();
    // Who led last, and in which position.
    let mut lead: Option<(Color, usize)> = None;
    for (index, rate) in win_rates.iter().enumerate() {
        let leader = match rate {
            Some(rate) if *rate >= LEAD => Color::Black,
            Some(rate) if *rate <= 1.0 - LEAD => Color::White,
            _ => continue,
        };
        if let Some((before, since)) = lead
            && before != leader
        {
            let own = (since..index).filter(|&moves| mover(moves) == before);
            let worst = own.max_by(|&a, &b| drop(a).total_cmp(&drop(b)).then(b.cmp(&a)));
            points.extend(worst.map(|moves| TurningPoint { moves, leader }));
        }
        lead = Some((leader, index));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Outcome;

    /// The turning points where the moves lose by how much Black's win rates differ.
    fn points_of(first: Color, rates: &[f64]) -> Vec<TurningPoint> {
        let judge = |(moves, pair): (usize, &[f64])| {
            let is_black = moves.is_multiple_of(2) == (first == Color::Black);
            let drop = if is_black { pair[0] - pair[1] } else { pair[1] - pair[0] }.max(0.0);
            let played = "7g7f".parse().unwrap();
            Some(Judgement { played, rank: None, score: Outcome::Centipawns(0), loss: 0, drop, mistake: None })
        };
        let judgements: Vec<_> = rates.windows(2).enumerate().map(judge).collect();
        let rates: Vec<_> = rates.iter().copied().map(Some).collect();
        turning_points(first, &rates, &judgements)
    }

    #[test]
    fn a_turning_point_is_the_worst_move_of_the_side_that_lost_the_lead() {
        // Black loses 0.18 at first; the largest drop between, of 0.34, is White's.
        let rates = [0.70, 0.52, 0.35, 0.35, 0.69, 0.52, 0.30];
        assert_eq!(points_of(Color::Black, &rates), [TurningPoint { moves: 0, leader: Color::White }]);
        let mirrored = rates.map(|rate| 1.0 - rate);
        assert_eq!(points_of(Color::White, &mirrored), [TurningPoint { moves: 0, leader: Color::Black }]);
    }

    #[test]
    fn a_lead_lost_without_a_move_of_its_side_has_no_turning_point() {
        assert_eq!(points_of(Color::White, &[0.75, 0.25]), []);
        // Back again within a move of White's: that one is.
        let points = points_of(Color::White, &[0.75, 0.25, 0.20, 0.75]);
        assert_eq!(points, [TurningPoint { moves: 2, leader: Color::Black }]);
    }
}
