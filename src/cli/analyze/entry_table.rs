//! Games, and positions that stand alone, as tables.

use std::fmt::Write;

use console::style as colored;

use super::has_entered_king;
use super::input::{BadInput, InputGame};
use super::table::{LineLayout, LineOfPlay, Style, widest};
use super::worker::Analysis;
use crate::cli::arguments::side_name;
use crate::cli::terminal::{left, right};
use crate::engine::Decision;
use crate::language::{InWords, Language, counted};
use crate::position::{Declaration, Handicap, Position, Setup};
use crate::records::GameRecord;
use crate::records::notation::Notation;
use crate::report::{GameReport, Judgement, Mistake, SideReport, win_rate};
use crate::rules::{RepetitionWarning, Rules};
use crate::search::SearchInfo;
use crate::types::{Color, Move, Outcome, Square};

/// Rows that a best line takes at most: there is one for nearly every move.
const ROWS: usize = 2;

/// Columns of a table.
struct Columns {
    /// Of the move played.
    played: usize,
    score: usize,
    /// Before the best line.
    indent: usize,
}

impl Columns {
    fn new(style: &Style) -> Columns {
        let (played, score) = if style.is_narrow() { (13, 8) } else { (15, 11) };
        Columns { played, score, indent: played + score + 24 }
    }
}

/// What stands above the moves of a game.
pub(super) fn game_heading(game: &InputGame, style: &Style) -> String {
    let language = style.language;
    let mut text = language.say(&game.place.input);
    let record = game.record.as_ref();
    if game.place.game > 1 || game.place.file().is_none() {
        let _ = write!(text, " ({})", game.place.game);
    }
    let player = |color| record.and_then(|record| record.player(color));
    if player(Color::Black).is_some() || player(Color::White).is_some() {
        let name = |color| player(color).unwrap_or("?");
        let _ = write!(text, ": ▲{} △{}", name(Color::Black), name(Color::White));
    }
    if let Some(handicap) = record.and_then(|record| record.handicap()) {
        let _ = write!(text, ", {}", language.choose(handicap.english(), handicap.name()));
    }
    let columns = match language {
        Language::English => ["Move", "Played", "Black", "Win", "Loss", "Rank", "Best line instead"],
        Language::Japanese => ["手数", "指し手", "評価値", "勝率", "損失", "順位", "最善手順"],
    };
    let [number, played, score, rate, loss, rank, line] = columns;
    let columns = Columns::new(style);
    format!(
        "{}\n{} {} {} {} {} {} {line}\n",
        style.cut(&text, columns.indent),
        right(number, 5),
        left(played, columns.played),
        right(score, columns.score),
        right(rate, 4),
        right(loss, 5),
        right(rank, 4)
    )
}

/// The row of a position and the move played in it; score and win rate are Black's, after the move.
pub(super) fn game_row(analysis: &Analysis, judgement: Option<&Judgement>, style: &Style) -> String {
    let position = &analysis.position;
    let (board, last) = (position.setup(), analysis.last_move().map(Move::to));
    let side = position.side_to_move();
    let Some(played) = analysis.played() else { return last_row(analysis, style) };
    let mark = judgement.and_then(|judgement| judgement.mistake).map_or("", Mistake::mark);
    let mut name = style.notation.write(&board, played, last) + mark;
    if style.notation != Notation::Japanese {
        name.insert_str(0, if side == Color::Black { "▲" } else { "△" });
    }
    let score = judgement.map(|judgement| for_black(judgement.score, side));
    let rate = score.map(|score| format!("{:.0}%", 100.0 * win_rate(score)));
    let loss = judgement.map(|judgement| match style.language {
        Language::English => format!("{:.2}", f64::from(judgement.loss) / 100.0),
        Language::Japanese => judgement.loss.to_string(),
    });
    let rank = judgement.and_then(|judgement| judgement.rank).map_or("-".to_owned(), |rank| rank.to_string());
    let Columns { played: width, score: score_width, indent } = Columns::new(style);
    let name = left(&name, width);
    let score = right(&score.map_or(String::new(), |score| style.score(score)), score_width);
    // What is too long for its column takes from the room of the line.
    let taken = indent - width - score_width + widest(&name) + widest(&score);
    let name = painted(name, judgement, style);
    let mut row = format!(
        "{:5} {name} {score} {} {} {}",
        position.game_ply(),
        right(&rate.unwrap_or_default(), 4),
        right(&loss.unwrap_or_default(), 5),
        right(&rank, 4)
    );
    if let Decision::DeclareWin | Decision::DeclareDraw = analysis.answer.decision {
        row += style.language.choose(" (declaration)", " （宣言）");
    } else if analysis.found.best_move() != Some(played)
        && let Some(line) = analysis.best_line()
    {
        let line = LineOfPlay { board: &board, moves: line, last };
        let _ = write!(row, " {}", style.line_of_play(&line, LineLayout { indent, taken, rows: ROWS }));
    }
    let mut text = row.trim_end().to_owned() + "\n";
    for note in notes(analysis, style) {
        text.push_str(&style.wrap(&format!("      {note}"), 8));
        text.push('\n');
    }
    text
}

/// The position after the last move.
fn last_row(analysis: &Analysis, style: &Style) -> String {
    let side = analysis.position.side_to_move();
    let mut text = String::new();
    if let Some(score) = analysis.found.score() {
        let score = for_black(score, side);
        let word = style.language.choose("(end)", "（終局）");
        let rate = format!("{:.0}%", 100.0 * win_rate(score));
        let Columns { played, score: width, .. } = Columns::new(style);
        let score = right(&style.score(score), width);
        let _ = write!(text, "      {} {score} {}", left(word, played), right(&rate, 4));
        text = text.trim_end().to_owned() + "\n";
    }
    for note in notes(analysis, style) {
        text.push_str(&style.wrap(&format!("      {note}"), 8));
        text.push('\n');
    }
    text
}

fn painted(name: String, judgement: Option<&Judgement>, style: &Style) -> String {
    let paint = |text: String, mistake| {
        let text = colored(text).force_styling(true);
        match mistake {
            Mistake::Dubious => text.yellow(),
            Mistake::Mistake => text.red(),
            Mistake::Blunder => text.red().bold(),
        }
        .to_string()
    };
    match judgement.and_then(|judgement| judgement.mistake) {
        Some(mistake) if style.color => paint(name, mistake),
        _ => name,
    }
}

fn for_black(score: Outcome, side: Color) -> Outcome {
    match (side, score) {
        (Color::Black, score) => score,
        (_, Outcome::Centipawns(centipawns)) => Outcome::Centipawns(-centipawns),
        (_, Outcome::MateIn(plies)) => Outcome::MatedIn(plies),
        (_, Outcome::MatedIn(plies)) => Outcome::MateIn(plies),
        (_, Outcome::WinIn(plies)) => Outcome::LossIn(plies),
        (_, Outcome::LossIn(plies)) => Outcome::WinIn(plies),
    }
}

/// What the moves came to.
pub(super) fn game_end(game: &InputGame, report: &GameReport, style: &Style) -> String {
    let language = style.language;
    let is_handicap = Handicap::is_given(&game.line.start());
    let mut text = String::new();
    for color in Color::ALL {
        let name = language.side(color, is_handicap);
        let line = format!("  {}", side_line(name, &report.sides[color.index()], language));
        let _ = writeln!(text, "{}", style.wrap(&line, 4));
    }
    if game.record.as_ref().is_some_and(GameRecord::has_variations) {
        let _ = writeln!(text, "  {}", language.choose("Variations: not analysed", "変化: 解析していません"));
    }
    if let Some(breach) = &game.breach {
        let breach_in_words = language.say(&breach.in_words(style.notation, style.notation));
        let winner = language.side(breach.winner, is_handicap);
        let line = language
            .choose(format!("  Result: {breach_in_words}"), format!("  結果: {winner}の勝ち。{breach_in_words}"));
        let _ = writeln!(text, "{}", style.wrap(&line, 4));
    }
    let moves = game.line.moves();
    let name = |made: usize| {
        let (position, last) = (game.line.position_after(made), made.checked_sub(1).and_then(|at| moves.get(at)));
        let number = position.game_ply();
        let mv = moves.get(made).map(|&mv| style.notation.write(&position.setup(), mv, last.map(|mv| mv.to())));
        let mv = mv.unwrap_or_default();
        language.choose(format!("{number} {mv}"), format!("{number}手目{mv}"))
    };
    for point in &report.turning_points {
        let (made, leader) = (name(point.moves), language.side(point.leader, is_handicap));
        let _ = match language {
            Language::English => writeln!(text, "  Turning point: move {made}; {leader} leads from then on"),
            Language::Japanese => writeln!(text, "  逆転: {made}、以後{leader}優勢"),
        };
    }
    for missed in &report.missed_mates {
        let (made, plies) = (name(missed.moves), missed.mate.len());
        let board = game.line.position_after(missed.moves);
        let last = missed.moves.checked_sub(1).and_then(|at| moves.get(at)).map(|mv| mv.to());
        let said = language.choose(
            format!("  Missed mate: move {made}; mate in {plies}: "),
            format!("  詰み逃し: {made}、{plies}手詰 "),
        );
        let line = LineOfPlay { board: &board.setup(), moves: &missed.mate, last };
        let place = LineLayout { indent: 4, taken: widest(&said), rows: usize::MAX };
        let _ = writeln!(text, "{said}{}", style.line_of_play(&line, place));
    }
    for missed in &report.missed_declarations {
        let (made, points) = (name(missed.moves), missed.declaration.points);
        let rule = missed.declaration.rule.name();
        let _ = match language {
            Language::English => {
                writeln!(text, "  Missed declaration: move {made}; {points} points win by {rule}")
            }
            Language::Japanese => writeln!(text, "  宣言逃し: {made}、{rule}で{points}点"),
        };
    }
    text + "\n"
}

fn side_line(name: &str, side: &SideReport, language: Language) -> String {
    let (Some(accuracy), Some(loss)) = (side.accuracy, side.mean_loss) else {
        return format!("{name}: {}", language.choose("no moves", "指し手なし"));
    };
    let SideReport { moves, best_moves, .. } = side;
    let counts: Vec<String> = Mistake::ALL
        .iter()
        .zip(side.mistakes)
        .filter(|&(_, count)| count > 0)
        .map(|(mistake, count)| match (language, count) {
            (Language::Japanese, _) => format!("{}{count}", mistake.japanese()),
            (Language::English, 1) => format!("1 {}", mistake.english()),
            (Language::English, _) => format!("{count} {}", mistake.plural()),
        })
        .collect();
    let none = || language.choose("no mistakes", "悪手なし").to_owned();
    let counts = if counts.is_empty() { none() } else { counts.join(language.choose(", ", "、")) };
    match language {
        Language::English => {
            let loss = loss / 100.0;
            format!("{name}: accuracy {accuracy:.0}%, mean loss {loss:.2}, best move {best_moves} of {moves}, {counts}")
        }
        Language::Japanese => {
            format!("{name}: 正確さ{accuracy:.0}%、平均損失{loss:.0}、最善手{best_moves}/{moves}、{counts}")
        }
    }
}

/// Columns before the line of play.
const INDENT: usize = 55;
/// Columns of the best move and the blanks behind it. A narrow table does without: the line of play begins with it.
const BEST: usize = 8;

/// The first line of the table.
pub(super) fn heading(style: &Style) -> String {
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
pub(super) fn bad_input(number: usize, bad: &BadInput, style: &Style) -> String {
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
pub(super) fn position(number: usize, analysis: &Analysis, style: &Style) -> String {
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

/// What else there is to say, by rule and by the engine.
fn notes(analysis: &Analysis, style: &Style) -> Vec<String> {
    let (position, language) = (&analysis.position, style.language);
    let write = |mv: Move| style.notation.write(&position.setup(), mv, analysis.last_move().map(Move::to));
    let is_handicap = Handicap::is_given(&analysis.game.line.start());
    let said = |english: String, japanese: String| language.choose(english, japanese);
    let mut notes: Vec<String> =
        analysis.found.end.iter().map(|end| said(end.to_string(), end.japanese(is_handicap, write))).collect();
    let warning = RepetitionWarning::from_position(position);
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

/// The part of a row that shows a line of play.
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
        let place = LineLayout { indent, taken: indent, rows: usize::MAX };
        let line_of_play = style.line_of_play(&LineOfPlay { board, moves: &line.pv, last }, place);
        return columns + if line.pv.is_empty() { &best } else { &line_of_play };
    }
    let best = left(&best, BEST - 2) + "  ";
    // A long name of the best move takes from the room of the line.
    let place = LineLayout { indent: INDENT, taken: INDENT - BEST + widest(&best), rows: usize::MAX };
    let line_of_play = style.line_of_play(&LineOfPlay { board, moves: &line.pv, last }, place);
    format!("{columns}{best}{line_of_play}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::notation::Notation;

    #[test]
    fn rows_of_play_are_indented_to_their_column_of_the_heading() {
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
