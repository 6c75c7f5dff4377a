//! Record files: games at four bytes a ply.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `KUROGAME` |
//! | u32 | version, 1 |
//! | u32 | length of the header |
//! | … | the header: JSON, a [`Header`] |
//! | u32 | CRC-32 of the header |
//!
//! Then, for each game:
//!
//! | bytes | what |
//! |---|---|
//! | u16 | length of the body |
//! | u32 | CRC-32 of the body |
//! | u8 | bits 0–1: draw, Black's win, White's win; bits 2–6: code of the [`Termination`]; bit 7: a start follows |
//! | u8, … | if bit 7 is set: length and text of the start's SFEN |
//! | u8 | number of opening moves |
//! | u16 each | the opening moves |
//! | u16, i16 each | the moves played, with their scores (to the end of the body) |
//!
//! Moves are [`Move::to_bits`]; scores are in the internal unit (90 is a pawn), from the mover's view. A
//! file that ends inside a game, as after a crash, is whole up to that game.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game::{Game, GameResult, ScoredMove, Termination};
use super::selfplay::SelfPlaySettings;
use crate::position::{Position, SfenError};
use crate::types::{Color, Move, Score};

const MAGIC: &[u8; 8] = b"KUROGAME";
const VERSION: u32 = 1;
const MAX_HEADER: u32 = 1 << 20;
/// Bytes before a game's body.
const PREFIX: usize = 6;
const HAS_START: u8 = 1 << 7;

/// What all games of a file have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The program that played, with its version.
    pub engine: String,
    /// What it evaluated with.
    pub evaluation: String,
    /// How it played; `None` for games that were not played by `kurosabi datagen` with one setting.
    pub settings: Option<SelfPlaySettings>,
}

impl Header {
    /// The header of a file whose games come from elsewhere, or from several files.
    pub fn mixed(origin: &str) -> Header {
        let engine = concat!("kurosabi ", env!("CARGO_PKG_VERSION")).to_owned();
        Header { engine, evaluation: origin.to_owned(), settings: None }
    }
}

/// Why a record file cannot be read or written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The system says so.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{path} is not a file of Kurosabi games (it begins with {found:?})", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// The file was written by a later program.
    #[error("{path} has version {found} of the game format; this program reads {VERSION}", path = path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The header is damaged.
    #[error("{path}: the header is damaged: {reason}", path = path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A game is damaged.
    #[error("{path}: game {game} at byte {offset} is damaged: {reason}", path = path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        game: u64,
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        reason: String,
    },
    /// The file ends inside a game.
    #[error("{path} ends inside game {game}, which begins at byte {offset}", path = path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The game's number, from 1.
        game: u64,
        /// Where it begins.
        offset: u64,
    },
    /// A file to be continued holds other games.
    #[error("{path} holds games of other settings; choose another file, or the settings {settings}", path = path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// Its header, as JSON.
        settings: String,
    },
    /// A game that the format has no room for.
    #[error("a game of {plies} plies is too long for the format")]
    TooLong {
        /// Its length.
        plies: usize,
    },
}

/// What is wrong with a game's body.
#[derive(Debug, Error)]
enum BodyError {
    #[error("it ends too early")]
    Short,
    #[error("unknown result code {0}")]
    Result(u8),
    #[error("unknown termination code {0}")]
    Termination(u8),
    #[error("{0:#06x} is not a move")]
    Move(u16),
    #[error("its start is not text")]
    StartText,
    #[error("its start is not a position: {0}")]
    Start(#[from] SfenError),
}

// Bodies.

/// The body of a game in the file.
///
/// # Errors
/// When the game does not fit into 64 KiB.
fn encode(game: &Game) -> Result<Vec<u8>, RecordError> {
    let too_long = || RecordError::TooLong { plies: game.plies() };
    let result = match game.result {
        GameResult::Draw => 0,
        GameResult::Win(color) => 1 + color.index() as u8,
    };
    let has_start = if game.start.is_some() { HAS_START } else { 0 };
    let mut body = vec![result | (game.termination as u8) << 2 | has_start];
    if let Some(start) = &game.start {
        let sfen = start.to_sfen();
        body.push(u8::try_from(sfen.len()).map_err(|_| too_long())?);
        body.extend(sfen.as_bytes());
    }
    body.push(u8::try_from(game.opening.len()).map_err(|_| too_long())?);
    body.extend(game.opening.iter().flat_map(|mv| mv.to_bits().to_le_bytes()));
    for ScoredMove { mv, score } in &game.moves {
        body.extend(mv.to_bits().to_le_bytes());
        body.extend((score.value() as i16).to_le_bytes());
    }
    if body.len() > usize::from(u16::MAX) {
        return Err(too_long());
    }
    Ok(body)
}

fn decode(body: &[u8]) -> Result<Game, BodyError> {
    let mut rest = body;
    let mut take = |count: usize| {
        let (taken, left) = rest.split_at_checked(count).ok_or(BodyError::Short)?;
        rest = left;
        Ok::<_, BodyError>(taken)
    };
    let code = take(1)?[0];
    let result = match code & 3 {
        0 => GameResult::Draw,
        1 => GameResult::Win(Color::Black),
        2 => GameResult::Win(Color::White),
        other => return Err(BodyError::Result(other)),
    };
    let cause = code >> 2 & 31;
    let termination = *Termination::ALL.get(usize::from(cause)).ok_or(BodyError::Termination(cause))?;
    let start = if code & HAS_START != 0 {
        let length = usize::from(take(1)?[0]);
        let sfen = std::str::from_utf8(take(length)?).map_err(|_| BodyError::StartText)?;
        Some(Box::new(Position::from_sfen(sfen)?))
    } else {
        None
    };
    let read_move = |bytes: [u8; 2]| {
        let bits = u16::from_le_bytes(bytes);
        Move::from_bits(bits).ok_or(BodyError::Move(bits))
    };
    let count = usize::from(take(1)?[0]);
    let opening = take(2 * count)?.as_chunks().0.iter().map(|&bytes| read_move(bytes)).collect::<Result<_, _>>()?;
    let (played, left) = rest.as_chunks::<4>();
    if !left.is_empty() {
        return Err(BodyError::Short);
    }
    let scored = |&[a, b, c, d]: &[u8; 4]| {
        let score = Score::from_value(i32::from(i16::from_le_bytes([c, d])));
        Ok::<_, BodyError>(ScoredMove { mv: read_move([a, b])?, score })
    };
    let moves = played.iter().map(scored).collect::<Result<_, _>>()?;
    Ok(Game { start, opening, moves, result, termination })
}

// Reading.

/// Reads the games of a file, one after another.
pub struct GameReader {
    path: PathBuf,
    reader: BufReader<File>,
    header: Header,
    offset: u64,
    games: u64,
    ended: bool,
}

impl GameReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When the file cannot be read or is something else.
    pub fn open(path: impl AsRef<Path>) -> Result<GameReader, RecordError> {
        let path = path.as_ref().to_owned();
        let io = |error| RecordError::Io { path: path.clone(), error };
        let mut reader = BufReader::with_capacity(1 << 20, File::open(&path).map_err(io)?);
        let mut magic = Vec::new();
        (&mut reader).take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(io)?;
        if magic != MAGIC {
            let found = String::from_utf8_lossy(&magic).into_owned();
            return Err(RecordError::Foreign { path, found });
        }
        let damaged = |reason: &str| RecordError::Header { path: path.clone(), reason: reason.to_owned() };
        let mut number = [0; 4];
        let mut u32 = |reader: &mut BufReader<File>| {
            reader.read_exact(&mut number).map_err(|_| damaged("it is cut short"))?;
            Ok::<_, RecordError>(u32::from_le_bytes(number))
        };
        let version = u32(&mut reader)?;
        if version != VERSION {
            return Err(RecordError::Version { path, found: version });
        }
        let length = u32(&mut reader)?;
        if length > MAX_HEADER {
            return Err(damaged("it is too long"));
        }
        let mut text = vec![0; length as usize];
        reader.read_exact(&mut text).map_err(|_| damaged("it is cut short"))?;
        if u32(&mut reader)? != crc32fast::hash(&text) {
            return Err(damaged("its checksum is wrong"));
        }
        let header = serde_json::from_slice(&text).map_err(|error| damaged(&error.to_string()))?;
        let offset = MAGIC.len() as u64 + 12 + u64::from(length);
        Ok(GameReader { path, reader, header, offset, games: 0, ended: false })
    }

    /// What the file says of all its games.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Where the next game begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    fn read_body(&mut self) -> Result<Option<Vec<u8>>, RecordError> {
        let io = |error| RecordError::Io { path: self.path.clone(), error };
        let (game, offset) = (self.games + 1, self.offset);
        let truncated = || RecordError::Truncated { path: self.path.clone(), game, offset };
        let mut prefix = Vec::with_capacity(PREFIX);
        (&mut self.reader).take(PREFIX as u64).read_to_end(&mut prefix).map_err(io)?;
        if prefix.is_empty() {
            return Ok(None);
        }
        let &[a, b, c, d, e, f] = &prefix[..] else { return Err(truncated()) };
        let length = u16::from_le_bytes([a, b]);
        let mut body = Vec::with_capacity(usize::from(length));
        (&mut self.reader).take(u64::from(length)).read_to_end(&mut body).map_err(io)?;
        if body.len() < usize::from(length) {
            return Err(truncated());
        }
        if crc32fast::hash(&body) != u32::from_le_bytes([c, d, e, f]) {
            return Err(self.damaged("its checksum is wrong".to_owned()));
        }
        Ok(Some(body))
    }

    fn damaged(&self, reason: String) -> RecordError {
        RecordError::Game { path: self.path.clone(), game: self.games + 1, offset: self.offset, reason }
    }

    fn read_game(&mut self) -> Result<Option<Game>, RecordError> {
        let Some(body) = self.read_body()? else { return Ok(None) };
        let game = decode(&body).map_err(|error| self.damaged(error.to_string()))?;
        self.games += 1;
        self.offset += (PREFIX + body.len()) as u64;
        Ok(Some(game))
    }
}

/// After the first error nothing more is read: where the next game would begin is not known.
impl Iterator for GameReader {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Result<Game, RecordError>> {
        if self.ended {
            return None;
        }
        let item = self.read_game().transpose();
        self.ended = !matches!(item, Some(Ok(_)));
        item
    }
}

// Writing.

/// Appends games to a file.
pub struct GameWriter {
    path: PathBuf,
    writer: BufWriter<File>,
    /// Games in the file.
    games: u64,
}

impl GameWriter {
    /// Makes a new file, and its folder where there is none; a file that exists is replaced.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<GameWriter, RecordError> {
        let path = path.as_ref().to_owned();
        let io = |error| RecordError::Io { path: path.clone(), error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io)?;
        }
        let mut writer = BufWriter::new(File::create(&path).map_err(io)?);
        let text = serde_json::to_vec(header).map_err(|error| io(error.into()))?;
        let mut start = MAGIC.to_vec();
        start.extend(VERSION.to_le_bytes());
        start.extend((text.len() as u32).to_le_bytes());
        start.extend(&text);
        start.extend(crc32fast::hash(&text).to_le_bytes());
        writer.write_all(&start).and_then(|()| writer.flush()).map_err(io)?;
        Ok(GameWriter { path, writer, games: 0 })
    }

    /// Goes on with a file that has the same header, or makes it. A last game that is cut short is
    /// dropped; `seen` is called with each game that stays.
    ///
    /// # Errors
    /// When the file is something else, has another header, or is damaged.
    pub fn resume(
        path: impl AsRef<Path>,
        header: &Header,
        mut seen: impl FnMut(&Game),
    ) -> Result<GameWriter, RecordError> {
        let path = path.as_ref();
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        match path.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return GameWriter::create(path, header),
            Err(error) => return Err(io(error)),
            // The machine may have gone down before the header was on the disk.
            Ok(metadata) if metadata.len() == 0 => return GameWriter::create(path, header),
            Ok(_) => {}
        }
        let mut reader = GameReader::open(path)?;
        if reader.header() != header {
            let settings = serde_json::to_string(reader.header()).unwrap_or_default();
            return Err(RecordError::OtherSettings { path: path.to_owned(), settings });
        }
        for game in reader.by_ref() {
            match game {
                Ok(game) => seen(&game),
                Err(error @ RecordError::Truncated { .. }) => {
                    log::warn!("{error}; the file is continued from before it");
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let mut file = OpenOptions::new().write(true).open(path).map_err(io)?;
        file.set_len(reader.offset()).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(GameWriter { path: path.to_owned(), writer: BufWriter::new(file), games: reader.games() })
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the system refuses, or the game does not fit the format.
    pub fn write(&mut self, game: &Game) -> Result<(), RecordError> {
        let body = encode(game)?;
        let mut bytes = (body.len() as u16).to_le_bytes().to_vec();
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        self.writer.write_all(&bytes).map_err(|error| RecordError::Io { path: self.path.clone(), error })?;
        self.games += 1;
        Ok(())
    }

    /// Brings everything written to the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        let flushed = self.writer.flush().and_then(|()| self.writer.get_ref().sync_data());
        flushed.map_err(|error| RecordError::Io { path: self.path.clone(), error })
    }
}
