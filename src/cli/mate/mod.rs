//! `kurosabi mate`: mates of many positions, and whether they are sound problems.
//!
//! Problems go to the cores one by one, each core having a solver of its own; results come out in the order of the
//! input, each as soon as those before it are there.

mod problems;
mod report;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;

use crate::cli::arguments::{Wording, at_least, hash_mb, number, threads_or_all};
use crate::cli::failure::Result;
use crate::cli::records::files::{EncodingArg, InputFiles, output_file, write_whole};
use crate::cli::records::inputs::Input;
use crate::cli::resumable::{Heading, ItemOutput, KeptItems};
use crate::cli::terminal::{Output, progress, remark};
use crate::language::{Text, mate_within, text};
use crate::mate::{
    Attacker, MAX_MATE_PLIES, MateError, MateLimits, MateObserver, MateOutcome, MateProgress, MateSolver,
};
use crate::position::Position;
use crate::types::Phrase;
use problems::Posed;
use report::{Answer, Finding, FindingWriter, KifFolder};

/// Find mates (詰み, 詰将棋): the shortest with the longest defence, or that there is none
///
/// Problems are SFENs or USI positions, one per line, or the diagrams of KIF, KI2, CSA and JKF files; of a game from
/// its start, the last position is taken.
///
/// 詰みを探します（詰将棋）。最短で、受け方が最も長く逃げる手順、または不詰を求めます
///
/// 1行に1つのSFENやUSIの局面、またはKIF、KI2、CSA、JKFのファイルの開始局面を問題とします。
/// 最初から指された一局では、最後の局面を問題とします。
#[derive(Debug, Args)]
pub(super) struct MateArgs {
    /// Files, folders or patterns; - for standard input
    ///
    /// ファイル、フォルダ、またはパターン。- は標準入力
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<OsString>,
    /// Time for each question in milliseconds
    ///
    /// 1つの判定あたりの時間（ミリ秒）
    #[arg(long, value_name = "MS", value_parser = at_least::<u64>(1))]
    time: Option<u64>,
    /// Positions to visit for each question; the results are the same every time
    ///
    /// 1つの判定あたりの局面数。結果は毎回同じになります
    #[arg(long, value_name = "N", value_parser = at_least::<u64>(1))]
    nodes: Option<u64>,
    /// Longest mate to look for
    ///
    /// 探す詰みの最大の手数
    #[arg(long, value_name = "PLIES", value_parser = number::<u16>(1..=u64::from(MAX_MATE_PLIES)))]
    plies: Option<u16>,
    /// Accept any mate, which may not be the shortest
    ///
    /// 最短でなくても、見つかった詰みを答えとします
    #[arg(long)]
    any: bool,
    /// Ask whether the side to move is mated and, if not, how it escapes
    ///
    /// 手番の側が詰まされているか、詰まないときはどう逃れるかを調べます
    #[arg(long, conflicts_with = "check")]
    defend: bool,
    /// Examine the problems: all first moves that mate, other solutions (余詰), pieces left over (駒余り) or not needed,
    /// pawn drops that would mate (打ち歩詰め)
    ///
    /// Futile interpositions at the end (無駄合) then do not count, and the solution is the one with the longest
    /// defence and, among these, the fewest faults.
    ///
    /// 問題を検査します: 詰む初手、余詰、駒余り、不要な駒、打ち歩詰めになる手
    ///
    /// このとき最後の無駄合は手数に数えません。解は、受けが最も長く、その中で欠点が最も少ないものです。
    #[arg(long)]
    check: bool,
    /// Make problems of this length from games of `kurosabi datagen play`: positions with a unique solution, at most
    /// one from each game, easy ones first
    ///
    /// `kurosabi datagen play`の対局から、この手数の問題を作ります。解が一つだけの局面を、1局につき1つまで、易しいものから順に出力します
    #[arg(long, value_name = "PLIES", value_parser = problems::parse_plies,
          conflicts_with_all = ["check", "defend", "json", "kif", "resume", "any", "plies", "time", "nodes"])]
    make: Option<u16>,
    /// How many problems to make
    ///
    /// 作る問題の数
    #[arg(long, value_name = "N", default_value_t = 100, requires = "make")]
    count: usize,
    /// How many problems to solve at once; 0 for one on each core
    ///
    /// 同時に解く問題の数。0はコアの数
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads_or_all())]
    threads: usize,
    /// Largest table of each problem being solved
    ///
    /// 1つの問題を解くための表の大きさの上限（MiB）
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = hash_mb())]
    hash: usize,
    #[command(flatten)]
    wording: Wording,
    /// Write one JSON object per line instead of text
    ///
    /// 文章の代わりに、1行に1つのJSONを出力します
    #[arg(long)]
    json: bool,
    /// Write to this file instead of standard output
    ///
    /// 標準出力の代わりに、このファイルに書き込みます
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write each solution as a KIF file into this folder too, 00001.kif for the first problem; files
    /// that are there stay
    ///
    /// 解をそれぞれKIFファイルとしてもこのフォルダに書き込みます。最初の問題は00001.kif。元からあるファイルは残します
    #[arg(long, value_name = "FOLDER")]
    kif: Option<PathBuf>,
    #[command(flatten)]
    encoding: EncodingArg,
    /// Continue: only problems whose results are not yet in the output file are solved
    ///
    /// 続きから実行し、出力ファイルに結果がない問題だけを解きます
    #[arg(long, requires = "output", requires = "json")]
    resume: bool,
}

impl MateArgs {
    /// The file to write to; none for standard output.
    fn output_file(&self) -> Option<&Path> {
        output_file(self.output.as_ref())
    }

    /// What the results depend on, for an output that is to be continued.
    fn heading(&self) -> Heading {
        let settings = json!({
            "time": self.time, "nodes": self.nodes, "plies": self.plies, "any": self.any, "defend": self.defend,
            "check": self.check, "hash": self.hash, "encoding": self.encoding.name(),
            "kif": self.kif.as_ref().map(|path| path.to_string_lossy().into_owned()),
        });
        let inputs = self.files.iter().map(|file| file.to_string_lossy().into_owned());
        Heading::new("mate --json", settings, inputs.collect())
    }

    fn limits(&self) -> MateLimits {
        MateLimits {
            nodes: self.nodes,
            time: self.time.map(Duration::from_millis),
            plies: self.plies,
            any_length: self.any,
            without_futile: self.check,
        }
    }
}

/// A problem's place among all, from 0, and what was found; of one whose result an earlier run has written, whether it
/// could not be solved.
type Delivery = (usize, Result<Box<Finding>, bool>);

/// Solves and reports. An error at the end says how many problems could not be read.
pub(super) fn run(args: &MateArgs) -> Result {
    // An argument that names none is taken for a file, which cannot be opened when its turn comes.
    let inputs = args.files.iter().flat_map(|argument| match Input::named(argument) {
        found if found.is_empty() => vec![Input::File(argument.into())],
        found => found,
    });
    let inputs: Vec<Input> = inputs.collect();
    let read = InputFiles::new(&inputs);
    args.output_file().map_or(Ok(()), |output| read.refuse(output))?;
    args.kif.as_deref().map_or(Ok(()), |folder| read.refuse_in_folder(folder, report::is_solution))?;
    if let Some(plies) = args.make {
        let files = problems::made_from(&inputs)?;
        let made = pool(args)?.install(|| problems::make(&files, plies, args.count))?;
        return match args.output_file() {
            Some(path) => write_whole(path, made.as_bytes()),
            None => Ok(Output::data().write_all(made.as_bytes())?),
        };
    }
    let (out, mut kept) = match args.output_file() {
        Some(path) => ItemOutput::open(path, args.json.then(|| args.heading()).as_ref(), args.resume)?,
        None if args.json => (ItemOutput::stream(Output::data()), KeptItems::default()),
        None => (ItemOutput::stream(Output::text()), KeptItems::default()),
    };
    // A number names one problem of the output, and its KIF file.
    let mut number = kept.len();
    let shown = io::stderr().is_terminal().then(|| problems::count(&inputs)).flatten();
    let progress = progress(Phrase::new("problems", "問"), shown, true, args.wording.language());
    let heading = (inputs.len() > 1).then(String::new);
    let problems = Mutex::new(problems::problems(inputs).enumerate().map(|(index, posed)| {
        let is_kept = posed.0.take_from(&mut kept);
        (index, posed, is_kept)
    }));
    let kif = args.kif.as_deref().map(|folder| KifFolder::create(folder, args.encoding, args.wording)).transpose()?;
    let (json, wording) = (args.json, args.wording);
    let mut report = FindingWriter { out, kif, json, heading, wording, problems: 0, bad: 0 };
    let pool = pool(args)?;
    let (sender, results) = mpsc::channel();
    pool.in_place_scope(|scope| -> Result {
        let (problems, progress) = (&problems, &progress);
        scope.spawn_broadcast(move |_, _| work(args, problems, progress, &sender));
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (index, result) in results {
            early.insert(index, result);
            progress.inc(1);
            while let Some(result) = early.remove(&next) {
                next += 1;
                match result {
                    Err(is_bad) => report.count(is_bad),
                    Ok(finding) => {
                        number += 1;
                        progress.suspend(|| report.write(number, &finding))?;
                    }
                }
            }
        }
        Ok(())
    })?;
    progress.finish_and_clear();
    drop(problems);
    kept.remark().into_iter().for_each(|left| remark(&left, args.wording.language()));
    report.finish()
}

fn pool(args: &MateArgs) -> Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().num_threads(args.threads).build()?)
}

/// Solves problems until there are no more, or nobody wants to know.
fn work(
    args: &MateArgs,
    problems: &Mutex<impl Iterator<Item = (usize, Posed, Option<bool>)>>,
    bar: &ProgressBar,
    sender: &Sender<Delivery>,
) {
    let mut solver = MateSolver::new(args.hash);
    loop {
        let next = problems.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
        let Some((index, posed, is_kept)) = next else { return };
        let found = is_kept.map_or_else(|| Ok(Box::new(solve(args, &mut solver, index, posed, bar))), Err);
        if sender.send((index, found)).is_err() {
            return;
        }
    }
}

fn solve(args: &MateArgs, solver: &mut MateSolver, index: usize, posed: Posed, bar: &ProgressBar) -> Finding {
    let (problem, start) = posed;
    let answer = start.and_then(|start| {
        let limits = args.limits();
        let observer = Progress { bar, number: index + 1, start: &start, wording: args.wording };
        let attacker = if args.defend { Attacker::Opponent } else { Attacker::SideToMove };
        let unsolved = |error: MateError| problem.unsolved(&error);
        let mut result = solver.solve(&start, attacker, &limits, &observer).map_err(unsolved)?;
        let mut soundness = None;
        if let MateOutcome::Mate(mate) = &mut result.outcome
            && args.check
        {
            let found = solver.examine(&start, mate, &limits, &observer).map_err(unsolved)?;
            mate.moves.clone_from(&found.solution);
            soundness = Some(found);
        }
        Ok(Answer { start, result, soundness })
    });
    Finding { problem, answer }
}

/// Shows how many problems are done and, of one that takes long, how far it is.
struct Progress<'a> {
    bar: &'a ProgressBar,
    number: usize,
    start: &'a Position,
    wording: Wording,
}

impl MateObserver for Progress<'_> {
    fn on_progress(&self, progress: &MateProgress) {
        if self.bar.is_hidden() {
            return;
        }
        let (number, nodes, seconds) = (self.number, progress.nodes, progress.time.as_secs());
        let mut said =
            text!("problem {number}: {nodes} nodes, {seconds} s", "{number}問目: {nodes}ノード、{seconds}秒");
        if !progress.mate.is_empty() {
            let plies = progress.mate.len();
            let line = self.wording.notation().write_line(&self.start.setup(), &progress.mate, None);
            said = {
                let Text { en, ja } = said;
                let length = mate_within(plies);
                text!("{en}; mate in {plies} or less: {line}", "{ja}、{length}: {line}")
            };
        }
        self.bar.set_message(self.wording.language().say(&said));
    }
}
