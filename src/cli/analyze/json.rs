//! Entries as JSON, one object a line.

use serde_json::{Value, json};

use super::has_entered_king;
use super::input::{BadInput, InputGame};
use super::worker::Analysis;
use crate::cli::arguments::side_name;
use crate::cli::records::inputs::Input;
use crate::engine::Decision;
use crate::language::Text;
use crate::position::{Declaration, Position};
use crate::records::{EvaluatedLine, GameRecord};
use crate::report::{Breach, FoundMate, GameReport, Judgement, Mistake, TurningPoint, rounded, win_rate};
use crate::rules::{GameEnd, RepetitionWarning, Rules};
use crate::search::SearchInfo;
use crate::types::{Color, Move, Outcome, Phrase};

fn line(object: Value) -> String {
    trimmed(object).to_string() + "\n"
}

/// The object without members that are left out where there is nothing to say; others are null then.
fn trimmed(value: Value) -> Value {
    let Value::Object(members) = value else { return value };
    let is_left_out = |name: &str| {
        matches!(
            name,
            "check"
                | "declaration"
                | "ending"
                | "file"
                | "found_from_level"
                | "game"
                | "game_end"
                | "illegal_move"
                | "mate"
        ) || matches!(name, "messages" | "mistake" | "move" | "number" | "played" | "repetition")
    };
    let members = members.into_iter().filter(|(name, value)| !value.is_null() || !is_left_out(name));
    members.map(|(name, value)| (name, trimmed(value))).collect()
}

/// What an input holds.
pub(super) fn input(input: &Input, is_lines: bool) -> String {
    let file = matches!(input, Input::File(_)).then(|| input.name());
    line(json!({ "file": file, "holds": if is_lines { "lines" } else { "records" } }))
}

/// What could not be analysed.
pub(super) fn bad_input(bad: &BadInput) -> String {
    let error = &bad.error;
    line(json!({
        "file": bad.place.file(),
        "line": bad.place.line,
        "text": bad.text,
        "error": { "kind": error.kind, "move": error.mv, "number": error.number, "message": error.text.en },
    }))
}

/// A position with the judgement of the move played, where there is one. Texts are in USI notation, scores from the
/// view of the side to move.
pub(super) fn position(analysis: &Analysis, judgement: Option<&Judgement>) -> String {
    let Analysis { game, made, position, answer, found, messages } = analysis;
    let best = answer.lines.first();
    let is_whole_game = game.record.is_some();
    let played = game.line.moves().get(*made).filter(|_| is_whole_game);
    let best_move = match answer.decision {
        Decision::DeclareWin => Some("win".to_owned()),
        Decision::DeclareDraw => Some("draw".to_owned()),
        _ => found.best_move().map(|mv| mv.to_string()),
    };
    let multipv = found.shown_lines();
    let multipv = multipv.iter().take(answer.lines.len()).zip(1..);
    let repetition = RepetitionWarning::from_position(position);
    line(json!({
        "file": game.place.file(),
        "game": is_whole_game.then_some(game.place.game),
        "line": analysis.source_line(),
        "move_number": position.game_ply(),
        "sfen": position.to_sfen(),
        "side": side_name(position.side_to_move()),
        "best_move": best_move,
        "score": found.score().map(score),
        "win_rate": found.score().map(|score| rounded(win_rate(score))),
        "check": position.in_check().then_some(true),
        "played": played.map(|mv| json!({
            "move": mv.to_string(),
            "rank": judgement.and_then(|judgement| judgement.rank),
            "score": judgement.map(|judgement| score(judgement.score)),
            "loss": judgement.map(|judgement| judgement.loss),
            "win_rate_loss": judgement.map(|judgement| rounded(judgement.drop)),
            "mistake": judgement.and_then(|judgement| judgement.mistake).map(Mistake::english),
            "found_from_level": found.found_from_level,
        })),
        "mate": found.mate.as_ref().map(|FoundMate { moves, is_shortest, kept }| json!({
            "plies": moves.len(), "moves": texts(moves), "shortest": is_shortest, "kept": kept,
        })),
        "depth": best.map_or(0, |line| line.depth),
        "seldepth": best.map_or(0, |line| line.selective_depth),
        "nodes": best.map_or(0, |line| line.nodes),
        "nps": best.map_or(0, SearchInfo::nps),
        "time_ms": best.map_or(0, |line| line.time.as_millis() as u64),
        "pv": texts(found.best_line().unwrap_or_default()),
        "multipv": multipv.map(|(line, rank)| line_of_play(line, rank)).collect::<Vec<_>>(),
        "game_end": found.end.as_ref().map(game_end),
        "repetition": repetition.map(|warning| json!({
            "occurrences": warning.occurrences,
            "fourth": warning.fourth.iter().map(|(mv, winner)| json!({
                "move": mv.to_string(), "winner": winner.map(side_name),
            })).collect::<Vec<_>>(),
            "text": warning.to_string(),
        })),
        "declaration": declarations(position),
        "messages": (!messages.is_empty()).then(|| messages.iter().map(Text::to_string).collect::<Vec<_>>()),
    }))
}

/// The report that follows the positions of a game. Moves are numbered from 1.
pub(super) fn game(game: &InputGame, report: &GameReport) -> String {
    let record = game.record.as_ref();
    let moves = game.line.moves();
    let pair = |name: Phrase| [name.ja, name.en];
    let side = |color: Color| {
        let side = &report.sides[color.index()];
        let [dubious, mistakes, blunders] = side.mistakes;
        let names = report.names.sides[color.index()];
        json!({
            "name": record.and_then(|record| record.player(color)),
            "moves": side.moves,
            "accuracy": side.accuracy.map(rounded),
            "mean_loss": side.mean_loss.map(rounded),
            "best_moves": side.best_moves,
            "dubious": dubious, "mistakes": mistakes, "blunders": blunders,
            "opening": names.opening.map(pair), "castle": names.castle.map(pair),
        })
    };
    let turning_point = |point: &TurningPoint| {
        let mv = moves.get(point.moves).map(ToString::to_string);
        json!({ "number": point.moves + 1, "move": mv, "leader": side_name(point.leader) })
    };
    let ending = record.and_then(GameRecord::ending);
    let breach = game.breach.as_ref();
    let winner = breach.map(|breach| breach.winner).or(record.and_then(GameRecord::winner));
    line(json!({ "file": game.place.file(), "game": game.place.game, "report": {
        "black": side(Color::Black),
        "white": side(Color::White),
        "start": record.and_then(GameRecord::handicap).map(|handicap| handicap.english()),
        "opening": report.names.opening.map(pair),
        "moves": moves.len(),
        "ending": ending.map(|ending| [ending.japanese(), ending.english()]),
        "winner": winner.map(side_name),
        "illegal_move": breach.map(|Breach { number, mv, reason, .. }| json!({
            "number": number, "move": mv.to_string(), "kind": reason.kind(), "reason": reason.to_string(),
        })),
        "game_end": report.end.as_ref().map(game_end),
        "turning_points": report.turning_points.iter().map(turning_point).collect::<Vec<_>>(),
        "missed_mates": report.missed_mates.iter().map(|missed| json!({
            "number": missed.moves + 1,
            "plies": missed.mate.len(),
            "shortest": missed.is_shortest,
            "moves": texts(&missed.mate),
        })).collect::<Vec<_>>(),
        "missed_declarations": report.missed_declarations.iter().map(|missed| {
            let Declaration { rule, points, pieces, .. } = missed.declaration;
            json!({ "number": missed.moves + 1, "rule": rule.name(), "points": points, "pieces": pieces })
        }).collect::<Vec<_>>(),
        "declaration": declarations(&game.line.end()),
    } }))
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// An object with one member.
fn score(outcome: Outcome) -> Value {
    let (kind, number) = outcome.kind_and_number();
    json!({ kind: number })
}

fn line_of_play(line: &EvaluatedLine, rank: usize) -> Value {
    // A mate that the solver found is as deep as it is long.
    let length = line.pv.len() as u32;
    let (depth, seldepth) = (line.depth.unwrap_or(length), line.selective_depth.unwrap_or(length));
    json!({ "rank": rank, "score": score(line.score), "depth": depth, "seldepth": seldepth, "pv": texts(&line.pv) })
}

fn game_end(end: &GameEnd) -> Value {
    json!({ "kind": end.kind(), "winner": end.winner().map(side_name), "text": end.to_string() })
}

/// How both sides stand by each entering-king rule, where a king has entered.
fn declarations(position: &Position) -> Option<Value> {
    let declaration = |declaration: Declaration| {
        json!({
            "rule": declaration.rule.name(),
            "wins": declaration.wins,
            "draws": declaration.draws,
            "points": declaration.points,
            "pieces": declaration.pieces,
            "points_short": declaration.points_short(),
            "pieces_short": declaration.pieces_short(),
            "king_entered": declaration.king_entered,
            "text": declaration.to_string(),
        })
    };
    let all = |color| Rules::declarations(position, color).map(declaration).collect::<Vec<_>>();
    has_entered_king(position).then(|| json!({ "black": all(Color::Black), "white": all(Color::White) }))
}
