//! The table of all options. A new option is a row here and a value in [`Options`].

use std::time::Duration;

use super::spec::{OptionSetting, OptionSpec, also, check, file, spin, text};
use super::values::{FULL_STRENGTH, Options};
use crate::movegen::MAX_MOVES;
use crate::position::EnteringKingRule;
use crate::search::SearchSettings;
use crate::types::{Depth, MAX_PLY};

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
    file("BookFile", |o| &o.book_file, |o, v| o.book_file = v.to_owned()),
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
    file("DebugLogFile", |o| &o.debug_log_file, |o, v| o.debug_log_file = v.to_owned()),
];
