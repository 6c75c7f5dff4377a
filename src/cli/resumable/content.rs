//! What a file of results holds: its items, and damage.

use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead, Read};

use crc32fast::Hasher;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Heading, ResumeError};
use crate::datagen::sha256;
use crate::language::{Text, text};

/// No line is longer.
const MAX_LINE: u64 = 16 << 20;
/// What is remembered of lines to find where damage among them ends, in lines and in bytes.
const REMEMBERED: (usize, usize) = (1024, 64 << 20);

/// What an item is: two with the same content have the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::cli) struct ItemId(pub(super) String);

impl ItemId {
    /// Its length as text.
    const LENGTH: usize = 32;

    /// Of what makes the item what it is.
    pub(in crate::cli) fn new(parts: &[&str]) -> ItemId {
        let text: String = parts.iter().map(|part| format!("{}\n{part}", part.len())).collect();
        let mut digest = sha256(text.as_bytes());
        digest.truncate(ItemId::LENGTH);
        ItemId(digest)
    }
}

/// The items whose results a file has.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct KeptItems {
    pub(super) counts: HashMap<ItemId, usize>,
    /// How many have not been taken.
    left: usize,
}

impl KeptItems {
    fn add(&mut self, item: ItemId) {
        *self.counts.entry(item).or_insert(0) += 1;
        self.left += 1;
    }

    /// Whether the results of an item are there. Of an item that comes twice they must be there twice.
    pub(in crate::cli) fn take(&mut self, item: &ItemId) -> bool {
        let count = self.counts.get_mut(item).filter(|count| **count > 0);
        let is_there = count.map(|count| *count -= 1).is_some();
        self.left -= usize::from(is_there);
        is_there
    }

    /// Whether none is left.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// How many are left.
    pub(in crate::cli) fn len(&self) -> usize {
        self.left
    }

    /// What is to be said when all inputs were read: of results that are not theirs, if there are any.
    pub(in crate::cli) fn remark(&self) -> Option<Text> {
        let left = self.left;
        (left > 0).then(|| {
            text!(
                "earlier results that are not of these inputs, or whose inputs have changed since: {left}; they stay",
                "以前の結果のうち{left}件は、今回の入力のものではないか、入力がその後変更されています（結果はそのまま残します）"
            )
        })
    }
}

/// What a file holds.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) items: KeptItems,
    /// Where the last whole item ends.
    pub(super) end: u64,
}

impl Content {
    /// Reads a file that is to be continued.
    ///
    /// # Errors
    /// When it is not one that may be.
    pub(super) fn read(mut reader: impl BufRead, heading: &Heading) -> Result<Content, ResumeError> {
        let first = read_line(&mut reader)?;
        // A run may have been killed before it had written the first line.
        if !first.ends_with(b"\n") && heading.line()?.as_bytes().starts_with(&first) {
            return Ok(Content::default());
        }
        heading.check(&first)?;
        let mut content = Content { end: first.len() as u64, ..Content::default() };
        let (mut damaged, mut open, mut number) = (Vec::new(), OpenItem::new(2), 1);
        let mut at = content.end;
        loop {
            let line = read_line(&mut reader)?;
            at += line.len() as u64;
            if !line.ends_with(b"\n") {
                // A run that was killed leaves the beginning of a line, a power failure zeros.
                let may_be_own = line.starts_with(b"{") || line.iter().all(|&byte| byte == 0);
                if line.len() as u64 == MAX_LINE || !may_be_own {
                    damaged.push((number + 1, number + 1));
                }
                break;
            }
            number += 1;
            let Some(close) = Close::parse(&line) else {
                open.add(line, number);
                continue;
            };
            match open.first_line_of(&line, number, &close) {
                Some(first) => {
                    content.items.add(close.item.clone());
                    damaged.extend((first > open.first).then(|| (open.first, first - 1)));
                }
                None => damaged.push((open.first, number)),
            }
            (content.end, open) = (at, OpenItem::new(number + 1));
        }
        damaged.extend(open.foreign.map(|first| (first, number)));
        if damaged.is_empty() { Ok(content) } else { Err(ResumeError::Damaged(damaged)) }
    }
}

/// A line with its end, or what there is of one.
pub(in crate::cli) fn read_line(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    reader.take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// The end of an item's last line.
struct Close {
    /// Where it begins.
    at: usize,
    item: ItemId,
    checksum: u32,
}

/// What the end of an item's last line begins with.
pub(super) const CLOSE: &str = ",\"item\":\"";

impl Close {
    fn parse(line: &[u8]) -> Option<Close> {
        let length = CLOSE.len() + ItemId::LENGTH + "-12345678\"}\n".len();
        let at = line.len().checked_sub(length)?;
        let text = str::from_utf8(&line[at..]).ok()?.strip_prefix(CLOSE)?.strip_suffix("\"}\n")?;
        let (item, checksum) = text.split_at_checked(ItemId::LENGTH)?;
        let checksum = checksum.strip_prefix('-').and_then(|digits| u32::from_str_radix(digits, 16).ok())?;
        Some(Close { at, item: ItemId(item.to_owned()), checksum })
    }

    /// Whether these lines, and the one that it ends, are those of the item.
    fn fits(&self, mut before: Hasher, line: &[u8]) -> bool {
        before.update(&line[..self.at]);
        before.update(self.item.0.as_bytes());
        before.finalize() == self.checksum
    }
}

/// Lines of an item that has not ended.
struct OpenItem {
    /// The number of the first line.
    first: usize,
    checksum: Hasher,
    /// The last lines, with their numbers.
    last: VecDeque<(usize, Vec<u8>)>,
    bytes: usize,
    /// The first line that is no JSON object, or ends an item in another form than the one in which it is written, as
    /// after an editor changed the line ends: what stands before it is no item that a run was killed in.
    foreign: Option<usize>,
}

/// Of a line, what only the last one of an item has.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    item: Option<IgnoredAny>,
}

impl Line {
    /// Whether this is a line of an item that goes on.
    fn goes_on(line: &[u8]) -> bool {
        line.starts_with(b"{") && serde_json::from_slice::<Line>(line).is_ok_and(|line| line.item.is_none())
    }
}

impl OpenItem {
    fn new(first: usize) -> OpenItem {
        OpenItem { first, checksum: Hasher::new(), last: VecDeque::new(), bytes: 0, foreign: None }
    }

    fn add(&mut self, line: Vec<u8>, number: usize) {
        self.checksum.update(&line);
        if !Line::goes_on(&line) {
            self.foreign.get_or_insert(number);
        }
        self.bytes += line.len();
        self.last.push_back((number, line));
        while self.last.len() > REMEMBERED.0 || self.bytes > REMEMBERED.1 {
            self.bytes -= self.last.pop_front().map_or(0, |(_, line)| line.len());
        }
    }

    /// The number of the first line of an item that ends with this one: that of the first line of all where nothing is
    /// damaged.
    fn first_line_of(&self, line: &[u8], number: usize, close: &Close) -> Option<usize> {
        if close.fits(self.checksum.clone(), line) {
            return Some(self.first);
        }
        let fits = |from: &usize| {
            let mut checksum = Hasher::new();
            self.last.iter().skip(*from).for_each(|(_, line)| checksum.update(line));
            close.fits(checksum, line)
        };
        let from = (0..=self.last.len()).find(fits)?;
        Some(self.last.get(from).map_or(number, |&(number, _)| number))
    }
}
