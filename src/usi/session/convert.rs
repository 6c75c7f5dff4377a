//! Between the protocol's words and the engine's.

use std::time::Duration;

use crate::engine::{Answer, Decision, OptionSetting, OptionSpec, Options};
use crate::mate::{MateLimits, MateOutcome, MateProgress, MateResult};
use crate::search::{self, Clock, SearchInfo, SearchLimits, TimeSettings, longest_time};
use crate::types::{Color, Depth, MAX_PLY};
use crate::usi::message::{
    BestMove, Checkmate, GoParams, Info, InfoScore, MateParams, OptionDecl, OptionKind, UsiMessage, UsiPvEnd, UsiScore,
};

/// The clocks of `go` or `ponderhit`, if any were sent.
///
/// Whoever sends clocks wants a move in time: a side of which nothing is known is given the other's
/// time, or none, rather than all the time of the world.
pub(super) fn clock(sent: &Clock) -> Option<Clock> {
    let mut clock = *sent;
    for color in Color::ALL {
        if !clock.bounds(color) {
            clock.time[color.index()] = Some(sent.time[(!color).index()].unwrap_or(0));
        }
    }
    (*sent != Clock::default()).then_some(clock)
}

/// The depth that is searched where this one is asked for.
pub(super) fn depth(asked: u32) -> Depth {
    asked.clamp(1, MAX_PLY as u32) as Depth
}

/// The limits of `go`. `rtime` counts as a time for the move: search is random enough by itself.
pub(super) fn limits(params: &GoParams) -> SearchLimits {
    SearchLimits {
        clock: clock(&params.clock),
        move_time: params.movetime.into_iter().chain(params.rtime).min().map(Duration::from_millis),
        depth: params.depth.map(depth),
        nodes: params.nodes.map(|nodes| nodes.max(1)),
        infinite: params.infinite,
        ponder: params.ponder,
        search_moves: params.searchmoves.clone(),
        ..SearchLimits::default()
    }
}

/// A line of progress. What has a score without a search, by a book or by rule, has no figures of one: a book's depth
/// is that of the search by which it was made.
pub(super) fn info(line: &SearchInfo) -> UsiMessage {
    let is_searched = line.nodes > 0;
    UsiMessage::Info(Info {
        depth: Some(line.depth.unsigned_abs()),
        seldepth: is_searched.then_some(line.selective_depth as u32),
        multipv: Some(line.multi_pv as u32),
        score: Some(InfoScore { value: line.score.outcome().into(), bound: line.bound }),
        nodes: is_searched.then_some(line.nodes),
        nps: is_searched.then(|| line.nps()),
        hashfull: is_searched.then_some(line.hash_full),
        time: is_searched.then_some(line.time.as_millis() as u64),
        pv: line.pv.clone(),
        pv_end: line.pv_end.and_then(pv_end),
        ..Info::default()
    })
}

/// The word for how a line ends; none behind a move that ends the game itself.
fn pv_end(end: search::PvEnd) -> Option<UsiPvEnd> {
    Some(match end {
        search::PvEnd::RepetitionDraw => UsiPvEnd::RepDraw,
        search::PvEnd::RepetitionWin => UsiPvEnd::RepWin,
        search::PvEnd::RepetitionLoss => UsiPvEnd::RepLose,
        search::PvEnd::Superior => UsiPvEnd::RepSup,
        search::PvEnd::Inferior => UsiPvEnd::RepInf,
        search::PvEnd::DeclareWin => UsiPvEnd::Win,
        search::PvEnd::Try => return None,
    })
}

/// The last messages of a search: its lines, the best last, then the decision. Clients take the score from the line
/// before `bestmove`.
pub(super) fn answer(answer: &Answer) -> Vec<UsiMessage> {
    let best = match answer.decision {
        Decision::Play { best, ponder } => BestMove::Move { best, ponder },
        // One word for both: the host counts the points.
        Decision::DeclareWin | Decision::DeclareDraw => BestMove::Win,
        Decision::Resign => BestMove::Resign,
    };
    answer.lines.iter().rev().map(info).chain([UsiMessage::BestMove(best)]).collect()
}

/// The limits of `go mate`, for the player whose clock counts.
pub(super) fn mate_limits(params: &MateParams, time: &TimeSettings, color: Color, game_ply: u32) -> MateLimits {
    let other = limits(&params.limits);
    let longest = longest_time(&other, time, color, game_ply);
    MateLimits {
        time: params.time.map(Duration::from_millis).into_iter().chain(longest).min(),
        nodes: other.nodes,
        plies: other.depth.and_then(|depth| u16::try_from(depth).ok()),
        ..MateLimits::default()
    }
}

/// A line of progress of a search for a mate. `depth` is the length of the mate, once there is one.
pub(super) fn mate_info(progress: &MateProgress) -> UsiMessage {
    let plies = u32::try_from(progress.mate.len()).ok().filter(|&plies| plies > 0);
    UsiMessage::Info(Info {
        depth: Some(plies.unwrap_or_else(|| u32::from(progress.selective_depth))),
        seldepth: Some(u32::from(progress.selective_depth).max(plies.unwrap_or(0))),
        score: plies.map(|plies| UsiScore::MateIn(Some(plies)).into()),
        nodes: Some(progress.nodes),
        nps: Some(progress.nps()),
        hashfull: Some(progress.hash_full),
        time: Some(progress.time.as_millis() as u64),
        pv: progress.mate.clone(),
        ..Info::default()
    })
}

/// The last messages of a search for a mate.
pub(super) fn mate_answer(result: &MateResult) -> Vec<UsiMessage> {
    let (answer, remark) = match &result.outcome {
        MateOutcome::Mate(mate) => {
            let remark = (!mate.is_shortest).then_some("there may be a shorter mate");
            (Checkmate::Moves(mate.moves.clone()), remark)
        }
        MateOutcome::NoMate { .. } => (Checkmate::NoMate, None),
        MateOutcome::NoMateWithin(_) | MateOutcome::Unknown => (Checkmate::Timeout, None),
    };
    let remark = remark.map(UsiMessage::info_string);
    [mate_info(&result.progress)].into_iter().chain(remark).chain([UsiMessage::Checkmate(answer)]).collect()
}

/// All options, as the answer to `usi` lists them.
pub(super) fn option_list() -> impl Iterator<Item = UsiMessage> {
    let option = |name: &str, kind| UsiMessage::Option(OptionDecl { name: name.to_owned(), kind });
    let spin = |default, min, max| OptionKind::Spin { default: Some(default), min: Some(min), max: Some(max) };
    let mut defaults = Options::default();
    let options = OptionSpec::ALL.iter().map(move |spec| {
        let kind = match spec.kind {
            OptionSetting::Check(place) => OptionKind::Check { default: Some(*place(&mut defaults)) },
            OptionSetting::Spin(min, max, place) => spin(place(&mut defaults).get(), min, max),
            OptionSetting::Combo(words, place) => OptionKind::Combo {
                default: Some(words[place(&mut defaults).get() as usize].to_owned()),
                vars: words.iter().copied().map(str::to_owned).collect(),
            },
            OptionSetting::File(place) => OptionKind::Filename { default: Some(place(&mut defaults).clone()) },
            OptionSetting::Text(place) => OptionKind::String { default: Some(place(&mut defaults).clone()) },
        };
        option(spec.name, kind)
    });
    #[cfg(feature = "tuning")]
    let options = options.chain(crate::search::PARAMETERS.iter().map(move |parameter| {
        let (default, min, max) = (parameter.default.into(), parameter.min.into(), parameter.max.into());
        option(parameter.name, spin(default, min, max))
    }));
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_clock_of_go_bounds_both_sides() {
        for sent in [
            Clock { time: [Some(5000), None], ..Clock::default() },
            Clock { time: [None, Some(0)], byoyomi: Some(1000), ..Clock::default() },
            Clock { byoyomi: Some(0), ..Clock::default() },
            Clock { increment: [Some(0); 2], ..Clock::default() },
            Clock { time: [Some(-5000), None], increment: [Some(10_000), None], ..Clock::default() },
            Clock { moves_to_go: Some(10), ..Clock::default() },
        ] {
            let clock = clock(&sent).unwrap();
            assert!(Color::ALL.into_iter().all(|color| clock.bounds(color)), "{sent:?}");
        }
        assert_eq!(clock(&Clock::default()), None);
    }

    #[test]
    fn with_byoyomi_a_clock_that_was_not_sent_is_taken_as_used_up() {
        let sent = Clock { time: [Some(60_000), None], byoyomi: Some(1000), ..Clock::default() };
        assert_eq!(clock(&sent).unwrap().time, [Some(60_000), None]);
    }

    #[test]
    fn depth_0_and_nodes_0_become_1() {
        let params = GoParams { depth: Some(0), nodes: Some(0), ..GoParams::default() };
        let limits = limits(&params);
        assert_eq!((limits.depth, limits.nodes), (Some(1), Some(1)));
    }
}
