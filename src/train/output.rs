//! What a run writes, never over a device or a folder and never partly: checkpoints, which hold weights, moments and
//! history, from which a run that was stopped goes on; and loss curves as a table and as a picture.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use plotters::prelude::*;
use serde::{Deserialize, Serialize};

use super::error::{CheckpointError, TrainError};
use super::trainer::{Epoch, Losses, TrainSettings, Trainer};
use crate::atomic_file::{self, AtomicFile};
use crate::framing;

const MAGIC: &[u8; 8] = b"KUROTRAI";
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
    /// Writes the run to a file; a crash leaves either the old or the new one. `data` describes what it trains on.
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
        let head = framing::FileHeader::new(MAGIC, CheckpointError::VERSION, head).map_err(io::Error::other)?;
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

    /// Goes on with a run of the same settings and data, if there is a file of it, and returns whether there is.
    ///
    /// # Errors
    /// When the file is damaged or of another run.
    pub fn resume(&mut self, path: &Path, data: &str) -> Result<bool, TrainError> {
        let io = |error| TrainError::Io { path: path.to_owned(), error };
        let unusable = |reason| TrainError::Checkpoint { path: path.to_owned(), reason };
        let length = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => return Err(TrainError::NotAFile { path: path.to_owned() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(io(error)),
        };
        if length > MAX_HEAD + 4 * self.model.state_len() as u64 {
            return Err(unusable(CheckpointError::TooLong));
        }
        let bytes = fs::read(path).map_err(io)?;
        let (head, state) = parse(&bytes).map_err(unusable)?;
        let same =
            head.settings == *self.settings() && head.architecture == self.model.architecture() && head.data == data;
        if !same || state.len() != self.model.state_len() {
            return Err(unusable(CheckpointError::OtherRun));
        }
        self.model.restore(&mut state.iter().map(|&number| f32::from_le_bytes(number)));
        self.has_average = !head.history.is_empty();
        self.history = head.history;
        Ok(true)
    }
}

fn parse(mut bytes: &[u8]) -> Result<(CheckpointHeader, &[[u8; 4]]), CheckpointError> {
    let content = &mut framing::checked(bytes)?;
    let head = framing::FileHeader::read(&mut bytes, MAGIC)?;
    if head.version != CheckpointError::VERSION {
        return Err(CheckpointError::Version(head.version));
    }
    let state = content.get(head.bytes.len()..).unwrap_or_default();
    Ok((head.parse()?, state.as_chunks().0))
}

/// The losses of a run.
pub struct Curves<'a>(pub &'a [Epoch]);

const SIZE: (u32, u32) = (900, 600);
const MARGIN: f64 = 0.05;

impl Curves<'_> {
    /// A line for each epoch, the columns are those of [`Epoch`] and [`Losses`].
    pub fn csv(&self) -> String {
        let mut text = "epoch,step,rate,training_loss,validation_loss,score_loss,result_loss\n".to_owned();
        for Epoch { number, step, rate, training_loss, validation } in self.0 {
            let Losses { loss, score, result } = validation;
            let _ = writeln!(text, "{number},{step},{rate:.3e},{training_loss:.6},{loss:.6},{score:.6},{result:.6}");
        }
        text
    }

    /// Writes the table.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_csv(&self, path: &Path) -> Result<(), TrainError> {
        write_whole(path, |file| file.write_all(self.csv().as_bytes()))
    }

    /// Draws the curves, on a logarithmic scale: training blue, validation red, faint lines at 1, 2 and 5 parts of
    /// a power of ten. There is no text in it, for which a font would have to be found.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn draw_png(&self, path: &Path) -> Result<(), TrainError> {
        self.draw(path).map_err(|error| TrainError::Picture { path: path.to_owned(), error: error.into() })
    }

    fn draw(&self, path: &Path) -> Result<(), DrawingAreaErrorKind<<BitMapBackend<'_> as DrawingBackend>::ErrorType>> {
        let points = |loss: fn(&Epoch) -> f64| {
            let finite = self.0.iter().map(move |epoch| (epoch.number as f64, loss(epoch).log10()));
            finite.filter(|(_, loss)| loss.is_finite()).collect::<Vec<_>>()
        };
        let curves = [(points(|epoch| epoch.training_loss), BLUE), (points(|epoch| epoch.validation.loss), RED)];
        let losses = || curves.iter().flat_map(|(points, _)| points.iter().map(|&(_, loss)| loss));
        let (low, high) = (losses().fold(f64::INFINITY, f64::min), losses().fold(f64::NEG_INFINITY, f64::max));
        if !(low.is_finite() && high.is_finite()) {
            return Ok(());
        }
        let (low, high) = (low - MARGIN, high + MARGIN);
        let last = self.0.len().max(2) as f64;

        let area = BitMapBackend::new(path, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area).margin(20).build_cartesian_2d(1.0..last, low..high)?;
        let rules = (-8..0).flat_map(|power| [1.0f64, 2.0, 5.0].map(|part| f64::from(power) + part.log10()));
        for rule in rules.filter(|rule| (low..high).contains(rule)) {
            chart.draw_series(LineSeries::new([(1.0, rule), (last, rule)], BLACK.mix(0.2)))?;
        }
        for (points, color) in curves {
            chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?;
        }
        area.present()
    }
}

/// Fails where something other than a regular file stands at this path. A path at which nothing stands is fine.
///
/// # Errors
/// Names the path.
pub(crate) fn check_plain(path: &Path) -> Result<(), TrainError> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(()),
        Ok(_) => Err(TrainError::NotAFile { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(TrainError::Io { path: path.to_owned(), error }),
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
    written.map_err(|error| TrainError::Io { path: path.to_owned(), error })
}
