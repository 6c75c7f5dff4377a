//! Games, and positions that stand alone, as tables.

use console::style as colored;

use super::has_entered_king;
use super::input::{BadInput, InputGame};
use super::table::{LineLayout, LineOfPlay, Style, widest};
use super::worker::Analysis;
use crate::cli::arguments::side_name;
use crate::cli::terminal::{left, right};
use crate::engine::{Decision, FULL_STRENGTH};
use crate::language::{Language, Text, breach, counted, text};
use crate::position::{Declaration, Handicap, Position, Setup};
use crate::records::GameRecord;
use crate::records::notation::Notation;
use crate::report::{GameReport, Judgement, Mistake, SideReport, win_rate};
use crate::rules::{RepetitionWarning, Rules};
use crate::search::SearchInfo;
use crate::types::{Color, Move, Square};

/// Rows that a best line takes at most: there is one for nearly every move.
const ROWS: usize = 2;

/// The cells of a row of a game, as wide as their columns: number, move, score, win rate, loss and rank.
fn padded([number, played, score, rate, loss, rank]: [&str; 6], style: &Style) -> [String; 6] {
    let (wide_move, wide_score) = if style.is_narrow() { (13, 8) } else { (15, 11) };
    let (played, score) = (left(played, wide_move), right(score, wide_score));
    [right(number, 5), played, score, right(rate, 4), right(loss, 5), right(rank, 4)]
}

/// Columns that the cells take, with the blanks behind them.
fn taken(cells: &[String]) -> usize {
    cells.iter().map(|cell| widest(cell) + 1).sum()
}

/// The name of a game.
pub(super) fn game_heading(game: &InputGame, style: &Style) -> String {
    let language = style.language;
    let mut text = language.say(&game.place.input);
    let record = game.record.as_ref();
    if game.place.game > 1 || game.place.file().is_none() {
        text += &format!(" ({})", game.place.game);
    }
    let [black, white] = Color::ALL.map(|color| record.and_then(|record| record.player(color)));
    if black.or(white).is_some() {
        text += &format!(": ▲{} △{}", black.unwrap_or("?"), white.unwrap_or("?"));
    }
    if let Some(handicap) = record.and_then(|record| record.handicap()) {
        text += &format!(", {}", language.choose(handicap.english(), handicap.name()));
    }
    style.cut(&text, taken(&padded([""; 6], style))) + "\n"
}

/// The names of the columns.
pub(super) fn column_names(style: &Style) -> String {
    let (cells, line) = style.language.choose(
        (["Move", "Played", "Black", "Win", "Loss", "Rank"], "Best line instead"),
        (["手数", "指し手", "評価値", "勝率", "損失", "順位"], "最善手順"),
    );
    format!("{} {line}\n", padded(cells, style).join(" "))
}

/// The row of a position and the move played in it; score and win rate are Black's, after the move.
pub(super) fn game_row(analysis: &Analysis, judgement: Option<&Judgement>, style: &Style) -> String {
    let (position, language) = (&analysis.position, style.language);
    let (board, last) = (position.setup(), analysis.last());
    let side = position.side_to_move();
    let mistake = judgement.and_then(|judgement| judgement.mistake);
    let (mut number, mut name) = (String::new(), language.choose("(end)", "（終局）").to_owned());
    let (mut score, mut loss, mut rank) = (analysis.found.score(), String::new(), String::new());
    if let Some(played) = analysis.played() {
        number = position.game_ply().to_string();
        name = style.notation.write(&board, played, last) + mistake.map_or("", Mistake::mark);
        if style.notation != Notation::Japanese {
            name.insert_str(0, if side == Color::Black { "▲" } else { "△" });
        }
        score = judgement.map(|judgement| judgement.score);
        loss = judgement.map_or(String::new(), |judgement| match language {
            Language::English => format!("{:.2}", f64::from(judgement.loss) / 100.0),
            Language::Japanese => judgement.loss.to_string(),
        });
        rank = judgement.and_then(|judgement| judgement.rank).map_or("-".to_owned(), |rank| rank.to_string());
    }
    let score = score.map(|score| if side == Color::Black { score } else { score.flipped(0) });
    let rate = score.map_or(String::new(), |score| format!("{:.0}%", 100.0 * win_rate(score)));
    let score = score.map_or(String::new(), |score| style.score(score));
    let mut cells = padded([&number, &name, &score, &rate, &loss, &rank], style);
    // What is too long for its column takes from the room of the line.
    let (indent, taken) = (taken(&padded([""; 6], style)), taken(&cells));
    if let Some(mistake) = mistake.filter(|_| style.color) {
        let name = colored(&cells[1]).force_styling(true);
        cells[1] = match mistake {
            Mistake::Dubious => name.yellow(),
            Mistake::Mistake => name.red(),
            Mistake::Blunder => name.red().bold(),
        }
        .to_string();
    }
    let mut row = cells.join(" ");
    if let Decision::DeclareWin | Decision::DeclareDraw = analysis.answer.decision {
        row += language.choose(" (declaration)", " （宣言）");
    } else if let Some(line) = analysis.found.best_line().filter(|_| analysis.played().is_some())
        && line.first().copied() != analysis.played()
    {
        let line = LineOfPlay { board: &board, moves: line, last };
        row += &format!(" {}", style.line_of_play(&line, LineLayout { indent, taken, rows: ROWS }));
    }
    let mut text = row.trim_end().to_owned() + "\n";
    for note in notes(analysis, style) {
        text += &format!("{}\n", style.wrap(&format!("      {note}"), 8));
    }
    text
}

/// What the moves came to.
pub(super) fn game_end(game: &InputGame, report: &GameReport, style: &Style) -> String {
    let language = style.language;
    let is_handicap = Handicap::is_given(&game.line.start());
    let side = |color| language.side(color, is_handicap);
    let mut lines: Vec<String> = Color::ALL.map(|color| side_line(side(color), report, color, language)).into();
    if let Some(opening) = report.names.opening {
        let opening = language.choose(opening.en, opening.ja);
        lines.insert(0, language.say(&text!("Opening: {opening}", "戦型: {opening}")));
    }
    if game.record.as_ref().is_some_and(GameRecord::has_variations) {
        lines.push(language.choose("Variations: not analysed", "変化: 解析していません").to_owned());
    }
    if let Some(broken) = &game.breach {
        let (words, winner) = (breach(broken, style.notation, style.notation), side(broken.winner));
        lines.push(language.choose(format!("Result: {}", words.en), format!("結果: {winner}の勝ち。{}", words.ja)));
    }
    let moves = game.line.moves();
    let last = |made: usize| made.checked_sub(1).map(|at| moves[at].to());
    let name = |made: usize| {
        let position = game.line.position_after(made);
        let mv = moves.get(made).map(|&mv| style.notation.write(&position.setup(), mv, last(made)));
        let (number, mv) = (position.game_ply(), mv.unwrap_or_default());
        language.choose(format!("{number} {mv}"), format!("{number}手目{mv}"))
    };
    for point in &report.turning_points {
        let (made, leader) = (name(point.moves), side(point.leader));
        lines.push(
            language.say(&text!(
                "Turning point: move {made}; {leader} leads from then on",
                "逆転: {made}、以後{leader}優勢"
            )),
        );
    }
    let mut text: String = lines.iter().map(|line| style.wrap(&format!("  {line}"), 4) + "\n").collect();
    for missed in &report.missed_mates {
        let (made, plies) = (name(missed.moves), missed.mate.len());
        let said = text!("  Missed mate: move {made}; mate in {plies}: ", "  詰み逃し: {made}、{plies}手詰 ");
        let (said, board) = (language.say(&said), game.line.position_after(missed.moves).setup());
        let line = LineOfPlay { board: &board, moves: &missed.mate, last: last(missed.moves) };
        let place = LineLayout { indent: 4, taken: widest(&said), rows: usize::MAX };
        text += &format!("{said}{}\n", style.line_of_play(&line, place));
    }
    for missed in &report.missed_declarations {
        let (made, points) = (name(missed.moves), missed.declaration.points);
        let rule = missed.declaration.rule.name();
        text += &language.say(&text!(
            "  Missed declaration: move {made}; {points} points win by {rule}\n",
            "  宣言逃し: {made}、{rule}で{points}点\n"
        ));
    }
    text + "\n"
}

fn side_line(name: &str, report: &GameReport, color: Color, language: Language) -> String {
    let (side, names) = (&report.sides[color.index()], report.names.sides[color.index()]);
    let (Some(accuracy), Some(loss)) = (side.accuracy, side.mean_loss) else {
        return format!("{name}: {}", language.choose("no moves", "指し手なし"));
    };
    let SideReport { moves, best_moves, .. } = side;
    let counts = Mistake::ALL.iter().zip(side.mistakes).filter(|&(_, count)| count > 0);
    let counts = counts.map(|(mistake, count)| match (language, count) {
        (Language::Japanese, _) => format!("{}{count}", mistake.japanese()),
        (Language::English, 1) => format!("1 {}", mistake.english()),
        (Language::English, _) => format!("{count} {}", mistake.plural()),
    });
    let mut counts = counts.collect::<Vec<_>>().join(language.choose(", ", "、"));
    if counts.is_empty() {
        counts = language.choose("no mistakes", "悪手なし").to_owned();
    }
    // An opening of its own, and not that of the game.
    if let Some(opening) = names.opening.filter(|&name| report.names.opening != Some(name)) {
        counts += &language.choose(format!(", {}", opening.en), format!("、{}", opening.ja));
    }
    if let Some(castle) = names.castle {
        counts += &language.choose(format!(", castle: {}", castle.en), format!("、{}", castle.ja));
    }
    let pawns = loss / 100.0;
    language.say(&text!(
        "{name}: accuracy {accuracy:.0}%, mean loss {pawns:.2}, best move {best_moves} of {moves}, {counts}",
        "{name}: 正確さ{accuracy:.0}%、平均損失{loss:.0}、最善手{best_moves}/{moves}、{counts}"
    ))
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
    let error = format!("{}: {}", language.choose("error", "エラー"), language.say(&bad.error.text));
    let mut row = match bad.place.file() {
        Some(file) => {
            let line = match bad.place.line {
                0 => String::new(),
                line => language.choose(format!("line {line}: "), format!("{line}行目: ")),
            };
            format!("{number:5}  {file}: {line}{error}")
        }
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
    let (board, last) = (position.setup(), analysis.last());
    for (rank, line) in analysis.answer.lines.iter().enumerate() {
        rows += &" ".repeat(if rank > 0 { 25 } else { 2 });
        rows += &(columns(line, analysis.answer.decision, &board, last, style) + "\n");
    }
    for note in notes(analysis, style) {
        rows += &format!("{}\n", style.wrap(&format!("{:25}{note}", ""), 25));
    }
    rows
}

/// What else there is to say, by rule and by the engine.
fn notes(analysis: &Analysis, style: &Style) -> Vec<String> {
    let (position, language) = (&analysis.position, style.language);
    let write = |mv: Move| style.notation.write(&position.setup(), mv, analysis.last());
    let is_handicap = Handicap::is_given(&analysis.game.line.start());
    let end = analysis.found.end.map(|end| language.choose(end.to_string(), end.japanese(is_handicap, write)));
    let warning = RepetitionWarning::from_position(position);
    let warning = warning.map(|it| language.choose(it.to_string(), it.japanese(is_handicap, write)));
    let mut notes: Vec<String> = end.into_iter().chain(warning).collect();
    // Of a game only what has changed: a king that has entered stays.
    let before = analysis.made.checked_sub(1).map(|made| analysis.game.line.position_after(made));
    for color in Color::ALL.into_iter().filter(|_| has_entered_king(position)) {
        let standing = |position| standing(position, color, language.side(color, is_handicap), language);
        let earlier = before.as_ref().filter(|before| has_entered_king(before)).map(standing);
        notes.extend(Some(standing(position)).filter(|now| earlier.as_ref() != Some(now)));
    }
    notes.extend(analysis.found.found_from_level.map(|level| language.say(&finder(level))));
    notes.extend(analysis.messages.iter().map(|message| language.say(message)));
    notes
}

/// From which level on a mistake is avoided.
fn finder(level: u8) -> Text {
    if u32::from(level) == FULL_STRENGTH {
        return text!("only full strength avoids this mistake", "このミスを避けられるのは、全力のときだけです");
    }
    let from = if level == 0 { "でも" } else { "以上なら" };
    text!("level {level} avoids this mistake", "レベル{level}{from}、このミスを避けられます")
}

/// How a side of this name stands by the entering-king rules: its points and pieces, and by which rules it wins.
fn standing(position: &Position, color: Color, side: &str, language: Language) -> String {
    let all: Vec<Declaration> = Rules::declarations(position, color).collect();
    let Some(standing) = all.iter().find(|it| it.needed.is_some()) else { return String::new() };
    let (points, pieces) = (standing.points, standing.pieces);
    let mut said = vec![language.choose(
        format!("{side}: {}, {} in the zone", counted(points as usize, "point"), counted(pieces as usize, "piece")),
        format!("{side}: {points}点、敵陣{pieces}枚"),
    )];
    said.extend((!standing.king_entered).then(|| language.choose("king not in the zone", "玉は敵陣外").to_owned()));
    said.extend(standing.in_check.then(|| language.choose("in check", "王手").to_owned()));
    let mut add = |words: &str, is_meant: fn(&&Declaration) -> bool| {
        let names: Vec<&str> = all.iter().filter(is_meant).map(|it| it.rule.name()).collect();
        said.extend((!names.is_empty()).then(|| words.to_owned() + &names.join(", ")));
    };
    add(language.choose("wins by ", "宣言勝ち: "), |it| it.wins);
    add(language.choose("draws by ", "引き分け: "), |it| it.draws && !it.wins);
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
    let is_shown = !style.is_narrow() || line.pv.is_empty();
    let best = if is_shown { left(&best, BEST - 2) + "  " } else { String::new() };
    let indent = if style.is_narrow() { INDENT - BEST } else { INDENT };
    // A long name of the best move takes from the room of the line.
    let place = LineLayout { indent, taken: INDENT - BEST + widest(&best), rows: usize::MAX };
    let line_of_play = style.line_of_play(&LineOfPlay { board, moves: &line.pv, last }, place);
    format!("{score}  {depth:>7}  {best}{line_of_play}").trim_end().to_owned()
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
