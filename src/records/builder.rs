//! The record under construction, with the boards along its present line.

use std::collections::BTreeSet;

use super::ending::{Contradiction, Ending, RecordResult, WinnerSource};
use super::record::{Entry, GameRecord, Legality, MAX_NODES, Node, NodeId};
use super::{Problem, ReadError, Remedy};
use crate::position::{Handicap, Position, Setup};
use crate::types::{Color, Move, Phrase, Piece, PieceType, Square};

/// Appends to a record's present line, goes to where a variation begins, and keeps what can be placed of a damaged
/// text.
///
/// The main line stays as it is once the first variation begins: a variation that does not fit the one before it may be
/// one of the main line.
pub(super) struct Builder {
    record: GameRecord,
    /// The nodes of the present line and the board after each, the start among them.
    line: Vec<(NodeId, Setup)>,
    /// The same of the main line, once the first variation has begun.
    main: Vec<(NodeId, Setup)>,
    state: State,
    /// Why the variation that begins may not belong where it is, and what is said if it does.
    doubt: Option<(ReadError, Remedy)>,
    /// The position after the first entries of the line, brought forward when it is asked for: made anew each time, it
    /// would take a time that grows with the square of the line's length. `None` where no rule allows the start.
    position: Option<Position>,
    /// Those entries; `None` is an end.
    made: Vec<Option<Move>>,
    /// The numbers of the ends that name the side that won or broke the rules. The others mean the side to move.
    named: BTreeSet<usize>,
}

/// What is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    MainLine,
    Variation,
    /// What stands behind damage, up to the next variation.
    Lost,
}

/// What the number of a variation is expected to be.
pub(super) const VARIATION_NUMBER: Phrase = Phrase::new("the number of a move of this line", "この手順にある手数");

/// The longest main line on which a variation may begin that the line before it does not reach: going there again
/// and again takes a time that grows with the square of the length.
const MAX_MAIN_LINE: usize = 5000;

impl Builder {
    /// Goes on with a record that has no moves.
    pub(super) fn new(record: GameRecord) -> Builder {
        let line = vec![(NodeId::ROOT, record.start_board().clone())];
        let position = record.start().ok().cloned();
        let (main, made, named) = (Vec::new(), Vec::new(), BTreeSet::new());
        Builder { record, line, main, state: State::MainLine, doubt: None, position, made, named }
    }

    fn last(&self) -> &(NodeId, Setup) {
        // The start is never taken off.
        &self.line[self.ply()]
    }

    /// The board that the next move is made on.
    pub(super) fn board(&self) -> &Setup {
        &self.last().1
    }

    pub(super) fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    /// The position at the end of the present line; `None` behind a move that the rules or the record's words forbid.
    pub(super) fn position(&mut self) -> Option<&Position> {
        for &(id, _) in &self.line[self.made.len() + 1..] {
            let node = self.record.node(id);
            let position = self.position.as_mut().filter(|_| node.legality == Legality::Legal)?;
            node.played().into_iter().for_each(|mv| _ = position.do_move(mv));
            self.made.push(node.played());
        }
        self.position.as_ref()
    }

    /// The node of the last entry.
    pub(super) fn node(&mut self) -> &mut Node {
        let id = self.last().0;
        self.record.node_mut(id)
    }

    /// Entries on the present line.
    pub(super) fn ply(&self) -> usize {
        self.line.len() - 1
    }

    /// How many moves were made before the start, as it is numbered.
    pub(super) fn moves_before_start(&self) -> usize {
        (self.record.start_number() as usize).saturating_sub(1)
    }

    /// Whether the present line is the main line.
    pub(super) fn is_main_line(&self) -> bool {
        self.state == State::MainLine
    }

    /// Whether the next move is the first of a variation.
    pub(super) fn begins_variation(&self) -> bool {
        let is_of_main_line = self.main.get(self.ply()).is_some_and(|main| main.0 == self.last().0);
        self.state == State::Variation && is_of_main_line && self.doubt.is_none()
    }

    /// Whether the present line has its end.
    pub(super) fn is_over(&self) -> bool {
        self.record.node(self.last().0).ending().is_some()
    }

    /// Whether a text belongs to a line that was damaged before it.
    pub(super) fn is_lost(&self) -> bool {
        self.state == State::Lost
    }

    /// Notes a fault.
    pub(super) fn warn(&mut self, error: ReadError, remedy: Remedy) {
        self.record.warn(error, remedy);
    }

    /// Ends the present line at a fault.
    ///
    /// # Errors
    /// The fault, where nothing can be read behind it.
    pub(super) fn lose(&mut self, error: ReadError) -> Result<(), ReadError> {
        if matches!(error.problem, Problem::TooLarge(_)) {
            return Err(error);
        }
        let remedy = match self.state {
            // Nothing is left of such a game.
            State::MainLine if self.ply() == 0 && self.record.handicap().is_some() => return Err(error),
            State::MainLine => Remedy::GAME_CUT,
            State::Variation => Remedy::VARIATION_CUT,
            State::Lost => return Ok(()),
        };
        self.state = State::Lost;
        self.warn(error, remedy);
        Ok(())
    }

    /// Begins a variation in place of the present line's entry with this number, or else of the main line's if its
    /// first move is legal there. Where neither line has such an entry, the same goes for the number of the first move.
    /// What fits nowhere is left out.
    pub(super) fn begin_variation(
        &mut self,
        ply: Option<usize>,
        first_move: Option<usize>,
        error: impl FnOnce() -> ReadError,
    ) {
        if self.main.is_empty() {
            self.main.clone_from(&self.line);
        }
        self.state = State::Variation;
        let is_of_present_line = ply.is_some_and(|ply| ply <= self.line.len());
        self.doubt = None;
        if self.go_before(ply) {
            self.doubt = (!is_of_present_line).then(|| (error(), Remedy::OF_MAIN_LINE));
        } else if self.go_before(first_move) {
            self.doubt = Some((error(), Remedy::BY_FIRST_MOVE));
        } else {
            self.leave_out(error());
        }
    }

    /// Goes to the point before the entry with this number, where the present line or the main line has one.
    fn go_before(&mut self, ply: Option<usize>) -> bool {
        let Some(ply @ 1..) = ply else { return false };
        if ply > self.line.len() {
            if ply > self.main.len() || ply > MAX_MAIN_LINE {
                return false;
            }
            let shared = self.line.iter().zip(&self.main).take_while(|(present, main)| present.0 == main.0).count();
            self.go_back(shared);
            self.line.extend_from_slice(&self.main[shared..ply]);
        }
        self.go_back(ply);
        true
    }

    fn leave_out(&mut self, error: ReadError) {
        self.doubt = None;
        self.state = State::Lost;
        self.warn(error, Remedy::VARIATION_LEFT_OUT);
    }

    /// Shortens the line to this number of entries, the start among them.
    fn go_back(&mut self, len: usize) {
        self.line.truncate(len);
        while self.made.len() >= len {
            if let (Some(Some(mv)), Some(position)) = (self.made.pop(), &mut self.position) {
                position.undo_move(mv);
            }
        }
    }

    /// Whether a move is legal at the end of the present line.
    pub(super) fn is_legal(&mut self, mv: Move) -> bool {
        self.position().is_some_and(|position| position.is_legal(mv))
    }

    /// The square that the last move went to.
    pub(super) fn last_square(&self) -> Option<Square> {
        self.line.iter().rev().find_map(|&(id, _)| self.record.node(id).played()).map(Move::to)
    }

    /// Whether the start is a named one of White giving a handicap.
    pub(super) fn is_handicap(&self) -> bool {
        self.record.handicap().is_some_and(|handicap| handicap != Handicap::Even)
    }

    fn push(&mut self, entry: Entry, board: Setup, source_line: usize) -> Result<&mut Node, ReadError> {
        if self.record.len() >= MAX_NODES {
            let problem = Problem::TooLarge(Phrase::new("more than 200,000 moves", "200,000手を超えています"));
            return Err(ReadError::new(source_line, problem));
        }
        let id = self.record.append(self.last().0, entry);
        self.line.push((id, board));
        let node = self.record.node_mut(id);
        node.source_line = u32::try_from(source_line).unwrap_or(0);
        Ok(node)
    }

    /// Appends a move of the piece that the text names.
    pub(super) fn push_move(&mut self, mv: Move, named: Option<PieceType>, line: usize) -> Result<(), ReadError> {
        match self.doubt.take() {
            Some((error, remedy)) if self.is_legal(mv) => self.warn(error, remedy),
            Some((error, _)) => self.leave_out(error),
            None => {}
        }
        if self.is_lost() {
            return Ok(());
        }
        let on_origin = mv.from().map_or(mv.dropped(), |from| self.board().piece_on(from).map(Piece::piece_type));
        let named_piece = named.filter(|&piece_type| on_origin != Some(piece_type));
        let legality = match self.position().map(|position| position.check_legal(mv)) {
            None => Legality::Unknown,
            Some(Err(reason)) => Legality::Illegal(reason),
            Some(Ok(())) if named_piece.is_some() => Legality::Misnamed,
            Some(Ok(())) => Legality::Legal,
        };
        let mut board = self.board().clone();
        board.do_move(mv);
        let node = self.push(Entry::Move(mv), board, line)?;
        (node.named_piece, node.legality) = (named_piece, legality);
        Ok(())
    }

    /// Appends an end, unless the line has one.
    pub(super) fn push_end(&mut self, ending: Ending, source: WinnerSource, line: usize) -> Result<(), ReadError> {
        if self.is_over() || self.is_lost() {
            return Ok(());
        }
        let board = self.board().clone();
        self.push(Entry::End(ending), board, line)?;
        if source == WinnerSource::Name {
            self.named.insert(self.last().0.index());
        }
        Ok(())
    }

    /// Takes the end by the line of the result (まで122手で後手の勝ち), which may follow a word for it. The name of
    /// the winner holds against a word that means the side to move: writers differ in whose 反則負け or 切れ負け it is.
    pub(super) fn push_result(&mut self, ending: Ending, source: WinnerSource, line: usize) -> Result<(), ReadError> {
        if self.is_lost() {
            return Ok(());
        }
        let (id, side_to_move) = (self.last().0, self.side_to_move());
        let Some(word) = self.record.node(id).ending().cloned() else { return self.push_end(ending, source, line) };
        let [by_word, by_line] = [&word, &ending].map(|ending| RecordResult::from_ending(ending, side_to_move));
        let line_holds = source == WinnerSource::Name && matches!(by_line, RecordResult::Win(_));
        if line_holds {
            self.named.insert(id.index());
        }
        if by_word != by_line {
            if line_holds {
                self.node().entry = Entry::End(ending);
            }
            let is_silent = matches!(word, Ending::Other(_) | Ending::NoMate);
            if !is_silent && (line_holds || by_line == RecordResult::Draw) {
                self.record.remarks.push(Contradiction::Results { word, by_word, by_line, line_holds });
            }
        }
        Ok(())
    }

    /// The record. Where 反則負け or `%ILLEGAL_MOVE` follows an illegal move, it is the loss of the side that made the
    /// move, except in ends that name the side.
    pub(super) fn finish(mut self, metadata: Vec<(String, String)>) -> GameRecord {
        self.record.metadata = metadata;
        for at in 0..self.record.len() {
            let node = &self.record.nodes[at];
            let is_loss = node.ending() == Some(&Ending::IllegalLoss) && self.record.is_behind_illegal_move(node);
            if is_loss && !self.named.contains(&at) {
                self.record.nodes[at].entry = Entry::End(Ending::IllegalWin);
            }
        }
        self.record
    }
}
