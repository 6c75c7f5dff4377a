//! USI on standard input and output, or from the command line.

use std::io::{self, Read};

use thiserror::Error;

use crate::usi::message::UsiMessage;
use crate::usi::parser::parse_one;
use crate::usi::session;

/// An argument that is neither a subcommand nor a USI command.
#[derive(Debug, Error)]
#[error("{0:?} is neither a subcommand nor a USI command (a USI command of several words is one argument, in quotes)")]
pub(super) struct NoCommandError(String);

/// The commands as lines of input, up to a `quit`. It only marks the end, which bounded searches are
/// waited for, so that `kurosabi "go depth 9" quit` searches nine plies deep.
pub(super) fn script(commands: &[String]) -> Result<String, NoCommandError> {
    let mut script = String::new();
    for command in commands {
        match parse_one(command) {
            UsiMessage::Quit => break,
            UsiMessage::Unknown(text) => return Err(NoCommandError(text)),
            _ => {
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
