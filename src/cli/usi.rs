//! USI on standard input and output, or from the command line.

use std::io::{self, IsTerminal, Write};

use strsim::damerau_levenshtein;

use crate::cli::failure::Result;
use crate::cli::terminal;
use crate::language::{Language, Text, text};
use crate::types::ParseMoveError;
use crate::usi::message::UsiMessage;
use crate::usi::parser::{UsiParseError, parse_one, parse_strict};
use crate::usi::session::{self, Host, OnFailure};

/// Subcommands that not every build has, and the features that they are part of. With its feature a subcommand does
/// not come here.
const FEATURES: [(&str, &str); 2] = [("train", "train"), ("parameters", "tuning")];

/// The commands as lines of input, up to a `quit`. It only marks the end, which bounded searches are
/// waited for, so that `kurosabi "go depth 9" quit` searches nine plies deep.
pub(super) fn script(commands: &[String]) -> Result<String, Text> {
    let command = commands.first().map_or("", String::as_str);
    if let Some((_, feature)) = FEATURES.iter().find(|(name, _)| *name == command) {
        return Err(text!(
            "`kurosabi {command}` needs a build with the feature `{feature}`: cargo build --release --features {feature}",
            "`kurosabi {command}` を使うには、機能`{feature}`を付けてビルドしてください: cargo build --release --features {feature}"
        ));
    }
    let unreadable = |text: &str, unread: &str| {
        text!("cannot read {unread:?} in {text:?}", "「{text}」の「{unread}」を読み込めません")
    };
    let mut script = String::new();
    for command in commands {
        match parse_one(command) {
            UsiMessage::Quit => break,
            UsiMessage::Unknown(text) => {
                let Text { en, ja } = did_you_mean(&text);
                return Err(text!(
                    "{text:?} is neither a subcommand nor a USI command{en} (a USI command of several words is one argument, in quotes)",
                    "「{text}」というサブコマンドもUSIコマンドもありません{ja}（空白を含むUSIコマンドは、引用符で囲んで一つの引数にします）"
                ));
            }
            UsiMessage::Why(Err(ParseMoveError(unread))) => return Err(unreadable(command, &unread)),
            _ => {
                // What a GUI sends is read as far as possible, but people mistype.
                if let Err(UsiParseError::UnreadableWords { text, unread, .. }) = parse_strict(command) {
                    return Err(unreadable(&text, &unread));
                }
                script += &format!("{command}\n");
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
    let host = Stdio { person: is_at_terminal.then_some(language), may_give_up: true };
    Ok(session::hold(io::stdin(), io::stdout(), language, &host, OnFailure::GoOn)?)
}

/// Carries out the commands of a [`script`]. The first that fails ends it, as in a shell script with `set -e`.
pub(super) fn run_script(script: &str, language: Language) -> Result {
    let language = if io::stdout().is_terminal() { language } else { Language::English };
    Ok(session::hold(
        script.as_bytes(),
        io::stdout(),
        language,
        &Stdio { person: None, may_give_up: false },
        OnFailure::End,
    )?)
}

/// Standard input and output.
struct Stdio {
    /// The language of somebody who types: both are a terminal.
    person: Option<Language>,
    /// Commands from the arguments are carried out to the end.
    may_give_up: bool,
}

impl Host for Stdio {
    fn has_reader(&self) -> bool {
        stdout_has_reader()
    }

    fn give_up(&self) {
        if self.may_give_up {
            log::info!("the end does not wait for what is being prepared");
            std::process::exit(0);
        }
    }

    fn explain_unknown(&self, line: &str) -> Option<String> {
        let (language, line) = (self.person?, line.trim());
        let Text { en, ja } = did_you_mean(line);
        let explained = text!(
            "{line:?} is no command{en}; type help for a list of commands",
            "「{line}」というコマンドはありません{ja}。help と入力するとコマンドの一覧を表示します"
        );
        (!line.is_empty()).then(|| language.say(&explained))
    }
}

/// The commands of a session that people type.
const COMMANDS: &str =
    "usi isready setoption usinewgame position go stop ponderhit gameover quit d eval why bench help";
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

/// Asks for what a line was probably meant to be, if that can be guessed.
fn did_you_mean(line: &str) -> Text {
    let meant = meant(line).map(|meant| text!(", did you mean {meant:?}?", "。もしかして「{meant}」ですか"));
    meant.unwrap_or_else(|| text!("", ""))
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
        let near = COMMANDS.split(' ').map(|command| (damerau_levenshtein(&lower, command), command));
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
