//! `go` and `ponderhit`.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, value};

use super::words::{
    Parsed, Skipped, each_part, milliseconds, positive_milliseconds, set, uint32, uint64, unknown, word,
};
use crate::usi::message::{Clocks, Go, GoParams, MateParams};

/// What follows `go`. `mate` and `perft`, wherever they stand, say what kind it is.
pub(super) fn go<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, Go> {
    let mut params = GoParams::default();
    let (mut mate, mut perft) = (None, None);
    let mut in_searchmoves = false;
    let (input, ()) = each_part(skipped, |keyword, input| match keyword {
        "mate" => set(&mut mate, mate_time, input),
        "perft" => set(&mut perft, uint32, input),
        "ponder" => {
            params.ponder = true;
            Ok((input, ()))
        }
        "infinite" => {
            params.infinite = true;
            Ok((input, ()))
        }
        "movetime" => set(&mut params.movetime, positive_milliseconds, input),
        "rtime" => set(&mut params.rtime, positive_milliseconds, input),
        "depth" => set(&mut params.depth, uint32, input),
        "nodes" => set(&mut params.nodes, uint64, input),
        "searchmoves" => {
            in_searchmoves = true;
            params.searchmoves.clear();
            Ok((input, ()))
        }
        keyword => match keyword.parse() {
            Ok(mv) if in_searchmoves => {
                params.searchmoves.push(mv);
                Ok((input, ()))
            }
            _ => clock(&mut params.clocks, keyword, input),
        },
    })
    .parse(input)?;
    let go = match (mate, perft) {
        (Some(time), _) => Go::Mate(MateParams { time, besides: GoParams { infinite: false, ..params } }),
        (None, Some(depth)) => Go::Perft(depth),
        (None, None) => Go::Search(params),
    };
    Ok((input, go))
}

/// What follows `ponderhit`.
pub(super) fn ponderhit<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, Clocks> {
    let mut clocks = Clocks::default();
    let (input, ()) = each_part(skipped, |keyword, input| clock(&mut clocks, keyword, input)).parse(input)?;
    Ok((input, clocks))
}

fn clock<'a>(clocks: &mut Clocks, keyword: &str, input: &'a str) -> Parsed<'a, ()> {
    match keyword {
        "btime" => set(&mut clocks.btime, milliseconds, input),
        "wtime" => set(&mut clocks.wtime, milliseconds, input),
        "byoyomi" => set(&mut clocks.byoyomi, milliseconds, input),
        "binc" => set(&mut clocks.binc, milliseconds, input),
        "winc" => set(&mut clocks.winc, milliseconds, input),
        "movestogo" => set(&mut clocks.movestogo, uint32, input),
        _ => unknown(input),
    }
}

/// What follows `mate`: `infinite` or nothing for no time.
fn mate_time(input: &str) -> Parsed<'_, Option<u64>> {
    opt(alt((value(None, word("infinite")), positive_milliseconds.map(Some)))).map(Option::flatten).parse(input)
}
