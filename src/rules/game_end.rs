//! Positions in which a game ends by rule, and the words that stand for such an end in a list of moves.

use std::fmt;

use super::Rules;
use crate::movegen::{has_legal_move, legal_moves};
use crate::position::{Declaration, Position, Repetition};
use crate::types::{Color, Move};

/// Why a game is over, or may be ended by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// This side is mated.
    Mate(Color),
    /// This side is not in check but has no legal move, which loses as well.
    NoLegalMove(Color),
    /// The position occurred for the fourth time without perpetual check.
    RepetitionDraw,
    /// The position occurred for the fourth time, this side having given check with every move in between.
    PerpetualCheck(Color),
    /// This side may declare a win (or, by the try rule, win with a king move) now.
    Declaration(Color, Declaration),
    /// By the try rule, this side's king has reached the square where the enemy king starts.
    Try(Color),
    /// So many moves were made, after which the game is drawn.
    MoveLimit(u32),
}

impl GameEnd {
    /// What the rules say about a position with its history.
    ///
    /// What the last move did comes first: it left no legal move, was a try, or left the position for the fourth time.
    /// Then the move limit, for servers end the game with the move that reaches it (at WCSC a mate on the board still
    /// counts, and all else is drawn), so that a declaration, which takes the place of a move, comes too late.
    pub fn from_position(position: &Position, rules: &Rules) -> Option<GameEnd> {
        let us = position.side_to_move();
        if let Some(end) = GameEnd::without_move(position) {
            return Some(end);
        }
        if rules.has_tried(position) {
            return Some(GameEnd::Try(!us));
        }
        match position.repetition() {
            Repetition::Draw => return Some(GameEnd::RepetitionDraw),
            Repetition::Win => return Some(GameEnd::PerpetualCheck(!us)),
            Repetition::Lose => return Some(GameEnd::PerpetualCheck(us)),
            Repetition::None => {}
        }
        if let Some(limit) = rules.max_moves.filter(|_| rules.is_too_long(position)) {
            return Some(GameEnd::MoveLimit(limit));
        }
        rules.can_declare(position).then(|| GameEnd::Declaration(us, position.declaration(rules.king_rule)))
    }

    /// The end where the side to move has no legal move.
    pub(crate) fn without_move(position: &Position) -> Option<GameEnd> {
        let us = position.side_to_move();
        let end = if position.in_check() { GameEnd::Mate(us) } else { GameEnd::NoLegalMove(us) };
        (!has_legal_move(position)).then_some(end)
    }

    /// Who wins, or would by declaring; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            GameEnd::Mate(loser) | GameEnd::NoLegalMove(loser) | GameEnd::PerpetualCheck(loser) => Some(!loser),
            GameEnd::Declaration(winner, _) | GameEnd::Try(winner) => Some(winner),
            GameEnd::RepetitionDraw | GameEnd::MoveLimit(_) => None,
        }
    }

    /// The kind of end as one word, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            GameEnd::Mate(_) => "mate",
            GameEnd::NoLegalMove(_) => "no_legal_move",
            GameEnd::RepetitionDraw => "repetition",
            GameEnd::PerpetualCheck(_) => "perpetual_check",
            GameEnd::Declaration(..) => "declaration",
            GameEnd::Try(_) => "try",
            GameEnd::MoveLimit(_) => "move_limit",
        }
    }
}

impl GameEnd {
    /// What [`Display`](fmt::Display) says, in Japanese; `is_handicap` as for [`Color::japanese`], and `write` writes a
    /// move.
    pub fn japanese(&self, is_handicap: bool, write: impl Fn(Move) -> String) -> String {
        let side = |color: Color| color.japanese(is_handicap);
        match *self {
            GameEnd::Mate(loser) => format!("詰み: {}の勝ち", side(!loser)),
            GameEnd::NoLegalMove(loser) => format!("{}に指す手がありません: {}の勝ち", side(loser), side(!loser)),
            GameEnd::RepetitionDraw => "千日手: 同じ局面が四回現れ、引き分け".to_owned(),
            GameEnd::PerpetualCheck(loser) => format!("連続王手の千日手: {}の反則負け", side(loser)),
            GameEnd::Declaration(winner, Declaration { rule, points, pieces, try_move, .. }) => match try_move {
                Some(mv) => format!("入玉: {}は{}で{rule}により勝ち", side(winner), write(mv)),
                None => format!("入玉: {}は{rule}で宣言勝ちできます（{points}点、{pieces}枚）", side(winner)),
            },
            GameEnd::Try(winner) => format!("トライ: {}の勝ち", side(winner)),
            GameEnd::MoveLimit(moves) => format!("手数制限: {moves}手で引き分け"),
        }
    }

    /// The same in two words, without the [`GameEnd::winner`]: `mate` and 詰み.
    pub fn short(&self) -> [&'static str; 2] {
        match self {
            GameEnd::Mate(_) => ["mate", "詰み"],
            GameEnd::NoLegalMove(_) => ["no legal move", "指し手なし"],
            GameEnd::RepetitionDraw => ["sennichite", "千日手"],
            GameEnd::PerpetualCheck(_) => ["perpetual check", "連続王手の千日手"],
            GameEnd::Declaration(..) => ["declaration", "入玉宣言"],
            GameEnd::Try(_) => ["try", "トライ"],
            GameEnd::MoveLimit(_) => ["move limit", "手数制限"],
        }
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GameEnd::Mate(loser) => write!(f, "mate: {loser:?} is mated, {:?} wins", !loser),
            GameEnd::NoLegalMove(loser) => write!(f, "no legal move: {loser:?} cannot move, {:?} wins", !loser),
            GameEnd::RepetitionDraw => f.write_str("sennichite: the position occurred four times, draw"),
            GameEnd::PerpetualCheck(loser) => {
                write!(f, "sennichite: perpetual check by {loser:?}, {:?} wins", !loser)
            }
            GameEnd::Declaration(winner, Declaration { rule, points, pieces, try_move, .. }) => match try_move {
                Some(mv) => write!(f, "declaration: {winner:?} can win by {rule} with {mv}"),
                None => {
                    write!(f, "declaration: {winner:?} can declare a win by {rule} ({points} points, {pieces} pieces)")
                }
            },
            GameEnd::Try(winner) => {
                write!(f, "try: {winner:?}'s king has reached the other's first square, {winner:?} wins")
            }
            GameEnd::MoveLimit(moves) => write!(f, "move limit: {moves} moves were made, draw"),
        }
    }
}

// Special moves (特殊な指し手): the words that stand in a list of moves in place of a move.

/// What ended a game other than a move, as programs write it behind the last move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialMove {
    /// `resign`: the side to move resigned.
    Resign,
    /// `win`: the side to move declared a win.
    Win,
    /// `lose`: the side to move has lost.
    Lose,
    /// `draw`: by agreement, declaration or length.
    Draw,
    /// `rep_draw`: the fourth occurrence of a position.
    RepetitionDraw,
    /// `rep_win`: the fourth occurrence, by perpetual check of the opponent.
    RepetitionWin,
    /// `rep_lose`: the fourth occurrence, by perpetual check of the side to move.
    RepetitionLose,
    /// `mate`: the side to move is mated.
    Mate,
    /// `timeout`: the side to move overstepped its time.
    Timeout,
    /// `illegal`: an illegal move was played.
    Illegal,
    /// `abort`, `break`, `interrupt`: the game was not played to its end.
    Abort,
}

/// Each word with its meaning; the first of a meaning is the one that is written.
const WORDS: [(&str, SpecialMove); 13] = [
    ("resign", SpecialMove::Resign),
    ("win", SpecialMove::Win),
    ("lose", SpecialMove::Lose),
    ("draw", SpecialMove::Draw),
    ("rep_draw", SpecialMove::RepetitionDraw),
    ("rep_win", SpecialMove::RepetitionWin),
    ("rep_lose", SpecialMove::RepetitionLose),
    ("mate", SpecialMove::Mate),
    ("timeout", SpecialMove::Timeout),
    ("illegal", SpecialMove::Illegal),
    ("abort", SpecialMove::Abort),
    ("break", SpecialMove::Abort),
    ("interrupt", SpecialMove::Abort),
];

impl SpecialMove {
    /// What a word means; `None` for any other word.
    pub fn from_word(text: &str) -> Option<SpecialMove> {
        WORDS.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
    }
}

impl fmt::Display for SpecialMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(_, meaning)| meaning == self).map_or("", |(word, _)| word);
        f.write_str(word)
    }
}

// Warnings of sennichite (千日手) before it happens.

/// The number of occurrences from which on there is a warning.
const WORTH_A_WORD: usize = 3;

/// A warning that a position is about to occur for the fourth time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepetitionWarning {
    /// How often the present position has occurred, this time included.
    pub occurrences: usize,
    /// The moves that would make some position occur for the fourth time, and who would win then; `None` for a draw.
    pub fourth: Vec<(Move, Option<Color>)>,
}

impl RepetitionWarning {
    /// The warning for a position with its history, if there is one; none when the game is already over by repetition.
    pub fn from_position(position: &Position) -> Option<RepetitionWarning> {
        if position.repetition() != Repetition::None {
            return None;
        }
        let mut after = position.clone();
        let mut winner_of = |mv| {
            after.do_move(mv);
            let (repetition, opponent) = (after.repetition(), after.side_to_move());
            after.undo_move(mv);
            match repetition {
                Repetition::Draw => Some((mv, None)),
                Repetition::Win => Some((mv, Some(opponent))),
                Repetition::Lose => Some((mv, Some(!opponent))),
                Repetition::None => None,
            }
        };
        let fourth: Vec<_> = legal_moves(position).into_iter().filter_map(&mut winner_of).collect();
        let occurrences = position.occurrences();
        (occurrences >= WORTH_A_WORD || !fourth.is_empty()).then_some(RepetitionWarning { occurrences, fourth })
    }
}

impl RepetitionWarning {
    /// What [`Display`](fmt::Display) says, in Japanese; `is_handicap` as for [`Color::japanese`], and `write` writes a
    /// move.
    pub fn japanese(&self, is_handicap: bool, write: impl Fn(Move) -> String) -> String {
        let third = (self.occurrences >= WORTH_A_WORD).then(|| "この局面は三回目".to_owned());
        let fourth = self.fourth.iter().map(|&(mv, winner)| match winner {
            None => format!("{}で四回目、引き分け", write(mv)),
            Some(winner) => {
                format!("{}で四回目、連続王手で{}の反則負け", write(mv), (!winner).japanese(is_handicap))
            }
        });
        let said: Vec<String> = third.into_iter().chain(fourth).collect();
        format!("千日手模様: {}", said.join("、"))
    }
}

impl fmt::Display for RepetitionWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let third = (self.occurrences >= WORTH_A_WORD).then(|| "this position is here for the third time".to_owned());
        let fourth = self.fourth.iter().map(|&(mv, winner)| match winner {
            None => format!("{mv} makes a fourth occurrence, a draw"),
            Some(winner) => format!("{mv} makes a fourth occurrence, {:?} loses by perpetual check", !winner),
        });
        let said: Vec<String> = third.into_iter().chain(fourth).collect();
        write!(f, "sennichite ahead: {}", said.join("; "))
    }
}
