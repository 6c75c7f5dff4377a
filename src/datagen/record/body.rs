//! How games stand in a file: alone in version 1, in blocks in version 2.

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::codes::{is_exact, move_rank, move_with_rank, score_code, score_of_code};
use super::error::{BodyError, RecordError};
use crate::datagen::game::{Game, GameError, GameResult, ScoredMove, Termination};
use crate::position::Position;
use crate::types::{Move, Score, Square};

/// The bit of a head that says that a start follows.
const HAS_START: u8 = 1 << 7;
/// Games of a full block.
const GAMES: u16 = 128;
/// Plies with which a block is full as well.
const PLIES: usize = 1 << 17;
/// Bytes of a section, unpacked: a block that is nearly full, and then the longest game, in the widest codes.
const MAX_SECTION: usize = 4 << 20;
/// The largest block, packed.
pub(super) const MAX_BLOCK: u32 = 8 << 20;
/// Bytes before a block's packed games.
pub(super) const PREFIX: usize = 10;
/// The rank that says: see the wide codes.
const WIDE: u8 = u8::MAX;

/// Games on their way into the file.
#[derive(Default)]
pub(super) struct Block {
    games: u16,
    plies: usize,
    heads: Vec<u8>,
    moves: Vec<u8>,
    scores: Vec<u8>,
    wide: Vec<u8>,
}

/// A game on its way from its start: the position, and where the last move went.
struct Replay {
    position: Position,
    last_to: Option<Square>,
    ply: usize,
}

impl Replay {
    fn new(game: &Game) -> Replay {
        Replay { position: game.start_position(), last_to: None, ply: 0 }
    }

    fn play(&mut self, mv: Move) {
        self.position.do_move(mv);
        self.last_to = Some(mv.to());
        self.ply += 1;
    }
}

impl Block {
    pub(super) fn is_empty(&self) -> bool {
        self.games == 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.games >= GAMES || self.plies >= PLIES
    }

    /// Takes a game in.
    ///
    /// # Errors
    /// When a move is not legal, or the game has no room; the block then stays as it was.
    pub(super) fn push(&mut self, game: &Game) -> Result<(), RecordError> {
        let lengths = self.sections().map(|section| section.len());
        let pushed = self.append(game);
        if pushed.is_err() {
            self.sections().into_iter().zip(lengths).for_each(|(section, length)| section.truncate(length));
        } else {
            self.games += 1;
            self.plies += game.plies();
        }
        pushed
    }

    fn sections(&mut self) -> [&mut Vec<u8>; 4] {
        [&mut self.heads, &mut self.moves, &mut self.scores, &mut self.wide]
    }

    fn append(&mut self, game: &Game) -> Result<(), RecordError> {
        encode_head(game, &mut self.heads)?;
        for count in [game.opening.len(), game.moves.len()] {
            let count = u16::try_from(count).map_err(|_| RecordError::TooLong { plies: game.plies() })?;
            self.heads.extend(count.to_le_bytes());
        }
        let mut replay = Replay::new(game);
        for &mv in &game.opening {
            self.append_move(&mut replay, mv)?;
        }
        let mut before = 0i8;
        for &ScoredMove { mv, score } in &game.moves {
            self.append_move(&mut replay, mv)?;
            let code = score_code(score);
            self.scores.push(code.wrapping_add(before) as u8);
            if is_exact(code) {
                self.wide.extend((score.value() as i16).to_le_bytes());
            }
            before = code;
        }
        Ok(())
    }

    fn append_move(&mut self, replay: &mut Replay, mv: Move) -> Result<(), GameError> {
        if !replay.position.is_legal(mv) {
            return Err(GameError::IllegalMove { ply: replay.ply + 1, mv, sfen: replay.position.to_sfen() });
        }
        let rank = move_rank(&replay.position, mv, replay.last_to);
        match u8::try_from(rank) {
            Ok(rank) if rank != WIDE => self.moves.push(rank),
            _ => {
                self.moves.push(WIDE);
                self.wide.extend((rank as u16).to_le_bytes());
            }
        }
        replay.play(mv);
        Ok(())
    }

    /// The block as it stands in the file, prefix and all.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut packed = Vec::new();
        for section in [&self.heads, &self.moves, &self.scores, &self.wide] {
            let at = packed.len();
            packed.extend([0; 4]);
            deflate(section, &mut packed);
            let length = (packed.len() - at - 4) as u32;
            packed[at..at + 4].copy_from_slice(&length.to_le_bytes());
        }
        let mut bytes = (packed.len() as u32).to_le_bytes().to_vec();
        bytes.extend(self.games.to_le_bytes());
        bytes.extend(checksum(&bytes, &packed).to_le_bytes());
        bytes.extend(packed);
        bytes
    }
}

/// The checksum of a block whose first six bytes and packed games these are.
pub(super) fn checksum(prefix: &[u8], packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(prefix);
    hasher.update(packed);
    hasher.finalize()
}

/// The `games` games of a block; all their moves are legal.
pub(super) fn decode_block(packed: &[u8], games: u16) -> Result<Vec<Game>, BodyError> {
    if games > GAMES {
        return Err(BodyError::Games { games, most: GAMES });
    }
    let mut packed = ByteReader(packed);
    let mut sections = [const { Vec::new() }; 4];
    for section in &mut sections {
        let length = packed.u32()? as usize;
        *section = inflate(packed.take(length)?, MAX_SECTION)?;
    }
    packed.finish()?;
    let [heads, moves, scores, wide] = &sections;
    let mut reader = BlockReader {
        heads: ByteReader(heads),
        moves: ByteReader(moves),
        scores: ByteReader(scores),
        wide: ByteReader(wide),
    };
    let games = (0..games).map(|_| reader.game()).collect::<Result<_, _>>()?;
    let BlockReader { heads, moves, scores, wide } = reader;
    [heads, moves, scores, wide].into_iter().try_for_each(ByteReader::finish)?;
    Ok(games)
}

struct BlockReader<'a> {
    heads: ByteReader<'a>,
    moves: ByteReader<'a>,
    scores: ByteReader<'a>,
    wide: ByteReader<'a>,
}

impl BlockReader<'_> {
    fn game(&mut self) -> Result<Game, BodyError> {
        let mut game = decode_head(&mut self.heads)?;
        let (opening, moves) = (self.heads.u16()?, self.heads.u16()?);
        let mut replay = Replay::new(&game);
        for _ in 0..opening {
            let mv = self.next_move(&replay)?;
            replay.play(mv);
            game.opening.push(mv);
        }
        let mut before = 0i8;
        for _ in 0..moves {
            let mv = self.next_move(&replay)?;
            replay.play(mv);
            let code = (self.scores.u8()? as i8).wrapping_sub(before);
            if code == i8::MIN {
                return Err(BodyError::Score(code));
            }
            let exact = is_exact(code);
            let score = if exact { Score::from_value(i32::from(self.wide.i16()?)) } else { score_of_code(code) };
            game.moves.push(ScoredMove { mv, score });
            before = code;
        }
        Ok(game)
    }

    fn next_move(&mut self, replay: &Replay) -> Result<Move, BodyError> {
        let rank = match self.moves.u8()? {
            WIDE => usize::from(self.wide.u16()?),
            rank => usize::from(rank),
        };
        let mv = move_with_rank(&replay.position, rank, replay.last_to);
        mv.ok_or_else(|| BodyError::Rank { rank, sfen: replay.position.to_sfen() })
    }
}

/// Appends a game's head.
///
/// # Errors
/// When its start does not fit.
fn encode_head(game: &Game, bytes: &mut Vec<u8>) -> Result<(), RecordError> {
    let has_start = if game.start.is_some() { HAS_START } else { 0 };
    bytes.push(game.result.code() | (game.termination as u8) << 2 | has_start);
    if let Some(start) = &game.start {
        let sfen = start.to_sfen();
        bytes.push(u8::try_from(sfen.len()).map_err(|_| RecordError::TooLong { plies: game.plies() })?);
        bytes.extend(sfen.as_bytes());
    }
    Ok(())
}

/// Takes a game's head from the front: the game without its moves.
fn decode_head(bytes: &mut ByteReader<'_>) -> Result<Game, BodyError> {
    let code = bytes.u8()?;
    let result = GameResult::from_code(code & 3).ok_or(BodyError::Result(code & 3))?;
    let cause = code >> 2 & 31;
    let termination = *Termination::ALL.get(usize::from(cause)).ok_or(BodyError::Termination(cause))?;
    let start = if code & HAS_START != 0 {
        let length = usize::from(bytes.u8()?);
        let sfen = std::str::from_utf8(bytes.take(length)?).map_err(|_| BodyError::StartText)?;
        Some(Box::new(Position::from_sfen(sfen)?))
    } else {
        None
    };
    Ok(Game { start, opening: Vec::new(), moves: Vec::new(), result, termination })
}

/// The game with this body of version 1; all its moves are legal.
pub(super) fn decode_plain(body: &[u8]) -> Result<Game, BodyError> {
    let mut bytes = ByteReader(body);
    let mut game = decode_head(&mut bytes)?;
    for _ in 0..bytes.u8()? {
        game.opening.push(read_move(&mut bytes)?);
    }
    while !bytes.0.is_empty() {
        let mv = read_move(&mut bytes)?;
        let score = Score::from_value(i32::from(bytes.i16()?));
        game.moves.push(ScoredMove { mv, score });
    }
    game.end_position()?;
    Ok(game)
}

fn read_move(bytes: &mut ByteReader<'_>) -> Result<Move, BodyError> {
    let bits = bytes.u16()?;
    Move::from_bits(bits).ok_or(BodyError::Move(bits))
}

/// Bytes of which the first ones have been read.
struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], BodyError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BodyError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BodyError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(BodyError::Short)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u8(&mut self) -> Result<u8, BodyError> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Result<u16, BodyError> {
        self.array().map(u16::from_le_bytes)
    }

    fn i16(&mut self) -> Result<i16, BodyError> {
        self.array().map(i16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, BodyError> {
        self.array().map(u32::from_le_bytes)
    }

    /// All must have been read.
    fn finish(self) -> Result<(), BodyError> {
        if self.0.is_empty() { Ok(()) } else { Err(BodyError::Long) }
    }
}

/// Level and window of zlib; a window below 0 means deflate without zlib's frame.
const LEVEL: i32 = 9;
const WINDOW: i32 = -15;
/// Repetitions shorter than five bytes are left alone: naming them would cost more than the bytes, 8 % in all. It is
/// for this that the crate under flate2 is called: flate2 does not offer the choice.
const STRATEGY: CompressionStrategy = CompressionStrategy::Filtered;

/// Appends the packed bytes. The frequencies of bytes differ, but they hardly ever repeat as sequences.
fn deflate(mut bytes: &[u8], packed: &mut Vec<u8>) {
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(LEVEL, WINDOW, STRATEGY as i32));
    let mut end = packed.len();
    packed.resize(end + bytes.len() + 64, 0);
    loop {
        let (status, read, written) = compress(&mut compressor, bytes, &mut packed[end..], TDEFLFlush::Finish);
        end += written;
        bytes = &bytes[read..];
        if status == TDEFLStatus::Okay {
            packed.resize(packed.len() * 2, 0);
        } else {
            debug_assert_eq!(status, TDEFLStatus::Done);
            return packed.truncate(end);
        }
    }
}

/// The bytes, at most `limit` of them.
fn inflate(packed: &[u8], limit: usize) -> Result<Vec<u8>, BodyError> {
    decompress_to_vec_with_limit(packed, limit).map_err(|_| BodyError::Packing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflated_bytes_are_those_that_were_deflated() {
        let varied: Vec<u8> = (0..70_000u32).map(|n| (n.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
        for bytes in [&[][..], &[7], &[0; 100_000], &varied] {
            let mut packed = vec![1, 2, 3];
            deflate(bytes, &mut packed);
            assert_eq!(packed[..3], [1, 2, 3]);
            assert_eq!(inflate(&packed[3..], bytes.len()).unwrap(), bytes);
            assert!(bytes.is_empty() || inflate(&packed[3..], bytes.len() - 1).is_err(), "the limit holds");
        }
        assert!(inflate(&[0xff; 9], 100).is_err());
    }
}
