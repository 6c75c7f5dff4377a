//! `kurosabi datagen manifest`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::terminal::Output;
use crate::datagen::manifest::{self, Entry};

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

pub(super) fn run(args: &ManifestArgs) -> io::Result<()> {
    let mut out = Output::text();
    for file in &args.files {
        if !args.check {
            let entry = Entry::of_file(file, args.generation.as_deref(), &args.licence).map_err(io::Error::other)?;
            writeln!(out, "{}", serde_json::to_string(&entry)?)?;
            continue;
        }
        let entries = manifest::read(file).map_err(io::Error::other)?;
        entries.iter().try_for_each(Entry::check).map_err(io::Error::other)?;
        let (games, positions) =
            entries.iter().fold((0, 0), |sum, entry| (sum.0 + entry.games, sum.1 + entry.positions));
        writeln!(out, "{}: {} files, {games} games, {positions} positions, as named", file.display(), entries.len())?;
    }
    Ok(())
}
