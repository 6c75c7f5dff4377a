//! `kurosabi datagen`: self-play games and what is done with them.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::{Args, Subcommand};

use crate::cli::arguments::{LanguageArg, at_least, number, share, threads_or_all};
use crate::cli::failure::{Failure, Result};
use crate::cli::records::files::naming;
use crate::cli::terminal::{Output, progress, remark};
use crate::datagen::{
    BUILD, Game, GameReader, Generation, Openings, Progress, RecordError, RecordHeader, SelfPlaySettings, Statistics,
    file_sha256, sha256,
};
use crate::engine::{BenchSettings, bench};
use crate::eval::Evaluation;
use crate::eval::nnue::{NnueEvaluator, embedded_file};
use crate::language::{Language, Text, counted, text};
use crate::position::Position;
use crate::search::Signals;
use crate::types::Phrase;

/// Play games of the engine against itself, and show such games
///
/// エンジン同士の自己対局を行い、対局ファイルを表示します。評価関数を作る人のための道具です
#[derive(Debug, Args)]
pub(super) struct DatagenArgs {
    #[command(flatten)]
    lang: LanguageArg,
    #[command(subcommand)]
    command: DatagenCommand,
}

#[derive(Debug, Subcommand)]
enum DatagenCommand {
    Play(PlayArgs),
    Count(CountArgs),
    Verify(VerifyArgs),
    Dump(DumpArgs),
}

pub(super) fn run(args: &DatagenArgs) -> Result {
    let language = args.lang.language();
    match &args.command {
        DatagenCommand::Play(args) => play(args, language),
        DatagenCommand::Count(args) => count(args, language),
        DatagenCommand::Verify(args) => verify(args, language),
        DatagenCommand::Dump(args) => dump(args),
    }
}

/// The games of files, one after another. All their moves are legal.
pub(super) fn games(files: &[PathBuf]) -> impl Iterator<Item = Result<Game>> + '_ {
    files.iter().flat_map(|file| {
        let (reader, error) = match GameReader::open(file) {
            Ok(reader) => (Some(reader), None),
            Err(error) => (None, Some(Err(error))),
        };
        reader.into_iter().flatten().chain(error).map(|game| game.map_err(|error| naming(file, error)))
    })
}

// `kurosabi datagen play`.

/// The most random moves at the start of a game: after more of them hardly any position is even.
const MAX_RANDOM_PLIES: u64 = 100;

/// Play games and append them to a file; it may be stopped and continued at any time
///
/// 対局を行い、ファイルに追加します。いつでも中断し、再開できます
#[derive(Debug, Args)]
struct PlayArgs {
    /// The file; an existing one with the same settings is continued
    ///
    /// 対局ファイル。同じ設定のファイルがあれば続きを行います
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of positions that the file is to hold
    ///
    /// ファイルに入れる局面の数
    #[arg(long, required_unless_present = "games")]
    positions: Option<u64>,
    /// Number of games that the file is to hold
    ///
    /// ファイルに入れる対局の数
    #[arg(long)]
    games: Option<u64>,
    /// Number of the file's first game; each game depends on the settings and its number alone, so that other numbers
    /// can be played elsewhere
    ///
    /// ファイルの最初の対局の番号。対局は設定と番号だけで決まるので、ほかの番号は別の場所で行えます
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    first_game: u64,
    /// Nodes searched for each move, at most
    ///
    /// 1手あたりのノード数の上限
    #[arg(long, default_value_t = SelfPlaySettings::default().nodes, value_parser = at_least::<u64>(1))]
    nodes: u64,
    /// End each search after the iteration that reaches this many nodes, not within it; 0 for no such limit. With 3500,
    /// and ten times that for --nodes, searches take 5200 nodes on average, and their scores are a tenth better than
    /// with --nodes 5000
    ///
    /// このノード数に達した反復の終わりで探索を終えます。0で無効になります。3500とし、--nodesをその10倍にすると、平均5200ノードになり、評価値の精度は--nodes 5000より1割ほど良くなります
    #[arg(long, default_value_t = SelfPlaySettings::default().soft_nodes)]
    soft_nodes: u64,
    /// Seed of the games
    ///
    /// 対局のシード
    #[arg(long, default_value_t = SelfPlaySettings::default().seed)]
    seed: u64,
    /// Evaluation: a network file, `material`, or the built-in one when not given
    ///
    /// 評価関数のファイル、または`material`（駒の価値だけ）。指定しなければ内蔵の評価関数
    #[arg(long, default_value = "")]
    eval: String,
    /// Threads; 0 for one on each core
    ///
    /// スレッド数。0はコアの数
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_or_all())]
    threads: usize,
    /// Fewest and most random moves at the start of a game
    ///
    /// 対局の初めにランダムに指す手数の最小と最大
    #[arg(long, num_args = 2, value_names = ["MIN", "MAX"], default_values_t = [6, 9],
        value_parser = number::<u32>(0..=MAX_RANDOM_PLIES))]
    random_plies: Vec<u32>,
    /// File of lines `startpos moves …` from which some games start
    ///
    /// `startpos moves …`の行からなるファイル。一部の対局をここから始めます
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Share of the games that start from one of the --openings
    ///
    /// --openingsの局面から始める対局の割合
    #[arg(long, default_value_t = 0.5, value_parser = share::<f64>, requires = "openings")]
    openings_share: f64,
    /// Chance of a random move in the first 80 plies
    ///
    /// 80手目までにランダムな手を指す確率
    #[arg(long, default_value_t = SelfPlaySettings::default().random_share, value_parser = share::<f64>)]
    random_share: f64,
}

impl PlayArgs {
    fn settings(&self, openings: &Openings) -> Result<SelfPlaySettings> {
        let &[least, most] = &self.random_plies[..] else {
            Err(text!("--random-plies takes two numbers", "--random-plies には二つの数が必要です"))?
        };
        if least > most {
            Err(text!(
                "--random-plies: the first number is larger than the second",
                "--random-plies: 一つ目の数が二つ目より大きくなっています"
            ))?;
        }
        Ok(SelfPlaySettings {
            seed: self.seed,
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            random_plies: (least, most),
            openings_share: if self.openings.is_some() { self.openings_share } else { 0.0 },
            openings_crc: openings.crc,
            random_share: self.random_share,
            ..SelfPlaySettings::default()
        })
    }
}

/// Who plays.
fn header(args: &PlayArgs, evaluation: &Evaluation) -> Result<RecordHeader> {
    let mut path = Path::new(&args.eval).to_owned();
    if path.is_dir() {
        path.push("nn.bin");
    }
    let network_sha256 = match evaluation {
        Evaluation::Material => None,
        Evaluation::Network { .. } if args.eval.is_empty() => Some(sha256(embedded_file())),
        Evaluation::Network { .. } => Some(file_sha256(&path).map_err(|error| naming(&path, error))?),
    };
    let settings = BenchSettings { depth: RecordHeader::SIGNATURE_DEPTH, ..BenchSettings::default() };
    Ok(RecordHeader {
        build: Some(BUILD.to_owned()),
        signature: Some(bench(&settings, &Signals::new(), |_| {})?.nodes),
        network_sha256,
        first_game: args.first_game,
        ..RecordHeader::new(&evaluation.report(&Position::startpos()).network)
    })
}

fn play(args: &PlayArgs, language: Language) -> Result {
    let openings = match &args.openings {
        Some(path) => Openings::load(path).map_err(|error| naming(path, error))?,
        None => Openings::default(),
    };
    let settings = args.settings(&openings)?;
    let evaluation = Evaluation::named(&args.eval, NnueEvaluator::DEFAULT_FV_SCALE)
        .map_err(|error| naming(Path::new(&args.eval), error))?;
    let generation = Generation {
        settings: &settings,
        openings: &openings,
        evaluation: &evaluation,
        header: header(args, &evaluation)?,
        threads: args.threads,
        positions: args.positions,
        games: args.games,
    };

    let stop = crate::cli::stop_on_signals(|| ())?;
    let mut statistics = Statistics::default();
    let unit = if args.positions.is_some() { Phrase::new("positions", "局面") } else { Phrase::new("games", "局") };
    let bar = progress(unit, args.positions.or(args.games), false, language);
    let start = Instant::now();
    // Positions of earlier runs.
    let mut before = 0;
    let rate = |positions: u64| positions as f64 / start.elapsed().as_secs_f64().max(1e-3);
    let done = generation.run(&args.file, &stop, |game, progress| {
        statistics.add(game);
        if progress.searches == 0 {
            before = progress.positions;
            bar.reset_eta();
        }
        bar.set_position(if args.positions.is_some() { progress.positions } else { progress.games });
    });
    bar.finish_and_clear();
    let Progress { positions, nodes, searches, .. } = done.map_err(|error| naming(&args.file, error))?;
    let mut out = Output::text();
    write!(out, "{}", language.say(&statistics))?;
    let (seconds, positions) = (start.elapsed().as_secs_f64(), positions - before);
    let (each, rate, nps) = (nodes as f64 / searches.max(1) as f64, rate(positions), rate(nodes));
    let summary = text!(
        "this run: {positions} positions in {seconds:.0} s, {rate:.0} positions/s, {each:.0} nodes a search, \
         {nps:.0} nodes/s",
        "今回: {positions}局面、{seconds:.0}秒、{rate:.0}局面/秒、1探索あたり{each:.0}ノード、{nps:.0}ノード/秒"
    );
    writeln!(out, "{}", language.say(&summary))?;
    if stop.load(Ordering::Relaxed) {
        out.flush()?;
        // The games are safe, but there are fewer than were asked for: whoever started this must learn of it.
        let stopped = text!("stopped: the same command goes on", "中断しました。同じコマンドで続きを行います");
        return Err(Failure::interrupted(stopped));
    }
    Ok(())
}

// `kurosabi datagen count`, `verify` and `dump`: what files of games hold.

/// Count the games and positions of files, and show histograms of results, lengths and scores
///
/// ファイルの対局数と局面数を数え、結果、手数、評価値の分布を表示します
#[derive(Debug, Args)]
struct CountArgs {
    /// Files of games
    ///
    /// 対局ファイル
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Also count the distinct positions (8 bytes of memory each)
    ///
    /// 異なる局面の数も数えます（1局面あたり8バイトのメモリを使用します）
    #[arg(long)]
    unique: bool,
}

fn count(args: &CountArgs, language: Language) -> Result {
    let mut statistics = Statistics::default();
    let mut keys = Vec::new();
    // Games are counted while more are played: those of the block being written are left out, and it is said.
    let mut growing = Vec::new();
    for file in &args.files {
        for game in GameReader::open(file).map_err(|error| naming(file, error))? {
            let game = match game {
                Err(error @ RecordError::Locked) => {
                    growing.push(naming(file, error));
                    break;
                }
                game => game.map_err(|error| naming(file, error))?,
            };
            statistics.add(&game);
            if args.unique {
                game.replay(|position, _| keys.push(position.key()))?;
            }
        }
    }
    let mut out = Output::text();
    write!(out, "{}", language.say(&statistics))?;
    if args.unique {
        keys.sort_unstable();
        keys.dedup();
        let share = 100.0 * keys.len() as f64 / statistics.positions.max(1) as f64;
        let different = keys.len();
        let text = text!("different positions: {different} ({share:.1} %)", "異なる局面: {different}（{share:.1} %）");
        writeln!(out, "{}", language.say(&text))?;
    }
    out.flush()?;
    for failure in growing {
        let Text { en, ja } = failure.text();
        remark(&text!("{en}: its newest games are not counted", "{ja}。最新の対局は数えていません"), language);
    }
    Ok(())
}

/// Replay all games, and check that every move is legal and every result right
///
/// すべての対局を再現し、指し手が合法で結果が正しいことを確認します
#[derive(Debug, Args)]
struct VerifyArgs {
    /// Files of games
    ///
    /// 対局ファイル
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

fn verify(args: &VerifyArgs, language: Language) -> Result {
    for file in &args.files {
        let (mut games, mut positions) = (0, 0);
        for game in self::games(std::slice::from_ref(file)) {
            let game = game?;
            games += 1;
            game.verify()
                .map_err(|error| naming(file, Failure::about(&text!("game {games}", "{games}局目"), error)))?;
            positions += game.moves.len();
        }
        let [of_games, of_positions] = [counted(games, "game"), counted(positions, "position")];
        let sound = text!("{of_games}, {of_positions}, all sound", "{games}局、{positions}局面、問題はありません");
        writeln!(Output::text(), "{}: {}", file.display(), language.say(&sound))?;
    }
    Ok(())
}

/// Write games as lines: start and opening | moves with scores (90 = a pawn, mover's view) | result
///
/// 対局を1行ずつ書き出します: 開始局面と序盤の手 | 手と評価値（90が歩1枚、指した側から見た値） | 結果
#[derive(Debug, Args)]
struct DumpArgs {
    /// Files of games
    ///
    /// 対局ファイル
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Skip this many games
    ///
    /// 初めのこの数の対局を飛ばします
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// At most this many games
    ///
    /// 書き出す対局の数の上限
    #[arg(long)]
    games: Option<usize>,
    /// Write a line for each position instead: SFEN, move, score, result for the side to move (1, 0.5 or 0)
    ///
    /// 代わりに1行に1局面を書き出します: SFEN、指し手、評価値、手番側から見た結果（1、0.5、0）
    #[arg(long)]
    positions: bool,
}

fn dump(args: &DumpArgs) -> Result {
    let mut out = BufWriter::new(Output::data());
    for game in games(&args.files).skip(args.skip).take(args.games.unwrap_or(usize::MAX)) {
        let game = game?;
        if !args.positions {
            writeln!(out, "{game}")?;
            continue;
        }
        let mut written = Ok(());
        let replayed = game.replay(|position, scored| {
            let points = game.result.points(position.side_to_move());
            let (sfen, score) = (position.to_sfen(), scored.score.value());
            if written.is_ok() {
                written = writeln!(out, "{sfen}\t{}\t{score}\t{points}", scored.mv);
            }
        });
        written?;
        replayed?;
    }
    Ok(out.flush()?)
}
