//! How the parameters of [`params`](super) are declared: as constants in an ordinary build, and settable with the
//! feature `tuning`.

#[cfg(feature = "tuning")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// A tunable parameter of the search.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, as an option and in the source.
    pub name: &'static str,
    /// Its value in an ordinary build.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
    /// A change that should be noticeable, with which a tuner starts.
    pub step: i32,
    #[cfg(feature = "tuning")]
    value: AtomicI32,
}

impl Parameter {
    pub(crate) const fn new(name: &'static str, default: i32, (min, max): (i32, i32), step: i32) -> Parameter {
        Parameter {
            name,
            default,
            min,
            max,
            step,
            #[cfg(feature = "tuning")]
            value: AtomicI32::new(default),
        }
    }

    /// The value that searches use.
    #[cfg(feature = "tuning")]
    #[inline(always)]
    pub fn value(&self) -> i32 {
        self.value.load(Relaxed)
    }

    /// Changes the value for all searches of this process; out of range, the nearest allowed value is taken.
    #[cfg(feature = "tuning")]
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(self.min, self.max), Relaxed);
    }
}

/// Declares parameters: a function of each one's name that gives its value, and the table of all.
///
/// `name: value, smallest..=largest, step;`
macro_rules! parameters {
    ($($(#[$meta:meta])* $name:ident: $default:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        /// The index of a parameter in the table.
        #[cfg(feature = "tuning")]
        #[allow(non_camel_case_types, clippy::enum_variant_names)]
        enum Place { $($name,)* }

        $(
            $(#[$meta])*
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                #[cfg(feature = "tuning")]
                return PARAMETERS[Place::$name as usize].value();
                #[cfg(not(feature = "tuning"))]
                $default
            }
        )*

        /// All tunable parameters.
        pub static PARAMETERS: [$crate::search::params::Parameter; [$(stringify!($name)),*].len()] = [
            $($crate::search::params::Parameter::new(stringify!($name), $default, ($min, $max), $step),)*
        ];
    };
}

pub(crate) use parameters;

#[cfg(test)]
mod tests {
    use super::super::PARAMETERS;

    #[test]
    fn defaults_lie_within_their_range_and_names_are_told_apart() {
        let mut names = std::collections::HashSet::new();
        for parameter in &PARAMETERS {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.default), "{parameter:?}");
            assert!(parameter.step > 0 && parameter.step <= parameter.max - parameter.min, "{parameter:?}");
            assert!(names.insert(parameter.name), "{parameter:?}");
        }
    }
}
