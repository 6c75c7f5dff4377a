//! Results of a long run, item by item, in a file that a later run can continue.
//!
//! The first line of the file is a JSON object with the `format`, its `version`, the `settings` and the `inputs`. Every
//! item (a position, a game, a problem) then has one line or more. The last of them ends with the member `item`: what
//! the item is, as a digest, and a checksum of its lines. So a file that is something else is known, as is one that was
//! written with other settings, and a line that is damaged; and what is still to be done does not depend on the order
//! of the inputs. Nothing of a file is removed before there is something better in its place.
//!
//! Length: what is written, how it is read back and why it is refused, with the tests of killed and damaged runs.

use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crc32fast::Hasher;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::failure::Result;
use super::records::files::{lock, naming};
use crate::atomic_file::{self, FileLock, is_written_directly};
use crate::datagen::sha256;
use crate::language::{Text, text};
use crate::open_file;

/// The version of the form of the file.
const VERSION: u32 = 1;
/// No line is longer.
const MAX_LINE: u64 = 16 << 20;
/// What a power failure may cost.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// What an item is: two with the same content have the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ItemId(String);

impl ItemId {
    /// Its length as text.
    const LENGTH: usize = 32;

    /// Of what makes the item what it is.
    pub(super) fn new(parts: &[&str]) -> ItemId {
        let text: String = parts.iter().map(|part| format!("{}\n{part}", part.len())).collect();
        ItemId(sha256(text.as_bytes())[..ItemId::LENGTH].to_owned())
    }
}

/// The items whose results a file has, each with how often.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptItems(HashMap<ItemId, usize>);

impl KeptItems {
    /// Whether the results of an item are there. Of an item that comes twice they must be there twice.
    pub(super) fn take(&mut self, item: &ItemId) -> bool {
        let Some(count) = self.0.get_mut(item) else { return false };
        *count -= 1;
        if *count == 0 {
            self.0.remove(item);
        }
        true
    }

    /// Whether none is left.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many are left.
    pub(super) fn len(&self) -> usize {
        self.0.values().sum()
    }

    /// What is to be said when all inputs were read: of results that are not theirs, if there are any.
    pub(super) fn remark(&self) -> Option<Text> {
        let left = self.len();
        (left > 0).then(|| {
            text!(
                "earlier results that are not of these inputs, or whose inputs have changed since: {left}; they stay",
                "以前の結果のうち{left}件は、今回の入力のものではないか、入力がその後変更されています（結果はそのまま残します）"
            )
        })
    }
}

/// What the first line says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Heading {
    format: String,
    version: u32,
    /// Everything but the inputs that the results depend on.
    settings: Map<String, Value>,
    /// As the arguments name them.
    inputs: Vec<String>,
}

impl Heading {
    pub(super) fn new(command: &str, settings: Value, inputs: Vec<String>) -> Heading {
        let mut settings = if let Value::Object(settings) = settings { settings } else { Map::new() };
        settings.insert("program".to_owned(), env!("CARGO_PKG_VERSION").into());
        Heading { format: format!("kurosabi {command}"), version: VERSION, settings, inputs }
    }

    fn line(&self) -> Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    /// Whether a file with this first line may be continued: more inputs may have come.
    fn check(&self, first: &[u8]) -> Result {
        let found: Value = serde_json::from_slice(first).unwrap_or_default();
        if !first.ends_with(b"\n") || found.get("format") != Some(&self.format.as_str().into()) {
            Err(foreign(&self.format))?;
        }
        if found.get("version") != Some(&VERSION.into()) {
            Err(text!(
                "another version of Kurosabi wrote it, which must continue it",
                "別のバージョンのKurosabiが書いたファイルです。そのバージョンで続けてください"
            ))?;
        }
        let found: Heading = serde_json::from_value(found).map_err(|_| foreign(&self.format))?;
        if found.settings != self.settings {
            let names: BTreeSet<_> = found.settings.keys().chain(self.settings.keys()).collect();
            let differences = names.into_iter().map(|name| (name, found.settings.get(name), self.settings.get(name)));
            let differences: Vec<_> = differences.filter(|(_, before, now)| before != now).collect();
            let [en, ja] = [["was", "is now"], ["以前は", "今回は"]].map(|[was, is]| {
                let value = |value: Option<&Value>| value.unwrap_or(&Value::Null).to_string();
                let words = differences.iter();
                let words = words.map(|&(name, old, new)| format!("{name} {was} {}, {is} {}", value(old), value(new)));
                words.collect::<Vec<_>>().join("; ")
            });
            Err(text!(
                "it was written with other settings ({en}): give the same ones, or name another file",
                "別の設定で書かれたファイルです（{ja}）。同じ設定にするか、別のファイルを指定してください"
            ))?;
        }
        if let Some(missing) = found.inputs.iter().find(|input| !self.inputs.contains(input)) {
            Err(text!(
                "it was written with the input {missing:?}, which is not given now: give it too, or name another file",
                "このファイルの入力「{missing}」が指定されていません。それも指定するか、別のファイルを指定してください"
            ))?;
        }
        Ok(())
    }
}

/// Why a file is not continued that is something else than results of this format.
pub(super) fn foreign(format: &str) -> Text {
    text!(
        "it has no first line of results of `{format}`, so --resume leaves it as it is: name another file",
        "`{format}` の結果を示す1行目がないため、--resume では続けられません（ファイルは変更していません）。別のファイルを指定してください"
    )
}

/// Why a file is not continued in which these lines, from the first to the last, are not what was written.
pub(super) fn damage(ranges: &[(usize, usize)]) -> Text {
    let range =
        |&(first, last): &(usize, usize)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let mut numbers = ranges.iter().take(10).map(range).collect::<Vec<_>>().join(", ");
    if ranges.len() > 10 {
        numbers += ", …";
    }
    let line = if matches!(ranges, [(first, last)] if first == last) { "line" } else { "lines" };
    text!(
        "damaged in {line} {numbers}; it was left as it is. Without these lines it can be continued, and what they held is done again",
        "{numbers}行が壊れています（ファイルは変更していません）。その行を取り除くと続けられ、該当する結果は作り直されます"
    )
}

/// What a file of results holds.
#[derive(Debug, Default)]
struct Content {
    items: KeptItems,
    /// Where the last whole item ends.
    end: u64,
    /// The first and the last one of lines that are not what was written.
    damaged: Vec<(usize, usize)>,
}

impl Content {
    /// Reads a file that is to be continued.
    ///
    /// # Errors
    /// When it is not one that may be.
    fn read(mut reader: impl BufRead, heading: &Heading) -> Result<Content> {
        let line = read_line(&mut reader)?;
        let mut content = Content::default();
        // A run may have been killed before it had written the first line.
        if !line.ends_with(b"\n") && heading.line()?.as_bytes().starts_with(&line) {
            return Ok(content);
        }
        heading.check(&line)?;
        let mut at = line.len() as u64;
        content.end = at;
        // The first line of the item that has not ended, and the checksum of its lines.
        let (mut first, mut checksum) = (2, Hasher::new());
        for number in 2.. {
            let line = read_line(&mut reader)?;
            at += line.len() as u64;
            if !line.ends_with(b"\n") {
                // A run that was killed leaves the beginning of a line, a power failure zeros.
                let may_be_own = line.starts_with(b"{") || line.iter().all(|&byte| byte == 0);
                content.damaged.extend((line.len() as u64 == MAX_LINE || !may_be_own).then_some((number, number)));
                break;
            }
            if let Some(close) = Close::parse(&line) {
                checksum.update(&line[..close.at]);
                checksum.update(close.item.0.as_bytes());
                if checksum.finalize() == close.checksum {
                    *content.items.0.entry(close.item).or_default() += 1;
                } else {
                    content.damaged.push((first, number));
                }
                content.end = at;
            } else if is_open(&line) {
                checksum.update(&line);
                continue;
            } else {
                content.damaged.push((first, number));
            }
            (first, checksum) = (number + 1, Hasher::new());
        }
        Ok(content)
    }
}

/// A line with its end, or what there is of one.
pub(super) fn read_line(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    reader.take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// Whether this is a line of an item that goes on: a JSON object without the member that only the last line has.
fn is_open(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Line {
        item: Option<IgnoredAny>,
    }
    line.starts_with(b"{") && serde_json::from_slice::<Line>(line).is_ok_and(|line| line.item.is_none())
}

/// The end of an item's last line.
struct Close {
    /// Where it begins.
    at: usize,
    item: ItemId,
    checksum: u32,
}

/// What the end of an item's last line begins with.
const CLOSE: &str = ",\"item\":\"";

impl Close {
    fn parse(line: &[u8]) -> Option<Close> {
        let length = CLOSE.len() + ItemId::LENGTH + "-12345678\"}\n".len();
        let at = line.len().checked_sub(length)?;
        let text = str::from_utf8(&line[at..]).ok()?.strip_prefix(CLOSE)?.strip_suffix("\"}\n")?;
        let (item, checksum) = text.split_at_checked(ItemId::LENGTH)?;
        let checksum = u32::from_str_radix(checksum.strip_prefix('-')?, 16).ok()?;
        Some(Close { at, item: ItemId(item.to_owned()), checksum })
    }
}

/// Where results go, item by item: standard output, a device or a pipe, or a file that grows, which no other process
/// works on meanwhile.
pub(super) struct ItemOutput {
    /// None for standard output.
    path: Option<PathBuf>,
    /// None as long as something else stands in the file behind the items.
    out: Option<Out>,
    /// Where the items end then, and what is to follow them.
    end: u64,
    waiting: Vec<u8>,
    /// Whether a later run can continue it.
    has_ids: bool,
    /// Of the lines of the item being written.
    checksum: Hasher,
    synced: Instant,
    _lock: Option<FileLock>,
}

enum Out {
    Stream(Box<dyn Write>),
    File(File),
}

impl ItemOutput {
    fn new(path: Option<&Path>, out: Option<Out>, end: u64, lock: Option<FileLock>) -> ItemOutput {
        let (path, waiting, checksum) = (path.map(Path::to_owned), Vec::new(), Hasher::new());
        ItemOutput { path, out, end, waiting, has_ids: false, checksum, synced: Instant::now(), _lock: lock }
    }

    /// Standard output.
    pub(super) fn stream(out: impl Write + 'static) -> ItemOutput {
        ItemOutput::new(None, Some(Out::Stream(Box::new(out))), 0, None)
    }

    /// Opens an output, with this heading if it can be continued, and gives what is there already if it is to be.
    ///
    /// # Errors
    /// When it cannot be written or continued; then it is as it was.
    pub(super) fn open(path: &Path, heading: Option<&Heading>, resume: bool) -> Result<(ItemOutput, KeptItems)> {
        let Some(heading) = heading.filter(|_| !is_written_directly(path)) else {
            return Ok((ItemOutput::begin(path, "")?, KeptItems::default()));
        };
        let first = heading.line()?;
        let (mut out, kept) = match resume && path.exists() {
            true => ItemOutput::resume(path, &first, |reader| {
                let content = Content::read(reader, heading)?;
                if !content.damaged.is_empty() {
                    Err(damage(&content.damaged))?;
                }
                Ok((content.items, content.end))
            })?,
            false => (ItemOutput::begin(path, &first)?, KeptItems::default()),
        };
        out.has_ids = true;
        Ok((out, kept))
    }

    /// Begins a text that grows with this. What is in the file now stays until the first item is whole.
    ///
    /// # Errors
    /// When it cannot be written, or another process works on it.
    pub(super) fn begin(path: &Path, text: &str) -> Result<ItemOutput> {
        if is_written_directly(path) {
            let device = open_file::to_append(path).map_err(|error| naming(path, error))?;
            let mut out = ItemOutput::new(Some(path), Some(Out::Stream(Box::new(device))), 0, None);
            out.write(text)?;
            return Ok(out);
        }
        let has_content = path.metadata().is_ok_and(|metadata| metadata.len() > 0);
        ItemOutput::grow(path, 0, has_content, text, lock(path)?)
    }

    /// Continues a file behind its items, or with this text where it has no beginning. What stands there stays until
    /// the next item is whole.
    ///
    /// # Errors
    /// When it cannot be written, another process works on it, or reading says that it may not be continued.
    pub(super) fn resume<T>(
        path: &Path,
        text: &str,
        read: impl FnOnce(BufReader<File>) -> Result<(T, u64)>,
    ) -> Result<(ItemOutput, T)> {
        let lock = lock(path)?;
        let file = File::open(path).map_err(|error| naming(path, error))?;
        let length = file.metadata().map_err(|error| naming(path, error))?.len();
        let (content, end) = read(BufReader::new(file)).map_err(|error| naming(path, error))?;
        Ok((ItemOutput::grow(path, end, length > end, if end == 0 { text } else { "" }, lock)?, content))
    }

    fn grow(path: &Path, end: u64, has_more: bool, text: &str, lock: FileLock) -> Result<ItemOutput> {
        let mut out = ItemOutput::new(Some(path), None, end, Some(lock));
        if !has_more {
            let file = OpenOptions::new().create(true).append(true).open(path);
            out.out = Some(Out::File(file.map_err(|error| naming(path, error))?));
        }
        let written = out.append(text.as_bytes());
        out.named(written)?;
        Ok(out)
    }

    fn named(&self, result: io::Result<()>) -> Result {
        result.map_err(|error| match &self.path {
            Some(path) => naming(path, error),
            None => error.into(),
        })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.out {
            Some(Out::Stream(out)) => out.write_all(bytes).and_then(|()| out.flush()),
            Some(Out::File(file)) => file.write_all(bytes),
            None => self.waiting.write_all(bytes),
        }
    }

    /// Writes lines of an item that is not yet whole.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn write(&mut self, lines: &str) -> Result {
        self.checksum.update(lines.as_bytes());
        let written = self.append(lines.as_bytes());
        self.named(written)
    }

    /// Writes the last lines of an item; where a later run is to know it, these are one JSON object.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn end_item(&mut self, lines: &str, item: impl FnOnce() -> ItemId) -> Result {
        let mut checksum = std::mem::take(&mut self.checksum);
        if !self.has_ids {
            return self.end_text(lines);
        }
        let ItemId(item) = item();
        let text = lines.strip_suffix("}\n").unwrap_or(lines);
        checksum.update(text.as_bytes());
        checksum.update(item.as_bytes());
        self.end_text(&format!("{text}{CLOSE}{item}-{:08x}\"}}\n", checksum.finalize()))
    }

    /// Writes whole lines of a text that grows.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn end_text(&mut self, lines: &str) -> Result {
        let written = self.append(lines.as_bytes()).and_then(|()| self.give_way()).and_then(|()| self.sync(SYNC_EVERY));
        self.named(written)
    }

    /// Puts the items that were kept and the one that waits in the place of the file.
    fn give_way(&mut self) -> io::Result<()> {
        let Some(path) = self.path.as_ref().filter(|_| self.out.is_none()) else { return Ok(()) };
        atomic_file::replace(path, |out| -> io::Result<()> {
            if self.end > 0 {
                io::copy(&mut File::open(path)?.take(self.end), out)?;
            }
            out.write_all(&self.waiting)?;
            out.sync()
        })?;
        self.waiting = Vec::new();
        self.out = Some(Out::File(OpenOptions::new().append(true).open(path)?));
        Ok(())
    }

    /// Waits until everything is on the disk, if that was not done so recently.
    fn sync(&mut self, every: Duration) -> io::Result<()> {
        if let Some(Out::File(file)) = self.out.as_ref().filter(|_| self.synced.elapsed() >= every) {
            file.sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Ends the output, and sees to it that everything is on the disk.
    ///
    /// # Errors
    /// When the system says that it is not.
    pub(super) fn finish(mut self) -> Result {
        let ended = self.append(b"").and_then(|()| self.sync(Duration::ZERO));
        self.named(ended)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use serde_json::json;

    use super::*;

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
    ///
    /// # Errors
    /// The damaged lines; none where it may not be continued at all.
    fn resumed(bytes: &[u8], heading: &Heading, items: &[usize]) -> Result<Vec<u8>, Vec<(usize, usize)>> {
        let Content { items: mut kept, end, damaged } = Content::read(bytes, heading).map_err(|_| Vec::new())?;
        if !damaged.is_empty() {
            return Err(damaged);
        }
        let mut text = bytes[..end as usize].to_vec();
        if end == 0 {
            text.extend_from_slice(heading.line().unwrap().as_bytes());
        }
        let missing = items.iter().filter(|&&item| !kept.take(&id(item)));
        missing.for_each(|&item| text.extend_from_slice(closed(item).as_bytes()));
        Ok(text)
    }

    /// How often each of ten items is there, in a file that is whole.
    fn counts(bytes: &[u8], heading: &Heading) -> Vec<usize> {
        let content = Content::read(bytes, heading).unwrap();
        assert_eq!(content.end, bytes.len() as u64);
        (0..10).map(|item| content.items.0.get(&id(item)).copied().unwrap_or(0)).collect()
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
                Err(lines) if !lines.is_empty() => {
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
        let why = |text: &str| match Content::read(text.as_bytes(), &heading) {
            Ok(content) => damage(&content.damaged),
            Err(failure) => failure.text().clone(),
        };
        for text in ["notes\n", "notes", "{}\n", "[]\n", "{\"sfen\":1,\"line\":1}\n", "\n", &"x".repeat(1 << 20)] {
            let Text { en, ja } = why(text);
            assert!(en.contains("no first line of results of `kurosabi test`"), "{en}");
            assert!(en.contains("name another file") && ja.contains("別のファイル"));
        }
        let line = heading.line().unwrap();
        for (text, words) in [
            (line.replace("\"version\":1", "\"version\":2"), "another version of Kurosabi"),
            (
                line.replace("\"nodes\":5", "\"nodes\":6,\"depth\":1"),
                "(depth was 1, is now null; nodes was 6, is now 5)",
            ),
            (line.replace("[\"a\"]", "[\"a\",\"b\"]"), "the input \"b\""),
        ] {
            let error = why(&text);
            assert!(error.en.contains(words), "{error}");
        }
        let Text { en, ja } = why(&format!("{line}{}no\n{}", closed(1), closed(2)));
        assert!(en.starts_with("damaged in line 4; it was left as it is"), "{en}");
        assert!(ja.starts_with("4行が壊れて"), "{ja}");
    }

    #[test]
    fn an_item_whose_last_line_is_damaged_takes_no_other_one_along() {
        let heading = heading(5, &["a"]);
        let whole = format!("{}{}{}", heading.line().unwrap(), closed(3), closed(2));
        for text in [whole.replacen("\"item\"", "\"it\u{0}m\"", 1), whole.replacen("-", "+", 1)] {
            let content = Content::read(text.as_bytes(), &heading).unwrap();
            assert_eq!((content.damaged, content.items.len()), (vec![(2, 5)], 1));
        }
    }

    #[test]
    fn results_in_another_form_or_with_a_note_behind_them_are_left_as_they_are() {
        let heading = heading(5, &["a"]);
        let whole = format!("{}{}{}", heading.line().unwrap(), closed(3), closed(1));
        let respaced = whole.replace("\"item\":", "\"item\": ");
        let [note, cut] = [format!("{whole}my note"), format!("{whole}{{\"game\":2,\"po")];
        for text in [&whole.replace('\n', "\r\n"), &respaced, &note] {
            let content = Content::read(text.as_bytes(), &heading).unwrap();
            assert!(!content.damaged.is_empty(), "{text}: {content:?}");
        }
        for text in [cut, format!("{whole}\0\0\0")] {
            assert_eq!(Content::read(text.as_bytes(), &heading).unwrap().end, whole.len() as u64, "{text}");
        }
    }
}
