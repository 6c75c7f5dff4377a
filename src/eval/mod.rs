//! Evaluation of positions.
//!
//! Search follows a game line through an [`AnyEvaluator`], which follows every move by the
//! [`MoveDelta`] that making it returned and may so keep its accumulators up to date.

mod material;
pub mod nnue;

pub use material::Material;

use std::sync::Arc;

use crate::position::{MoveDelta, Position};
use crate::types::Score;
#[cfg(feature = "web")]
pub(crate) use nnue::set_embedded_file;
use nnue::{Network, NnueError, NnueEvaluator, NnueWarning};

/// One position's evaluation in all the units users ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalReport {
    /// What evaluates.
    pub network: String,
    /// The integer before it is scaled to a score.
    pub raw: i32,
    /// The value in the evaluation's own unit.
    pub eval: i32,
    /// As search sees it.
    pub score: Score,
}

/// What a search evaluates with; cheap to clone, the network is shared.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// [`Material`].
    Material,
    /// A network.
    Network {
        /// Its weights.
        network: Arc<Network>,
        /// What its output is divided by; see [`NnueEvaluator::with_fv_scale`].
        fv_scale: i32,
    },
}

/// The network that is part of the program.
impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Network { network: nnue::embedded_network(), fv_scale: NnueEvaluator::DEFAULT_FV_SCALE }
    }
}

impl Evaluation {
    /// The evaluation that a user names: a network's file or folder, `material` for [`Material`], nothing for
    /// the default.
    ///
    /// # Errors
    /// When there is no such network.
    pub fn named(name: &str, fv_scale: i32) -> Result<Evaluation, NnueError> {
        if name.is_empty() {
            Ok(Evaluation::default())
        } else if name.eq_ignore_ascii_case("material") {
            Ok(Evaluation::Material)
        } else {
            Ok(Evaluation::Network { network: Arc::new(Network::load(name)?), fv_scale })
        }
    }

    /// Whether all positions get the same scores. Networks read apart count as different.
    pub fn is_same(&self, other: &Evaluation) -> bool {
        use Evaluation::{Material, Network};
        match (self, other) {
            (Material, Material) => true,
            (Network { network: a, fv_scale: a_scale }, Network { network: b, fv_scale: b_scale }) => {
                Arc::ptr_eq(a, b) && (a_scale == b_scale || a.has_own_scale())
            }
            _ => false,
        }
    }

    /// What was odd about the network's file.
    pub fn warnings(&self) -> &[NnueWarning] {
        match self {
            Evaluation::Material => &[],
            Evaluation::Network { network, .. } => network.warnings(),
        }
    }

    /// An evaluator of this kind, at the start of an even game.
    pub fn evaluator(&self) -> AnyEvaluator {
        match self {
            Evaluation::Material => AnyEvaluator::Material(Material::default()),
            Evaluation::Network { network, fv_scale } => {
                AnyEvaluator::Network(Box::new(NnueEvaluator::new(Arc::clone(network)).with_fv_scale(*fv_scale)))
            }
        }
    }

    /// Evaluates one position, for the side to move.
    pub fn report(&self, position: &Position) -> EvalReport {
        let mut evaluator = self.evaluator();
        evaluator.reset(position);
        match evaluator {
            AnyEvaluator::Material(mut material) => {
                let score = material.evaluate(position);
                let network = Material::DESCRIPTION.to_owned();
                EvalReport { network, raw: score.value(), eval: score.value(), score }
            }
            AnyEvaluator::Network(mut network) => network.report(position),
        }
    }
}

/// Scores positions along a line of moves, with an evaluation of any kind. Each search thread owns one.
pub enum AnyEvaluator {
    /// Counts material.
    Material(Material),
    /// Asks a network.
    Network(Box<NnueEvaluator>),
}

impl AnyEvaluator {
    /// Starts a new line at this position.
    pub fn reset(&mut self, position: &Position) {
        match self {
            AnyEvaluator::Material(material) => material.reset(position),
            AnyEvaluator::Network(network) => network.reset(position),
        }
    }

    /// Follows a move that was just made.
    #[inline]
    pub fn push(&mut self, delta: &MoveDelta) {
        match self {
            AnyEvaluator::Material(material) => material.push(delta),
            AnyEvaluator::Network(network) => network.push(delta),
        }
    }

    /// Goes back to before the last move followed.
    #[inline]
    pub fn pop(&mut self) {
        match self {
            AnyEvaluator::Material(material) => material.pop(),
            AnyEvaluator::Network(network) => network.pop(),
        }
    }

    /// The score of the present position, which must be the one the moves lead to, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        match self {
            AnyEvaluator::Material(material) => material.evaluate(position),
            AnyEvaluator::Network(network) => network.evaluate(position),
        }
    }
}
