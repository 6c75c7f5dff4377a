//! Start positions of the 柿木 formats: the name of a handicap, or a board diagram (BOD).

use std::fmt::Write as _;

use super::kanji::{self, BLANKS, MARKS, key_value, marked_side};
use super::record::GameRecord;
use super::{Format, ReadError};
use crate::position::{Handicap, Position, Setup};
use crate::types::{Color, File, Phrase, Piece, PieceType, Rank, Square};

/// What the lines of the header read so far say about the start position.
pub(super) struct StartLines {
    format: Format,
    board: Setup,
    rows: u8,
    handicap: Option<Handicap>,
    /// A 手合割 that is none, and its line.
    unknown: Option<(usize, String)>,
    turn: Option<Color>,
    /// Who holds all pieces that are nowhere else.
    rest_of_set: Option<Color>,
    /// Moves made before the diagram, and who made the last.
    moves_made: u32,
    last_mover: Option<Color>,
    /// The line of the first part, for errors.
    line: usize,
}

impl StartLines {
    pub(super) fn new(format: Format) -> StartLines {
        let (handicap, unknown, turn, rest_of_set, last_mover) = (None, None, None, None, None);
        let board = Setup::empty();
        StartLines { format, board, rows: 0, handicap, unknown, turn, rest_of_set, moves_made: 0, last_mover, line: 0 }
    }

    /// Takes a line if it says something about the start position; `false` for other lines.
    pub(super) fn take(&mut self, line: &str, number: usize) -> Result<bool, ReadError> {
        let format = self.format;
        let error = |expected| ReadError::syntax(number, format, expected, line);
        let trimmed = line.trim_matches(BLANKS);
        if let Some(row) = trimmed.strip_prefix(BARS) {
            self.row(row).ok_or_else(|| {
                error(Phrase::new(
                    "a board row such as |v香v桂v銀v金v玉v金v銀v桂v香|一",
                    "|v香v桂v銀v金v玉v金v銀v桂v香|一 のような盤面の行",
                ))
            })?;
        } else if let Some((name, value)) = key_value(trimmed) {
            match name {
                "手合割" => self.name(value, number),
                "手番" => {
                    self.turn = Some(side_named(value).ok_or_else(|| error(Phrase::new("先手 or 後手", "先手か後手")))?)
                }
                _ => match hand_of(name) {
                    Some(color) => self.hand(color, value).map_err(error)?,
                    None => return Ok(false),
                },
            }
        } else if let Some(turn) = trimmed.strip_suffix('番').and_then(side_named) {
            self.turn = Some(turn);
        } else if let Some(rest) = trimmed.strip_prefix("手数").and_then(|rest| rest.strip_prefix(['＝', '='])) {
            let digits: String = rest.chars().map_while(kanji::arabic).collect();
            self.moves_made = digits.parse().ok().filter(|&made| made < 100_000).unwrap_or(0);
            self.last_mover = rest.find(MARKS).and_then(|at| marked_side(&rest[at..]));
        } else {
            return Ok(is_frame(trimmed));
        }
        if self.line == 0 {
            self.line = number;
        }
        Ok(true)
    }

    /// Takes what 手合割 says. An unknown name is no fault where a diagram gives the board.
    fn name(&mut self, name: &str, number: usize) {
        self.handicap = name.parse().ok();
        let is_unknown = self.handicap.is_none() && !["", "その他"].contains(&name);
        self.unknown = is_unknown.then(|| (number, name.to_owned()));
    }

    fn row(&mut self, row: &str) -> Option<()> {
        let (cells, rank) = row.rsplit_once(BARS)?;
        let rank = match rank.trim_matches(BLANKS).chars().next() {
            Some(c) => kanji::digit(c)? - 1,
            None => self.rows,
        };
        if rank > 8 || self.rows > 8 {
            return None;
        }
        let mut cells: Vec<char> = cells.chars().collect();
        if cells.len() != 18 {
            // Blanks were lost or added: only a mark before a piece counts.
            cells.retain(|c| !BLANKS.contains(c));
            for at in (0..cells.len()).rev() {
                let is_mark = |c: &char| owner(*c) == Some(Color::White);
                if (is_empty(cells[at]) || piece_at(cells[at]).is_some())
                    && !at.checked_sub(1).is_some_and(|before| is_mark(&cells[before]))
                {
                    cells.insert(at, ' ');
                }
            }
        }
        if cells.len() != 18 {
            return None;
        }
        for (file, cell) in (0..9).rev().zip(cells.chunks(2)) {
            let piece = match cell[1] {
                c if is_empty(c) => None,
                c => Some(Piece::new(owner(cell[0])?, piece_at(c)?)),
            };
            self.board.put(Square::new(file * 9 + rank)?, piece);
        }
        self.rows += 1;
        Some(())
    }

    /// Reads the pieces in a hand: `飛　金四　歩十二`, `飛車、金(4)、歩x12枚`, なし, or 残り for all that is nowhere else.
    ///
    /// # Errors
    /// What was expected.
    fn hand(&mut self, color: Color, text: &str) -> Result<(), Phrase> {
        const HAND: Phrase = Phrase::new(
            "pieces in hand such as 飛　金二　歩十二, or なし",
            "「飛　金二　歩十二」や「なし」のような持駒",
        );
        for piece_type in PieceType::HAND {
            self.board.set_hand(color, piece_type, 0);
        }
        let is_separator = |c: char| !c.is_alphanumeric();
        let mut rest = text.trim_matches(is_separator);
        match rest {
            "なし" | "無し" | "無" | "ナシ" | "ﾅｼ" | "無い" | "ない" | "ありません" | "持駒なし" | "特になし"
            | "ー" | "0" | "０" | "〇" | "零" | "none" | "None" => {
                return Ok(());
            }
            "残り" | "残り全部" | "残り全て" | "残り駒" | "残り駒全部" | "残り駒全て" => {
                self.rest_of_set = Some(color);
                return Ok(());
            }
            _ => {}
        }
        while !rest.is_empty() {
            let (piece_type, after) = kanji::strip_piece(rest).ok_or(HAND)?;
            let after = after.trim_start_matches(|c| is_separator(c) || "xXｘＸ".contains(c));
            let (count, after) = kanji::strip_number(after).unwrap_or((1, after));
            let piece_type = Some(piece_type.unpromoted()).filter(|held| PieceType::HAND.contains(held)).ok_or(HAND)?;
            add_to_hand(&mut self.board, color, piece_type, count)?;
            rest = after.trim_start_matches(['枚', 'つ', '個', '本']).trim_start_matches(is_separator);
        }
        Ok(())
    }

    /// The record that all lines together begin. Where no line says whose turn it is, `first_mover` may: who makes the
    /// first move on a board.
    pub(super) fn record(self, first_mover: impl FnOnce(&Setup) -> Option<Color>) -> Result<GameRecord, ReadError> {
        let error = |line, expected, found: &str| Err(ReadError::syntax(line, self.format, expected, found));
        let handicap = self.handicap.unwrap_or_default();
        let has_board = self.rows == 9;
        let mut board = match (self.rows, &self.unknown) {
            (9, _) => self.board,
            (0, None) => handicap.setup(),
            (0, Some((line, name))) => {
                return error(*line, Phrase::new("a known 手合割, or a board diagram", "手合割の名前か盤面図"), name);
            }
            _ => return error(self.line, Phrase::new("a board of nine rows", "九段の盤面"), "fewer"),
        };
        if let Some(color) = self.rest_of_set {
            board.give_rest_of_set(color);
        }
        let usual = if handicap == Handicap::Even { Color::Black } else { Color::White };
        let by_moves = if has_board { first_mover(&board) } else { None };
        let turn = self.turn.or(by_moves).or(self.last_mover.map(|last| !last)).unwrap_or(usual);
        board.set_side_to_move(turn);
        board.move_number = if has_board { self.moves_made + 1 } else { 1 };
        Ok(GameRecord::from_setup(board, self.line))
    }
}

/// Adds pieces to a hand.
///
/// # Errors
/// When they are more than a set of pieces has.
pub(super) fn add_to_hand(board: &mut Setup, color: Color, piece_type: PieceType, count: u32) -> Result<(), Phrase> {
    let held = u32::from(board.in_hand(color, piece_type)).saturating_add(count);
    let fits = u8::try_from(held).ok().filter(|&held| held <= piece_type.count_in_set());
    board.set_hand(color, piece_type, fits.ok_or(WITHIN_SET)?);
    Ok(())
}

/// What a hand is expected to be that holds too many of a piece.
const WITHIN_SET: Phrase = Phrase::new(
    "a hand of no more pieces than a set has (18 pawns, 4 of lances, knights, silvers and golds, 2 bishops, 2 rooks)",
    "一組の駒に収まる持駒（歩は18枚、香・桂・銀・金は各4枚、角・飛は各2枚まで）",
);

/// What a row of a diagram begins and ends with.
const BARS: [char; 4] = ['|', '｜', '│', '┃'];

fn is_empty(c: char) -> bool {
    "・･.．*＊_＿□".contains(c) || BLANKS.contains(&c)
}

/// Whose piece stands behind a mark.
fn owner(mark: char) -> Option<Color> {
    match mark {
        'v' | 'V' | 'ｖ' | 'Ｖ' | '∨' | '▽' | '△' | '☖' => Some(Color::White),
        '^' | '＾' | '∧' | '▲' | '☗' => Some(Color::Black),
        blank => BLANKS.contains(&blank).then_some(Color::Black),
    }
}

fn piece_at(c: char) -> Option<PieceType> {
    Some(kanji::strip_piece(c.encode_utf8(&mut [0; 4]))?.0)
}

/// The side that a word means, with or without の or its mark.
fn side_named(word: &str) -> Option<Color> {
    let word = word.trim_matches(|c| BLANKS.contains(&c) || MARKS.contains(&c) || c == 'の' || c == '番');
    match word {
        "先手" | "下手" | "攻方" | "攻め方" | "先" | "Black" | "Sente" => Some(Color::Black),
        "後手" | "上手" | "玉方" | "受方" | "受け方" | "後" | "White" | "Gote" => Some(Color::White),
        _ => None,
    }
}

/// Whose hand a header names: 先手の持駒, 後手持ち駒; 持駒 alone is Black's.
fn hand_of(name: &str) -> Option<Color> {
    let owner = ["持駒", "持ち駒", "もちごま"].into_iter().find_map(|word| name.strip_suffix(word))?;
    if owner.is_empty() { Some(Color::Black) } else { side_named(owner).or_else(|| marked_side(owner)) }
}

/// Whether a line only frames the diagram.
fn is_frame(line: &str) -> bool {
    line.starts_with("+-") || line.starts_with("９ ８") || line.starts_with("9 8")
}

/// The diagram that KIF gives a start by: the board, the hands and the turn, with how many moves were made.
pub fn diagram(position: &Position) -> String {
    let text = write(&position.setup());
    // In a record, programs such as Kifu for JS refuse this line.
    match position.game_ply() {
        0 | 1 => text,
        number => format!("{text}手数＝{}  まで\n", number - 1),
    }
}

/// Writes the diagram that KIF and KI2 give an unusual start by.
pub(super) fn write(board: &Setup) -> String {
    let mut text = format!("後手の持駒：{}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n", hand(board, Color::White));
    text.push_str("+---------------------------+\n");
    for rank in Rank::all() {
        text.push('|');
        for file in File::all().rev() {
            match board.piece_on(Square::at(file, rank)) {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.color() == Color::White { 'v' } else { ' ' });
                    text.push_str(kanji::on_diagram(piece.piece_type()));
                }
            }
        }
        let _ = writeln!(text, "|{}", kanji::rank(rank));
    }
    let _ = writeln!(text, "+---------------------------+\n先手の持駒：{}", hand(board, Color::Black));
    text.push_str(if board.side_to_move() == Color::Black { "先手番\n" } else { "後手番\n" });
    text
}

fn hand(board: &Setup, color: Color) -> String {
    use PieceType::*;
    let mut text = String::new();
    for piece_type in [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn] {
        let count = board.in_hand(color, piece_type);
        if count > 0 {
            let number = if count > 1 { kanji::number(count) } else { String::new() };
            let _ = write!(text, "{}{number}　", kanji::piece(piece_type));
        }
    }
    if text.is_empty() { "なし".to_owned() } else { text }
}
