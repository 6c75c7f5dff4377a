//! Stopping at a signal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::AnalyzeArgs;
use super::worker::Stop;
use crate::cli::failure::{Failure, Result};
use crate::cli::terminal::remark;
use crate::language::{Language, text};

/// Whether somebody wanted an early end.
pub(super) struct Interrupted(Arc<AtomicBool>);

/// Ends the searches at Ctrl-C and at a request to terminate; a second one ends the process.
pub(super) fn stop_on_signals(stop: Arc<Stop>, language: Language) -> Interrupted {
    let asked = Arc::new(AtomicBool::new(false));
    let seen = asked.clone();
    let listen = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
        stop.ask();
    });
    if let Err(error) = listen {
        remark(&error, language);
    }
    Interrupted(asked)
}

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

impl Interrupted {
    /// Ends the process when it was interrupted, and says how to go on.
    pub(super) fn check(&self, args: &AnalyzeArgs) -> Result {
        if !self.0.load(Ordering::SeqCst) {
            return Ok(());
        }
        Err(Failure::interrupted(match (args.json, args.output_file()) {
            (true, Some(_)) => text!(
                "stopped: the same command with --resume continues",
                "中断しました。同じコマンドに --resume を付けると続きから再開します"
            ),
            _ => text!(
                "stopped: with --json and --output it could be continued later (--resume)",
                "中断しました。--json と --output を付けておくと、後で再開できます（--resume）"
            ),
        }))
    }
}
