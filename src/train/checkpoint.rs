//! Runs that can be stopped: weights, moments and history in a file.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::TrainError;
use super::model::Model;
use super::trainer::{Epoch, TrainSettings, Trainer};

const MAGIC: &[u8; 8] = b"KUROTRAI";

/// What a checkpoint says before its numbers. A run goes on only where everything but the epochs done agrees.
#[derive(Serialize, Deserialize)]
struct Head {
    settings: TrainSettings,
    width: usize,
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
        let io = |error: io::Error| TrainError::Io { path: path.to_owned(), error };
        let head = Head {
            settings: *self.settings(),
            width: self.model.width(),
            data: data.to_owned(),
            history: self.history.clone(),
        };
        let text = serde_json::to_vec(&head).map_err(|error| io(error.into()))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text);
        bytes.extend(self.model.state().flat_map(f32::to_le_bytes));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let temporary = path.with_extension("tmp");
        fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path)).map_err(io)
    }

    /// Goes on with a run of the same settings and data, if there is a file of it; tells whether.
    ///
    /// # Errors
    /// When the file is damaged or of another run.
    pub fn resume(&mut self, path: &Path, data: &str) -> Result<bool, TrainError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(TrainError::Io { path: path.to_owned(), error }),
        };
        let (head, state) = parse(&bytes).map_err(|reason| TrainError::Checkpoint { path: path.to_owned(), reason })?;
        let same = head.settings == *self.settings() && head.width == self.model.width() && head.data == data;
        if !same || state.len() != Model::state_len(head.width) {
            let reason = "it is of a run with other settings or data; remove it to begin anew".to_owned();
            return Err(TrainError::Checkpoint { path: path.to_owned(), reason });
        }
        self.model.restore(state.iter().map(|&number| f32::from_le_bytes(number)));
        self.history = head.history;
        Ok(true)
    }
}

fn parse(bytes: &[u8]) -> Result<(Head, &[[u8; 4]]), String> {
    let (content, checksum) = bytes.split_last_chunk().ok_or("it is empty")?;
    if u32::from_le_bytes(*checksum) != crc32fast::hash(content) {
        return Err("it is damaged".to_owned());
    }
    let rest = content.strip_prefix(MAGIC).ok_or("it is none")?;
    let (length, rest) = rest.split_first_chunk().ok_or("it is cut")?;
    let (text, state) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or("it is cut")?;
    let head = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    Ok((head, state.as_chunks().0))
}
