//! CSA: the format of the Computer Shogi Association, versions 2.x and 3.

mod games;

use std::time::Duration;

use crate::position::Handicap;
use crate::position::Position;
use crate::records::board::Board;
use crate::records::csa_names::{info_name, parse_piece};
use crate::records::ending::Ending;
use crate::records::error::{Problem, ReadError};
use crate::records::kanji;
use crate::records::read::Format;
use crate::records::read::builder::Builder;
use crate::records::record::GameRecord;
use crate::types::{Color, Move, Phrase, Piece, PieceType, Square};
pub(super) use games::CsaGames;

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
fn read(text: &str, first_line: usize) -> Result<Option<GameRecord>, ReadError> {
    let mut game = Game::new();
    for (line, number) in text.lines().zip(first_line..) {
        game.take_line(line.trim_end(), number)?;
    }
    if game.is_empty { Ok(None) } else { game.finish().map(Some) }
}

/// The game of a text that holds nothing of one: an even game without moves.
fn empty_game() -> Result<GameRecord, ReadError> {
    Game::new().finish()
}

struct Game {
    is_empty: bool,
    /// The line of the last part of the start position.
    start_line: usize,
    board: Option<Board>,
    metadata: Vec<(String, String)>,
    comments: Vec<String>,
    /// There from the line of the turn on.
    builder: Option<Builder>,
}

impl Game {
    fn new() -> Game {
        let (metadata, comments) = (Vec::new(), Vec::new());
        Game { is_empty: true, start_line: 0, board: None, metadata, comments, builder: None }
    }

    fn take_line(&mut self, line: &str, number: usize) -> Result<(), ReadError> {
        if line.is_empty() || line.starts_with("'CSA encoding") || line.starts_with('V') {
            return Ok(());
        }
        self.is_empty = false;
        if line.starts_with(['N', '$']) {
            return self.take_info(line).ok_or_else(|| {
                error(
                    number,
                    Phrase::new("N+NAME, N-NAME or $KEYWORD:VALUE", "N+名前、N-名前、$キーワード:値のどれか"),
                    line,
                )
            });
        }
        let mut rest = line;
        while !rest.is_empty() && !rest.starts_with('\'') {
            let (statement, after) = rest.split_once(',').unwrap_or((rest, ""));
            if !statement.trim().is_empty() {
                self.take_statement(statement.trim_end(), number)?;
            }
            rest = after;
        }
        // A comment goes on to the end of the line, whatever commas it has.
        if !rest.is_empty() {
            self.take_comment(rest);
        }
        Ok(())
    }

    /// Takes a comment with its mark. Those with a star are meant for programs; of the others the mark is kept.
    fn take_comment(&mut self, text: &str) {
        let comment = text.strip_prefix("'*").unwrap_or(text);
        match &mut self.builder {
            Some(builder) => builder.node().take_comment(comment),
            None => self.comments.push(comment.to_owned()),
        }
    }

    fn take_info(&mut self, line: &str) -> Option<()> {
        let (name, value) = match line.as_bytes() {
            [b'N', b'+', ..] => ("先手", &line[2..]),
            [b'N', b'-', ..] => ("後手", &line[2..]),
            _ => line.strip_prefix('$')?.split_once(':').map(|(name, value)| (info_name(name), value))?,
        };
        if !value.is_empty() {
            self.metadata.push((name.to_owned(), value.to_owned()));
        }
        Some(())
    }

    fn take_statement(&mut self, text: &str, number: usize) -> Result<(), ReadError> {
        let bad = |expected| error(number, expected, text);
        match text.as_bytes().first() {
            Some(b'P') if self.builder.is_none() => {
                self.start_line = number;
                self.take_position(text).ok_or_else(|| {
                    bad(Phrase::new(
                        "PI, P1 to P9, P+ or P- with pieces such as 77FU",
                        "PI、P1～P9、P+、P-（駒は77FUなど）のどれか",
                    ))
                })
            }
            Some(b'+' | b'-') if text.len() == 1 => match self.builder {
                None => self.begin(if text == "+" { Color::Black } else { Color::White }),
                Some(_) => Err(bad(Phrase::new("the turn once, before the moves", "指し手の前に一度だけの手番"))),
            },
            Some(b'+' | b'-') => self.take_move(text, number),
            Some(b'%') => {
                let builder = self.builder()?;
                let (ending, told) = Ending::from_csa(&text[1..], builder.side_to_move());
                builder.push_end(ending, told, number)
            }
            Some(b'T') => {
                let seconds: Option<f64> = text[1..].parse().ok().filter(|s: &f64| (0.0..1e9).contains(s));
                let seconds =
                    seconds.ok_or_else(|| bad(Phrase::new("T and the seconds spent", "Tと消費時間の秒数")))?;
                let time = Duration::try_from_secs_f64((seconds * 1000.0).round() / 1000.0);
                self.builder()?.node().time = time.ok();
                Ok(())
            }
            _ => Err(bad(Phrase::new(
                "a line of CSA: V, N, $, P, +, -, %, T or '",
                "CSAの行（V、N、$、P、+、-、%、T、'）",
            ))),
        }
    }

    fn take_position(&mut self, text: &str) -> Option<()> {
        let even = || Position::from_sfen(&Handicap::Even.sfen()).ok().as_ref().map(Board::from);
        if let Some(missing) = text.strip_prefix("PI") {
            let mut board = even()?;
            for (square, piece_type) in pieces(missing)? {
                let square = square?;
                board.piece_on(square).filter(|piece| piece.piece_type() == piece_type)?;
                board.put(square, None);
            }
            self.board = Some(board);
            return Some(());
        }
        let board = self.board.get_or_insert_with(Board::empty);
        let color = match text.as_bytes().get(1)? {
            b'+' => Color::Black,
            b'-' => Color::White,
            _ => return take_rank(board, text),
        };
        let (given, rest_of_set) = match text.get(2..)?.strip_suffix("00AL") {
            Some(given) => (given, true),
            None => (text.get(2..)?, false),
        };
        for (square, piece_type) in pieces(given)? {
            match square {
                Some(square) => board.put(square, Some(Piece::new(color, piece_type))),
                None => {
                    let held = board.in_hand(color, piece_type);
                    let fits = PieceType::HAND.contains(&piece_type) && held < piece_type.count_in_set();
                    board.set_hand(color, piece_type, fits.then_some(held + 1)?);
                }
            }
        }
        if rest_of_set {
            for piece_type in PieceType::HAND {
                let held = board.in_hand(color, piece_type);
                board.set_hand(color, piece_type, held.saturating_add(missing(board, piece_type)));
            }
        }
        Some(())
    }

    fn begin(&mut self, turn: Color) -> Result<(), ReadError> {
        let start = match &mut self.board {
            None => Position::from_sfen(&Handicap::Even.sfen().replace(" b ", &format!(" {turn} "))),
            Some(board) => {
                board.set_side_to_move(turn);
                Position::from_sfen(&board.sfen(1))
            }
        };
        let start = start.map_err(|error| ReadError::new(self.start_line, Problem::Start(error)))?;
        let mut builder = Builder::new(start);
        builder.node().comments = std::mem::take(&mut self.comments);
        self.builder = Some(builder);
        Ok(())
    }

    /// The game under way; where the line of the turn is missing, Black begins.
    fn builder(&mut self) -> Result<&mut Builder, ReadError> {
        if self.builder.is_none() {
            self.begin(Color::Black)?;
        }
        self.builder.as_mut().ok_or_else(|| error(self.start_line, Phrase::new("a start position", "開始局面"), ""))
    }

    fn take_move(&mut self, text: &str, number: usize) -> Result<(), ReadError> {
        let bad = || error(number, Phrase::new("a move such as +7776FU", "+7776FUのような指し手"), text);
        let builder = self.builder()?;
        let turn = builder.side_to_move();
        if (text.as_bytes()[0] == b'+') != (turn == Color::Black) {
            return Err(error(
                number,
                if turn == Color::Black {
                    Phrase::new("a move of Black (+)", "先手（+）の指し手")
                } else {
                    Phrase::new("a move of White (-)", "後手（-）の指し手")
                },
                text,
            ));
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
            return builder.push_move(Move::drop(piece_type.unpromoted(), to), Some(piece_type), number);
        }
        let from = kanji::square(from.0, from.1).filter(|&from| from != to).ok_or_else(bad)?;
        // The piece is named as it is after the move.
        let standing = builder.board().piece_on(from).map(Piece::piece_type);
        let promotes = standing.is_some_and(|standing| standing != piece_type && standing.promoted() == piece_type);
        let named = if promotes { standing } else { Some(piece_type) };
        builder.push_move(Move::board(from, to, promotes), named, number)
    }

    fn finish(mut self) -> Result<GameRecord, ReadError> {
        self.builder()?;
        let mut metadata = self.metadata;
        let builder =
            self.builder.ok_or_else(|| error(self.start_line, Phrase::new("a start position", "開始局面"), ""))?;
        // Black and White are called by other names in handicap games.
        if builder.is_handicap() {
            for (name, _) in &mut metadata {
                match name.as_str() {
                    "先手" => *name = "下手".to_owned(),
                    "後手" => *name = "上手".to_owned(),
                    _ => {}
                }
            }
        }
        Ok(builder.finish(metadata))
    }
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
fn take_rank(board: &mut Board, text: &str) -> Option<()> {
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

/// How many pieces of a type are neither on the board nor in hand.
fn missing(board: &Board, piece_type: PieceType) -> u8 {
    let standing = Square::all().filter_map(|square| board.piece_on(square));
    let standing = standing.filter(|piece| piece.piece_type().unpromoted() == piece_type).count();
    let held: u8 = Color::ALL.iter().map(|&color| board.in_hand(color, piece_type)).sum();
    piece_type.count_in_set().saturating_sub(held).saturating_sub(u8::try_from(standing).unwrap_or(u8::MAX))
}
