//! CSA: the format of the Computer Shogi Association, versions 2.x and 3.

use std::fmt::Write as _;
use std::time::Duration;

use super::bod::add_to_hand;
use super::builder::Builder;
use super::ending::Ending;
use super::record::{Entry, GameRecord, Node, time};
use super::text::TextEncoding;
use super::{Format, ReadError, Remedy, kanji};
use crate::position::{Handicap, Setup};
use crate::types::{Color, File, Move, Phrase, Piece, PieceType, Rank, Square};

/// Whether a line can only be one of CSA.
pub(super) fn is_line(line: &str) -> bool {
    let bytes = line.as_bytes();
    match bytes.first() {
        Some(b'V') => matches!(bytes.get(1), Some(b'1'..=b'9')) && line.len() <= 8,
        Some(b'N' | b'P') => matches!(bytes.get(1), Some(b'+' | b'-' | b'I' | b'1'..=b'9')) && !line.contains('/'),
        Some(b'+' | b'-') => line.len() == 1 || bytes[1..].iter().take(4).filter(|b| b.is_ascii_digit()).count() == 4,
        Some(b'$') => line.contains(':'),
        Some(b'%') => bytes.get(1).is_some_and(|b| b.is_ascii_uppercase() || b"+-".contains(b)),
        _ => line.starts_with("'CSA"),
    }
}

/// Reads a game, whose first line has this number in its file; `None` where the text holds nothing of a game.
pub(super) fn read(text: &str, first_line: usize) -> Result<Option<GameRecord>, ReadError> {
    let says_nothing = |line: &str| line.is_empty() || line.starts_with("'CSA encoding") || is_version(line.trim_end());
    let lines = text.lines().map(str::trim_start).zip(first_line..).filter(|(line, _)| !says_nothing(line));
    let (mut board, mut start_line, mut turn) = (None, 0, None);
    'start: for (line, number) in lines.clone() {
        for (statement, _) in statements(line) {
            turn = turn_of(statement);
            if turn.is_some() {
                break 'start;
            } else if is_position(statement) {
                start_line = number;
                take_position(&mut board, statement).map_err(|expected| error(number, expected, statement))?;
            }
        }
    }
    let mut board = board.unwrap_or_else(|| Handicap::Even.setup());
    board.set_side_to_move(turn.unwrap_or(Color::Black));
    let builder = Builder::new(GameRecord::from_setup(board, start_line));
    let mut game = Game { builder, metadata: Vec::new(), has_moves: turn.is_some(), has_begun: false };
    let mut is_empty = true;
    for (line, number) in lines {
        is_empty = false;
        game.take_line(line, number)?;
    }
    // Black and White are called by other names in handicap games.
    for (name, _) in game.metadata.iter_mut().filter(|_| game.builder.is_handicap()) {
        match name.as_str() {
            "先手" => *name = "下手".to_owned(),
            "後手" => *name = "上手".to_owned(),
            _ => {}
        }
    }
    Ok((!is_empty).then(|| game.builder.finish(game.metadata)))
}

/// The statements of a line, which commas separate, each with the rest of the line that it begins. A comment and a fact
/// go on to the end.
fn statements(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut behind = line;
    std::iter::from_fn(move || {
        let rest = behind.trim_start();
        let is_whole = rest.starts_with(['N', '$', '\'']);
        let (statement, after) = if is_whole { (rest, "") } else { rest.split_once(',').unwrap_or((rest, "")) };
        behind = after;
        (!rest.is_empty()).then(|| (statement.trim(), rest))
    })
}

/// Whether a statement is a part of the start position.
fn is_position(text: &str) -> bool {
    text.strip_prefix('P').is_some_and(|rest| rest.starts_with(|c: char| "+-I".contains(c) || c.is_ascii_digit()))
}

/// The side whose turn or move a statement is.
fn turn_of(text: &str) -> Option<Color> {
    let rest = text.strip_prefix(['+', '-'])?;
    let is_move = rest.starts_with(|c: char| c.is_ascii_digit()) || rest.chars().count() == 6;
    let color = if text.starts_with('-') { Color::White } else { Color::Black };
    (rest.is_empty() || is_move).then_some(color)
}

/// The fact about the game that a line states, under the name that KIF gives it.
fn fact(line: &str) -> Option<(&str, &str)> {
    let player = |sign, name| Some((name, line.strip_prefix(sign)?));
    player("N+", "先手").or_else(|| player("N-", "後手")).or_else(|| {
        let (name, value) = line.strip_prefix('$')?.split_once(':').filter(|(_, value)| !value.starts_with("//"))?;
        Some((info_name(name), value))
    })
}

struct Game {
    builder: Builder,
    metadata: Vec<(String, String)>,
    /// Whether there is a line of the turn, or a move; and whether it was read.
    has_moves: bool,
    has_begun: bool,
}

impl Game {
    fn take_line(&mut self, line: &str, number: usize) -> Result<(), ReadError> {
        for (statement, rest) in statements(line) {
            if rest.starts_with('\'') {
                // Comments with a star are meant for programs; of the others the mark is kept.
                self.take_comment(rest.strip_prefix("'*").unwrap_or(rest));
            } else if !self.take_statement(statement, number)? {
                let expected =
                    Phrase::new("a line of CSA: V, N, $, P, +, -, %, T or '", "CSAの行（V、N、$、P、+、-、%、T、'）");
                self.builder.warn(error(number, expected, rest), Remedy::COMMENT);
                self.take_comment(rest);
                break;
            }
        }
        Ok(())
    }

    fn take_comment(&mut self, comment: &str) {
        if !self.builder.is_lost() {
            self.builder.node().take_comment(comment);
        }
    }

    /// Takes a statement; `false` for a text that is nothing of CSA.
    fn take_statement(&mut self, text: &str, number: usize) -> Result<bool, ReadError> {
        let builder = &mut self.builder;
        if let Some((name, value)) = fact(text) {
            if !value.is_empty() {
                self.metadata.push((name.to_owned(), value.to_owned()));
            }
        } else if is_position(text) {
            if self.has_begun {
                let expected = Phrase::new("the start position before the turn", "手番より前の開始局面");
                builder.warn(error(number, expected, text), Remedy::LEFT_OUT);
            }
        } else if let Some(color) = turn_of(text) {
            let has_begun = std::mem::replace(&mut self.has_begun, true);
            if text.len() > 1 {
                take_move(builder, color, text, number)?;
            } else if has_begun {
                let expected = Phrase::new("the turn once, before the moves", "指し手の前に一度だけの手番");
                builder.warn(error(number, expected, text), Remedy::LEFT_OUT);
            }
        } else {
            let seconds = text.strip_prefix('T').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            let spent = seconds.and_then(|seconds| time(seconds.parse().ok()?));
            let ending = text.strip_prefix(['%', '#']).filter(|word| !word.is_empty());
            // Servers write how a game ended behind a number sign.
            let ending = ending.filter(|word| text.starts_with('%') || Ending::from_word(word, Color::Black).is_some());
            if spent.is_none() && ending.is_none() {
                return Ok(text.is_empty());
            }
            if self.has_moves && !self.has_begun {
                let expected = Phrase::new("the end and times behind the moves", "指し手より後の終局と消費時間");
                builder.warn(error(number, expected, text), Remedy::COMMENT);
                self.take_comment(text);
            } else if let Some(word) = ending {
                let (ending, source) = Ending::from_any_word(word, builder.side_to_move());
                builder.push_end(ending, source, number)?;
            } else if !builder.is_lost() {
                builder.node().time = spent;
            }
        }
        Ok(true)
    }
}

/// Takes a move. One that cannot be read ends the game, or is a comment where that has its end.
fn take_move(builder: &mut Builder, color: Color, text: &str, number: usize) -> Result<(), ReadError> {
    if builder.is_lost() {
        return Ok(());
    }
    let read = read_move(builder, color, text, number);
    match read.and_then(|(mv, named)| builder.push_move(mv, named, number)) {
        Err(error) if builder.is_over() => {
            builder.warn(error, Remedy::COMMENT);
            builder.node().take_comment(text);
            Ok(())
        }
        pushed => pushed.or_else(|error| builder.lose(error)),
    }
}

/// # Errors
/// What was expected.
fn take_position(start: &mut Option<Setup>, text: &str) -> Result<(), Phrase> {
    const POSITION: Phrase =
        Phrase::new("PI, P1 to P9, P+ or P- with pieces such as 77FU", "PI、P1～P9、P+、P-（駒は77FUなど）のどれか");
    if let Some(missing) = text.strip_prefix("PI") {
        let board = start.insert(Handicap::Even.setup());
        for (square, piece_type) in pieces(missing).ok_or(POSITION)? {
            let square = square.filter(|&at| board.piece_on(at).map(Piece::piece_type) == Some(piece_type));
            board.put(square.ok_or(POSITION)?, None);
        }
        return Ok(());
    }
    let board = start.get_or_insert_with(Setup::empty);
    let (color, given) = match (text.strip_prefix("P+"), text.strip_prefix("P-")) {
        (Some(given), _) => (Color::Black, given),
        (_, Some(given)) => (Color::White, given),
        _ => return take_rank(board, text).ok_or(POSITION),
    };
    let (given, rest_of_set) = given.strip_suffix("00AL").map_or((given, false), |given| (given, true));
    for (square, piece_type) in pieces(given).ok_or(POSITION)? {
        match square {
            Some(square) => board.put(square, Some(Piece::new(color, piece_type))),
            None if PieceType::HAND.contains(&piece_type) => add_to_hand(board, color, piece_type, 1)?,
            None => return Err(POSITION),
        }
    }
    if rest_of_set {
        board.give_rest_of_set(color);
    }
    Ok(())
}

/// Whether a fact is read back from the line that is written of it, besides others.
pub(super) fn holds_fact(name: &str, value: &str, others: &[(String, String)]) -> bool {
    if name.is_empty() || value.is_empty() {
        return false;
    }
    if let Some(sign) = player_sign(name) {
        return others.iter().all(|(other, _)| player_sign(other) != Some(sign));
    }
    fact(&fact_line(name, value)) == Some((info_name(name), value))
}

/// Whether a line gives the version.
fn is_version(line: &str) -> bool {
    line.strip_prefix('V').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && line.len() <= 8)
}

/// Reads a move such as `+7776FU`, and the piece it names.
fn read_move(
    builder: &Builder,
    color: Color,
    text: &str,
    number: usize,
) -> Result<(Move, Option<PieceType>), ReadError> {
    let bad = || error(number, Phrase::new("a move such as +7776FU", "+7776FUのような指し手"), text);
    let turn = builder.side_to_move();
    if color != turn {
        let expected = if turn == Color::Black {
            Phrase::new("a move of Black (+)", "先手（+）の指し手")
        } else {
            Phrase::new("a move of White (-)", "後手（-）の指し手")
        };
        return Err(error(number, expected, text));
    }
    let mut chars = text[1..].chars();
    let mut two = || Some((chars.next()?, chars.next()?));
    let (from, to) = (two().ok_or_else(bad)?, two().ok_or_else(bad)?);
    let to = kanji::square(to.0, to.1).ok_or_else(bad)?;
    let piece_type = parse_piece(chars.as_str()).ok_or_else(bad)?;
    if from == ('0', '0') {
        if piece_type == PieceType::King {
            return Err(bad());
        }
        return Ok((Move::drop(piece_type.unpromoted(), to), Some(piece_type)));
    }
    let from = kanji::square(from.0, from.1).filter(|&from| from != to).ok_or_else(bad)?;
    // The piece is named as it is after the move.
    let standing = builder.board().piece_on(from).map(Piece::piece_type);
    let promotes = standing.is_some_and(|standing| standing != piece_type && standing.promoted() == piece_type);
    let named = if promotes { standing } else { Some(piece_type) };
    Ok((Move::board(from, to, promotes), named))
}

fn error(line: usize, expected: Phrase, found: &str) -> ReadError {
    ReadError::syntax(line, Format::Csa, expected, found)
}

/// Reads `77FU…`; no square for pieces in hand (`00FU`).
fn pieces(text: &str) -> Option<Vec<(Option<Square>, PieceType)>> {
    if !text.is_ascii() || !text.len().is_multiple_of(4) {
        return None;
    }
    let chunks = text.as_bytes().chunks(4);
    chunks
        .map(|chunk| {
            let piece_type = parse_piece(std::str::from_utf8(&chunk[2..]).ok()?)?;
            match &chunk[..2] {
                b"00" => Some((None, piece_type)),
                digits => Some((Some(kanji::square(char::from(digits[0]), char::from(digits[1]))?), piece_type)),
            }
        })
        .collect()
}

/// Reads a rank such as `P1-KY-KE-GI-KI-OU-KI-GI-KE-KY`. Mail programs and web pages make one blank of several.
fn take_rank(board: &mut Setup, text: &str) -> Option<()> {
    let rank = kanji::digit(char::from(*text.as_bytes().get(1)?))? - 1;
    let mut rest = text.get(2..)?;
    for file in (0..9).rev() {
        let square = Square::new(file * 9 + rank)?;
        let trimmed = rest.trim_start_matches(' ');
        let (piece, after) = if let Some(after) = trimmed.strip_prefix('*') {
            (None, after)
        } else if trimmed.is_empty() && file < 8 {
            (None, trimmed)
        } else {
            let color = match trimmed.as_bytes().first()? {
                b'+' => Color::Black,
                b'-' => Color::White,
                _ => return None,
            };
            (Some(Piece::new(color, parse_piece(trimmed.get(1..3)?)?)), trimmed.get(3..)?)
        };
        board.put(square, piece);
        rest = after;
    }
    rest.trim().is_empty().then_some(())
}

/// Writes the main line of a record as it stands.
pub(super) fn write(record: &GameRecord, encoding: TextEncoding) -> String {
    let mut text = String::new();
    let is_shift_jis = encoding == TextEncoding::ShiftJis;
    // Milliseconds came with version 3. So did some facts about the game, which readers of version 2 pass over, while
    // many refuse a file of version 3.
    let has_milliseconds = |node: &Node| node.time.is_some_and(|time| time.subsec_millis() > 0);
    let is_version_3 = record.main_line().any(|id| has_milliseconds(record.node(id)));
    if is_version_3 || is_shift_jis {
        let _ = writeln!(text, "'CSA encoding={}", if is_shift_jis { "SHIFT_JIS" } else { "UTF-8" });
    }
    text.push_str(if is_version_3 { "V3.0\n" } else { "V2.2\n" });
    // Programs refuse names behind other facts.
    let mut facts: Vec<&(String, String)> = record.metadata.iter().collect();
    facts.sort_by_key(|(name, _)| player_sign(name).map_or(2, |sign| u8::from(sign == '-')));
    facts.iter().for_each(|(name, value)| text += &format!("{}\n", fact_line(name, value)));
    text.push_str(&start(record));
    let mut board = record.start_board().clone();
    for id in record.main_line() {
        let node = record.node(id);
        let _ = match &node.entry {
            Entry::Start => Ok(()),
            Entry::Move(mv) => writeln!(text, "{}", write_move(&board, *mv, node.named_piece)),
            Entry::End(ending) => writeln!(text, "%{}", ending.csa(board.side_to_move(), record.winner_source(node))),
        };
        if let Entry::Move(mv) = node.entry {
            board.do_move(mv);
        }
        if let Some(time) = node.time {
            let _ = writeln!(text, "T{}", seconds(time));
        }
        text.push_str(&remarks(node));
    }
    text
}

/// The sign of the player whose name this fact is.
fn player_sign(name: &str) -> Option<char> {
    match name {
        "先手" | "下手" => Some('+'),
        "後手" | "上手" => Some('-'),
        _ => None,
    }
}

/// The line of a fact about the game.
fn fact_line(name: &str, value: &str) -> String {
    match player_sign(name) {
        Some(sign) => format!("N{sign}{value}"),
        None => format!("${}:{value}", keyword_for(name, value).unwrap_or(name)),
    }
}

/// The keyword for a fact, if its value is of the form that the format prescribes.
fn keyword_for(name: &str, value: &str) -> Option<&'static str> {
    let is_limit =
        |value: &str| value.bytes().all(|b| b.is_ascii_digit() || b":+.".contains(&b)) && value.contains('+');
    // CSA's keyword for a name of KIF.
    match INFO.iter().find(|row| row.1 == name)?.0 {
        "TIME_LIMIT" | "TIME" if !is_limit(value) => None,
        "TIME_LIMIT" if !value.contains(':') => Some("TIME"),
        found => Some(found),
    }
}

fn seconds(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        millis => format!("{}.{millis:03}", time.as_secs()),
    }
}

fn remarks(node: &Node) -> String {
    // A comment without the star of those for programs was kept with its mark.
    let is_whole = |line: &str| line.starts_with('\'') && !line.starts_with("'*") && !line.starts_with("'CSA encoding");
    let lines = node.comments_with_marks().into_iter();
    lines.map(|line| if is_whole(&line) { format!("{line}\n") } else { format!("'*{line}\n") }).collect()
}

fn start(record: &GameRecord) -> String {
    let board = record.start_board();
    let turn = if board.side_to_move() == Color::Black { '+' } else { '-' };
    match record.handicap() {
        Some(handicap) => format!("PI{}\n{turn}\n", given(board, handicap)),
        None => format!("{}{turn}\n", diagram(board)),
    }
}

/// The pieces that are missing from an even start.
fn given(board: &Setup, handicap: Handicap) -> String {
    if handicap == Handicap::Even {
        return String::new();
    }
    let even = Handicap::Even.setup();
    let missing = Square::all().filter(|&square| board.piece_on(square).is_none());
    let missing = missing.filter_map(|square| Some((square, even.piece_on(square)?)));
    missing
        .map(|(square, standing)| format!("{}{}", kanji::digits(square), piece_name(standing.piece_type())))
        .collect()
}

fn diagram(board: &Setup) -> String {
    let mut text = String::new();
    for rank in Rank::all() {
        let _ = write!(text, "P{}", rank.index() + 1);
        for file in File::all().rev() {
            match board.piece_on(Square::at(file, rank)) {
                None => text.push_str(" * "),
                Some(standing) => {
                    text.push(if standing.color() == Color::Black { '+' } else { '-' });
                    text.push_str(piece_name(standing.piece_type()));
                }
            }
        }
        text.push('\n');
    }
    for (color, sign) in [(Color::Black, '+'), (Color::White, '-')] {
        let hand = PieceType::HAND.into_iter().rev();
        let held: String = hand
            .map(|held| format!("00{}", piece_name(held)).repeat(usize::from(board.in_hand(color, held))))
            .collect();
        let _ = writeln!(text, "P{sign}{held}");
    }
    text
}

/// A move such as `+7776FU`; the piece is named as it is after the move, or as `named` says for one that the record
/// names wrongly.
pub(super) fn write_move(board: &Setup, mv: Move, named: Option<PieceType>) -> String {
    let sign = if board.side_to_move() == Color::Black { '+' } else { '-' };
    let origin = mv.from().map_or_else(|| "00".to_owned(), kanji::digits);
    let moved = board.moved_type(mv).unwrap_or(PieceType::Pawn);
    let after = named.unwrap_or(if mv.is_promotion() { moved.promoted() } else { moved });
    format!("{sign}{origin}{}{}", kanji::digits(mv.to()), piece_name(after))
}

/// The names of pieces, which JKF has as well, in the order of [`PieceType::ALL`].
const PIECES: [&str; 14] = ["FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];

pub(super) fn parse_piece(name: &str) -> Option<PieceType> {
    PieceType::ALL.into_iter().find(|&piece_type| piece_name(piece_type) == name)
}

pub(super) fn piece_name(piece_type: PieceType) -> &'static str {
    PIECES[piece_type.index() - 1]
}

/// CSA's keywords and the names that KIF gives to the same.
const INFO: [(&str, &str); 12] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("TIME", "持ち時間"),
    ("TIME+", "先手持ち時間"),
    ("TIME-", "後手持ち時間"),
    ("OPENING", "戦型"),
    ("MAX_MOVES", "最大手数"),
    ("JISHOGI", "持将棋"),
    ("NOTE", "備考"),
];

/// KIF's name for a keyword; the keyword itself where there is none.
pub(super) fn info_name(keyword: &str) -> &str {
    INFO.iter().find(|row| row.0 == keyword).map_or(keyword, |row| row.1)
}
