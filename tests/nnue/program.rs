//! The same evaluations, as the program tells them (`eval`) that reads the networks from files: also the program of
//! another system or processor, when `KUROSABI_TEST_PROGRAM` names a command that runs it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use super::generator::Weights;
use super::golden::{Net, golden};

/// What is asked, in the order of the answers: the values that `Raw` and `Eval` must have.
fn questions(net: &Net, commands: &mut String) -> Vec<(i32, i32)> {
    let mut expected = Vec::new();
    for scale in [24, 1, 16] {
        *commands += &format!("setoption name FV_SCALE value {scale}\nisready\n");
        for case in &net.cases {
            *commands += &format!("position sfen {}\neval\n", case.sfen);
            let score = match scale {
                24 => case.score24,
                1 => case.score1,
                _ => case.score,
            };
            expected.push((case.raw, score));
        }
    }
    for game in &net.games {
        let moves: Vec<&str> = game.moves.split_whitespace().collect();
        for (ply, (raw, score)) in game.raw.iter().zip(&game.score).enumerate() {
            *commands += &format!("position sfen {} moves {}\neval\n", game.start, moves[..ply].join(" "));
            expected.push((*raw, *score));
        }
    }
    expected
}

fn check(arch: &str) {
    let net = &golden(arch).nets[0];
    let file: PathBuf = std::env::temp_dir().join(format!("kurosabi-{}-{arch}.bin", std::process::id()));
    fs::write(&file, Weights::new(arch, net.seed).file()).unwrap();
    let mut commands = format!("setoption name EvalFile value {}\n", file.display());
    let expected = questions(net, &mut commands);

    let program = std::env::var("KUROSABI_TEST_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_kurosabi").to_owned());
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(commands.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    fs::remove_file(&file).unwrap();

    let text = String::from_utf8(output.stdout).unwrap();
    let values = |key: &str| -> Vec<i32> {
        text.lines().filter_map(|line| line.strip_prefix(key)).map(|value| value.parse().unwrap()).collect()
    };
    let (raw, score): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
    assert!(raw.len() > 250, "{arch}: {} questions", raw.len());
    assert_eq!(values("Raw: "), raw, "{arch}: {text}");
    assert_eq!(values("Eval: "), score, "{arch}");
}

#[test]
fn kp_256() {
    check("kp_256x2-32-32");
}

/// Files of 60 to 130 MB.
#[test]
#[ignore = "scripts/slow/systems and `check windows` run it with the programs of a release"]
fn large_networks() {
    for arch in ["halfkp_256x2-32-32", "halfkp_512x2-16-32", "SFNN_halfkahm2_1536_15_32_k3k3"] {
        check(arch);
    }
}
