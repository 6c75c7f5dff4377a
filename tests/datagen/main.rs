//! Self-play games: how they are played, kept, continued and exchanged.

mod records;
mod units;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use kurosabi::datagen::openings::Openings;
use kurosabi::datagen::psv::packed::{PackError, pack, unpack};
use kurosabi::datagen::psv::{Psv, move_from_field, move_to_field};
use kurosabi::datagen::{
    Game, GameReader, GameResult, GameWriter, Generation, Header, Identity, RecordError, ScoredMove, SelfPlaySettings,
    Termination,
};
use kurosabi::eval::Evaluation;
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::types::{Color, Move, PieceType, Score, Square};
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

fn material() -> Identity {
    Identity { evaluation: "material".to_owned(), ..Identity::default() }
}

fn generate(file: &Path, settings: &SelfPlaySettings, threads: usize, games: u64) -> Result<(), String> {
    let (openings, evaluation) = (Openings::default(), Evaluation::Material);
    let generation = Generation {
        settings,
        openings: &openings,
        evaluation: &evaluation,
        identity: material(),
        first_game: 0,
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

/// Positions of random games from the even start.
fn random_positions(games: usize) -> Vec<(Position, Move)> {
    let mut rng = StdRng::seed_from_u64(7);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..200 {
            let Some(&mv) = legal_moves(&position).choose(&mut rng) else { break };
            positions.push((position.clone(), mv));
            position.do_move(mv);
        }
    }
    positions
}

#[test]
fn games_are_legal_and_end_as_they_say() {
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
        assert!(games.iter().any(|game| game.termination == termination), "{termination}");
    }
    let mut openings: Vec<_> = games.iter().map(|game| game.opening.clone()).collect();
    openings.sort();
    openings.dedup();
    assert!(openings.len() > 55, "only {} different openings", openings.len());
}

#[test]
fn a_wrong_move_or_result_is_found() {
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
fn the_file_depends_on_neither_threads_nor_interruptions() {
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
fn a_stop_leaves_a_file_that_goes_on() {
    let folder = Folder::new("stop");
    let file = folder.file("games");
    let (settings, openings, evaluation) = (settings(), Openings::default(), Evaluation::Material);
    let generation = Generation {
        settings: &settings,
        openings: &openings,
        evaluation: &evaluation,
        identity: material(),
        first_game: 0,
        threads: 1,
        positions: None,
        games: None,
    };
    let stop = AtomicBool::new(false);
    let progress = generation.run(&file, &stop, |_, _| stop.store(true, Ordering::Relaxed)).unwrap();
    let games = read(&file);
    assert_eq!(games.len() as u64, progress.games);
    assert_eq!(games.iter().map(|game| game.moves.len() as u64).sum::<u64>(), progress.positions);
    assert!(progress.nodes <= progress.searches * settings.nodes);
}

#[test]
fn every_truncation_is_told_and_leaves_the_games_before() {
    let folder = Folder::new("truncated");
    let file = folder.file("games");
    generate(&file, &settings(), 1, 3).unwrap();
    let bytes = fs::read(&file).unwrap();
    let games = read(&file);
    let mut reader = GameReader::open(&file).unwrap();
    let start = reader.offset() as usize;
    reader.next().unwrap().unwrap();
    let second = reader.offset() as usize;
    let cut_file = folder.file("cut");
    for length in (0..bytes.len()).filter(|&length| length < second + 40 || length % 17 == 0) {
        fs::write(&cut_file, &bytes[..length]).unwrap();
        match GameReader::open(&cut_file) {
            Err(error) => {
                assert!(length < start, "{error}");
                assert!(error.to_string().contains("cut"), "{error}");
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
fn no_changed_byte_goes_unnoticed() {
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
fn a_record_keeps_all_that_a_game_has() {
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
    let mut writer = GameWriter::create(&file, &Header::mixed("a test")).unwrap();
    writer.write(&game).unwrap();
    writer.flush().unwrap();
    assert_eq!(read(&file), [game]);
    assert_eq!(GameReader::open(&file).unwrap().header().evaluation, "a test");
}

#[test]
fn packed_positions_are_those_of_the_field() {
    for (position, _) in random_positions(40) {
        let packed = pack(&position).unwrap();
        let sfen = position.to_sfen();
        let theirs = rsshogi::board::position_from_sfen(&sfen).unwrap().to_packed_sfen();
        assert_eq!(packed, theirs.data, "{sfen}");
        assert_eq!(unpack(&packed, position.game_ply()).unwrap().to_sfen(), sfen);
    }
}

#[test]
fn positions_without_a_code_are_refused() {
    let handicap = Position::from_sfen("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
    assert!(matches!(pack(&handicap), Err(PackError::Incomplete(_))));
    let mut rng = StdRng::seed_from_u64(3);
    let mut read = 0;
    for (position, _) in random_positions(10) {
        let mut packed = pack(&position).unwrap();
        packed[rng.random_range(0..32)] ^= 1 << rng.random_range(0..8);
        // Most are refused; what is read must be a sound position.
        if let Ok(position) = unpack(&packed, 1) {
            assert!(Position::from_sfen(&position.to_sfen()).is_ok());
            read += 1;
        }
    }
    assert!(read > 0);
    assert!(unpack(&[0xff; 32], 1).is_err());
    assert!(unpack(&[0; 32], 1).is_err());
}

#[test]
fn moves_have_the_codes_of_the_field() {
    // From YaneuraOu's Move16: to | from << 7 | drop << 14 | promotion << 15; 7g = 60, 7f = 59, 5e = 40.
    assert_eq!(move_to_field("7g7f".parse().unwrap()), 59 | 60 << 7);
    assert_eq!(move_to_field("8h2b+".parse().unwrap()), 10 | 70 << 7 | 1 << 15);
    assert_eq!(move_to_field("G*5e".parse().unwrap()), 40 | 7 << 7 | 1 << 14);
    let board = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
    let moves =
        board.filter(|(from, to)| from != to).flat_map(|(from, to)| [false, true].map(|p| Move::board(from, to, p)));
    let drops = PieceType::HAND.into_iter().flat_map(|kind| Square::all().map(move |to| Move::drop(kind, to)));
    for mv in moves.chain(drops) {
        assert_eq!(move_from_field(move_to_field(mv)), Some(mv));
    }
    for code in [0, 81, 81 << 7, 1 << 14, 8 << 7 | 1 << 14] {
        assert_eq!(move_from_field(code), None, "{code:#x}");
    }
}

#[test]
fn training_positions_survive_their_bytes() {
    for (position, mv) in random_positions(4) {
        let scored = ScoredMove { mv, score: Score::from_eval(-321) };
        for result in [GameResult::Draw, GameResult::Win(Color::Black), GameResult::Win(Color::White)] {
            let psv = Psv::new(&position, scored, result).unwrap();
            assert_eq!(Psv::from_bytes(&psv.to_bytes()), psv);
            let game = psv.to_game(1).unwrap();
            assert_eq!((game.start_position(), game.moves[0], game.result), (position.clone(), scored, result));
            game.verify().unwrap();
        }
    }
}

#[test]
fn the_tools_count_check_show_mix_and_exchange() {
    let folder = Folder::new("tools");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let (games, mixed, psv, imported) = (name("games"), name("mixed"), name("positions.psv"), name("imported"));
    let play = ["play", &games, "--games", "12", "--nodes", "50", "--eval", "material"];
    let (out, err, ok) = kurosabi(&play);
    assert!(ok && out.contains("12 games") && out.contains("positions/s"), "{out}{err}");
    let all = read(Path::new(&games));
    let positions: usize = all.iter().map(|game| game.moves.len()).sum();

    let (out, _, ok) = kurosabi(&["count", &games, &games, "--unique"]);
    assert!(ok && out.contains(&format!("24 games, {} positions", 2 * positions)), "{out}");
    let (out, _, ok) = kurosabi(&["verify", &games]);
    assert!(ok && out.contains("12 games") && out.contains("all sound"), "{out}");
    let (out, _, ok) = kurosabi(&["dump", &games]);
    assert!(ok && out.lines().map(str::to_owned).eq(all.iter().map(Game::to_string)), "{out}");
    let (out, _, ok) = kurosabi(&["dump", &games, "--positions", "--skip", "3", "--games", "1"]);
    assert!(ok && out.lines().count() == all[3].moves.len(), "{out}");

    let (out, _, ok) = kurosabi(&["shuffle", &games, "--output", &mixed]);
    assert!(ok, "{out}");
    let text = |games: &[Game]| games.iter().map(Game::to_string).collect::<Vec<_>>();
    let (mut before, mut after) = (text(&all), text(&read(Path::new(&mixed))));
    assert_ne!(before, after);
    before.sort();
    after.sort();
    assert_eq!(before, after);
    assert!(!kurosabi(&["shuffle", &games, "--output", &mixed]).2, "no file may be written over");

    let (out, _, ok) = kurosabi(&["export", &games, "--output", &psv]);
    assert!(ok && out.starts_with(&format!("{positions} positions")), "{out}");
    assert_eq!(fs::metadata(&psv).unwrap().len(), 40 * positions as u64);
    let (out, _, ok) = kurosabi(&["import", &psv, "--output", &imported]);
    assert!(ok && out.starts_with(&format!("{positions} positions in 12 games")), "{out}");
    let (_, _, ok) = kurosabi(&["verify", &imported]);
    assert!(ok);
    for (game, imported) in all.iter().zip(read(Path::new(&imported))) {
        assert_eq!((&game.moves, game.result), (&imported.moves, imported.result));
    }
}

#[test]
fn bad_files_are_named() {
    let folder = Folder::new("bad");
    let text = folder.file("text");
    fs::write(&text, "startpos moves 7g7f 7g7f\n").unwrap();
    let path = text.to_str().unwrap();
    for command in ["count", "verify", "dump"] {
        let (_, err, ok) = kurosabi(&[command, path]);
        assert!(!ok && err.contains(path) && err.contains("not a file of Kurosabi games"), "{err}");
    }
    let output = folder.file("out");
    let output = output.to_str().unwrap();
    let (_, err, ok) = kurosabi(&["import", path, "--output", output]);
    assert!(!ok && err.contains("25 bytes"), "{err}");
    let (_, err, ok) = kurosabi(&["play", output, "--games", "1", "--openings", path]);
    assert!(!ok && err.contains("line 1") && err.contains("7g7f"), "{err}");
    let (_, err, ok) = kurosabi(&["play", output, "--games", "1", "--eval", path]);
    assert!(!ok && !err.contains("panicked"), "{err}");
}

#[test]
fn games_start_from_the_openings_given() {
    let folder = Folder::new("openings");
    let lines = "# two lines\nstartpos moves 2g2f 8c8d 2f2e 8d8e\n\nposition startpos moves 7g7f 3c3d 6g6f 8c8d\n";
    let list = folder.file("list");
    fs::write(&list, lines).unwrap();
    let openings = Openings::load(&list).unwrap();
    let settings = SelfPlaySettings { openings_share: 1.0, openings_crc: openings.crc(), ..settings() };
    let generation = Generation {
        settings: &settings,
        openings: &openings,
        evaluation: &Evaluation::Material,
        identity: Identity::default(),
        first_game: 0,
        threads: 1,
        positions: None,
        games: Some(12),
    };
    let file = folder.file("games");
    generation.run(&file, &AtomicBool::new(false), |_, _| {}).unwrap();
    for game in read(&file) {
        assert!(["2g2f", "7g7f"].contains(&game.opening[0].to_string().as_str()), "{game}");
        assert!(game.opening.len() <= 6);
    }
}
