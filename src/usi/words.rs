//! The words that messages are made of.

use std::cell::Cell;

use nom::branch::alt;
use nom::bytes::complete::is_not;
use nom::character::complete::{digit1, multispace0, one_of};
use nom::combinator::{eof, map_opt, opt, peek, rest, value, verify};
use nom::multi::{fold_many1, many0_count};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use crate::types::Move;

/// Nobody reads where inside a line an alternative failed, so errors carry nothing.
pub(super) type Parsed<'a, T> = IResult<&'a str, T, ()>;

/// What stands between words.
pub(super) const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// The first words of a line that have no meaning and were skipped: how many bytes of the line are left where they
/// begin, and how many behind them.
#[derive(Debug, Default)]
pub(super) struct Skipped(Cell<Option<(usize, usize)>>);

impl Skipped {
    /// Notes words, given what is left of the line before and behind them. Those right behind the first ones belong to
    /// them.
    pub(super) fn note(&self, before: &str, behind: &str) {
        match self.0.get() {
            None => self.0.set(Some((before.len(), behind.len()))),
            Some((begin, end)) if end == before.len() => self.0.set(Some((begin, behind.len()))),
            Some(_) => {}
        }
    }

    /// The words, of the line that was read.
    pub(super) fn words<'a>(&self, line: &'a str) -> Option<&'a str> {
        let (before, behind) = self.0.get()?;
        line.get(line.len().checked_sub(before)?..line.len() - behind).map(|words| words.trim_matches(BLANKS))
    }
}

/// The next word.
pub(super) fn token(input: &str) -> Parsed<'_, &str> {
    preceded(multispace0, is_not(&BLANKS[..])).parse(input)
}

/// This word.
pub(super) fn word<'a>(expected: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = ()> {
    verify(token, move |token: &str| token == expected)
}

/// The value that one of these words stands for.
pub(super) fn choice<'a, T: Copy>(words: &[(&str, T)]) -> impl Parser<&'a str, Output = T, Error = ()> {
    map_opt(token, |token| words.iter().find(|(word, _)| *word == token).map(|&(_, value)| value))
}

/// A word without meaning, which is anything but `next`.
pub(super) fn unless<'a>(skipped: &Skipped, next: &'static str) -> impl Parser<&'a str, Output = (), Error = ()> {
    skip(skipped, move |token| token != next)
}

/// A word without meaning, which is noted.
fn skip<'a>(skipped: &Skipped, is_meant: impl Fn(&str) -> bool) -> impl Parser<&'a str, Output = (), Error = ()> {
    move |input: &'a str| {
        let (behind, _) = verify(token, |token: &str| is_meant(token)).parse(input)?;
        skipped.note(input, behind);
        Ok((behind, ()))
    }
}

/// The words up to one of `stops`, at least one, joined by single blanks.
pub(super) fn phrase_until<'a>(stops: &'static [&'static str]) -> impl Parser<&'a str, Output = String, Error = ()> {
    fold_many1(verify(token, |token: &str| !stops.contains(&token)), String::new, |mut phrase, token| {
        if !phrase.is_empty() {
            phrase.push(' ');
        }
        phrase.push_str(token);
        phrase
    })
}

/// All that is left, without the blanks around it. A lone carriage return within it is a blank too, and no part of a
/// line that is written.
pub(super) fn rest_of_line(input: &str) -> Parsed<'_, String> {
    rest.map(|text: &str| text.trim_matches(BLANKS).replace('\r', " ")).parse(input)
}

/// A number of milliseconds, saturating, whose fraction is cut off: clients that count in floating point write
/// `1000.0`.
pub(super) fn milliseconds(input: &str) -> Parsed<'_, i64> {
    alt((int64, whole_part(int64))).parse(input)
}

/// The same, 0 for a negative number.
pub(super) fn positive_milliseconds(input: &str) -> Parsed<'_, u64> {
    alt((uint64, whole_part(uint64))).parse(input)
}

/// The whole part of a decimal number, as `number` reads it.
fn whole_part<'a, T>(number: fn(&'a str) -> Parsed<'a, T>) -> impl Parser<&'a str, Output = T, Error = ()> {
    map_opt(token, move |token: &'a str| {
        let (whole, fraction) = token.split_once('.')?;
        let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
        is_fraction.then(|| number(whole).ok()).flatten().map(|(_, number)| number)
    })
}

/// Nothing is left.
pub(super) fn blank_to_end(input: &str) -> Parsed<'_, ()> {
    value((), (multispace0, eof)).parse(input)
}

/// A move.
pub(super) fn move_(input: &str) -> Parsed<'_, Move> {
    map_opt(token, |token| token.parse().ok()).parse(input)
}

/// A word that is a sign, `true` for minus, and digits, whose number saturates.
pub(super) fn signed(input: &str) -> Parsed<'_, (bool, i128)> {
    let sign = opt(one_of("+-")).map(|sign| sign == Some('-'));
    let digits = digit1.map(|digits: &str| {
        digits.bytes().fold(0i128, |number, digit| number.saturating_mul(10).saturating_add(i128::from(digit - b'0')))
    });
    let end_of_word = alt((value((), one_of(&BLANKS[..])), value((), eof)));
    preceded(multispace0, terminated((sign, digits), peek(end_of_word))).parse(input)
}

fn integer<'a>(min: i128, max: i128) -> impl Parser<&'a str, Output = i128, Error = ()> {
    signed.map(move |(negative, number)| if negative { -number } else { number }.clamp(min, max))
}

/// A number, saturating.
pub(super) fn int32(input: &str) -> Parsed<'_, i32> {
    integer(i32::MIN.into(), i32::MAX.into()).map(|number| number as i32).parse(input)
}

/// A number, saturating.
pub(super) fn int64(input: &str) -> Parsed<'_, i64> {
    integer(i64::MIN.into(), i64::MAX.into()).map(|number| number as i64).parse(input)
}

/// A number, saturating: 0 for a negative one.
pub(super) fn uint32(input: &str) -> Parsed<'_, u32> {
    integer(0, u32::MAX.into()).map(|number| number as u32).parse(input)
}

/// A number, saturating: 0 for a negative one.
pub(super) fn uint64(input: &str) -> Parsed<'_, u64> {
    integer(0, u64::MAX.into()).map(|number| number as u64).parse(input)
}

/// Reads keywords with their values, in any order, and skips all other words. `part` is given a keyword and what
/// follows it.
pub(super) fn each_part<'a>(
    skipped: &Skipped,
    mut part: impl FnMut(&'a str, &'a str) -> Parsed<'a, ()>,
) -> impl Parser<&'a str, Output = (), Error = ()> {
    let part = move |input| token(input).and_then(|(input, keyword)| part(keyword, input));
    value((), many0_count(alt((part, skip(skipped, |_| true)))))
}

/// The value of a keyword, put in its place.
pub(super) fn set<'a, T>(
    place: &mut Option<T>,
    mut value: impl Parser<&'a str, Output = T, Error = ()>,
    input: &'a str,
) -> Parsed<'a, ()> {
    let (input, value) = value.parse(input)?;
    *place = Some(value);
    Ok((input, ()))
}

/// A keyword without a value.
pub(super) fn set_flag<'a>(flag: &mut bool, input: &'a str) -> Parsed<'a, ()> {
    *flag = true;
    Ok((input, ()))
}
