//! Record files, whole and damaged.

use std::hash::{BuildHasher, Hasher, RandomState};

use super::*;

/// Games of random moves with scores of all sizes, some from a position of their own.
fn random_games(count: usize) -> Vec<Game> {
    let mut rng = StdRng::seed_from_u64(11);
    let start = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL w B 8").unwrap();
    let mut game = |number: usize| {
        let mut game = Game {
            start: (number.is_multiple_of(5)).then(|| Box::new(start.clone())),
            opening: vec![],
            moves: vec![],
            result: [GameResult::Draw, GameResult::Win(Color::Black), GameResult::Win(Color::White)][number % 3],
            termination: Termination::Unknown,
        };
        let mut position = game.start_position();
        for ply in 0..rng.random_range(0..60) {
            let Some(&mv) = legal_moves(&position).choose(&mut rng) else { break };
            position.do_move(mv);
            let value = rng.random_range(-400..400) * if ply % 10 == 0 { 80 } else { 1 };
            match game.moves.is_empty() && ply < 6 {
                true => game.opening.push(mv),
                false => game.moves.push(ScoredMove { mv, score: Score::from_value(value) }),
            }
        }
        game
    };
    (0..count).map(&mut game).collect()
}

fn write(file: &Path, games: &[Game]) {
    let mut writer = GameWriter::create(file, &RecordHeader::new("a test")).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    writer.flush().unwrap();
}

/// Continues a file up to these games.
fn resume(file: &Path, games: &[Game]) -> usize {
    let mut kept = 0;
    let mut writer = GameWriter::resume(file, &RecordHeader::new("a test"), |_| kept += 1).unwrap();
    games[kept..].iter().for_each(|game| writer.write(game).unwrap());
    writer.flush().unwrap();
    kept
}

#[test]
fn games_are_read_back_with_rounded_scores() {
    let folder = Folder::new("back");
    let (file, again) = (folder.file("games"), folder.file("again"));
    let games = random_games(300);
    write(&file, &games);
    let read = read(&file);
    assert_eq!(read.len(), games.len());
    for (read, game) in read.iter().zip(&games) {
        assert_eq!((&read.start, &read.opening, read.result), (&game.start, &game.opening, game.result));
        assert_eq!(read.moves.len(), game.moves.len());
        for (read, scored) in read.moves.iter().zip(&game.moves) {
            let (found, value) = (read.score.value(), scored.score.value());
            assert_eq!(read.mv, scored.mv);
            assert!((found - value).abs() <= 3 + value.abs() / 60 && (value.abs() <= 3300 || found == value));
        }
    }
    // Written once more, nothing changes.
    write(&again, &read);
    assert_eq!(fs::read(&again).unwrap(), fs::read(&file).unwrap());
}

#[test]
fn a_truncated_file_is_continued_to_the_same_bytes() {
    let folder = Folder::new("breaks-off");
    let (file, cut) = (folder.file("games"), folder.file("cut"));
    let games = random_games(300);
    write(&file, &games);
    let whole = fs::read(&file).unwrap();
    let start = GameReader::open(&file).unwrap().offset as usize;
    let mut continued = std::collections::BTreeSet::new();
    for length in (start..whole.len()).step_by(397) {
        // Nothing after it, or what a file system leaves that had no time for the content.
        for zeros in [0, 1, 100, whole.len() - length, 10_000] {
            let mut bytes = whole[..length].to_vec();
            bytes.resize(length + zeros, 0);
            fs::write(&cut, &bytes).unwrap();
            let mut reader = GameReader::open(&cut).unwrap();
            let found = reader.by_ref().take_while(Result::is_ok).count();
            assert!(found.is_multiple_of(128) && found <= games.len());
            continued.insert(resume(&cut, &games));
            assert_eq!(fs::read(&cut).unwrap(), whole, "cut at {length} with {zeros} zeros");
        }
    }
    assert_eq!(continued.into_iter().collect::<Vec<_>>(), [0, 128, 256]);
    // With something else behind it, the file is damaged and stays as it is.
    let mut bytes = whole[..whole.len() / 2].to_vec();
    bytes.extend([0, 0, 0, 1].repeat(5000));
    fs::write(&cut, &bytes).unwrap();
    let resumed = GameWriter::resume(&cut, &RecordHeader::new("a test"), |_| {});
    assert!(matches!(resumed, Err(RecordError::Game { .. })));
    assert_eq!(fs::read(&cut).unwrap(), bytes);
}

#[test]
fn resuming_never_drops_games_behind_a_damaged_length() {
    let folder = Folder::new("length");
    let (file, damaged) = (folder.file("games"), folder.file("damaged"));
    let games = random_games(300);
    write(&file, &games);
    let whole = fs::read(&file).unwrap();
    let start = GameReader::open(&file).unwrap().offset as usize;
    for bit in 0..32 {
        let mut bytes = whole.clone();
        bytes[start + bit / 8] ^= 1 << (bit % 8);
        fs::write(&damaged, &bytes).unwrap();
        let resumed = GameWriter::resume(&damaged, &RecordHeader::new("a test"), |_| {});
        assert!(matches!(resumed, Err(RecordError::Game { game: 1, .. })), "bit {bit}");
        drop(resumed);
        assert_eq!(fs::read(&damaged).unwrap(), bytes);
    }
}

/// The last block is written over when it grows; a crash may leave any part of either state.
#[test]
fn a_block_written_over_in_part_is_played_again() {
    let folder = Folder::new("written-over");
    let (file, torn) = (folder.file("games"), folder.file("torn"));
    let games = random_games(150);
    write(&file, &games[..140]);
    let before = fs::read(&file).unwrap();
    assert_eq!(resume(&file, &games), 140);
    let after = fs::read(&file).unwrap();
    let start = GameReader::open(&file).unwrap().offset as usize;
    let last_block = start + 10 + u32::from_le_bytes(after[start..start + 4].try_into().unwrap()) as usize;
    assert!(after[..last_block] == before[..last_block], "full blocks stay");
    assert!(after[last_block..before.len()] != before[last_block..], "the last one is written over");
    for at in (last_block..after.len()).step_by(53) {
        let mut bytes = before.clone();
        bytes.resize(after.len(), 0);
        bytes[..at].copy_from_slice(&after[..at]);
        fs::write(&torn, &bytes).unwrap();
        assert!([128, 140, 150].contains(&resume(&torn, &games)));
        assert_eq!(fs::read(&torn).unwrap(), after, "torn at {at}");
    }
}

#[test]
fn a_file_of_games_has_one_writer_at_a_time() {
    let folder = Folder::new("locked");
    let file = folder.file("games");
    let games = random_games(3);
    let mut writer = GameWriter::create(&file, &RecordHeader::new("a test")).unwrap();
    writer.write(&games[1]).unwrap();
    writer.flush().unwrap();
    let second = GameWriter::resume(&file, &RecordHeader::new("a test"), |_| {});
    assert!(matches!(second, Err(RecordError::Locked)));
    assert!(matches!(GameWriter::create(&file, &RecordHeader::new("other")), Err(RecordError::Locked)));
    drop(writer);
    assert_eq!(resume(&file, &[games[1].clone(), games[2].clone()]), 1);
}

/// A reader that comes upon the middle of a write does not call the file damaged.
#[test]
fn a_file_that_grows_while_it_is_read_is_not_called_damaged() {
    let folder = Folder::new("growing");
    let (whole, file) = (folder.file("whole"), folder.file("growing"));
    write(&whole, &random_games(30));
    let mut bytes = fs::read(&whole).unwrap();
    let cut = bytes.len() - 20;
    fs::write(&file, &bytes[..cut]).unwrap();
    assert!(matches!(GameReader::open(&file).unwrap().last(), Some(Err(RecordError::Truncated { .. }))));
    // The beginning of the block as it was, and the end of a later one.
    bytes[cut..].reverse();
    let reader = GameReader::open(&file).unwrap();
    fs::write(&file, &bytes).unwrap();
    let error = reader.last().unwrap().unwrap_err();
    assert!(matches!(error, RecordError::Locked), "{error}");
}

#[test]
fn an_illegal_game_is_not_written() {
    let folder = Folder::new("illegal");
    let file = folder.file("games");
    let mut games = random_games(8);
    let scored = ScoredMove { mv: "1i9a".parse().unwrap(), score: Score::ZERO };
    let mut wrong = games[7].clone();
    wrong.moves.push(scored);
    let mut writer = GameWriter::create(&file, &RecordHeader::new("a test")).unwrap();
    assert!(writer.write(&wrong).unwrap_err().to_string().contains("1i9a"));
    assert!(wrong.replay(|_, _| {}).is_err() && wrong.end_position().is_err() && wrong.verify().is_err());
    writer.write(&games[7]).unwrap();
    writer.flush().unwrap();
    assert_eq!(read(&file).len(), 1, "what was refused leaves no trace");
    assert_eq!(read(&file)[0].plies(), games.remove(7).plies());
}

/// The order of moves and the codes of scores may never change, or files could no longer be read.
#[test]
fn a_file_of_version_2_is_read_as_when_it_was_written() {
    let folder = Folder::new("written");
    let file = folder.file("written.games");
    fs::write(&file, include_bytes!("../data/version2.games")).unwrap();
    let lines = include_str!("../data/version2.txt").lines().map(str::to_owned);
    assert!(read(&file).iter().map(Game::to_string).eq(lines));
}

/// Makes the checksum of a block right again.
fn mend_checksum(block: &mut [u8]) {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block[..6]);
    hasher.update(&block[10..]);
    block[6..10].copy_from_slice(&hasher.finalize().to_le_bytes());
}

#[test]
fn a_block_of_more_games_than_blocks_have_is_an_error() {
    let folder = Folder::new("many-games");
    let file = folder.file("games");
    write(&file, &random_games(2));
    let mut bytes = fs::read(&file).unwrap();
    let start = GameReader::open(&file).unwrap().offset as usize;
    bytes[start + 4..start + 6].copy_from_slice(&u16::MAX.to_le_bytes());
    mend_checksum(&mut bytes[start..]);
    fs::write(&file, &bytes).unwrap();
    let error = GameReader::open(&file).unwrap().next().unwrap().unwrap_err().to_string();
    assert!(error.contains("65535 games in a block, which has at most 128"), "{error}");
}

/// Bytes that were never written so: the reader must come back with games or an error, nothing else.
#[test]
fn packed_bytes_of_any_kind_do_not_panic() {
    let folder = Folder::new("any-bytes");
    let file = folder.file("games");
    write(&file, &random_games(20));
    let whole = fs::read(&file).unwrap();
    let start = GameReader::open(&file).unwrap().offset as usize;
    let seed = RandomState::new().build_hasher().finish();
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut errors, mut games) = (0, 0);
    for _ in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(start..bytes.len());
            bytes[at] = rng.random();
        }
        mend_checksum(&mut bytes[start..]);
        fs::write(&file, &bytes).unwrap();
        for game in GameReader::open(&file).unwrap() {
            match game {
                Ok(game) => {
                    assert!(game.end_position().is_ok(), "seed {seed}: {bytes:?}");
                    games += 1;
                }
                Err(_) => errors += 1,
            }
        }
    }
    assert!(errors > 100 && games > 0, "seed {seed}: {errors} errors, {games} games");
}
