//! What a run writes, never over a device or a folder and never partly: checkpoints, which hold weights, moments and
//! history, from which a run that was stopped goes on; and loss curves as a table.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::TrainError;
use super::trainer::{Epoch, Losses, TrainSettings, Trainer};
use crate::atomic_file::{self, AtomicFile};
use crate::framing::{self, FrameError};

const MAGIC: &[u8; 8] = b"KUROTRAI";
const VERSION: u32 = 3;
/// More bytes than there are before and behind the numbers, however long the run.
const MAX_HEAD: u64 = 16 << 20;

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
    /// Writes the run to a file; a crash leaves either the old or the new one. `data` describes what it trains on.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path, data: &str) -> Result<(), TrainError> {
        let head = CheckpointHeader {
            settings: self.settings,
            architecture: self.model.shape.to_string(),
            data: data.to_owned(),
            history: self.history.clone(),
        };
        let head = framing::FileHeader::new(MAGIC, VERSION, &head).map_err(TrainError::naming(path))?;
        let mut bytes = head.bytes;
        bytes.extend(self.model.state().flat_map(f32::to_le_bytes));
        write_whole(path, |file| file.write_all(&framing::sealed(bytes)))
    }

    /// Goes on with a run of the same settings and data, if there is a file of it, and returns whether there is.
    ///
    /// # Errors
    /// When the file is damaged or of another run.
    pub fn resume(&mut self, path: &Path, data: &str) -> Result<bool, TrainError> {
        let io = TrainError::naming::<io::Error>(path);
        let unusable = TrainError::naming::<String>(path);
        check_plain(path)?;
        if !path.try_exists().map_err(io)? {
            return Ok(false);
        }
        if fs::metadata(path).map_err(io)?.len() > MAX_HEAD + 4 * self.model.state().count() as u64 {
            return Err(unusable("the checkpoint is too long for a run of these settings".into()));
        }
        let bytes = fs::read(path).map_err(io)?;
        let (head, state) = parse(&bytes).map_err(TrainError::naming(path))?;
        let expected = (&self.settings, self.model.shape.to_string(), data);
        if (&head.settings, head.architecture, &*head.data) != expected || state.len() != self.model.state().count() {
            return Err(unusable("a checkpoint of a run with other settings or data; remove it to begin anew".into()));
        }
        self.model.restore(&mut state.iter().map(|&number| f32::from_le_bytes(number)));
        self.history = head.history;
        Ok(true)
    }
}

fn parse(mut bytes: &[u8]) -> Result<(CheckpointHeader, &[[u8; 4]]), FrameError> {
    let content = framing::checked(bytes)?;
    let head = framing::FileHeader::read(&mut bytes, MAGIC)?;
    let state = content.get(head.bytes.len()..).unwrap_or_default();
    Ok((head.parse()?, state.as_chunks().0))
}

/// Writes the losses of a run, a line for each epoch; the columns are those of [`Epoch`] and [`Losses`].
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write_losses(path: &Path, history: &[Epoch]) -> Result<(), TrainError> {
    write_whole(path, |file| {
        writeln!(file, "epoch,step,rate,training_loss,validation_loss,score_loss,result_loss")?;
        history.iter().try_for_each(|Epoch { number, step, rate, training_loss, validation }| {
            let Losses { loss, score, result } = validation;
            writeln!(file, "{number},{step},{rate:.3e},{training_loss:.6},{loss:.6},{score:.6},{result:.6}")
        })
    })
}

/// Fails where something other than a regular file stands at this path. A path at which nothing stands is fine.
///
/// # Errors
/// Names the path.
pub(crate) fn check_plain(path: &Path) -> Result<(), TrainError> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(()),
        Ok(_) => Err(TrainError::naming(path)("it is not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(TrainError::naming(path)(error)),
    }
}

/// Replaces a file by what the function writes: a crash leaves either the old or the new one.
///
/// # Errors
/// When the file cannot be written, or is something other than a regular file.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> Result<(), TrainError> {
    check_plain(path)?;
    let written: io::Result<()> = atomic_file::replace(path, |file| {
        write(file)?;
        file.sync()
    });
    written.map_err(TrainError::naming(path))
}
