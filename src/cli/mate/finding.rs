//! What was found of a problem, and its soundness in words.

use thiserror::Error;

use crate::cli::records::inputs::Input;
use crate::cli::resumable::ItemId;
use crate::cli::wording::Wording;
use crate::language::InJapanese;
use crate::mate::{MateError, MateResult, Soundness};
use crate::position::Position;
use crate::records::ReadError;
use crate::records::notation::{piece_in_japanese, square_in_japanese};
use crate::rules::GameLine;
use crate::types::{Hand, Move, PieceType};

/// What was found of a problem.
#[derive(Default)]
pub(super) struct Finding {
    /// From 1, over all files.
    pub(super) number: usize,
    /// The name of the file that it is from.
    pub(super) file: String,
    /// Its number in the file, from 1; none for a file that could not be read.
    pub(super) in_file: Option<usize>,
    /// Its position is the last of a whole game.
    pub(super) is_end_of_game: bool,
    /// What the problem is, of which it is an item.
    pub(super) content: String,
    pub(super) sfen: String,
    pub(super) result: Option<MateResult>,
    pub(super) soundness: Option<Soundness>,
    pub(super) error: Option<ProblemError>,
}

impl Finding {
    /// What the problem is, and whether it can be solved.
    pub(super) fn id(&self) -> ItemId {
        item(&self.file, &self.content, self.error.is_some())
    }

    /// What the problem is called: its file and its number in it.
    pub(super) fn name(&self) -> String {
        self.in_file.map_or_else(|| self.file.clone(), |number| format!("{}, problem {number}", self.file))
    }
}

/// The item of a problem of a file, with its position and the game before it, or what is wrong with it.
pub(super) fn item(file: &str, content: &str, is_bad: bool) -> ItemId {
    ItemId::new(&[if is_bad { "error" } else { "problem" }, file, content])
}

/// Why a problem cannot be solved.
#[derive(Debug, Error)]
pub(super) enum ProblemError {
    /// An argument names no file.
    #[error("{}", Input::MISSING)]
    Missing,
    /// There is no position.
    #[error(transparent)]
    Unread(ReadError),
    /// No mate can be looked for in the position, which stands in this line (0 where it has several).
    #[error("{}{error}", if *.line > 0 { format!("line {line}: ") } else { String::new() })]
    Unsolved {
        /// The line.
        line: usize,
        /// Why.
        error: MateError,
    },
}

impl InJapanese for ProblemError {
    fn in_japanese(&self) -> String {
        match self {
            ProblemError::Missing => Input::MISSING.in_japanese(),
            ProblemError::Unread(error) => error.in_japanese(),
            ProblemError::Unsolved { line: 0, error } => error.in_japanese(),
            ProblemError::Unsolved { line, error } => format!("{line}行目: {}", error.in_japanese()),
        }
    }
}

/// What an examination of a position's mate found, a line for each kind of thing.
pub(super) fn soundness_lines(start: &Position, soundness: &Soundness, wording: Wording) -> Vec<String> {
    let (language, notation) = (wording.language(), wording.notation());
    // A move in place of the one with this number, from 1, of the solution.
    let write = |number: usize, mv: Move| {
        let before = GameLine::new(start.clone(), soundness.solution.iter().take(number - 1).copied());
        notation.write(&before.end().setup(), mv, before.moves().last().map(|mv| mv.to()))
    };
    let at = |number: usize, mv: Move| {
        let mv = write(number, mv);
        language.choose(format!("{mv} at move {number}"), format!("{number}手目{mv}"))
    };
    let first = soundness.first_moves.iter().map(|first| {
        let (mv, plies) = (write(1, first.mv), first.plies);
        language.choose(format!("{mv} ({plies})"), format!("{mv}（{plies}手）"))
    });
    let cook = |minor: bool| {
        let cooks = soundness.cooks.iter().filter(move |cook| cook.is_minor == minor);
        cooks.map(|cook| at(cook.number, cook.mv)).collect()
    };
    let left = soundness.left_over;
    let left = (!left.is_empty()).then(|| language.choose(left.to_string(), hand_in_japanese(left)));
    let unneeded = language.choose(unneeded(soundness), unneeded_in_japanese(soundness));
    let traps = soundness.drop_pawn_mates.iter().map(|&(number, to)| at(number, Move::drop(PieceType::Pawn, to)));
    let unanswered = (soundness.unanswered > 0).then(|| soundness.unanswered.to_string());
    let verdict = match soundness.is_sound() {
        Some(true) => language.choose("sound", "完全作"),
        Some(false) => language.choose("not sound", "不完全作"),
        None => language
            .choose("not known: some questions are beyond the limits", "不明（制限内に判定できない項目があります）"),
    };
    let kinds: [([&str; 2], Vec<String>); 8] = [
        (["first moves that mate, with plies", "詰む初手"], first.collect()),
        (["other solutions (余詰)", "余詰"], cook(false)),
        (["other moves by custom allowed", "慣例で許される別の手"], cook(true)),
        (["left over (駒余り)", "駒余り"], left.into_iter().collect()),
        (["not needed", "不要な駒"], unneeded),
        (["pawn drop would mate (打ち歩詰め)", "打ち歩詰めになる手"], traps.collect()),
        (["questions beyond the limits", "制限内に判定できなかった項目の数"], unanswered.into_iter().collect()),
        (["verdict", "判定"], vec![verdict.to_owned()]),
    ];
    let told = kinds.into_iter().filter(|(_, items)| !items.is_empty());
    let line = |([english, japanese], items): ([&str; 2], Vec<String>)| {
        let items = items.join(language.choose(", ", "、"));
        format!("{}: {items}", language.choose(english, japanese))
    };
    told.map(line).collect()
}

fn hand_in_japanese(hand: Hand) -> String {
    let word = |(piece_type, count): (PieceType, u32)| {
        let count = if count > 1 { count.to_string() } else { String::new() };
        format!("{}{count}", piece_in_japanese(piece_type))
    };
    hand.iter().map(word).collect::<Vec<_>>().join("、")
}

fn unneeded_in_japanese(soundness: &Soundness) -> Vec<String> {
    let words = soundness.unneeded.iter().map(|&(piece, square)| {
        let name = piece_in_japanese(piece.piece_type());
        square.map_or_else(|| format!("持駒の{name}"), |square| format!("{}の{name}", square_in_japanese(square)))
    });
    words.collect()
}

/// Pieces as SFEN letters with their squares, or with `*` when in hand.
pub(super) fn unneeded(soundness: &Soundness) -> Vec<String> {
    let place =
        |square: &Option<_>| square.map_or_else(|| "*".to_owned(), |square: crate::types::Square| square.to_string());
    soundness.unneeded.iter().map(|(piece, square)| format!("{piece}{}", place(square))).collect()
}
