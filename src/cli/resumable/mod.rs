//! Results of a long run, item by item, in a file that a later run can continue.
//!
//! The first line of the file is a JSON object with the `format`, its `version`, the `settings` and the `inputs`. Every
//! item (a position, a game, a problem) then has one line or more. The last of them ends with the member `item`: what
//! the item is, as a digest, and a checksum of its lines. So a file that is something else is known, as is one that was
//! written with other settings, and a line that is damaged; and what is still to be done does not depend on the order
//! of the inputs. Nothing of a file is removed before there is something better in its place.

mod content;
mod heading;

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crc32fast::Hasher;

use crate::atomic_file::{self, FileLock, is_written_directly};
use crate::cli::failure::Result;
use crate::cli::records::files::{lock, naming};
use crate::open_file;
use content::{CLOSE, Content};
pub(in crate::cli) use content::{ItemId, KeptItems, read_line};
pub(in crate::cli) use heading::{Heading, ResumeError};

/// What a power failure may cost.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// A file that grows item by item, which no other process works on meanwhile.
pub(in crate::cli) struct GrowingFile {
    path: PathBuf,
    /// None as long as something else stands behind the items.
    file: Option<File>,
    /// Where the items end then, and what is to follow them.
    end: u64,
    waiting: Vec<u8>,
    /// Of the lines of the item being written.
    checksum: Hasher,
    synced: Instant,
    _lock: FileLock,
}

impl GrowingFile {
    /// Begins a file with this text. What is there now stays until the first item is whole.
    ///
    /// # Errors
    /// When it cannot be written, or another process works on it.
    pub(in crate::cli) fn begin(path: &Path, text: &str) -> Result<GrowingFile> {
        let lock = lock(path)?;
        let has_content = path.metadata().is_ok_and(|metadata| metadata.len() > 0);
        GrowingFile::new(lock, path, 0, has_content, text).map_err(|error| naming(path, error))
    }

    /// Continues a file behind its items. What stands there stays until the next item is whole.
    pub(in crate::cli) fn resume<T>(
        path: &Path,
        text: &str,
        read: impl FnOnce(BufReader<File>) -> Result<(T, u64)>,
    ) -> Result<(T, GrowingFile)> {
        let lock = lock(path)?;
        let file = File::open(path).map_err(|error| naming(path, error))?;
        let (content, end) = read(BufReader::new(file))?;
        let length = path.metadata().map_err(|error| naming(path, error))?.len();
        let text = if end == 0 { text } else { "" };
        let file = GrowingFile::new(lock, path, end, length > end, text).map_err(|error| naming(path, error))?;
        Ok((content, file))
    }

    fn new(lock: FileLock, path: &Path, end: u64, has_more: bool, text: &str) -> io::Result<GrowingFile> {
        let mut file = GrowingFile {
            path: path.to_owned(),
            file: None,
            end,
            waiting: Vec::new(),
            checksum: Hasher::new(),
            synced: Instant::now(),
            _lock: lock,
        };
        if !has_more {
            file.file = Some(OpenOptions::new().create(true).append(true).open(path)?);
        }
        file.append(text.as_bytes())?;
        Ok(file)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => {
                self.waiting.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Writes lines of an item that is not yet whole.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(in crate::cli) fn write(&mut self, lines: &str) -> Result {
        self.checksum.update(lines.as_bytes());
        self.append(lines.as_bytes()).map_err(|error| naming(&self.path, error))
    }

    /// Writes the last lines of an item; where a later run is to know it, these are one JSON object.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(in crate::cli) fn end_item(&mut self, lines: &str, item: Option<&ItemId>) -> Result {
        let mut checksum = std::mem::take(&mut self.checksum);
        let mut text = lines.to_owned();
        if let Some(ItemId(item)) = item {
            text.truncate(lines.strip_suffix("}\n").unwrap_or(lines).len());
            checksum.update(text.as_bytes());
            checksum.update(item.as_bytes());
            let _ = writeln!(text, "{CLOSE}{item}-{:08x}\"}}", checksum.finalize());
        }
        let written = self.append(text.as_bytes()).and_then(|()| self.give_way()).and_then(|()| self.sync(SYNC_EVERY));
        written.map_err(|error| naming(&self.path, error))
    }

    /// Puts the items that were kept and the one that waits in the place of the file.
    fn give_way(&mut self) -> io::Result<()> {
        if self.file.is_some() {
            return Ok(());
        }
        atomic_file::replace(&self.path, |out| -> io::Result<()> {
            if self.end > 0 {
                io::copy(&mut File::open(&self.path)?.take(self.end), out)?;
            }
            out.write_all(&self.waiting)?;
            out.sync()
        })?;
        self.waiting = Vec::new();
        self.file = Some(OpenOptions::new().append(true).open(&self.path)?);
        Ok(())
    }

    /// Waits until everything is on the disk, if that was not done so recently.
    fn sync(&mut self, every: Duration) -> io::Result<()> {
        if let Some(file) = self.file.as_ref().filter(|_| self.synced.elapsed() >= every) {
            file.sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Sees to it that everything is on the disk.
    ///
    /// # Errors
    /// When the system says that it is not.
    pub(in crate::cli) fn finish(mut self) -> Result {
        self.sync(Duration::ZERO).map_err(|error| naming(&self.path, error))
    }
}

/// Where results go, item by item.
pub(in crate::cli) enum ItemOutput {
    /// Standard output.
    Stream(Box<dyn Write>),
    /// A device or a pipe.
    Device(PathBuf, File),
    /// A file; whether a later run can continue it.
    File(Box<GrowingFile>, bool),
}

impl ItemOutput {
    /// Opens an output, with this heading if it can be continued, and gives what is there already if it is to be.
    ///
    /// # Errors
    /// When it cannot be written or continued; then it is as it was.
    pub(in crate::cli) fn open(
        path: &Path,
        heading: Option<&Heading>,
        resume: bool,
    ) -> Result<(ItemOutput, KeptItems)> {
        let none = KeptItems::default();
        if is_written_directly(path) {
            let file = open_file::to_append(path).map_err(|error| naming(path, error))?;
            return Ok((ItemOutput::Device(path.to_owned(), file), none));
        }
        let Some(heading) = heading else {
            return Ok((ItemOutput::File(Box::new(GrowingFile::begin(path, "")?), false), none));
        };
        let first = heading.line().map_err(|error| naming(path, error))?;
        if !resume || !path.exists() {
            return Ok((ItemOutput::File(Box::new(GrowingFile::begin(path, &first)?), true), none));
        }
        let (kept, file) = GrowingFile::resume(path, &first, |reader| {
            let content = Content::read(reader, heading).map_err(|error| naming(path, error))?;
            Ok((content.items, content.end))
        })?;
        Ok((ItemOutput::File(Box::new(file), true), kept))
    }

    /// Begins a text that grows.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::cli) fn begin(path: &Path, text: &str) -> Result<ItemOutput> {
        if !is_written_directly(path) {
            return Ok(ItemOutput::File(Box::new(GrowingFile::begin(path, text)?), false));
        }
        let (mut out, _) = ItemOutput::open(path, None, false)?;
        out.write(text)?;
        Ok(out)
    }

    /// Writes whole lines of a text that grows.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(in crate::cli) fn end_text(&mut self, lines: &str) -> Result {
        match self {
            ItemOutput::Stream(_) | ItemOutput::Device(..) => self.write(lines),
            ItemOutput::File(file, _) => file.end_item(lines, None),
        }
    }

    /// Writes lines of an item that is not yet whole.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(in crate::cli) fn write(&mut self, lines: &str) -> Result {
        match self {
            ItemOutput::Stream(out) => Ok(out.write_all(lines.as_bytes()).and_then(|()| out.flush())?),
            ItemOutput::Device(path, file) => file.write_all(lines.as_bytes()).map_err(|error| naming(path, error)),
            ItemOutput::File(file, _) => file.write(lines),
        }
    }

    /// Writes the last lines of an item.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(in crate::cli) fn end_item(&mut self, lines: &str, item: impl FnOnce() -> ItemId) -> Result {
        match self {
            ItemOutput::Stream(_) | ItemOutput::Device(..) => self.write(lines),
            ItemOutput::File(file, true) => file.end_item(lines, Some(&item())),
            ItemOutput::File(file, false) => file.end_item(lines, None),
        }
    }

    /// Ends the output.
    ///
    /// # Errors
    /// When it is not written to its end.
    pub(in crate::cli) fn finish(self) -> Result {
        match self {
            ItemOutput::Stream(mut out) => Ok(out.flush()?),
            ItemOutput::Device(..) => Ok(()),
            ItemOutput::File(file, _) => file.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use serde_json::json;

    use super::*;
    use crate::language::InJapanese;

    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("kurosabi-resumable-{test}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn heading(nodes: u64, inputs: &[&str]) -> Heading {
        Heading::new("test", json!({ "nodes": nodes }), inputs.iter().map(|&input| input.to_owned()).collect())
    }

    fn id(item: usize) -> ItemId {
        ItemId::new(&["test", &item.to_string()])
    }

    /// The lines of an item before the last one, and the last one: a position alone, or a game.
    fn results(item: usize) -> (String, String) {
        let position =
            |number: usize| format!("{{\"game\":{item},\"position\":{number},\"cp\":{}}}\n", item * 7 + number);
        ((0..item % 4).map(position).collect(), format!("{{\"game\":{item},\"report\":{{\"moves\":{item}}}}}\n"))
    }

    /// A whole run in memory.
    fn written(heading: &Heading, items: &[usize]) -> Vec<u8> {
        let mut text = heading.line().unwrap();
        for &item in items {
            text += &closed(item);
        }
        text.into_bytes()
    }

    fn closed(item: usize) -> String {
        let (before, last) = results(item);
        let ItemId(id) = id(item);
        let body = format!("{before}{}", last.strip_suffix("}\n").unwrap());
        let checksum = crc32fast::hash(format!("{body}{id}").as_bytes());
        format!("{body}{CLOSE}{id}-{checksum:08x}\"}}\n")
    }

    /// What a run makes of a file that it continues, as `GrowingFile` does.
    fn resumed(bytes: &[u8], heading: &Heading, items: &[usize]) -> Result<Vec<u8>, ResumeError> {
        let Content { items: mut kept, end } = Content::read(bytes, heading)?;
        let mut text = bytes[..end as usize].to_vec();
        if end == 0 {
            text.extend_from_slice(heading.line()?.as_bytes());
        }
        let missing = items.iter().filter(|&&item| !kept.take(&id(item)));
        missing.for_each(|&item| text.extend_from_slice(closed(item).as_bytes()));
        Ok(text)
    }

    /// How often each of ten items is there, in a file that is whole.
    fn counts(bytes: &[u8], heading: &Heading) -> Vec<usize> {
        let content = Content::read(bytes, heading).unwrap();
        assert_eq!(content.end, bytes.len() as u64);
        (0..10).map(|item| content.items.counts.get(&id(item)).copied().unwrap_or(0)).collect()
    }

    #[test]
    fn a_run_that_is_killed_or_whose_file_is_damaged_ends_with_every_item_once_or_an_error() {
        kill_damage_and_resume(10_000, 1);
    }

    #[test]
    #[ignore = "a million runs take minutes"]
    fn of_a_million_runs_that_are_killed_or_damaged_each_ends_with_every_item_once_or_an_error() {
        kill_damage_and_resume(1_000_000, 2);
    }

    fn kill_damage_and_resume(runs: usize, seed: u64) {
        let mut rng = StdRng::seed_from_u64(seed);
        let (mut goes_on, mut refused) = (0, 0);
        for _ in 0..runs {
            let before = heading(5, &["a", "b"]);
            let items: Vec<usize> = (0..rng.random_range(1..8)).collect();
            let mut bytes = written(&before, &items);
            // Killed.
            if rng.random_ratio(2, 3) {
                bytes.truncate(rng.random_range(0..=bytes.len()));
            }
            let intact = bytes.clone();
            // Damaged.
            let is_damaged = !bytes.is_empty() && rng.random_ratio(2, 3);
            if is_damaged {
                let at = rng.random_range(0..bytes.len());
                match rng.random_range(0..4) {
                    0 => bytes[at] ^= 1 << rng.random_range(0..8),
                    1 => bytes[at] = b'\n',
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, rng.random_range(b' '..b'~')),
                }
            }
            // Continued with the same inputs and settings, or others.
            let now = match rng.random_range(0..6) {
                0 => heading(6, &["a", "b"]),
                1 => heading(5, &["a"]),
                2 => heading(5, &["c", "b", "a"]),
                _ => before.clone(),
            };
            let may_go_on = now.settings == before.settings && now.inputs.len() > 1;
            let mut wanted: Vec<usize> = (0..10).filter(|_| rng.random_ratio(4, 5)).collect();
            wanted.extend(items.iter().filter(|item| !wanted.contains(item)).copied().collect::<Vec<_>>());
            match resumed(&bytes, &now, &wanted) {
                Ok(text) => {
                    assert!(may_go_on || !bytes.contains(&b'\n'), "other settings or inputs");
                    let found = counts(&text, &now);
                    assert!((0..10).all(|item| found[item] == usize::from(wanted.contains(&item))), "{found:?}");
                    goes_on += 1;
                }
                Err(ResumeError::Damaged(lines)) => {
                    assert!(is_damaged && may_go_on);
                    // Without these lines it goes on, and what stands behind them is still there.
                    let mut number = 0;
                    let rest: Vec<u8> = bytes
                        .split_inclusive(|&byte| byte == b'\n')
                        .filter(|_| {
                            number += 1;
                            !lines.iter().any(|&(first, last)| (first..=last).contains(&number))
                        })
                        .flatten()
                        .copied()
                        .collect();
                    let kept = Content::read(&rest[..], &now).unwrap().items.len();
                    let there = Content::read(&intact[..], &before).unwrap().items.len();
                    assert!(kept + 2 >= there, "{kept} of {there}");
                    let found = counts(&resumed(&rest, &now, &wanted).unwrap(), &now);
                    assert!((0..10).all(|item| found[item] == usize::from(wanted.contains(&item))), "{found:?}");
                    refused += 1;
                }
                Err(_) => assert!(is_damaged || !may_go_on || !bytes.contains(&b'\n')),
            }
        }
        assert!(goes_on > runs / 5 && refused > runs / 10, "{goes_on} {refused}");
    }

    #[test]
    fn a_file_is_continued_behind_its_items() {
        let folder = Folder::new("continued");
        let path = folder.0.join("out.jsonl");
        let heading = heading(5, &["a"]);
        let whole = written(&heading, &[3, 4, 5]);
        let write = |out: &mut ItemOutput, item: usize| {
            let (before, last) = results(item);
            if !before.is_empty() {
                out.write(&before).unwrap();
            }
            out.end_item(&last, || id(item)).unwrap();
        };
        for end in (0..whole.len()).step_by(13).chain([whole.len()]) {
            std::fs::write(&path, &whole[..end]).unwrap();
            let (mut out, mut kept) = ItemOutput::open(&path, Some(&heading), true).unwrap();
            // Nobody else may write now, and nothing has been removed.
            assert!(ItemOutput::open(&path, Some(&heading), true).is_err());
            assert!(std::fs::read(&path).unwrap().starts_with(&whole[..end]), "{end}");
            for item in [3, 4, 5] {
                if !kept.take(&id(item)) {
                    write(&mut out, item);
                }
            }
            assert_eq!(kept.len(), 0);
            out.finish().unwrap();
            assert!(std::fs::read(&path).unwrap() == whole, "{end}");
        }
    }

    #[test]
    fn an_output_that_is_begun_anew_stays_until_the_first_item_is_whole() {
        let folder = Folder::new("anew");
        let path = folder.0.join("out.jsonl");
        std::fs::write(&path, "results of a night").unwrap();
        let heading = heading(5, &["a"]);
        let (mut out, _) = ItemOutput::open(&path, Some(&heading), false).unwrap();
        out.write("{\"position\":1}\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "results of a night");
        out.end_item("{\"report\":1}\n", || id(1)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 3);
        out.write("{\"position\":2}\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 4, "results come at once");
    }

    #[test]
    fn files_of_others_are_refused_in_words() {
        let heading = heading(5, &["a"]);
        let why = |text: &str| Content::read(text.as_bytes(), &heading).unwrap_err();
        for text in ["notes\n", "notes", "{}\n", "[]\n", "{\"sfen\":1,\"line\":1}\n", "\n", &"x".repeat(1 << 20)] {
            let error = why(text);
            assert!(matches!(error, ResumeError::Foreign { .. }), "{error}");
            assert!(error.to_string().contains("name another file") && error.in_japanese().contains("別のファイル"));
        }
        let line = heading.line().unwrap();
        let error = why(&line.replace("\"version\":1", "\"version\":2"));
        assert!(matches!(error, ResumeError::Version), "{error}");
        let error = why(&line.replace("\"nodes\":5", "\"nodes\":6,\"depth\":1"));
        assert!(error.to_string().contains("(depth was 1, is now null; nodes was 6, is now 5)"), "{error}");
        let error = why(&line.replace("[\"a\"]", "[\"a\",\"b\"]"));
        assert!(error.to_string().contains("the input \"b\""), "{error}");
        let error = why(&format!("{line}{}no\n{}", closed(1), closed(2)));
        assert!(error.to_string().starts_with("damaged in line 4; it was left as it is"), "{error}");
        assert!(error.in_japanese().starts_with("4行が壊れて"), "{}", error.in_japanese());
    }

    #[test]
    fn results_in_another_form_or_with_a_note_behind_them_are_left_as_they_are() {
        let heading = heading(5, &["a"]);
        let whole = format!("{}{}{}", heading.line().unwrap(), closed(3), closed(1));
        let respaced = whole.replace("\"item\":", "\"item\": ");
        let [note, cut] = [format!("{whole}my note"), format!("{whole}{{\"game\":2,\"po")];
        for text in [&whole.replace('\n', "\r\n"), &respaced, &note] {
            let content = Content::read(text.as_bytes(), &heading);
            assert!(matches!(content, Err(ResumeError::Damaged(_))), "{text}: {content:?}");
        }
        for text in [cut, format!("{whole}\0\0\0")] {
            assert_eq!(Content::read(text.as_bytes(), &heading).unwrap().end, whole.len() as u64, "{text}");
        }
    }
}
