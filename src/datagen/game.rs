//! A finished game with the scores that its players saw, who won it, and how it ended.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use thiserror::Error;

use crate::position::Position;
use crate::rules::{GameEnd, Rules};
use crate::types::{Color, Move, Phrase, Score};

/// A move and what the mover's search thought of its position, from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move played.
    pub mv: Move,
    /// The search's score in the internal unit; a random move bears the score of the best one.
    pub score: Score,
}

/// A game from its start to its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Where it starts; `None` for the start of an even game.
    pub start: Option<Box<Position>>,
    /// Moves of the opening, which nobody searched.
    pub opening: Vec<Move>,
    /// The moves played after it.
    pub moves: Vec<ScoredMove>,
    /// The result.
    pub result: GameResult,
    /// How it came to it.
    pub termination: Termination,
}

/// A game that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// A move is not legal where it is played.
    #[error("move {ply}, {mv}, is not legal in {sfen}")]
    IllegalMove {
        /// Number of the move, from 1.
        ply: usize,
        /// The move.
        mv: Move,
        /// The position.
        sfen: String,
    },
    /// The last position is not one in which a game ends that way.
    #[error("{} by {} does not follow from {sfen}", result.phrase().en, termination.phrase().en)]
    Result {
        /// The result that the record claims.
        result: GameResult,
        /// The cause that it claims.
        termination: Termination,
        /// The last position.
        sfen: String,
    },
}

impl Game {
    /// The position before the first move.
    pub fn start_position(&self) -> Position {
        self.start.as_deref().cloned().unwrap_or_default()
    }

    /// Plies in all, the opening included.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// The position after the last move.
    ///
    /// # Errors
    /// Names the first move that is not legal.
    pub fn end_position(&self) -> Result<Position, GameError> {
        self.replay(|_, _| {})
    }

    /// Calls `visit` with each position that was searched and the move played in it, and gives the position after
    /// the last move.
    ///
    /// # Errors
    /// Names the first move that is not legal; `visit` has then seen the positions before it.
    pub fn replay(&self, mut visit: impl FnMut(&Position, ScoredMove)) -> Result<Position, GameError> {
        let mut position = self.start_position();
        let check = |position: &Position, mv: Move, index: usize| match position.is_legal(mv) {
            true => Ok(()),
            false => Err(GameError::IllegalMove { ply: index + 1, mv, sfen: position.to_sfen() }),
        };
        for (index, &mv) in self.opening.iter().enumerate() {
            check(&position, mv, index)?;
            position.do_move(mv);
        }
        for (index, &scored) in self.moves.iter().enumerate() {
            check(&position, scored.mv, self.opening.len() + index)?;
            visit(&position, scored);
            position.do_move(scored.mv);
        }
        Ok(position)
    }

    /// Checks every move, and the result where it follows from the rules.
    ///
    /// # Errors
    /// Names the first move that is not legal, or the result that does not follow.
    pub fn verify(&self) -> Result<(), GameError> {
        let position = self.end_position()?;
        let verdict = end_by_rule(&position);
        let &Game { result, termination, .. } = self;
        let agrees = match termination {
            Termination::Mate | Termination::Repetition | Termination::PerpetualCheck | Termination::Declaration => {
                verdict == Some((result, termination))
            }
            Termination::Adjudication => verdict.is_none() && result != GameResult::Draw,
            Termination::DrawAdjudication | Termination::MoveLimit => verdict.is_none() && result == GameResult::Draw,
            Termination::Unknown => true,
        };
        if agrees { Ok(()) } else { Err(GameError::Result { result, termination, sfen: position.to_sfen() }) }
    }
}

/// `startpos moves 7g7f 3c3d | 2g2f 35 4a3b -28 … | black wins by mate`: the start, the opening, the
/// moves played with their scores, the result.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            None => f.write_str("startpos moves")?,
            Some(position) => write!(f, "sfen {} moves", position.to_sfen())?,
        }
        for mv in &self.opening {
            write!(f, " {mv}")?;
        }
        f.write_str(" |")?;
        for ScoredMove { mv, score } in &self.moves {
            write!(f, " {mv} {}", score.value())?;
        }
        write!(f, " | {} by {}", self.result.phrase().en, self.termination.phrase().en)
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Nobody.
    Draw,
    /// This side.
    Win(Color),
}

impl GameResult {
    /// The result as points of one side: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn points(self, color: Color) -> f32 {
        match self {
            GameResult::Draw => 0.5,
            GameResult::Win(winner) => f32::from(u8::from(winner == color)),
        }
    }

    /// All of them, in the order of their codes in record files.
    pub const ALL: [GameResult; 3] = [GameResult::Draw, GameResult::Win(Color::Black), GameResult::Win(Color::White)];

    /// The number that stands for it in files of games.
    pub(crate) fn code(self) -> u8 {
        match self {
            GameResult::Draw => 0,
            GameResult::Win(color) => 1 + color.index() as u8,
        }
    }

    /// The result with this number.
    pub(crate) fn from_code(code: u8) -> Option<GameResult> {
        GameResult::ALL.get(usize::from(code)).copied()
    }

    /// What it is called.
    pub(crate) const fn phrase(self) -> Phrase {
        match self {
            GameResult::Draw => Phrase::new("draw", "引き分け"),
            GameResult::Win(Color::Black) => Phrase::new("black wins", "先手勝ち"),
            GameResult::Win(Color::White) => Phrase::new("white wins", "後手勝ち"),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Termination {
    /// The loser is mated (or has no move, which is the same in shogi).
    Mate,
    /// The fourth occurrence of a position.
    Repetition,
    /// The fourth occurrence, the loser having given check all the way.
    PerpetualCheck,
    /// The winner's king entered and its pieces sufficed.
    Declaration,
    /// Both players agreed for several plies that one is far ahead.
    Adjudication,
    /// Both players saw no advantage for many plies late in the game.
    DrawAdjudication,
    /// The game reached its longest length.
    MoveLimit,
    /// Not known: the game came from elsewhere.
    Unknown,
}

impl Termination {
    /// All of them, in the order of their codes in record files, and what they are called.
    pub(super) const ALL: [(Termination, Phrase); 8] = [
        (Termination::Mate, Phrase::new("mate", "詰み")),
        (Termination::Repetition, Phrase::new("repetition", "千日手")),
        (Termination::PerpetualCheck, Phrase::new("perpetual check", "王手の千日手")),
        (Termination::Declaration, Phrase::new("declaration", "入玉宣言")),
        (Termination::Adjudication, Phrase::new("adjudication", "勝敗の判定")),
        (Termination::DrawAdjudication, Phrase::new("draw adjudication", "引分の判定")),
        (Termination::MoveLimit, Phrase::new("move limit", "最大手数")),
        (Termination::Unknown, Phrase::new("unknown", "不明")),
    ];

    /// What it is called.
    pub(crate) const fn phrase(self) -> Phrase {
        Termination::ALL[self as usize].1
    }
}

/// How the rules end a game whose last position this is; declarations count as made at once.
pub(super) fn end_by_rule(position: &Position) -> Option<(GameResult, Termination)> {
    let end = GameEnd::from_position(position, &Rules::default())?;
    let termination = match end {
        GameEnd::Mate(_) | GameEnd::NoLegalMove(_) => Termination::Mate,
        GameEnd::RepetitionDraw => Termination::Repetition,
        GameEnd::PerpetualCheck(_) => Termination::PerpetualCheck,
        GameEnd::Declaration(..) | GameEnd::Try(_) => Termination::Declaration,
        GameEnd::MoveLimit(_) => Termination::MoveLimit,
    };
    Some((end.winner().map_or(GameResult::Draw, GameResult::Win), termination))
}

// Statistics of a set of games.

/// Counts over games.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Games by result, in the order of [`GameResult::ALL`].
    pub results: [u64; 3],
    /// How games ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Games by length, in steps of 20 plies.
    pub lengths: [u64; 16],
    /// Positions by the size of their score, by the limits of the histogram.
    pub scores: [u64; SCORE_LIMITS.len() + 1],
}

/// Width of a step of the histogram of lengths.
const LENGTH_STEP: usize = 20;
/// Limits of the histogram of scores, in the internal unit.
const SCORE_LIMITS: [i32; 8] = [50, 100, 200, 400, 800, 1600, 3200, 30_000];

impl Statistics {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        self.results[usize::from(game.result.code())] += 1;
        *self.terminations.entry(game.termination).or_default() += 1;
        self.lengths[(game.plies() / LENGTH_STEP).min(self.lengths.len() - 1)] += 1;
        for scored in &game.moves {
            let size = scored.score.value().abs();
            self.scores[SCORE_LIMITS.iter().take_while(|&&limit| size >= limit).count()] += 1;
        }
    }
}

/// A line of a histogram; its bar is full at half of the whole.
fn bar(out: &mut String, label: &str, part: u64, whole: u64) {
    let columns: usize = label.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let (blanks, share) = (" ".repeat(16_usize.saturating_sub(columns)), 100.0 * part as f64 / whole.max(1) as f64);
    let _ = writeln!(out, "{blanks}{label} {part:>10} {share:>5.1} % {}", "#".repeat((share * 0.8) as usize));
}

impl Statistics {
    /// Tables of the counts, with the words of a language.
    pub(crate) fn table(&self, say: impl Fn(Phrase) -> &'static str) -> String {
        let Statistics { games, positions, .. } = *self;
        let of_games = say(Phrase::new(if games == 1 { " game, " } else { " games, " }, "局、"));
        let of_positions = say(Phrase::new(if positions == 1 { " position, " } else { " positions, " }, "局面、"));
        let (each, of_each) = (say(Phrase::new("", "1局あたり")), say(Phrase::new(" a game", "局面")));
        let mean = positions as f64 / games.max(1) as f64;
        let mut out = format!("{games}{of_games}{positions}{of_positions}{each}{mean:.1}{of_each}\n");
        let _ = writeln!(out, "{}", say(Phrase::new("results:", "結果:")));
        for number in [1, 2, 0] {
            bar(&mut out, say(GameResult::ALL[number].phrase()), self.results[number], games);
        }
        let _ = writeln!(out, "{}", say(Phrase::new("endings:", "終局:")));
        self.terminations.iter().for_each(|(ending, &count)| bar(&mut out, say(ending.phrase()), count, games));
        let _ = writeln!(out, "{}", say(Phrase::new("lengths in plies:", "手数:")));
        for (step, &count) in self.lengths.iter().enumerate().filter(|(_, count)| **count > 0) {
            let from = step * LENGTH_STEP;
            let is_last = step + 1 == self.lengths.len();
            let to = if is_last { String::new() } else { (from + LENGTH_STEP - 1).to_string() };
            bar(&mut out, &format!("{from}-{to}"), count, games);
        }
        let _ = writeln!(out, "{}", say(Phrase::new("scores (90 = a pawn):", "評価値（90が歩1枚）:")));
        let limits = [0].into_iter().chain(SCORE_LIMITS).zip(SCORE_LIMITS);
        let labels = limits.map(|(least, limit)| format!("{least}-{}", limit - 1));
        let decided = say(Phrase::new("decided", "勝敗が決定")).to_owned();
        for (label, &count) in labels.chain([decided]).zip(&self.scores) {
            bar(&mut out, &label, count, positions);
        }
        out
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table(|phrase| phrase.en))
    }
}
