//! USI on standard input and output, or from the command line.

use std::io::{self, Read};

use thiserror::Error;

use crate::usi::message::UsiMessage;
use crate::usi::parser::{UsiParseError, parse_one, parse_strict};
use crate::usi::session;

/// An argument that cannot be done.
#[derive(Debug, Error)]
pub(super) enum CommandError {
    /// It is neither a subcommand nor a USI command.
    #[error(
        "{0:?} is neither a subcommand nor a USI command (a USI command of several words is one argument, in quotes)"
    )]
    Unknown(String),
    /// Parts of it mean nothing. What a GUI sends is read as far as possible, but people mistype.
    #[error("cannot read {unread:?} in {text:?}")]
    Unreadable {
        /// The command.
        text: String,
        /// Its part from the first word that cannot be read.
        unread: String,
    },
}

/// The commands as lines of input, up to a `quit`. It only marks the end, which bounded searches are
/// waited for, so that `kurosabi "go depth 9" quit` searches nine plies deep.
pub(super) fn script(commands: &[String]) -> Result<String, CommandError> {
    let mut script = String::new();
    for command in commands {
        match parse_one(command) {
            UsiMessage::Quit => break,
            UsiMessage::Unknown(text) => return Err(CommandError::Unknown(text)),
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

pub(super) fn run(input: impl Read) -> io::Result<()> {
    quiet_panics();
    session::run(input, io::stdout());
    Ok(())
}

/// A session tells of defects in `info string`; on stderr only the log speaks.
fn quiet_panics() {
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
}
