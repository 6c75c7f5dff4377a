//! ShogiGUI's book (`.sbk`), read as a whole: its positions are known only by the moves that lead to them.
//!
//! It has no move numbers and no scores of moves: evaluations of positions stand in it as comments, which are not read.
//! A file is one Protocol Buffers message, whose field 1 is the author, 2 a description and 3, repeated, a [`State`];
//! ShogiGUI's `book.proto` defines them. Moves are coded so:
//!
//! | bits | what |
//! |---|---|
//! | 0–3, 4–7 | rank and file of the origin, 1 to 9; 0 for a drop |
//! | 8–11, 12–15 | rank and file of the destination |
//! | 19 | promotion |
//! | 20–23 | the piece type captured |
//! | 24–27, 28 | the piece type moved, before it promotes; whether it is White's |
//! | 31 | whether White moves |

use std::collections::{HashMap, VecDeque};
use std::io::Write;

use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType, bytes, decode_varint, int32, message, skip_field, uint32, uint64};
use prost::{DecodeError, Message};

use super::moves::{BookEntry, BookMove, Visitor};
use super::source::BookBytes;
use super::table::{self, BookTable, TableEntry};
use super::{BookError, BookRemark, SbkDamage, key};
use crate::movegen::MAX_MOVES;
use crate::position::{Position, STARTPOS_SFEN, Setup};
use crate::types::{Color, File, Move, PieceType, Rank, Square};

/// No root's SFEN is longer.
const MAX_SFEN: usize = 300;
/// Bytes read at once.
const CHUNK: usize = 1 << 20;
/// The longest state: one with many long comments is far shorter.
const MAX_STATE: u64 = 4 << 20;
/// Bytes of the longest number.
const MAX_VARINT: usize = 10;

/// The wire type of numbers.
const VARINT: u64 = WireType::Varint as u64;
/// The wire type of what has a length: texts and messages.
const LENGTH: u64 = WireType::LengthDelimited as u64;
const EIGHT_BYTES: u64 = WireType::SixtyFourBit as u64;
const FOUR_BYTES: u64 = WireType::ThirtyTwoBit as u64;
/// The field of the file that holds a state.
const STATE_FIELD: u32 = 3;

/// A book in memory.
pub(super) struct SbkBook {
    graph: StateGraph,
    /// The keys of the positions with moves, in order, and their states.
    index: Vec<(u64, u32)>,
}

impl SbkBook {
    /// Reads a book in at most about `limit` bytes of memory.
    pub(super) fn open(mut bytes: BookBytes, limit: u64) -> Result<SbkBook, BookError> {
        let graph = StateGraph::read(&mut bytes, limit)?;
        let mut index = Vec::new();
        graph.walk(&mut |state, position| {
            index.push((position.key(), state));
            Ok(())
        })?;
        index.sort_unstable();
        Ok(SbkBook { graph, index })
    }

    /// The moves of a position. The format has no move numbers, so the ply does not matter.
    pub(super) fn probe(&self, position: &Position) -> BookEntry {
        let key = position.key();
        let from = self.index.partition_point(|&(other, _)| other < key);
        let states = self.index[from..].iter().take_while(|&&(other, _)| other == key);
        let mut entry = BookEntry::default();
        states.take(MAX_MOVES).for_each(|&(_, state)| self.graph.add_moves(state, &mut entry));
        entry
    }

    /// Every position with its moves, from the roots on.
    pub(super) fn for_each(self, visit: Visitor<'_>) -> Result<(), BookError> {
        let graph = self.graph;
        let reached = graph.walk(&mut |state, position| visit(Ok((position, graph.entry(state)))))?;
        for (state, sfen) in graph.roots.iter().filter(|(state, _)| !reached[*state as usize]) {
            match Position::from_sfen(sfen) {
                Ok(position) => visit(Ok((&position, graph.entry(*state))))?,
                Err(error) => visit(Err(BookRemark::Position { sfen: sfen.clone(), error }))?,
            }
        }
        let is_root = |state: u32| graph.roots.binary_search_by_key(&state, |root| root.0).is_ok();
        let states = (0..).zip(&reached);
        let lost = states.filter(|&(state, &reached)| !reached && !graph.moves(state).is_empty() && !is_root(state));
        match lost.count() {
            0 => Ok(()),
            lost => visit(Err(BookRemark::Unreachable(lost))),
        }
    }
}

/// The states and moves of a file.
#[derive(Default)]
struct StateGraph {
    /// Where the moves of each state end.
    ends: Vec<u32>,
    moves: Vec<StateMove>,
    /// The states that have an SFEN, and the SFEN.
    roots: Vec<(u32, String)>,
}

impl StateGraph {
    fn read(file: &mut BookBytes, limit: u64) -> Result<StateGraph, BookError> {
        let (mut graph, mut bytes) = (StateGraph::default(), 0);
        let mut states = StateReader::new(file);
        while let Some(state) = states.next()? {
            bytes += graph.add(&state).ok_or(BookError::TooLarge(limit >> 20))?;
            if bytes > limit {
                return Err(BookError::TooLarge(limit >> 20));
            }
        }
        Ok(graph)
    }

    /// Adds the next state; returns the bytes it takes, its share of the index included, if there is room for it.
    fn add(&mut self, state: &State) -> Option<u64> {
        let number = u32::try_from(self.ends.len()).ok()?;
        self.moves.extend(state.moves.iter().take(MAX_MOVES));
        self.ends.push(u32::try_from(self.moves.len()).ok()?);
        let mut bytes = state.moves.len() * size_of::<StateMove>() + size_of::<(u32, u64, u32)>();
        let text = state.position.as_deref().unwrap_or_default().trim_ascii();
        if !text.is_empty() || number == 0 {
            let sfen = String::from_utf8_lossy(&text[..text.len().min(MAX_SFEN)]);
            // The first state is the start of an even game where it has no SFEN.
            let sfen = if text.is_empty() { STARTPOS_SFEN.to_owned() } else { sfen.into_owned() };
            bytes += sfen.len() + size_of::<(u32, String)>();
            self.roots.push((number, sfen));
        }
        Some(bytes as u64)
    }

    fn moves(&self, state: u32) -> &[StateMove] {
        let end = |state: u32| self.ends[state as usize] as usize;
        &self.moves[state.checked_sub(1).map_or(0, end)..end(state)]
    }

    fn entry(&self, state: u32) -> BookEntry {
        let mut entry = BookEntry::default();
        self.add_moves(state, &mut entry);
        entry
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
    fn walk(&self, visit: &mut dyn FnMut(u32, &Position) -> Result<(), BookError>) -> Result<Vec<bool>, BookError> {
        let mut reached = vec![false; self.ends.len()];
        // Setups: there may be a million at a time, and a position takes some 10 KiB.
        let mut open: VecDeque<(u32, Setup)> = VecDeque::new();
        for (root, sfen) in &self.roots {
            if !reached[*root as usize] && !self.moves(*root).is_empty() {
                open.extend(Setup::from_sfen(sfen).ok().map(|setup| (*root, setup)));
            }
            while let Some((state, setup)) = open.pop_front() {
                let Ok(mut position) = Position::from_setup(&setup) else { continue };
                reached[state as usize] = true;
                visit(state, &position)?;
                for &StateMove { code, next, .. } in self.moves(state) {
                    let Some(next) = self.unreached(next, &reached) else { continue };
                    let mv = move_from_sbk(code).filter(|&mv| position.is_legal(mv));
                    let Some(mv) = mv else { continue };
                    position.do_move(mv);
                    open.push_back((next, position.setup()));
                    position.undo_move(mv);
                    reached[next as usize] = true;
                }
            }
        }
        Ok(reached)
    }

    /// The state with this number, if there is one that has moves and was not reached yet.
    fn unreached(&self, state: i32, reached: &[bool]) -> Option<u32> {
        let state = u32::try_from(state).ok()?;
        (!*reached.get(state as usize)? && !self.moves(state).is_empty()).then_some(state)
    }
}

/// Reads the states of a file, one after another.
struct StateReader<'a> {
    file: &'a mut BookBytes,
    buffer: Vec<u8>,
    /// Where the buffer begins in the file.
    base: u64,
    /// What is read next, within the buffer.
    at: usize,
}

impl<'a> StateReader<'a> {
    fn new(file: &'a mut BookBytes) -> StateReader<'a> {
        StateReader { file, buffer: Vec::new(), base: 0, at: 0 }
    }

    /// The next state; other fields are skipped.
    fn next(&mut self) -> Result<Option<State>, BookError> {
        while self.offset() < self.file.len() {
            let began = self.offset();
            let key = self.varint()?;
            match key & 7 {
                VARINT => _ = self.varint()?,
                EIGHT_BYTES => self.skip(8)?,
                FOUR_BYTES => self.skip(4)?,
                LENGTH => {
                    let length = self.varint()?;
                    if key >> 3 == u64::from(STATE_FIELD) {
                        let bytes = self.state_bytes(began, length)?;
                        let state = State::decode(bytes).map_err(|error| damaged(began, error))?;
                        return Ok(Some(state));
                    }
                    self.skip(length)?;
                }
                other => return Err(damaged(began, SbkDamage::FieldType(other))),
            }
        }
        Ok(None)
    }

    fn state_bytes(&mut self, began: u64, length: u64) -> Result<&[u8], BookError> {
        let offset = self.offset();
        let promised = offset.saturating_add(length);
        if promised > self.file.len() {
            return Err(BookError::Cut { promised, found: self.file.len() });
        }
        if length > MAX_STATE {
            return Err(damaged(began, SbkDamage::Length(length)));
        }
        let length = length as usize;
        self.fill(length)?;
        let bytes = &self.buffer[self.at..];
        if bytes.len() < length {
            return Err(BookError::Cut { promised, found: offset + bytes.len() as u64 });
        }
        self.at += length;
        Ok(&self.buffer[self.at - length..self.at])
    }

    fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    fn skip(&mut self, length: u64) -> Result<(), BookError> {
        let promised = self.offset().saturating_add(length);
        if promised > self.file.len() {
            return Err(BookError::Cut { promised, found: self.file.len() });
        }
        if promised <= self.base + self.buffer.len() as u64 {
            self.at = (promised - self.base) as usize;
        } else {
            (self.base, self.at) = (promised, 0);
            self.buffer.clear();
        }
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, BookError> {
        self.fill(MAX_VARINT)?;
        let offset = self.offset();
        let mut rest = &self.buffer[self.at..];
        let before = rest.len();
        let number = decode_varint(&mut rest).map_err(|error| damaged(offset, error))?;
        self.at += before - rest.len();
        Ok(number)
    }

    /// Reads until the buffer has at least this many bytes, or all that are left.
    fn fill(&mut self, length: usize) -> Result<(), BookError> {
        if self.buffer.len() - self.at < length {
            self.buffer.drain(..self.at);
            self.base += self.at as u64;
            self.at = 0;
            let kept = self.buffer.len();
            self.buffer.resize(kept + length.max(CHUNK), 0);
            let read = self.file.read_at(self.base + kept as u64, &mut self.buffer[kept..])?;
            self.buffer.truncate(kept + read);
        }
        Ok(())
    }
}

fn damaged(at: u64, reason: impl Into<SbkDamage>) -> BookError {
    BookError::Damaged { at, reason: reason.into() }
}

/// Whether bytes from the beginning of a file look like this format, which has no magic number: only fields of a book,
/// with a state among them.
pub(super) fn is_likely(mut head: &[u8]) -> bool {
    let mut states = 0;
    while !head.is_empty() {
        let (Ok(key), Ok(length)) = (decode_varint(&mut head), decode_varint(&mut head)) else {
            break;
        };
        let whole = usize::try_from(length).ok().and_then(|length| head.split_at_checked(length));
        let (field, rest) = whole.unwrap_or((head, &[]));
        match (key >> 3, key & 7) {
            (1 | 2, LENGTH) if states == 0 => {}
            (3, LENGTH) if is_state(field) => states += 1,
            _ => return false,
        }
        head = rest;
    }
    states > 0
}

/// Whether bytes, which may be cut, begin as those of a state do.
fn is_state(mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        let (Ok(key), value) = (decode_varint(&mut bytes), decode_varint(&mut bytes)) else {
            return false;
        };
        let length = match (key >> 3, key & 7) {
            (1..=6, VARINT) => 0,
            (7..=10, LENGTH) => value.unwrap_or(0),
            _ => return false,
        };
        bytes = bytes.get(usize::try_from(length).unwrap_or(usize::MAX)..).unwrap_or_default();
    }
    true
}

/// A position. Only roots have their SFEN with them; the others are those that moves lead to.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    /// Its number in the file, from 0.
    id: i32,
    /// ShogiGUI's own hash of the board, and that of the hands and the turn; 0 where others wrote the file.
    board_key: u64,
    hand_key: u32,
    /// Games in which it came, and who won them.
    games: i32,
    won_by_black: i32,
    won_by_white: i32,
    /// The SFEN of a root.
    position: Option<Vec<u8>>,
    moves: Vec<StateMove>,
}

/// A move of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct StateMove {
    /// What [`move_to_sbk`] makes of the move.
    code: i32,
    /// None, the only move, good, bad or a blunder: 0 to 4.
    mark: i32,
    /// How often it is to be played; 0 for never.
    weight: i32,
    /// The state after it; below 0 for none.
    next: i32,
}

// What the derive of prost would write: it takes five crates more.
impl Message for State {
    fn encode_raw(&self, out: &mut impl BufMut) {
        int32::encode(1, &self.id, out);
        uint64::encode(2, &self.board_key, out);
        uint32::encode(3, &self.hand_key, out);
        int32::encode(4, &self.games, out);
        int32::encode(5, &self.won_by_black, out);
        int32::encode(6, &self.won_by_white, out);
        if let Some(position) = &self.position {
            bytes::encode(7, position, out);
        }
        message::encode_repeated(9, &self.moves, out);
    }

    fn encoded_len(&self) -> usize {
        int32::encoded_len(1, &self.id)
            + uint64::encoded_len(2, &self.board_key)
            + uint32::encoded_len(3, &self.hand_key)
            + int32::encoded_len(4, &self.games)
            + int32::encoded_len(5, &self.won_by_black)
            + int32::encoded_len(6, &self.won_by_white)
            + self.position.as_ref().map_or(0, |position| bytes::encoded_len(7, position))
            + message::encoded_len_repeated(9, &self.moves)
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        input: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        match tag {
            1 => int32::merge(wire_type, &mut self.id, input, context),
            2 => uint64::merge(wire_type, &mut self.board_key, input, context),
            3 => uint32::merge(wire_type, &mut self.hand_key, input, context),
            4 => int32::merge(wire_type, &mut self.games, input, context),
            5 => int32::merge(wire_type, &mut self.won_by_black, input, context),
            6 => int32::merge(wire_type, &mut self.won_by_white, input, context),
            7 => bytes::merge(wire_type, self.position.get_or_insert_default(), input, context),
            9 => message::merge_repeated(wire_type, &mut self.moves, input, context),
            _ => skip_field(wire_type, tag, input, context),
        }
    }

    fn clear(&mut self) {
        *self = State::default();
    }
}

impl Message for StateMove {
    fn encode_raw(&self, out: &mut impl BufMut) {
        for (tag, value) in (1..).zip([self.code, self.mark, self.weight, self.next]) {
            int32::encode(tag, &value, out);
        }
    }

    fn encoded_len(&self) -> usize {
        let values = [self.code, self.mark, self.weight, self.next];
        (1..).zip(values).map(|(tag, value)| int32::encoded_len(tag, &value)).sum()
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        input: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        let value = match tag {
            1 => &mut self.code,
            2 => &mut self.mark,
            3 => &mut self.weight,
            4 => &mut self.next,
            _ => return skip_field(wire_type, tag, input, context),
        };
        int32::merge(wire_type, value, input, context)
    }

    fn clear(&mut self) {
        *self = StateMove::default();
    }
}

/// The piece types by their codes from 1 on; those of promoted pieces are greater by 8.
const PIECES: [PieceType; 8] = [
    PieceType::Pawn,
    PieceType::Lance,
    PieceType::Knight,
    PieceType::Silver,
    PieceType::Gold,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::King,
];

fn piece_code(piece_type: PieceType) -> u32 {
    let basic = piece_type.unpromoted();
    let code = PIECES.iter().position(|&known| known == basic).map_or(0, |index| index as u32 + 1);
    if basic == piece_type { code } else { code + 8 }
}

/// The code of a legal move of a position.
fn move_to_sbk(position: &Position, mv: Move) -> i32 {
    let square = |square: Square| (square.file().index() as u32 + 1) << 4 | (square.rank().index() as u32 + 1);
    let piece_on = |square: Square| position.piece_on(square).map_or(0, |piece| piece_code(piece.piece_type()));
    let moved = mv.dropped().map_or_else(|| mv.from().map_or(0, piece_on), piece_code);
    let white = u32::from(position.side_to_move() == Color::White);
    let code = mv.from().map_or(0, square)
        | square(mv.to()) << 8
        | u32::from(mv.is_promotion()) << 19
        | piece_on(mv.to()) << 20
        | moved << 24
        | white << 28
        | white << 31;
    code.cast_signed()
}

/// The move with this code.
fn move_from_sbk(code: i32) -> Option<Move> {
    let code = code.cast_unsigned();
    let to = square(code >> 8)?;
    let promote = code >> 19 & 1 == 1;
    if code & 0xff != 0 {
        let from = square(code)?;
        return (from != to).then(|| Move::board(from, to, promote));
    }
    let piece_type = *PIECES.get((code >> 24 & 0xf).checked_sub(1)? as usize)?;
    (PieceType::HAND.contains(&piece_type) && !promote).then(|| Move::drop(piece_type, to))
}

/// The square in the lowest eight bits.
fn square(code: u32) -> Option<Square> {
    let number = |code: u32| ((code & 0xf) as u8).checked_sub(1);
    Some(Square::at(File::new(number(code >> 4)?)?, Rank::new(number(code)?)?))
}

/// The positions of a table, and behind them those without an entry that its moves lead to: ShogiGUI's own books have
/// a state for each.
struct NumberedStates<'a> {
    entries: Vec<(&'a str, &'a TableEntry)>,
    /// The moves of each entry, with the positions in place of their states' numbers.
    moves: Vec<Vec<StateMove>>,
    /// How many positions there are in all.
    count: usize,
}

impl<'a> NumberedStates<'a> {
    fn new(table: &'a BookTable) -> Result<NumberedStates<'a>, BookError> {
        let entries: Vec<_> = table.entries().collect();
        let mut index: HashMap<String, i32> = entries.iter().map(|(sfen, _)| (*sfen).to_owned()).zip(0..).collect();
        let mut moves = Vec::with_capacity(entries.len());
        for (sfen, entry) in &entries {
            let mut before = table::position(sfen)?;
            let mut own = Vec::with_capacity(entry.moves.len());
            for book_move in entry.sorted() {
                let code = move_to_sbk(&before, book_move.mv);
                before.do_move(book_move.mv);
                let count = index.len() as i32;
                let next = *index.entry(key(&before.setup())).or_insert(count);
                before.undo_move(book_move.mv);
                // A move with weight 0 is never played.
                let weight = book_move.count.clamp(1, i32::MAX as u64) as i32;
                own.push(StateMove { code, mark: 0, weight, next });
            }
            moves.push(own);
        }
        Ok(NumberedStates { entries, moves, count: index.len() })
    }

    /// The positions from which all others can be reached: the start of an even game, those that no move leads to,
    /// and one of each circle that is left.
    fn roots(&self) -> Vec<usize> {
        let mut led_to = vec![false; self.count];
        self.moves.iter().flatten().for_each(|it| led_to[it.next as usize] = true);
        let start = key(&Position::startpos().setup());
        let start = self.entries.binary_search_by_key(&start.as_str(), |entry| entry.0).ok();
        let all = 0..self.entries.len();
        let mut reached = vec![false; self.count];
        let mut roots = Vec::new();
        for root in start.into_iter().chain(all.clone().filter(|&entry| !led_to[entry])).chain(all) {
            if std::mem::replace(&mut reached[root], true) {
                continue;
            }
            roots.push(root);
            let mut open = vec![root];
            while let Some(entry) = open.pop() {
                for next in self.moves.get(entry).into_iter().flatten().map(|it| it.next as usize) {
                    if !std::mem::replace(&mut reached[next], true) {
                        open.push(next);
                    }
                }
            }
        }
        roots
    }
}

/// Writes a table. Scores are left out: the format has none for moves.
pub(super) fn write(table: &BookTable, out: &mut dyn Write) -> Result<(), BookError> {
    let states = NumberedStates::new(table)?;
    // ShogiGUI reads a book only where the roots come first.
    let mut order = states.roots();
    let mut is_root = vec![false; states.count];
    order.iter().for_each(|&root| is_root[root] = true);
    order.extend((0..states.count).filter(|&state| !is_root[state]));
    let mut ids = vec![0; states.count];
    order.iter().zip(0..).for_each(|(&state, id)| ids[state] = id);
    let mut bytes = Vec::new();
    for &state in &order {
        let mut moves = states.moves.get(state).cloned().unwrap_or_default();
        moves.iter_mut().for_each(|it| it.next = ids[it.next as usize]);
        let games = moves.iter().fold(0i32, |games, it| games.saturating_add(it.weight));
        let root = states.entries.get(state).filter(|_| is_root[state]);
        // The move number is always 1: books are searched by the whole text.
        let position = root.map(|(sfen, _)| format!("{sfen} 1").into_bytes());
        let state = State { id: ids[state], games, position, moves, ..State::default() };
        message::encode(STATE_FIELD, &state, &mut bytes);
        out.write_all(&bytes)?;
        bytes.clear();
    }
    Ok(())
}
