//! JKF.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::{TextEncoding, WriteOptions, has_common_name, total_times};
use crate::position::Setup;
use crate::records::csa_names::{piece, preset};
use crate::records::record::{Entry, GameRecord, Node, NodeId};
use crate::types::{Color, File, Move, Piece, PieceType, Rank, Square};

pub(super) fn write(record: &GameRecord, options: &WriteOptions) -> String {
    let totals = total_times(record);
    // Each node as JSON, a variation's moves being complete before those that it varies.
    let mut steps: Vec<Value> = vec![Value::Null; record.len()];
    record.visit(|id, node, board| {
        steps[id.index()] = step(record, node, board, totals[id.index()]);
    });
    let mut first = json!({});
    add_comments(&mut first, record.node(NodeId::ROOT));
    let mut moves = vec![first];
    moves.extend(line_after(record, NodeId::ROOT, &mut steps, 0));
    let header: Vec<String> =
        record.metadata.iter().map(|(name, value)| format!("{}:{}", json!(name), json!(value))).collect();
    // The header keeps its order, which a map of this library would not.
    let text = format!(
        "{{\"header\":{{{}}},\"initial\":{},\"moves\":{}}}\n",
        header.join(","),
        initial(record),
        Value::Array(moves)
    );
    match options.encoding {
        TextEncoding::Utf8 => text,
        // JSON is UTF-8; in ASCII it is valid in both encodings.
        TextEncoding::ShiftJis => escaped(&text),
    }
}

/// JSON whose strings have escapes for all characters but those of ASCII.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() {
            text.push(c);
        } else {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| _ = write!(text, "\\u{unit:04x}"));
        }
    }
    text
}

/// Variations of variations nested deeper than this are left out: no reader of JSON goes any depth.
const MAX_NESTING: usize = 30;

/// The steps behind a node, each with the variations that could stand in its place.
fn line_after(record: &GameRecord, parent: NodeId, steps: &mut [Value], nesting: usize) -> Vec<Value> {
    let mut line = Vec::new();
    let mut at = parent;
    while let Some((&main, variations)) = record.node(at).children().split_first() {
        let mut step = steps[main.index()].take();
        if !variations.is_empty() && nesting < MAX_NESTING {
            let fork = |&variation: &NodeId| {
                let mut fork = vec![steps[variation.index()].take()];
                fork.extend(line_after(record, variation, steps, nesting + 1));
                Value::Array(fork)
            };
            step["forks"] = variations.iter().map(fork).collect();
        }
        line.push(step);
        at = main;
    }
    line
}

fn step(record: &GameRecord, node: &Node, board: &Setup, total: Duration) -> Value {
    let mut step = json!({});
    match &node.entry {
        Entry::Start => {}
        Entry::Move(mv) => {
            let last = node.parent().and_then(|parent| record.node(parent).played()).map(Move::to);
            step["move"] = played(board, *mv, node.named_piece, last);
        }
        Entry::End(ending) => step["special"] = json!(ending.csa(board.side_to_move(), record.offender_told(node))),
    }
    if let Some(time) = node.time {
        let (now, total) = (time.as_secs(), total.as_secs());
        step["time"] = json!({
            "now": {"m": now / 60, "s": now % 60},
            "total": {"h": total / 3600, "m": total / 60 % 60, "s": total % 60},
        });
    }
    add_comments(&mut step, node);
    step
}

fn add_comments(step: &mut Value, node: &Node) {
    let comments = node.comments_with_marks();
    if !comments.is_empty() {
        step["comments"] = json!(comments);
    }
}

fn place(square: Square) -> Value {
    json!({"x": square.file().index() + 1, "y": square.rank().index() + 1})
}

fn played(board: &Setup, mv: Move, named: Option<PieceType>, last: Option<Square>) -> Value {
    let color = board.side_to_move();
    let moved = named.or(board.moved_type(mv)).unwrap_or(PieceType::Pawn);
    let mut played = json!({"color": color.index(), "to": place(mv.to()), "piece": piece(moved)});
    if let Some(from) = mv.from() {
        played["from"] = place(from);
        if mv.is_promotion() {
            played["promote"] = json!(true);
        } else if moved.can_promote() && (from.in_promotion_zone(color) || mv.to().in_promotion_zone(color)) {
            played["promote"] = json!(false);
        }
    }
    if last == Some(mv.to()) {
        played["same"] = json!(true);
    }
    if let Some(captured) = board.piece_on(mv.to()) {
        played["capture"] = json!(piece(captured.piece_type()));
    }
    let words = crate::records::notation::distinction_words(board, mv);
    let relative: String = words.chars().filter_map(letter).collect();
    if !relative.is_empty() {
        played["relative"] = json!(relative);
    }
    played
}

/// The letter for a word that tells pieces apart.
fn letter(word: char) -> Option<char> {
    let letters = [('左', 'L'), ('直', 'C'), ('右', 'R'), ('上', 'U'), ('寄', 'M'), ('引', 'D'), ('打', 'H')];
    letters.iter().find(|row| row.0 == word).map(|row| row.1)
}

fn initial(record: &GameRecord) -> Value {
    // ShogiHome refuses the presets of the others; it reads their boards.
    if let Some(name) = record.handicap().filter(has_common_name).and_then(preset) {
        return json!({"preset": name});
    }
    let board = record.start_board().clone();
    let cell = |standing: Option<Piece>| match standing {
        Some(standing) => json!({"color": standing.color().index(), "kind": piece(standing.piece_type())}),
        None => json!({}),
    };
    let file = |file| Rank::all().map(|rank| cell(board.piece_on(Square::at(file, rank)))).collect::<Vec<_>>();
    let hand = |color: Color| {
        let held = PieceType::HAND.into_iter().map(|held| (piece(held).to_owned(), json!(board.in_hand(color, held))));
        Value::Object(held.collect())
    };
    json!({"preset": "OTHER", "data": {
        "color": board.side_to_move().index(),
        "board": File::all().map(file).collect::<Vec<_>>(),
        "hands": Color::ALL.map(hand),
    }})
}
