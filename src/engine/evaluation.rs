//! The evaluation that the options ask for.

use std::sync::Arc;

use thiserror::Error;

use super::Options;
use crate::eval::Evaluation;
use crate::eval::nnue::{NnueError, NnueWarning};
use crate::position::Position;

/// What there is to say about the file of `EvalFile`.
#[derive(Debug, Error)]
pub enum EvalFileNotice {
    /// It cannot be used; the built-in evaluation is.
    #[error("EvalFile {}; the built-in evaluation is used", about(file, &error.to_string()))]
    Unusable {
        /// The option's value.
        file: String,
        /// What is wrong.
        error: NnueError,
    },
    /// It is used, though something is odd about it.
    #[error("EvalFile {}", about(file, &warning.to_string()))]
    Odd {
        /// The option's value.
        file: String,
        /// What is odd.
        warning: NnueWarning,
    },
}

/// What is to be said about a file, which is named once.
fn about(file: &str, text: &str) -> String {
    if text.contains(file) { text.to_owned() } else { format!("\"{file}\": {text}") }
}

/// The evaluation in use, and what it was made from.
#[derive(Default)]
pub(super) struct ChosenEvaluation {
    file: String,
    fv_scale: i32,
    /// The file could not be used.
    failed: bool,
    evaluation: Evaluation,
    /// Counts the changes.
    version: u64,
}

impl ChosenEvaluation {
    /// The evaluation in use.
    pub(super) fn get(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Another number after every change; 0 for the evaluation of a new searcher.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Lets a file that could not be used be tried again.
    pub(super) fn retry(&mut self) {
        if self.failed {
            self.file.clear();
        }
    }

    /// Follows the options: reads the file when it has changed.
    pub(super) fn follow(&mut self, options: &Options) -> Vec<EvalFileNotice> {
        if (&self.file, self.fv_scale) == (&options.eval_file, options.fv_scale) {
            return Vec::new();
        }
        let same_file = self.file == options.eval_file;
        self.file.clone_from(&options.eval_file);
        self.fv_scale = options.fv_scale;
        let fv_scale = options.fv_scale;
        let mut notices = Vec::new();
        let evaluation = match &self.evaluation {
            Evaluation::Network { network, .. } if same_file => {
                Evaluation::Network { network: Arc::clone(network), fv_scale }
            }
            Evaluation::Material if same_file => Evaluation::Material,
            _ => self.read(fv_scale, &mut notices),
        };
        if !self.evaluation.is_same(&evaluation) {
            self.version += 1;
        }
        self.evaluation = evaluation;
        log::info!("network: {}", self.evaluation.report(&Position::startpos()).network);
        notices
    }

    fn read(&mut self, fv_scale: i32, notices: &mut Vec<EvalFileNotice>) -> Evaluation {
        self.failed = false;
        let file = || self.file.clone();
        match Evaluation::named(&self.file, fv_scale) {
            Ok(evaluation) => {
                let odd = |warning: &NnueWarning| EvalFileNotice::Odd { file: file(), warning: warning.clone() };
                notices.extend(evaluation.warnings().iter().map(odd));
                evaluation
            }
            Err(error) => {
                notices.push(EvalFileNotice::Unusable { file: file(), error });
                self.failed = true;
                Evaluation::default()
            }
        }
    }
}
