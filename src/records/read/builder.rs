//! The record under construction, with the boards along its present line.

use std::collections::BTreeSet;

use crate::position::Handicap;
use crate::position::Position;
use crate::records::board::Board;
use crate::records::contradiction::Contradiction;
use crate::records::ending::{Ending, RecordResult, Told};
use crate::records::error::{Problem, ReadError};
use crate::records::record::{Entry, GameRecord, MAX_NODES, Node, NodeId};
use crate::types::{Color, Move, Phrase, Piece, PieceType, Square};

/// Appends to a record's present line, and goes back to where a variation begins.
pub(super) struct Builder {
    record: GameRecord,
    /// The nodes of the present line and the board after each.
    line: Vec<(NodeId, Board)>,
    /// The position after the first entries of the line, brought forward when it is asked for: whoever made it anew
    /// each time would take a time that grows with the square of the line's length.
    position: Position,
    /// Those entries; `None` is an end.
    made: Vec<Option<Move>>,
    /// The ends that name the side that won or broke the rules. Of the others, the side to move tells.
    named: BTreeSet<NodeId>,
}

impl Builder {
    pub(super) fn new(start: Position) -> Builder {
        let board = Board::from(&start);
        let position = start.clone();
        let (line, made, named) = (vec![(NodeId::ROOT, board)], Vec::new(), BTreeSet::new());
        Builder { record: GameRecord::new(start), line, position, made, named }
    }

    fn last(&self) -> &(NodeId, Board) {
        // The root is never taken off.
        &self.line[self.line.len() - 1]
    }

    /// The board that the next move is made on.
    pub(super) fn board(&self) -> &Board {
        &self.last().1
    }

    pub(super) fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    /// The position at the end of the present line; `None` behind an illegal move.
    pub(super) fn position(&mut self) -> Option<&Position> {
        for (id, _) in &self.line[1 + self.made.len()..] {
            let played = self.record.node(*id).played();
            if let Some(mv) = played {
                if !self.position.is_legal(mv) {
                    return None;
                }
                self.position.do_move(mv);
            }
            self.made.push(played);
        }
        Some(&self.position)
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
        (self.record.start().game_ply() as usize).saturating_sub(1)
    }

    /// Whether the present line has its end.
    pub(super) fn is_over(&self) -> bool {
        self.record.node(self.last().0).ending().is_some()
    }

    /// The square that the last move went to.
    pub(super) fn last_square(&self) -> Option<Square> {
        self.line.iter().rev().find_map(|(id, _)| self.record.node(*id).played()).map(Move::to)
    }

    /// Whether the start is a named one of White giving a handicap.
    pub(super) fn is_handicap(&self) -> bool {
        self.record.handicap().is_some_and(|handicap| handicap != Handicap::Even)
    }

    /// Goes back (never forward) to the point after so many entries.
    pub(super) fn go_back(&mut self, ply: usize) {
        self.line.truncate(ply + 1);
        while self.made.len() > ply {
            if let Some(Some(mv)) = self.made.pop() {
                self.position.undo_move(mv);
            }
        }
    }

    fn push(&mut self, entry: Entry, board: Board, source_line: usize) -> Result<(), ReadError> {
        if self.record.len() >= MAX_NODES {
            return Err(ReadError::new(
                source_line,
                Problem::TooLarge(Phrase::new("more than 200,000 moves", "200,000手を超えています")),
            ));
        }
        let id = self.record.append(self.last().0, entry);
        self.record.node_mut(id).source_line = u32::try_from(source_line).unwrap_or(0);
        self.line.push((id, board));
        Ok(())
    }

    /// Appends a move of the piece that the text names.
    pub(super) fn push_move(&mut self, mv: Move, named: Option<PieceType>, line: usize) -> Result<(), ReadError> {
        let on_origin = mv.from().map_or(mv.dropped(), |from| self.board().piece_on(from).map(Piece::piece_type));
        let mut board = self.board().clone();
        board.do_move(mv);
        self.push(Entry::Move(mv), board, line)?;
        self.node().named_piece = named.filter(|&piece_type| on_origin != Some(piece_type));
        Ok(())
    }

    /// Appends an end, unless the line has one.
    pub(super) fn push_end(&mut self, ending: Ending, told: Told, line: usize) -> Result<(), ReadError> {
        if self.is_over() {
            return Ok(());
        }
        let board = self.board().clone();
        self.push(Entry::End(ending), board, line)?;
        if told == Told::ByName {
            self.named.insert(self.last().0);
        }
        Ok(())
    }

    /// Takes the end that the line of the result tells (まで122手で後手の勝ち) besides the word before it. The name of
    /// the winner holds against a word that means the side to move: writers differ in whose 反則負け or 切れ負け it is.
    pub(super) fn push_result(&mut self, ending: Ending, told: Told, line: usize) -> Result<(), ReadError> {
        let (id, side_to_move) = (self.last().0, self.side_to_move());
        let Some(word) = self.record.node(id).ending().cloned() else { return self.push_end(ending, told, line) };
        let results = [&word, &ending].map(|ending| RecordResult::of(ending, side_to_move));
        let holds = told == Told::ByName && matches!(results[1], RecordResult::Win(_));
        if holds {
            self.named.insert(id);
        }
        let is_silent = matches!(word, Ending::Other(_) | Ending::NoMate);
        if results[0] != results[1] && !is_silent && (holds || results[1] == RecordResult::Draw) {
            let [by_word, by_line] = results;
            self.record.remarks.push(Contradiction::Results { word, by_word, by_line, line_holds: holds });
        }
        if holds && results[0] != results[1] {
            self.node().entry = Entry::End(ending);
        }
        Ok(())
    }

    /// The record, its moves checked.
    pub(super) fn finish(mut self, metadata: Vec<(String, String)>) -> GameRecord {
        self.record.metadata = metadata;
        self.record.check_moves();
        self.record.blame_illegal_moves(&self.named);
        self.record
    }
}
