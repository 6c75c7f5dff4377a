//! Who won a recorded game, and by which rule.

use std::fmt;

use super::ReadError;
use super::ending::{Contradiction, Ending, RecordResult};
use super::record::{GameRecord, Legality, NodeId};
use crate::position::{Declaration, EnteringKingRule, IllegalMove, Position};
use crate::rules::{GameEnd, Rules};
use crate::types::{Color, Move};

/// How a game ended under one set of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who won.
    pub result: RecordResult,
    /// Why.
    pub ground: Ground,
    /// After how many moves.
    pub moves: usize,
}

/// What decided a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ground {
    /// The rules ended it.
    Rule(GameEnd),
    /// An illegal move, which loses.
    Illegal(Move, IllegalMove),
    /// A move for which the record names another piece, so that nothing can be said.
    Misnamed(Move),
    /// A declaration with all that the rule asks for.
    Declared(Declaration),
    /// A declaration with 24 to 30 points by the 24-point rule, a draw.
    DrawDeclared(Declaration),
    /// A declaration without what the rule asks for, which loses.
    FalseDeclaration(Declaration),
    /// A declaration where the rules know none.
    NoSuchDeclaration,
    /// By the 24-point rule, this side has less than 24 points in an impasse.
    TooFewPoints(Color, u32),
    /// What the record says: resignation, time, agreement …
    Record(Ending),
    /// The record breaks off.
    Nothing,
}

/// The fewest points that save a side in an impasse by the 24-point rule.
const DRAW_POINTS: u32 = 24;

impl GameRecord {
    /// Who won the main line's game by these rules. The first event counts; what follows it does not.
    pub fn verdict(&self, rules: &Rules) -> Verdict {
        // What a player may declare is no end until it is declared.
        let board_rules = Rules { king_rule: EnteringKingRule::NoEnteringKing, ..*rules };
        let Ok(mut position) = self.start().cloned() else {
            let ground = self.ending().map_or(Ground::Nothing, |ending| Ground::Record(ending.clone()));
            let result = self.result().unwrap_or(RecordResult::Open);
            return Verdict { result, ground, moves: self.moves_before_breach().len() };
        };
        let mut moves = 0;
        let mut said = None;
        for id in self.main_line().skip(1) {
            if let Some(end) = GameEnd::from_position(&position, &board_rules) {
                return Verdict::by_rule(end, moves);
            }
            let node = self.node(id);
            said = node.ending();
            let Some(mv) = node.played() else {
                // A game that was broken off may have been taken up again.
                if matches!(said, Some(Ending::Interrupt | Ending::Adjourn)) {
                    continue;
                }
                break;
            };
            let us = position.side_to_move();
            match node.legality {
                Legality::Illegal(reason) => {
                    return Verdict {
                        result: RecordResult::Win(!us),
                        ground: Ground::Illegal(mv, reason),
                        moves: moves + 1,
                    };
                }
                Legality::Misnamed | Legality::Unknown => {
                    return Verdict { result: RecordResult::Open, ground: Ground::Misnamed(mv), moves };
                }
                Legality::Legal => {}
            }
            let tried = position.declaration(rules.king_rule);
            position.do_move(mv);
            moves += 1;
            if tried.try_move == Some(mv) {
                return Verdict { result: RecordResult::Win(us), ground: Ground::Declared(tried), moves };
            }
        }
        if let Some(end) = GameEnd::from_position(&position, &board_rules) {
            return Verdict::by_rule(end, moves);
        }
        let (result, ground) = match said {
            None => (RecordResult::Open, Ground::Nothing),
            Some(Ending::Declaration) => declared(&position, rules.king_rule),
            Some(Ending::Impasse) => impasse(&position, rules.king_rule),
            Some(ending) => {
                (RecordResult::from_ending(ending, position.side_to_move()), Ground::Record(ending.clone()))
            }
        };
        Verdict { result, ground, moves }
    }

    /// The position at the end of the main line's legal moves.
    ///
    /// # Errors
    /// As [`GameRecord::start`].
    pub fn last_position(&self) -> Result<Position, &ReadError> {
        let mut position = self.start()?.clone();
        for mv in self.legal_moves() {
            position.do_move(mv);
        }
        Ok(position)
    }

    /// Where the record contradicts itself or the rules of the board: an end that is not there, moves after the end,
    /// another winner.
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let mut found = self.remarks.clone();
        let verdict = self.verdict(&Rules { king_rule: EnteringKingRule::NoEnteringKing, max_moves: None });
        let played = self.main_line().filter(|&id| self.node(id).played().is_some()).count();
        if played > verdict.moves {
            found.push(Contradiction::MovesAfterEnd(played - verdict.moves));
        }
        if let (RecordResult::Win(winner), Some(recorded)) = (verdict.result, self.winner())
            && winner != recorded
        {
            found.push(Contradiction::Winner(recorded));
        }
        match self.ending().filter(|_| matches!(verdict.ground, Ground::Record(_))) {
            Some(Ending::Repetition) => found.push(Contradiction::NoRepetition),
            Some(Ending::Mate) => found.push(Contradiction::NoMate),
            _ => {}
        }
        found
    }

    /// The node of the main line after this number of moves.
    pub fn main_line_node(&self, moves: usize) -> Option<NodeId> {
        self.main_line().filter(|&id| self.node(id).ending().is_none()).nth(moves)
    }
}

impl Verdict {
    fn by_rule(end: GameEnd, moves: usize) -> Verdict {
        let result = end.winner().map_or(RecordResult::Draw, RecordResult::Win);
        Verdict { result, ground: Ground::Rule(end), moves }
    }
}

fn declared(position: &Position, rule: EnteringKingRule) -> (RecordResult, Ground) {
    let us = position.side_to_move();
    let declaration = position.declaration(rule);
    match rule {
        EnteringKingRule::NoEnteringKing | EnteringKingRule::TryRule => (RecordResult::Open, Ground::NoSuchDeclaration),
        _ if declaration.wins => (RecordResult::Win(us), Ground::Declared(declaration)),
        _ if declaration.draws => (RecordResult::Draw, Ground::DrawDeclared(declaration)),
        _ => (RecordResult::Win(!us), Ground::FalseDeclaration(declaration)),
    }
}

/// An impasse that both agreed on. Only the 24-point rule counts then.
fn impasse(position: &Position, rule: EnteringKingRule) -> (RecordResult, Ground) {
    if matches!(rule, EnteringKingRule::CsaRule24 | EnteringKingRule::CsaRule24H) {
        // Pieces anywhere on the board and in hand, and what was given as handicap where that counts.
        let counts_given = rule == EnteringKingRule::CsaRule24H;
        let given = |color| if counts_given { position.handicap_points(color) } else { 0 };
        let points = Color::ALL.map(|color| position.all_points(color) + given(color));
        let poor = Color::ALL.into_iter().filter(|color| points[color.index()] < DRAW_POINTS).collect::<Vec<_>>();
        if let [loser] = poor[..] {
            return (RecordResult::Win(!loser), Ground::TooFewPoints(loser, points[loser.index()]));
        }
    }
    (RecordResult::Draw, Ground::Record(Ending::Impasse))
}

impl Ground {
    /// The kind as one word, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Ground::Rule(end) => end.kind(),
            Ground::Illegal(_, reason) => reason.kind(),
            Ground::Misnamed(_) => "unclear_move",
            Ground::Declared(_) => "declaration",
            Ground::DrawDeclared(_) => "declaration_draw",
            Ground::FalseDeclaration(_) => "false_declaration",
            Ground::NoSuchDeclaration => "no_such_declaration",
            Ground::TooFewPoints(..) => "too_few_points",
            Ground::Record(_) => "record",
            Ground::Nothing => "unfinished",
        }
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts =
            |declaration: &Declaration| format!("{} points, {} pieces", declaration.points, declaration.pieces);
        match self {
            Ground::Rule(end @ (GameEnd::Mate(_) | GameEnd::NoLegalMove(_) | GameEnd::RepetitionDraw)) => {
                f.write_str(end.short()[0])
            }
            Ground::Rule(GameEnd::PerpetualCheck(loser)) => write!(f, "sennichite by perpetual check of {loser:?}"),
            Ground::Rule(end) => write!(f, "{end}"),
            Ground::Illegal(mv, reason) => write!(f, "illegal move {mv}: {reason}"),
            Ground::Misnamed(mv) => write!(f, "the piece named for {mv} is not the one that moves"),
            Ground::Declared(declaration) => match declaration.try_move {
                Some(mv) => write!(f, "try with {mv}"),
                None => write!(f, "declaration ({})", counts(declaration)),
            },
            Ground::DrawDeclared(declaration) => write!(f, "declaration of a draw ({})", counts(declaration)),
            Ground::FalseDeclaration(declaration) => {
                write!(f, "declaration that does not hold ({})", counts(declaration))
            }
            Ground::NoSuchDeclaration => f.write_str("declared, which this rule does not know"),
            Ground::TooFewPoints(loser, points) => write!(f, "impasse, {loser:?} has {points} points, less than 24"),
            Ground::Record(ending) => write!(f, "{} (as recorded)", ending.english()),
            Ground::Nothing => f.write_str("the record breaks off"),
        }
    }
}
