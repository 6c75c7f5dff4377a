//! `setoption` and `option`.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{fail, opt, value};
use nom::sequence::preceded;

use super::words::{Parsed, Skipped, each_part, int64, phrase_until, rest_of_line, set, token, unknown, word};
use crate::usi::message::{EMPTY_MARKER, OptionDecl, OptionKind, UsiMessage};

/// What follows `setoption`.
pub(super) fn setoption(input: &str) -> Parsed<'_, UsiMessage> {
    let name = preceded(word("name"), phrase_until(&["value"]));
    (name, opt(preceded(word("value"), text))).map(|(name, value)| UsiMessage::SetOption { name, value }).parse(input)
}

/// What follows `option`.
pub(super) fn option<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, OptionDecl> {
    let name = preceded(word("name"), phrase_until(&["type"]));
    let (input, (name, kind)) = (name, preceded(word("type"), token)).parse(input)?;
    let (input, kind) = match kind {
        "check" => check(skipped, input),
        "spin" => spin(skipped, input),
        "combo" => combo(skipped, input),
        "button" => Ok((input, OptionKind::Button)),
        "string" => default_text.map(|default| OptionKind::String { default }).parse(input),
        "filename" => default_text.map(|default| OptionKind::Filename { default }).parse(input),
        _ => fail().parse(input),
    }?;
    Ok((input, OptionDecl { name, kind }))
}

fn check<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, OptionKind> {
    let mut default = None;
    let (input, ()) = each_part(skipped, |keyword, input| match keyword {
        "default" => set(&mut default, alt((value(true, word("true")), value(false, word("false")))), input),
        _ => unknown(input),
    })
    .parse(input)?;
    Ok((input, OptionKind::Check { default }))
}

fn spin<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, OptionKind> {
    let (mut default, mut min, mut max) = (None, None, None);
    let (input, ()) = each_part(skipped, |keyword, input| match keyword {
        "default" => set(&mut default, int64, input),
        "min" => set(&mut min, int64, input),
        "max" => set(&mut max, int64, input),
        _ => unknown(input),
    })
    .parse(input)?;
    Ok((input, OptionKind::Spin { default, min, max }))
}

fn combo<'a>(skipped: &Skipped, input: &'a str) -> Parsed<'a, OptionKind> {
    let entry = || phrase_until(&["default", "var"]).map(without_empty_marker);
    let (mut default, mut vars) = (None, Vec::new());
    let (input, ()) = each_part(skipped, |keyword, input| match keyword {
        "default" => set(&mut default, entry(), input),
        "var" => entry().map(|var| vars.push(var)).parse(input),
        _ => unknown(input),
    })
    .parse(input)?;
    Ok((input, OptionKind::Combo { default, vars }))
}

fn default_text(input: &str) -> Parsed<'_, Option<String>> {
    opt(preceded(word("default"), text)).parse(input)
}

/// The rest of the line, which may be marked as empty.
fn text(input: &str) -> Parsed<'_, String> {
    rest_of_line.map(without_empty_marker).parse(input)
}

fn without_empty_marker(text: String) -> String {
    if text == EMPTY_MARKER { String::new() } else { text }
}
