//! Names of files that games are written to.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::INDEX;
use crate::cli::analyze::input::Game;
use crate::cli::records::inputs::Input;
use crate::datagen::sha256;
use crate::records::Format;

/// Names of files that games are written to: that of the file they are from, without its folder where no other file
/// has the same name.
pub(super) struct Names {
    /// How many inputs have this stem, in lower case: Windows and macOS do not tell capitals from small letters.
    stems: BTreeMap<String, usize>,
}

impl Names {
    pub(super) fn of(inputs: &[Input]) -> Names {
        let mut stems = BTreeMap::new();
        for input in inputs {
            *stems.entry(input.stem().to_lowercase()).or_insert(0) += 1;
        }
        Names { stems }
    }

    /// Whether a game of another input may have this name: of an input with the same stem, or, for "game-2", the second
    /// game of one called "game".
    fn is_shared(&self, stem: &str) -> bool {
        let stem = stem.to_lowercase();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let numbered = stem.rsplit_once('-').filter(|(_, number)| is_number(number));
        self.stems.get(&stem).is_some_and(|&count| count > 1)
            || numbered.is_some_and(|(first, _)| self.stems.contains_key(first))
    }

    /// The name for the first game of an input, without the extension.
    pub(super) fn stem(&self, input: &Input, extension: &str) -> String {
        let stem = input.stem();
        if format!("{stem}.{extension}") != INDEX && !self.is_shared(&stem) {
            return stem;
        }
        input.name().chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
    }

    /// The name for a game in a folder: one that no file has, or that a file has with the same mark, which an earlier
    /// run wrote of the same game. Whatever else stands there stays.
    pub(super) fn name(&self, game: &Game, extension: &str, folder: &Path, mark: &SourceMark) -> String {
        let stem = self.stem(&game.place.input, extension);
        let number = if game.place.game > 1 { format!("-{}", game.place.game) } else { String::new() };
        let mut name = format!("{stem}{number}.{extension}");
        for again in 2.. {
            let path = folder.join(&name);
            // A link that leads nowhere is there as well.
            if path.symlink_metadata().is_err() || mark.is_in(&path) {
                break;
            }
            name = format!("{stem}{number}_{again}.{extension}");
        }
        name
    }
}

/// No page or record that is written has so many bytes.
const MAX_BYTES: u64 = 256 << 20;

/// A mark in a written file that tells which game it is of: a digest, since a path says much about its owner.
pub(super) struct SourceMark(String);

impl SourceMark {
    /// Of a file the path and the game's number in it, so that a record which was changed is still the same; of
    /// standard input, the game.
    pub(super) fn of(game: &Game) -> SourceMark {
        let source = match &game.place.input {
            Input::Stdin => game.line.to_string(),
            Input::File(path) => path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string(),
        };
        let digest = sha256(format!("{source}\n{}", game.place.game).as_bytes());
        SourceMark(format!("kurosabi analyze {}", &digest[..32]))
    }

    /// Whether a file has it where it is put: elsewhere it may be a comment of the record that was read.
    fn is_in(&self, path: &Path) -> bool {
        // A pipe might never answer, and what is larger than any page would only fill memory.
        let may_be_own = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_BYTES);
        let text = may_be_own.then(|| fs::read(path).ok()).flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.lines().take(3).chain(text.lines().last()).any(|line| line.contains(&self.0))
    }

    /// The record with the mark in a line that its format has for such notes, behind the lines that tell the format.
    pub(super) fn put_into_record(&self, text: &str, format: Format) -> String {
        let (sign, begins) = if format == Format::Csa { ("'", "V") } else { ("# ", "#KIF") };
        let head = text.match_indices('\n').map(|(at, _)| at + 1).scan(0, |begin, end| {
            let line = &text[std::mem::replace(begin, end)..end];
            Some((end, line.starts_with(begins)))
        });
        let at = head.take(2).find(|&(_, is_format)| is_format).map_or(0, |(end, _)| end);
        format!("{}{sign}{}\n{}", &text[..at], self.0, &text[at..])
    }

    /// The page with the mark.
    pub(super) fn put_into_page(&self, page: &str) -> String {
        format!("{page}<!-- {} -->\n", self.0)
    }
}
