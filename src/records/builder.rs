//! The record under construction, with the boards along its present line.

use std::collections::BTreeSet;

use super::ending::{Contradiction, Ending, RecordResult, WinnerSource};
use super::error::{Problem, ReadError, Remedy};
use super::record::{Entry, GameRecord, MAX_NODES, Node, NodeId};
use crate::position::{Handicap, Position, Setup};
use crate::types::{Color, Move, Phrase, Piece, PieceType, Square};

/// Appends to a record's present line, goes to where a variation begins, and keeps what can be placed of a damaged
/// text.
///
/// The main line stays as it is once the first variation begins: a variation that does not fit the one before it may be
/// one of the main line.
pub(super) struct Builder {
    record: GameRecord,
    /// The nodes of the main line and the board after each, the start among them.
    main: Vec<(NodeId, Setup)>,
    /// The same of the present variation, which begins behind this number of entries of the main line.
    variation: Vec<(NodeId, Setup)>,
    variation_start: usize,
    state: State,
    /// Why the variation that begins may not belong where it is, and what is said if it does.
    doubt: Option<(ReadError, Remedy)>,
    /// The position after the first entries of the line, brought forward when it is asked for: made anew each time, it
    /// would take a time that grows with the square of the line's length. `None` where no rule allows the start.
    position: Option<Position>,
    /// Those entries; `None` is an end.
    made: Vec<Option<Move>>,
    /// The ends that name the side that won or broke the rules. The others mean the side to move.
    named: BTreeSet<NodeId>,
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

/// The line on which a variation begins.
enum Line {
    Present,
    Main,
}

/// The longest main line on which a variation may begin that the line before it does not reach: going there again
/// and again takes a time that grows with the square of the length.
const MAX_MAIN_LINE: usize = 5000;

impl Builder {
    /// Goes on with a record that has no moves.
    pub(super) fn new(record: GameRecord) -> Builder {
        let main = vec![(NodeId::ROOT, record.start_board().clone())];
        let position = record.start().ok().cloned();
        let (variation, variation_start, state, doubt) = (Vec::new(), 0, State::MainLine, None);
        let (made, named) = (Vec::new(), BTreeSet::new());
        Builder { record, main, variation, variation_start, state, doubt, position, made, named }
    }

    fn last(&self) -> &(NodeId, Setup) {
        self.entry(self.ply())
    }

    /// The entry of the present line with this number; 0 is the start.
    fn entry(&self, ply: usize) -> &(NodeId, Setup) {
        // Without a variation the main line, whose first entry is never taken off, is as long as the line.
        match ply.checked_sub(self.variation_start + 1) {
            Some(at) => &self.variation[at],
            None => &self.main[ply],
        }
    }

    /// The board that the next move is made on.
    pub(super) fn board(&self) -> &Setup {
        &self.last().1
    }

    pub(super) fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    /// The position at the end of the present line; `None` behind an illegal move.
    pub(super) fn position(&mut self) -> Option<&Position> {
        for ply in self.made.len() + 1..=self.ply() {
            let played = self.record.node(self.entry(ply).0).played();
            let position = self.position.as_mut()?;
            if let Some(mv) = played {
                if !position.is_legal(mv) {
                    return None;
                }
                position.do_move(mv);
            }
            self.made.push(played);
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
        self.variation_start + self.variation.len()
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
        self.state == State::Variation && self.variation.is_empty() && self.doubt.is_none()
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
            State::MainLine => Remedy::GameCut,
            State::Variation => Remedy::VariationCut,
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
        self.state = State::Variation;
        self.doubt = None;
        match self.go_to(ply) {
            Some(Line::Present) => {}
            Some(Line::Main) => self.doubt = Some((error(), Remedy::OfMainLine)),
            None if self.go_to(first_move).is_some() => self.doubt = Some((error(), Remedy::ByFirstMove)),
            None => self.leave_out(error()),
        }
    }

    /// Goes to the point before the entry with this number, where there is one.
    fn go_to(&mut self, ply: Option<usize>) -> Option<Line> {
        let before = ply?.checked_sub(1)?;
        if before <= self.ply() {
            self.go_back(before);
            return Some(Line::Present);
        }
        (before < self.main.len() && before <= MAX_MAIN_LINE).then(|| {
            self.go_back(self.variation_start);
            self.variation_start = before;
            Line::Main
        })
    }

    fn leave_out(&mut self, error: ReadError) {
        self.doubt = None;
        self.state = State::Lost;
        self.warn(error, Remedy::VariationLeftOut);
    }

    /// Goes back (never forward) to the point after this number of entries.
    fn go_back(&mut self, ply: usize) {
        self.variation.truncate(ply.saturating_sub(self.variation_start));
        self.variation_start = self.variation_start.min(ply);
        while self.made.len() > ply {
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
        (1..=self.ply()).rev().find_map(|ply| self.record.node(self.entry(ply).0).played()).map(Move::to)
    }

    /// Whether the start is a named one of White giving a handicap.
    pub(super) fn is_handicap(&self) -> bool {
        self.record.handicap().is_some_and(|handicap| handicap != Handicap::Even)
    }

    fn push(&mut self, entry: Entry, board: Setup, source_line: usize) -> Result<(), ReadError> {
        if self.record.len() >= MAX_NODES {
            return Err(ReadError::new(
                source_line,
                Problem::TooLarge(Phrase::new("more than 200,000 moves", "200,000手を超えています")),
            ));
        }
        let id = self.record.append(self.last().0, entry);
        self.record.node_mut(id).source_line = u32::try_from(source_line).unwrap_or(0);
        if self.state == State::MainLine {
            self.main.push((id, board));
            self.variation_start += 1;
        } else {
            self.variation.push((id, board));
        }
        Ok(())
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
        let mut board = self.board().clone();
        board.do_move(mv);
        self.push(Entry::Move(mv), board, line)?;
        self.node().named_piece = named.filter(|&piece_type| on_origin != Some(piece_type));
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
            self.named.insert(self.last().0);
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
        let results = [&word, &ending].map(|ending| RecordResult::from_ending(ending, side_to_move));
        let holds = source == WinnerSource::Name && matches!(results[1], RecordResult::Win(_));
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
