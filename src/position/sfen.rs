//! SFEN: positions as one line of text.

use std::fmt::{self, Write as _};

use thiserror::Error;

use super::Position;
use super::handicap::{Handicap, UnknownHandicap};
use super::setup::{MAX_MOVE_NUMBER, Setup};
use crate::types::{Color, File, Hand, Piece, PieceType, Rank, Square};

/// The start of an even game.
pub const STARTPOS_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SfenError {
    /// `handicap:` is followed by no handicap's name.
    #[error(transparent)]
    Handicap(#[from] UnknownHandicap),
    /// A field other than the move number is missing.
    #[error("no {1} field")]
    MissingField(String, &'static str),
    /// There is text after the move number.
    #[error("unexpected {0:?} after the SFEN")]
    ExtraField(String),
    /// The board has more or fewer than nine ranks.
    #[error("the board {0:?} has {1} ranks instead of 9")]
    RankCount(String, usize),
    /// A rank has more or fewer than nine squares.
    #[error("rank {0:?} has {1} squares instead of 9")]
    RankWidth(String, usize),
    /// A character that names no piece, or a `+` before a piece that cannot promote or before nothing.
    #[error("unknown piece {1:?} in rank {0:?}")]
    UnknownPiece(String, String),
    /// The turn is neither `b` nor `w`.
    #[error("side to move {0:?} is neither \"b\" nor \"w\"")]
    SideToMove(String),
    /// The hands cannot be read.
    #[error("unreadable pieces in hand: {0:?}")]
    Hand(String),
    /// The move number is not a number, or larger than any game's.
    #[error("move number {0:?} is not a number up to {MAX_MOVE_NUMBER}")]
    MoveNumber(String),
    /// More pieces of a type, promoted ones included, than the set holds.
    #[error("{1} pieces of type {0} on the board and in hand, but a set has {2}")]
    TooManyPieces(char, u32, u32),
    /// Neither player has a king.
    #[error("no king on the board")]
    NoKing,
    /// A player has more than one king.
    #[error("{0:?} has more than one king")]
    SeveralKings(Color),
    /// Two unpromoted pawns of one player on a file.
    #[error("nifu: {0:?} has two pawns on file {1}")]
    Nifu(Color, File),
    /// A piece that could never move again.
    #[error("{0:?} on {1} could never move")]
    ImmobilePiece(Piece, Square),
    /// The player who has just moved is in check.
    #[error("{0:?} is in check but it is not its turn")]
    OpponentInCheck(Color),
}

impl Position {
    /// Reads an SFEN: board, turn, hands and, optionally, the move number, separated by blanks; or `handicap:` and
    /// the name of a handicap, such as `handicap:2-piece`.
    ///
    /// One king may be missing, as on tsume boards.
    ///
    /// # Errors
    /// Says what is wrong with the text, or why the rules do not allow the position.
    pub fn from_sfen(sfen: &str) -> Result<Position, SfenError> {
        Position::from_setup(&Setup::from_sfen(sfen)?)
    }

    /// The position as SFEN, with the move number, which stays at the largest that is read back.
    pub fn to_sfen(&self) -> String {
        self.setup().to_sfen()
    }
}

impl Setup {
    /// Reads an SFEN as [`Position::from_sfen`] does, without asking the rules about its pieces.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn from_sfen(sfen: &str) -> Result<Setup, SfenError> {
        if let Some(name) = sfen.trim().strip_prefix(Handicap::PREFIX) {
            return Ok(name.parse::<Handicap>()?.setup());
        }
        let mut fields = sfen.split_ascii_whitespace();
        let mut field = |name| fields.next().ok_or_else(|| SfenError::MissingField(sfen.to_owned(), name));
        let board = field("board")?;
        let side = field("side to move")?;
        let hands = field("hands")?;
        let number = fields.next();
        if let Some(extra) = fields.next() {
            return Err(SfenError::ExtraField(extra.to_owned()));
        }

        let mut setup = Setup::empty();
        read_board(&mut setup, board)?;
        setup.side_to_move = match side {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(SfenError::SideToMove(side.to_owned())),
        };
        read_hands(&mut setup, hands)?;
        if let Some(number) = number {
            setup.move_number = read_move_number(number)?;
        }
        Ok(setup)
    }

    /// The board as SFEN, with the move number, which stays at the largest that is read back.
    pub fn to_sfen(&self) -> String {
        let mut text = String::with_capacity(128);
        for rank in Rank::all() {
            if rank.index() > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for file in File::all().rev() {
                match self.piece_on(Square::at(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_count(&mut text, empty, 1);
                        empty = 0;
                        let _ = write!(text, "{piece}");
                    }
                }
            }
            push_count(&mut text, empty, 1);
        }
        let _ = write!(text, " {} ", self.side_to_move);
        let before = text.len();
        for color in Color::ALL {
            for piece_type in Hand::ORDER {
                let count = self.in_hand(color, piece_type);
                push_count(&mut text, count, 2);
                if count > 0 {
                    let _ = write!(text, "{}", Piece::new(color, piece_type));
                }
            }
        }
        if text.len() == before {
            text.push('-');
        }
        let _ = write!(text, " {}", self.move_number.min(MAX_MOVE_NUMBER));
        text
    }
}

/// Appends a count that is at least `smallest`.
fn push_count(text: &mut String, count: u8, smallest: u8) {
    if count >= smallest {
        let _ = write!(text, "{count}");
    }
}

fn read_board(setup: &mut Setup, text: &str) -> Result<(), SfenError> {
    let ranks = text.split('/').count();
    if ranks != 9 {
        return Err(SfenError::RankCount(text.to_owned(), ranks));
    }
    for (rank, row) in Rank::all().zip(text.split('/')) {
        let mut width = 0;
        let mut plus = "";
        for c in row.chars() {
            let unknown = || SfenError::UnknownPiece(row.to_owned(), format!("{plus}{c}"));
            match c {
                '+' if plus.is_empty() => plus = "+",
                '1'..='9' if plus.is_empty() => width += c as usize - '0' as usize,
                _ => {
                    let mut piece_type = PieceType::from_letter(c.to_ascii_uppercase()).ok_or_else(unknown)?;
                    if !plus.is_empty() {
                        piece_type =
                            Some(piece_type).filter(|known| known.can_promote()).ok_or_else(unknown)?.promoted();
                    }
                    if let Some(file) = File::all().rev().nth(width) {
                        setup.put(Square::at(file, rank), Some(Piece::new(owner(c), piece_type)));
                    }
                    width += 1;
                    plus = "";
                }
            }
        }
        if !plus.is_empty() {
            return Err(SfenError::UnknownPiece(row.to_owned(), plus.to_owned()));
        }
        if width != 9 {
            return Err(SfenError::RankWidth(row.to_owned(), width));
        }
    }
    Ok(())
}

/// Whose piece a letter is.
fn owner(letter: char) -> Color {
    if letter.is_ascii_uppercase() { Color::Black } else { Color::White }
}

fn read_move_number(text: &str) -> Result<u32, SfenError> {
    let digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|&number| digits_only && number <= MAX_MOVE_NUMBER);
    number.ok_or_else(|| SfenError::MoveNumber(text.to_owned()))
}

/// Reads the hands field: `-`, or letters with an optional count before each, in any order.
fn read_hands(setup: &mut Setup, text: &str) -> Result<(), SfenError> {
    let error = || SfenError::Hand(text.to_owned());
    if text == "-" {
        return Ok(());
    }
    let mut count: Option<u32> = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            let value = count.unwrap_or(0) * 10 + digit;
            // A leading zero would be a count of nothing; three digits are more than any set.
            if value == 0 || value > 99 {
                return Err(error());
            }
            count = Some(value);
            continue;
        }
        let piece_type = PieceType::from_letter(c.to_ascii_uppercase()).ok_or_else(error)?;
        let color = owner(c);
        if piece_type == PieceType::King {
            return Err(error());
        }
        let added = count.take().unwrap_or(1);
        let (total, set) = (u32::from(setup.in_hand(color, piece_type)) + added, u32::from(piece_type.count_in_set()));
        if total > set {
            return Err(SfenError::TooManyPieces(piece_type.letter(), total, set));
        }
        setup.set_hand(color, piece_type, total as u8);
    }
    if count.is_some() { Err(error()) } else { Ok(()) }
}

/// The SFEN, which [`Position::from_sfen`] and `parse` read.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen())
    }
}

impl Position {
    /// The board in ASCII: White at the top, hands above and below it, and the turn.
    pub fn diagram(&self) -> String {
        const RULE: &str = "+----+----+----+----+----+----+----+----+----+";
        let held = |color| match self.hand(color).to_string() {
            none if none.is_empty() => "-".to_owned(),
            held => held,
        };
        let mut text =
            format!("White in hand: {}\n  9    8    7    6    5    4    3    2    1\n{RULE}\n", held(Color::White));
        for rank in Rank::all() {
            for file in File::all().rev() {
                let piece = self.piece_on(Square::at(file, rank)).map_or(String::new(), |piece| piece.to_string());
                text += &format!("|{piece:>3} ");
            }
            text += &format!("| {rank}\n{RULE}\n");
        }
        let (held, side) = (held(Color::Black), self.side_to_move());
        text + &format!("Black in hand: {held}\n{side:?} to move, move {}", self.game_ply())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_sfen())
    }
}
