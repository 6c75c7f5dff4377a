//! The evaluation that the options ask for.

use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::Options;
use crate::eval::Evaluation;
use crate::eval::nnue::{NnueError, NnueWarning};
use crate::position::Position;

/// A notice about the file of `EvalFile`.
#[derive(Debug, Error)]
pub enum EvalFileNotice {
    /// It cannot be used; the built-in evaluation is.
    #[error("EvalFile {}; the built-in evaluation is used", about(file, error))]
    Unusable {
        /// The option's value.
        file: String,
        /// What is wrong.
        error: NnueError,
    },
    /// It is used, though something is odd about it.
    #[error("EvalFile {}", about(file, warning))]
    Odd {
        /// The option's value.
        file: String,
        /// What is odd.
        warning: NnueWarning,
    },
}

impl EvalFileNotice {
    /// Why the file cannot be used, if so.
    pub(super) fn failure(&self) -> Option<String> {
        match self {
            EvalFileNotice::Unusable { file, error } => Some(format!("EvalFile {}", about(file, error))),
            EvalFileNotice::Odd { .. } => None,
        }
    }
}

/// What is to be said about a file, which is named once: as the option has it, or as the `nn.bin` of that folder.
fn about(file: &str, text: &dyn fmt::Display) -> String {
    let text = text.to_string();
    match text.split_once(": ").filter(|(path, _)| path.starts_with(file)) {
        Some((path, reason)) => format!("\"{path}\": {reason}"),
        None => format!("\"{file}\": {text}"),
    }
}

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
        let evaluation = if !same_file {
            self.read(fv_scale, &mut notices)
        } else if let Evaluation::Network { network, .. } = self.get() {
            Evaluation::Network { network: Arc::clone(network), fv_scale }
        } else {
            Evaluation::Material
        };
        self.evaluation = OnceCell::from(evaluation);
        log::info!("network: {}", self.get().report(&Position::startpos()).network);
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
