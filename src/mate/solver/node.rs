//! A node of the mate search: its moves, what is known of each, and what follows for the node.
//!
//! `ATTACK` is whether the attacker moves. Seen from the side to move, `phi` is the number it wants at 0 (the
//! proof number for the attacker) and `delta` the other one.

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

use super::path::{Path, Team};
use super::proofs::{ANY_LENGTH, INFINITE, NO_REPETITION, ProofNumbers, ProofTable};
use crate::bitboard::{Bitboard, between};
use crate::mate::one_ply::mate_in_one;
use crate::movegen::{MoveList, generate_checks, has_legal_move, legal_moves};
use crate::position::Position;
use crate::types::{Color, Hand, Move, MoveKind, PieceType, Square};

/// A move of a node, and what is known of the position after it.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) mv: Move,
    /// The key that stands for it, see [`Path::key`](super::path::Path::key).
    pub(super) board: u64,
    /// The attacker's, after the move.
    pub(super) hand: Hand,
    pub(super) numbers: ProofNumbers,
    /// Looked at only after this one is decided against the side to move: a move that hardly differs.
    next: Option<u16>,
    /// Whether it counts already.
    active: bool,
    /// Of such moves the largest `delta` counts, not the sum.
    grouped: bool,
}

/// What follows from the children of a node.
#[derive(Clone, Copy)]
pub(super) struct Summary {
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// The most promising child.
    pub(super) best: usize,
    /// The smallest `phi` of the others.
    pub(super) second_phi: u32,
    /// What the other children add to `delta`.
    pub(super) other_delta: u32,
}

/// `phi` of the side that moves where `ATTACK`.
pub(super) fn phi<const ATTACK: bool>(numbers: &ProofNumbers) -> u32 {
    if ATTACK { numbers.pn } else { numbers.dn }
}

/// `delta` of the side that moves where `ATTACK`.
pub(super) fn delta<const ATTACK: bool>(numbers: &ProofNumbers) -> u32 {
    if ATTACK { numbers.dn } else { numbers.pn }
}

/// Appends the children of the position, in which the attacker holds `hand` and at most `length` plies remain.
pub(super) fn expand<const ATTACK: bool>(lookup: &mut Lookup<'_>, hand: Hand, length: u16, children: &mut Vec<Child>) {
    if !ATTACK && lookup.without_futile && is_mated(lookup.position, true) {
        return;
    }
    let start = children.len();
    let position = &*lookup.position;
    let mut moves = MoveList::new();
    if ATTACK {
        generate_checks(position, &mut moves);
    } else {
        moves = legal_moves(position);
    }
    children.extend(moves.into_iter().map(|mv| {
        let hand = if ATTACK { hand_after_attack(position, mv) } else { hand };
        let board = lookup.path.key(position.board_key_after(mv), hand);
        lookup.table.part(board).prefetch(board);
        Child { mv, board, hand, numbers: ProofNumbers::undecided(1, 1), next: None, active: true, grouped: false }
    }));
    let children = &mut children[start..];
    if ATTACK {
        delay_unpromoted(position, children);
    } else {
        delay_drops(children);
    }
    for index in 0..children.len() {
        if children[index].active {
            assess_chain::<ATTACK>(lookup, length, children, index);
        }
    }
}

/// The moves without promotion of pawns, lances, bishops and rooks that could promote matter only where a mate by a
/// pawn drop is to be avoided: each waits for its promotion.
fn delay_unpromoted(position: &Position, children: &mut [Child]) {
    for index in 0..children.len() {
        let MoveKind::Board { from, to, promote: true } = children[index].mv.kind() else { continue };
        let piece_type = position.piece_on(from).map(|piece| piece.piece_type());
        if !matches!(piece_type, Some(PieceType::Pawn | PieceType::Lance | PieceType::Bishop | PieceType::Rook)) {
            continue;
        }
        let plain = Move::board(from, to, false);
        if let Some(other) = children.iter().position(|child| child.mv == plain) {
            children[index].next = Some(other as u16);
            children[other].active = false;
        }
    }
}

/// Drops of different pieces on one square differ little: each waits for the one before.
fn delay_drops(children: &mut [Child]) {
    let mut last: [Option<u16>; Square::COUNT] = [None; Square::COUNT];
    for index in 0..children.len() {
        let mv = children[index].mv;
        if !mv.is_drop() {
            continue;
        }
        children[index].grouped = true;
        if let Some(before) = last[mv.to().index()].replace(index as u16) {
            children[usize::from(before)].next = Some(index as u16);
            children[index].active = false;
        }
    }
}

/// Looks a child up; while it turns out decided against the side to move, the ones that waited for it, too.
pub(super) fn assess_chain<const ATTACK: bool>(
    lookup: &mut Lookup<'_>,
    length: u16,
    children: &mut [Child],
    index: usize,
) {
    let mut waiting = Some(index);
    while let Some(index) = waiting {
        assess::<ATTACK>(lookup, length, &mut children[index]);
        waiting = activate_next::<ATTACK>(children, index);
    }
}

/// Lets the move that waits for a child count, if it has waited long enough.
pub(super) fn activate_next<const ATTACK: bool>(children: &mut [Child], index: usize) -> Option<usize> {
    if phi::<ATTACK>(&children[index].numbers) < INFINITE {
        return None;
    }
    let next = usize::from(children[index].next.take()?);
    children[next].active = true;
    Some(next)
}

/// Finds what is known of a child: from the path, the table or a look at its position.
fn assess<const ATTACK: bool>(lookup: &mut Lookup<'_>, length: u16, child: &mut Child) {
    let length = length - 1;
    let &mut Lookup { ref mut position, table, path, without_futile } = lookup;
    let &mut Child { mv, board, hand, .. } = child;
    child.numbers = if path.barred.contains(&board) {
        ProofNumbers::disproven(ANY_LENGTH, hand, NO_REPETITION)
    } else if let Some(ply) = path.repeated(board, hand) {
        ProofNumbers::disproven(ANY_LENGTH, hand, ply)
    } else {
        // So near the end a look at the position decides.
        let is_near = ATTACK && length < 2;
        let known = table.part(board).probe(board, hand, length).filter(|numbers| !is_near || numbers.is_decided());
        let decided = known.filter(ProofNumbers::is_decided);
        decided.or_else(|| path.recall(board, hand, length)).or(known).unwrap_or_else(|| {
            position.do_move(mv);
            let numbers = estimate::<ATTACK>(position, length, without_futile);
            position.undo_move(mv);
            numbers
        })
    };
}

/// What follows from the children.
///
/// The attacker's moves lead to much the same positions, so their disproof numbers are not added up: the largest
/// counts, and one for each other move (weak proof numbers; Ueda, Hashimoto, Hashimoto, Iida, 2008).
/// Where other threads of a team are at work, a child is taken for less promising than it is.
pub(super) fn summarize<const ATTACK: bool>(children: &[Child], team: Option<&Team>) -> Summary {
    let mut summary = Summary { phi: INFINITE, delta: 0, best: 0, second_phi: INFINITE, other_delta: 0 };
    let (mut sum, mut largest) = (0u32, 0u32);
    let mut best_delta = INFINITE;
    let mut best_rank = u32::MAX;
    for (index, child) in children.iter().enumerate() {
        if !child.active {
            continue;
        }
        let (phi, delta) = (phi::<ATTACK>(&child.numbers), delta::<ATTACK>(&child.numbers));
        if ATTACK {
            sum += u32::from(delta > 0);
            largest = largest.max(delta);
        } else if child.grouped {
            largest = largest.max(delta);
        } else {
            sum = (sum + delta).min(INFINITE);
        }
        summary.phi = summary.phi.min(phi);
        let rank = team.map_or(phi, |team| rank(team, child, phi));
        if rank < best_rank || (rank == best_rank && delta < best_delta && phi < INFINITE) {
            summary.second_phi = best_rank.min(INFINITE);
            summary.best = index;
            (best_rank, best_delta) = (rank, delta);
        } else if rank < summary.second_phi {
            summary.second_phi = rank;
        }
    }
    if ATTACK {
        // The move whose number is the largest is not one of the others.
        sum = sum.saturating_sub(1);
    }
    summary.delta = (sum + largest).min(INFINITE);
    if let Some(best) = children.get(summary.best) {
        let delta = delta::<ATTACK>(&best.numbers);
        summary.other_delta = if ATTACK || best.grouped {
            // It may grow up to the largest without adding anything.
            sum
        } else {
            sum.saturating_sub(delta) + largest
        };
    }
    summary
}

/// How promising a child is where others are at work: the less, the more of them there are.
fn rank(team: &Team, child: &Child, phi: u32) -> u32 {
    if phi == 0 || phi >= INFINITE {
        return phi;
    }
    let threads = u32::from(team.threads_at(child.board).load(Relaxed));
    threads.saturating_mul(phi / 2 + 2).saturating_add(phi).min(INFINITE - 1)
}

/// The result of a node all of whose children are decided, or one in favour of the side to move.
pub(super) fn conclude<const ATTACK: bool>(position: &Position, children: &[Child]) -> (ProofNumbers, Option<Move>) {
    match (ATTACK, children.iter().any(|child| child.active && phi::<ATTACK>(&child.numbers) == 0)) {
        (true, true) => proven_attack(position, children),
        (true, false) => (disproven_attack(position, children), None),
        (false, true) => disproven_defence(position, children),
        (false, false) => (proven_defence(position, children), None),
    }
}

fn longer(length: u16) -> u16 {
    length.saturating_add(1)
}

fn proven_attack(position: &Position, children: &[Child]) -> (ProofNumbers, Option<Move>) {
    let proven = children.iter().filter(|child| child.active && child.numbers.is_proven());
    let best = proven.min_by_key(|child| child.numbers.length).expect("a proven child was seen");
    let hand = hand_before_attack(position, best.mv, best.numbers.hand);
    (ProofNumbers::proven(longer(best.numbers.length), hand), Some(best.mv))
}

fn disproven_attack(position: &Position, children: &[Child]) -> ProofNumbers {
    let mut result = ProofNumbers::disproven(ANY_LENGTH, in_play(position), NO_REPETITION);
    for child in children {
        result.length = result.length.min(longer(child.numbers.length));
        result.min_repeat_ply = result.min_repeat_ply.min(child.numbers.min_repeat_ply);
        result.hand = intersection(result.hand, hand_before_attack(position, child.mv, child.numbers.hand));
    }
    result.hand = disproof_before_attack(position, result.hand);
    result
}

fn proven_defence(position: &Position, children: &[Child]) -> ProofNumbers {
    let mut result = ProofNumbers::proven(0, Hand::EMPTY);
    for child in children {
        result.length = result.length.max(longer(child.numbers.length));
        result.hand = union(result.hand, child.numbers.hand);
    }
    result.hand = proof_before_defence(position, result.hand);
    result
}

fn disproven_defence(position: &Position, children: &[Child]) -> (ProofNumbers, Option<Move>) {
    let disproven = children.iter().filter(|child| child.active && child.numbers.is_disproven());
    // What holds on any path is worth most, then what holds for any length.
    let best =
        disproven.max_by_key(|child| (child.numbers.min_repeat_ply, child.numbers.length)).expect("a disproven child");
    let hand = intersection(best.numbers.hand, in_play(position));
    (ProofNumbers::disproven(longer(best.numbers.length), hand, best.numbers.min_repeat_ply), Some(best.mv))
}

/// What a node needs to look its children up.
pub(super) struct Lookup<'a> {
    pub(super) position: &'a mut Position,
    pub(super) table: &'a ProofTable,
    pub(super) path: &'a Path,
    /// Whether futile interpositions count for nothing.
    pub(super) without_futile: bool,
}

/// A first look at the position after a move of the attacker's (`ATTACK`) or of the defender's, from which a mate
/// must not take more than `length` plies.
pub(super) fn estimate<const ATTACK: bool>(position: &mut Position, length: u16, without_futile: bool) -> ProofNumbers {
    if ATTACK { before_defence(position, length, without_futile) } else { before_attack(position) }
}

/// The defender is in check.
fn before_defence(position: &mut Position, length: u16, without_futile: bool) -> ProofNumbers {
    let evasions = legal_moves(position);
    if evasions.is_empty() || (without_futile && is_mated(position, true)) {
        return ProofNumbers::proven(0, proof_before_defence(position, Hand::EMPTY));
    }
    let board_moves = evasions.iter().filter(|mv| !mv.is_drop()).count() as u32;
    if length < 2 {
        let attacker = !position.side_to_move();
        // A move on the board is possible with any hands.
        let hand = if board_moves > 0 { in_play(position) } else { position.hand(attacker) };
        return ProofNumbers::disproven(1, hand, NO_REPETITION);
    }
    let captures = evasions.iter().filter(|mv| !mv.is_drop() && position.checkers().contains(mv.to())).count() as u32;
    let drops = u32::from(board_moves as usize != evasions.len());
    ProofNumbers::undecided(board_moves + captures + drops, 1)
}

/// The attacker moves.
fn before_attack(position: &mut Position) -> ProofNumbers {
    let mut checks = MoveList::new();
    generate_checks(position, &mut checks);
    if checks.is_empty() {
        let hand = disproof_before_attack(position, in_play(position));
        return ProofNumbers::disproven(ANY_LENGTH, hand, NO_REPETITION);
    }
    if !position.in_check()
        && let Some(mv) = mate_in_one(position)
    {
        // A check that nothing can be interposed against: only a piece dropped is needed.
        return ProofNumbers::proven(1, hand_before_attack(position, mv, Hand::EMPTY));
    }
    ProofNumbers::undecided(1, 1 + checks.len() as u32 / 4)
}

// Futile interpositions (無駄合): drops that only delay a mate by a piece that checks from afar.
//
// By the custom of problems they do not count: where all that the defender can do is to drop pieces that are taken at
// once, with mate again by the same custom, the king is mated. Interpositions before the end of a solution, and moves
// of pieces on the board, always count.

/// Whether the side to move, which is in check, is mated: by the rules, or by custom where futile interpositions are
/// left out.
pub(super) fn is_mated(position: &mut Position, without_futile: bool) -> bool {
    if without_futile { has_only_futile_moves(position, &mut MatesByCustom::new()) } else { !has_legal_move(position) }
}

/// Positions after a drop was captured, by their keys, and whether they are mate by custom. The same pieces can be
/// dropped in any order: a check across seven squares has millions of orders, but only some thousand positions.
type MatesByCustom = HashMap<u64, bool>;

fn has_only_futile_moves(position: &mut Position, mates: &mut MatesByCustom) -> bool {
    let answers = legal_moves(position);
    // What is dropped matters: a pawn may not be able to follow it on the next square, and a drop may give check.
    answers.iter().all(|mv| mv.is_drop()) && answers.iter().all(|&mv| is_futile(position, mv, mates))
}

/// Whether what is dropped is taken with mate.
fn is_futile(position: &mut Position, drop: Move, mates: &mut MatesByCustom) -> bool {
    position.do_move(drop);
    let mut checks = MoveList::new();
    generate_checks(position, &mut checks);
    let futile = (&checks).into_iter().filter(|mv| mv.to() == drop.to()).any(|mv| {
        position.do_move(mv);
        let key = position.key();
        let mated = mates.get(&key).copied().unwrap_or_else(|| {
            let mated = has_only_futile_moves(position, mates);
            mates.insert(key, mated);
            mated
        });
        position.undo_move(mv);
        mated
    });
    position.undo_move(drop);
    futile
}

// Proof hands and disproof hands: for which other hands a result holds.
//
// On one board, the attacker who mates with some hand also mates with more pieces in it, for the defender then has
// fewer, and who cannot mate with some hand cannot with fewer. Each result therefore carries a hand: a proof the
// smallest it is known to hold for, a disproof the largest (Seo, Iida, Uiterwijk, "The PN*-search algorithm", 2001).

/// For each piece type the larger count of the two.
pub(super) fn union(a: Hand, b: Hand) -> Hand {
    Hand::from_counts(|piece_type| a.count(piece_type).max(b.count(piece_type)))
}

/// For each piece type the smaller count of the two.
pub(super) fn intersection(a: Hand, b: Hand) -> Hand {
    Hand::from_counts(|piece_type| a.count(piece_type).min(b.count(piece_type)))
}

/// All pieces in hand, of both sides: no hand on this board can be larger.
pub(super) fn in_play(position: &Position) -> Hand {
    let [black, white] = Color::ALL.map(|color| position.hand(color));
    Hand::from_counts(|piece_type| black.count(piece_type) + white.count(piece_type))
}

/// The attacker's hand after `mv`, which it is about to make.
pub(super) fn hand_after_attack(position: &Position, mv: Move) -> Hand {
    let mut hand = position.hand(position.side_to_move());
    if let Some(piece_type) = mv.dropped() {
        hand.remove(piece_type);
    } else if let Some(captured) = position.piece_on(mv.to()) {
        hand.add(captured.piece_type().unpromoted());
    }
    hand
}

/// The hand before the attacker's move `mv` that makes `hand` after it.
pub(super) fn hand_before_attack(position: &Position, mv: Move, mut hand: Hand) -> Hand {
    if let Some(piece_type) = mv.dropped() {
        hand.add(piece_type);
    } else if let Some(captured) = position.piece_on(mv.to()) {
        let piece_type = captured.piece_type().unpromoted();
        if hand.has(piece_type) {
            hand.remove(piece_type);
        }
    }
    hand
}

/// A proof hand where the defender moves, from the union of the proof hands of its moves: what the attacker must
/// keep besides, so that the defender does not hold pieces to interpose that it does not hold now.
pub(super) fn proof_before_defence(position: &Position, proof: Hand) -> Hand {
    let defender = position.side_to_move();
    if !may_drop(position, defender) {
        return proof;
    }
    let (attacking, defending) = (position.hand(!defender), position.hand(defender));
    Hand::from_counts(|piece_type| {
        let kept = if defending.has(piece_type) { 0 } else { attacking.count(piece_type) };
        proof.count(piece_type).max(kept)
    })
}

/// Whether the side to move may answer with a drop, if it holds the right piece.
fn may_drop(position: &Position, us: Color) -> bool {
    let checkers = position.checkers();
    match (position.king_square(us), checkers.first()) {
        (Some(king), Some(checker)) => !checkers.has_several() && between(king, checker).any(),
        _ => true,
    }
}

/// A disproof hand where the attacker moves, from the intersection of the disproof hands of its moves: without the
/// pieces that would give it checks it does not have now.
pub(super) fn disproof_before_attack(position: &Position, disproof: Hand) -> Hand {
    let attacker = position.side_to_move();
    let hand = position.hand(attacker);
    let gives_check = |piece_type| {
        let mut targets = position.check_squares(piece_type) - position.occupied();
        if piece_type == PieceType::Pawn {
            targets &= position.pieces_of(attacker, piece_type).files_without();
        }
        (targets - Bitboard::far_ranks(attacker, Position::dead_ranks(piece_type))).any()
    };
    Hand::from_counts(|piece_type| match disproof.count(piece_type) {
        count if count > 0 && !hand.has(piece_type) && gives_check(piece_type) => 0,
        count => count,
    })
}
