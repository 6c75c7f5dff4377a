//! `kurosabi train` as its users run it.

use std::fs;
use std::path::{Path, PathBuf};

use kurosabi::eval::nnue::{KuroNetwork, Network};
use kurosabi::train::{Dataset, Filters, Model, Shape, Start, TrainSettings, Trainer, Validation};

use super::common::{Folder, kurosabi, play};

#[test]
fn train_writes_over_regular_files_only() {
    let folder = Folder::new("plain");
    let file = play(&folder, "5");
    let train = |out: &str| kurosabi(&["train", &file, "--out", out, "--width", "64", "--batch", "100"]);
    for out in ["/dev/null", &folder.path("")] {
        let (_, err, ok) = train(out);
        assert!(!ok && err.contains("is not a regular file"), "{out}: {err}");
        assert!(!fs::metadata(out).unwrap().is_file());
    }
    // Each network has curves of its own, with any extension.
    for out in ["net.1", "net.2"] {
        assert!(train(&folder.path(out)).2);
        assert!(Path::new(&folder.path(&format!("{out}.csv"))).exists());
    }
}

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn train_reports_a_full_disk_and_continues_once_there_is_room() {
    let folder = Folder::new("room");
    let file = play(&folder, "5");
    let arguments = |out: &str| {
        let words = ["train", &file, "--out", out, "--width", "64", "--batch", "100", "--epochs", "2", "--name", "net"];
        words.map(str::to_owned)
    };
    let out = folder.path("net.kuro");
    let limited = "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_kurosabi")]).args(arguments(&out));
    let output = command.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && err.contains("net.kuro.checkpoint: File too large"), "{err}");
    assert!(!err.contains("panicked"), "{err}");
    let left: Vec<_> = fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "{left:?}");

    let whole = folder.path("whole.kuro");
    for out in [&out, &whole] {
        let (_, err, ok) = kurosabi(&arguments(out).each_ref().map(String::as_str));
        assert!(ok, "{err}");
    }
    assert!(fs::read(out).unwrap() == fs::read(whole).unwrap(), "another network than with room at once");
}

#[test]
fn the_trained_network_depends_neither_on_threads_nor_on_interruptions() {
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

    // Another network goes on from this one, a wider one as well, but none that is narrower.
    let three = folder.path("three.kuro");
    let (out, err, ok) = train(&three, &["--init", &one, "--lr", "0.0001"]);
    assert!(ok, "{out}{err}");
    let four = folder.path("four.kuro");
    let (out, err, ok) = train_wide("128", &four, &["--init", &one]);
    // Of 40 games none is measured with.
    assert!(ok && out.contains("at the start: validation none\n"), "{out}{err}");
    let (_, err, ok) = train(&folder.path("narrow.kuro"), &["--init", &four]);
    assert!(!ok && err.contains("width 128, stacks one: it cannot go on as one of width 64"), "{err}");
    let six = folder.path("six.kuro");
    let (out, err, ok) = train_wide("128", &six, &["--stacks", "k3k3"]);
    assert!(ok && out.contains("a rook up"), "{out}{err}");
    assert_eq!(Network::load(&six).unwrap().description(), "Kurosabi Ka_hm 128x2 k3k3 \"net\"");
    let (_, err, ok) = train_wide("128", &folder.path("fewer.kuro"), &["--init", &six, "--stacks", "one"]);
    assert!(!ok && err.contains("stacks k3k3: it cannot go on as one of width 128"), "{err}");
    // Where nothing is said the shape stays.
    for like in [&four, &six] {
        let out = folder.path("like.kuro");
        let (said, err, ok) = kurosabi(&[
            "train", &file, "--init", like, "--out", &out, "--name", "net", "--batch", "256", "--epochs", "0",
        ]);
        assert!(ok, "{said}{err}");
        let description = |path: &str| Network::load(path).unwrap().description();
        assert_eq!(description(&out), description(like));
    }
    let (_, err, ok) = train_wide("100", &folder.path("five.kuro"), &[]);
    assert!(!ok && err.contains("100"), "{err}");
}

#[test]
fn train_averages_networks_given_by_init() {
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
fn a_resumed_run_gives_the_network_of_an_uninterrupted_one() {
    let folder = Folder::new("resume");
    let file = play(&folder, "20");
    let dataset = Dataset::load(&[file.parse().unwrap()], &Filters::default(), 0.0, &Validation::Share(0.3)).unwrap();
    let settings = TrainSettings { epochs: 4, batch: 100, ..TrainSettings::default() };
    let begin =
        || Trainer::new(Model::new(Shape::plain(64), &Start { seed: 2, ..Start::default() }).unwrap(), settings);
    let network = |trainer: &mut Trainer| trainer.model.quantise("test").0;
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
    assert_eq!(second.history, whole.history);

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
fn a_checkpoint_without_validation_losses_is_resumed() {
    let folder = Folder::new("no-validation");
    let file = play(&folder, "10");
    let dataset = Dataset::load(&[file.parse().unwrap()], &Filters::default(), 0.0, &Validation::Share(0.0)).unwrap();
    let settings = TrainSettings { epochs: 2, batch: 100, ..TrainSettings::default() };
    let begin =
        || Trainer::new(Model::new(Shape::plain(64), &Start { seed: 2, ..Start::default() }).unwrap(), settings);
    let mut first = begin();
    assert!(first.epoch(&dataset, |_, _| {}).unwrap().validation.loss.is_nan());
    let checkpoint = PathBuf::from(folder.path("checkpoint"));
    first.save(&checkpoint, "data").unwrap();
    let mut second = begin();
    assert!(second.resume(&checkpoint, "data").unwrap());
    assert!(second.history[0].validation.loss.is_nan());
}

#[test]
fn train_refuses_senseless_settings_and_files_that_grew() {
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
        assert!(!ok && err.contains(more[0]), "{err}");
    }
    let (_, err, ok) = kurosabi(&["train", &file, "--out", &out, "--batch", "0"]);
    assert!(!ok && err.contains("at least 1"), "{err}");
    assert!(!Path::new(&out).exists());

    // Curves that cannot be written stop a run after its first checkpoint.
    // No temporary file has a name left.
    let taken: Vec<_> = (1..=1000).map(|number| folder.path(&format!("net.kuro.csv.kurosabi-{number}"))).collect();
    taken.iter().for_each(|path| fs::create_dir(path).unwrap());
    assert!(!train(&[]).2 && Path::new(&folder.path("net.kuro.checkpoint")).exists());
    taken.iter().for_each(|path| fs::remove_dir(path).unwrap());
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
