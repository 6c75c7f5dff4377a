//! Games as tables: a row a move, and what they come to.

use std::fmt::Write;

use console::style as colored;

use super::positions::notes;
use super::{Line, Place, Style, widest};
use crate::cli::analyze::input::Game;
use crate::cli::analyze::worker::Analysis;
use crate::cli::terminal::{left, right};
use crate::engine::Decision;
use crate::language::{InWords, Language};
use crate::position::Handicap;
use crate::records::GameRecord;
use crate::records::notation::Notation;
use crate::report::{GameReport, Judgement, Mistake, SideReport, win_rate};
use crate::types::{Color, Move, Outcome};

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
pub(in crate::cli::analyze) fn game_heading(game: &Game, style: &Style) -> String {
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
pub(in crate::cli::analyze) fn game_row(analysis: &Analysis, judgement: Option<&Judgement>, style: &Style) -> String {
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
        let line = Line { board: &board, moves: line, last };
        let _ = write!(row, " {}", style.line_of_play(&line, Place { indent, taken, rows: ROWS }));
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
pub(in crate::cli::analyze) fn game_end(game: &Game, report: &GameReport, style: &Style) -> String {
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
        let line = Line { board: &board.setup(), moves: &missed.mate, last };
        let place = Place { indent: 4, taken: widest(&said), rows: usize::MAX };
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
