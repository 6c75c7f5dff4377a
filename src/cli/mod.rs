//! The command line: one file for each subcommand, and none at all for a USI session.

mod analyze;
mod arguments;
mod bench;
mod book;
mod cpu;
mod datagen;
mod documents;
mod failure;
mod help;
mod mate;
#[cfg(feature = "tuning")]
mod parameters;
mod records;
mod resumable;
mod terminal;
#[cfg(feature = "train")]
mod train;
mod usi;

pub use cpu::refuses_this_cpu;

use std::any::Any;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use once_cell::sync::Lazy;

use crate::engine::panic_text;
use crate::eval::nnue::InstructionSet;
use crate::language::{Foreign, Language, Text};
use crate::types::Phrase;
use failure::Failure;
use records::inputs::Input;

/// Kurosabi, a USI shogi engine. Without a subcommand it speaks USI on standard input and output.
///
/// Kurosabi（黒錆）は、USIプロトコルに対応した将棋の思考エンジンです。コマンドを付けずに起動すると、標準入出力でUSIのやり取りをします
#[derive(Debug, Parser)]
#[command(
    version = version(),
    bin_name = env!("CARGO_PKG_NAME"),
    after_help = "\
Game records, and folders of them, are analysed, and pages of them opened in the browser:
  kurosabi game.kif

USI commands, each as one argument, are done in order as if typed:
  kurosabi \"position startpos moves 7g7f\" \"go depth 10\"

棋譜やそのフォルダを指定すると、解析してページを作り、ブラウザーで開きます:
  kurosabi game.kif

USIのコマンドを一つずつ引数にすると、入力したときと同じように順に実行します:
  kurosabi \"position startpos moves 7g7f\" \"go depth 10\""
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Analyze(analyze::AnalyzeArgs),
    Bench(bench::BenchArgs),
    Completions(documents::CompletionsArgs),
    Book(book::BookArgs),
    Convert(records::convert::ConvertArgs),
    Datagen(datagen::DatagenArgs),
    Man(documents::ManArgs),
    Mate(mate::MateArgs),
    /// List the tunable parameters of the search, one per line: name, default, smallest and largest value, step
    ///
    /// 探索の調整用パラメーターを1行に1つ一覧します: 名前、既定値、最小値、最大値、刻み
    #[cfg(feature = "tuning")]
    Parameters,
    Perft(bench::PerftArgs),
    Referee(records::referee::RefereeArgs),
    #[cfg(feature = "train")]
    Train(train::TrainArgs),
    /// USI commands, each in one argument, carried out in order as if they were typed: kurosabi "go depth 5" d
    #[command(external_subcommand)]
    Usi(Vec<String>),
}

/// The version, and the instructions that networks are evaluated with.
fn version() -> &'static str {
    static VERSION: Lazy<String> = Lazy::new(|| {
        let instruction_set = InstructionSet::chosen().unwrap_or_else(|_| InstructionSet::best());
        format!("{} ({instruction_set})", env!("CARGO_PKG_VERSION"))
    });
    &VERSION
}

/// The exit status of a command that Ctrl-C ended before it was done, as shells and the scripts have it.
const INTERRUPTED: u8 = 130;

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let language = Language::from_arguments();
    let code = run(language);
    if code != ExitCode::SUCCESS && code != ExitCode::from(INTERRUPTED) {
        terminal::hold_window(language);
    }
    code
}

fn run(language: Language) -> ExitCode {
    terminal::start_log(language);
    if let Err(error) = InstructionSet::chosen() {
        terminal::error(&Text::about(&Foreign(InstructionSet::VARIABLE), &error), language);
        return ExitCode::from(2);
    }
    let command = help::localized(Cli::command(), language);
    let mut arguments: Vec<_> = std::env::args_os().collect();
    let is_record = |first: &OsString| command.find_subcommand(first).is_none() && Input::is_meant_by(first);
    let begins_with_record = arguments.get(1).is_some_and(is_record);
    if begins_with_record {
        arguments.insert(1, "analyze".into());
    }
    let matches = command.try_get_matches_from(arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return help::report(&error, language),
    };
    quiet_panics();
    let done = catch_unwind(AssertUnwindSafe(|| match cli.command {
        Some(Command::Analyze(args)) if begins_with_record => analyze::run_for_reader(args).map(|()| ExitCode::SUCCESS),
        command => carry_out(command, language),
    }));
    match done.unwrap_or_else(|panic| Err(internal_error(panic.as_ref()))) {
        Ok(code) => code,
        // Nobody reads on.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            terminal::remark(error.text(), language);
            ExitCode::from(INTERRUPTED)
        }
        Err(error) => {
            terminal::error(error.text(), language);
            ExitCode::FAILURE
        }
    }
}

/// Runs a command, or a session where there is none.
fn carry_out(command: Option<Command>, language: Language) -> failure::Result<ExitCode> {
    match command {
        None => usi::run_on_stdin(language),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Completions(args)) => documents::completions(&args, help::localized(Cli::command(), language)),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Convert(args)) => records::convert::run(&args),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Man(args)) => documents::man(&args, help::localized(Cli::command(), language)),
        Some(Command::Mate(args)) => mate::run(&args),
        #[cfg(feature = "tuning")]
        Some(Command::Parameters) => parameters::run(),
        Some(Command::Perft(args)) => bench::perft(&args),
        Some(Command::Referee(args)) => records::referee::run(&args),
        #[cfg(feature = "train")]
        Some(Command::Train(args)) => train::run(&args).map_err(Failure::from),
        Some(Command::Usi(commands)) => match usi::script(&commands) {
            Ok(script) => usi::run_script(&script, language),
            Err(error) => {
                terminal::error(&error, language);
                return Ok(ExitCode::from(2));
            }
        },
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Defects are reported as other errors are; where they are is in the log.
fn quiet_panics() {
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
}

fn internal_error(panic: &(dyn Any + Send)) -> Failure {
    Text::about(&Phrase::new("internal error", "内部エラー"), &Foreign(panic_text(panic))).into()
}

/// What Ctrl-C and SIGTERM set, when they also `stop` the work; a second one ends the process as if nobody had
/// listened.
fn stop_on_signals(stop: impl Fn() + Send + 'static) -> failure::Result<Arc<AtomicBool>> {
    let stopped = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stopped);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        stop();
    })?;
    Ok(stopped)
}
