//! `kurosabi train` as its users run it, and the trainer as a library.
//!
//! Length: one test program on training, which is built only with the feature; the tests share its helpers.
#![cfg(feature = "train")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use kurosabi::datagen::{Game, GameResult, ScoredMove, Termination};
use kurosabi::eval::Evaluator;
use kurosabi::eval::nnue::{KuroNetwork, LayerStacks, Network, NnueEvaluator};
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::train::{
    Dataset, Factoriser, Features, Filters, GameStore, HalfKpModel, HeadKind, Model, Sample, Shape, Source, Start,
    TrainSettings, Trainable, Trainer, Validation,
};
use kurosabi::types::{Color, Score};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A folder that is removed at the end of its test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("kurosabi-train-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn kurosabi(arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_kurosabi")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

fn play(folder: &Folder, games: &str) -> String {
    let file = folder.path("games");
    let (_, err, ok) = kurosabi(&["datagen", "play", &file, "--games", games, "--nodes", "40", "--eval", "material"]);
    assert!(ok, "{err}");
    file
}

fn random_positions(count: usize) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(4);
    let mut positions = Vec::new();
    let mut position = Position::startpos();
    while positions.len() < count {
        match legal_moves(&position).choose(&mut rng) {
            Some(&mv) if position.game_ply() < 150 => {
                position.do_move(mv);
            }
            _ => position = Position::startpos(),
        }
        positions.push(position.clone());
    }
    positions
}

/// The trainer's rows against the engine's: what one computes in fractions the other does in integers.
#[test]
fn the_engine_evaluates_what_was_trained() {
    for stacks in LayerStacks::KURO {
        for shape in [Shape::plain(128), Shape { head: HeadKind::Pairwise, ..Shape::plain(512) }] {
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
    let samples = samples::<Model>(&positions);
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

fn samples<M: Trainable>(positions: &[Position]) -> Vec<Sample> {
    let features = Features::new(M::FEATURES);
    positions.iter().map(|position| features.sample(position, 0, 0.5)).collect()
}

/// Nothing is left out.
const ALL: Filters =
    Filters { checks: false, tactical: false, max_score: i32::MAX, min_ply: 0, thin_above: i32::MAX, thin_share: 1.0 };

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
            store.push(&game).unwrap();
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
    assert_eq!(quantised.cut, 0);
    let network = Network::read(&quantised.to_bytes()).unwrap();
    assert!(network.warnings().is_empty(), "{:?}", network.warnings());
    let mut evaluator = NnueEvaluator::new(Arc::new(network));
    let positions = random_positions(1000);
    let samples = samples::<HalfKpModel>(&positions);
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
        let sample = Features::new(HalfKpModel::FEATURES).sample(&position, 0, 0.5);
        assert_eq!(model.integer_scores(&network, &[sample]), [evaluator.value(&position)], "{sfen}");
    }
}

#[test]
fn games_are_filtered_and_split_as_asked() {
    let folder = Folder::new("filters");
    let file = play(&folder, "30");
    let load = |text: &str, filters: Filters, validation: f64| {
        let source: Source = text.parse().unwrap();
        Dataset::load(&[source], &filters, &Validation::Share(validation)).unwrap()
    };
    let samples = |dataset: &Dataset| dataset.training.samples(&Features::new(Model::FEATURES));
    let whole = load(&file, ALL, 0.0);
    let positions = whole.training.positions();
    assert_eq!((samples(&whole).len() as u64, whole.validation.positions()), (positions, 0));
    let quiet = load(&file, Filters::default(), 0.0);
    assert!(quiet.training.positions() < positions && quiet.training.games() == whole.training.games());
    assert!(samples(&quiet).iter().all(|sample| sample.score.abs() <= 3000));
    let split = load(&file, ALL, 0.3);
    assert_eq!(split.training.positions() + split.validation.positions(), positions);
    assert!((1..split.training.positions()).contains(&split.validation.positions()));
    let half = load(&format!("{file}:0.5"), ALL, 0.0).training.positions();
    assert!(half > positions / 5 && half < positions * 4 / 5);

    // Of high scores a share is left.
    let high = |dataset: &Dataset| samples(dataset).iter().filter(|sample| sample.score.abs() > 300).count();
    let thin = load(&file, Filters { thin_above: 300, thin_share: 0.25, ..ALL }, 0.0);
    let (before, after) = (high(&whole), high(&thin));
    assert!(before > 100 && after > before / 8 && after < before * 3 / 8, "{before} {after}");
    assert_eq!(positions - before as u64, thin.training.positions() - after as u64);

    // The field's format says the same.
    let psv = folder.path("positions.psv");
    let (_, err, ok) = kurosabi(&["datagen", "export", &file, "--output", &psv]);
    assert!(ok, "{err}");
    assert_eq!(samples(&load(&psv, ALL, 0.0)), samples(&whole));
}

/// What is measured with follows from the games: the same ones in whatever file and order they stand.
#[test]
fn no_game_is_both_trained_on_and_measured_with() {
    let folder = Folder::new("validation");
    let file = play(&folder, "30");
    let shuffled = folder.path("shuffled");
    let (_, err, ok) = kurosabi(&["datagen", "shuffle", &file, "--output", &shuffled]);
    assert!(ok, "{err}");
    let load = |sources: &[&str], validation: Validation| {
        let sources: Vec<Source> = sources.iter().map(|source| source.parse().unwrap()).collect();
        let dataset = Dataset::load(&sources, &Filters::default(), &validation).unwrap();
        let sorted = |games: &GameStore| {
            let samples = games.samples(&Features::new(Model::FEATURES));
            let mut texts: Vec<String> = samples.iter().map(|sample| format!("{sample:?}")).collect();
            texts.sort();
            texts
        };
        [sorted(&dataset.training), sorted(&dataset.validation)]
    };
    let [training, validation] = load(&[&file], Validation::Share(0.3));
    assert!(!validation.is_empty() && validation.len() < training.len());
    assert_eq!(load(&[&shuffled], Validation::Share(0.3)), [training.clone(), validation.clone()]);
    // With some games of a file to measure with, the others are trained on.
    let part = format!("{shuffled}:0.4").parse::<Validation>().unwrap();
    let [rest, measured] = load(&[&file], part.clone());
    assert!(!measured.is_empty() && !rest.is_empty());
    assert_eq!(rest.len() + measured.len(), training.len() + validation.len());
    assert_eq!(load(&[&file, &shuffled], part)[1], measured);
}

#[test]
fn nothing_but_plain_files_is_written_over() {
    let folder = Folder::new("plain");
    let file = play(&folder, "5");
    let train = |out: &str| kurosabi(&["train", &file, "--out", out, "--width", "64", "--batch", "100"]);
    for out in ["/dev/null", &folder.path("")] {
        let (_, err, ok) = train(out);
        assert!(!ok && err.contains("is not a plain file"), "{out}: {err}");
        assert!(!fs::metadata(out).unwrap().is_file());
    }
    // Each network has curves of its own, whatever its name ends with.
    for out in ["net.1", "net.2"] {
        assert!(train(&folder.path(out)).2);
        assert!(Path::new(&folder.path(&format!("{out}.csv"))).exists());
    }
}

#[test]
fn a_network_is_trained_whatever_the_threads_and_interruptions() {
    let folder = Folder::new("cli");
    let file = play(&folder, "40");
    let train_wide = |width: &str, out: &str, more: &[&str]| {
        let arguments = [
            &["train", &file, "--out", out, "--name", "net", "--width", width, "--batch", "256", "--epochs", "3"],
            more,
        ];
        kurosabi(&arguments.concat())
    };
    let train = |out: &str, more: &[&str]| train_wide("64", out, more);
    let (one, two) = (folder.path("one.kuro"), folder.path("two.kuro"));
    let (out, err, ok) = train(&one, &["--threads", "1"]);
    assert!(ok && out.contains("epoch   3") && out.contains("a rook up"), "{out}{err}");
    assert!(train(&two, &["--threads", "3"]).2);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    assert!(!Path::new(&folder.path("one.kuro.checkpoint")).exists());
    let curves = fs::read_to_string(folder.path("one.kuro.csv")).unwrap();
    assert_eq!(curves.lines().count(), 4, "{curves}");
    assert!(fs::read(folder.path("one.kuro.png")).unwrap().starts_with(b"\x89PNG"));

    // Another network goes on from this one, and one of another width does not.
    let three = folder.path("three.kuro");
    let more = ["--average", "0.9", "--factoriser", "lines", "--schedule", "linear", "--final-wdl", "0.5"];
    let (out, err, ok) = train(&three, &[&["--init", &one, "--lr", "0.0001", "--scale", "900"], &more[..]].concat());
    assert!(ok, "{out}{err}");
    let (_, err, ok) = train_wide("128", &folder.path("four.kuro"), &["--init", &one]);
    assert!(!ok && err.contains("64 wide, Screlu, One, not 128 wide"), "{err}");
    let pairs = ["--head", "pairwise", "--stacks", "hands"];
    let six = folder.path("six.kuro");
    let (out, err, ok) = train_wide("128", &six, &pairs);
    assert!(ok && out.contains("a rook up"), "{out}{err}");
    assert_eq!(Network::load(&six).unwrap().description(), "Kurosabi Ka_hm 128-15-32 hands \"net\"");
    let again = [&pairs[..], &["--init", &six, "--average", "0.9", "--threads", "1"]].concat();
    let seven = [folder.path("seven.kuro"), folder.path("eight.kuro")];
    assert!(train_wide("128", &seven[0], &again).2);
    assert!(train_wide("128", &seven[1], &[&again[..9], &["3"]].concat()).2);
    assert_eq!(fs::read(&seven[0]).unwrap(), fs::read(&seven[1]).unwrap());
    let (_, err, ok) = train_wide("192", &folder.path("nine.kuro"), &pairs);
    assert!(!ok && err.contains("pairwise"), "{err}");
    let (_, err, ok) = train_wide("100", &folder.path("five.kuro"), &[]);
    assert!(!ok && err.contains("100"), "{err}");
}

#[test]
fn networks_trained_from_one_are_averaged() {
    let folder = Folder::new("average");
    let file = play(&folder, "20");
    let train = |name: &str, more: &[&str]| {
        let out = folder.path(name);
        let steps = ["--width", "64", "--batch", "256", "--warm-up", "1", "--validation", "0.3"];
        let (said, err, ok) = kurosabi(&[&["train", &file, "--out", &out], &steps[..], more].concat());
        assert!(ok, "{said}{err}");
        (out, said)
    };
    let (first, _) = train("first.kuro", &["--epochs", "1"]);
    let tuned = ["5", "6"].map(|seed| train(seed, &["--init", &first, "--seed", seed, "--epochs", "1"]).0);
    let (mean, said) = train("mean.kuro", &["--init", &tuned[0], "--init", &tuned[1], "--epochs", "0"]);
    assert!(said.contains("at the start: validation 0.") && !said.contains("epoch"), "{said}");
    let [mean, one, other] =
        [&mean, &tuned[0], &tuned[1]].map(|path| KuroNetwork::parse(&fs::read(path).unwrap()).unwrap().feature_weights);
    assert!(one != other, "they were trained alike");
    for ((mean, one), other) in mean.iter().zip(&one).zip(&other) {
        assert!((2 * mean - one - other).abs() <= 1, "{mean} is not between {one} and {other}");
    }
}

#[test]
fn a_public_network_is_trained_whatever_the_threads_and_interruptions() {
    let folder = Folder::new("halfkp");
    let file = play(&folder, "40");
    let train = |out: &str, more: &[&str]| {
        let arguments = ["train", &file, "--arch", "halfkp", "--out", out, "--batch", "1000", "--epochs", "2"];
        kurosabi(&[&arguments, more].concat())
    };
    let (one, two) = (folder.path("one.bin"), folder.path("two.bin"));
    let (out, err, ok) = train(&one, &["--width", "64", "--threads", "1"]);
    assert!(ok && out.contains("epoch   2") && out.contains("a rook up") && !out.contains("warning"), "{out}{err}");
    assert!(train(&two, &["--width", "64", "--threads", "3"]).2);
    let bytes = fs::read(&one).unwrap();
    assert_eq!(bytes, fs::read(&two).unwrap());
    assert_eq!(Network::load(&one).unwrap().description(), "HalfKP 64x2-32-32");
    let (_, err, ok) = train(&two, &["--init", &one]);
    assert!(!ok && err.contains("cannot start from another"), "{err}");

    let dataset = Dataset::load(&[file.parse().unwrap()], &Filters::default(), &Validation::Share(0.1)).unwrap();
    let settings = TrainSettings { epochs: 2, batch: 500, ..TrainSettings::default() };
    let begin = || Trainer::new(HalfKpModel::new(64, 2).unwrap(), settings);
    let mut whole = begin();
    whole.epoch(&dataset, |_, _| {}).unwrap();
    let checkpoint = PathBuf::from(folder.path("checkpoint"));
    whole.save(&checkpoint, "data").unwrap();
    whole.epoch(&dataset, |_, _| {}).unwrap();
    let mut second = begin();
    assert!(second.resume(&checkpoint, "data").unwrap());
    second.epoch(&dataset, |_, _| {}).unwrap();
    assert!(second.model().quantise() == whole.model().quantise());
    assert_eq!(second.history(), whole.history());
}

/// Files of the size and with the beginning that every reader of the format knows.
#[test]
fn a_public_network_has_the_known_shape() {
    let bytes = HalfKpModel::new(256, 1).unwrap().quantise().to_bytes();
    assert_eq!(bytes.len(), 64_217_066);
    let number = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    assert_eq!([number(0), number(4), number(8)], [0x7af3_2f16, 0x3e5a_a6ee, 178]);
    assert!(bytes[12..].starts_with(b"Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32]("));
    assert_eq!(number(12 + 178), 0x5d69_d7b8);
    let stack = 12 + 178 + 4 + 2 * 256 * (1 + 125_388);
    assert_eq!(number(stack), 0x6333_7156);
    assert_eq!(bytes.len() - stack - 4, 32 * 4 + 32 * 512 + 32 * 4 + 32 * 32 + 4 + 32);
}

#[test]
fn a_run_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let folder = Folder::new("resume");
    let file = play(&folder, "20");
    let dataset = Dataset::load(&[file.parse().unwrap()], &Filters::default(), &Validation::Share(0.3)).unwrap();
    let settings = TrainSettings { epochs: 4, batch: 100, ..TrainSettings::default() };
    let begin =
        || Trainer::new(Model::new(Shape::plain(64), &Start { seed: 2, ..Start::default() }).unwrap(), settings);
    let network = |trainer: &mut Trainer<Model>| trainer.model().quantise("test").network;
    let mut whole = begin();
    while !whole.is_done() {
        whole.epoch(&dataset, |_, _| {}).unwrap();
    }

    let checkpoint = PathBuf::from(folder.path("checkpoint"));
    let mut first = begin();
    assert!(!first.resume(&checkpoint, "data").unwrap());
    for _ in 0..2 {
        first.epoch(&dataset, |_, _| {}).unwrap();
    }
    first.save(&checkpoint, "data").unwrap();
    let mut second = begin();
    assert!(second.resume(&checkpoint, "data").unwrap());
    while !second.is_done() {
        second.epoch(&dataset, |_, _| {}).unwrap();
    }
    assert_eq!(network(&mut second), network(&mut whole));
    assert_eq!(second.history(), whole.history());

    assert!(begin().resume(&checkpoint, "other data").unwrap_err().to_string().contains("other settings"));
    // What is too long for it is not even read.
    let long = PathBuf::from(folder.path("long"));
    fs::File::create(&long).unwrap().set_len(1 << 40).unwrap();
    assert!(begin().resume(&long, "data").unwrap_err().to_string().contains("too long"));
    fs::remove_file(&long).unwrap();
    assert!(begin().resume(Path::new("/dev/null"), "data").is_err() || cfg!(windows));
    let mut bytes = fs::read(&checkpoint).unwrap();
    bytes[100] ^= 1;
    fs::write(&checkpoint, bytes).unwrap();
    assert!(begin().resume(&checkpoint, "data").unwrap_err().to_string().contains("damaged"));
}

/// Without a validation set there is no validation loss; a checkpoint says so and is read again.
#[test]
fn a_run_without_validation_goes_on() {
    let folder = Folder::new("no-validation");
    let file = play(&folder, "10");
    let dataset = Dataset::load(&[file.parse().unwrap()], &Filters::default(), &Validation::Share(0.0)).unwrap();
    let settings = TrainSettings { epochs: 2, batch: 100, ..TrainSettings::default() };
    let begin =
        || Trainer::new(Model::new(Shape::plain(64), &Start { seed: 2, ..Start::default() }).unwrap(), settings);
    let mut first = begin();
    assert!(first.epoch(&dataset, |_, _| {}).unwrap().validation.loss.is_nan());
    let checkpoint = PathBuf::from(folder.path("checkpoint"));
    first.save(&checkpoint, "data").unwrap();
    let mut second = begin();
    assert!(second.resume(&checkpoint, "data").unwrap());
    assert!(second.history()[0].validation.loss.is_nan());
}

#[test]
fn senseless_settings_and_files_that_grew_are_refused() {
    let folder = Folder::new("refused");
    let file = play(&folder, "10");
    let out = folder.path("net.kuro");
    let train = |more: &[&str]| {
        kurosabi(&[&["train", &file, "--out", &out, "--width", "64", "--batch", "100", "--epochs", "2"], more].concat())
    };
    for more in
        [["--lr", "nan"], ["--lr", "0"], ["--wdl", "7"], ["--wdl", "nan"], ["--validation", "1.5"], ["--decay", "2"]]
    {
        let (_, err, ok) = train(&more);
        assert!(!ok && err.contains(more[0]) && err.contains("it must be"), "{err}");
    }
    assert!(!Path::new(&out).exists());

    // Curves that cannot be written stop a run after its first checkpoint.
    let curves = folder.path("net.kuro.csv.tmp");
    fs::create_dir(&curves).unwrap();
    assert!(!train(&[]).2 && Path::new(&folder.path("net.kuro.checkpoint")).exists());
    fs::remove_dir(&curves).unwrap();
    let other = folder.path("other");
    fs::rename(&file, &other).unwrap();
    let seeded = ["datagen", "play", &file, "--games", "12", "--nodes", "40", "--eval", "material"];
    assert!(kurosabi(&seeded).2);
    let (_, err, ok) = train(&[]);
    assert!(!ok && err.contains("other settings or data"), "{err}");
    fs::rename(&other, &file).unwrap();
    let (out, err, ok) = train(&[]);
    assert!(ok && out.contains("going on after epoch 1"), "{out}{err}");
}
