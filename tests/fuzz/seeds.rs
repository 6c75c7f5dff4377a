//! Writes a few good inputs for each target into folders below the one given: what the fuzzer begins with.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use kurosabi::datagen::{Game, GameResult, GameWriter, RecordHeader, ScoredMove, Termination};
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::records::{Format, Records, WriteOptions, write};
use kurosabi::train::{Model, Shape, Start, TrainSettings, Trainer};
use kurosabi::types::{Color, Score};

#[path = "../nnue/generator.rs"]
#[allow(dead_code, reason = "tests need more of it")]
mod generator;

use generator::Weights;

const SESSIONS: [&str; 5] = [
    "usi\nisready\nusinewgame\nposition startpos moves 7g7f 3c3d\ngo btime 10 wtime 10 byoyomi 10\nstop\nquit",
    "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1\ngo depth 2\nd\neval\nwhy 5a4b",
    "setoption name MultiPV value 3\ngo ponder btime 9 wtime 9 binc 5 winc 5\nponderhit\ngo infinite\nisready\nstop",
    "setoption name EnteringKingRule value TryRule\nsetoption name SkillLevel value 2\ngo nodes 20 searchmoves 7g7f\nbench 1",
    "position startpos\ngo mate 10\ngo perft 2\ngameover win\nsetoption name MaxMovesToDraw value 2\ngo movetime 5\nhelp",
];
const MESSAGES: [&str; 3] = [
    "info depth 3 seldepth 5 multipv 1 score cp -12 lowerbound nodes 20 nps 9 hashfull 3 time 4 pv 7g7f 3c3d G*5b",
    "option name USI_Hash type spin default 1 min 1 max 9\noption name X type combo default a var a var b\nid name A",
    "bestmove 7g7f ponder 3c3d\ncheckmate nomate\nregister later\ncopyprotection ok\ninfo string x\nbestmove win",
];
const POSITIONS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n@P`p\x00\x11\n7g7f 3c3d 8h2b+",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1\n@P`p01\nP*5e 1a1b",
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1\nazAZ09\nP*5b K*5e 5i5h",
    "8k/9/8P/9/9/9/9/9/9 b 2G 1\n!~\nG*1b",
];
const KIF: &str = "手合割：平手\n先手：甲\n*注\n   1 ７六歩(77) ( 0:01/00:00:01)\n   2 ３四歩(33)\n   3 ２二角成(88)+\n   4 投了\n\n変化：3手\n   3 ２六歩(27)\n";
const HANDICAP: &str = "後手の持駒：飛　金四　歩十二\n| ・ ・ ・ ・v玉 ・ ・ ・v香|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ と ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n先手の持駒：角　桂\n▲４三桂 △６二玉 ▲５二と\n";

/// A short game, and its positions.
fn game() -> (Game, Vec<Position>) {
    let mut position = Position::startpos();
    let mut game = Game {
        start: None,
        opening: Vec::new(),
        moves: Vec::new(),
        result: GameResult::Win(Color::White),
        termination: Termination::Unknown,
    };
    let mut positions = vec![position.clone()];
    for ply in 0..12usize {
        let moves = legal_moves(&position);
        let mv = moves[ply * 5 % moves.len()];
        match ply < 3 {
            true => game.opening.push(mv),
            false => game.moves.push(ScoredMove { mv, score: Score::from_value(ply as i32 * 900 - 3000) }),
        }
        position.do_move(mv);
        positions.push(position.clone());
    }
    (game, positions)
}

/// A file as the targets read it whose inputs begin with the length: the start of the file, and how long all of it is.
fn begun(file: &[u8], start: usize) -> Vec<u8> {
    [&(file.len() as u32).to_le_bytes()[..], &file[..start.min(file.len())]].concat()
}

fn networks() -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let plain = Model::new(Shape::plain(64), &Start::default())?.quantise("seed").0.to_bytes()?;
    let public = Weights::new("kp_32x2-8-16", 1).file();
    let stacked = Weights::new("SFNN_halfkahm2_32_7_16_k3k3", 1).file();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&vec![0; plain.len()])?;
    let packed = gzip.finish()?;
    Ok(vec![
        begun(&plain, 600),
        begun(&public, 400),
        begun(&stacked, 400),
        begun(&packed, packed.len()),
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: seeds FOLDER")?;
    let folder = Path::new(&folder);
    let put = |target: &str, number: usize, bytes: &[u8]| -> Result<(), Box<dyn Error>> {
        fs::create_dir_all(folder.join(target))?;
        Ok(fs::write(folder.join(target).join(format!("seed-{number}")), bytes)?)
    };
    for (target, texts) in [("session", &SESSIONS[..]), ("messages", &MESSAGES), ("position", &POSITIONS)] {
        for (number, text) in texts.iter().enumerate() {
            put(target, number, text.as_bytes())?;
        }
    }
    for (number, text) in SESSIONS.iter().enumerate() {
        put("messages", 100 + number, text.as_bytes())?;
    }
    for (number, bytes) in networks()?.iter().enumerate() {
        put("network", number, bytes)?;
    }

    let (game, positions) = game();
    let scratch = folder.join("scratch");
    let mut writer = GameWriter::create(&scratch, &RecordHeader::new("a seed"))?;
    writer.write(&game)?;
    writer.write(&Game {
        start: Some(Box::new(positions[4].clone())),
        moves: Vec::new(),
        opening: Vec::new(),
        ..game.clone()
    })?;
    writer.flush()?;
    drop(writer);
    put("games", 0, &fs::read(&scratch)?)?;
    put("games", 1, include_bytes!("../data/version2.games"))?;
    fs::remove_file(&scratch)?;

    let books: [&[u8]; 4] = [
        include_bytes!("../data/lines.db"),
        include_bytes!("../data/lines.ybb"),
        include_bytes!("../data/lines.bin"),
        include_bytes!("../data/shogihome.sbk"),
    ];
    for (number, book) in books.into_iter().enumerate() {
        put("books", number, book)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(book)?;
        put("books", 100 + number, &gzip.finish()?)?;
    }

    for (number, text) in [KIF, HANDICAP].iter().enumerate() {
        let record = Records::parse(text.as_bytes())?.next().ok_or("a record")??;
        let formats = [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Usi, Format::Sfen];
        for (kind, format) in formats.into_iter().enumerate() {
            put("records", 10 * number + kind, write(&record, format, &WriteOptions::default()).as_bytes())?;
        }
    }

    let settings = TrainSettings::default();
    let trainer = Trainer::new(Model::new(Shape::plain(64), &Start::default())?, settings);
    trainer.save(&scratch, "games")?;
    let checkpoint = fs::read(&scratch)?;
    fs::remove_file(&scratch)?;
    // Its checksum is made by the target.
    put("checkpoint", 0, &begun(&checkpoint[..checkpoint.len() - 4], 1500))
}
