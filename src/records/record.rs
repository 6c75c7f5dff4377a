//! The data model: a game as a tree of moves with all that a record says about them.

use std::time::Duration;

use super::ending::{Contradiction, Ending, RecordResult, WinnerSource};
use super::{MAX_WARNINGS, Problem, ReadError, Remedy, Warning};
use crate::position::{Handicap, IllegalMove, Position, Setup};
use crate::rules::GameLine;
use crate::types::{Color, Move, PieceType};

/// A game or a problem with all that its record says.
#[derive(Clone, Debug)]
pub struct GameRecord {
    start: Result<Position, ReadError>,
    start_board: Setup,
    /// What the record says about the game, in its order. The names are those of KIF (`先手`, `後手`, `棋戦`,
    /// `開始日時`, `持ち時間` …) in every format; see [`GameRecord::info`].
    pub metadata: Vec<(String, String)>,
    /// Parents before their children.
    pub(super) nodes: Vec<Node>,
    /// Contradictions within the text that it was read from: between the word for the end and the line of the result.
    pub remarks: Vec<Contradiction>,
    warnings: Vec<Warning>,
}

/// Records are bounded, so that a hostile file cannot exhaust memory.
pub const MAX_NODES: usize = 200_000;

impl GameRecord {
    /// A record without moves.
    pub fn new(start: Position) -> GameRecord {
        let setup = start.setup();
        GameRecord::empty(Ok(start), setup)
    }

    /// A record without moves from a board, which the rules may not allow; it stands in this line.
    pub(super) fn from_setup(setup: Setup, line: usize) -> GameRecord {
        let start = Position::from_setup(&setup).map_err(|error| ReadError::new(line, Problem::Start(error)));
        let mut record = GameRecord::empty(start, setup);
        record.start.clone().err().into_iter().for_each(|fault| record.warn(fault, Remedy::UNCHECKED));
        record
    }

    fn empty(start: Result<Position, ReadError>, start_board: Setup) -> GameRecord {
        let nodes = vec![Node::new(Entry::Start, None, 0)];
        let (metadata, remarks, warnings) = (Vec::new(), Vec::new(), Vec::new());
        GameRecord { start, start_board, metadata, nodes, remarks, warnings }
    }

    /// The start position.
    ///
    /// # Errors
    /// Why the rules do not allow it. Then nothing is known of the moves, but the record can be written.
    pub fn start(&self) -> Result<&Position, &ReadError> {
        self.start.as_ref()
    }

    /// The board of the start.
    pub fn start_board(&self) -> &Setup {
        &self.start_board
    }

    /// The number of the move to be made at the start, 1 in most games.
    pub(super) fn start_number(&self) -> u32 {
        self.start_board.move_number
    }

    /// The start as SFEN.
    pub fn start_sfen(&self) -> String {
        self.start_board.to_sfen()
    }

    /// Faults in the text that it was read from, by their lines.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The fault behind which the main line could not be read on.
    pub fn cut(&self) -> Option<&ReadError> {
        self.warnings.iter().find(|warning| warning.remedy == Remedy::GAME_CUT).map(|warning| &warning.error)
    }

    pub(super) fn warn(&mut self, error: ReadError, remedy: Remedy) {
        if self.warnings.len() < MAX_WARNINGS || remedy == Remedy::GAME_CUT {
            // Bytes that mean nothing are why the line cannot be read.
            let is_cause = remedy == Remedy::REPLACED;
            let stays = |warning: &Warning| (warning.error.line, is_cause) <= (error.line, false);
            let at = self.warnings.partition_point(stays);
            self.warnings.insert(at, Warning { error, remedy });
        }
    }

    pub(super) fn warn_all(&mut self, warnings: Vec<Warning>) {
        warnings.into_iter().for_each(|Warning { error, remedy }| self.warn(error, remedy));
    }

    /// The name of the start position, where it has one.
    pub fn handicap(&self) -> Option<Handicap> {
        self.start().ok().and_then(Handicap::from_position)
    }

    /// The same where every program knows the name in KIF and the preset in JKF.
    pub(super) fn common_handicap(&self) -> Option<Handicap> {
        use Handicap::*;
        let is_rare = |name| matches!(name, ThreePiece | FivePiece | LeftFivePiece | SevenPiece | LeftSevenPiece);
        self.handicap().filter(|&name| !is_rare(name))
    }

    /// Whether the game is one with a handicap.
    pub fn is_handicap(&self) -> bool {
        self.start().is_ok_and(Handicap::is_given)
    }

    /// What the record says under a KIF name such as `棋戦`.
    pub fn info(&self, name: &str) -> Option<&str> {
        self.metadata.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Adds to what the record says about the game.
    pub fn add_info(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.metadata.push((name.into(), value.into()));
    }

    /// Says this where the record says nothing about it.
    pub fn complete_info(&mut self, name: &str, value: &str) {
        if self.info(name).is_none_or(|said| said.trim().is_empty()) {
            self.metadata.retain(|(key, _)| key != name);
            self.add_info(name, value);
        }
    }

    /// The player's name (`先手` or `下手` for Black, `後手` or `上手` for White).
    pub fn player(&self, color: Color) -> Option<&str> {
        let names = match color {
            Color::Black => ["先手", "下手"],
            Color::White => ["後手", "上手"],
        };
        names.into_iter().find_map(|name| self.info(name))
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// How many nodes there are, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the record has neither a move nor an end.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Adds an entry behind a node, as its last variation, and gives its number. The same move twice makes two nodes.
    pub fn append(&mut self, parent: NodeId, entry: Entry) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let ply = self.node(parent).ply + 1;
        self.node_mut(parent).children.push(id);
        self.nodes.push(Node::new(entry, Some(parent), ply));
        id
    }

    /// The nodes that stand at the same place as a node, itself among them.
    pub(super) fn siblings(&self, id: NodeId) -> &[NodeId] {
        self.node(id).parent.map_or(&[], |parent| &self.node(parent).children)
    }

    /// Whether a node begins a variation.
    pub(super) fn is_variation(&self, id: NodeId) -> bool {
        self.siblings(id).first() != Some(&id)
    }

    /// The nodes of the main line, the root first and an end last.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.node(id).children.first().copied())
    }

    /// The moves of the main line up to the first illegal one.
    pub fn legal_moves(&self) -> Vec<Move> {
        let moves = self.main_line().skip(1).map(|id| self.node(id));
        moves.take_while(|node| node.legality == Legality::Legal).filter_map(Node::played).collect()
    }

    /// The moves of the main line up to the first that the rules or the record's words forbid. From a start that the
    /// rules do not allow, all moves.
    pub(super) fn moves_before_breach(&self) -> Vec<Move> {
        let moves = self.main_line().skip(1).map(|id| self.node(id));
        let is_breach = |node: &&Node| matches!(node.legality, Legality::Illegal(_) | Legality::Misnamed);
        moves.take_while(|node| !is_breach(node)).filter_map(Node::played).collect()
    }

    /// The start and the moves of the main line up to the first illegal one.
    ///
    /// # Errors
    /// As [`GameRecord::start`].
    pub fn line(&self) -> Result<GameLine, &ReadError> {
        self.start().map(|start| GameLine::new(start.clone(), self.legal_moves()))
    }

    /// How the main line ends, if the record says so.
    pub fn ending(&self) -> Option<&Ending> {
        self.main_line().last().and_then(|id| self.node(id).ending())
    }

    /// Whose turn it is after a node's move (for an end: after the move before it).
    pub(super) fn side_to_move_after(&self, id: NodeId) -> Color {
        let path = std::iter::successors(Some(id), |&at| self.node(at).parent);
        let made = path.filter(|&at| self.node(at).played().is_some()).count();
        let first = self.start_board.side_to_move();
        if made.is_multiple_of(2) { first } else { !first }
    }

    /// The result that the record names, by the end of its main line; none where that has no end.
    pub fn result(&self) -> Option<RecordResult> {
        let last = self.main_line().last()?;
        Some(RecordResult::from_ending(self.node(last).ending()?, self.side_to_move_after(last)))
    }

    /// The winner that the record names.
    pub fn winner(&self) -> Option<Color> {
        match self.result()? {
            RecordResult::Win(winner) => Some(winner),
            RecordResult::Draw | RecordResult::Open => None,
        }
    }

    /// Whether any node has variations.
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.children.len() > 1)
    }

    /// The illegal moves of the record, main line and variations, in the order of the source.
    pub fn illegal_moves(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(|(_, node)| matches!(node.legality, Legality::Illegal(_) | Legality::Misnamed))
            .map(|(index, _)| NodeId(index as u32))
    }

    /// The board before a node's move, illegal moves made like any other.
    pub fn board_before(&self, id: NodeId) -> Setup {
        let before = std::iter::successors(self.node(id).parent, |&at| self.node(at).parent);
        let path: Vec<Move> = before.filter_map(|at| self.node(at).played()).collect();
        let mut board = self.start_board.clone();
        path.into_iter().rev().for_each(|mv| board.do_move(mv));
        board
    }

    /// Goes through all nodes but the root, each line to its end before its variations, with the board before
    /// each node. A node's variations come after the line they vary, the latest first, as KIF has them.
    pub fn visit<'a>(&'a self, mut visitor: impl FnMut(NodeId, &'a Node, &Setup)) {
        let mut waiting = vec![(NodeId::ROOT, self.start_board.clone())];
        while let Some((id, mut board)) = waiting.pop() {
            let node = self.node(id);
            if id != NodeId::ROOT {
                visitor(id, node, &board);
            }
            node.played().into_iter().for_each(|mv| board.do_move(mv));
            waiting.extend(node.children.iter().rev().map(|&child| (child, board.clone())));
        }
    }

    /// For each node, the time its side has spent so far.
    pub(super) fn total_times(&self) -> Vec<Duration> {
        let mut totals: Vec<Duration> = Vec::new();
        for node in &self.nodes {
            let before = node.parent.and_then(|parent| self.node(parent).parent);
            let before = before.map_or(Duration::ZERO, |before| totals[before.index()]);
            totals.push(before.saturating_add(node.time.unwrap_or_default()));
        }
        totals
    }

    /// The node of the move before a node's, or the root. Moves may stand behind an end, as in a game that was
    /// broken off and taken up again.
    pub(super) fn move_before(&self, id: NodeId) -> NodeId {
        let mut before = std::iter::successors(self.node(id).parent, |&at| self.node(at).parent);
        before.find(|&at| self.node(at).ending().is_none()).unwrap_or(NodeId::ROOT)
    }

    /// Whether a node follows an illegal move.
    pub(super) fn is_behind_illegal_move(&self, node: &Node) -> bool {
        node.parent.is_some_and(|parent| matches!(self.node(parent).legality, Legality::Illegal(_)))
    }

    /// By what an end has to name the winner: behind an illegal move, a breach of the rules is taken for that move.
    pub(super) fn winner_source(&self, node: &Node) -> WinnerSource {
        if self.is_behind_illegal_move(node) { WinnerSource::Name } else { WinnerSource::SideToMove }
    }
}

impl From<&GameLine> for GameRecord {
    fn from(line: &GameLine) -> GameRecord {
        let mut record = GameRecord::new(line.start());
        let last = line.moves().iter().fold(NodeId::ROOT, |at, &mv| record.append(at, Entry::Move(mv)));
        if let Some(word) = line.special_move() {
            record.append(last, Entry::End(word.into()));
        }
        record
    }
}

/// Records are equal when they say the same: the order in which nodes were added and the lines of the source do
/// not matter.
impl PartialEq for GameRecord {
    fn eq(&self, other: &GameRecord) -> bool {
        // Nodes in preorder with their plies are the whole tree.
        let said = |record: &GameRecord| {
            let mut nodes = vec![plain(record.node(NodeId::ROOT))];
            record.visit(|_, node, _| nodes.push(plain(node)));
            nodes
        };
        self.start_sfen() == other.start_sfen() && self.metadata == other.metadata && said(self) == said(other)
    }
}

/// The node without its place in the source and in the list of nodes.
fn plain(node: &Node) -> Node {
    Node { source_line: 0, parent: None, children: Vec::new(), ..node.clone() }
}

/// The longest time that records hold: 31 years.
pub(super) const MAX_TIME: Duration = Duration::from_secs(999_999_999);

/// Time that a record gives in seconds, to the millisecond; `None` for one that none can be.
pub(super) fn time(seconds: f64) -> Option<Duration> {
    let is_time = (0.0..=MAX_TIME.as_secs_f64()).contains(&seconds);
    is_time.then(|| Duration::from_millis((seconds * 1000.0).round() as u64))
}

/// The number of a node within its record. Parents come before their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

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
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    ply: u32,
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
    fn new(entry: Entry, parent: Option<NodeId>, ply: u32) -> Node {
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
    pub(super) fn take_comment(&mut self, line: &str) {
        if let Some(bookmark) = line.strip_prefix('&') {
            self.bookmark = Some(bookmark.to_owned());
        } else if let Some(named) = self.ending().and_then(|ending| ending.named_by_comment(line)) {
            self.entry = Entry::End(named);
        } else {
            self.comments.push(line.to_owned());
        }
    }

    /// The comments as CSA and JKF have them, with the ending that has no keyword there and with the bookmark. A
    /// comment that would be read as one of these gets a blank in front.
    pub(super) fn comments_with_marks(&self) -> Vec<String> {
        let ending = self.ending().and_then(Ending::csa_comment);
        let bookmark = self.bookmark.iter().map(|bookmark| format!("&{bookmark}"));
        let names_ending =
            |comment: &str| self.ending().is_some_and(|ending| ending.named_by_comment(comment).is_some());
        let comments = self.comments.iter().map(|comment| {
            let means_more = comment.starts_with('&') || names_ending(comment);
            format!("{}{comment}", if means_more { " " } else { "" })
        });
        ending.into_iter().chain(comments).chain(bookmark).collect()
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
