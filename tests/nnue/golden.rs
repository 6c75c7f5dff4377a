//! Evaluations that YaneuraOu prints for the generated networks: equal to the last digit.
//!
//! `tests/data/nnue_golden.json` holds an extract; where the whole collection lies beside the
//! checkout, all of it is compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kurosabi::eval::nnue::{InstructionSet, Network, NnueEvaluator};
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::types::{Move, Score};
use serde::Deserialize;

use super::generator::Weights;

#[derive(Deserialize)]
pub(crate) struct Golden {
    pub(crate) arch: String,
    pub(crate) nets: Vec<Net>,
}

#[derive(Deserialize)]
pub(crate) struct Net {
    pub(crate) seed: u64,
    pub(crate) file_size: usize,
    pub(crate) cases: Vec<Case>,
    pub(crate) games: Vec<Game>,
}

#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) sfen: String,
    pub(crate) raw: i32,
    pub(crate) score: i32,
    pub(crate) score24: i32,
    pub(crate) score1: i32,
}

#[derive(Deserialize)]
pub(crate) struct Game {
    pub(crate) start: String,
    pub(crate) moves: String,
    pub(crate) raw: Vec<i32>,
    pub(crate) score: Vec<i32>,
}

const EXTRACT: &str = include_str!("../data/nnue_golden.json");

/// The extract's part for an architecture, or the whole collection where it exists.
pub(crate) fn golden(arch: &str) -> Golden {
    let name = format!("{arch}.json");
    let whole: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "shared", "golden", &name].iter().collect();
    if let Ok(text) = fs::read_to_string(&whole) {
        return serde_json::from_str(&text).unwrap();
    }
    let extract: Vec<Golden> = serde_json::from_str(EXTRACT).unwrap();
    extract.into_iter().find(|golden| golden.arch == arch).unwrap()
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// Goes along a game as a search does: now and then into side lines and back, evaluating or not.
fn follow(evaluator: &mut NnueEvaluator, game: &Game) {
    let mut position = position(&game.start);
    evaluator.reset(&position);
    let moves: Vec<Move> = game.moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    assert_eq!(game.raw.len(), moves.len() + 1);
    let mut played = Vec::new();
    for ply in 0..game.raw.len() {
        // Some plies are passed over, so that several moves are caught up with at once.
        if ply % 5 != 3 {
            assert_eq!(evaluator.raw(&position), game.raw[ply], "ply {ply} of {}", game.start);
            assert_eq!(evaluator.value(&position), game.score[ply]);
        }
        excursion(evaluator, &mut position, ply, 1 + ply % 3);
        let Some(&mv) = moves.get(ply) else { break };
        evaluator.push(&position.do_move(mv));
        played.push(mv);
    }
    while let Some(mv) = played.pop() {
        evaluator.pop();
        position.undo_move(mv);
        assert_eq!(evaluator.raw(&position), game.raw[played.len()], "back at ply {}", played.len());
    }
}

fn excursion(evaluator: &mut NnueEvaluator, position: &mut Position, salt: usize, depth: usize) {
    if depth == 0 {
        return;
    }
    let moves = legal_moves(position);
    for &mv in moves.iter().skip(salt % 7).step_by(1 + moves.len() / 3) {
        evaluator.push(&position.do_move(mv));
        if (salt + depth).is_multiple_of(2) {
            evaluator.raw(position);
        }
        excursion(evaluator, position, salt + 1, depth - 1);
        evaluator.pop();
        position.undo_move(mv);
    }
}

fn check(arch: &str) {
    let golden = golden(arch);
    for net in &golden.nets {
        let bytes = Weights::new(arch, net.seed).file();
        assert_eq!(bytes.len(), net.file_size);
        let mut network = Network::read(&bytes).unwrap();
        drop(bytes);
        assert_eq!(network.warnings(), []);
        assert!(net.cases.len() >= 24 && net.games.len() >= 2);
        for set in InstructionSet::available() {
            network = network.with_instruction_set(set);
            assert_eq!(network.instruction_set(), set);
            network = check_net(network, net, set == InstructionSet::best());
        }
    }
}

/// Compares some of a network's evaluations, or `all` of them.
fn check_net(network: Network, net: &Net, all: bool) -> Network {
    let network = Arc::new(network);
    let evaluator = |scale| NnueEvaluator::new(network.clone()).with_fv_scale(scale);
    let (mut by16, mut by24, mut by1) = (evaluator(16), evaluator(24), evaluator(1));
    for case in net.cases.iter().take(if all { usize::MAX } else { 24 }) {
        let position = position(&case.sfen);
        for (evaluator, score) in [(&mut by16, case.score), (&mut by24, case.score24), (&mut by1, case.score1)] {
            evaluator.reset(&position);
            assert_eq!(evaluator.raw(&position), case.raw, "{network:?} {}", case.sfen);
            assert_eq!(evaluator.value(&position), score, "{network:?} {}", case.sfen);
            assert_eq!(evaluator.evaluate(&position), Score::from_eval(score));
        }
    }
    for game in net.games.iter().take(if all { usize::MAX } else { 1 }) {
        follow(&mut by16, game);
    }
    drop((by16, by24, by1));
    Arc::into_inner(network).unwrap()
}

#[test]
fn halfkp_256() {
    check("halfkp_256x2-32-32");
}

#[test]
fn halfkp_512() {
    check("halfkp_512x2-16-32");
}

#[test]
fn kp_256() {
    check("kp_256x2-32-32");
}

#[test]
fn sfnn_1536() {
    check("SFNN_halfkahm2_1536_15_32_k3k3");
}

/// The extract is part of the repository and is read even where the whole collection is used.
#[test]
fn the_extract_has_every_architecture() {
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/nnue_golden.json").exists());
    let extract: Vec<Golden> = serde_json::from_str(EXTRACT).unwrap();
    for golden in &extract {
        let net = &golden.nets[0];
        assert!(net.cases.len() >= 24 && net.games.len() == 2, "{}", golden.arch);
    }
    assert_eq!(extract.len(), 4);
}
