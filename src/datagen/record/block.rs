//! Blocks of games in version 2.

use super::error::{BodyError, RecordError};
use super::head;
use super::packing::bytes::Bytes;
use super::packing::{deflate, moves, scores};
use crate::datagen::game::{Game, GameError, ScoredMove};
use crate::position::Position;
use crate::types::{Move, Score, Square};

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

/// The opponent's last move and the position it led to.
struct Line {
    position: Position,
    last_to: Option<Square>,
    ply: usize,
}

impl Line {
    fn new(game: &Game) -> Line {
        Line { position: game.start_position(), last_to: None, ply: 0 }
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
        head::encode(game, &mut self.heads)?;
        for count in [game.opening.len(), game.moves.len()] {
            let count = u16::try_from(count).map_err(|_| RecordError::TooLong { plies: game.plies() })?;
            self.heads.extend(count.to_le_bytes());
        }
        let mut line = Line::new(game);
        for &mv in &game.opening {
            self.append_move(&mut line, mv)?;
        }
        let mut before = 0i8;
        for &ScoredMove { mv, score } in &game.moves {
            self.append_move(&mut line, mv)?;
            let code = scores::encode(score);
            self.scores.push(code.wrapping_add(before) as u8);
            if scores::is_exact(code) {
                self.wide.extend((score.value() as i16).to_le_bytes());
            }
            before = code;
        }
        Ok(())
    }

    fn append_move(&mut self, line: &mut Line, mv: Move) -> Result<(), GameError> {
        if !line.position.is_legal(mv) {
            return Err(GameError::IllegalMove { ply: line.ply + 1, mv, sfen: line.position.to_sfen() });
        }
        let rank = moves::rank_of(&line.position, mv, line.last_to);
        match u8::try_from(rank) {
            Ok(rank) if rank != WIDE => self.moves.push(rank),
            _ => {
                self.moves.push(WIDE);
                self.wide.extend((rank as u16).to_le_bytes());
            }
        }
        line.play(mv);
        Ok(())
    }

    /// The block as it stands in the file, prefix and all.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut packed = Vec::new();
        for section in [&self.heads, &self.moves, &self.scores, &self.wide] {
            let at = packed.len();
            packed.extend([0; 4]);
            deflate::pack(section, &mut packed);
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

/// This many games of a block; all their moves are legal.
pub(super) fn decode(packed: &[u8], games: u16) -> Result<Vec<Game>, BodyError> {
    if games > GAMES {
        return Err(BodyError::Games { games, most: GAMES });
    }
    let mut packed = Bytes(packed);
    let mut sections = [const { Vec::new() }; 4];
    for section in &mut sections {
        let length = packed.u32()? as usize;
        *section = deflate::unpack(packed.take(length)?, MAX_SECTION)?;
    }
    packed.finish()?;
    let [heads, moves, scores, wide] = &sections;
    let mut reader = BlockReader { heads: Bytes(heads), moves: Bytes(moves), scores: Bytes(scores), wide: Bytes(wide) };
    let games = (0..games).map(|_| reader.game()).collect::<Result<_, _>>()?;
    let BlockReader { heads, moves, scores, wide } = reader;
    [heads, moves, scores, wide].into_iter().try_for_each(Bytes::finish)?;
    Ok(games)
}

struct BlockReader<'a> {
    heads: Bytes<'a>,
    moves: Bytes<'a>,
    scores: Bytes<'a>,
    wide: Bytes<'a>,
}

impl BlockReader<'_> {
    fn game(&mut self) -> Result<Game, BodyError> {
        let mut game = head::decode(&mut self.heads)?.into_game();
        let (opening, moves) = (self.heads.u16()?, self.heads.u16()?);
        let mut line = Line::new(&game);
        for _ in 0..opening {
            let mv = self.next_move(&line)?;
            line.play(mv);
            game.opening.push(mv);
        }
        let mut before = 0i8;
        for _ in 0..moves {
            let mv = self.next_move(&line)?;
            line.play(mv);
            let code = (self.scores.u8()? as i8).wrapping_sub(before);
            if code == i8::MIN {
                return Err(BodyError::Score(code));
            }
            let exact = scores::is_exact(code);
            let score = if exact { Score::from_value(i32::from(self.wide.i16()?)) } else { scores::decode(code) };
            game.moves.push(ScoredMove { mv, score });
            before = code;
        }
        Ok(game)
    }

    fn next_move(&mut self, line: &Line) -> Result<Move, BodyError> {
        let rank = match self.moves.u8()? {
            WIDE => usize::from(self.wide.u16()?),
            rank => usize::from(rank),
        };
        let mv = moves::move_of(&line.position, rank, line.last_to);
        mv.ok_or_else(|| BodyError::Rank { rank, sfen: line.position.to_sfen() })
    }
}
