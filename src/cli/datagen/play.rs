//! `kurosabi datagen play`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::arguments::{at_least, number, share, threads_or_all};
use crate::cli::failure::{Failure, Result};
use crate::cli::records::files::naming;
use crate::cli::terminal::Output;
use crate::datagen::{
    BUILD, GenerateError, Generation, Openings, Progress, RecordHeader, SelfPlaySettings, Statistics, file_sha256,
    sha256,
};
use crate::engine::{BenchSettings, bench};
use crate::eval::Evaluation;
use crate::eval::nnue::{NnueEvaluator, embedded_file};
use crate::language::{Language, text};
use crate::position::Position;
use crate::search::Signals;

/// The most random moves at the start of a game: after more of them hardly any position is even.
const MAX_RANDOM_PLIES: u64 = 100;

/// Play games and append them to a file; it may be stopped and continued at any time
///
/// 対局を行い、ファイルに追加します。いつでも中断し、再開できます
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
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
    /// Share of the games that are not adjudicated
    ///
    /// 途中で勝敗を判定せず、最後まで指す対局の割合
    #[arg(long, default_value_t = SelfPlaySettings::default().played_out_share, value_parser = share::<f64>)]
    played_out: f64,
    /// A game is won at this score (90 = a pawn) for six plies
    ///
    /// 6手の間この評価値（90が歩1枚）であれば勝ちと判定します
    #[arg(long, default_value_t = SelfPlaySettings::default().win_score)]
    win_score: i32,
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
            played_out_share: self.played_out,
            win_score: self.win_score,
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

pub(super) fn run(args: &PlayArgs, language: Language) -> Result {
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
    let bar = progress_bar(args, language);
    let start = Instant::now();
    // Positions of earlier runs.
    let mut before = 0;
    let rate = |positions: u64| positions as f64 / start.elapsed().as_secs_f64().max(1e-3);
    let done = generation.run(&args.file, &stop, |game, progress| {
        statistics.add(game);
        if progress.searches == 0 {
            before = progress.positions;
            bar.reset_eta();
        } else {
            let rate = rate(progress.positions - before);
            bar.set_message(language.say(&text!("{rate:.0} positions/s", "{rate:.0}局面/秒")));
        }
        bar.set_position(if args.positions.is_some() { progress.positions } else { progress.games });
    });
    bar.finish_and_clear();
    let Progress { positions, nodes, searches, .. } = done.map_err(|error| match error {
        GenerateError::Record(error) => naming(&args.file, error),
        GenerateError::Searcher(error) => error.into(),
    })?;
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

/// The progress on the terminal.
fn progress_bar(args: &PlayArgs, language: Language) -> ProgressBar {
    let length = args.positions.or(args.games).unwrap_or(0);
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(2));
    let (en, ja) = if args.positions.is_some() { ("positions", "局面") } else { ("games", "局") };
    let template = text!(
        "{{wide_bar}} {{pos}}/{{len}} {en}, {{msg}}, {{eta}} left",
        "{{wide_bar}} {{pos}}/{{len}}{ja}、{{msg}}、残り{{eta}}"
    );
    let style = ProgressStyle::with_template(&language.say(&template));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
