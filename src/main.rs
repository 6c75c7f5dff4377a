//! The `kurosabi` binary.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    // First of all: with what the processor lacks, nearly any of the code below would end the process without a word.
    let missing = kurosabi::cli::missing_cpu_features();
    if missing.is_empty() { start() } else { refuse(&missing) }
}

/// On its own, so that nothing of it is done before the processor is known.
#[inline(never)]
fn start() -> ExitCode {
    // Some clients never read stderr, and an engine that fills its pipe stands still: silent unless asked.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    kurosabi::cli::main()
}

/// Says so on both outputs: GUIs show one, shells the other.
#[inline(never)]
fn refuse(missing: &[&str]) -> ExitCode {
    let text = "this build of Kurosabi is for another processor; this one lacks";
    let advice = "Use a build for x86-64-v2, or build it on this machine (README, Build).";
    let _ = writeln!(std::io::stdout(), "info string error: {text} {}. {advice}", missing.join(", "));
    let _ = writeln!(std::io::stderr(), "error: {text} {}. {advice}", missing.join(", "));
    ExitCode::FAILURE
}
