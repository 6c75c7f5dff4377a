//! How games stand in a file, block by block.

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::codes::{is_exact, move_rank, move_with_rank, score_code, score_of_code};
use super::{Damage, RecordError};
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
pub(super) const MAX_BLOCK: usize = 8 << 20;
/// The rank that says: see the wide codes.
const WIDE: u8 = u8::MAX;
/// What is wrong with a section that should go on.
const SHORT: &str = "it ends too early";

/// What stands before a block's packed games.
pub(super) struct Prefix {
    pub(super) length: usize,
    pub(super) games: u16,
    checksum: u32,
}

impl Prefix {
    pub(super) const BYTES: usize = 10;

    fn new(packed: &[u8], games: u16) -> Prefix {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&(packed.len() as u32).to_le_bytes());
        hasher.update(&games.to_le_bytes());
        hasher.update(packed);
        Prefix { length: packed.len(), games, checksum: hasher.finalize() }
    }

    pub(super) fn from_bytes([a, b, c, d, e, f, g, h, i, j]: [u8; Prefix::BYTES]) -> Prefix {
        Prefix {
            length: u32::from_le_bytes([a, b, c, d]) as usize,
            games: u16::from_le_bytes([e, f]),
            checksum: u32::from_le_bytes([g, h, i, j]),
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        [&(self.length as u32).to_le_bytes()[..], &self.games.to_le_bytes(), &self.checksum.to_le_bytes()].concat()
    }

    /// Whether these are its packed games.
    pub(super) fn fits(&self, packed: &[u8]) -> bool {
        packed.len() == self.length && Prefix::new(packed, self.games).checksum == self.checksum
    }
}

/// Games on their way into the file.
#[derive(Default)]
pub(super) struct Block {
    games: u16,
    plies: usize,
    /// Heads, moves, scores, and wide codes.
    sections: [Vec<u8>; 4],
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
        let lengths = self.sections.each_ref().map(Vec::len);
        let pushed = self.append(game);
        if pushed.is_err() {
            self.sections.iter_mut().zip(lengths).for_each(|(section, length)| section.truncate(length));
        } else {
            self.games += 1;
            self.plies += game.plies();
        }
        pushed
    }

    fn append(&mut self, game: &Game) -> Result<(), RecordError> {
        let heads = &mut self.sections[0];
        let too_long = |_| RecordError::TooLong(game.plies());
        let has_start = if game.start.is_some() { HAS_START } else { 0 };
        heads.push(game.result.code() | (game.termination as u8) << 2 | has_start);
        if let Some(start) = &game.start {
            let sfen = start.to_sfen();
            heads.push(u8::try_from(sfen.len()).map_err(too_long)?);
            heads.extend(sfen.as_bytes());
        }
        for count in [game.opening.len(), game.moves.len()] {
            heads.extend(u16::try_from(count).map_err(too_long)?.to_le_bytes());
        }
        let mut replay = Replay::new(game);
        for &mv in &game.opening {
            self.append_move(&mut replay, mv)?;
        }
        let mut before = 0i8;
        for &ScoredMove { mv, score } in &game.moves {
            self.append_move(&mut replay, mv)?;
            let [.., scores, wide] = &mut self.sections;
            let code = score_code(score);
            scores.push(code.wrapping_add(before) as u8);
            if is_exact(code) {
                wide.extend((score.value() as i16).to_le_bytes());
            }
            before = code;
        }
        Ok(())
    }

    fn append_move(&mut self, replay: &mut Replay, mv: Move) -> Result<(), GameError> {
        if !replay.position.is_legal(mv) {
            return Err(GameError::IllegalMove { ply: replay.ply + 1, mv, sfen: replay.position.to_sfen() });
        }
        let [_, moves, _, wide] = &mut self.sections;
        let rank = move_rank(&replay.position, mv, replay.last_to);
        moves.push(u8::try_from(rank).unwrap_or(WIDE));
        if rank >= usize::from(WIDE) {
            wide.extend((rank as u16).to_le_bytes());
        }
        replay.play(mv);
        Ok(())
    }

    /// The block as it stands in the file, prefix and all.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut packed = Vec::new();
        for section in &self.sections {
            let at = packed.len();
            packed.extend([0; 4]);
            deflate(section, &mut packed);
            let length = (packed.len() - at - 4) as u32;
            packed[at..at + 4].copy_from_slice(&length.to_le_bytes());
        }
        [Prefix::new(&packed, self.games).to_bytes(), packed].concat()
    }
}

/// The `games` games of a block; all their moves are legal.
pub(super) fn decode_block(mut packed: &[u8], games: u16) -> Result<Vec<Game>, Damage> {
    if games > GAMES {
        return Err(format!("{games} games in a block, which has at most {GAMES}").into());
    }
    let mut sections = [const { Vec::new() }; 4];
    for section in &mut sections {
        let length = u32::from_le_bytes(take(&mut packed)?) as usize;
        let bytes = packed.split_off(..length).ok_or(SHORT)?;
        *section = decompress_to_vec_with_limit(bytes, MAX_SECTION).map_err(|_| "it cannot be unpacked")?;
    }
    let [heads, moves, scores, wide] = sections.each_ref().map(Vec::as_slice);
    let mut reader = BlockReader { heads, moves, scores, wide };
    let games = (0..games).map(|_| reader.game()).collect::<Result<_, _>>()?;
    let BlockReader { heads, moves, scores, wide } = reader;
    let is_read = [packed, heads, moves, scores, wide].iter().all(|bytes| bytes.is_empty());
    if is_read { Ok(games) } else { Err("it holds more than games".into()) }
}

/// What is left of a block's sections.
struct BlockReader<'a> {
    heads: &'a [u8],
    moves: &'a [u8],
    scores: &'a [u8],
    wide: &'a [u8],
}

impl BlockReader<'_> {
    fn game(&mut self) -> Result<Game, Damage> {
        let [code] = take(&mut self.heads)?;
        let result = GameResult::from_code(code & 3).ok_or_else(|| format!("unknown result code {}", code & 3))?;
        let cause = code >> 2 & 31;
        let termination = Termination::ALL.get(usize::from(cause));
        let &(termination, _) = termination.ok_or_else(|| format!("unknown termination code {cause}"))?;
        let mut start = None;
        if code & HAS_START != 0 {
            let [length] = take(&mut self.heads)?;
            let sfen = self.heads.split_off(..usize::from(length)).ok_or(SHORT)?;
            start = Some(Box::new(Position::from_sfen(std::str::from_utf8(sfen)?)?));
        }
        let mut game = Game { start, opening: Vec::new(), moves: Vec::new(), result, termination };
        let [opening, moves] = [take(&mut self.heads)?, take(&mut self.heads)?].map(u16::from_le_bytes);
        let mut replay = Replay::new(&game);
        for _ in 0..opening {
            game.opening.push(self.next_move(&mut replay)?);
        }
        let mut before = 0i8;
        for _ in 0..moves {
            let mv = self.next_move(&mut replay)?;
            let [sum] = take(&mut self.scores)?;
            let code = (sum as i8).wrapping_sub(before);
            let score = match code {
                i8::MIN => return Err(format!("{code} is not the code of a score").into()),
                _ if is_exact(code) => Score::from_value(i16::from_le_bytes(take(&mut self.wide)?).into()),
                _ => score_of_code(code),
            };
            game.moves.push(ScoredMove { mv, score });
            before = code;
        }
        Ok(game)
    }

    /// The next move, which is played.
    fn next_move(&mut self, replay: &mut Replay) -> Result<Move, Damage> {
        let rank = match take(&mut self.moves)? {
            [WIDE] => usize::from(u16::from_le_bytes(take(&mut self.wide)?)),
            [rank] => usize::from(rank),
        };
        let Some(mv) = move_with_rank(&replay.position, rank, replay.last_to) else {
            return Err(format!("there are fewer than {rank} legal moves in {}", replay.position.to_sfen()).into());
        };
        replay.play(mv);
        Ok(mv)
    }
}

/// Takes the first bytes.
fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Damage> {
    let (taken, rest) = bytes.split_first_chunk().ok_or(SHORT)?;
    *bytes = rest;
    Ok(*taken)
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
            assert_eq!(decompress_to_vec_with_limit(&packed[3..], bytes.len()).unwrap(), bytes);
        }
    }
}
