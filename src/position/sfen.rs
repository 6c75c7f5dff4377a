//! SFEN: positions as one line of text.

use std::fmt::{self, Write as _};

use thiserror::Error;

use super::handicap::{Handicap, UnknownHandicap};
use super::repetition::RepetitionFilter;
use super::{Position, State};
use crate::bitboard::Bitboard;
use crate::types::{Color, File, Hand, Piece, PieceType, Rank, Square};

/// The start of an even game.
pub const STARTPOS_SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Far above any game's length, far below what a counter of plies holds.
const MAX_MOVE_NUMBER: u32 = 1_000_000;

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
        let mut position = Position::read_unchecked(sfen)?;
        position.validate()?;
        position.set_derived_state();
        Ok(position)
    }

    /// The same before the rules are asked: pieces, turn, hands and number, and nothing that follows from them. No move
    /// may be made on it.
    pub(crate) fn read_unchecked(sfen: &str) -> Result<Position, SfenError> {
        if let Some(name) = sfen.trim().strip_prefix(Handicap::PREFIX) {
            return Position::read_unchecked(&name.parse::<Handicap>()?.sfen());
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

        let mut position = Position::empty();
        position.read_board(board)?;
        position.side_to_move = match side {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(SfenError::SideToMove(side.to_owned())),
        };
        position.state.hands = read_hands(hands)?;
        if let Some(number) = number {
            position.game_ply = read_move_number(number)?;
        }
        Ok(position)
    }

    /// No pieces, which is what a position is built from.
    pub(super) fn empty() -> Position {
        Position {
            board: [None; Square::COUNT],
            by_color: [Bitboard::EMPTY; 2],
            by_type: [Bitboard::EMPTY; PieceType::TABLE_LEN],
            kings: [None; 2],
            side_to_move: Color::Black,
            game_ply: 1,
            state: State {
                board_key: 0,
                hand_key: 0,
                parts: Default::default(),
                checkers: Bitboard::EMPTY,
                hands: [Hand::EMPTY; 2],
                plies_from_null: 0,
                checking_plies: [0; 2],
                captured: None,
            },
            history: Vec::new(),
            repetition_filter: RepetitionFilter::new(),
        }
    }

    fn read_board(&mut self, text: &str) -> Result<(), SfenError> {
        let ranks = text.split('/').count();
        if ranks != 9 {
            return Err(SfenError::RankCount(text.to_owned(), ranks));
        }
        for (rank, row) in Rank::all().zip(text.split('/')) {
            self.read_rank(rank, row)?;
        }
        Ok(())
    }

    fn read_rank(&mut self, rank: Rank, row: &str) -> Result<(), SfenError> {
        let mut width = 0;
        let mut promoted = false;
        for c in row.chars() {
            let unknown = || SfenError::UnknownPiece(row.to_owned(), format!("{}{c}", if promoted { "+" } else { "" }));
            match c {
                '+' if !promoted => promoted = true,
                '1'..='9' if !promoted => width += c as usize - '0' as usize,
                _ => {
                    let mut piece_type = PieceType::from_letter(c.to_ascii_uppercase()).ok_or_else(unknown)?;
                    if promoted {
                        if !piece_type.can_promote() {
                            return Err(unknown());
                        }
                        piece_type = piece_type.promoted();
                    }
                    let color = if c.is_ascii_uppercase() { Color::Black } else { Color::White };
                    if let Some(file) = File::all().rev().nth(width) {
                        self.put_first(Piece::new(color, piece_type), Square::at(file, rank))?;
                    }
                    width += 1;
                    promoted = false;
                }
            }
        }
        if promoted {
            return Err(SfenError::UnknownPiece(row.to_owned(), "+".to_owned()));
        }
        if width != 9 {
            return Err(SfenError::RankWidth(row.to_owned(), width));
        }
        Ok(())
    }

    fn put_first(&mut self, piece: Piece, square: Square) -> Result<(), SfenError> {
        if piece.piece_type() == PieceType::King && self.kings[piece.color().index()].replace(square).is_some() {
            return Err(SfenError::SeveralKings(piece.color()));
        }
        self.put(piece, square);
        Ok(())
    }

    /// The position as SFEN, with the move number, which stays at the largest that is read back.
    pub fn to_sfen(&self) -> String {
        let mut text = String::with_capacity(128);
        for rank in Rank::all() {
            if rank.index() > 0 {
                text.push('/');
            }
            let mut empty = 0;
            let flush = |text: &mut String, empty: &mut u32| {
                if *empty > 0 {
                    let _ = write!(text, "{empty}");
                    *empty = 0;
                }
            };
            for file in File::all().rev() {
                match self.piece_on(Square::at(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        flush(&mut text, &mut empty);
                        let _ = write!(text, "{piece}");
                    }
                }
            }
            flush(&mut text, &mut empty);
        }
        let black = self.hand(Color::Black).to_string();
        let white = self.hand(Color::White).to_string().to_ascii_lowercase();
        let hands = if black.is_empty() && white.is_empty() { "-" } else { "" };
        let number = self.game_ply.min(MAX_MOVE_NUMBER);
        let _ = write!(text, " {} {black}{white}{hands} {number}", self.side_to_move);
        text
    }
}

fn read_move_number(text: &str) -> Result<u32, SfenError> {
    let digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|&number| digits_only && number <= MAX_MOVE_NUMBER);
    number.ok_or_else(|| SfenError::MoveNumber(text.to_owned()))
}

/// Reads the hands field: `-`, or letters with an optional count before each, in any order.
fn read_hands(text: &str) -> Result<[Hand; 2], SfenError> {
    let error = || SfenError::Hand(text.to_owned());
    let mut hands = [Hand::EMPTY; 2];
    if text == "-" {
        return Ok(hands);
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
        let color = if c.is_ascii_uppercase() { Color::Black } else { Color::White };
        if piece_type == PieceType::King {
            return Err(error());
        }
        let hand = &mut hands[color.index()];
        let added = count.take().unwrap_or(1);
        let (total, set) = (hand.count(piece_type) + added, u32::from(piece_type.count_in_set()));
        if total > set {
            return Err(SfenError::TooManyPieces(piece_type.letter(), total, set));
        }
        for _ in 0..added {
            hand.add(piece_type);
        }
    }
    if count.is_some() { Err(error()) } else { Ok(hands) }
}

struct HandText(Hand);

impl fmt::Display for HandText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("-") } else { fmt::Display::fmt(&self.0, f) }
    }
}

/// A diagram with White at the top, hands beside it and the turn below.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "+----+----+----+----+----+----+----+----+----+";
        writeln!(f, "White in hand: {}", HandText(self.hand(Color::White)))?;
        writeln!(f, "  9    8    7    6    5    4    3    2    1")?;
        writeln!(f, "{RULE}")?;
        for rank in Rank::all() {
            for file in File::all().rev() {
                let piece = self.piece_on(Square::at(file, rank)).map_or(String::new(), |piece| piece.to_string());
                write!(f, "|{piece:>3} ")?;
            }
            writeln!(f, "| {rank}")?;
            writeln!(f, "{RULE}")?;
        }
        writeln!(f, "Black in hand: {}", HandText(self.hand(Color::Black)))?;
        let side = if self.side_to_move() == Color::Black { "Black" } else { "White" };
        write!(f, "{side} to move, move {}", self.game_ply())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_sfen())
    }
}
