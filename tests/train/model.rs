//! The models as a library: what is trained is what the engine evaluates.

use std::sync::Arc;

use kurosabi::datagen::{Game, GameResult, ScoredMove, Termination};
use kurosabi::eval::nnue::{KuroNetwork, LayerStacks, Network, NnueEvaluator};
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::train::{Dataset, Features, GameStore, Model, Shape, Start, TrainSettings, Trainer};
use kurosabi::types::{Color, Score};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::common::{ALL, random_positions, samples};

/// The trainer's rows against the engine's: what one computes in fractions the other does in integers.
#[test]
fn the_engine_evaluates_like_the_trained_model() {
    for stacks in LayerStacks::ALL {
        let shape = Shape { stacks, ..Shape::plain(128) };
        assert_engine_agrees(&mut Model::new(shape, &Start { seed: 9, rows: 0.1 }).unwrap());
    }
    let mut trained = learn(Model::new(Shape::plain(64), &Start::default()).unwrap());
    assert!(trained.2 < trained.1 / 8.0);
    assert_engine_agrees(&mut trained.0.model);
}

/// A model that goes on from a network.
fn model_of(network: &KuroNetwork) -> Model {
    Model::grown(network, Shape::from_network(network).unwrap(), &Start::default()).unwrap()
}

/// The engine's scores are those of the model with the weights of the file to within 2 hundredths of a pawn and a bit,
/// and hardly further from those of the model before they were rounded.
fn assert_engine_agrees(model: &mut Model) {
    let file = model.quantise("test").0;
    let mut rounded = model_of(&file);
    let mut evaluator = NnueEvaluator::new(Arc::new(Network::read(&file.to_bytes().unwrap()).unwrap()));
    let positions = random_positions(1000);
    let samples = samples(&positions);
    let mut spread = (0.0f32, 0.0f32);
    let scores = model.scores(&samples).into_iter().zip(rounded.scores(&samples));
    for (position, (exact, rounded)) in positions.iter().zip(scores) {
        evaluator.reset(position);
        let integer = evaluator.value(position) as f32;
        let context = format!("{} {integer} {rounded} {exact}", position.to_sfen());
        assert!((integer - rounded).abs() <= 2.0 && (integer - exact).abs() <= 4.0, "{context}");
        spread = (spread.0.min(exact), spread.1.max(exact));
    }
    assert!(spread.1 - spread.0 > 50.0, "positions must differ for this to show anything: {spread:?}");
}

/// Wider, or with stacks of its own for each kind of position, a network evaluates as before until it has learnt more.
#[test]
fn a_grown_model_evaluates_like_its_network() {
    let grow = |from: Shape, to: Shape| {
        let network = Model::new(from, &Start::default()).unwrap().quantise("small").0;
        let grown = Model::grown(&network, to, &Start::default());
        grown.map(|grown| (model_of(&network), grown))
    };
    let plain = Shape::plain(64);
    let stacked = Shape { stacks: LayerStacks::KingThirds, ..plain };
    let wide = Shape { width: 128, ..stacked };
    let positions = samples(&random_positions(300));
    let (mut small, mut grown) = grow(plain, wide).unwrap();
    assert_eq!(grown.shape, wide);
    for (small, grown) in small.scores(&positions).into_iter().zip(grown.scores(&positions)) {
        assert!((small - grown).abs() < 0.01, "{small} {grown}");
    }
    let (_, before, after) = learn(grown);
    assert!(after < before / 8.0, "{before} {after}");
    for (from, to) in [(wide, plain), (stacked, plain)] {
        let error = grow(from, to).err().expect("it cannot grow so").to_string();
        assert!(error.starts_with("the network to start from has"), "{error}");
    }
}

/// The score is a plain function of the pieces in hand: a few steps must find it.
fn pieces_in_hand() -> Dataset {
    let mut rng = StdRng::seed_from_u64(1);
    let mut store = |positions: &[Position]| {
        let mut store = GameStore::new(ALL);
        for position in positions {
            let Some(&mv) = legal_moves(position).first() else { continue };
            let us = position.side_to_move();
            let balance = position.hand(us).total() as i32 - position.hand(!us).total() as i32;
            let results = [GameResult::Draw, GameResult::Win(Color::Black), GameResult::Win(Color::White)];
            let game = Game {
                start: Some(Box::new(position.clone())),
                opening: Vec::new(),
                moves: vec![ScoredMove { mv, score: Score::from_value(150 * balance) }],
                result: results[rng.random_range(0..3)],
                termination: Termination::Unknown,
            };
            store.push(game).unwrap();
        }
        store
    };
    let positions = random_positions(6000);
    Dataset { training: store(&positions[..5000]), validation: store(&positions[5000..]) }
}

/// Learns that; returns the validation losses before and after.
fn learn(model: Model) -> (Trainer, f64, f64) {
    let dataset = pieces_in_hand();
    let settings = TrainSettings { epochs: 12, batch: 100, wdl: 0.0, rate: 3e-3, ..TrainSettings::default() };
    let mut trainer = Trainer::new(model, settings);
    let before = trainer.validate(&dataset.validation).score;
    while !trainer.is_done() {
        trainer.epoch(&dataset, |_, _| {}).unwrap();
    }
    let after = trainer.validate(&dataset.validation).score;
    (trainer, before, after)
}

#[test]
fn training_learns_the_values_of_pieces_in_hand() {
    let (_, before, after) = learn(Model::new(Shape::plain(64), &Start::default()).unwrap());
    assert!(after < before / 8.0, "{before} {after}");
}

/// In positions without a king or with pieces missing, the trainer sees what the engine sees.
#[test]
fn trainer_and_engine_agree_on_positions_with_missing_pieces() {
    let model = Model::new(Shape::plain(64), &Start { seed: 2, rows: 0.1 }).unwrap();
    let network = model.quantise("test").0;
    let mut rounded = model_of(&network);
    let mut evaluator = NnueEvaluator::new(Arc::new(network.into_network().unwrap()));
    for sfen in ["8k/9/8P/9/9/9/9/9/9 b G 1", "4k4/9/4P4/9/9/9/9/9/4K4 w 2Gr2b3p 1", "k8/1r7/9/9/9/9/9/9/9 w 2S 1"] {
        let position = Position::from_sfen(sfen).unwrap();
        evaluator.reset(&position);
        let score = rounded.scores(&[Features::new().sample(&position, 0, 0.5)])[0];
        assert!((score - evaluator.value(&position) as f32).abs() <= 2.0, "{sfen} {score}");
    }
}
