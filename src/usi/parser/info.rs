//! `info`.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map_opt, opt, value};
use nom::multi::many0;
use nom::sequence::preceded;

use super::words::{Parsed, Skipped, each_part, int32, move_, rest_of_line, set, signed, token, uint32, uint64};
use super::words::{unknown, word};
use crate::usi::message::{CurrLine, Info, InfoScore, PvEnd, ScoreBound, UsiScore};

/// What follows `info`.
pub(super) fn info<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, Info> {
    let mut info = Info::default();
    let (input, ()) = each_part(skipped, |keyword, input| match keyword {
        "depth" => set(&mut info.depth, uint32, input),
        "seldepth" => set(&mut info.seldepth, uint32, input),
        "multipv" => set(&mut info.multipv, uint32, input),
        "score" => set(&mut info.score, score, input),
        "nodes" => set(&mut info.nodes, uint64, input),
        "nps" => set(&mut info.nps, uint64, input),
        "hashfull" => set(&mut info.hashfull, uint32, input),
        "time" => set(&mut info.time, uint64, input),
        "currmove" => set(&mut info.currmove, move_, input),
        "currmovenumber" => set(&mut info.currmovenumber, uint32, input),
        "cpuload" => set(&mut info.cpuload, uint32, input),
        "refutation" => many0(move_).map(|moves| info.refutation = moves).parse(input),
        "currline" => {
            let line = (opt(uint32), many0(move_)).map(|(cpu, moves)| CurrLine { cpu, moves });
            set(&mut info.currline, line, input)
        }
        "pv" => (many0(move_), opt(pv_end)).map(|(moves, end)| (info.pv, info.pv_end) = (moves, end)).parse(input),
        "string" => set(&mut info.string, rest_of_line, input),
        _ => unknown(input),
    })
    .parse(input)?;
    Ok((input, info))
}

fn score(input: &str) -> Parsed<'_, InfoScore> {
    let mate = alt((
        value(UsiScore::MateIn(None), word("+")),
        value(UsiScore::MatedIn(None), word("-")),
        // The sign of zero counts: `-0` is mated.
        signed.map(|(negative, plies)| {
            let plies = Some(u32::try_from(plies).unwrap_or(u32::MAX));
            if negative { UsiScore::MatedIn(plies) } else { UsiScore::MateIn(plies) }
        }),
    ));
    let score = alt((preceded(word("cp"), int32).map(UsiScore::Cp), preceded(word("mate"), mate)));
    let bound = alt((value(ScoreBound::Lower, word("lowerbound")), value(ScoreBound::Upper, word("upperbound"))));
    (score, opt(bound))
        .map(|(value, bound)| InfoScore { value, bound: bound.unwrap_or(ScoreBound::Exact) })
        .parse(input)
}

fn pv_end(input: &str) -> Parsed<'_, PvEnd> {
    map_opt(token, |token| PvEnd::ALL.into_iter().find(|end| end.as_str() == token)).parse(input)
}
