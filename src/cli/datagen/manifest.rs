//! `kurosabi datagen manifest`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::cli::failure::Result;
use crate::cli::terminal::Output;
use crate::datagen::{ManifestEntry, read_manifest};
use crate::language::{Language, counted, text};

/// Describe files of games: one line of JSON for each, with its SHA-256, counts, settings and origin
#[derive(Debug, Args)]
pub(super) struct ManifestArgs {
    /// Files of games; with --check, manifests
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The generation of networks that played them
    #[arg(long)]
    generation: Option<String>,
    /// The licence of the games, as an SPDX expression
    #[arg(long, default_value = env!("CARGO_PKG_LICENSE"))]
    licence: String,
    /// Check that the files named in manifests are unchanged
    #[arg(long, conflicts_with_all = ["generation", "licence"])]
    check: bool,
}

pub(super) fn run(args: &ManifestArgs, language: Language) -> Result {
    let mut out = Output::text();
    for file in &args.files {
        if !args.check {
            let entry = ManifestEntry::from_file(file, args.generation.as_deref(), &args.licence)?;
            writeln!(out, "{}", serde_json::to_string(&entry)?)?;
            continue;
        }
        let entries = read_manifest(file)?;
        entries.iter().try_for_each(ManifestEntry::check)?;
        let (games, positions) =
            entries.iter().fold((0, 0), |sum, entry| (sum.0 + entry.games, sum.1 + entry.positions));
        let files = entries.len();
        let [of_files, of_games, of_positions] =
            [(files, "file"), (games as usize, "game"), (positions as usize, "position")]
                .map(|(count, noun)| counted(count, noun));
        let unchanged = text!(
            "{of_files}, {of_games}, {of_positions}, as named",
            "{files}ファイル、{games}局、{positions}局面、一覧のとおりです"
        );
        writeln!(out, "{}: {}", file.display(), language.say(&unchanged))?;
    }
    Ok(())
}
