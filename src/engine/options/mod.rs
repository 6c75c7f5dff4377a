//! The engine's options: one table of names, kinds and ranges, and the values they set.

mod set;
mod spec;
mod table;
mod values;

#[cfg(feature = "tuning")]
pub(super) use set::set_parameter;
pub use set::{Clamped, Expected, OptionError};
pub use spec::{OptionSetting, OptionSpec};
pub(super) use values::FULL_STRENGTH;
pub use values::Options;

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
    fn zero_is_no_limit_and_one_is_one() {
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
    fn numbers_out_of_range_become_the_nearest() {
        let mut options = Options::default();
        let clamped = options.set("hash", Some("-5")).unwrap();
        assert_eq!(clamped, Some(Clamped { name: "USI_Hash", asked: -5, used: 1 }));
        assert_eq!(options.hash_mb, 1);
    }

    #[test]
    fn numbers_switch_as_words_do() {
        let mut options = Options::default();
        for (value, expected) in [("1", true), ("0", false), ("true", true), ("FALSE", false)] {
            options.set("USI_Ponder", Some(value)).unwrap();
            assert_eq!(options.ponder, expected, "{value}");
        }
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
