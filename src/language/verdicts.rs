//! How games ended, in Japanese. `is_handicap` is as for [`Color::japanese`](crate::types::Color::japanese), and
//! `write` writes a move.

use super::{InJapanese, Text, text};
use crate::position::Declaration;
use crate::records::notation::Notation;
use crate::records::{Contradiction, Ground, RecordResult};
use crate::report::Breach;
use crate::rules::GameEnd;
use crate::types::Move;

/// Who won.
pub(crate) fn result(result: RecordResult, is_handicap: bool) -> Text {
    let ja = match result {
        RecordResult::Win(winner) => format!("{}の勝ち", winner.japanese(is_handicap)),
        RecordResult::Draw => "引き分け".to_owned(),
        RecordResult::Open => "決着なし".to_owned(),
    };
    Text { en: result.to_string(), ja }
}

/// An illegal move that ended a game, in the notations that go with each language.
pub(crate) fn breach(breach: &Breach, english: Notation, japanese: Notation) -> Text {
    let Breach { number, mv, reason, board, winner, .. } = breach;
    let [en, ja] = [english, japanese].map(|notation| notation.write(board, *mv, None));
    let reason_ja = reason.in_japanese();
    text!(
        "illegal move {en} at number {number}: {reason}; {winner:?} wins",
        "{number}手目の{ja}は反則です: {reason_ja}"
    )
}

/// What decided a game.
pub(crate) fn ground(ground: &Ground, is_handicap: bool, write: impl Fn(Move) -> String) -> String {
    let counts = |declaration: &Declaration| format!("{}点、{}枚", declaration.points, declaration.pieces);
    match ground {
        Ground::Rule(end @ (GameEnd::Mate(_) | GameEnd::NoLegalMove(_) | GameEnd::RepetitionDraw)) => {
            end.short()[1].to_owned()
        }
        Ground::Rule(end) => end.japanese(is_handicap, write),
        Ground::Illegal(mv, reason) => format!("反則 {}（{}）", write(*mv), reason.in_japanese()),
        Ground::Misnamed(mv) => format!("棋譜にある駒と {mv} で動く駒が違います"),
        Ground::Declared(declaration) => match declaration.try_move {
            Some(mv) => format!("トライ（{}）", write(mv)),
            None => format!("入玉宣言（{}）", counts(declaration)),
        },
        Ground::DrawDeclared(declaration) => format!("引き分けの入玉宣言（{}）", counts(declaration)),
        Ground::FalseDeclaration(declaration) => format!("条件を満たさない入玉宣言（{}）", counts(declaration)),
        Ground::NoSuchDeclaration => "このルールにない宣言".to_owned(),
        Ground::TooFewPoints(loser, points) => {
            format!("持将棋で、{}は{points}点（24点未満）", loser.japanese(is_handicap))
        }
        Ground::Record(ending) => format!("{}（棋譜の記載）", ending.japanese()),
        Ground::Nothing => "棋譜が途中で終わっています".to_owned(),
    }
}

/// Something that a record says and that cannot be.
pub(crate) fn contradiction(contradiction: &Contradiction, is_handicap: bool) -> Text {
    let ja = match contradiction {
        Contradiction::Results { word, by_word, by_line, line_holds } => {
            let [by_word, by_line] = [by_word, by_line].map(|&it| result(it, is_handicap).ja);
            let kept = if *line_holds { "結果の行" } else { "終局の言葉" };
            format!("「{}」は{by_word}、結果の行は{by_line}を示しています（{kept}に従います）", word.japanese())
        }
        Contradiction::MovesAfterEnd(moves) => format!("終局後に{moves}手が記録されています"),
        Contradiction::Winner(recorded) => format!("棋譜では{}の勝ち", recorded.japanese(is_handicap)),
        Contradiction::NoRepetition => "棋譜には千日手とあるが、同じ局面は四回現れていません".to_owned(),
        Contradiction::NoMate => "棋譜には詰みとあるが、合法手があります".to_owned(),
    };
    Text { en: contradiction.to_string(), ja }
}
