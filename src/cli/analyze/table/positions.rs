//! Positions as rows of a table.

use std::fmt::Write;

use super::{Line, Place, Style, widest};
use crate::cli::analyze::has_entered_king;
use crate::cli::analyze::input::BadInput;
use crate::cli::analyze::worker::Analysis;
use crate::cli::terminal::{left, right};
use crate::cli::wording::side_name;
use crate::engine::Decision;
use crate::language::{Language, counted};
use crate::position::{Declaration, Handicap, Position, Setup};
use crate::rules::{RepetitionWarning, Rules};
use crate::search::SearchInfo;
use crate::types::{Color, Move, Square};

/// Columns before the line of play.
const INDENT: usize = 55;
/// Columns of the best move and the blanks behind it. A narrow table does without: the line of play begins with it.
const BEST: usize = 8;

/// The first line of the table.
pub(in crate::cli::analyze) fn heading(style: &Style) -> String {
    let [number, line, ply, side, score, depth, best, pv] = style.language.choose(
        ["No", "Line", "Move", "Side", "Score", "Depth", "Best", "Line of play"],
        ["番号", "行", "手数", "手番", "評価値", "深さ", "最善手", "読み筋"],
    );
    let (number, line, ply) = (right(number, 5), right(line, 5), right(ply, 4));
    let (side, score, depth) = (left(side, 5), right(score, 11), right(depth, 7));
    let best = if style.is_narrow() { String::new() } else { left(best, BEST) };
    format!("{number} {line} {ply}  {side}  {score}  {depth}  {best}{pv}\n")
}

/// The row of what cannot be analysed.
pub(in crate::cli::analyze) fn bad_input(number: usize, bad: &BadInput, style: &Style) -> String {
    let language = style.language;
    let error = format!("{}: {}", language.choose("error", "エラー"), language.say(&bad.error));
    let mut row = match bad.place.file() {
        Some(file) => format!("{number:5}  {file}: {error}"),
        None => format!("{number:5} {:5}  {error}", bad.place.line),
    };
    if !bad.text.is_empty() && !row.contains(&bad.text) {
        row += &language.choose(format!("; the line is {:?}", bad.text), format!("（行: 「{}」）", bad.text));
    }
    style.wrap(&row, 7) + "\n"
}

/// The rows of a position.
pub(in crate::cli::analyze) fn position(number: usize, analysis: &Analysis, style: &Style) -> String {
    let position = &analysis.position;
    let color = position.side_to_move();
    let is_handicap = Handicap::is_given(&analysis.game.line.start());
    let side = left(style.language.choose(side_name(color), color.japanese(is_handicap)), 5);
    let mut rows = format!("{number:5} {:5} {:4}  {side}", analysis.game.place.line, position.game_ply());
    let (board, last) = (position.setup(), analysis.last_move().map(Move::to));
    for (rank, line) in analysis.answer.lines.iter().enumerate() {
        if rank > 0 {
            let _ = write!(rows, "{:23}", "");
        }
        let _ = writeln!(rows, "  {}", columns(line, analysis.answer.decision, &board, last, style));
    }
    for note in notes(analysis, style) {
        rows.push_str(&style.wrap(&format!("{:25}{note}", ""), 25));
        rows.push('\n');
    }
    rows
}

/// What there is to say besides: by rule, and by the engine.
pub(super) fn notes(analysis: &Analysis, style: &Style) -> Vec<String> {
    let (position, language) = (&analysis.position, style.language);
    let write = |mv: Move| style.notation.write(&position.setup(), mv, analysis.last_move().map(Move::to));
    let is_handicap = Handicap::is_given(&analysis.game.line.start());
    let said = |english: String, japanese: String| language.choose(english, japanese);
    let mut notes: Vec<String> =
        analysis.found.end.iter().map(|end| said(end.to_string(), end.japanese(is_handicap, write))).collect();
    let warning = RepetitionWarning::of(position);
    notes.extend(warning.map(|warning| said(warning.to_string(), warning.japanese(is_handicap, write))));
    // Of a game only what has changed: a king that has entered stays.
    let before = analysis.made.checked_sub(1).map(|made| analysis.game.line.position_after(made));
    for color in Color::ALL.into_iter().filter(|_| has_entered_king(position)) {
        let side = language.side(color, is_handicap);
        let standing = standing(position, color, side, language);
        if before
            .as_ref()
            .is_none_or(|before| !has_entered_king(before) || self::standing(before, color, side, language) != standing)
        {
            notes.push(standing);
        }
    }
    notes.extend(analysis.messages.iter().map(|message| language.say(message)));
    notes
}

/// How a side of this name stands by the entering-king rules: its points and pieces, and by which rules it wins.
fn standing(position: &Position, color: Color, side: &str, language: Language) -> String {
    let all: Vec<Declaration> = Rules::declarations(position, color).collect();
    let names = |chosen: &dyn Fn(&Declaration) -> bool| -> Option<String> {
        let names: Vec<&str> = all.iter().filter(|it| chosen(it)).map(|it| it.rule.name()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let Some(standing) = all.iter().find(|it| it.needed.is_some()) else { return String::new() };
    let Declaration { points, pieces, .. } = standing;
    let mut said = vec![match language {
        Language::English => {
            let [points, pieces] =
                [(*points, "point"), (*pieces, "piece")].map(|(count, noun)| counted(count as usize, noun));
            format!("{side}: {points}, {pieces} in the zone")
        }
        Language::Japanese => format!("{side}: {points}点、敵陣{pieces}枚"),
    }];
    if !standing.king_entered {
        said.push(language.choose("king not in the zone", "玉は敵陣外").to_owned());
    }
    if standing.in_check {
        said.push(language.choose("in check", "王手").to_owned());
    }
    let wins = names(&|it| it.wins).map(|names| language.choose("wins by ", "宣言勝ち: ").to_owned() + &names);
    let draws = names(&|it| it.draws && !it.wins);
    said.extend(
        wins.into_iter().chain(draws.map(|names| language.choose("draws by ", "引き分け: ").to_owned() + &names)),
    );
    said.join(language.choose(", ", "、"))
}

/// The part of a row that tells of a line of play.
fn columns(line: &SearchInfo, decision: Decision, board: &Setup, last: Option<Square>, style: &Style) -> String {
    let score = right(&style.score(line.score.outcome()), 11);
    let depth = format!("{}/{}", line.depth, line.selective_depth);
    let best = match (line.pv.first(), decision) {
        (Some(&mv), _) => style.notation.write(board, mv, last),
        (None, Decision::DeclareWin) => style.language.choose("win", "宣言").to_owned(),
        (None, Decision::DeclareDraw) => style.language.choose("draw", "引分").to_owned(),
        (None, _) => style.language.choose("none", "なし").to_owned(),
    };
    let columns = format!("{score}  {depth:>7}  ");
    if style.is_narrow() {
        let indent = INDENT - BEST;
        let place = Place { indent, taken: indent, rows: usize::MAX };
        let line_of_play = style.line_of_play(&Line { board, moves: &line.pv, last }, place);
        return columns + if line.pv.is_empty() { &best } else { &line_of_play };
    }
    let best = left(&best, BEST - 2) + "  ";
    // A long name of the best move takes from the room of the line.
    let place = Place { indent: INDENT, taken: INDENT - BEST + widest(&best), rows: usize::MAX };
    let line_of_play = style.line_of_play(&Line { board, moves: &line.pv, last }, place);
    format!("{columns}{best}{line_of_play}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::notation::Notation;

    #[test]
    fn the_indent_is_that_of_the_heading() {
        use console::measure_text_width;
        for (language, last) in [(Language::English, "Line of play"), (Language::Japanese, "読み筋")] {
            for (width, indent) in [(None, INDENT), (Some(80), INDENT - BEST)] {
                let style = Style { width, color: false, notation: Notation::Usi, language };
                let heading = heading(&style);
                let (before, _) = heading.split_once(last).unwrap();
                assert_eq!(measure_text_width(before), indent, "{heading}");
            }
        }
    }
}
