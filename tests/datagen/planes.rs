//! Records for convolutional networks, and positions of trees for them to score.

use kurosabi::bitboard::{Bitboard, attacks_unobstructed, between};
use kurosabi::datagen::planes::{CLASSES, RECORD_BYTES, RecordMaker, Records, VERSION, policy_class};
use kurosabi::datagen::scores::td_lambda::td_lambda;

use super::*;

type Record = [u8; RECORD_BYTES];

fn i16_at(record: &Record, at: usize) -> i16 {
    i16::from_le_bytes([record[at], record[at + 1]])
}

fn game_of(position: &Position, mv: Move, score: i32, result: GameResult) -> Game {
    Game {
        start: Some(Box::new(position.clone())),
        opening: vec![],
        moves: vec![ScoredMove { mv, score: Score::from_value(score) }],
        result,
        termination: Termination::Unknown,
    }
}

fn record_of(maker: &mut RecordMaker, game: &Game) -> Record {
    let mut records = Records::default();
    maker.append(game, &mut records).unwrap();
    assert_eq!((records.bytes.len(), records.refused), (RECORD_BYTES, 0));
    records.bytes.try_into().unwrap()
}

/// The records in a file.
fn records(file: &str) -> Vec<Record> {
    let bytes = fs::read(file).unwrap();
    let (records, rest) = bytes.as_chunks();
    assert!(rest.is_empty());
    records.to_vec()
}

/// The same position with colours changed and the board turned around.
fn turned(position: &Position) -> Position {
    let sfen = position.to_sfen();
    let swapped: String = sfen
        .chars()
        .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
        .collect();
    let [board, _, hands, ply] = swapped.split(' ').collect::<Vec<_>>()[..] else { panic!("{sfen}") };
    let mut squares = Vec::new();
    for c in board.chars() {
        match squares.last_mut() {
            Some(last) if last == "+" => *last = format!("+{c}"),
            _ => squares.push(c.to_string()),
        }
    }
    squares.reverse();
    let side = if position.side_to_move() == Color::Black { "w" } else { "b" };
    Position::from_sfen(&format!("{} {side} {hands} {ply}", squares.concat())).unwrap()
}

#[test]
fn a_record_has_what_its_position_has() {
    let mut maker = RecordMaker::new(&Evaluation::Material, 0.75);
    let mut in_check = 0;
    for (number, (position, mv)) in random_positions(6).into_iter().enumerate() {
        let us = position.side_to_move();
        let result = [GameResult::Draw, GameResult::Win(us), GameResult::Win(!us)][number % 3];
        let record = record_of(&mut maker, &game_of(&position, mv, -321, result));
        let pieces: Vec<_> =
            Square::all().filter_map(|square| position.piece_on(square).map(|piece| (square, piece))).collect();
        for square in Square::all() {
            let at = square.relative(us).index();
            let code = position
                .piece_on(square)
                .map_or(0, |piece| piece.piece_type().index() + if piece.color() == us { 0 } else { 14 });
            assert_eq!(usize::from(record[at]), code);
            for (side, color) in [us, !us].into_iter().enumerate() {
                let is_free = |from| (between(from, square) & position.occupied()) == Bitboard::EMPTY;
                let attackers = pieces.iter().filter(|&&(from, piece)| {
                    piece.color() == color
                        && from != square
                        && attacks_unobstructed(piece, from, square)
                        && is_free(from)
                });
                let kinds: Vec<_> = attackers.map(|(_, piece)| piece.piece_type().index() - 1).collect();
                let mask = kinds.iter().fold(0, |mask, kind| mask | 1 << kind);
                assert_eq!(i16_at(&record, 96 + 162 * side + 2 * at), mask, "{} {square}", position.to_sfen());
                assert_eq!(usize::from(record[420 + at] >> (4 * side) & 0xf), kinds.len());
            }
        }
        for (side, color) in [us, !us].into_iter().enumerate() {
            let hand = PieceType::HAND.map(|kind| position.hand(color).count(kind) as u8);
            assert_eq!(record[81 + 7 * side..88 + 7 * side], hand);
        }
        assert_eq!(record[95], u8::from(position.in_check()));
        assert_eq!(record[501], [1, 2, 0][number % 3]);
        assert_eq!(i32::from(i16_at(&record, 502)), Evaluation::Material.report(&position).score.value());
        assert_eq!([504, 506].map(|at| i16_at(&record, at)), [-321, -321]);
        assert_eq!(i16_at(&record, 508) as u16, policy_class(&position, mv));
        assert_eq!(i16_at(&record, 510) as u16, VERSION);
        in_check += usize::from(position.in_check());
    }
    assert!(in_check > 10, "{in_check} positions in check");
}

#[test]
fn a_record_does_not_tell_who_is_black() {
    let mut maker = RecordMaker::new(&Evaluation::default(), 0.75);
    for (position, mv) in random_positions(3) {
        let turned = turned(&position);
        let mv_turned = match (mv.from(), mv.dropped()) {
            (Some(from), _) => Move::board(from.rotated(), mv.to().rotated(), mv.is_promotion()),
            (None, kind) => Move::drop(kind.unwrap(), mv.to().rotated()),
        };
        let record = record_of(&mut maker, &game_of(&position, mv, 55, GameResult::Draw));
        assert_eq!(record, record_of(&mut maker, &game_of(&turned, mv_turned, 55, GameResult::Draw)));
    }
}

#[test]
fn classes_of_moves() {
    let class = |moves: &str, mv: &str| {
        let mut position = Position::startpos();
        for mv in moves.split_whitespace() {
            position.do_move(mv.parse().unwrap());
        }
        let mv = mv.parse().unwrap();
        assert!(position.is_legal(mv));
        policy_class(&position, mv)
    };
    assert_eq!(class("", "7g7f"), 59 * 27);
    assert_eq!(class("7g7f", "3c3d"), 59 * 27, "the same for White");
    assert_eq!(class("7g7f 3c3d", "8h2b+"), 10 * 27 + 14 + 4);
    assert_eq!(class("7g7f 3c3d", "8h2b"), 10 * 27 + 4);
    assert_eq!(class("7g7f 3c3d 8h2b+ 3a2b", "B*5e"), 40 * 27 + 20 + 4);
    for (position, _) in random_positions(2) {
        assert!(legal_moves(&position).iter().all(|&mv| usize::from(policy_class(&position, mv)) < CLASSES));
    }
}

#[test]
fn records_and_exported_positions_go_together() {
    let folder = Folder::new("planes");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let (games, handicap, whole) = (name("games"), name("handicap"), name("whole.psv"));
    assert!(kurosabi(&["play", &games, "--games", "8", "--nodes", "50", "--eval", "material"]).2);
    // Positions without all pieces are left out by both commands.
    let start = Position::from_sfen("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
    let mut writer = GameWriter::create(&handicap, &Header::mixed("a test")).unwrap();
    writer.write(&game_of(&start, "3c3d".parse().unwrap(), 0, GameResult::Draw)).unwrap();
    writer.flush().unwrap();
    let files = [games.as_str(), &handicap, &games];
    let run = |command: &str, files: &[&str], output: &str, options: &[&str]| {
        let (out, err, ok) = kurosabi(&[&[command], files, &["--output", output], options].concat());
        assert!(ok, "{err}");
        out
    };
    let (one, three) = (name("one.planes"), name("three.planes"));
    let out = run("planes", &files, &one, &["--threads", "1", "--eval", "material"]);
    assert_eq!(out, run("export", &files, &whole, &[]));
    assert!(out.contains("(1 with pieces missing left out)"), "{out}");
    run("planes", &files, &three, &["--threads", "3", "--eval", "material"]);
    let found = records(&one);
    assert_eq!(found, records(&three), "threads do not matter");

    let exported = psvs(&whole);
    let mut td_scores = Vec::new();
    for mut game in read(Path::new(&games)) {
        td_lambda(&mut game.moves, 0.75);
        td_scores.extend(game.moves.iter().map(|scored| scored.score.value()));
    }
    assert!(exported.len() > 500 && exported.len() == found.len() && exported.len() == 2 * td_scores.len());
    for (index, (psv, record)) in exported.iter().zip(&found).enumerate() {
        let game = psv.to_game(1).unwrap();
        let position = game.start_position();
        assert_eq!(i16_at(record, 504), psv.score);
        assert_eq!(record[501] as i8 - 1, psv.result);
        assert_eq!(i16_at(record, 508) as u16, policy_class(&position, game.moves[0].mv));
        assert_eq!(i32::from(i16_at(record, 506)), td_scores[index % td_scores.len()]);
    }

    // Of single positions only the TD(λ) scores are others: nothing follows them.
    let (again, single, plain) = (name("again.psv"), name("single.planes"), name("plain.planes"));
    run("export", &[&whole], &again, &[]);
    assert_eq!(fs::read(&again).unwrap(), fs::read(&whole).unwrap());
    run("planes", &[&whole], &single, &["--eval", "material"]);
    run("planes", &files, &plain, &["--eval", "material", "--lambda", "0"]);
    assert_eq!(records(&single), records(&plain));
    assert_ne!(records(&plain), found);

    let bad = name("bad.psv");
    fs::write(&bad, [&fs::read(&whole).unwrap()[..80], &[0xff; 40]].concat()).unwrap();
    let none = name("none.planes");
    for (file, complaint) in
        [(bad.as_str(), "position 3"), (&one, "not a file of Kurosabi games"), ("no.psv", "no.psv")]
    {
        let (_, err, ok) = kurosabi(&["planes", file, "--output", &none]);
        assert!(!ok && err.contains(file) && err.contains(complaint) && !Path::new(&none).exists(), "{err}");
    }
    let (_, err, ok) = kurosabi(&["planes", &games, "--output", &one]);
    assert!(!ok && err.contains("one.planes exists"), "{err}");
}

#[test]
fn trees_give_positions_that_nothing_has_scored_yet() {
    let folder = Folder::new("unscored");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let games = name("games");
    assert!(kurosabi(&["play", &games, "--games", "4", "--nodes", "50", "--eval", "material"]).2);
    let tree = |file: &str, options: &[&str]| {
        let output = name(file);
        let numbers = ["--nodes", "500", "--interval", "20", "--label-nodes", "0", "--share", "0.3"];
        let command = [&["tree", &games, "--output", &output, "--eval", "material"], &numbers[..], options].concat();
        let (out, err, ok) = kurosabi(&command);
        assert!(ok && out.contains("positions of the trees of 4 games"), "{out}{err}");
        output
    };
    let all = tree("all.psv", &["--threads", "3"]);
    assert_eq!(fs::read(&all).unwrap(), fs::read(tree("one.psv", &["--threads", "1"])).unwrap());
    let found = psvs(&all);
    assert!(found.len() > 300, "{}", found.len());
    for psv in found {
        let game = psv.to_game(1).unwrap();
        let position = game.start_position();
        let mv = game.moves[0].mv;
        let is_quiet = |mv: Move| !mv.is_promotion() && position.piece_on(mv.to()).is_none();
        assert!(!position.in_check() && psv.result == 0);
        assert!(is_quiet(mv) || !legal_moves(&position).iter().any(|&mv| is_quiet(mv)));
        assert_eq!(i32::from(psv.score), Evaluation::Material.report(&position).score.value());
    }
}
