//! USI on standard input and output, or from the command line.

use std::io::{self, IsTerminal, Write};

use strsim::damerau_levenshtein;
use thiserror::Error;

use crate::cli::failure::Result;
use crate::cli::terminal;
use crate::language::{InJapanese, Language};
use crate::types::ParseMoveError;
use crate::usi::message::UsiMessage;
use crate::usi::parser::{UsiParseError, parse_one, parse_strict};
use crate::usi::session::{self, Host, OnFailure};

/// An argument that is no valid command.
#[derive(Debug, Error)]
pub(super) enum CommandError {
    /// It is neither a subcommand nor a USI command.
    #[error(
        "{0:?} is neither a subcommand nor a USI command{hint} (a USI command of several words is one argument, in quotes)",
        hint = did_you_mean(.0)
    )]
    Unknown(String),
    /// It is a subcommand of another build.
    #[error(
        "`kurosabi {command}` needs a build with the feature `{feature}`: cargo build --release --features {feature}"
    )]
    Feature {
        /// The subcommand.
        command: String,
        /// The feature.
        feature: &'static str,
    },
    /// Parts of it mean nothing. What a GUI sends is read as far as possible, but people mistype.
    #[error("cannot read {unread:?} in {text:?}")]
    Unreadable {
        /// The command.
        text: String,
        /// The first words of it that cannot be read.
        unread: String,
    },
}

impl InJapanese for CommandError {
    fn in_japanese(&self) -> String {
        match self {
            CommandError::Unknown(text) => format!(
                "「{text}」はコマンドでもUSIのコマンドでもありません{}（何語かのUSIのコマンドは、引用符で囲んで一つの引数にします）",
                meant(text).map(|meant| format!("。もしかして「{meant}」ですか")).unwrap_or_default()
            ),
            CommandError::Feature { command, feature } => format!(
                "`kurosabi {command}` を使うには、機能`{feature}`を付けてビルドしてください: \
                 cargo build --release --features {feature}"
            ),
            CommandError::Unreadable { text, unread } => format!("「{text}」の「{unread}」を読み込めません"),
        }
    }
}

/// Subcommands that not every build has, and the features that they are part of. With its feature a subcommand does
/// not come here.
const FEATURES: [(&str, &str); 2] = [("train", "train"), ("parameters", "tuning")];

/// The commands as lines of input, up to a `quit`. It only marks the end, which bounded searches are
/// waited for, so that `kurosabi "go depth 9" quit` searches nine plies deep.
pub(super) fn script(commands: &[String]) -> Result<String, CommandError> {
    if let Some(command) = commands.first()
        && let Some(&(_, feature)) = FEATURES.iter().find(|(name, _)| name == command)
    {
        return Err(CommandError::Feature { command: command.clone(), feature });
    }
    let mut script = String::new();
    for command in commands {
        match parse_one(command) {
            UsiMessage::Quit => break,
            UsiMessage::Unknown(text) => return Err(CommandError::Unknown(text)),
            UsiMessage::Why(Err(ParseMoveError(unread))) => {
                return Err(CommandError::Unreadable { text: command.clone(), unread });
            }
            _ => {
                if let Err(UsiParseError::UnreadableWords { text, unread, .. }) = parse_strict(command) {
                    return Err(CommandError::Unreadable { text, unread });
                }
                script.push_str(command);
                script.push('\n');
            }
        }
    }
    Ok(script)
}

/// Runs a session on standard input and output. A user at a terminal is greeted in their language, and
/// advised that the program belongs in a GUI.
pub(super) fn run_on_stdin(language: Language) -> Result {
    let is_at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if is_at_terminal {
        let width = terminal::width().unwrap_or(80).min(100);
        let greeting = session::greeting(language);
        for paragraph in greeting.lines() {
            writeln!(io::stdout(), "{}", terminal::wrapped(paragraph, width, "", ""))?;
        }
    }
    let language = if is_at_terminal { language } else { Language::English };
    let host = Stdio { person: is_at_terminal.then_some(language) };
    Ok(session::hold(io::stdin(), io::stdout(), language, &host, OnFailure::GoOn)?)
}

/// Carries out the commands of a [`script`]. The first that fails ends it, as in a shell script with `set -e`.
pub(super) fn run_script(script: &str, language: Language) -> Result {
    let language = if io::stdout().is_terminal() { language } else { Language::English };
    Ok(session::hold(script.as_bytes(), io::stdout(), language, &Arguments, OnFailure::End)?)
}

/// Standard input and output.
struct Stdio {
    /// The language of somebody who types: both are a terminal.
    person: Option<Language>,
}

impl Host for Stdio {
    fn has_reader(&self) -> bool {
        stdout_has_reader()
    }

    fn give_up(&self) {
        log::info!("the end does not wait for what is being prepared");
        std::process::exit(0);
    }

    fn explain_unknown(&self, line: &str) -> Option<String> {
        let language = self.person.filter(|_| !line.trim().is_empty())?;
        Some(language.say(&NoCommand(line.trim().to_owned())))
    }
}

/// Commands from the arguments, which are carried out to the end.
struct Arguments;

impl Host for Arguments {
    fn has_reader(&self) -> bool {
        stdout_has_reader()
    }
}

/// A line that is no USI command.
#[derive(Debug, Error)]
#[error("{0:?} is no command{hint}; type help for a list of commands", hint = did_you_mean(.0))]
struct NoCommand(String);

impl InJapanese for NoCommand {
    fn in_japanese(&self) -> String {
        let meant = meant(&self.0).map(|meant| format!("もしかして「{meant}」ですか。")).unwrap_or_default();
        format!("「{}」というコマンドはありません。{meant}help と入力するとコマンドの一覧を表示します", self.0)
    }
}

/// The commands of a session that people type.
const COMMANDS: [&str; 16] = [
    "usi",
    "isready",
    "setoption",
    "usinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "gameover",
    "quit",
    "d",
    "eval",
    "why",
    "bench",
    "help",
    "debug",
];
/// Words that are meant for one of these commands by people who know other programs.
const OTHER_WORDS: [(&str, &str); 7] = [
    ("exit", "quit"),
    ("q", "quit"),
    ("bye", "quit"),
    ("?", "help"),
    ("uci", "usi"),
    ("ucinewgame", "usinewgame"),
    ("show", "d"),
];

fn did_you_mean(line: &str) -> String {
    meant(line).map(|meant| format!(", did you mean {meant:?}?")).unwrap_or_default()
}

/// What a line was probably meant to be: its first word is a command but for a letter or two, or is missing.
fn meant(line: &str) -> Option<String> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let lower = word.to_lowercase();
    if matches!(lower.as_str(), "startpos" | "sfen") {
        return Some(format!("position {}", line.trim_end()));
    }
    let other = OTHER_WORDS.iter().find(|(other, _)| *other == lower).map(|&(_, command)| command);
    let command = other.or_else(|| {
        let near = COMMANDS.iter().map(|&command| (damerau_levenshtein(&lower, command), command));
        // A letter wrong in three; of the shortest commands none.
        near.filter(|&(distance, command)| distance * 3 <= command.len()).min().map(|(_, command)| command)
    })?;
    Some(format!("{command} {}", rest.trim()).trim_end().to_owned())
}

/// Whether standard output may still be read: false for a pipe or a terminal whose other end is closed.
#[cfg(unix)]
fn stdout_has_reader() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
    let closed = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&now)).is_err() || !fds[0].revents().intersects(closed)
}

/// Elsewhere only writing shows it.
#[cfg(not(unix))]
fn stdout_has_reader() -> bool {
    true
}
