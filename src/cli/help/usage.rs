//! Errors of usage.

use std::error::Error as _;
use std::io;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::page::translated_usage;
use crate::cli::analyze::UnusableOption;
use crate::cli::arguments::{FractionError, NumberError};
use crate::cli::mate::MakeError;
use crate::cli::terminal;
use crate::language::{InJapanese, Language};
use crate::position::SfenError;
use crate::records::UnknownFormat;
use crate::records::notation::UnknownNotation;

/// Shows what was asked for by `--help` or `--version`, or what is wrong with the arguments; the exit code of the
/// program.
pub(in crate::cli) fn report(error: &clap::Error, language: Language) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Err(failed) if failed.kind() != io::ErrorKind::BrokenPipe => {
                terminal::error(&failed, language);
                ExitCode::FAILURE
            }
            _ => ExitCode::SUCCESS,
        };
    }
    let text = match language {
        Language::Japanese => in_japanese(error),
        Language::English => None,
    };
    // Plain text would leave out the escape sequences of an argument, which are to be shown.
    terminal::write_error(&text.unwrap_or_else(|| error.render().ansi().to_string()));
    ExitCode::from(error.exit_code() as u8)
}

/// The error in Japanese; `None` where clap shows the help of a command.
fn in_japanese(error: &clap::Error) -> Option<String> {
    let words = |kind| -> Vec<&str> {
        match error.get(kind) {
            Some(ContextValue::String(word)) => vec![word],
            Some(ContextValue::Strings(words)) => words.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    };
    let word = |kind| words(kind).join("、");
    let (argument, value) = (word(ContextKind::InvalidArg), word(ContextKind::InvalidValue));
    let mut text = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} には値が必要です"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let reason = reason(error).map(|reason| format!(": {reason}")).unwrap_or_default();
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
        ErrorKind::NoEquals => format!("{argument} の値は「=」でつないで指定してください"),
        ErrorKind::TooManyValues => format!("{argument} に余分な値「{value}」があります"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => format!("{argument} の値の数が正しくありません"),
        ErrorKind::InvalidUtf8 => "引数の文字コードが正しくありません".to_owned(),
        _ => format!("引数が正しくありません（{}）", error.kind()),
    };
    let valid = words(ContextKind::ValidValue);
    if !valid.is_empty() {
        text += &format!("\n  [指定できる値: {}]", valid.join(", "));
    }
    let suggestions = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let suggestions: Vec<_> = suggestions.into_iter().flat_map(words).collect();
    if !suggestions.is_empty() {
        text += &format!("\n\n  もしかして: {}", suggestions.join("、"));
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        text += &format!("\n\n使い方: {}", translated_usage(&usage.to_string(), Language::Japanese));
    }
    Some(format!("エラー: {text}\n\n詳しくは --help をご覧ください\n"))
}

/// What a parser of a value has to say.
fn reason(error: &clap::Error) -> Option<String> {
    let source = error.source()?;
    let number = source.downcast_ref::<NumberError>().map(InJapanese::in_japanese);
    number
        .or_else(|| source.downcast_ref::<FractionError>().map(InJapanese::in_japanese))
        .or_else(|| source.downcast_ref::<SfenError>().map(InJapanese::in_japanese))
        .or_else(|| source.downcast_ref::<UnusableOption>().map(InJapanese::in_japanese))
        .or_else(|| source.downcast_ref::<MakeError>().map(InJapanese::in_japanese))
        .or_else(|| source.downcast_ref::<UnknownFormat>().map(InJapanese::in_japanese))
        .or_else(|| source.downcast_ref::<UnknownNotation>().map(InJapanese::in_japanese))
}
