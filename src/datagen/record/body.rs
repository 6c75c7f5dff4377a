//! How games stand in a file, block by block.

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::{Damage, RecordError};
use crate::datagen::game::{Game, GameError, GameResult, ScoredMove, Termination};
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::types::{Move, Piece, PieceType, Score, Square};

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

// Moves and scores in eight bits.
//
// Moves are ranks among the legal moves, likely ones first. The order is part of the file format, so it is written out
// here and leans on nothing that may be tuned: not on the order in which moves are generated, nor on the search's
// piece values. First come captures of the piece that moved last, the least valuable capturing piece first; then
// captures of pieces at least as valuable as the one that captures; promotions; other captures; and the rest by the
// distance of their destination from the last move's, drops after board moves. Moves that are equal in this come in
// the order of their sixteen bits.
//
// A score needs no more than eight bits as a label: its noise is many times the step. Steps grow with the score, as
// its meaning for the expected result shrinks: 3 at a level position, 12 at 270, 70 at 3200. Scores beyond, with all
// mates and wins by rule, have two codes for which the exact score stands elsewhere in the file.

const GOOD_CAPTURE: u32 = 30;
const PROMOTION: u32 = 40;
const CAPTURE: u32 = 60;
const OTHER: u32 = 64;
/// The distance from a last move that is not known.
const FAR: u32 = 8;

/// The rank of a legal move, from 0.
pub(super) fn move_rank(position: &Position, mv: Move, last_to: Option<Square>) -> usize {
    let key = order_key(position, mv, last_to);
    legal_moves(position).iter().filter(|&&other| order_key(position, other, last_to) < key).count()
}

/// The legal move of a rank; `None` where there are fewer moves.
pub(super) fn move_with_rank(position: &Position, rank: usize, last_to: Option<Square>) -> Option<Move> {
    let mut keys: Vec<u32> = legal_moves(position).iter().map(|&mv| order_key(position, mv, last_to)).collect();
    if rank >= keys.len() {
        return None;
    }
    let (_, &mut key, _) = keys.select_nth_unstable(rank);
    Move::from_bits(key as u16)
}

/// Places a move in the order of its position's moves; no two moves have the same. What is captured and what captures
/// is known from the position, the square of the opponent's last move from the game.
fn order_key(position: &Position, mv: Move, last_to: Option<Square>) -> u32 {
    let to = mv.to();
    let attacker = mv.from().and_then(|from| position.piece_on(from)).map_or(0, piece_value);
    let class = match position.piece_on(to).map(piece_value) {
        Some(_) if last_to == Some(to) => attacker,
        Some(victim) if victim >= attacker => GOOD_CAPTURE,
        _ if mv.is_promotion() => PROMOTION,
        Some(_) => CAPTURE,
        None => OTHER + 2 * last_to.map_or(FAR, |last| distance(last, to)) + u32::from(mv.is_drop()),
    };
    class << 16 | u32::from(mv.to_bits())
}

/// Values of pieces by type, for the order alone, all below [`GOOD_CAPTURE`].
const PIECE_VALUES: [u32; PieceType::TABLE_LEN] = [0, 1, 3, 4, 5, 8, 10, 6, 20, 5, 6, 6, 6, 12, 14];

fn piece_value(piece: Piece) -> u32 {
    PIECE_VALUES[piece.piece_type().index()]
}

/// Steps of a king between two squares.
fn distance(a: Square, b: Square) -> u32 {
    let [(a_file, a_rank), (b_file, b_rank)] = [a, b].map(|square| (square.index() / 9, square.index() % 9));
    a_file.abs_diff(b_file).max(a_rank.abs_diff(b_rank)) as u32
}

/// The highest code that stands for a score.
const HIGHEST: i32 = 126;
/// What stands for scores above all codes; minus this for those below.
const BEYOND: i8 = 127;

/// The score of a code up to [`HIGHEST`].
fn score_value(code: i32) -> i32 {
    let size = code.abs();
    code.signum() * (3 * size + size * size * size / 700)
}

/// The code of a score. See [`is_exact`] for those that need the score itself beside them.
pub(super) fn score_code(score: Score) -> i8 {
    let size = score.value().abs();
    let code = if size > score_value(HIGHEST) {
        i32::from(BEYOND)
    } else {
        // The nearest code, the lower one of two.
        let above = (0..=HIGHEST).find(|&code| score_value(code) >= size).unwrap_or(HIGHEST);
        let below = (above - 1).max(0);
        if size - score_value(below) <= score_value(above) - size { below } else { above }
    };
    (code * score.value().signum()) as i8
}

/// Whether a code stands for scores that are kept exactly.
pub(super) fn is_exact(code: i8) -> bool {
    i32::from(code).abs() > HIGHEST
}

/// The score of a code that is not exact.
pub(super) fn score_of_code(code: i8) -> Score {
    Score::from_value(score_value(i32::from(code)))
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

    #[test]
    fn every_legal_move_has_its_own_rank() {
        let crowded = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
        let quiet = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        for sfen in [crowded, quiet] {
            let position = Position::from_sfen(sfen).unwrap();
            for last_to in [None, "5b".parse().ok(), "4b".parse().ok()] {
                let moves = legal_moves(&position);
                let mut ranks: Vec<_> = moves.iter().map(|&mv| move_rank(&position, mv, last_to)).collect();
                for (&mv, &rank) in moves.iter().zip(&ranks) {
                    assert_eq!(move_with_rank(&position, rank, last_to), Some(mv));
                }
                ranks.sort_unstable();
                assert!(ranks.iter().copied().eq(0..moves.len()));
                assert_eq!(move_with_rank(&position, moves.len(), last_to), None);
            }
        }
    }

    #[test]
    fn scores_are_near_those_of_their_codes() {
        for value in -32_000..=32_000 {
            let code = score_code(Score::from_value(value));
            if is_exact(code) {
                assert!(value.abs() > 3200 && i32::from(code.signum()) == value.signum(), "{value}");
                continue;
            }
            let error = (score_of_code(code).value() - value).abs();
            assert!(error <= 3 + value.abs() / 60, "{value}: {error}");
        }
        assert_eq!(score_of_code(score_code(Score::ZERO)), Score::ZERO);
    }

    /// Games that are read and written again must not change.
    #[test]
    fn encoding_a_decoded_score_gives_its_code() {
        for code in -126..=126 {
            assert_eq!(score_code(score_of_code(code)), code);
        }
    }
}
