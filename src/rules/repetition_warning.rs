//! Warnings of sennichite (千日手) before it happens.

use std::fmt;

use crate::movegen::legal_moves;
use crate::position::{Position, Repetition};
use crate::types::{Color, Move};

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
