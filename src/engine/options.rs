//! The engine's options: their values, one table of names, kinds and ranges, and how they are set from text.
//!
//! A new option is a row of [`OptionSpec::ALL`] and a value in [`Options`].

use std::time::Duration;

use OptionSetting::{Check, Combo, File, Spin, Text};
use thiserror::Error;

use crate::book::BookSettings;
use crate::eval::nnue::NnueEvaluator;
use crate::movegen::MAX_MOVES;
use crate::position::EnteringKingRule;
use crate::rules::Rules;
use crate::search::SearchSettings;
use crate::threads;
use crate::types::{Depth, MAX_PLY, Score};

/// The `SkillLevel` of full strength.
pub const FULL_STRENGTH: u32 = 20;

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash_mb: usize,
    /// Search threads.
    pub threads: usize,
    /// Whether the GUI means to let the engine think on the opponent's time.
    pub ponder: bool,
    /// Ponder on the position before the opponent's expected move, for the opponent.
    pub stochastic_ponder: bool,
    /// Resign when the best score is at most minus this many centipawns.
    pub resign_value: i32,
    /// Declare the draw that a 24-point rule gives, when the position is worth less.
    pub declare_draw: bool,
    /// How well to play, from 0 to 20, which is full strength.
    pub skill_level: u32,
    /// Below full strength, answer after a moment such as people take.
    pub skill_pace: bool,
    /// Deepest iteration of any search; `None` for no limit.
    pub depth_limit: Option<Depth>,
    /// Nodes of any search; `None` for no limit.
    pub nodes_limit: Option<u64>,
    /// What a draw is worth in centipawns with Black, or White, to move at the root.
    pub draw_value: [i32; 2],
    /// The network to evaluate with, a file or a folder that holds `nn.bin`; empty for the built-in evaluation.
    pub eval_file: String,
    /// What the network's output is divided by.
    pub fv_scale: i32,
    /// Whether to play from an opening book.
    pub own_book: bool,
    /// The book: a file, `no_book`, or empty for the one in the program.
    pub book_file: String,
    /// The folder in which the book's file is looked for as well.
    pub book_dir: String,
    /// Search a text book on disk instead of reading it whole.
    pub book_on_the_fly: bool,
    /// How its moves are chosen.
    pub book: BookSettings,
    /// Where to write what is said in both directions; empty for nowhere.
    pub debug_log_file: String,
    /// What search reads directly, apart from the draw values.
    pub(super) search: SearchSettings,
}

/// The engine runs in a page, which has little memory and no files.
const IS_PAGE: bool = cfg!(target_family = "wasm");

impl Options {
    /// The most search threads.
    pub const MAX_THREADS: usize = if threads::AVAILABLE { 512 } else { 1 };
    /// The largest transposition table in MiB: 32 TiB, as YaneuraOu has it; in a page 512 MiB, which browsers bear.
    pub const MAX_HASH_MB: usize = if IS_PAGE { 512 } else { 33_554_432 };

    /// The settings for a search.
    pub fn search_settings(&self) -> SearchSettings {
        SearchSettings { draw_value: self.draw_value.map(Score::from_centipawns), ..self.search.clone() }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.search.rules
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: if IS_PAGE { 16 } else { 256 },
            threads: 1,
            ponder: false,
            stochastic_ponder: false,
            resign_value: 99_999,
            declare_draw: true,
            skill_level: FULL_STRENGTH,
            skill_pace: false,
            depth_limit: None,
            nodes_limit: None,
            draw_value: [-2; 2],
            eval_file: String::new(),
            fv_scale: NnueEvaluator::DEFAULT_FV_SCALE,
            own_book: true,
            book_file: String::new(),
            book_dir: "book".to_owned(),
            book_on_the_fly: false,
            book: BookSettings::default(),
            debug_log_file: String::new(),
            search: SearchSettings::default(),
        }
    }
}

/// A row of the option table.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The name to show.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// Kind, range and where its value stands. The default is the value in [`Options::default`].
    pub kind: OptionSetting,
}

/// The kinds of options, each with the place of its value.
#[derive(Clone, Copy, Debug)]
pub enum OptionSetting {
    /// On or off.
    Check(fn(&mut Options) -> &mut bool),
    /// A number, from the smallest allowed to the largest.
    Spin(i64, i64, fn(&mut Options) -> &mut dyn Number),
    /// One of these words.
    Combo(&'static [&'static str], fn(&mut Options) -> &mut dyn Number),
    /// The path of a file.
    File(fn(&mut Options) -> &mut String),
    /// Any text.
    Text(fn(&mut Options) -> &mut String),
}

/// The value of an option that is shown and set as a number.
pub trait Number {
    /// The number.
    fn get(&self) -> i64;
    /// Takes a number that lies in the option's range.
    fn set(&mut self, number: i64);
}

/// The options' ranges are those of the types, or smaller.
macro_rules! numbers {
    ($($integer:ty),*) => {
        $(impl Number for $integer {
            fn get(&self) -> i64 {
                *self as i64
            }

            fn set(&mut self, number: i64) {
                *self = number as $integer;
            }
        })*
    };
}

numbers!(usize, u64, u32, i32);

/// In milliseconds.
impl Number for Duration {
    fn get(&self) -> i64 {
        self.as_millis() as i64
    }

    fn set(&mut self, number: i64) {
        *self = Duration::from_millis(number as u64);
    }
}

/// 0 for none.
impl<T: Number + Default> Number for Option<T> {
    fn get(&self) -> i64 {
        self.as_ref().map_or(0, T::get)
    }

    fn set(&mut self, number: i64) {
        *self = (number > 0).then(T::default);
        self.iter_mut().for_each(|value| value.set(number));
    }
}

/// By the place in [`EnteringKingRule::ALL`].
impl Number for EnteringKingRule {
    fn get(&self) -> i64 {
        *self as i64
    }

    fn set(&mut self, number: i64) {
        *self = EnteringKingRule::ALL[number as usize];
    }
}

impl OptionSpec {
    /// Every option, in the order to show them in.
    pub const ALL: &'static [OptionSpec] = &[
        OptionSpec { aliases: &["Hash"], ..row("USI_Hash", Spin(1, Options::MAX_HASH_MB as i64, |o| &mut o.hash_mb)) },
        row("USI_Ponder", Check(|o| &mut o.ponder)),
        row("Stochastic_Ponder", Check(|o| &mut o.stochastic_ponder)),
        row("Threads", Spin(1, Options::MAX_THREADS as i64, |o| &mut o.threads)),
        OptionSpec {
            aliases: &["USI_MultiPV"],
            ..row("MultiPV", Spin(1, MAX_MOVES as i64, |o| &mut o.search.multi_pv))
        },
        #[cfg(not(target_family = "wasm"))]
        OptionSpec { aliases: &["EvalDir"], ..row("EvalFile", File(|o| &mut o.eval_file)) },
        row("FV_SCALE", Spin(1, 128, |o| &mut o.fv_scale)),
        row("NetworkDelay", Spin(0, 10_000, |o| &mut o.search.time.network_delay)),
        row("NetworkDelay2", Spin(0, 10_000, |o| &mut o.search.time.network_delay2)),
        row("MinimumThinkingTime", Spin(0, 100_000, |o| &mut o.search.time.minimum_thinking_time)),
        row("SlowMover", Spin(1, 1000, |o| &mut o.search.time.slow_mover)),
        row("RoundUpToFullSecond", Check(|o| &mut o.search.time.round_up_to_full_second)),
        row("EnteringKingRule", Combo(&EnteringKingRule::NAMES, |o| &mut o.search.rules.king_rule)),
        row("MaxMovesToDraw", Spin(0, 100_000, |o| &mut o.search.rules.max_moves)),
        row("DrawValueBlack", Spin(-30_000, 30_000, |o| &mut o.draw_value[0])),
        row("DrawValueWhite", Spin(-30_000, 30_000, |o| &mut o.draw_value[1])),
        row("DeclareDraw", Check(|o| &mut o.declare_draw)),
        row("ResignValue", Spin(0, 99_999, |o| &mut o.resign_value)),
        row("SkillLevel", Spin(0, FULL_STRENGTH as i64, |o| &mut o.skill_level)),
        row("SkillPace", Check(|o| &mut o.skill_pace)),
        row("PvInterval", Spin(0, 100_000, |o| &mut o.search.pv_interval)),
        row("ConsiderationMode", Check(|o| &mut o.search.consideration_mode)),
        row("OutputFailLHPV", Check(|o| &mut o.search.report_bounds)),
        row("DepthLimit", Spin(0, MAX_PLY as i64, |o| &mut o.depth_limit)),
        row("NodesLimit", Spin(0, i64::MAX, |o| &mut o.nodes_limit)),
        row("RootMateSearchNodesLimit", Spin(0, 1 << 40, |o| &mut o.search.root_mate_nodes)),
        row("GenerateAllLegalMoves", Check(|o| &mut o.search.generate_all_legal_moves)),
        row("USI_OwnBook", Check(|o| &mut o.own_book)),
        #[cfg(not(target_family = "wasm"))]
        row("BookFile", File(|o| &mut o.book_file)),
        #[cfg(not(target_family = "wasm"))]
        row("BookDir", Text(|o| &mut o.book_dir)),
        row("BookOnTheFly", Check(|o| &mut o.book_on_the_fly)),
        row("BookMoves", Spin(0, 10_000, |o| &mut o.book.moves)),
        row("BookEvalDiff", Spin(0, 99_999, |o| &mut o.book.eval_diff)),
        row("BookEvalBlackLimit", Spin(-99_999, 99_999, |o| &mut o.book.eval_limit[0])),
        row("BookEvalWhiteLimit", Spin(-99_999, 99_999, |o| &mut o.book.eval_limit[1])),
        row("BookDepthLimit", Spin(0, 99_999, |o| &mut o.book.depth_limit)),
        row("BookPvMoves", Spin(1, MAX_PLY as i64, |o| &mut o.book.pv_moves)),
        row("NarrowBook", Check(|o| &mut o.book.narrow)),
        row("ConsiderBookMoveCount", Check(|o| &mut o.book.consider_count)),
        row("IgnoreBookPly", Check(|o| &mut o.book.lookup.ignore_ply)),
        row("FlippedBook", Check(|o| &mut o.book.lookup.flipped)),
        #[cfg(not(target_family = "wasm"))]
        row("DebugLogFile", File(|o| &mut o.debug_log_file)),
    ];

    /// The option with this name or alias, in any case.
    pub fn find(name: &str) -> Option<&'static OptionSpec> {
        let is_meant = |known: &&str| known.eq_ignore_ascii_case(name);
        OptionSpec::ALL.iter().find(|spec| is_meant(&spec.name) || spec.aliases.iter().any(is_meant))
    }
}

const fn row(name: &'static str, kind: OptionSetting) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind }
}

impl Options {
    /// Sets an option by its name or alias, in any case. A number out of range becomes the nearest allowed one, which
    /// is then returned.
    ///
    /// # Errors
    /// Changes nothing when there is no such option or the value is not one of its kind.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<Clamped>, OptionError> {
        let spec = OptionSpec::find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let value = value.ok_or(OptionError::NoValue(spec.name))?;
        let refused = |expected: Expected| OptionError::BadValue { name: spec.name, value: value.to_owned(), expected };
        match spec.kind {
            Check(place) => match value.to_ascii_lowercase().as_str() {
                // XBoard's adapter uci2wb switches pondering by numbers.
                "true" | "1" => *place(self) = true,
                "false" | "0" => *place(self) = false,
                _ => return Err(refused(Expected::TrueOrFalse)),
            },
            Spin(min, max, place) => {
                let asked: i128 = value.parse().map_err(|_| refused(Expected::Number { min, max }))?;
                let used = asked.clamp(min.into(), max.into()) as i64;
                place(self).set(used);
                return Ok((i128::from(used) != asked).then_some(Clamped { name: spec.name, asked, used }));
            }
            Combo(words, place) => {
                let index = words.iter().position(|known| known.eq_ignore_ascii_case(value));
                place(self).set(index.ok_or_else(|| refused(Expected::OneOf(words)))? as i64);
            }
            File(place) | Text(place) => value.clone_into(place(self)),
        }
        Ok(None)
    }
}

/// Sets a parameter of the search through the option of its name.
#[cfg(feature = "tuning")]
pub(super) fn set_parameter(
    parameter: &'static crate::search::Parameter,
    value: Option<&str>,
) -> Result<Option<Clamped>, OptionError> {
    let value = value.ok_or(OptionError::NoValue(parameter.name))?;
    let expected = || Expected::Number { min: parameter.min.into(), max: parameter.max.into() };
    let refused = |_| OptionError::BadValue { name: parameter.name, value: value.to_owned(), expected: expected() };
    let asked: i32 = value.parse().map_err(refused)?;
    parameter.set(asked);
    let used = parameter.value();
    Ok((used != asked).then(|| Clamped { name: parameter.name, asked: asked.into(), used: used.into() }))
}

/// What the value of an option has to be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Expected {
    /// `true` or `false`.
    #[error("true or false")]
    TrueOrFalse,
    /// A whole number.
    #[error("a number from {min} to {max}")]
    Number {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these words.
    #[error("one of {}", .0.join(", "))]
    OneOf(&'static [&'static str]),
}

/// A number that was out of range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("option {name}: {asked} is out of range, {used} is used")]
pub struct Clamped {
    /// The option.
    pub name: &'static str,
    /// What was asked for.
    pub asked: i128,
    /// What was set.
    pub used: i64,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no option is called \"{0}\"")]
    Unknown(String),
    /// The option needs a value.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// The value cannot be read.
    #[error("option {name}: \"{value}\" is not {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would have been understood.
        expected: Expected,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of the kind unlike the default, as text.
    fn another_value(spec: &OptionSpec) -> String {
        let defaults = &mut Options::default();
        match spec.kind {
            Check(place) => (!*place(defaults)).to_string(),
            Spin(_, max, place) => (max - i64::from(place(defaults).get() == max)).to_string(),
            Combo(words, place) => words[(place(defaults).get() as usize + 1) % words.len()].to_owned(),
            File(_) | Text(_) => "C:\\評価\\nn.bin".to_owned(),
        }
    }

    fn value_text(spec: &OptionSpec, options: &mut Options) -> String {
        match spec.kind {
            Check(place) => place(options).to_string(),
            Spin(_, _, place) => place(options).get().to_string(),
            Combo(words, place) => words[place(options).get() as usize].to_owned(),
            File(place) | Text(place) => place(options).clone(),
        }
    }

    #[test]
    fn every_option_sets_its_own_value_alone() {
        for spec in OptionSpec::ALL {
            let mut options = Options::default();
            let value = another_value(spec);
            assert_eq!(options.set(&spec.name.to_uppercase(), Some(&value)), Ok(None), "{}", spec.name);
            for other in OptionSpec::ALL {
                let expected =
                    if other.name == spec.name { value.clone() } else { value_text(other, &mut Options::default()) };
                assert_eq!(value_text(other, &mut options), expected, "{} after {}", other.name, spec.name);
            }
        }
    }

    #[test]
    fn defaults_lie_within_their_ranges_and_names_have_no_blanks() {
        let mut names = std::collections::HashSet::new();
        for spec in OptionSpec::ALL {
            if let Spin(min, max, place) = spec.kind {
                assert!((min..=max).contains(&place(&mut Options::default()).get()), "{}", spec.name);
            }
            for name in spec.aliases.iter().chain([&spec.name]) {
                assert!(!name.contains(' ') && names.insert(name.to_lowercase()), "{name}");
            }
        }
    }

    #[test]
    fn zero_sets_no_limit() {
        let mut options = Options::default();
        for (name, read) in [
            ("DepthLimit", (|options| options.depth_limit.map(i64::from)) as fn(&Options) -> Option<i64>),
            ("NodesLimit", |options| options.nodes_limit.map(|nodes| nodes as i64)),
        ] {
            for (value, expected) in [("1", Some(1)), ("0", None)] {
                options.set(name, Some(value)).unwrap();
                assert_eq!(read(&options), expected, "{name} {value}");
            }
        }
    }

    #[test]
    fn numbers_out_of_range_are_clamped_and_reported() {
        let mut options = Options::default();
        let clamped = options.set("hash", Some("-5")).unwrap();
        assert_eq!(clamped, Some(Clamped { name: "USI_Hash", asked: -5, used: 1 }));
        assert_eq!(options.hash_mb, 1);
    }

    #[test]
    fn a_check_option_takes_numbers_as_well() {
        let mut options = Options::default();
        for (value, expected) in [("1", true), ("0", false), ("true", true), ("FALSE", false)] {
            options.set("USI_Ponder", Some(value)).unwrap();
            assert_eq!(options.ponder, expected, "{value}");
        }
    }

    #[test]
    fn unknown_options_and_bad_values_change_nothing() {
        for (name, value) in [
            ("NoSuchOption", Some("1")),
            ("Threads", None),
            ("Threads", Some("")),
            ("Threads", Some("four")),
            ("Threads", Some("1.5")),
            ("USI_Ponder", Some("maybe")),
            ("EnteringKingRule", Some("CSARule28")),
        ] {
            let mut options = Options::default();
            let error = options.set(name, value).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
            assert_eq!(options, Options::default());
        }
    }
}
