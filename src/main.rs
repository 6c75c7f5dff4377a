//! The `kurosabi` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Checked before anything else: nearly all code below would use the missing instructions, and crash.
    if kurosabi::cli::refuses_this_cpu() { ExitCode::FAILURE } else { start() }
}

/// A function of its own, so that none of its code runs before the processor has been checked.
#[inline(never)]
fn start() -> ExitCode {
    kurosabi::cli::main()
}
