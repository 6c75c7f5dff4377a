//! The `kurosabi` binary.

use std::process::ExitCode;
use std::thread;

/// The exit status of a program that panics.
const PANICKED: u8 = 101;
/// Stack for everything but search, where the process's own is smaller (`ulimit -s`).
const STACK_BYTES: usize = 8 << 20;

fn main() -> ExitCode {
    // Checked before anything else: nearly all code below would use the missing instructions, and crash.
    if kurosabi::cli::refuses_this_cpu() { ExitCode::FAILURE } else { start() }
}

/// A function of its own, so that none of its code runs before the processor has been checked.
#[inline(never)]
fn start() -> ExitCode {
    // Where memory is short, a backtrace cannot be made, and the process would wait for a lock that it holds itself.
    for name in ["RUST_BACKTRACE", "RUST_LIB_BACKTRACE"] {
        // SAFETY: there is no other thread yet.
        unsafe { std::env::remove_var(name) };
    }
    if !has_small_stack() {
        return kurosabi::cli::main();
    }
    match thread::Builder::new().name("main".into()).stack_size(STACK_BYTES).spawn(kurosabi::cli::main) {
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(PANICKED)),
        Err(_) => kurosabi::cli::main(),
    }
}

/// Whether the system gives the process a smaller stack than Linux does unasked.
#[cfg(unix)]
fn has_small_stack() -> bool {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Stack).current.is_some_and(|bytes| bytes < STACK_BYTES as u64)
}

/// Elsewhere the size is the program's own.
#[cfg(not(unix))]
fn has_small_stack() -> bool {
    false
}
