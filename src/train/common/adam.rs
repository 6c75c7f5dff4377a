//! AdamW (Kingma and Ba 2015; Loshchilov and Hutter 2019).

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// First-layer weights are kept within this, so that no accumulator of a bias and forty rows leaves the 16 bits
/// that inference has for it (2047 stands for one).
pub(in crate::train) const LARGEST_FEATURE: f32 = 0.35;
/// Other weights are kept within this.
const LARGEST: f32 = 1.98;

/// One optimiser step: what it does to every weight.
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    rate: f32,
    decay: f32,
    largest: f32,
    /// Bias corrections of the moments, which begin at 0.
    first: f32,
    second: f32,
    /// Share of the new weights in the moving average of the weights; 0 where none is kept.
    average: f32,
}

impl AdamStep {
    /// Step `number` (from 1) with this learning rate and weight decay.
    pub(in crate::train) fn new(number: u64, rate: f32, decay: f32) -> AdamStep {
        let number = number.min(1 << 20) as i32;
        let (first, second) = (1.0 / (1.0 - BETA1.powi(number)), 1.0 / (1.0 - BETA2.powi(number)));
        AdamStep { rate, decay, largest: LARGEST_FEATURE, first, second, average: 0.0 }
    }

    /// The same, with the new weights taken into the moving average with this share.
    pub(in crate::train) fn averaging(self, share: f32) -> AdamStep {
        AdamStep { average: share, ..self }
    }

    /// The same for biases and outputs: without weight decay, and with larger weights.
    pub(in crate::train) fn of_others(self) -> AdamStep {
        AdamStep { decay: 0.0, largest: LARGEST, ..self }
    }

    /// Moves weights against their gradients, which are then 0.
    #[inline]
    pub(in crate::train) fn apply<const N: usize>(
        self,
        weights: &mut [f32; N],
        gradients: &mut [f32; N],
        moments: &mut [[f32; N]; 2],
    ) {
        let [first, second] = moments;
        for i in 0..N {
            let gradient = std::mem::take(&mut gradients[i]);
            first[i] = BETA1 * first[i] + (1.0 - BETA1) * gradient;
            second[i] = BETA2 * second[i] + (1.0 - BETA2) * gradient * gradient;
            let step = first[i] * self.first / ((second[i] * self.second).sqrt() + EPSILON);
            weights[i] = (weights[i] - self.rate * (step + self.decay * weights[i])).clamp(-self.largest, self.largest);
        }
    }

    /// Takes new weights into their moving average, where one is kept.
    #[inline]
    pub(in crate::train) fn average(self, averages: &mut [f32], weights: &[f32]) {
        for (average, weight) in averages.iter_mut().zip(weights) {
            *average += self.average * (weight - *average);
        }
    }
}
