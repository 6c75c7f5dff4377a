//! Text into [`UsiMessage`]s.
//!
//! | Function | Unknown lines | Unknown words in a known line |
//! |---|---|---|
//! | [`parse_one`] | become [`UsiMessage::Unknown`] | skipped |
//! | [`parse`] | skipped | skipped |
//! | [`parse_with_unknown`] | become [`UsiMessage::Unknown`] | skipped |
//! | [`parse_strict`] | an error | an error |
//!
//! Lines end with LF or CRLF, words are parted by any number of blanks and tabs, and empty lines mean
//! nothing (engines send them to show that they are alive). Keywords are lower case. The parts of `go`
//! and `info` may come in any order; of a part given twice the last one holds. A keyword without its
//! value, or with one that cannot be read, counts as an unknown word. Numbers too large or too small
//! become the nearest one their type holds. No text makes a parser panic, and the time is linear in
//! the text's length.
//!
//! A match runner reading an engine:
//!
//! ```
//! use kurosabi::usi::message::{BestMove, UsiMessage, UsiScore};
//! use kurosabi::usi::parser::parse_one;
//!
//! let mut score = None;
//! for line in ["info depth 9 score mate -4 time 12 pv 5i5h", "", "bestmove 5i5h ponder G*5c"] {
//!     match parse_one(line) {
//!         UsiMessage::Info(info) => score = info.score.map(|score| score.value).or(score),
//!         UsiMessage::BestMove(BestMove::Move { best, .. }) => assert_eq!(best.to_string(), "5i5h"),
//!         _ => {}
//!     }
//! }
//! assert_eq!(score, Some(UsiScore::MatedIn(Some(4))));
//! ```

use std::cell::Cell;

use nom::branch::alt;
use nom::bytes::complete::is_not;
use nom::character::complete::{digit1, multispace0, one_of};
use nom::combinator::{eof, fail, map_opt, opt, peek, rest, value, verify};
use nom::multi::{fold_many1, many0, many0_count};
use nom::sequence::{preceded, terminated};
use nom::{Finish, IResult, Parser};
use thiserror::Error;

use super::message::{
    BARE, BestMove, Bound, Checkmate, Clock, EMPTY_MARKER, GameOver, Go, GoParams, Id, Info, InfoScore,
    InitialPosition, MateParams, OptionDecl, OptionKind, PositionSpec, UsiMessage, UsiPvEnd, UsiScore,
};
use crate::types::Move;

/// Several messages in the order of their lines.
pub type MessageList = Vec<UsiMessage>;

/// Why [`parse_strict`] refused a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UsiParseError {
    /// A line is no message.
    #[error("line {line}: not a USI message: {text:?}")]
    UnknownMessage {
        /// The line's number, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A message holds something that has no meaning there.
    #[error("line {line}: cannot read {unread:?} in {text:?}")]
    UnreadableWords {
        /// The line's number, from 1.
        line: usize,
        /// The line.
        text: String,
        /// The first word that cannot be read, with those right behind it that cannot either.
        unread: String,
    },
}

/// Reads one line; of a text of several lines the first that is not empty.
///
/// ```
/// use kurosabi::usi::message::UsiMessage;
/// use kurosabi::usi::parser::parse_one;
///
/// assert_eq!(parse_one("isready\r\n"), UsiMessage::IsReady);
/// assert_eq!(parse_one("hello, world"), UsiMessage::Unknown("hello, world".to_owned()));
/// ```
pub fn parse_one(text: &str) -> UsiMessage {
    let line = numbered_lines(text).next().map_or("", |(_, line)| line);
    // A lone carriage return is a blank, and no part of a line that is written.
    lenient(line).unwrap_or_else(|| UsiMessage::Unknown(line.replace('\r', " ")))
}

/// Reads all lines, leaving out those that are no message.
///
/// ```
/// use kurosabi::usi::message::UsiMessage;
/// use kurosabi::usi::parser::parse;
///
/// assert_eq!(parse("usi\nhello\nquit\n"), [UsiMessage::Usi, UsiMessage::Quit]);
/// ```
pub fn parse(text: &str) -> MessageList {
    numbered_lines(text).filter_map(|(_, line)| lenient(line)).collect()
}

/// Reads all lines; those that are no message become [`UsiMessage::Unknown`].
///
/// ```
/// use kurosabi::usi::message::UsiMessage;
/// use kurosabi::usi::parser::parse_with_unknown;
///
/// assert_eq!(parse_with_unknown("usi\nhello\n"), [UsiMessage::Usi, UsiMessage::Unknown("hello".to_owned())]);
/// ```
pub fn parse_with_unknown(text: &str) -> MessageList {
    numbered_lines(text).map(|(_, line)| parse_one(line)).collect()
}

/// Reads all lines, and fails on the first word that would otherwise be skipped. SFENs and moves of
/// `position` are not judged: they are kept as they are.
///
/// ```
/// use kurosabi::usi::parser::parse_strict;
///
/// assert_eq!(parse_strict("usi\n\nisready\n").unwrap().len(), 2);
/// let error = parse_strict("usi\ngo dpeth 6\n").unwrap_err();
/// assert_eq!(error.to_string(), r#"line 2: cannot read "dpeth 6" in "go dpeth 6""#);
/// ```
pub fn parse_strict(text: &str) -> Result<MessageList, UsiParseError> {
    numbered_lines(text).map(|(number, line)| strict(number, line)).collect()
}

/// The lines that are not empty, without blanks around them, and their numbers from 1. A byte order
/// mark, which some shells put before what they pipe, counts as blank.
fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let around = |c| c == '\u{feff}' || BLANKS.contains(&c);
    let lines = text.split('\n').map(move |line| line.trim_start_matches(around).trim_end_matches(BLANKS));
    (1..).zip(lines).filter(|(_, line)| !line.is_empty())
}

fn lenient(line: &str) -> Option<UsiMessage> {
    message(&Skipped::default(), line).finish().ok().map(|(_, message)| message)
}

fn strict(number: usize, line: &str) -> Result<UsiMessage, UsiParseError> {
    let text = line.to_owned();
    let skipped = Skipped::default();
    let Ok((unread, message)) = message(&skipped, line).finish() else {
        return Err(UsiParseError::UnknownMessage { line: number, text });
    };
    if !unread.trim_matches(BLANKS).is_empty() {
        skipped.note(unread, "");
    }
    match skipped.words(line) {
        None => Ok(message),
        Some(unread) => Err(UsiParseError::UnreadableWords { line: number, text, unread: unread.to_owned() }),
    }
}

/// The message at the beginning of `input`. What remains has no meaning.
fn message<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, UsiMessage> {
    let (input, command) = token(input)?;
    if let Some((_, message)) = BARE.iter().find(|(word, _)| *word == command) {
        return Ok((input, message.clone()));
    }
    match command {
        "why" => token.map(|mv: &str| UsiMessage::Why(mv.parse())).parse(input),
        "bench" => opt(uint32).map(|depth| UsiMessage::Bench { depth }).parse(input),
        "setoption" => setoption(input),
        "position" => position(skipped, input).map(|(input, position)| (input, UsiMessage::Position(position))),
        "go" => go(skipped, input).map(|(input, go)| (input, UsiMessage::Go(go))),
        "ponderhit" => ponderhit(skipped, input).map(|(input, clock)| (input, UsiMessage::PonderHit(clock))),
        // The game is over, even where the word is missing or unknown.
        "gameover" => opt(choice(&GameOver::WORDS))
            .map(|result| UsiMessage::GameOver(result.unwrap_or(GameOver::Unknown)))
            .parse(input),
        "id" => id.map(UsiMessage::Id).parse(input),
        "option" => option(skipped, input).map(|(input, option)| (input, UsiMessage::Option(option))),
        "bestmove" => best_move.map(UsiMessage::BestMove).parse(input),
        "checkmate" => checkmate.map(UsiMessage::Checkmate).parse(input),
        "info" => info(skipped, input).map(|(input, info)| (input, UsiMessage::Info(info))),
        _ => fail().parse(input),
    }
}

fn position<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, PositionSpec> {
    let sfen = preceded(opt(word("sfen")), opt(phrase_until(&["moves"])));
    let (input, initial) = alt((
        value(InitialPosition::Startpos, word("startpos")),
        sfen.map(|sfen| InitialPosition::Sfen(sfen.unwrap_or_default())),
    ))
    .parse(input)?;
    let (input, _) = many0_count(unless(skipped, "moves")).parse(input)?;
    let (input, moves) = opt(preceded(word("moves"), many0(token.map(str::parse)))).parse(input)?;
    Ok((input, PositionSpec { initial, moves: moves.unwrap_or_default() }))
}

fn id(input: &str) -> Parsed<'_, Id> {
    alt((preceded(word("name"), rest_of_line).map(Id::Name), preceded(word("author"), rest_of_line).map(Id::Author)))
        .parse(input)
}

fn best_move(input: &str) -> Parsed<'_, BestMove> {
    alt((
        value(BestMove::Resign, word("resign")),
        value(BestMove::Win, word("win")),
        (move_, opt(preceded(word("ponder"), move_))).map(|(best, ponder)| BestMove::Move { best, ponder }),
    ))
    .parse(input)
}

fn checkmate(input: &str) -> Parsed<'_, Checkmate> {
    alt((
        value(Checkmate::NoMate, word("nomate")),
        value(Checkmate::Timeout, word("timeout")),
        value(Checkmate::NotImplemented, word("notimplemented")),
        // Part of a mate is none: a word that is not a move spoils the line.
        (many0(move_), blank_to_end).map(|(moves, _)| Checkmate::Moves(moves)),
    ))
    .parse(input)
}

/// What follows `go`. `mate` and `perft`, wherever they stand, say what kind it is.
fn go<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, Go> {
    let mut params = GoParams::default();
    let (mut mate, mut perft) = (None, None);
    let mut in_searchmoves = false;
    let (input, ()) = each_part(skipped, |keyword, input| match keyword {
        "mate" => set(&mut mate, mate_time, input),
        "perft" => set(&mut perft, uint32, input),
        "ponder" => set_flag(&mut params.ponder, input),
        "infinite" => set_flag(&mut params.infinite, input),
        "movetime" => set(&mut params.movetime, positive_milliseconds, input),
        "rtime" => set(&mut params.rtime, positive_milliseconds, input),
        "depth" => set(&mut params.depth, uint32, input),
        "nodes" => set(&mut params.nodes, uint64, input),
        "searchmoves" => {
            params.searchmoves.clear();
            set_flag(&mut in_searchmoves, input)
        }
        keyword => match keyword.parse() {
            Ok(mv) if in_searchmoves => {
                params.searchmoves.push(mv);
                Ok((input, ()))
            }
            _ => clock(&mut params.clock, keyword, input),
        },
    })
    .parse(input)?;
    let go = match (mate, perft) {
        (Some(time), _) => Go::Mate(MateParams { time, limits: GoParams { infinite: false, ..params } }),
        (None, Some(depth)) => Go::Perft(depth),
        (None, None) => Go::Search(params),
    };
    Ok((input, go))
}

/// What follows `ponderhit`.
fn ponderhit<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, Clock> {
    let mut sent = Clock::default();
    let (input, ()) = each_part(skipped, |keyword, input| clock(&mut sent, keyword, input)).parse(input)?;
    Ok((input, sent))
}

fn clock<'a>(clock: &mut Clock, keyword: &str, input: &'a str) -> Parsed<'a, ()> {
    let place = match keyword {
        "btime" => &mut clock.time[0],
        "wtime" => &mut clock.time[1],
        "byoyomi" => &mut clock.byoyomi,
        "binc" => &mut clock.increment[0],
        "winc" => &mut clock.increment[1],
        "movestogo" => return set(&mut clock.moves_to_go, uint32, input),
        _ => return fail().parse(input),
    };
    set(place, milliseconds, input)
}

/// What follows `mate`: `infinite` or nothing for no time.
fn mate_time(input: &str) -> Parsed<'_, Option<u64>> {
    opt(alt((value(None, word("infinite")), positive_milliseconds.map(Some)))).map(Option::flatten).parse(input)
}

/// What follows `info`.
fn info<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, Info> {
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
        "pv" => (many0(move_), opt(choice(&UsiPvEnd::WORDS)))
            .map(|(moves, end)| (info.pv, info.pv_end) = (moves, end))
            .parse(input),
        "string" => set(&mut info.string, rest_of_line, input),
        _ => fail().parse(input),
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
    let bound = choice(&[("lowerbound", Bound::Lower), ("upperbound", Bound::Upper)]);
    (score, opt(bound)).map(|(value, bound)| InfoScore { value, bound: bound.unwrap_or(Bound::Exact) }).parse(input)
}

/// What follows `setoption`.
fn setoption(input: &str) -> Parsed<'_, UsiMessage> {
    let name = preceded(word("name"), phrase_until(&["value"]));
    (name, opt(preceded(word("value"), text))).map(|(name, value)| UsiMessage::SetOption { name, value }).parse(input)
}

/// What follows `option`.
fn option<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, OptionDecl> {
    let entry = || phrase_until(&["default", "var"]).map(without_empty_marker);
    let name = preceded(word("name"), phrase_until(&["type"]));
    let (input, (name, kind)) = (name, preceded(word("type"), token)).parse(input)?;
    let (mut on, mut number, mut words) = (None, None, None);
    let (mut min, mut max, mut vars) = (None, None, Vec::new());
    let (input, ()) = each_part(skipped, |keyword, input| match (kind, keyword) {
        ("check", "default") => set(&mut on, choice(&[("true", true), ("false", false)]), input),
        ("spin", "default") => set(&mut number, int64, input),
        ("spin", "min") => set(&mut min, int64, input),
        ("spin", "max") => set(&mut max, int64, input),
        ("combo", "default") => set(&mut words, entry(), input),
        ("combo", "var") => entry().map(|var| vars.push(var)).parse(input),
        ("string" | "filename", "default") => set(&mut words, text, input),
        _ => fail().parse(input),
    })
    .parse(input)?;
    let kind = match kind {
        "check" => OptionKind::Check { default: on },
        "spin" => OptionKind::Spin { default: number, min, max },
        "combo" => OptionKind::Combo { default: words, vars },
        "button" => OptionKind::Button,
        "string" => OptionKind::String { default: words },
        "filename" => OptionKind::Filename { default: words },
        _ => return fail().parse(input),
    };
    Ok((input, OptionDecl { name, kind }))
}

/// The rest of the line, which may be marked as empty.
fn text(input: &str) -> Parsed<'_, String> {
    rest_of_line.map(without_empty_marker).parse(input)
}

fn without_empty_marker(text: String) -> String {
    if text == EMPTY_MARKER { String::new() } else { text }
}

// The words that messages are made of.

/// Nobody reads where inside a line an alternative failed, so errors carry nothing.
type Parsed<'a, T> = IResult<&'a str, T, ()>;

/// What stands between words.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// The first words of a line that have no meaning and were skipped: how many bytes of the line are left where they
/// begin, and how many behind them.
#[derive(Debug, Default)]
struct Skipped(Cell<Option<(usize, usize)>>);

impl Skipped {
    /// Notes words, given what is left of the line before and behind them. Those right behind the first ones belong to
    /// them.
    fn note(&self, before: &str, behind: &str) {
        match self.0.get() {
            None => self.0.set(Some((before.len(), behind.len()))),
            Some((begin, end)) if end == before.len() => self.0.set(Some((begin, behind.len()))),
            Some(_) => {}
        }
    }

    /// The words, of the line that was read.
    fn words<'a>(&self, line: &'a str) -> Option<&'a str> {
        let (before, behind) = self.0.get()?;
        line.get(line.len().checked_sub(before)?..line.len() - behind).map(|words| words.trim_matches(BLANKS))
    }
}

/// The next word.
fn token(input: &str) -> Parsed<'_, &str> {
    preceded(multispace0, is_not(&BLANKS[..])).parse(input)
}

/// This word.
fn word<'a>(expected: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = ()> {
    verify(token, move |token: &str| token == expected)
}

/// The value that one of these words stands for.
fn choice<'a, T: Copy>(words: &[(&str, T)]) -> impl Parser<&'a str, Output = T, Error = ()> {
    map_opt(token, |token| words.iter().find(|(word, _)| *word == token).map(|&(_, value)| value))
}

/// A word without meaning, which is anything but `next`.
fn unless<'a>(skipped: &Skipped, next: &'static str) -> impl Parser<&'a str, Output = (), Error = ()> {
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
fn phrase_until<'a>(stops: &'static [&'static str]) -> impl Parser<&'a str, Output = String, Error = ()> {
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
fn rest_of_line(input: &str) -> Parsed<'_, String> {
    rest.map(|text: &str| text.trim_matches(BLANKS).replace('\r', " ")).parse(input)
}

/// A number of milliseconds, saturating, whose fraction is cut off: clients that count in floating point write
/// `1000.0`.
fn milliseconds(input: &str) -> Parsed<'_, i64> {
    alt((int64, whole_part(int64))).parse(input)
}

/// The same, 0 for a negative number.
fn positive_milliseconds(input: &str) -> Parsed<'_, u64> {
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
fn blank_to_end(input: &str) -> Parsed<'_, ()> {
    value((), (multispace0, eof)).parse(input)
}

/// A move.
fn move_(input: &str) -> Parsed<'_, Move> {
    map_opt(token, |token| token.parse().ok()).parse(input)
}

/// A word that is a sign, `true` for minus, and digits, whose number saturates.
fn signed(input: &str) -> Parsed<'_, (bool, i128)> {
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
fn int32(input: &str) -> Parsed<'_, i32> {
    integer(i32::MIN.into(), i32::MAX.into()).map(|number| number as i32).parse(input)
}

/// A number, saturating.
fn int64(input: &str) -> Parsed<'_, i64> {
    integer(i64::MIN.into(), i64::MAX.into()).map(|number| number as i64).parse(input)
}

/// A number, saturating: 0 for a negative one.
fn uint32(input: &str) -> Parsed<'_, u32> {
    integer(0, u32::MAX.into()).map(|number| number as u32).parse(input)
}

/// A number, saturating: 0 for a negative one.
fn uint64(input: &str) -> Parsed<'_, u64> {
    integer(0, u64::MAX.into()).map(|number| number as u64).parse(input)
}

/// Reads keywords with their values, in any order, and skips all other words. `part` is given a keyword and what
/// follows it.
fn each_part<'a>(
    skipped: &Skipped,
    mut part: impl FnMut(&'a str, &'a str) -> Parsed<'a, ()>,
) -> impl Parser<&'a str, Output = (), Error = ()> {
    let part = move |input| token(input).and_then(|(input, keyword)| part(keyword, input));
    value((), many0_count(alt((part, skip(skipped, |_| true)))))
}

/// The value of a keyword, put in its place.
fn set<'a, T>(
    place: &mut Option<T>,
    mut value: impl Parser<&'a str, Output = T, Error = ()>,
    input: &'a str,
) -> Parsed<'a, ()> {
    let (input, value) = value.parse(input)?;
    *place = Some(value);
    Ok((input, ()))
}

/// A keyword without a value.
fn set_flag<'a>(flag: &mut bool, input: &'a str) -> Parsed<'a, ()> {
    *flag = true;
    Ok((input, ()))
}
