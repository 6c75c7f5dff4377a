//! Runs that can be stopped: weights, moments and history in a file.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::settings::TrainSettings;
use super::trainer::{Epoch, Trainer};
use crate::framing;
use crate::train::common::error::TrainError;
use crate::train::common::files::write_whole;

const MAGIC: &[u8; 8] = b"KUROTRAI";
const VERSION: u32 = 2;
/// More bytes than there are before and behind the numbers, however long the run.
const MAX_HEAD: u64 = 16 << 20;
/// Bytes written at once.
const BLOCK: usize = 1 << 16;

/// What a checkpoint says before its numbers. A run goes on only where everything but the epochs done agrees.
#[derive(Serialize, Deserialize)]
struct CheckpointHeader {
    settings: TrainSettings,
    architecture: String,
    /// What the run trains on.
    data: String,
    history: Vec<Epoch>,
}

impl Trainer {
    /// Writes the run to a file; a crash leaves either the old or the new one. `data` tells what it trains on.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path, data: &str) -> Result<(), TrainError> {
        let head = CheckpointHeader {
            settings: *self.settings(),
            architecture: self.model.architecture(),
            data: data.to_owned(),
            history: self.history.clone(),
        };
        write_whole(path, |file| self.write(file, &head))
    }

    fn write(&self, file: &mut impl Write, head: &CheckpointHeader) -> io::Result<()> {
        let head = framing::FileHeader::new(MAGIC, VERSION, head).map_err(io::Error::other)?;
        let mut checksum = crc32fast::Hasher::new();
        let mut put = |bytes: &[u8]| {
            checksum.update(bytes);
            file.write_all(bytes)
        };
        put(&head.bytes)?;
        // The networks of the public formats are large: no second copy of all of it is made in memory.
        let mut block = Vec::with_capacity(BLOCK);
        for number in self.model.state() {
            block.extend(number.to_le_bytes());
            if block.len() == BLOCK {
                put(&block)?;
                block.clear();
            }
        }
        put(&block)?;
        file.write_all(&checksum.finalize().to_le_bytes())
    }

    /// Goes on with a run of the same settings and data, if there is a file of it; tells whether.
    ///
    /// # Errors
    /// When the file is damaged or of another run.
    pub fn resume(&mut self, path: &Path, data: &str) -> Result<bool, TrainError> {
        let io = |error| TrainError::Io { path: path.to_owned(), error };
        let length = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => return Err(io(io::Error::other("it is no plain file"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(io(error)),
        };
        if length > MAX_HEAD + 4 * self.model.state_len() as u64 {
            let reason = "it is too long for a run of these settings".to_owned();
            return Err(TrainError::Checkpoint { path: path.to_owned(), reason });
        }
        let bytes = fs::read(path).map_err(io)?;
        let (head, state) = parse(&bytes).map_err(|reason| TrainError::Checkpoint { path: path.to_owned(), reason })?;
        let same =
            head.settings == *self.settings() && head.architecture == self.model.architecture() && head.data == data;
        if !same || state.len() != self.model.state_len() {
            let reason = "it is of a run with other settings or data; remove it to begin anew".to_owned();
            return Err(TrainError::Checkpoint { path: path.to_owned(), reason });
        }
        self.model.restore(&mut state.iter().map(|&number| f32::from_le_bytes(number)));
        self.has_average = !head.history.is_empty();
        self.history = head.history;
        Ok(true)
    }
}

fn parse(mut bytes: &[u8]) -> Result<(CheckpointHeader, &[[u8; 4]]), String> {
    let content = &mut framing::checked(bytes).map_err(|error| error.to_string())?;
    let head = framing::FileHeader::read(&mut bytes, MAGIC).map_err(|error| error.to_string())?;
    if head.version != VERSION {
        return Err(format!("version {} of its format is not {VERSION}, which this program reads", head.version));
    }
    let state = content.get(head.bytes.len()..).unwrap_or_default();
    Ok((head.parse().map_err(|error| error.to_string())?, state.as_chunks().0))
}
