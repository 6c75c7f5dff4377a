//! The models as a library: what is trained is what the engine evaluates.

use std::sync::Arc;

use kurosabi::datagen::{Game, GameResult, ScoredMove, Termination};
use kurosabi::eval::Evaluator;
use kurosabi::eval::nnue::{FeatureSet, LayerStacks, Network, NnueEvaluator};
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::train::{
    Dataset, Factoriser, Features, GameStore, HalfKpModel, HeadKind, Model, Shape, Start, TrainSettings, Trainable,
    Trainer,
};
use kurosabi::types::{Color, Score};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::common::{ALL, random_positions, samples};

/// The trainer's rows against the engine's: what one computes in fractions the other does in integers.
#[test]
fn the_engine_evaluates_what_was_trained() {
    for stacks in LayerStacks::KURO {
        let zones = Shape { features: FeatureSet::KaHmZones, ..Shape::plain(64) };
        for shape in [Shape::plain(128), zones, Shape { head: HeadKind::Pairwise, ..Shape::plain(512) }] {
            assert_engine_agrees(Model::new(Shape { stacks, ..shape }, &Start { seed: 9, rows: 0.1 }).unwrap());
        }
    }
    let trained =
        learn(Model::new(Shape { head: HeadKind::Pairwise, ..Shape::plain(128) }, &Start::default()).unwrap());
    assert!(trained.2 < trained.1 / 8.0);
    assert_engine_agrees(trained.0.finish());
}

/// The engine's scores are those of the model with the weights of the file to within 2 hundredths of a pawn and a bit,
/// and hardly further from those of the model before they were rounded.
fn assert_engine_agrees(mut model: Model) {
    let file = model.quantise("test").network;
    let mut rounded = Model::from_network(&file, Factoriser::None).unwrap();
    let mut evaluator = NnueEvaluator::new(Arc::new(Network::read(&file.to_bytes().unwrap()).unwrap()));
    let positions = random_positions(1000);
    let samples = samples(model.features(), &positions);
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
fn a_grown_network_begins_where_it_was() {
    let [plain, pairwise] = [Shape::plain(64), Shape { head: HeadKind::Pairwise, ..Shape::plain(128) }];
    let grow = |from: Shape, to: Shape| {
        let network = Model::new(from, &Start::default()).unwrap().quantise("small").network;
        let grown = Model::grown(&network, to, &Start::default());
        grown.map(|grown| (Model::from_network(&network, Factoriser::None).unwrap(), grown))
    };
    let positions = random_positions(300);
    let stacks = LayerStacks::KingThirds;
    let wide = Shape { width: 128, stacks, factoriser: Factoriser::Lines, ..plain };
    let zones = Shape { features: FeatureSet::KaHmZones, ..wide };
    for (from, to) in [(plain, wide), (plain, zones), (pairwise, Shape { stacks, ..pairwise })] {
        let (mut small, mut grown) = grow(from, to).unwrap();
        assert_eq!(grown.shape(), to);
        let [before, after] = [from, to].map(|shape| samples(shape.features, &positions));
        for (small, grown) in small.scores(&before).into_iter().zip(grown.scores(&after)) {
            assert!((small - grown).abs() < 0.01, "{small} {grown}");
        }
        let (_, before, after) = learn(grown);
        assert!(after < before / 8.0, "{before} {after}");
    }
    let wide_pairwise = Shape { width: 256, ..pairwise };
    let stacked = Shape { stacks, ..plain };
    let smaller = [(wide, plain), (zones, wide), (stacked, plain)];
    for (from, to) in smaller.into_iter().chain([(plain, pairwise), (pairwise, wide_pairwise)]) {
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

/// Learns that, and tells the validation loss before and after.
fn learn<M: Trainable>(model: M) -> (Trainer<M>, f64, f64) {
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
fn what_can_be_learnt_is_learnt() {
    for factoriser in [Factoriser::None, Factoriser::Lines] {
        let (_, before, after) =
            learn(Model::new(Shape { factoriser, ..Shape::plain(64) }, &Start::default()).unwrap());
        assert!(after < before / 8.0, "{before} {after}");
    }
}

/// A network of the public format is read without a warning, and the engine finds the scores that the trainer finds.
fn assert_agrees(model: &mut HalfKpModel, most: f32) {
    let quantised = model.quantise();
    assert_eq!(quantised.clipped, 0);
    let network = Network::read(&quantised.to_bytes()).unwrap();
    assert!(network.warnings().is_empty(), "{:?}", network.warnings());
    let mut evaluator = NnueEvaluator::new(Arc::new(network));
    let positions = random_positions(1000);
    let samples = samples(model.features(), &positions);
    let integers = model.integer_scores(&quantised, &samples);
    let (mut spread, mut largest) = ((0.0f32, 0.0f32), 0.0f32);
    for ((position, exact), integer) in positions.iter().zip(model.scores(&samples)).zip(integers) {
        evaluator.reset(position);
        assert_eq!(evaluator.value(position), integer, "{}", position.to_sfen());
        largest = largest.max((integer as f32 - exact).abs());
        spread = (spread.0.min(exact), spread.1.max(exact));
    }
    assert!(largest <= most, "{largest}");
    assert!(spread.1 - spread.0 > 5.0 * most, "positions must differ for this to show anything: {spread:?}");
}

#[test]
fn the_engine_reads_public_networks_as_they_were_trained() {
    assert_agrees(&mut HalfKpModel::new(256, 9).unwrap(), 6.0);
    let (mut trainer, before, after) = learn(HalfKpModel::new(64, 1).unwrap());
    assert!(after < before / 8.0, "{before} {after}");
    assert_agrees(trainer.model(), 40.0);
}

/// In positions without a king or with pieces missing, the trainer sees what the engine sees.
#[test]
fn positions_of_problems_are_seen_alike() {
    let mut model = HalfKpModel::new(64, 2).unwrap();
    let network = model.quantise();
    let mut evaluator = NnueEvaluator::new(Arc::new(Network::read(&network.to_bytes()).unwrap()));
    for sfen in ["8k/9/8P/9/9/9/9/9/9 b G 1", "4k4/9/4P4/9/9/9/9/9/4K4 w 2Gr2b3p 1", "k8/1r7/9/9/9/9/9/9/9 w 2S 1"] {
        let position = Position::from_sfen(sfen).unwrap();
        evaluator.reset(&position);
        let sample = Features::new(FeatureSet::HalfKp).sample(&position, 0, 0.5);
        assert_eq!(model.integer_scores(&network, &[sample]), [evaluator.value(&position)], "{sfen}");
    }
}
