//! Start positions of the 柿木 formats: the name of a handicap, or a board diagram (BOD).

use crate::position::Handicap;
use crate::position::Position;
use crate::records::board::Board;
use crate::records::error::{Problem, ReadError};
use crate::records::kanji;
use crate::records::read::Format;
use crate::types::{Color, Phrase, Piece, PieceType, Square};

/// What the header has told about the start position so far.
pub(super) struct StartLines {
    board: Board,
    rows: u8,
    handicap: Option<Handicap>,
    /// A 手合割 that is none, and its line.
    unknown: Option<(usize, String)>,
    turn: Option<Color>,
    /// Moves made before the diagram.
    moves_made: u32,
    /// The line of the first part, for errors.
    line: usize,
}

impl StartLines {
    pub(super) fn new() -> StartLines {
        let board = Board::empty();
        StartLines { board, rows: 0, handicap: None, unknown: None, turn: None, moves_made: 0, line: 0 }
    }

    /// Takes a line that tells something about the start position; `false` for other lines.
    pub(super) fn take(&mut self, format: Format, line: &str, number: usize) -> Result<bool, ReadError> {
        let error = |expected| ReadError::syntax(number, format, expected, line);
        let trimmed = line.trim_matches([' ', '\u{3000}', '\t']);
        if let Some(row) = trimmed.strip_prefix('|') {
            self.row(row).ok_or_else(|| {
                error(Phrase::new(
                    "a board row such as |v香v桂v銀v金v玉v金v銀v桂v香|一",
                    "|v香v桂v銀v金v玉v金v銀v桂v香|一 のような盤面の行",
                ))
            })?;
        } else if let Some((name, value)) = super::text::key_value(trimmed) {
            match name {
                "手合割" => self.name(value, number),
                "先手の持駒" | "下手の持駒" => {
                    self.hand(Color::Black, value).ok_or_else(|| error(Phrase::new("pieces in hand", "持駒")))?
                }
                "後手の持駒" | "上手の持駒" => {
                    self.hand(Color::White, value).ok_or_else(|| error(Phrase::new("pieces in hand", "持駒")))?
                }
                _ => return Ok(false),
            }
        } else if ["先手番", "下手番"].contains(&trimmed) {
            self.turn = Some(Color::Black);
        } else if ["後手番", "上手番"].contains(&trimmed) {
            self.turn = Some(Color::White);
        } else if let Some(rest) = trimmed.strip_prefix("手数＝") {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            self.moves_made = digits.parse().ok().filter(|&made| made < 100_000).unwrap_or(0);
        } else {
            return Ok(is_frame(trimmed));
        }
        if self.line == 0 {
            self.line = number;
        }
        Ok(true)
    }

    /// Takes what 手合割 says. What it means where it is no known name, a diagram may tell.
    fn name(&mut self, name: &str, number: usize) {
        self.handicap = name.parse().ok();
        let is_unknown = self.handicap.is_none() && !["", "その他"].contains(&name);
        self.unknown = is_unknown.then(|| (number, name.to_owned()));
    }

    fn row(&mut self, row: &str) -> Option<()> {
        let (cells, rank) = row.rsplit_once('|')?;
        let cells: Vec<char> = cells.chars().collect();
        let rank = match rank.trim().chars().next() {
            Some(c) => kanji::digit(c)? - 1,
            None => self.rows,
        };
        if cells.len() != 18 || rank > 8 || self.rows > 8 {
            return None;
        }
        for (column, cell) in cells.chunks(2).enumerate() {
            let square = Square::new((8 - column as u8) * 9 + rank)?;
            let color = if matches!(cell[0], 'v' | 'V' | 'ｖ') { Color::White } else { Color::Black };
            let piece = match cell[1] {
                '・' | ' ' | '.' | '\u{3000}' => None,
                c => Some(Piece::new(color, kanji::strip_piece(c.encode_utf8(&mut [0; 4]))?.0)),
            };
            self.board.put(square, piece);
        }
        self.rows += 1;
        Some(())
    }

    fn hand(&mut self, color: Color, text: &str) -> Option<()> {
        for piece_type in PieceType::HAND {
            self.board.set_hand(color, piece_type, 0);
        }
        let mut rest = text.trim_matches([' ', '\u{3000}']);
        if rest == "なし" {
            return Some(());
        }
        while !rest.is_empty() {
            let (piece_type, after) = kanji::strip_piece(rest)?;
            let is_number = |c: char| kanji::digit(c).is_some() || "十〇0０".contains(c);
            let end = after.find(|c| !is_number(c)).unwrap_or(after.len());
            let count = if end == 0 { 1 } else { kanji::parse_number(&after[..end])? };
            let held = self.board.in_hand(color, piece_type);
            let count = u8::try_from(count).ok()?.checked_add(held)?;
            if !PieceType::HAND.contains(&piece_type) || count > piece_type.count_in_set() {
                return None;
            }
            self.board.set_hand(color, piece_type, count);
            rest = after[end..].trim_start_matches([' ', '\u{3000}']);
        }
        Some(())
    }

    /// The start position that all lines together tell.
    pub(super) fn position(&self, format: Format) -> Result<Position, ReadError> {
        let handicap = self.handicap.unwrap_or_default();
        let mut board = match self.rows {
            0 => return self.named(format, handicap),
            9 => self.board.clone(),
            rows => {
                return Err(ReadError::syntax(
                    self.line,
                    format,
                    Phrase::new("a board of nine rows", "九段の盤面"),
                    &rows.to_string(),
                ));
            }
        };
        let usual = if handicap == Handicap::Even { Color::Black } else { Color::White };
        board.set_side_to_move(self.turn.unwrap_or(usual));
        self.checked(&board.sfen(self.moves_made + 1))
    }

    fn named(&self, format: Format, handicap: Handicap) -> Result<Position, ReadError> {
        if let Some((line, name)) = &self.unknown {
            return Err(ReadError::syntax(
                *line,
                format,
                Phrase::new("a known 手合割, or a board diagram", "手合割の名前か盤面図"),
                name,
            ));
        }
        let position = self.checked(&handicap.sfen())?;
        match self.turn {
            Some(turn) if turn != position.side_to_move() => {
                let mut board = Board::from(&position);
                board.set_side_to_move(turn);
                self.checked(&board.sfen(1))
            }
            _ => Ok(position),
        }
    }

    fn checked(&self, sfen: &str) -> Result<Position, ReadError> {
        Position::from_sfen(sfen).map_err(|error| ReadError::new(self.line, Problem::Start(error)))
    }
}

/// Whether a line only frames the diagram.
fn is_frame(line: &str) -> bool {
    line.starts_with("+-") || line.starts_with("９ ８") || line.starts_with("9 8")
}
