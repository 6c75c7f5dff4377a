//! The `kurosabi` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    // First of all: what the processor lacks, nearly any of the code below would use, which ends the process.
    if kurosabi::cli::refuses_this_cpu() { ExitCode::FAILURE } else { start() }
}

/// On its own, so that nothing of it is done before the processor is known.
#[inline(never)]
fn start() -> ExitCode {
    // Some clients never read stderr, and an engine that fills its pipe stands still: silent unless asked.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    kurosabi::cli::main()
}
