//! The data that the page of a game shows.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::position::{Handicap, Position};
use crate::records::notation::Notation;
use crate::records::{EvaluatedLine, Format, GameRecord, Legality, Node, NodeId, WriteOptions, write};
use crate::report::judgement::WIN_RATE_SCALE;
use crate::report::{Breach, GameReport, MissedDeclaration, PositionAnalysis, Scale, SideReport, rounded};
use crate::rules::{GameEnd, RepetitionWarning};
use crate::types::{Color, Move, Outcome, Square, Text};

/// The initial settings of a page, and what it says about how it was made.
#[derive(Clone, Copy, Debug)]
pub struct PageOptions<'a> {
    /// `en` or `ja`
    pub language: &'a str,
    /// `usi`, `western`, `numeric` or `japanese`
    pub notation: &'a str,
    /// Engine and limits.
    pub engine: &'a str,
    /// Whether there is a list of games beside it.
    pub index: bool,
    /// What to say of the illegal move that ended the game, or of what could not be read on.
    pub fault: Option<&'a Text>,
}

/// A move in USI, Japanese and western notation.
pub(super) type Words = [String; 3];

/// What [`Words`] holds.
const NOTATIONS: [Notation; 3] = [Notation::Usi, Notation::Japanese, Notation::Western];

/// Moves shown of a line; mates are shown to their end.
const SHOWN_MOVES: usize = 16;

pub(super) fn game(
    record: &GameRecord,
    analyses: &[PositionAnalysis],
    report: &GameReport,
    options: &PageOptions<'_>,
) -> Value {
    let moves = record.legal_moves();
    let main_line: Vec<NodeId> = record.main_line().filter(|&id| record.node(id).ending().is_none()).collect();
    let mut positions = Vec::new();
    let mut shown = record.start().ok().map(|start| Shown::new(start.clone()));
    for (made, analysis) in analyses.iter().take(moves.len() + 1).enumerate() {
        let Some(shown) = &mut shown else { break };
        let played = moves.get(made).filter(|_| made + 1 < analyses.len()).copied();
        let judgement = report.judgements.get(made).and_then(Option::as_ref);
        let mut notes = shown.notes(analysis.end);
        let node = main_line.get(made).map(|&id| record.node(id));
        notes.extend(node.into_iter().flat_map(comments));
        notes.extend(options.fault.filter(|_| played.is_none()).cloned());
        // A line without moves but with a win is a declaration.
        let is_shown = |line: &&EvaluatedLine| !line.pv.is_empty() || matches!(line.score, Outcome::WinIn(_));
        positions.push(json!({
            // The number of the move to be played.
            "number": shown.position.game_ply(),
            "score": analysis.score().map(|score| shown.black_score(score)),
            "rate": report.win_rates.get(made).copied().flatten().map(rounded),
            "check": shown.position.in_check(),
            "notes": notes,
            // Seconds for the move that led here, where the record has them.
            "time": node.and_then(|node| node.time).map(|time| time.as_secs_f64()),
            "played": played.map(|mv| json!({
                "move": shown.words(&[mv]).pop(),
                "drop": judgement.map_or(0.0, |judgement| rounded(judgement.drop)),
                "loss": judgement.map_or(0, |judgement| judgement.loss),
                // 0 to 2, null for none.
                "mistake": judgement.and_then(|judgement| judgement.mistake).map(|mistake| mistake as usize),
                "level": analysis.found_from_level,
            })),
            "lines": analysis.shown_lines().iter().filter(is_shown).map(|line| shown.line(line)).collect::<Vec<_>>(),
        }));
        if let Some(mv) = played {
            shown.make(mv);
        }
    }
    let side = |color: Color| {
        let SideReport { moves, accuracy, mean_loss, best_moves, mistakes } = &report.sides[color.index()];
        let names = report.names.sides[color.index()];
        json!({
            "name": record.player(color), "moves": moves, "accuracy": accuracy, "loss": mean_loss, "best": best_moves,
            "mistakes": mistakes, "opening": names.opening, "castle": names.castle,
        })
    };
    let turning = report.turning_points.iter();
    let turning = turning.map(|point| json!({ "moves": point.moves, "leader": point.leader.index() }));
    let mates = report.missed_mates.iter();
    let mates = mates.map(|missed| json!({ "moves": missed.moves, "plies": missed.mate.len() }));
    let declarations = report.missed_declarations.iter().map(|MissedDeclaration { moves, declaration }| {
        json!({ "moves": moves, "points": declaration.points, "rule": declaration.rule.name() })
    });
    json!({
        "language": options.language,
        "notation": options.notation,
        "engine": options.engine,
        "index": options.index,
        "handicap": record.is_handicap(),
        "opening": report.names.opening,
        "about": about(record, report, moves.len()),
        "result": result(record, report).0,
        "in_points": record.start().is_ok_and(|start| Scale::new(start, analyses.first(), Color::Black).is_in_points()),
        "start": record.start_sfen(),
        // For copies of it, with lines of the reader's.
        "record": write(record, Format::Kif, &WriteOptions::default()),
        "scale": WIN_RATE_SCALE,
        "variations": variations(record, &main_line[..positions.len().min(main_line.len())]),
        "positions": positions,
        "sides": Color::ALL.map(side),
        "turning": turning.collect::<Vec<_>>(),
        "mates": mates.collect::<Vec<_>>(),
        "declarations": declarations.collect::<Vec<_>>(),
    })
}

/// A text from outside, the same in both languages.
fn same(text: &str) -> Text {
    Text::pair(text, text)
}

/// What the record says of a move.
fn comments(node: &Node) -> impl Iterator<Item = Text> {
    node.comments.iter().map(|comment| same(comment))
}

/// The record's own variations: the place of the position that a move is made in (those of the main line are numbered
/// first), the move, and what is said of it. An illegal move ends its line.
fn variations(record: &GameRecord, main_line: &[NodeId]) -> Vec<Value> {
    struct Made {
        parent: usize,
        mv: Words,
        notes: Vec<Text>,
    }
    let mut places: HashMap<NodeId, usize> = main_line.iter().copied().zip(0..).collect();
    let mut made: Vec<Made> = Vec::new();
    record.visit(|id, node, board| {
        let parent = node.parent();
        let Some(&place) = parent.and_then(|parent| places.get(&parent)).filter(|_| !places.contains_key(&id)) else {
            return;
        };
        let notes_before = place.checked_sub(main_line.len()).map(|index| &mut made[index].notes);
        match (node.played(), notes_before) {
            (Some(mv), notes_before) => {
                let last = parent.and_then(|parent| record.node(parent).played()).map(Move::to);
                let mv = NOTATIONS.map(|notation| notation.write(board, mv, last));
                if node.legality == Legality::Legal {
                    places.insert(id, main_line.len() + made.len());
                    made.push(Made { parent: place, mv, notes: comments(node).collect() });
                } else if let Some(notes) = notes_before {
                    notes.push(Text::pair(format!("illegal: {}", mv[2]), format!("反則: {}", mv[1])));
                }
            }
            // How the variation ends.
            (None, Some(notes)) => {
                notes.extend(node.ending().map(|ending| Text::pair(ending.english(), ending.japanese())));
                notes.extend(comments(node));
            }
            (None, None) => {}
        }
    });
    made.iter().map(|Made { parent, mv, notes }| json!({ "parent": parent, "move": mv, "notes": notes })).collect()
}

/// What the record says about the game.
fn about(record: &GameRecord, report: &GameReport, moves: usize) -> Vec<Text> {
    let mut about: Vec<Text> =
        ["棋戦", "開始日時"].into_iter().filter_map(|name| record.info(name)).map(same).collect();
    if let Some(handicap) = record.handicap() {
        about.push(Text::pair(handicap.english(), handicap.name()));
    }
    about.extend(report.names.opening.map(Text::from));
    about.push(Text::pair(
        if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") },
        format!("{moves}手"),
    ));
    about.push(result(record, report).0);
    if record.has_variations() {
        about.push(Text::pair("main line only", "本譜のみ解析"));
    }
    about.retain(|text| !text.en.is_empty());
    about
}

/// How the game ended, and who has won: by an illegal move, as the record says or, where it does not, as the rules end
/// it.
pub(super) fn result(record: &GameRecord, report: &GameReport) -> (Text, Option<Color>) {
    let by_rule = report.end.as_ref().filter(|end| !matches!(end, GameEnd::Declaration(..) | GameEnd::MoveLimit(_)));
    let breach = Breach::find(record);
    let (winner, english, japanese) = match (record.ending(), by_rule) {
        _ if breach.is_some() => (breach.map(|breach| breach.winner), "illegal move", "反則"),
        (Some(ending), _) => (record.winner(), ending.english(), ending.japanese()),
        (None, Some(end)) => {
            let [english, japanese] = end.short();
            (end.winner(), english, japanese)
        }
        (None, None) => return (same(""), None),
    };
    let result = match winner {
        Some(winner) => Text::pair(
            format!("{winner:?} wins ({english})"),
            format!("{}勝ち（{japanese}）", winner.japanese(record.is_handicap())),
        ),
        None => Text::pair(english, japanese),
    };
    (result, winner)
}

/// A position of the game, and the square that the move before went to.
pub(super) struct Shown {
    pub(super) position: Position,
    last: Option<Square>,
    is_handicap: bool,
}

impl Shown {
    /// The start of a game.
    pub(super) fn new(position: Position) -> Shown {
        Shown { is_handicap: Handicap::is_given(&position), position, last: None }
    }

    pub(super) fn make(&mut self, mv: Move) {
        self.position.do_move(mv);
        self.last = Some(mv.to());
    }

    /// What the rules say of it.
    pub(super) fn notes(&self, end: Option<GameEnd>) -> Vec<Text> {
        let write = |mv: Move| Notation::Japanese.write(&self.position.setup(), mv, None);
        let end = end.map(|end| Text::pair(end.to_string(), end.japanese(self.is_handicap, write)));
        let warning = RepetitionWarning::from_position(&self.position);
        let warning = warning.map(|it| Text::pair(it.to_string(), it.japanese(self.is_handicap, write)));
        end.into_iter().chain(warning).collect()
    }

    fn line(&self, line: &EvaluatedLine) -> Value {
        let is_mate = matches!(line.score, Outcome::MateIn(_) | Outcome::MatedIn(_));
        let shown = if is_mate { line.pv.len() } else { line.pv.len().min(SHOWN_MOVES) };
        let moves = self.words(&line.pv[..shown]);
        json!({ "score": self.black_score(line.score), "depth": line.depth, "moves": moves })
    }

    /// The kind and the number, from Black's view.
    fn black_score(&self, score: Outcome) -> (&'static str, i64) {
        let is_black = self.position.side_to_move() == Color::Black;
        if is_black { score } else { score.flipped(0) }.kind_and_number()
    }

    pub(super) fn words(&self, moves: &[Move]) -> Vec<Words> {
        let (mut board, mut last) = (self.position.setup(), self.last);
        let words = moves.iter().map(|&mv| {
            let words = NOTATIONS.map(|notation| notation.write(&board, mv, last));
            board.do_move(mv);
            last = Some(mv.to());
            words
        });
        words.collect()
    }
}
