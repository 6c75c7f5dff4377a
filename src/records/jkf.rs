//! JKF: the JSON Kifu Format of Kifu for JS.

use std::fmt;
use std::time::Duration;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::bod::add_to_hand;
use super::builder::{Builder, VARIATION_NUMBER};
use super::csa::{info_name, parse_piece, piece_name};
use super::ending::Ending;
use super::notation::distinction_words;
use super::record::{Entry, GameRecord, Node, NodeId, time};
use super::{Format, ReadError, Remedy};
use crate::position::{Handicap, Position, Setup};
use crate::types::{Color, File, Move, Phrase, Piece, PieceType, Rank, Square};

#[derive(Deserialize)]
struct Jkf {
    #[serde(default, deserialize_with = "in_order")]
    header: Vec<(String, String)>,
    initial: Option<Value>,
    moves: Vec<Step>,
}

/// The entries of an object in their order, which a map would not keep.
fn in_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, String)>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(String, String)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some((name, value)) = map.next_entry::<String, Value>()? {
                entries.push((name, text(&value)));
            }
            Ok(entries)
        }
    }
    deserializer.deserialize_map(Entries)
}

/// An entry of a line. A value of another kind than the format has must not lose the whole record.
#[derive(Deserialize)]
struct Step {
    comments: Option<Value>,
    #[serde(rename = "move")]
    played: Option<Value>,
    time: Option<Value>,
    special: Option<Value>,
    forks: Option<Vec<Vec<Step>>>,
}

/// The entry of the header for the start, which is given elsewhere as well.
pub(super) const HANDICAP: &str = "手合割";

fn error(expected: Phrase, found: &str) -> ReadError {
    ReadError::syntax(0, Format::Jkf, expected, found)
}

pub(super) fn read(text: &str) -> Result<GameRecord, ReadError> {
    let jkf: Jkf = serde_json::from_str(text).map_err(|problem| {
        let expected = Phrase::new("JSON of the JSON Kifu Format", "JSON棋譜フォーマットのJSON");
        ReadError::syntax(problem.line(), Format::Jkf, expected, &problem.to_string())
    })?;
    let first = jkf.moves.iter().find_map(|step| step.played.as_ref());
    let first_mover = |board: &Setup| {
        let standing = square(&first?["from"]).and_then(|from| board.piece_on(from));
        color(&first?["color"]).or(standing.map(Piece::color))
    };
    let mut builder = Builder::new(start(jkf.initial, first_mover)?);
    let mut steps = jkf.moves.into_iter().peekable();
    // The first entry belongs to the start position.
    if let Some(first) = steps.next_if(|step| step.played.is_none() && step.special.is_none()) {
        add_comments(builder.node(), first.comments);
    }
    read_steps(&mut builder, steps.collect())?;
    let facts = jkf.header.into_iter().filter(|(name, _)| name != HANDICAP);
    // Programs that make JKF of CSA keep its keywords.
    Ok(builder.finish(facts.map(|(name, value)| (info_name(&name).to_owned(), value)).collect()))
}

/// The record that begins; `first` knows who makes the first move where the file does not say whose turn it is.
fn start(initial: Option<Value>, first: impl FnOnce(&Setup) -> Option<Color>) -> Result<GameRecord, ReadError> {
    let Some(initial) = initial else { return Ok(GameRecord::new(Position::startpos())) };
    let preset = initial["preset"].as_str().unwrap_or("OTHER");
    match (PRESETS.iter().find(|row| row.0 == preset), &initial["data"]) {
        (Some((_, handicap)), _) => Ok(GameRecord::new(handicap.position())),
        (None, Value::Null) => {
            Err(error(Phrase::new("a preset such as HIRATE, or a board", "HIRATEなどのpresetか盤面"), preset))
        }
        (None, data) => {
            let mut board = board(data).map_err(|expected| error(expected, preset))?;
            let turn = color(&data["color"]).or_else(|| first(&board));
            board.set_side_to_move(turn.unwrap_or(Color::Black));
            Ok(GameRecord::from_setup(board, 0))
        }
    }
}

/// A side: 0 for Black and 1 for White, or as the first programs wrote it, true for Black and false for White.
fn color(value: &Value) -> Option<Color> {
    let is_black = value.as_bool().or_else(|| value.as_u64().map(|number| number != 1))?;
    Some(if is_black { Color::Black } else { Color::White })
}

/// A text, or the JSON of a value that is none.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// # Errors
/// What was expected.
fn board(data: &Value) -> Result<Setup, Phrase> {
    const BOARD: Phrase = Phrase::new("a board and hands", "盤面と持駒");
    let mut board = Setup::empty();
    for square in Square::all() {
        let cell = &data["board"][square.file().index()][square.rank().index()];
        let Some(kind) = cell["kind"].as_str() else { continue };
        let owner = color(&cell["color"]).unwrap_or(Color::Black);
        board.put(square, Some(Piece::new(owner, parse_piece(kind).ok_or(BOARD)?)));
    }
    for owner in Color::ALL {
        for (kind, count) in data["hands"][owner.index()].as_object().into_iter().flatten() {
            // json-kifu-format has "undefined": -1 from a diagram of KI2 with 持駒：なし.
            if count.as_i64().is_some_and(|count| count <= 0) {
                continue;
            }
            let piece_type = parse_piece(kind).filter(|held| PieceType::HAND.contains(held)).ok_or(BOARD)?;
            let count = u32::try_from(count.as_u64().ok_or(BOARD)?).unwrap_or(u32::MAX);
            add_to_hand(&mut board, owner, piece_type, count)?;
        }
    }
    Ok(board)
}

/// Appends a line and then its variations, the latest first. A variation takes the place of the step it belongs to.
/// Of a damaged line what stands before the damage is kept.
fn read_steps(builder: &mut Builder, steps: Vec<Step>) -> Result<(), ReadError> {
    let mut forks = Vec::new();
    for step in steps {
        forks.extend(step.forks.into_iter().map(|forks| (builder.ply(), forks)));
        if let Some(played) = step.played {
            let read = read_move(builder, &played);
            let pushed = read.and_then(|(mv, piece_type)| builder.push_move(mv, Some(piece_type), 0));
            pushed.or_else(|error| builder.lose(error))?;
        } else if let Some(special) = step.special {
            let (ending, source) = Ending::from_any_word(&text(&special), builder.side_to_move());
            builder.push_end(ending, source, 0)?;
        } else {
            // json-kifu-format leaves the end out that it has no keyword for, such as 入玉勝ち of KIF.
            add_comments(builder.node(), step.comments);
            continue;
        }
        if builder.is_lost() {
            break;
        }
        add_comments(builder.node(), step.comments);
        if let Some(spent) = step.time {
            builder.node().time = duration(&spent);
            if builder.node().time.is_none() {
                let expected = Phrase::new("a time with now and its m and s", "mとsのあるnowを持つtime");
                builder.warn(error(expected, &spent.to_string()), Remedy::LEFT_OUT);
            }
        }
    }
    for (ply, forks) in forks.into_iter().rev() {
        for fork in forks {
            builder.begin_variation(Some(ply + 1), None, || error(VARIATION_NUMBER, ""));
            read_steps(builder, fork)?;
        }
    }
    Ok(())
}

/// A comment may have several lines.
fn add_comments(node: &mut Node, comments: Option<Value>) {
    let comments = match comments {
        Some(Value::Array(comments)) => comments,
        other => other.into_iter().collect(),
    };
    for comment in comments.iter().map(text) {
        let lines = comment.strip_suffix('\n').unwrap_or(&comment).split('\n');
        lines.for_each(|line| node.take_comment(line.trim_end_matches('\r')));
    }
}

fn duration(spent: &Value) -> Option<Duration> {
    let now = spent["now"].as_object()?;
    let part = |name| now.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    time(part("h") * 3600.0 + part("m") * 60.0 + part("s"))
}

fn read_move(builder: &Builder, played: &Value) -> Result<(Move, PieceType), ReadError> {
    let named = played["piece"].as_str();
    let expected = Phrase::new(
        "a move with to, piece, and from unless it is a drop",
        "to、piece、（打つ手でなければ）fromのある指し手",
    );
    let bad = || error(expected, named.unwrap_or(""));
    let place = |name| match &played[name] {
        Value::Null => Ok(None),
        place => square(place).map(Some).ok_or_else(bad),
    };
    let (from, to) = (place("from")?, place("to")?.or(builder.last_square()).ok_or_else(bad)?);
    let standing = from.and_then(|from| builder.board().piece_on(from)).map(Piece::piece_type);
    let piece_type = named.map_or(standing, parse_piece).ok_or_else(bad)?;
    match from {
        None if piece_type != PieceType::King => Ok((Move::drop(piece_type.unpromoted(), to), piece_type)),
        Some(from) if from != to => {
            Ok((Move::board(from, to, played["promote"].as_bool().unwrap_or(false)), piece_type))
        }
        _ => Err(bad()),
    }
}

fn square(place: &Value) -> Option<Square> {
    let number = |name: &str| u8::try_from(place[name].as_u64()?.checked_sub(1)?).ok();
    Some(Square::at(File::new(number("x")?)?, Rank::new(number("y")?)?))
}

pub(super) fn write(record: &GameRecord) -> String {
    let totals = record.total_times();
    // Each node as JSON, a variation's moves being complete before those that it varies.
    let mut steps: Vec<Value> = vec![Value::Null; record.len()];
    record.visit(|id, node, board| {
        steps[id.index()] = step(record, node, board, totals[id.index()]);
    });
    let mut first = json!({});
    write_comments(&mut first, record.node(NodeId::ROOT));
    let mut moves = vec![first];
    moves.extend(line_after(record, NodeId::ROOT, &mut steps, 0));
    let header: Vec<String> =
        record.metadata.iter().map(|(name, value)| format!("{}:{}", json!(name), json!(value))).collect();
    // The header keeps its order, which a map of this library would not.
    format!(
        "{{\"header\":{{{}}},\"initial\":{},\"moves\":{}}}\n",
        header.join(","),
        initial(record),
        Value::Array(moves)
    )
}

/// Variations of variations nested deeper than this are left out: readers of JSON limit its depth.
const MAX_NESTING: usize = 30;

/// Whether a record has variations that JKF cannot hold: nested too deep.
pub(crate) fn loses_variations(record: &GameRecord) -> bool {
    // The nesting of each node on the way; a first child is of its parent's line.
    let mut open = vec![(NodeId::ROOT, 0)];
    while let Some((id, nesting)) = open.pop() {
        let children = record.node(id).children();
        if nesting == MAX_NESTING && children.len() > 1 {
            return true;
        }
        let deeper = children.iter().enumerate().map(|(index, &child)| (child, nesting + usize::from(index > 0)));
        open.extend(deeper);
    }
    false
}

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
            step["move"] = move_to_json(board, *mv, node.named_piece, last);
        }
        Entry::End(ending) => step["special"] = json!(ending.csa(board.side_to_move(), record.winner_source(node))),
    }
    if let Some(time) = node.time {
        let (now, total) = (time.as_secs(), total.as_secs());
        step["time"] = json!({
            "now": {"m": now / 60, "s": now % 60},
            "total": {"h": total / 3600, "m": total / 60 % 60, "s": total % 60},
        });
    }
    write_comments(&mut step, node);
    step
}

fn write_comments(step: &mut Value, node: &Node) {
    let comments = node.comments_with_marks();
    if !comments.is_empty() {
        step["comments"] = json!(comments);
    }
}

fn square_to_json(square: Square) -> Value {
    json!({"x": square.file().index() + 1, "y": square.rank().index() + 1})
}

fn move_to_json(board: &Setup, mv: Move, named: Option<PieceType>, last: Option<Square>) -> Value {
    let color = board.side_to_move();
    let moved = named.or(board.moved_type(mv)).unwrap_or(PieceType::Pawn);
    let mut played = json!({"color": color.index(), "to": square_to_json(mv.to()), "piece": piece_name(moved)});
    if let Some(from) = mv.from() {
        played["from"] = square_to_json(from);
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
        played["capture"] = json!(piece_name(captured.piece_type()));
    }
    let words = distinction_words(board, mv);
    let letters = [('左', 'L'), ('直', 'C'), ('右', 'R'), ('上', 'U'), ('寄', 'M'), ('引', 'D'), ('打', 'H')];
    let letter = |word| letters.iter().find(|row| row.0 == word).map(|row| row.1);
    let relative: String = words.chars().filter_map(letter).collect();
    if !relative.is_empty() {
        played["relative"] = json!(relative);
    }
    played
}

fn initial(record: &GameRecord) -> Value {
    // ShogiHome refuses the presets of the others; it reads their boards.
    if let Some(handicap) = record.common_handicap() {
        let preset = PRESETS.iter().find(|row| row.1 == handicap);
        return json!({"preset": preset.map(|row| row.0)});
    }
    let board = record.start_board();
    let cell = |standing: Option<Piece>| match standing {
        Some(standing) => json!({"color": standing.color().index(), "kind": piece_name(standing.piece_type())}),
        None => json!({}),
    };
    let file = |file| Rank::all().map(|rank| cell(board.piece_on(Square::at(file, rank)))).collect::<Vec<_>>();
    let hand = |color: Color| {
        let held =
            PieceType::HAND.into_iter().map(|held| (piece_name(held).to_owned(), json!(board.in_hand(color, held))));
        Value::Object(held.collect())
    };
    json!({"preset": "OTHER", "data": {
        "color": board.side_to_move().index(),
        "board": File::all().map(file).collect::<Vec<_>>(),
        "hands": Color::ALL.map(hand),
    }})
}

/// The names of handicaps in JKF.
const PRESETS: [(&str, Handicap); 16] = [
    ("HIRATE", Handicap::Even),
    ("KY", Handicap::Lance),
    ("KY_R", Handicap::RightLance),
    ("KA", Handicap::Bishop),
    ("HI", Handicap::Rook),
    ("HIKY", Handicap::RookLance),
    ("2", Handicap::TwoPiece),
    ("3", Handicap::ThreePiece),
    ("4", Handicap::FourPiece),
    ("5", Handicap::FivePiece),
    ("5_L", Handicap::LeftFivePiece),
    ("6", Handicap::SixPiece),
    ("7_R", Handicap::SevenPiece),
    ("7_L", Handicap::LeftSevenPiece),
    ("8", Handicap::EightPiece),
    ("10", Handicap::TenPiece),
];
