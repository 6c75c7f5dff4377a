//! JKF: the JSON Kifu Format of Kifu for JS.

use std::fmt;
use std::time::Duration;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::bod::add_to_hand;
use super::builder::Builder;
use crate::position::{Position, Setup};
use crate::records::csa_names::{info_name, parse_piece, parse_preset};
use crate::records::ending::Ending;
use crate::records::error::{ReadError, Remedy};
use crate::records::read::Format;
use crate::records::record::{GameRecord, Node, time};
use crate::types::{Color, File, Move, Phrase, Piece, PieceType, Rank, Square};

#[derive(Deserialize)]
struct Jkf {
    #[serde(default, deserialize_with = "in_order")]
    header: Vec<(String, String)>,
    initial: Option<Initial>,
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

#[derive(Deserialize)]
struct Initial {
    preset: Option<String>,
    data: Option<Data>,
}

#[derive(Deserialize)]
struct Data {
    color: Option<Value>,
    board: Value,
    #[serde(default)]
    hands: Vec<Map<String, Value>>,
}

/// An entry of a line. A value of another kind than the format has must not lose the whole record.
#[derive(Deserialize)]
struct Step {
    comments: Option<Value>,
    #[serde(rename = "move", default, deserialize_with = "move_or_damage")]
    played: Option<Played>,
    time: Option<Value>,
    special: Option<Value>,
    forks: Option<Vec<Vec<Step>>>,
}

#[derive(Default, Deserialize)]
struct Played {
    from: Option<Place>,
    to: Option<Place>,
    /// Missing in the shortest form, in which the board tells it.
    piece: Option<String>,
    color: Option<Value>,
    promote: Option<bool>,
}

/// A move, or the empty one for a value that is none.
fn move_or_damage<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Played>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(Option::deserialize(value).unwrap_or_else(|_| Some(Played::default())))
}

#[derive(Deserialize)]
struct Place {
    x: u8,
    y: u8,
}

#[derive(Deserialize)]
struct Consumption {
    now: Spent,
}

#[derive(Deserialize)]
struct Spent {
    h: Option<f64>,
    #[serde(default)]
    m: f64,
    #[serde(default)]
    s: f64,
}

/// What a time is expected to be.
const NOW: Phrase = Phrase::new("a time with now and its m and s", "mとsのあるnowを持つtime");

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
        let first = first?;
        let standing = first.from.as_ref().and_then(square).and_then(|from| board.piece_on(from));
        first.color.as_ref().and_then(color).or(standing.map(Piece::color))
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
fn start(initial: Option<Initial>, first: impl FnOnce(&Setup) -> Option<Color>) -> Result<GameRecord, ReadError> {
    let Some(initial) = initial else { return Ok(GameRecord::new(Position::startpos())) };
    let preset = initial.preset.as_deref().unwrap_or("OTHER");
    match (parse_preset(preset), initial.data) {
        (Some(handicap), _) => Ok(GameRecord::new(handicap.position())),
        (None, Some(data)) => {
            let mut board = board(&data).map_err(|expected| error(expected, preset))?;
            let turn = data.color.as_ref().and_then(color).or_else(|| first(&board));
            board.set_side_to_move(turn.unwrap_or(Color::Black));
            Ok(GameRecord::from_setup(board, 0))
        }
        (None, None) => {
            Err(error(Phrase::new("a preset such as HIRATE, or a board", "HIRATEなどのpresetか盤面"), preset))
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
fn board(data: &Data) -> Result<Setup, Phrase> {
    const BOARD: Phrase = Phrase::new("a board and hands", "盤面と持駒");
    let mut board = Setup::empty();
    for file in File::all() {
        for rank in Rank::all() {
            let Some(cell) = data.board.get(file.index()).and_then(|file| file.get(rank.index())) else { continue };
            let Some(kind) = cell.get("kind").and_then(Value::as_str) else { continue };
            let owner = cell.get("color").and_then(color).unwrap_or(Color::Black);
            board.put(Square::at(file, rank), Some(Piece::new(owner, parse_piece(kind).ok_or(BOARD)?)));
        }
    }
    for (hand, owner) in data.hands.iter().zip(Color::ALL) {
        for (kind, count) in hand {
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
        let time = step.time.map(|time| Consumption::deserialize(&time).map_err(|_| time.to_string()));
        if let Some(played) = step.played {
            let read = read_move(builder, &played);
            let pushed = read.and_then(|(mv, piece_type)| builder.push_move(mv, Some(piece_type), 0));
            pushed.or_else(|error| builder.lose(error))?;
        } else if let Some(special) = step.special {
            let (ending, told) = Ending::from_any_word(&text(&special), builder.side_to_move());
            builder.push_end(ending, told, 0)?;
        } else {
            // json-kifu-format leaves the end out that it has no keyword for, such as 入玉勝ち of KIF.
            add_comments(builder.node(), step.comments);
            continue;
        }
        if builder.is_lost() {
            break;
        }
        let node = builder.node();
        add_comments(node, step.comments);
        match time {
            Some(Ok(time)) => node.time = duration(&time.now),
            Some(Err(found)) => builder.warn(error(NOW, &found), Remedy::LeftOut),
            None => {}
        }
    }
    for (ply, forks) in forks.into_iter().rev() {
        for fork in forks {
            builder.begin_variation(Some(ply + 1), None, || {
                error(Phrase::new("the number of a move of this line", "この手順にある手数"), "")
            });
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

fn duration(spent: &Spent) -> Option<Duration> {
    let seconds = spent.h.unwrap_or(0.0) * 3600.0 + spent.m * 60.0 + spent.s;
    time(seconds)
}

fn read_move(builder: &Builder, played: &Played) -> Result<(Move, PieceType), ReadError> {
    let named = played.piece.as_deref();
    let bad = || {
        error(
            Phrase::new(
                "a move with to, piece, and from unless it is a drop",
                "to、piece、（打つ手でなければ）fromのある指し手",
            ),
            named.unwrap_or(""),
        )
    };
    let from = played.from.as_ref().map(|place| square(place).ok_or_else(bad)).transpose()?;
    let standing = from.and_then(|from| builder.board().piece_on(from)).map(Piece::piece_type);
    let piece_type = named.map_or(standing, parse_piece).ok_or_else(bad)?;
    let to = match &played.to {
        Some(place) => square(place),
        None => builder.last_square(),
    };
    let to = to.ok_or_else(bad)?;
    match from {
        None if piece_type == PieceType::King => Err(bad()),
        None => Ok((Move::drop(piece_type.unpromoted(), to), piece_type)),
        Some(from) => {
            let from = Some(from).filter(|&from| from != to).ok_or_else(bad)?;
            Ok((Move::board(from, to, played.promote.unwrap_or(false)), piece_type))
        }
    }
}

fn square(place: &Place) -> Option<Square> {
    let (file, rank) = (File::new(place.x.wrapping_sub(1))?, Rank::new(place.y.wrapping_sub(1))?);
    Some(Square::at(file, rank))
}
