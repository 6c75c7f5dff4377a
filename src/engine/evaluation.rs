//! The evaluation that the options ask for.

use std::cell::OnceCell;

use super::{EngineMessage, Options};
use crate::eval::Evaluation;
use crate::position::Position;

/// The evaluation in use, and the options it was made for.
#[derive(Clone, Default)]
pub(super) struct ChosenEvaluation {
    file: String,
    fv_scale: i32,
    /// The file could not be used.
    failed: bool,
    /// None until it is first asked for: the network in the program is unpacked then.
    evaluation: OnceCell<Evaluation>,
}

impl ChosenEvaluation {
    /// The evaluation in use.
    pub(super) fn get(&self) -> &Evaluation {
        self.evaluation.get_or_init(Evaluation::default)
    }

    /// Lets a file that could not be used be tried again.
    pub(super) fn retry(&mut self) {
        if self.failed {
            self.file.clear();
        }
    }

    /// Follows the options: reads the file when it or its scale has changed.
    pub(super) fn follow(&mut self, options: &Options) -> Vec<EngineMessage> {
        if (&self.file, self.fv_scale) == (&options.eval_file, options.fv_scale) {
            return Vec::new();
        }
        (self.file, self.fv_scale) = (options.eval_file.clone(), options.fv_scale);
        let file = || options.eval_file.clone();
        let named = Evaluation::named(&self.file, self.fv_scale);
        self.failed = named.is_err();
        let (evaluation, messages) = match named {
            Ok(evaluation) => {
                let warnings = evaluation.warnings().iter().cloned();
                let messages = warnings.map(|warning| EngineMessage::OddEvalFile { file: file(), warning }).collect();
                (evaluation, messages)
            }
            Err(error) => (Evaluation::default(), vec![EngineMessage::EvalFile { file: file(), error }]),
        };
        self.evaluation = OnceCell::from(evaluation);
        log::info!("network: {}", self.get().report(&Position::startpos()).network);
        messages
    }
}
