//! The accumulators (outputs of the first layer) along a game line.

use arrayvec::ArrayVec;

use super::features::{SeenFeatures, View};
use super::network::{Network, Transformer};
use super::simd::{I16Line, Rows};
use crate::bitboard::Bitboard;
use crate::position::{MoveDelta, Position};
use crate::types::{Color, Hand, Piece, PieceType, Square};

/// Rows to add and to take away, at most `N` of each.
struct Changes<const N: usize> {
    added: ArrayVec<u32, N>,
    removed: ArrayVec<u32, N>,
}

impl<const N: usize> Changes<N> {
    #[inline(always)]
    fn new() -> Changes<N> {
        Changes { added: ArrayVec::new(), removed: ArrayVec::new() }
    }

    #[inline(always)]
    fn rows<'a>(&'a self, transformer: &'a Transformer) -> Rows<'a> {
        let Transformer { width, weights, .. } = transformer;
        Rows { weights, width: *width, added: &self.added, removed: &self.removed }
    }
}

impl Changes<2> {
    /// Adds what a move changes for a view that it leaves as it is: the rows of the piece, and of a captured one.
    #[inline(always)]
    fn add_move(&mut self, features: SeenFeatures<'_>, delta: &MoveDelta) {
        self.added.extend(features.on_board(delta.after, delta.to));
        self.removed.extend(match delta.from {
            Some(from) => features.on_board(delta.before, from),
            None => Some(features.in_hand(delta.before, delta.hand_count + 1)),
        });
        if let Some(victim) = delta.captured {
            let prize = Piece::new(delta.after.color(), victim.piece_type().unpromoted());
            self.added.push(features.in_hand(prize, delta.hand_count));
            self.removed.extend(features.on_board(victim, delta.to));
        }
    }
}

/// One position of the line.
#[derive(Clone, Copy)]
struct Ply {
    /// The move that led here; none at the start.
    delta: Option<MoveDelta>,
    views: [View; 2],
    /// Whether each side's accumulators are up to date.
    computed: [bool; 2],
}

/// The accumulators of all positions of a line, and of positions seen before with the same king squares.
pub(super) struct Accumulators {
    plies: Vec<Ply>,
    /// Both sides' accumulators of each ply. Never shrinks.
    accumulators: Vec<I16Line>,
    refreshes: [RefreshCache; 2],
    /// Pieces missing from the set, which no move changes.
    absent: u32,
    width: usize,
}

impl Accumulators {
    pub(super) fn new(network: &Network, position: &Position) -> Accumulators {
        let mut accumulators = Accumulators {
            plies: Vec::new(),
            accumulators: Vec::new(),
            refreshes: Color::ALL.map(|_| RefreshCache::new(network)),
            absent: 0,
            width: network.transformer.width,
        };
        accumulators.reset(network, position);
        accumulators
    }

    /// Starts a line.
    pub(super) fn reset(&mut self, network: &Network, position: &Position) {
        let views = Color::ALL.map(|color| network.features.view(color, position.king_square(color)));
        let on_board = Color::ALL.map(|color| position.pieces(color).count());
        let kings = position.pieces_of_type(PieceType::King).count();
        self.absent = network.features.absent_pieces(on_board, Color::ALL.map(|color| position.hand(color)), kings);
        self.plies.clear();
        self.plies.push(Ply { delta: None, views, computed: [false; 2] });
    }

    /// Follows a move; nothing is computed yet.
    #[inline]
    pub(super) fn push(&mut self, network: &Network, delta: &MoveDelta) {
        let mut views = self.plies[self.plies.len() - 1].views;
        if delta.after.piece_type() == PieceType::King {
            let mover = delta.after.color();
            views[mover.index()] = network.features.view(mover, Some(delta.to));
        }
        self.plies.push(Ply { delta: Some(*delta), views, computed: [false; 2] });
    }

    /// Goes back to before the last move. The start of the line stays.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.plies.len() > 1 {
            self.plies.pop();
        }
    }

    /// Brings the last position's accumulators up to date and gives them, those of the side to move first.
    #[inline]
    pub(super) fn current(&mut self, network: &Network, position: &Position) -> [&[I16Line]; 2] {
        let needed = 2 * self.width * self.plies.len();
        if self.accumulators.len() < needed {
            self.accumulators.resize(needed, I16Line::zero());
        }
        for color in Color::ALL {
            self.bring_up_to_date(network, position, color);
        }
        let last = &self.accumulators[2 * self.width * (self.plies.len() - 1)..][..2 * self.width];
        let (black, white) = last.split_at(self.width);
        match position.side_to_move() {
            Color::Black => [black, white],
            Color::White => [white, black],
        }
    }

    #[inline]
    fn bring_up_to_date(&mut self, network: &Network, position: &Position, color: Color) {
        let side = color.index();
        let last = self.plies.len() - 1;
        let view = self.plies[last].views[side];
        let mut base = last;
        while !self.plies[base].computed[side] {
            if base == 0 || self.plies[base - 1].views[side] != view {
                self.refresh(network, position, color);
                // Siblings of this position and of those before it start from these, and need no refresh of their own.
                for ply in (base + 1..last + 1).rev() {
                    self.follow::<true>(network, view, ply);
                }
                return;
            }
            base -= 1;
        }
        for ply in base + 1..last + 1 {
            self.follow::<false>(network, view, ply);
        }
    }

    /// Follows the move that led to a ply: computes its accumulators of this view from those of the ply before, or
    /// `BACK` the other way round.
    #[inline(never)]
    fn follow<const BACK: bool>(&mut self, network: &Network, view: View, ply: usize) {
        let side = view.color.index();
        let Some(delta) = self.plies[ply].delta else { return };
        let mut changes = Changes::new();
        changes.add_move(network.features.seen(view), &delta);
        let rows = changes.rows(&network.transformer);
        let (before, after) = self.accumulators.split_at_mut(2 * self.width * ply);
        let start = before.len() - (2 - side) * self.width;
        let (before, after) = (&mut before[start..][..self.width], &mut after[side * self.width..][..self.width]);
        if BACK {
            network.kernels.update(before, after, &rows.reversed());
        } else {
            network.kernels.update(after, before, &rows);
        }
        self.plies[ply - usize::from(BACK)].computed[side] = true;
    }

    /// Computes the last position's accumulators from those last seen with the same view.
    ///
    /// Rare, and apart from the rest: inlined, its loads of the whole position would be made for every evaluation.
    #[cold]
    #[inline(never)]
    fn refresh(&mut self, network: &Network, position: &Position, color: Color) {
        let side = color.index();
        let last = self.plies.len() - 1;
        let target = &mut self.accumulators[(2 * last + side) * self.width..][..self.width];
        let view = self.plies[last].views[side];
        let (features, transformer) = (network.features.seen(view), &network.transformer);
        let board = &mut self.refreshes[side].boards[view.slot()];
        let changes = board.update_to(features, position, self.absent);
        let seen = &mut self.refreshes[side].accumulators[view.slot() * self.width..][..self.width];
        network.kernels.update(target, seen, &changes.rows(transformer));
        seen.copy_from_slice(target);
        self.plies[last].computed[side] = true;
    }
}

/// For each view, the accumulators of the last position that was refreshed for it.
struct RefreshCache {
    boards: Vec<CachedBoard>,
    accumulators: Vec<I16Line>,
}

impl RefreshCache {
    fn new(network: &Network) -> RefreshCache {
        let views = network.features.views();
        RefreshCache {
            boards: vec![CachedBoard::empty(); views],
            accumulators: network.transformer.biases.repeat(views),
        }
    }
}

/// The pieces that a cached accumulator counts.
#[derive(Clone)]
struct CachedBoard {
    pieces: [Option<Piece>; Square::COUNT],
    black: Bitboard,
    by_type: [Bitboard; PieceType::TABLE_LEN],
    hands: [Hand; 2],
    absent: u32,
}

impl CachedBoard {
    fn empty() -> CachedBoard {
        CachedBoard {
            pieces: [None; Square::COUNT],
            black: Bitboard::EMPTY,
            by_type: [Bitboard::EMPTY; PieceType::TABLE_LEN],
            hands: [Hand::EMPTY; 2],
            absent: 0,
        }
    }

    /// Takes over the position's board; the result is what changed.
    fn update_to(&mut self, features: SeenFeatures<'_>, position: &Position, absent: u32) -> Changes<96> {
        // 40 pieces may be exchanged for 40 others, and as many absent ones.
        let mut changes = Changes::new();
        let mut changed = self.black ^ position.pieces(Color::Black);
        self.black = position.pieces(Color::Black);
        for piece_type in PieceType::ALL {
            let (seen, now) = (&mut self.by_type[piece_type.index()], position.pieces_of_type(piece_type));
            changed |= *seen ^ now;
            *seen = now;
        }
        for square in changed {
            let now = position.piece_on(square);
            let seen = std::mem::replace(&mut self.pieces[square.index()], now);
            changes.removed.extend(seen.and_then(|piece| features.on_board(piece, square)));
            changes.added.extend(now.and_then(|piece| features.on_board(piece, square)));
        }
        for color in Color::ALL {
            let now = position.hand(color);
            let seen = std::mem::replace(&mut self.hands[color.index()], now);
            if seen == now {
                continue;
            }
            for piece_type in PieceType::HAND {
                let (seen, now) = (seen.count(piece_type), now.count(piece_type));
                let row = |number| features.in_hand(Piece::new(color, piece_type), number);
                changes.removed.extend((now + 1..=seen).map(row));
                changes.added.extend((seen + 1..=now).map(row));
            }
        }
        let seen = std::mem::replace(&mut self.absent, absent);
        changes.removed.extend((absent..seen).map(|_| features.absent()));
        changes.added.extend((seen..absent).map(|_| features.absent()));
        changes
    }
}
