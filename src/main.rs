//! The `kurosabi` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Some clients never read stderr, and an engine that fills its pipe stands still: silent unless asked.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    kurosabi::cli::main()
}
