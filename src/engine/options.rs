//! The engine's options: one table of names, kinds and ranges, and the values they set.

use std::time::Duration;

use thiserror::Error;

use super::skill::FULL_STRENGTH;
use crate::eval::nnue::NnueEvaluator;
use crate::movegen::MAX_MOVES;
use crate::position::EnteringKingRule;
use crate::rules::Rules;
use crate::search::SearchSettings;
use crate::types::{Depth, MAX_PLY, Score};

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
    /// Where to write what is said in both directions; empty for nowhere.
    pub debug_log_file: String,
    /// What search reads directly, apart from the draw values.
    search: SearchSettings,
}

impl Options {
    /// The settings for a search.
    pub fn search_settings(&self) -> SearchSettings {
        SearchSettings { draw_value: self.draw_value.map(Score::from_centipawns), ..self.search.clone() }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.search.rules
    }

    /// Sets an option by its name or alias, in any case. A number out of range becomes the nearest
    /// allowed one, which is then told.
    ///
    /// # Errors
    /// Changes nothing when there is no such option or the value is not one of its kind.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<Clamped>, OptionError> {
        let spec = OptionSpec::find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let value = value.ok_or(OptionError::NoValue(spec.name))?;
        let refused = |expected: String| OptionError::BadValue { name: spec.name, value: value.to_owned(), expected };
        match spec.kind {
            OptionSetting::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(self, true),
                "false" => set(self, false),
                _ => return Err(refused("true or false".to_owned())),
            },
            OptionSetting::Spin { min, max, set, .. } => {
                let asked: i128 = value.parse().map_err(|_| refused(format!("a number from {min} to {max}")))?;
                let used = asked.clamp(min.into(), max.into()) as i64;
                set(self, used);
                if i128::from(used) != asked {
                    return Ok(Some(Clamped { name: spec.name, asked, used }));
                }
            }
            OptionSetting::Combo { values, set, .. } => {
                let index = values.iter().position(|known| known.eq_ignore_ascii_case(value));
                set(self, index.ok_or_else(|| refused(format!("one of {}", values.join(", "))))?);
            }
            OptionSetting::File { set, .. } => set(self, value),
        }
        Ok(None)
    }
}

/// Sets a number that search is tuned by, as an option of its name.
#[cfg(feature = "tuning")]
pub(super) fn set_parameter(
    parameter: &'static crate::search::Parameter,
    value: Option<&str>,
) -> Result<Option<Clamped>, OptionError> {
    let value = value.ok_or(OptionError::NoValue(parameter.name))?;
    let expected = || format!("a number from {} to {}", parameter.min, parameter.max);
    let refused = |_| OptionError::BadValue { name: parameter.name, value: value.to_owned(), expected: expected() };
    let asked: i32 = value.parse().map_err(refused)?;
    parameter.set(asked);
    let used = parameter.value();
    Ok((used != asked).then(|| Clamped { name: parameter.name, asked: asked.into(), used: used.into() }))
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: 256,
            threads: 1,
            ponder: false,
            stochastic_ponder: false,
            resign_value: 99_999,
            skill_level: FULL_STRENGTH,
            depth_limit: None,
            nodes_limit: None,
            draw_value: [-2; 2],
            eval_file: String::new(),
            fv_scale: NnueEvaluator::DEFAULT_FV_SCALE,
            debug_log_file: String::new(),
            search: SearchSettings::default(),
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
        expected: String,
    },
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

const fn also(spec: OptionSpec, aliases: &'static [&'static str]) -> OptionSpec {
    OptionSpec { aliases, ..spec }
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
    also(spin("USI_Hash", (1, 33_554_432), |o| o.hash_mb as i64, |o, v| o.hash_mb = v as usize), &["Hash"]),
    check("USI_Ponder", |o| o.ponder, |o, v| o.ponder = v),
    check("Stochastic_Ponder", |o| o.stochastic_ponder, |o, v| o.stochastic_ponder = v),
    spin("Threads", (1, 512), |o| o.threads as i64, |o, v| o.threads = v as usize),
    also(
        spin("MultiPV", (1, MAX_MOVES as i64), |o| o.search.multi_pv as i64, |o, v| o.search.multi_pv = v as usize),
        &["USI_MultiPV"],
    ),
    file("EvalFile", |o| &o.eval_file, |o, v| o.eval_file = v.to_owned()),
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
    check("GenerateAllLegalMoves", |o| o.search.generate_all_legal_moves, |o, v| o.search.generate_all_legal_moves = v),
    file("DebugLogFile", |o| &o.debug_log_file, |o, v| o.debug_log_file = v.to_owned()),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A value unlike the default and its text, whatever the kind.
    fn another_value(spec: &OptionSpec) -> String {
        let defaults = Options::default();
        match spec.kind {
            OptionSetting::Check { get, .. } => (!get(&defaults)).to_string(),
            OptionSetting::Spin { get, max, .. } => (max - i64::from(get(&defaults) == max)).to_string(),
            OptionSetting::Combo { get, values, .. } => values[(get(&defaults) + 1) % values.len()].to_owned(),
            OptionSetting::File { .. } => "C:\\評価\\nn.bin".to_owned(),
        }
    }

    fn value_text(spec: &OptionSpec, options: &Options) -> String {
        match spec.kind {
            OptionSetting::Check { get, .. } => get(options).to_string(),
            OptionSetting::Spin { get, .. } => get(options).to_string(),
            OptionSetting::Combo { get, values, .. } => values[get(options)].to_owned(),
            OptionSetting::File { get, .. } => get(options).to_owned(),
        }
    }

    #[test]
    fn every_option_sets_what_it_reads_and_nothing_else() {
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
    fn defaults_lie_within_their_range_and_names_hold_no_blank() {
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
    fn numbers_out_of_range_become_the_nearest() {
        let mut options = Options::default();
        let clamped = options.set("hash", Some("-5")).unwrap();
        assert_eq!(clamped, Some(Clamped { name: "USI_Hash", asked: -5, used: 1 }));
        assert_eq!(options.hash_mb, 1);
    }

    #[test]
    fn what_cannot_be_read_changes_nothing() {
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
