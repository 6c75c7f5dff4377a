//! The rules of moves, as plain and slow as their texts.

use std::collections::BTreeSet;

use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::types::Move;

/// A piece: its SFEN letter in upper case, whether it is promoted, and whether it is Black's.
type Piece = (u8, bool, bool);
type Step = (i8, i8);

/// Ranks from a, and in each the files from 9, as SFEN writes them.
#[derive(Clone)]
pub(crate) struct Twin {
    board: [[Option<Piece>; 9]; 9],
    /// White's hand and Black's: how many of each of [`HAND`].
    hands: [[u8; 7]; 2],
    is_black: bool,
}

const HAND: [u8; 7] = *b"RBGSNLP";
const STRAIGHT: [Step; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const DIAGONAL: [Step; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const GOLD: [Step; 6] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)];
const SILVER: [Step; 5] = [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 1)];
const KNIGHT: [Step; 2] = [(-2, -1), (-2, 1)];
const FORWARD: [Step; 1] = [(-1, 0)];

/// Single steps of a piece, and those it may go on with, seen from Black's side.
fn steps(piece: Piece) -> (Vec<Step>, Vec<Step>) {
    let (single, sliding): (&[&[Step]], &[Step]) = match (piece.0, piece.1) {
        (b'K', _) => (&[&STRAIGHT, &DIAGONAL], &[]),
        (b'B', false) => (&[], &DIAGONAL),
        (b'B', true) => (&[&STRAIGHT], &DIAGONAL),
        (b'R', false) => (&[], &STRAIGHT),
        (b'R', true) => (&[&DIAGONAL], &STRAIGHT),
        (b'G', _) | (_, true) => (&[&GOLD], &[]),
        (b'S', _) => (&[&SILVER], &[]),
        (b'N', _) => (&[&KNIGHT], &[]),
        (b'L', _) => (&[], &FORWARD),
        _ => (&[&FORWARD], &[]),
    };
    (single.concat(), sliding.to_vec())
}

impl Twin {
    /// Reads an SFEN that is known to be right.
    pub(crate) fn from_sfen(sfen: &str) -> Twin {
        let fields: Vec<&str> = sfen.split(' ').collect();
        let mut twin = Twin { board: [[None; 9]; 9], hands: [[0; 7]; 2], is_black: fields[1] == "b" };
        for (row, text) in fields[0].split('/').enumerate() {
            let (mut column, mut promoted) = (0, false);
            for letter in text.bytes() {
                match letter {
                    b'+' => promoted = true,
                    b'1'..=b'9' => column += usize::from(letter - b'0'),
                    _ => {
                        let piece = (letter.to_ascii_uppercase(), promoted, letter.is_ascii_uppercase());
                        twin.board[row][column] = Some(piece);
                        (column, promoted) = (column + 1, false);
                    }
                }
            }
        }
        let mut count = 0;
        for letter in fields[2].bytes().filter(|&letter| letter != b'-') {
            if letter.is_ascii_digit() {
                count = count * 10 + (letter - b'0');
                continue;
            }
            let kind = HAND.iter().position(|&kind| kind == letter.to_ascii_uppercase()).unwrap();
            twin.hands[usize::from(letter.is_ascii_uppercase())][kind] += count.max(1);
            count = 0;
        }
        twin
    }

    /// The first three fields of the SFEN.
    pub(crate) fn sfen(&self) -> String {
        let letter = |kind: u8, is_black: bool| char::from(if is_black { kind } else { kind.to_ascii_lowercase() });
        let mut rows = Vec::new();
        for row in &self.board {
            let (mut text, mut empty) = (String::new(), 0);
            for square in row.iter().chain([&Some((b'.', false, true))]) {
                let Some((kind, promoted, is_black)) = *square else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                if kind != b'.' {
                    text += if promoted { "+" } else { "" };
                    text.push(letter(kind, is_black));
                }
            }
            rows.push(text);
        }
        let mut hands = String::new();
        for is_black in [true, false] {
            for (kind, count) in HAND.into_iter().zip(self.hands[usize::from(is_black)]) {
                if count > 1 {
                    hands += &count.to_string();
                }
                if count > 0 {
                    hands.push(letter(kind, is_black));
                }
            }
        }
        let hands = if hands.is_empty() { "-" } else { &hands };
        format!("{} {} {hands}", rows.join("/"), if self.is_black { 'b' } else { 'w' })
    }

    fn squares() -> impl Iterator<Item = (usize, usize)> {
        (0..9).flat_map(|row| (0..9).map(move |column| (row, column)))
    }

    /// Where the piece on a square could go if there were no king to guard.
    fn reach(&self, from: (usize, usize)) -> Vec<(usize, usize)> {
        let piece = self.board[from.0][from.1].unwrap();
        let ahead = if piece.2 { 1 } else { -1 };
        let (single, sliding) = steps(piece);
        let mut found = Vec::new();
        for (steps, most) in [(single, 1), (sliding, 8)] {
            for (down, right) in steps {
                let (mut row, mut column) = (from.0 as i8, from.1 as i8);
                for _ in 0..most {
                    (row, column) = (row + down * ahead, column + right);
                    if !(0..9).contains(&row) || !(0..9).contains(&column) {
                        break;
                    }
                    let there = self.board[row as usize][column as usize];
                    if there.is_none_or(|there| there.2 != piece.2) {
                        found.push((row as usize, column as usize));
                    }
                    if there.is_some() {
                        break;
                    }
                }
            }
        }
        found
    }

    /// Whether a side's king could be taken; a side without a king has none to lose.
    pub(crate) fn is_in_check(&self, is_black: bool) -> bool {
        let king = Self::squares().find(|&(row, column)| self.board[row][column] == Some((b'K', false, is_black)));
        king.is_some_and(|king| {
            Self::squares().any(|from| {
                self.board[from.0][from.1].is_some_and(|piece| piece.2 != is_black) && self.reach(from).contains(&king)
            })
        })
    }

    /// Makes a move that is at least one of these pieces.
    pub(crate) fn after(&self, usi: &str) -> Twin {
        let mut twin = self.clone();
        let us = usize::from(self.is_black);
        let text = usi.as_bytes();
        let square = |text: &[u8]| (usize::from(text[1] - b'a'), usize::from(b'9' - text[0]));
        let to = square(&text[2..]);
        if text[1] == b'*' {
            let kind = HAND.iter().position(|&kind| kind == text[0]).unwrap();
            twin.hands[us][kind] -= 1;
            twin.board[to.0][to.1] = Some((text[0], false, self.is_black));
        } else {
            let from = square(text);
            let (kind, promoted, _) = twin.board[from.0][from.1].take().unwrap();
            if let Some((taken, ..)) = twin.board[to.0][to.1] {
                let taken = HAND.iter().position(|&kind| kind == taken).expect("no king is taken");
                twin.hands[us][taken] += 1;
            }
            twin.board[to.0][to.1] = Some((kind, promoted || usi.ends_with('+'), self.is_black));
        }
        twin.is_black = !self.is_black;
        twin
    }

    /// Whether an unpromoted piece could never move again from a rank.
    fn is_stuck(&self, kind: u8, row: usize) -> bool {
        let ranks_left = if self.is_black { row } else { 8 - row };
        matches!((kind, ranks_left), (b'P' | b'L' | b'N', 0) | (b'N', 1))
    }

    pub(crate) fn moves(&self) -> BTreeSet<String> {
        let name = |(row, column): (usize, usize)| {
            format!("{}{}", char::from(b'9' - column as u8), char::from(b'a' + row as u8))
        };
        let is_zone = |row: usize| if self.is_black { row < 3 } else { row > 5 };
        let mut moves = BTreeSet::new();
        for from in Self::squares() {
            let Some((kind, promoted, is_black)) = self.board[from.0][from.1] else { continue };
            if is_black != self.is_black {
                continue;
            }
            for to in self.reach(from) {
                if self.board[to.0][to.1].is_some_and(|there| there.0 == b'K') {
                    continue;
                }
                let usi = name(from) + &name(to);
                if !promoted && b"PLNSBR".contains(&kind) && (is_zone(from.0) || is_zone(to.0)) {
                    moves.insert(usi.clone() + "+");
                }
                if promoted || !self.is_stuck(kind, to.0) {
                    moves.insert(usi);
                }
            }
        }
        for (kind, count) in HAND.into_iter().zip(self.hands[usize::from(self.is_black)]) {
            for (row, column) in Self::squares() {
                let own_pawn = Some((b'P', false, self.is_black));
                let nifu = kind == b'P' && (0..9).any(|row| self.board[row][column] == own_pawn);
                if count > 0 && self.board[row][column].is_none() && !self.is_stuck(kind, row) && !nifu {
                    moves.insert(format!("{}*{}", char::from(kind), name((row, column))));
                }
            }
        }
        moves.retain(|usi| {
            let after = self.after(usi);
            let is_pawn_drop = usi.starts_with("P*");
            let mates = || after.is_in_check(after.is_black) && after.moves().is_empty();
            !(after.is_in_check(self.is_black) || is_pawn_drop && mates())
        });
        moves
    }

    /// Compares all that the board says of this position.
    ///
    /// # Panics
    /// When the two differ.
    pub(crate) fn check(&self, position: &Position) -> Vec<Move> {
        let sfen = position.to_sfen();
        assert_eq!(sfen.rsplit_once(' ').unwrap().0, self.sfen());
        let again = Position::from_sfen(&sfen);
        assert!(again.is_ok_and(|again| again.to_sfen() == sfen && again.key() == position.key()), "{sfen}");
        let moves = legal_moves(position);
        let texts: BTreeSet<String> = moves.iter().map(|mv| mv.to_string()).collect();
        assert_eq!(texts.len(), moves.len(), "a move stands twice in the list of {sfen}");
        assert_eq!(texts, self.moves(), "{sfen}");
        assert_eq!(position.in_check(), self.is_in_check(self.is_black), "{sfen}");
        moves.to_vec()
    }

    /// Makes a move on both boards.
    ///
    /// # Panics
    /// When they differ on whether it gives check.
    pub(crate) fn follow(&mut self, position: &mut Position, mv: Move) {
        let after = self.after(&mv.to_string());
        assert_eq!(position.gives_check(mv), after.is_in_check(after.is_black), "{} {mv}", position.to_sfen());
        position.do_move(mv);
        *self = after;
    }
}
