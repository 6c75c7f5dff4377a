//! The messages of ShogiGUI's book, as its `book.proto` defines them; what is not read here is left out.
//!
//! A file is one Protocol Buffers message, whose field 1 is the author, 2 a description and 3, repeated, a [`State`].

use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType, bytes, decode_varint, int32, message, skip_field, uint32, uint64};
use prost::{DecodeError, Message};

/// The wire type of numbers.
pub(super) const VARINT: u64 = WireType::Varint as u64;
/// The wire type of what has a length: texts and messages.
pub(super) const LENGTH: u64 = WireType::LengthDelimited as u64;
/// The field of the file that holds a state.
pub(in crate::book) const STATE_FIELD: u32 = 3;

/// A position. Only that of a root is told; the others are those that moves lead to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::book) struct State {
    /// Its number in the file, from 0.
    pub id: i32,
    /// ShogiGUI's own hash of the board, and that of the hands and the turn; 0 where others wrote the file.
    pub board_key: u64,
    pub hand_key: u32,
    /// Games in which it came, and who won them.
    pub games: i32,
    pub won_by_black: i32,
    pub won_by_white: i32,
    /// The SFEN of a root.
    pub position: Option<Vec<u8>>,
    pub moves: Vec<StateMove>,
}

/// A move of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::book) struct StateMove {
    /// See [`super::moves`].
    pub code: i32,
    /// None, the only move, good, bad or a blunder: 0 to 4.
    pub mark: i32,
    /// How often it is to be played; 0 for never.
    pub weight: i32,
    /// The state after it; below 0 for none.
    pub next: i32,
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

/// Whether bytes, which may be cut, begin as those of a state do.
pub(super) fn is_state(mut bytes: &[u8]) -> bool {
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
