//! Writing records, in any format.
//!
//! No text of a record can say anything that the record does not: a name with a line end in it must not become a move.

use std::collections::BTreeSet;

use super::Format;
use super::ending::Ending;
use super::record::{Entry, GameRecord, MAX_TIME, Node};
use super::text::{self, TextEncoding};
use crate::records::{csa, jkf, kakinoki, ki2, kif, reader, usi};
use crate::types::Color;

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// The encoding in which the text will be stored; KIF and CSA name it in their first lines.
    pub encoding: TextEncoding,
}

/// Writes a record. What a format cannot hold is left out: CSA has no variations, and bookmarks become comments there;
/// KIF and JKF have whole seconds and KI2 no times; USI has only the moves and the end; SFEN has only the positions of
/// the main line, one per line; only these two number the first move. Texts are written in characters of the encoding
/// and so that they read back as what they are: a name with a line end in it is still one name.
pub fn write(record: &GameRecord, format: Format, options: &WriteOptions) -> String {
    let fitted = || fit(record, format, &|text| text::held_by(options.encoding, text));
    match format {
        Format::Kif => kif::write(&fitted(), options.encoding),
        Format::Ki2 => ki2::write(&fitted()),
        Format::Csa => csa::write(&fitted(), options.encoding),
        Format::Jkf => jkf::write(&fitted()),
        Format::Usi => usi::write(record),
        Format::Sfen => usi::write_sfens(record),
    }
}

/// Writes a record as KIF in UTF-8. (To write any format in any encoding takes half a megabyte of code and tables,
/// which a WebAssembly module does without.)
pub(crate) fn write_kif(record: &GameRecord) -> String {
    kif::write(&fit(record, Format::Kif, &str::to_owned), TextEncoding::Utf8)
}

/// The record as a format holds it, its texts in characters that are `held`. Control characters become blanks, line
/// ends in comments begin new lines of them. A fact whose line would be read as something else becomes a comment of the
/// start, and an end by such a word becomes 中断 with the word in a comment.
fn fit(record: &GameRecord, format: Format, held: &dyn Fn(&str) -> String) -> GameRecord {
    let mut record = record.clone();
    let clean = |text: &str| held(&one_line(text));
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut comments = Vec::new();
    for (name, value) in std::mem::take(&mut record.metadata) {
        let (name, value) = (clean(&name).trim().to_owned(), clean(&value).trim().to_owned());
        if holds_fact(format, &name, &value, &facts) {
            facts.push((name, value));
        } else if !value.is_empty() {
            comments.push(format!("{name}：{value}"));
        }
    }
    record.metadata = facts;
    for node in &mut record.nodes {
        comments.extend(word_that_does_not_fit(node, format, clean));
        comments.extend(node.comments.iter().flat_map(|comment| comment.split('\n')).map(clean));
        node.comments = std::mem::take(&mut comments);
        node.bookmark = node.bookmark.as_deref().map(clean);
        node.time = node.time.map(|time| time.min(MAX_TIME));
    }
    if format == Format::Ki2 {
        move_before_ends(&mut record);
    }
    record
}

/// Gives what is said of ends to the moves before them: programs refuse a KI2 file with lines behind that of the
/// result.
fn move_before_ends(record: &mut GameRecord) {
    let mut ends = Vec::new();
    record.visit(|id, node, _| ends.extend(node.ending().map(|_| id)));
    for end in ends {
        let node = record.node_mut(end);
        let (comments, bookmark) = (std::mem::take(&mut node.comments), node.bookmark.take());
        let before = record.move_before(end);
        let node = record.node_mut(before);
        node.comments.extend(comments);
        match bookmark {
            Some(bookmark) if node.bookmark.is_some() => node.comments.push(bookmark),
            Some(bookmark) => node.bookmark = Some(bookmark),
            None => {}
        }
    }
}

/// Whether a format can hold a fact besides others.
fn holds_fact(format: Format, name: &str, value: &str, others: &[(String, String)]) -> bool {
    match format {
        Format::Csa => csa::holds_fact(name, value, others),
        Format::Jkf => name != jkf::HANDICAP,
        _ => {
            let line = format!("{name}：{value}");
            reader::detect_line(&line).is_none() && kakinoki::is_read_as_fact(&line, name, value)
        }
    }
}

/// Whether a format reads the word of an end that it does not know as that word.
fn holds_ending(format: Format, word: &str) -> bool {
    let own = Ending::Other(word.to_owned());
    match format {
        Format::Kif => kif::is_own_ending(word),
        Format::Ki2 => Ending::from_result(&format!("1手で{word}"), Color::Black).is_some_and(|(read, _)| read == own),
        _ => own.csa_comment().and_then(|comment| Ending::Interrupt.named_by_comment(&comment)) == Some(own),
    }
}

/// Cleans the word of an end. Where the format cannot hold it, the end becomes 中断 and the word is returned as a
/// comment.
fn word_that_does_not_fit(node: &mut Node, format: Format, clean: impl Fn(&str) -> String) -> Option<String> {
    let Entry::End(Ending::Other(word)) = &mut node.entry else { return None };
    *word = clean(word).trim().to_owned();
    if holds_ending(format, word) {
        return None;
    }
    let comment = Ending::Other(std::mem::take(word)).csa_comment();
    node.entry = Entry::End(Ending::Interrupt);
    comment
}

/// A text without the characters that end lines or mean something to terminals, blanks in their place.
fn one_line(text: &str) -> String {
    let is_kept = |c: char| c == '\t' || !(c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.chars().map(|c| if is_kept(c) { c } else { ' ' }).collect()
}

/// The characters of a record's texts for which an encoding has neither a code nor a similar character, each once.
pub fn unencodable(record: &GameRecord, encoding: TextEncoding) -> String {
    let facts = record.metadata.iter().flat_map(|(name, value)| [name, value]);
    let texts = record.nodes.iter().flat_map(|node| {
        let word = match &node.entry {
            Entry::End(Ending::Other(word)) => Some(word),
            _ => None,
        };
        node.comments.iter().chain(&node.bookmark).chain(word)
    });
    let all: BTreeSet<char> = facts.chain(texts).flat_map(|text| text.chars()).collect();
    all.into_iter().filter(|&c| !c.is_control() && text::similar(encoding, c).is_none()).collect()
}
