//! Scores in eight bits.
//!
//! A label needs no more: its noise is many times the step. Steps grow with the score, as its meaning for the
//! expected result shrinks: 3 at a level position, 12 at 270, 70 at 3200. Scores beyond, with all mates and wins by
//! rule, have two codes for which the exact score stands elsewhere in the file.

use crate::types::Score;

/// The highest code that stands for a score.
const HIGHEST: i32 = 126;
/// What stands for scores above all codes; minus this for those below.
const BEYOND: i8 = 127;

/// The score of a code up to [`HIGHEST`].
fn value(code: i32) -> i32 {
    let size = code.abs();
    code.signum() * (3 * size + size * size * size / 700)
}

/// The code of a score. [`is_exact`] tells whether the score itself must be kept as well.
pub(in crate::datagen::record) fn encode(score: Score) -> i8 {
    let size = score.value().abs();
    let code = if size > value(HIGHEST) {
        i32::from(BEYOND)
    } else {
        // The nearest code, the lower one of two.
        let above = (0..=HIGHEST).find(|&code| value(code) >= size).unwrap_or(HIGHEST);
        let below = (above - 1).max(0);
        if size - value(below) <= value(above) - size { below } else { above }
    };
    (code * score.value().signum()) as i8
}

/// Whether a code stands for scores that are kept exactly.
pub(in crate::datagen::record) fn is_exact(code: i8) -> bool {
    i32::from(code).abs() > HIGHEST
}

/// The score of a code that is not exact.
pub(in crate::datagen::record) fn decode(code: i8) -> Score {
    Score::from_value(value(i32::from(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_near_their_scores() {
        for value in -32_000..=32_000 {
            let code = encode(Score::from_value(value));
            if is_exact(code) {
                assert!(value.abs() > 3200 && i32::from(code.signum()) == value.signum(), "{value}");
                continue;
            }
            let error = (decode(code).value() - value).abs();
            assert!(error <= 3 + value.abs() / 60, "{value}: {error}");
        }
        assert_eq!(decode(encode(Score::ZERO)), Score::ZERO);
    }

    /// Games that are read and written again must not change.
    #[test]
    fn a_code_is_the_code_of_its_score() {
        for code in -126..=126 {
            assert_eq!(encode(decode(code)), code);
        }
    }
}
