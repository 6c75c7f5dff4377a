//! Self-play games: how they are played, kept and continued.

#[cfg(target_os = "linux")]
mod hardship;
mod records;
mod tools;
mod units;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use kurosabi::datagen::{
    Game, GameReader, GameResult, GameWriter, Generation, Openings, RecordError, RecordHeader, ScoredMove,
    SelfPlaySettings, Termination,
};
use kurosabi::eval::Evaluation;
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::types::{Color, Move, Score};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A folder that is removed at the end of its test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("kurosabi-datagen-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn settings() -> SelfPlaySettings {
    SelfPlaySettings { nodes: 60, hash_mb: 1, played_out_share: 0.5, random_share: 0.02, ..Default::default() }
}

fn generate(file: &Path, settings: &SelfPlaySettings, threads: usize, games: u64) -> Result<(), String> {
    let (openings, evaluation) = (Openings::default(), Evaluation::Material);
    let generation = Generation {
        settings,
        openings: &openings,
        evaluation: &evaluation,
        header: RecordHeader::new("material"),
        threads,
        positions: None,
        games: Some(games),
    };
    generation.run(file, &AtomicBool::new(false), |_, _| {}).map(drop).map_err(|error| error.to_string())
}

fn read(file: &Path) -> Vec<Game> {
    GameReader::open(file).unwrap().collect::<Result<_, _>>().unwrap()
}

fn kurosabi(arguments: &[&str]) -> (String, String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_kurosabi")).arg("datagen").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

#[test]
fn played_games_are_legal_and_their_results_follow_from_the_rules() {
    let folder = Folder::new("legal");
    let file = folder.file("games");
    generate(&file, &settings(), 2, 60).unwrap();
    let games = read(&file);
    assert_eq!(games.len(), 60);
    for game in &games {
        game.verify().unwrap();
        assert!((6..=9).contains(&game.opening.len()));
        assert!(game.plies() <= settings().max_plies as usize);
    }
    // With half of the games played out there are mates, and adjudications among the others.
    for termination in [Termination::Mate, Termination::Adjudication] {
        assert!(games.iter().any(|game| game.termination == termination), "{termination:?}");
    }
    let mut openings: Vec<_> = games.iter().map(|game| game.opening.clone()).collect();
    openings.sort();
    openings.dedup();
    assert!(openings.len() > 55, "only {} different openings", openings.len());
}

#[test]
fn verify_finds_a_wrong_move_or_result() {
    let folder = Folder::new("wrong");
    let file = folder.file("games");
    generate(&file, &settings(), 1, 8).unwrap();
    for game in read(&file) {
        let mut other = game.clone();
        other.moves[3].mv = "1i9a".parse().unwrap();
        assert!(other.verify().unwrap_err().to_string().contains("1i9a"));
        let mut other = game.clone();
        other.result = match game.result {
            GameResult::Draw => GameResult::Win(Color::Black),
            GameResult::Win(_) => GameResult::Draw,
        };
        assert!(other.verify().is_err(), "{game}");
        let mut other = game.clone();
        other.moves.pop();
        other.termination = Termination::Mate;
        assert!(other.verify().is_err(), "{game}");
    }
}

#[test]
fn the_file_of_games_depends_neither_on_threads_nor_on_interruptions() {
    let folder = Folder::new("resume");
    let (whole, parts) = (folder.file("whole"), folder.file("parts"));
    generate(&whole, &settings(), 2, 40).unwrap();
    let expected = fs::read(&whole).unwrap();

    generate(&parts, &settings(), 1, 15).unwrap();
    // A crash in the middle of a write.
    let cut = fs::read(&parts).unwrap();
    fs::write(&parts, &cut[..cut.len() - 7]).unwrap();
    generate(&parts, &settings(), 2, 29).unwrap();
    generate(&parts, &settings(), 1, 40).unwrap();
    assert_eq!(fs::read(&parts).unwrap(), expected);

    let other = SelfPlaySettings { seed: 2, ..settings() };
    let error = generate(&parts, &other, 1, 41).unwrap_err();
    assert!(error.contains("other games") && error.contains("\"seed\":1"), "{error}");
    assert_eq!(fs::read(&parts).unwrap(), expected, "a refused file must stay as it is");
}

#[test]
fn positions_are_searched_to_depth_1_with_too_few_nodes() {
    let folder = Folder::new("few_nodes");
    let file = folder.file("games");
    generate(&file, &SelfPlaySettings { nodes: 1, ..settings() }, 1, 20).unwrap();
    for game in read(&file) {
        game.verify().unwrap();
        assert!(game.moves.iter().any(|scored| scored.score.value() != 0), "{:?}", game.termination);
    }
}

#[test]
fn a_stopped_generation_continues_to_the_same_file() {
    let folder = Folder::new("stop");
    let file = folder.file("games");
    let (settings, openings, evaluation) = (settings(), Openings::default(), Evaluation::Material);
    let generation = Generation {
        settings: &settings,
        openings: &openings,
        evaluation: &evaluation,
        header: RecordHeader::new("material"),
        threads: 1,
        positions: None,
        games: None,
    };
    let stop = AtomicBool::new(false);
    let progress = generation.run(&file, &stop, |_, _| stop.store(true, Ordering::Relaxed)).unwrap();
    let games = read(&file);
    assert_eq!(games.len() as u64, progress.games);
    assert_eq!(games.iter().map(|game| game.moves.len() as u64).sum::<u64>(), progress.positions);
    // A search that had no score within its nodes is repeated to depth 1.
    assert!(progress.nodes <= progress.searches * (settings.nodes + 20));
}

#[test]
fn searches_of_a_soft_limit_end_with_the_iteration_that_reaches_it() {
    let folder = Folder::new("soft");
    let (openings, evaluation) = (Openings::default(), Evaluation::Material);
    let nodes_a_search = |file: &str, settings: &SelfPlaySettings| {
        let header = RecordHeader::new("material");
        let (openings, evaluation) = (&openings, &evaluation);
        let games = Some(4);
        let generation = Generation { settings, openings, evaluation, header, threads: 1, positions: None, games };
        let progress = generation.run(&folder.file(file), &AtomicBool::new(false), |_, _| ()).unwrap();
        progress.nodes as f64 / progress.searches as f64
    };
    let soft = SelfPlaySettings { nodes: 20_000, soft_nodes: 60, ..settings() };
    let (soft_mean, hard_mean) = (nodes_a_search("soft", &soft), nodes_a_search("hard", &settings()));
    assert!(hard_mean <= 65.0 && (60.0..600.0).contains(&soft_mean), "{hard_mean} {soft_mean}");
    assert_eq!(GameReader::open(folder.file("soft")).unwrap().header.settings.as_ref().unwrap().soft_nodes, 60);
}

#[test]
fn every_truncation_is_expected_and_leaves_the_games_before() {
    let folder = Folder::new("truncated");
    let file = folder.file("games");
    generate(&file, &settings(), 1, 3).unwrap();
    let bytes = fs::read(&file).unwrap();
    let games = read(&file);
    let mut reader = GameReader::open(&file).unwrap();
    let start = reader.offset as usize;
    reader.next().unwrap().unwrap();
    let second = reader.offset as usize;
    let cut_file = folder.file("cut");
    for length in (0..bytes.len()).filter(|&length| length < second + 40 || length % 17 == 0) {
        fs::write(&cut_file, &bytes[..length]).unwrap();
        match GameReader::open(&cut_file) {
            Err(error) => {
                assert!(length < start, "{error}");
                let is_expected = match &error {
                    // The magic is eight bytes.
                    RecordError::Foreign { .. } => length < 8,
                    RecordError::Header(reason) => length >= 8 && reason.to_string().contains("truncated"),
                    _ => false,
                };
                assert!(is_expected, "{length} bytes: {error}");
            }
            Ok(reader) => {
                let read: Vec<_> = reader.collect();
                let (last, whole) = read.split_last().map_or((None, &[][..]), |(last, whole)| (Some(last), whole));
                assert!(whole.iter().zip(&games).all(|(read, game)| read.as_ref().unwrap() == game));
                match last {
                    Some(Err(RecordError::Truncated { game, .. })) => assert_eq!(*game as usize, whole.len() + 1),
                    // The cut fell between two games.
                    Some(Ok(game)) => assert_eq!(game, &games[whole.len()]),
                    None => assert_eq!(length, start),
                    Some(Err(error)) => panic!("{error}"),
                }
            }
        }
    }
}

#[test]
fn every_changed_byte_of_a_file_of_games_is_an_error() {
    let folder = Folder::new("changed");
    let file = folder.file("games");
    generate(&file, &settings(), 1, 2).unwrap();
    let bytes = fs::read(&file).unwrap();
    let changed = folder.file("changed");
    for at in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&changed, &bytes).unwrap();
        let failed = GameReader::open(&changed).map_or(true, |reader| reader.into_iter().any(|game| game.is_err()));
        assert!(failed, "byte {at}");
    }
}

#[test]
fn a_file_of_games_keeps_all_that_a_game_has() {
    let folder = Folder::new("kept");
    let file = folder.file("a/new/folder/games");
    let start = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL w B 8").unwrap();
    let moves: Vec<Move> = ["8c8d", "B*5e", "8d8e"].map(|mv| mv.parse().unwrap()).to_vec();
    let scores = [Score::from_eval(-30_000), Score::mate_in(3), Score::ZERO];
    let scored = moves.iter().zip(scores).map(|(&mv, score)| ScoredMove { mv, score }).collect();
    let game = Game {
        start: Some(Box::new(start)),
        opening: vec![],
        moves: scored,
        result: GameResult::Win(Color::White),
        termination: Termination::Unknown,
    };
    let mut writer = GameWriter::create(&file, &RecordHeader::new("a test")).unwrap();
    writer.write(&game).unwrap();
    writer.flush().unwrap();
    assert_eq!(read(&file), [game]);
    assert_eq!(GameReader::open(&file).unwrap().header.evaluation, "a test");
}
