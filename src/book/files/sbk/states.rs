//! The states of a file, one after another.

use prost::Message;
use prost::encoding::{WireType, decode_varint};

use super::message::{LENGTH, STATE_FIELD, State, VARINT, is_state};
use crate::book::BookError;
use crate::book::files::source::Source;

/// Bytes read at once.
const CHUNK: usize = 1 << 20;
/// The longest state: one with many long comments is far shorter.
const MAX_STATE: u64 = 4 << 20;
/// Bytes of the longest number.
const MAX_VARINT: usize = 10;

const EIGHT_BYTES: u64 = WireType::SixtyFourBit as u64;
const FOUR_BYTES: u64 = WireType::ThirtyTwoBit as u64;

/// Reads the states of a source.
pub(super) struct States<'a> {
    source: &'a mut Source,
    buffer: Vec<u8>,
    /// Where the buffer begins in the source.
    base: u64,
    /// What is read next, within the buffer.
    at: usize,
}

impl<'a> States<'a> {
    pub(super) fn of(source: &'a mut Source) -> States<'a> {
        States { source, buffer: Vec::new(), base: 0, at: 0 }
    }

    /// The next state; other fields are skipped.
    pub(super) fn next(&mut self) -> Result<Option<State>, BookError> {
        while self.offset() < self.source.len() {
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
                        let state = State::decode(bytes);
                        return state.map(Some).map_err(|error| damaged(began, &error));
                    }
                    self.skip(length)?;
                }
                other => return Err(damaged(began, &format!("fields have no type {other}"))),
            }
        }
        Ok(None)
    }

    fn state_bytes(&mut self, began: u64, length: u64) -> Result<&[u8], BookError> {
        let offset = self.offset();
        let promised = offset.saturating_add(length);
        if promised > self.source.len() {
            return Err(BookError::Cut { promised, found: self.source.len() });
        }
        if length > MAX_STATE {
            return Err(damaged(began, &format!("a position with {length} bytes")));
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
        if promised > self.source.len() {
            return Err(BookError::Cut { promised, found: self.source.len() });
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
        let number = decode_varint(&mut rest).map_err(|error| damaged(offset, &error))?;
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
            let read = self.source.read_at(self.base + kept as u64, &mut self.buffer[kept..])?;
            self.buffer.truncate(kept + read);
        }
        Ok(())
    }
}

fn damaged(at: u64, reason: &dyn std::fmt::Display) -> BookError {
    BookError::Damaged { at, reason: reason.to_string() }
}

/// Whether bytes from the beginning of a file look like this format, which has no magic number: only fields of a book,
/// with a state among them.
pub(in crate::book::files) fn is_likely(mut head: &[u8]) -> bool {
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
