//! The evaluation by material: kept along a game, and the same for both players.

use kurosabi::eval::Material;
use kurosabi::position::Position;
use kurosabi::types::Score;

use crate::games::visit_positions;
use crate::squares::{position, turned};

fn fresh(position: &Position) -> Score {
    let mut material = Material::default();
    material.reset(position);
    material.evaluate(position)
}

#[test]
fn following_moves_equals_starting_anew() {
    visit_positions(7, 240, |position, moves, _| {
        let mut material = Material::default();
        material.reset(position);
        let before = material.evaluate(position);
        for &mv in moves {
            let delta = position.do_move(mv);
            material.push(&delta);
            assert_eq!(material.evaluate(position), fresh(position), "{mv} to {position:?}");
            position.undo_move(mv);
            material.pop();
            assert_eq!(material.evaluate(position), before, "back from {mv} to {position:?}");
        }
    });
}

#[test]
fn a_whole_line_is_followed_and_taken_back() {
    let mut position = position("4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1");
    let mut material = Material::default();
    material.reset(&position);
    let mut line = Vec::new();
    for turn in 0..200 {
        let moves = kurosabi::movegen::legal_moves(&position);
        let Some(&mv) = moves.get(turn * 7919 % moves.len().max(1)) else { break };
        line.push((mv, material.evaluate(&position)));
        material.push(&position.do_move(mv));
        assert_eq!(material.evaluate(&position), fresh(&position), "{position:?}");
    }
    assert!(line.len() > 100);
    while let Some((mv, score)) = line.pop() {
        position.undo_move(mv);
        material.pop();
        assert_eq!(material.evaluate(&position), score);
    }
}

#[test]
fn both_players_are_treated_alike() {
    visit_positions(8, 240, |position, _, _| {
        assert_eq!(fresh(position), fresh(&turned(position)), "{position:?}");
    });
    assert_eq!(fresh(&Position::startpos()), Score::ZERO);
}

#[test]
fn pieces_count_for_their_owner() {
    for piece in ["P", "L", "N", "S", "G", "B", "R"] {
        let held = |side: &str, piece: &str| fresh(&position(&format!("4k4/9/9/9/9/9/9/9/4K4 {side} {piece} 1")));
        assert!(held("b", piece) > Score::ZERO && held("w", piece) < Score::ZERO, "{piece}");
        assert_eq!(held("b", piece), -held("w", piece), "{piece}");
        assert_eq!(held("b", piece), held("w", &piece.to_lowercase()), "{piece}");
    }
}
