//! Loss curves as a table and as a picture.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use plotters::prelude::*;

use super::trainer::{Epoch, Losses};
use crate::train::common::error::TrainError;
use crate::train::common::files::write_whole;

/// The losses of a run.
pub struct Curves<'a>(pub &'a [Epoch]);

const SIZE: (u32, u32) = (900, 600);
const MARGIN: f64 = 0.05;

impl Curves<'_> {
    /// A line for each epoch, the columns as [`Epoch`] and [`Losses`] tell.
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
        self.draw(path).map_err(|reason| TrainError::Picture { path: path.to_owned(), reason })
    }

    fn draw(&self, path: &Path) -> Result<(), String> {
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
        let text = |error: DrawingAreaErrorKind<_>| -> String { format!("{error:?}") };
        area.fill(&WHITE).map_err(text)?;
        let mut chart = ChartBuilder::on(&area).margin(20).build_cartesian_2d(1.0..last, low..high).map_err(text)?;
        let rules = (-8..0).flat_map(|power| [1.0f64, 2.0, 5.0].map(|part| f64::from(power) + part.log10()));
        for rule in rules.filter(|rule| (low..high).contains(rule)) {
            chart.draw_series(LineSeries::new([(1.0, rule), (last, rule)], BLACK.mix(0.2))).map_err(text)?;
        }
        for (points, color) in curves {
            chart.draw_series(LineSeries::new(points, color.stroke_width(2))).map_err(text)?;
        }
        area.present().map_err(text)
    }
}
