//! The engine's options: their values, one table of names, kinds and ranges, and how they are set from text.
//!
//! A new option is a row of [`OptionSpec::ALL`] and a value in [`Options`].

use std::fmt;
use std::time::Duration;

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
pub(super) const FULL_STRENGTH: u32 = 20;

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
    /// Kind, range and what it sets. The default is what it gets from [`Options::default`].
    pub kind: OptionSetting,
}

/// The kinds of options, each with what reads and sets its value.
#[derive(Clone, Copy, Debug)]
pub enum OptionSetting {
    /// On or off.
    Check {
        /// Reads it.
        get: fn(&Options) -> bool,
        /// Sets it.
        set: fn(&mut Options, bool),
    },
    /// A number.
    Spin {
        /// The smallest allowed.
        min: i64,
        /// The largest allowed.
        max: i64,
        /// Reads it.
        get: fn(&Options) -> i64,
        /// Sets it.
        set: fn(&mut Options, i64),
    },
    /// One of several words.
    Combo {
        /// The words.
        values: &'static [&'static str],
        /// Reads it, as an index of `values`.
        get: fn(&Options) -> usize,
        /// Sets it, by an index of `values`.
        set: fn(&mut Options, usize),
    },
    /// The path of a file.
    File {
        /// Reads it.
        get: fn(&Options) -> &str,
        /// Sets it.
        set: fn(&mut Options, &str),
    },
    /// Any text.
    Text {
        /// Reads it.
        get: fn(&Options) -> &str,
        /// Sets it.
        set: fn(&mut Options, &str),
    },
}

const fn check(name: &'static str, get: fn(&Options) -> bool, set: fn(&mut Options, bool)) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind: OptionSetting::Check { get, set } }
}

const fn spin(
    name: &'static str,
    (min, max): (i64, i64),
    get: fn(&Options) -> i64,
    set: fn(&mut Options, i64),
) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind: OptionSetting::Spin { min, max, get, set } }
}

const fn file(name: &'static str, get: fn(&Options) -> &str, set: fn(&mut Options, &str)) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind: OptionSetting::File { get, set } }
}

const fn text(name: &'static str, get: fn(&Options) -> &str, set: fn(&mut Options, &str)) -> OptionSpec {
    OptionSpec { name, aliases: &[], kind: OptionSetting::Text { get, set } }
}

const fn also(spec: OptionSpec, aliases: &'static [&'static str]) -> OptionSpec {
    OptionSpec { aliases, ..spec }
}

impl OptionSpec {
    /// Every option, in the order to show them in.
    pub const ALL: &'static [OptionSpec] = TABLE;

    /// The option with this name or alias, in any case.
    pub fn find(name: &str) -> Option<&'static OptionSpec> {
        TABLE.iter().find(|spec| {
            spec.name.eq_ignore_ascii_case(name) || spec.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        })
    }
}

const ENTERING_KING_RULES: [&str; EnteringKingRule::ALL.len()] = {
    let mut names = [""; EnteringKingRule::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = EnteringKingRule::ALL[index].name();
        index += 1;
    }
    names
};

/// For numbers of which 0 means none.
fn positive(value: i64) -> Option<i64> {
    Some(value).filter(|&value| value > 0)
}

fn millis(value: i64) -> Duration {
    Duration::from_millis(value as u64)
}

const TABLE: &[OptionSpec] = &[
    also(
        spin("USI_Hash", (1, Options::MAX_HASH_MB as i64), |o| o.hash_mb as i64, |o, v| o.hash_mb = v as usize),
        &["Hash"],
    ),
    check("USI_Ponder", |o| o.ponder, |o, v| o.ponder = v),
    check("Stochastic_Ponder", |o| o.stochastic_ponder, |o, v| o.stochastic_ponder = v),
    spin("Threads", (1, Options::MAX_THREADS as i64), |o| o.threads as i64, |o, v| o.threads = v as usize),
    also(
        spin("MultiPV", (1, MAX_MOVES as i64), |o| o.search.multi_pv as i64, |o, v| o.search.multi_pv = v as usize),
        &["USI_MultiPV"],
    ),
    #[cfg(not(target_family = "wasm"))]
    also(file("EvalFile", |o| &o.eval_file, |o, v| o.eval_file = v.to_owned()), &["EvalDir"]),
    spin("FV_SCALE", (1, 128), |o| o.fv_scale.into(), |o, v| o.fv_scale = v as i32),
    spin(
        "NetworkDelay",
        (0, 10_000),
        |o| o.search.time.network_delay.as_millis() as i64,
        |o, v| o.search.time.network_delay = millis(v),
    ),
    spin(
        "NetworkDelay2",
        (0, 10_000),
        |o| o.search.time.network_delay2.as_millis() as i64,
        |o, v| o.search.time.network_delay2 = millis(v),
    ),
    spin(
        "MinimumThinkingTime",
        (0, 100_000),
        |o| o.search.time.minimum_thinking_time.as_millis() as i64,
        |o, v| o.search.time.minimum_thinking_time = millis(v),
    ),
    spin("SlowMover", (1, 1000), |o| o.search.time.slow_mover.into(), |o, v| o.search.time.slow_mover = v as u32),
    check(
        "RoundUpToFullSecond",
        |o| o.search.time.round_up_to_full_second,
        |o, v| o.search.time.round_up_to_full_second = v,
    ),
    OptionSpec {
        name: "EnteringKingRule",
        aliases: &[],
        kind: OptionSetting::Combo {
            values: &ENTERING_KING_RULES,
            get: |o| o.search.rules.king_rule as usize,
            set: |o, index| o.search.rules.king_rule = EnteringKingRule::ALL[index],
        },
    },
    spin(
        "MaxMovesToDraw",
        (0, 100_000),
        |o| o.search.rules.max_moves.unwrap_or(0).into(),
        |o, v| o.search.rules.max_moves = positive(v).map(|v| v as u32),
    ),
    spin("DrawValueBlack", (-30_000, 30_000), |o| o.draw_value[0].into(), |o, v| o.draw_value[0] = v as i32),
    spin("DrawValueWhite", (-30_000, 30_000), |o| o.draw_value[1].into(), |o, v| o.draw_value[1] = v as i32),
    check("DeclareDraw", |o| o.declare_draw, |o, v| o.declare_draw = v),
    spin("ResignValue", (0, 99_999), |o| o.resign_value.into(), |o, v| o.resign_value = v as i32),
    spin("SkillLevel", (0, FULL_STRENGTH as i64), |o| o.skill_level.into(), |o, v| o.skill_level = v as u32),
    spin(
        "PvInterval",
        (0, 100_000),
        |o| o.search.pv_interval.as_millis() as i64,
        |o, v| o.search.pv_interval = millis(v),
    ),
    check("ConsiderationMode", |o| o.search.consideration_mode, |o, v| o.search.consideration_mode = v),
    check(
        "OutputFailLHPV",
        |o| o.search.report_bounds_after.is_some(),
        |o, v| o.search.report_bounds_after = v.then_some(SearchSettings::REPORT_BOUNDS_AFTER),
    ),
    spin(
        "DepthLimit",
        (0, MAX_PLY as i64),
        |o| o.depth_limit.unwrap_or(0).into(),
        |o, v| o.depth_limit = positive(v).map(|v| v as Depth),
    ),
    spin(
        "NodesLimit",
        (0, i64::MAX),
        |o| o.nodes_limit.unwrap_or(0) as i64,
        |o, v| o.nodes_limit = positive(v).map(|v| v as u64),
    ),
    spin(
        "RootMateSearchNodesLimit",
        (0, 1 << 40),
        |o| o.search.root_mate_nodes as i64,
        |o, v| o.search.root_mate_nodes = v as u64,
    ),
    check("GenerateAllLegalMoves", |o| o.search.generate_all_legal_moves, |o, v| o.search.generate_all_legal_moves = v),
    check("USI_OwnBook", |o| o.own_book, |o, v| o.own_book = v),
    #[cfg(not(target_family = "wasm"))]
    file("BookFile", |o| &o.book_file, |o, v| o.book_file = v.to_owned()),
    #[cfg(not(target_family = "wasm"))]
    text("BookDir", |o| &o.book_dir, |o, v| o.book_dir = v.to_owned()),
    check("BookOnTheFly", |o| o.book_on_the_fly, |o, v| o.book_on_the_fly = v),
    spin("BookMoves", (0, 10_000), |o| o.book.moves.into(), |o, v| o.book.moves = v as u32),
    spin("BookEvalDiff", (0, 99_999), |o| o.book.eval_diff.into(), |o, v| o.book.eval_diff = v as i32),
    spin(
        "BookEvalBlackLimit",
        (-99_999, 99_999),
        |o| o.book.eval_limit[0].into(),
        |o, v| o.book.eval_limit[0] = v as i32,
    ),
    spin(
        "BookEvalWhiteLimit",
        (-99_999, 99_999),
        |o| o.book.eval_limit[1].into(),
        |o, v| o.book.eval_limit[1] = v as i32,
    ),
    spin("BookDepthLimit", (0, 99_999), |o| o.book.depth_limit.into(), |o, v| o.book.depth_limit = v as u32),
    spin("BookPvMoves", (1, MAX_PLY as i64), |o| o.book.pv_moves as i64, |o, v| o.book.pv_moves = v as usize),
    check("NarrowBook", |o| o.book.narrow, |o, v| o.book.narrow = v),
    check("ConsiderBookMoveCount", |o| o.book.consider_count, |o, v| o.book.consider_count = v),
    check("IgnoreBookPly", |o| o.book.lookup.ignore_ply, |o, v| o.book.lookup.ignore_ply = v),
    check("FlippedBook", |o| o.book.lookup.flipped, |o, v| o.book.lookup.flipped = v),
    #[cfg(not(target_family = "wasm"))]
    file("DebugLogFile", |o| &o.debug_log_file, |o, v| o.debug_log_file = v.to_owned()),
];

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
            OptionSetting::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                // XBoard's adapter uci2wb switches pondering by numbers.
                "true" | "1" => set(self, true),
                "false" | "0" => set(self, false),
                _ => return Err(refused(Expected::TrueOrFalse)),
            },
            OptionSetting::Spin { min, max, set, .. } => {
                let asked: i128 = value.parse().map_err(|_| refused(Expected::Number { min, max }))?;
                let used = asked.clamp(min.into(), max.into()) as i64;
                set(self, used);
                if i128::from(used) != asked {
                    return Ok(Some(Clamped { name: spec.name, asked, used }));
                }
            }
            OptionSetting::Combo { values, set, .. } => {
                let index = values.iter().position(|known| known.eq_ignore_ascii_case(value));
                set(self, index.ok_or_else(|| refused(Expected::OneOf(values)))?);
            }
            OptionSetting::File { set, .. } | OptionSetting::Text { set, .. } => set(self, value),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `true` or `false`.
    TrueOrFalse,
    /// A whole number.
    Number {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::TrueOrFalse => f.write_str("true or false"),
            Expected::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Expected::OneOf(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
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
        let defaults = Options::default();
        match spec.kind {
            OptionSetting::Check { get, .. } => (!get(&defaults)).to_string(),
            OptionSetting::Spin { get, max, .. } => (max - i64::from(get(&defaults) == max)).to_string(),
            OptionSetting::Combo { get, values, .. } => values[(get(&defaults) + 1) % values.len()].to_owned(),
            OptionSetting::File { .. } | OptionSetting::Text { .. } => "C:\\評価\\nn.bin".to_owned(),
        }
    }

    fn value_text(spec: &OptionSpec, options: &Options) -> String {
        match spec.kind {
            OptionSetting::Check { get, .. } => get(options).to_string(),
            OptionSetting::Spin { get, .. } => get(options).to_string(),
            OptionSetting::Combo { get, values, .. } => values[get(options)].to_owned(),
            OptionSetting::File { get, .. } | OptionSetting::Text { get, .. } => get(options).to_owned(),
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
                    if other.name == spec.name { value.clone() } else { value_text(other, &Options::default()) };
                assert_eq!(value_text(other, &options), expected, "{} after {}", other.name, spec.name);
            }
        }
    }

    #[test]
    fn defaults_lie_within_their_ranges_and_names_have_no_blanks() {
        let mut names = std::collections::HashSet::new();
        for spec in OptionSpec::ALL {
            if let OptionSetting::Spin { min, max, get, .. } = spec.kind {
                assert!((min..=max).contains(&get(&Options::default())), "{}", spec.name);
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
