//! `--help` and errors of usage, in the language of the reader and as wide as the terminal.
//!
//! The texts are the doc comments of the arguments: paragraphs in English, and behind them the same in Japanese.

use std::error::Error as _;
use std::io;
use std::process::ExitCode;

use clap::builder::Styles;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use console::measure_text_width;

use super::terminal::{self, left, wrapped};
use crate::language::{Language, Text};

/// Lines longer than this are hard to read, however wide the terminal is.
const MAX_WIDTH: usize = 100;
/// Columns for the names of commands and arguments; longer names have their text below them.
const NAMES: usize = 26;
/// On narrower terminals all texts stand below the names.
const NARROW: usize = 60;

/// The command with its subcommands, all of whose texts are in this language.
pub(super) fn localized(mut command: Command, language: Language) -> Command {
    command = command.styles(Styles::plain());
    command.build();
    with_pages(command, language, terminal::width().unwrap_or(MAX_WIDTH).min(MAX_WIDTH))
}

fn with_pages(mut command: Command, language: Language, width: usize) -> Command {
    // Every command with subcommands has its own `help`.
    let about = match command.get_name() {
        "help" => language.choose("Print the help of a command", "コマンドの説明を表示します").to_owned(),
        _ => part(command.get_long_about().or(command.get_about()), language),
    };
    let after = part(command.get_after_help(), language);
    command =
        command.about(about.split("\n\n").next().unwrap_or_default().to_owned()).long_about(about).after_help(after);
    command = command.mut_args(|argument| {
        let text = match argument.get_id().as_str() {
            "help" => language.choose("Print help", "この説明を表示します").to_owned(),
            "version" => language.choose("Print version", "バージョンを表示します").to_owned(),
            _ => part(argument.get_long_help().or(argument.get_help()), language),
        };
        argument.help(text.clone()).long_help(text)
    });
    command = command.mut_subcommands(|subcommand| with_pages(subcommand, language, width));
    let page = page(&mut command, language, width);
    command.override_help(page)
}

/// The paragraphs of a text that are in this language.
fn part(text: Option<&impl ToString>, language: Language) -> String {
    let text = text.map(ToString::to_string).unwrap_or_default();
    // In Japanese most characters have three bytes; English texts may name a word of it.
    let is_japanese = |paragraph: &&str| {
        let first = paragraph.lines().next().unwrap_or_default();
        first.len() * 3 > first.chars().count() * 4
    };
    let (japanese, english): (Vec<_>, Vec<_>) = text.split("\n\n").partition(is_japanese);
    // Where a line of a comment ends, clap puts a blank.
    language.choose(english, japanese).join("\n\n").replace("、 ", "、").replace("。 ", "。")
}

/// The page that `--help` shows.
fn page(command: &mut Command, language: Language, width: usize) -> String {
    let usage = translated_usage(&command.render_usage().to_string(), language);
    let usage = format!("{}: {usage}", language.choose("Usage", "使い方"));
    let about = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let (first, rest) = about.split_once("\n\n").unwrap_or((&about, ""));
    let mut page = String::new();
    for paragraph in [first, &usage].into_iter().chain(rest.split("\n\n")).filter(|text| !text.is_empty()) {
        page += &wrapped(paragraph, width, "", if paragraph == usage { "  " } else { "" });
        page += "\n\n";
    }
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = commands.map(|command| {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        (command.get_name().to_owned(), about)
    });
    let shown = |is_positional: bool| {
        let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
        let arguments = arguments.filter(move |argument| argument.is_positional() == is_positional);
        arguments.map(|argument| (name(argument), text(argument, language))).collect()
    };
    let sections: [(&str, Vec<(String, String)>); 3] = [
        (language.choose("Commands", "コマンド"), commands.collect()),
        (language.choose("Arguments", "引数"), shown(true)),
        (language.choose("Options", "オプション"), shown(false)),
    ];
    for (heading, rows) in sections.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        let names = rows.iter().map(|(name, _)| measure_text_width(name)).filter(|&width| width <= NAMES).max();
        let names = if width < NARROW { 2 } else { names.unwrap_or(NAMES) };
        let indent = " ".repeat(names + 4);
        page += &format!("{heading}:\n");
        for (name, text) in rows {
            let text: Vec<_> = text.lines().map(|line| wrapped(line, width, &indent, &indent)).collect();
            let text = text.join("\n");
            page += &match text.get(indent.len()..) {
                Some(text) if measure_text_width(&name) <= names => left(&format!("  {name}"), names + 4) + text,
                _ => format!("  {name}\n{text}").trim_end().to_owned(),
            };
            page += "\n";
        }
        page += "\n";
    }
    for line in command.get_after_help().map(ToString::to_string).unwrap_or_default().lines() {
        let indent = " ".repeat(line.len() - line.trim_start().len());
        page += &wrapped(line.trim_start(), width, &indent, &(indent.clone() + "  "));
        page += "\n";
    }
    page.trim_end().to_owned() + "\n"
}

/// Usage as clap writes it, without its heading. The words that need translation are in brackets.
fn translated_usage(usage: &str, language: Language) -> String {
    let usage = usage.trim().trim_start_matches("Usage:").trim_start();
    match language {
        Language::English => usage.to_owned(),
        Language::Japanese => usage.replace("[OPTIONS]", "[オプション]").replace("COMMAND", "コマンド"),
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

/// What an argument is for, its default and its possible values, which Japanese texts describe themselves.
fn text(argument: &Arg, language: Language) -> String {
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let mut paragraphs: Vec<String> = help.split("\n\n").map(str::to_owned).collect();
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let takes_values = argument.get_action().takes_values();
    if takes_values && defaults.iter().any(|value| !value.is_empty()) {
        paragraphs[0] += &format!(" [{}: {}]", language.choose("default", "既定値"), defaults.join(" "));
    }
    let values = argument.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| takes_values && !value.is_hide_set()).collect();
    if !values.is_empty() {
        let names: Vec<_> = values.iter().map(|value| value.get_name()).collect();
        paragraphs[0] += &format!(" [{}: {}]", language.choose("possible values", "指定できる値"), names.join(", "));
    }
    let described = values.iter().filter_map(|value| Some(format!("{}: {}", value.get_name(), value.get_help()?)));
    paragraphs.extend(described.filter(|_| language == Language::English));
    paragraphs.join("\n")
}

/// Shows what was asked for by `--help` or `--version`, or what is wrong with the arguments; the exit code of the
/// program.
pub(super) fn report(error: &clap::Error, language: Language) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Err(failed) if failed.kind() != io::ErrorKind::BrokenPipe => {
                terminal::error(&failed, language);
                ExitCode::FAILURE
            }
            _ => ExitCode::SUCCESS,
        };
    }
    // Plain text would leave out the escape sequences of an argument, which are to be shown.
    let english = || error.render().ansi().to_string();
    let text = if language == Language::Japanese { in_japanese(error) } else { None };
    terminal::write_error(&text.unwrap_or_else(english));
    ExitCode::from(error.exit_code() as u8)
}

/// The error in Japanese; `None` where clap shows the help of a command.
fn in_japanese(error: &clap::Error) -> Option<String> {
    let words = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.as_str()],
        Some(ContextValue::Strings(words)) => words.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let word = |kind| words(kind).join("、");
    let (argument, value) = (word(ContextKind::InvalidArg), word(ContextKind::InvalidValue));
    let mut text = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} には値が必要です"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let reason = error.source().and_then(|source| source.downcast_ref::<Text>());
            let reason = reason.map(|reason| format!(": {}", reason.ja)).unwrap_or_default();
            format!("{argument} に「{value}」は指定できません{reason}")
        }
        ErrorKind::UnknownArgument => format!("「{argument}」という引数はありません"),
        ErrorKind::InvalidSubcommand => {
            format!("「{}」というコマンドはありません", word(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingSubcommand => "コマンドを指定してください".to_owned(),
        ErrorKind::MissingRequiredArgument => format!("必要な引数がありません: {argument}"),
        ErrorKind::ArgumentConflict => match word(ContextKind::PriorArg) {
            prior if prior.is_empty() || prior == argument => format!("{argument} は一度しか指定できません"),
            prior => format!("{argument} は {prior} と同時に指定できません"),
        },
        ErrorKind::TooManyValues => format!("{argument} に余分な値「{value}」があります"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => format!("{argument} の値の数が正しくありません"),
        _ => format!("引数が正しくありません（{}）", error.kind()),
    };
    let valid = words(ContextKind::ValidValue);
    if !valid.is_empty() {
        text += &format!("\n  [指定できる値: {}]", valid.join(", "));
    }
    let suggestions = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let suggestions = suggestions.into_iter().flat_map(words).collect::<Vec<_>>().join("、");
    if !suggestions.is_empty() {
        text += &format!("\n\n  もしかして: {suggestions}");
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        text += &format!("\n\n使い方: {}", translated_usage(&usage.to_string(), Language::Japanese));
    }
    Some(format!("エラー: {text}\n\n詳しくは --help をご覧ください\n"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// The program and all its subcommands.
    fn commands(language: Language, width: usize) -> Vec<Command> {
        let mut command = crate::cli::Cli::command();
        command.build();
        let mut commands = vec![with_pages(command, language, width)];
        let mut done = 0;
        while let Some(command) = commands.get(done) {
            let subcommands = command.get_subcommands().filter(|command| command.get_name() != "help");
            let subcommands: Vec<_> = subcommands.cloned().collect();
            commands.extend(subcommands);
            done += 1;
        }
        commands
    }

    #[test]
    fn no_line_of_help_is_wider_than_the_terminal() {
        for language in [Language::English, Language::Japanese] {
            for width in [40, 80, 100, 120] {
                let pages: Vec<_> = commands(language, width).iter_mut().map(|it| page(it, language, width)).collect();
                assert!(pages.len() > 20);
                let wide = pages.iter().flat_map(|page| page.lines()).find(|line| measure_text_width(line) > width);
                assert_eq!(wide, None, "{width} columns");
            }
        }
    }

    #[test]
    fn every_command_and_argument_has_a_text_in_both_languages() {
        for language in [Language::English, Language::Japanese] {
            for command in commands(language, 80) {
                let name = command.get_bin_name().unwrap().to_owned();
                assert!(!command.get_about().unwrap().to_string().is_empty(), "{name} {language:?}");
                for argument in command.get_arguments() {
                    let help = argument.get_help().unwrap().to_string();
                    assert!(!help.is_empty(), "{name} {argument} {language:?}");
                    let values = argument.get_possible_values();
                    for value in values.iter().filter(|value| value.get_help().is_some()) {
                        let line = format!("{}: ", value.get_name());
                        assert_eq!(help.contains(&line), language == Language::Japanese, "{name} {argument} {line}");
                    }
                }
            }
        }
    }
}
