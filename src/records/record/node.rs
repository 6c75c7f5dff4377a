//! The nodes of a record: moves with what the record says about them.

use std::time::Duration;

use crate::position::IllegalMove;
use crate::records::ending::Ending;
use crate::types::{Move, PieceType};

/// The longest time that records hold: 31 years.
pub(in crate::records) const MAX_TIME: Duration = Duration::from_secs(999_999_999);

/// Time that a record gives in seconds, to the millisecond; `None` for one that none can be.
pub(in crate::records) fn time(seconds: f64) -> Option<Duration> {
    let is_time = (0.0..=MAX_TIME.as_secs_f64()).contains(&seconds);
    is_time.then(|| Duration::from_millis((seconds * 1000.0).round() as u64))
}

/// The number of a node within its record. Parents come before their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The start position.
    pub const ROOT: NodeId = NodeId(0);

    /// The number as an index: 0 is the root.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node adds to its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Nothing: the start position.
    Start,
    /// A move, legal or not.
    Move(Move),
    /// The end of the line, as the record has it.
    End(Ending),
}

/// A move (or the start, or an end) with what the record says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it adds.
    pub entry: Entry,
    /// The type of piece that the record names for the move, where that is not the one on its origin.
    pub named_piece: Option<PieceType>,
    /// The comment, line by line, without the marks of a format.
    pub comments: Vec<String>,
    /// The bookmark (栞) that KIF sets with `&`.
    pub bookmark: Option<String>,
    /// Time spent on the move.
    pub time: Option<Duration>,
    /// The line of the source it was read from, from 1; 0 where there is none.
    pub source_line: u32,
    /// Whether the rules forbid the move, or it follows one that they forbid.
    pub legality: Legality,
    pub(super) parent: Option<NodeId>,
    pub(super) children: Vec<NodeId>,
    pub(super) ply: u32,
}

/// What the rules say to a node's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Legality {
    /// It is legal (or no move).
    #[default]
    Legal,
    /// It breaks this rule, and every move before it is legal.
    Illegal(IllegalMove),
    /// The record names another piece than the one on the origin, and every move before it is legal.
    Misnamed,
    /// It follows an illegal move, so nothing can be said.
    Unknown,
}

impl Node {
    pub(super) fn new(entry: Entry, parent: Option<NodeId>, ply: u32) -> Node {
        Node {
            entry,
            named_piece: None,
            comments: Vec::new(),
            bookmark: None,
            time: None,
            source_line: 0,
            legality: Legality::Legal,
            parent,
            children: Vec::new(),
            ply,
        }
    }

    /// The move; `None` for the start and for an end.
    pub fn played(&self) -> Option<Move> {
        match self.entry {
            Entry::Move(mv) => Some(mv),
            _ => None,
        }
    }

    /// Why its move is illegal, in words; `None` for a legal one, and for one that follows an illegal one.
    pub fn breach(&self) -> Option<String> {
        match self.legality {
            Legality::Illegal(reason) => Some(reason.to_string()),
            Legality::Misnamed => Some("the record names another piece than the one that stands there".to_owned()),
            Legality::Legal | Legality::Unknown => None,
        }
    }

    /// The ending that the node is.
    pub fn ending(&self) -> Option<&Ending> {
        match &self.entry {
            Entry::End(ending) => Some(ending),
            _ => None,
        }
    }

    /// Takes a line of a comment in CSA or JKF: a bookmark, an ending that has no keyword there, or a comment.
    pub(in crate::records) fn take_comment(&mut self, line: &str) {
        if let Some(bookmark) = line.strip_prefix('&') {
            self.bookmark = Some(bookmark.to_owned());
        } else if let Some(told) = self.ending().and_then(|ending| ending.told_by_comment(line)) {
            self.entry = Entry::End(told);
        } else {
            self.comments.push(line.to_owned());
        }
    }

    /// The comments as CSA and JKF have them, with the ending that has no keyword there and with the bookmark. A
    /// comment that would be read as one of these gets a blank in front.
    pub(in crate::records) fn comments_with_marks(&self) -> Vec<String> {
        let told = self.ending().and_then(Ending::csa_comment);
        let bookmark = self.bookmark.iter().map(|bookmark| format!("&{bookmark}"));
        let means_more = |comment: &str| {
            comment.starts_with('&') || self.ending().is_some_and(|ending| ending.told_by_comment(comment).is_some())
        };
        let comments = self
            .comments
            .iter()
            .map(|comment| if means_more(comment) { format!(" {comment}") } else { comment.clone() });
        told.into_iter().chain(comments).chain(bookmark).collect()
    }

    /// The nodes that follow: the first goes on with the line, the others are variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// The node before; `None` for the start.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// How many moves from the start, itself included (an end counts like a move).
    pub fn ply(&self) -> u32 {
        self.ply
    }
}
