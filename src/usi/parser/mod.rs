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

mod go;
mod info;
mod option;
mod words;

use nom::branch::alt;
use nom::combinator::{fail, opt, value};
use nom::multi::{many0, many0_count};
use nom::sequence::preceded;
use nom::{Finish, Parser};
use thiserror::Error;

use super::message::{BestMove, Checkmate, GameOver, Id, InitialPosition, PositionSpec, Register};
use super::message::{UsiMessage, Verification};
use words::{BLANKS, Parsed, Skipped, blank_to_end, move_, phrase_until, rest_of_line, token, uint32, unless, word};

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
    match skipped.of(line) {
        None => Ok(message),
        Some(unread) => Err(UsiParseError::UnreadableWords { line: number, text, unread: unread.to_owned() }),
    }
}

/// The message at the beginning of `input`. What remains has no meaning.
fn message<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, UsiMessage> {
    let (input, command) = token(input)?;
    let bare = |message| Ok((input, message));
    match command {
        "usi" => bare(UsiMessage::Usi),
        "isready" => bare(UsiMessage::IsReady),
        "usinewgame" => bare(UsiMessage::UsiNewGame),
        "stop" => bare(UsiMessage::Stop),
        "quit" => bare(UsiMessage::Quit),
        "d" => bare(UsiMessage::Display),
        "eval" => bare(UsiMessage::Eval),
        "help" => bare(UsiMessage::Help),
        "usiok" => bare(UsiMessage::UsiOk),
        "readyok" => bare(UsiMessage::ReadyOk),
        "debug" => alt((value(true, word("on")), value(false, word("off")))).map(UsiMessage::Debug).parse(input),
        "why" => token.map(|mv: &str| UsiMessage::Why(mv.parse())).parse(input),
        "bench" => opt(uint32).map(|depth| UsiMessage::Bench { depth }).parse(input),
        "setoption" => option::setoption(input),
        "register" => register.map(UsiMessage::Register).parse(input),
        "position" => position(skipped, input).map(|(input, position)| (input, UsiMessage::Position(position))),
        "go" => go::go(skipped, input).map(|(input, go)| (input, UsiMessage::Go(go))),
        "ponderhit" => go::ponderhit(skipped, input).map(|(input, clocks)| (input, UsiMessage::PonderHit(clocks))),
        "gameover" => game_result.map(UsiMessage::GameOver).parse(input),
        "id" => id.map(UsiMessage::Id).parse(input),
        "option" => option::option(skipped, input).map(|(input, option)| (input, UsiMessage::Option(option))),
        "bestmove" => best_move.map(UsiMessage::BestMove).parse(input),
        "checkmate" => checkmate.map(UsiMessage::Checkmate).parse(input),
        "info" => info::info(skipped, input).map(|(input, info)| (input, UsiMessage::Info(info))),
        "copyprotection" => verification.map(UsiMessage::CopyProtection).parse(input),
        "registration" => verification.map(UsiMessage::Registration).parse(input),
        _ => fail().parse(input),
    }
}

fn register(input: &str) -> Parsed<'_, Register> {
    let account = (preceded(word("name"), phrase_until(&["code"])), preceded(word("code"), rest_of_line));
    alt((value(Register::Later, word("later")), account.map(|(name, code)| Register::Account { name, code })))
        .parse(input)
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

fn game_result(input: &str) -> Parsed<'_, GameOver> {
    let result = alt((
        value(GameOver::Win, word("win")),
        value(GameOver::Lose, word("lose")),
        value(GameOver::Draw, word("draw")),
        value(GameOver::Unknown, word("unknown")),
    ));
    // Whatever it says, the game is over.
    opt(result).map(|result| result.unwrap_or(GameOver::Unknown)).parse(input)
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

fn verification(input: &str) -> Parsed<'_, Verification> {
    alt((
        value(Verification::Checking, word("checking")),
        value(Verification::Ok, word("ok")),
        value(Verification::Error, word("error")),
    ))
    .parse(input)
}
