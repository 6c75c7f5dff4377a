//! What the option `EvalFile` makes the engine evaluate with.

use std::fs;
use std::path::{Path, PathBuf};

use kurosabi::engine::Engine;
use kurosabi::eval::{EvalReport, Evaluation};
use kurosabi::position::Position;

use super::kuro::{compressed, random};

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("eval-file");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The report, and what the engine has to say about the file.
fn evaluate(engine: &mut Engine, options: &[(&str, &str)]) -> (EvalReport, Vec<String>) {
    for (name, value) in options {
        engine.set_option(name, Some(value)).unwrap();
    }
    let (report, notices) = engine.evaluate();
    (report, notices.iter().map(ToString::to_string).collect())
}

#[test]
fn kuro_files_are_used_compressed_or_not_with_any_fv_scale() {
    let bytes = random(32, 3).to_bytes().unwrap();
    let (plain, packed) = (folder().join("net.kuro"), folder().join("net.kuro.gz"));
    fs::write(&plain, &bytes).unwrap();
    fs::write(&packed, compressed(&bytes)).unwrap();
    let mut engine = Engine::new();
    let (first, notices) = evaluate(&mut engine, &[("EvalFile", plain.to_str().unwrap())]);
    assert_eq!((first.network.as_str(), notices), ("Kurosabi Ka_hm 32x2 \"test\"", Vec::new()));
    for options in [("FV_SCALE", "99"), ("EvalFile", packed.to_str().unwrap())] {
        assert_eq!(evaluate(&mut engine, &[options]), (first.clone(), Vec::new()));
    }
}

/// YaneuraOu calls the folder of the network EvalDir.
#[test]
fn eval_dir_is_another_name_of_the_option() {
    let dir = folder().join("dir");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("nn.bin"), random(32, 3).to_bytes().unwrap()).unwrap();
    let (report, notices) = evaluate(&mut Engine::new(), &[("EvalDir", dir.to_str().unwrap())]);
    assert_eq!((report.network.as_str(), notices), ("Kurosabi Ka_hm 32x2 \"test\"", Vec::new()));
}

#[test]
fn material_and_the_default_are_chosen_by_name() {
    let material = Evaluation::Material.report(&Position::startpos());
    let default = Evaluation::default().report(&Position::startpos());
    let file = folder().join("other.kuro");
    fs::write(&file, random(32, 3).to_bytes().unwrap()).unwrap();
    let mut engine = Engine::new();
    assert_eq!(evaluate(&mut engine, &[]), (default.clone(), Vec::new()));
    for (value, expected) in [("material", &material), ("", &default), ("MATERIAL", &material)] {
        assert_eq!(evaluate(&mut engine, &[("EvalFile", value)]), (expected.clone(), Vec::new()), "{value:?}");
        let (report, _) = evaluate(&mut engine, &[("EvalFile", file.to_str().unwrap())]);
        assert!(report.network.starts_with("Kurosabi Ka_hm"), "{}", report.network);
    }
}

#[test]
fn a_damaged_file_is_reported_and_the_default_network_used() {
    let mut bytes = random(32, 3).to_bytes().unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    let file = folder().join("damaged.kuro");
    fs::write(&file, bytes).unwrap();
    let mut engine = Engine::new();
    let (report, notices) = evaluate(&mut engine, &[("EvalFile", file.to_str().unwrap())]);
    assert_eq!(report, Evaluation::default().report(&Position::startpos()));
    assert_eq!(notices.len(), 1);
    let wanted = ["damaged.kuro", "checksum", "built-in evaluation is used"];
    assert!(wanted.iter().all(|text| notices[0].contains(text)), "{}", notices[0]);
}
