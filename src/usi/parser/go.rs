//! `go` and `ponderhit`.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, value};
use nom::sequence::preceded;

use super::words::{
    Parsed, Skipped, each_part, milliseconds, positive_milliseconds, set, uint32, uint64, unknown, word,
};
use crate::usi::message::{Clocks, Go, GoParams, MateLimit};

/// What follows `go`. `mate` and `perft`, wherever they stand, say what kind it is.
pub(super) fn go<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, Go> {
    let mut params = GoParams::default();
    let mut other = None;
    let mut in_searchmoves = false;
    let (input, ()) = each_part(skipped, |keyword, input| match keyword {
        "mate" => set(&mut other, mate_limit.map(Go::Mate), input),
        "perft" => set(&mut other, uint32.map(Go::Perft), input),
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
    Ok((input, other.unwrap_or(Go::Search(params))))
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

fn mate_limit(input: &str) -> Parsed<'_, MateLimit> {
    let limit = alt((
        value(MateLimit::Infinite, word("infinite")),
        preceded(word("nodes"), uint64).map(MateLimit::Nodes),
        positive_milliseconds.map(MateLimit::Time),
    ));
    opt(limit).map(|limit| limit.unwrap_or(MateLimit::Infinite)).parse(input)
}
