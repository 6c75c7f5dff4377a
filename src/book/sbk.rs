//! ShogiGUI's book (`.sbk`), read as a whole: its positions are known only by the moves that lead to them.
//!
//! It has no move numbers and no scores of moves: evaluations of positions stand in it as comments, which are not read.
//! A file is one Protocol Buffers message, whose field 1 is the author, 2 a description and 3, repeated, a state:
//! a position, of which field 7 is the SFEN, if no move leads to it, and 9, repeated, a move. Of a move field 1 is its
//! code, 3 its weight and 4 the number of the state after it. ShogiGUI's `book.proto` defines them. Moves are coded so:
//!
//! | bits | what |
//! |---|---|
//! | 0–3, 4–7 | rank and file of the origin, 1 to 9; 0 for a drop |
//! | 8–11, 12–15 | rank and file of the destination |
//! | 19 | promotion |
//! | 24–27 | the piece type moved, before it promotes |

use std::collections::VecDeque;

use super::table::{BookEntry, BookMove, Visitor};
use super::{BookError, BookRemark};
use crate::movegen::MAX_MOVES;
use crate::position::{Position, STARTPOS_SFEN, Setup};
use crate::types::{File, Hand, Move, Rank, Square};

/// No root's SFEN is longer.
const MAX_SFEN: usize = 300;

/// A book in memory, which takes about eight times the bytes of its file.
#[derive(Default)]
pub(super) struct SbkBook {
    /// Where the moves of each state end.
    ends: Vec<u32>,
    moves: Vec<StateMove>,
    /// The states that have an SFEN, and the SFEN.
    roots: Vec<(u32, String)>,
    /// The keys of the positions with moves, in order, and their states.
    index: Vec<(u64, u32)>,
}

#[derive(Clone, Copy)]
struct StateMove {
    code: u32,
    /// How often it is to be played; 0 for never.
    weight: i32,
    /// The state after it; below 0 for none.
    next: i32,
}

impl SbkBook {
    pub(super) fn open(bytes: &[u8]) -> Result<SbkBook, BookError> {
        let mut book = SbkBook::default();
        let mut fields = Fields(bytes);
        loop {
            let at = bytes.len() - fields.0.len();
            let field = fields.next();
            match field {
                Some(Some((3, Field::Bytes(state)))) if book.add(state).is_some() => {}
                None => break,
                Some(None | Some((3, _))) => return Err(BookError::Damaged(at as u64)),
                Some(Some(_)) => {}
            }
        }
        let mut index = Vec::new();
        book.walk(&mut |state, position| index.push((position.key(), state)));
        index.sort_unstable();
        Ok(SbkBook { index, ..book })
    }

    /// Adds the next state; `None` where it is damaged.
    fn add(&mut self, state: &[u8]) -> Option<()> {
        let number = u32::try_from(self.ends.len()).ok()?;
        let (start, mut sfen) = (self.moves.len(), &[][..]);
        for field in Fields(state) {
            match field? {
                (7, Field::Bytes(text)) => sfen = text.trim_ascii(),
                (9, Field::Bytes(fields)) if self.moves.len() - start < MAX_MOVES => {
                    let mut values = [0; 5];
                    for field in Fields(fields) {
                        if let (number @ 1..=4, Field::Number(value)) = field? {
                            values[number as usize] = value as i32;
                        }
                    }
                    let [_, code, _, weight, next] = values;
                    self.moves.push(StateMove { code: code.cast_unsigned(), weight, next });
                }
                _ => {}
            }
        }
        self.ends.push(u32::try_from(self.moves.len()).ok()?);
        // The first state is the start of an even game where it has no SFEN.
        if sfen.is_empty() && number == 0 {
            sfen = STARTPOS_SFEN.as_bytes();
        }
        if !sfen.is_empty() {
            self.roots.push((number, String::from_utf8_lossy(&sfen[..sfen.len().min(MAX_SFEN)]).into_owned()));
        }
        Some(())
    }

    /// The moves of a position. The format has no move numbers, so the ply does not matter.
    pub(super) fn probe(&self, position: &Position) -> BookEntry {
        let key = position.key();
        let from = self.index.partition_point(|&(other, _)| other < key);
        let mut entry = BookEntry::default();
        for &(_, state) in self.index[from..].iter().take_while(|&&(other, _)| other == key).take(MAX_MOVES) {
            self.add_moves(state, &mut entry);
        }
        entry
    }

    /// Every position with its moves, from the roots on.
    pub(super) fn for_each(self, visit: Visitor<'_>) -> Result<(), BookError> {
        let reached = self.walk(&mut |state, position| {
            let mut entry = BookEntry::default();
            self.add_moves(state, &mut entry);
            visit(Ok((position, entry)));
        });
        for (_, sfen) in &self.roots {
            if let Err(error) = Position::from_sfen(sfen) {
                visit(Err(BookRemark::Position(sfen.clone(), error)));
            }
        }
        let lost = (0..).zip(&reached).filter(|&(state, &reached)| !reached && !self.moves(state).is_empty()).count();
        if lost > 0 {
            visit(Err(BookRemark::Unreachable(lost)));
        }
        Ok(())
    }

    fn moves(&self, state: u32) -> &[StateMove] {
        let end = |state: u32| self.ends[state as usize] as usize;
        &self.moves[state.checked_sub(1).map_or(0, end)..end(state)]
    }

    /// The moves of a state that are to be played: those with a weight, or all if none has one.
    fn add_moves(&self, state: u32, entry: &mut BookEntry) {
        let moves = self.moves(state);
        let is_weighted = moves.iter().any(|it| it.weight > 0);
        for &StateMove { code, weight, .. } in moves.iter().filter(|it| it.weight > 0 || !is_weighted) {
            let mv = move_from_sbk(code).ok_or_else(|| format!("{code:#010x}"));
            entry.add(mv.map(|mv| BookMove::unscored(mv, weight.max(0) as u64)));
        }
    }

    /// Calls `visit` with each state that has moves and can be reached from a root, and its position, by the fewest
    /// moves first. Returns which these are.
    fn walk(&self, visit: &mut dyn FnMut(u32, &Position)) -> Vec<bool> {
        let mut reached = vec![false; self.ends.len()];
        // Setups: there may be a million at a time, and a position takes some 10 KiB.
        let mut open: VecDeque<(u32, Setup)> = VecDeque::new();
        for (root, sfen) in &self.roots {
            if !reached[*root as usize] && !self.moves(*root).is_empty() {
                open.extend(Setup::from_sfen(sfen).ok().map(|setup| (*root, setup)));
            }
            while let Some((state, setup)) = open.pop_front() {
                let Ok(position) = Position::from_setup(&setup) else { continue };
                reached[state as usize] = true;
                visit(state, &position);
                for &StateMove { code, next, .. } in self.moves(state) {
                    let Some(mv) = move_from_sbk(code).filter(|&mv| position.is_legal(mv)) else { continue };
                    let Ok(next) = u32::try_from(next) else { continue };
                    if reached.get(next as usize) == Some(&false) && !self.moves(next).is_empty() {
                        reached[next as usize] = true;
                        let mut after = setup.clone();
                        after.do_move(mv);
                        open.push_back((next, after));
                    }
                }
            }
        }
        reached
    }
}

/// The fields of a Protocol Buffers message, each with its number; `None` where the rest is no such message.
struct Fields<'a>(&'a [u8]);

enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Fields<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.0.split_off_first()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn field(&mut self) -> Option<(u64, Field<'a>)> {
        let key = self.number()?;
        let length = match key & 7 {
            0 => return Some((key >> 3, Field::Number(self.number()?))),
            1 => 8,
            2 => usize::try_from(self.number()?).ok()?,
            5 => 4,
            _ => return None,
        };
        Some((key >> 3, Field::Bytes(self.0.split_off(..length)?)))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u64, Field<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field().filter(|field| field.0 > 0);
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// Whether bytes from the beginning of a file look like this format, which has no magic number: only fields of a book,
/// with a state among them.
pub(super) fn is_likely(head: &[u8]) -> bool {
    let is_state = |state| {
        let is_known = |field| matches!(field, Some((1..=6, Field::Number(_)) | (7..=10, Field::Bytes(_))));
        Fields(state).all(is_known)
    };
    let mut states = 0;
    // The last field may be cut.
    for field in Fields(head).map_while(|field| field) {
        match field {
            (1 | 2, Field::Bytes(_)) if states == 0 => {}
            (3, Field::Bytes(state)) if is_state(state) => states += 1,
            _ => return false,
        }
    }
    states > 0
}

/// The move with this code.
fn move_from_sbk(code: u32) -> Option<Move> {
    let to = square(code >> 8)?;
    let promote = code >> 19 & 1 == 1;
    if code & 0xff != 0 {
        let from = square(code)?;
        return (from != to).then(|| Move::board(from, to, promote));
    }
    let piece_type = *Hand::ORDER.iter().rev().nth((code >> 24 & 0xf).checked_sub(1)? as usize)?;
    (!promote).then(|| Move::drop(piece_type, to))
}

/// The square in the lowest eight bits.
fn square(code: u32) -> Option<Square> {
    let number = |code: u32| ((code & 0xf) as u8).checked_sub(1);
    Some(Square::at(File::new(number(code >> 4)?)?, Rank::new(number(code)?)?))
}
