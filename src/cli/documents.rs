//! `kurosabi completions` and `kurosabi man`: completions for shells, and manual pages.

use crate::cli::failure::Result;
use crate::cli::records::files::naming;
use crate::cli::terminal::Output;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

/// Print a completion script for a shell
///
/// シェルの補完スクリプトを出力します
#[derive(Debug, Args)]
#[command(
    after_help = "For example:\n  kurosabi completions bash >> ~/.bash_completion\n\n例:\n  kurosabi completions bash >> ~/.bash_completion"
)]
pub(super) struct CompletionsArgs {
    /// The shell
    ///
    /// シェル
    shell: Shell,
}

/// Write the manual pages into a folder
///
/// マニュアルページをフォルダに書き込みます
#[derive(Debug, Args)]
#[command(
    after_help = "For example:\n  kurosabi man ~/.local/share/man/man1\n\n例:\n  kurosabi man ~/.local/share/man/man1"
)]
pub(super) struct ManArgs {
    /// The folder, created if it does not exist; it gets kurosabi.1 and a page for each subcommand
    ///
    /// フォルダ。なければ作成します。kurosabi.1とコマンドごとのページを書き込みます
    #[arg(default_value = ".")]
    folder: PathBuf,
}

pub(super) fn completions(args: &CompletionsArgs, mut command: Command) -> Result {
    // Written at once: a reader that stops early must not make the generator panic.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, env!("CARGO_PKG_NAME"), &mut script);
    Ok(Output::data().write_all(&script)?)
}

pub(super) fn man(args: &ManArgs, command: Command) -> Result {
    std::fs::create_dir_all(&args.folder).map_err(|error| naming(&args.folder, error))?;
    // Without the instruction set of this machine, which `--version` names.
    let written = clap_mangen::generate_to(command.version(env!("CARGO_PKG_VERSION")), &args.folder);
    written.map_err(|error| naming(&args.folder, error))
}
