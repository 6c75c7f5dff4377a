//! The page that `--help` shows.

use std::fmt::Write;

use clap::{Arg, Command};
use console::measure_text_width;

use super::japanese;
use crate::cli::terminal::wrapped;
use crate::language::Language;

/// Lines longer than this are hard to read, however wide the terminal is.
pub(super) const MAX_WIDTH: usize = 100;
/// Columns for the names of commands and arguments; longer names have their text below them.
const NAMES: usize = 26;
/// On narrower terminals all texts stand below the names.
const NARROW: usize = 60;
/// Columns before them.
const INDENT: usize = 2;

/// The help of a command.
pub(super) fn page(command: &Command, path: &str, language: Language, width: usize) -> String {
    let mut page = String::new();
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let (first, rest) = about.split_once("\n\n").unwrap_or((&about, ""));
    let usage = format!("{}: {}", language.choose("Usage", "使い方"), usage(command, path, language));
    for paragraph in [first, &usage].into_iter().chain(rest.split("\n\n")).filter(|text| !text.is_empty()) {
        let indent = if paragraph == usage { "  " } else { "" };
        let _ = writeln!(page, "{}\n", wrapped(paragraph, width, "", indent));
    }
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    let commands =
        commands.map(|command| (command.get_name().to_owned(), command.get_about().map(ToString::to_string)));
    let shown = |is_positional: bool| {
        let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
        let arguments = arguments.filter(move |argument| argument.is_positional() == is_positional);
        arguments.map(|argument| (name(argument), Some(text(argument, path, language)))).collect::<Vec<_>>()
    };
    let sections = [
        (language.choose("Commands", "コマンド"), commands.collect::<Vec<_>>()),
        (language.choose("Arguments", "引数"), shown(true)),
        (language.choose("Options", "オプション"), shown(false)),
    ];
    for (heading, rows) in sections.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        let names = rows.iter().map(|(name, _)| measure_text_width(name)).filter(|&width| width <= NAMES).max();
        let names = if width < NARROW { INDENT } else { names.unwrap_or(NAMES) };
        let column = INDENT + names + INDENT;
        let _ = writeln!(page, "{heading}:");
        for (name, text) in rows {
            page.push_str(&row(&name, &text.unwrap_or_default(), column, width));
        }
        page.push('\n');
    }
    if let Some(after) = command.get_after_help() {
        for line in after.to_string().lines() {
            let indent = " ".repeat(line.len() - line.trim_start().len());
            let _ = writeln!(page, "{}", wrapped(line.trim_start(), width, &indent, &(indent.clone() + "  ")));
        }
    }
    page.trim_end().to_owned() + "\n"
}

/// How the command is called. What clap makes of its arguments has the words that need translation in brackets.
fn usage(command: &Command, path: &str, language: Language) -> String {
    let usage = command.clone().bin_name(format!("{} {path}", env!("CARGO_PKG_NAME")).trim_end()).render_usage();
    translated_usage(&usage.to_string(), language)
}

/// Usage as clap writes it, without its heading.
pub(super) fn translated_usage(usage: &str, language: Language) -> String {
    let usage = usage.trim().trim_start_matches("Usage:").trim_start();
    match language {
        Language::English => usage.to_owned(),
        Language::Japanese => usage
            .replace("[OPTIONS]", "[オプション]")
            .replace("[COMMAND]", "[コマンド]")
            .replace("<COMMAND>", "<コマンド>"),
    }
}

/// `-o, --output <FILE>`
fn name(argument: &Arg) -> String {
    match (argument.get_short(), argument.get_long()) {
        (Some(short), Some(_)) => format!("-{short}, {argument}"),
        (None, Some(_)) => format!("    {argument}"),
        _ => argument.to_string(),
    }
}

/// What an argument is for, its default and its possible values.
fn text(argument: &Arg, path: &str, language: Language) -> String {
    let mut text = argument
        .get_long_help()
        .or(argument.get_help())
        .map(ToString::to_string)
        .unwrap_or_default()
        .replace("\n\n", "\n");
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let takes_values = argument.get_action().takes_values();
    if takes_values && defaults.iter().any(|value| !value.is_empty()) {
        let _ = write!(text, " [{}: {}]", language.choose("default", "既定値"), defaults.join(" "));
    }
    let values = argument.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| takes_values && !value.is_hide_set()).collect();
    if !values.is_empty() {
        let names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
        let _ = write!(text, " [{}: {}]", language.choose("possible values", "指定できる値"), names.join(", "));
    }
    for (value, help) in values.iter().filter_map(|value| Some((value.get_name(), value.get_help()?))) {
        let japanese = japanese::value_text(path, argument, value).filter(|_| language == Language::Japanese);
        let _ = write!(text, "\n{value}: {}", japanese.map_or(help.to_string(), str::to_owned));
    }
    text
}

fn row(name: &str, text: &str, column: usize, width: usize) -> String {
    let (blank, indent) = (" ".repeat(INDENT), " ".repeat(column));
    let taken = INDENT + measure_text_width(name) + INDENT;
    let first = format!("{blank}{name}{}", " ".repeat(column.saturating_sub(taken) + INDENT));
    let mut row = String::new();
    for (index, paragraph) in text.lines().enumerate() {
        match index {
            0 if taken > column => {
                let _ = writeln!(row, "{blank}{name}\n{}", wrapped(paragraph, width, &indent, &indent));
            }
            0 => {
                let _ = writeln!(row, "{}", wrapped(paragraph, width, &first, &indent));
            }
            _ => {
                let _ = writeln!(row, "{}", wrapped(paragraph, width, &indent, &indent));
            }
        }
    }
    if row.is_empty() { format!("{blank}{name}\n") } else { row }
}
