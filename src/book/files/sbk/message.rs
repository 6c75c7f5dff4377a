//! The messages of ShogiGUI's book, as its `book.proto` defines them; what is not read here is left out.
//!
//! A file is one Protocol Buffers message, whose field 1 is the author, 2 a description and 3, repeated, a [`State`].

use prost::Message;
use prost::encoding::{WireType, decode_varint};

/// The wire type of numbers.
pub(super) const VARINT: u64 = WireType::Varint as u64;
/// The wire type of what has a length: texts and messages.
pub(super) const LENGTH: u64 = WireType::LengthDelimited as u64;
/// The field of the file that holds a state.
pub(in crate::book) const STATE_FIELD: u32 = 3;

/// A position. Only that of a root is told; the others are those that moves lead to.
#[derive(Clone, PartialEq, Message)]
pub(in crate::book) struct State {
    /// Its number in the file, from 0.
    #[prost(int32, required, tag = "1")]
    pub id: i32,
    /// ShogiGUI's own hash of the board, and that of the hands and the turn; 0 where others wrote the file.
    #[prost(uint64, required, tag = "2")]
    pub board_key: u64,
    #[prost(uint32, required, tag = "3")]
    pub hand_key: u32,
    /// Games in which it came, and who won them.
    #[prost(int32, required, tag = "4")]
    pub games: i32,
    #[prost(int32, required, tag = "5")]
    pub won_by_black: i32,
    #[prost(int32, required, tag = "6")]
    pub won_by_white: i32,
    /// The SFEN of a root.
    #[prost(bytes = "vec", optional, tag = "7")]
    pub position: Option<Vec<u8>>,
    #[prost(message, repeated, tag = "9")]
    pub moves: Vec<StateMove>,
}

/// A move of a state.
#[derive(Clone, Copy, PartialEq, Message)]
pub(in crate::book) struct StateMove {
    /// See [`super::moves`].
    #[prost(int32, required, tag = "1")]
    pub code: i32,
    /// None, the only move, good, bad or a blunder: 0 to 4.
    #[prost(int32, required, tag = "2")]
    pub mark: i32,
    /// How often it is to be played; 0 for never.
    #[prost(int32, required, tag = "3")]
    pub weight: i32,
    /// The state after it; below 0 for none.
    #[prost(int32, required, tag = "4")]
    pub next: i32,
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
