//! The arguments of `kurosabi analyze`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::input::Reading;
use crate::cli::arguments::Wording;
use crate::cli::arguments::{at_least, hash_mb, number, threads};
use crate::cli::records::files::{EncodingArg, RecordForm, output_file};
use crate::cli::resumable::Heading;
use crate::datagen::{file_sha256, sha256};
use crate::engine::{OptionSpec, Options};
use crate::eval::nnue::embedded_file;
use crate::language::{Language, Text, text};
use crate::movegen::MAX_MOVES;
use crate::records::Format;
use crate::records::notation::Notation;
use crate::search::SearchLimits;
use crate::types::{Depth, MAX_PLY};

/// Analyse positions and game records
///
/// Files hold positions or games, one per line (SFEN, `sfen …`, `position …`, `startpos moves …`; blank lines and lines
/// that begin with # are skipped), or KIF, KI2, CSA or JKF records, of which every position of the main line is
/// analysed and no variation. What a file holds is recognised by its content.
///
/// 局面や棋譜を解析します
///
/// 局面や対局を1行に1つずつ書いたファイル（SFEN、`sfen …`、`position …`、`startpos moves …`。空行と#で始まる行は無視します）、またはKIF、KI2、CSA、JKFの棋譜を読み込みます。
/// 棋譜は本譜のすべての局面を解析し、変化は解析しません。ファイルの種類は内容から判断します。
#[derive(Debug, Args)]
pub(in crate::cli) struct AnalyzeArgs {
    /// Files, folders or patterns; - for standard input
    ///
    /// ファイル、フォルダ、またはパターン。- は標準入力
    #[arg(value_name = "FILE", default_value = "-")]
    pub(super) files: Vec<OsString>,
    /// Time for each position in milliseconds [default: 1000 when no limit is given]
    ///
    /// 1局面あたりの時間（ミリ秒） [既定値: 制限を指定しないとき1000]
    #[arg(long, value_name = "MS", value_parser = at_least::<u64>(1))]
    movetime: Option<u64>,
    /// Depth to search each position to; the results are the same every time
    ///
    /// 1局面あたりの深さ。結果は毎回同じになります
    #[arg(long, value_name = "PLIES", value_parser = number::<Depth>(1..=MAX_PLY as u64))]
    depth: Option<Depth>,
    /// Nodes to search for each position; the results are the same every time
    ///
    /// 1局面あたりのノード数。結果は毎回同じになります
    #[arg(long, value_name = "N", value_parser = at_least::<u64>(1))]
    nodes: Option<u64>,
    /// Search each position to depth 8 and until the best move has stayed the same for this many iterations, with its
    /// score within 0.3 pawns; other limits still apply, and without one the search ends after 60 seconds
    ///
    /// 深さ8以上で、最善手が指定した回数の反復で変わらず、評価値の差が30以内になるまで探索します。ほかの制限も有効で、何も指定しなければ60秒で終わります
    #[arg(long, value_name = "ITERATIONS", value_parser = number::<usize>(2..=100))]
    pub(super) until_stable: Option<usize>,
    /// How many best lines to find for each position [default: 1]
    ///
    /// 1局面あたりの候補手の数 [既定値: 1]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=MAX_MOVES as u64))]
    multipv: Option<usize>,
    /// Read every input as positions and games, one per line, without looking what it is; for pieces of such a file
    ///
    /// 内容にかかわらず、すべての入力を1行に1つの局面や対局として読み込みます。そのようなファイルの一部を渡すときに使います
    #[arg(long)]
    pub(super) lines: bool,
    /// Only report what each input holds, lines or records, as one JSON object each; for programs that share the work
    ///
    /// 各入力の中身が行か棋譜かだけを、1行に1つのJSONで出力します。作業を分担するプログラム用です
    #[arg(long, conflicts_with_all = ["lines", "output"])]
    pub(super) list: bool,
    /// Analyse every position of a line of moves, not only the last, as is always done with records
    ///
    /// 1行に書いた対局でも、棋譜と同じように、最後の局面だけでなくすべての局面を解析します
    #[arg(long)]
    move_by_move: bool,
    /// Positions that the mate solver visits for each position of a game, to find missed mates; 0 turns it off
    ///
    /// 対局の各局面で、詰みの見逃しを調べるために詰将棋ソルバーが読む局面数。0で無効になります
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(super) mate_nodes: u64,
    /// Also say of each mistake from which SkillLevel on it is avoided
    ///
    /// それぞれの悪手について、どのレベル（SkillLevel）から避けられるかも示します
    #[arg(long)]
    pub(super) levels: bool,
    /// How many positions to search at once [default: as many as the cores allow]
    ///
    /// 同時に探索する局面の数 [既定値: CPUのコア数に合わせます]
    #[arg(long, value_name = "N", value_parser = threads())]
    jobs: Option<usize>,
    /// Threads of each search [default: the cores divided among the searches when time limits them; 1 with --depth,
    /// --nodes or --until-stable, where more would not give the same results every time]
    ///
    /// 1つの探索のスレッド数 [既定値: 時間で制限するときはコアを探索に割り振ります。--depth、--nodes、--until-stableでは、結果が毎回同じになるように1]
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<usize>,
    /// Transposition table of each search in MiB [default: 64, or less where --nodes needs less]
    ///
    /// 1つの探索の置換表の大きさ（MiB） [既定値: 64。--nodesが小さいときはそれ以下]
    #[arg(long, value_name = "MIB", value_parser = hash_mb())]
    hash: Option<usize>,
    /// Set an engine option, as `setoption` does, that no other argument sets; may be given several times
    ///
    /// ほかの引数で設定できないエンジンのオプションを`setoption`と同じように設定します。何度でも指定できます
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    wording: Wording,
    /// Write one JSON object per line instead of a table
    ///
    /// 表の代わりに、1行に1つのJSONを出力します
    #[arg(long)]
    pub(super) json: bool,
    /// Write to this file instead of standard output
    ///
    /// 標準出力の代わりに、このファイルに書き込みます
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue: only games and positions whose results are not yet in the output file are analysed
    ///
    /// 続きから実行し、出力ファイルに結果がない対局と局面だけを解析します
    #[arg(long, requires = "output", requires = "json")]
    pub(super) resume: bool,
    /// Also write each game as a KIF file with the comments that GUIs show as a graph
    ///
    /// 各対局を、GUIがグラフを表示できるコメントを付けたKIFファイルとしても書き込みます
    #[arg(long, value_name = "FOLDER")]
    pub(super) kif: Option<PathBuf>,
    /// Also write each game as a CSA file with evaluations as comments
    ///
    /// 各対局を、評価値のコメントを付けたCSAファイルとしても書き込みます
    #[arg(long, value_name = "FOLDER")]
    pub(super) csa: Option<PathBuf>,
    #[command(flatten)]
    pub(super) encoding: EncodingArg,
    /// Also write each game as an HTML page to step through, and the list of them as index.html
    ///
    /// 各対局を、盤で再生できるHTMLページとしても書き込みます。一覧はindex.htmlです
    #[arg(long, value_name = "FOLDER")]
    pub(super) html: Option<PathBuf>,
    /// Also write missed mates and missed winning moves as problems, each verified, and a page that asks for
    /// missed moves
    ///
    /// 見逃した詰みと勝つ手を、検証した上で問題としても書き込みます。次の一手を出題するページも書き込みます
    #[arg(long, value_name = "FILE")]
    pub(super) drills: Option<PathBuf>,
    /// Whether somebody waits for the pages, and not for the table.
    #[arg(skip)]
    pub(super) opens_pages: bool,
}

const DEFAULT_MOVE_TIME: u64 = 1000;
/// For how many milliseconds in all a core is to work where somebody waits for pages and has given no limit.
const PATIENCE: u64 = 60_000;
/// The least that a position gets then.
const LEAST_MOVE_TIME: u64 = 200;
/// Lines that a page shows then.
const PAGE_LINES: usize = 3;
const DEFAULT_HASH: u64 = 64;
/// Of short searches.
const LEAST_HASH: u64 = 4;
/// Of a search until it is stable, when nothing else bounds it.
const LONGEST_UNTIL_STABLE: Duration = Duration::from_secs(60);

fn parse_option(text: &str) -> Result<(String, String), Text> {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    Options::default().set(name, value).map_err(|error| Text::new(&error))?;
    if OptionSpec::find(name).is_some_and(|spec| spec.name == "DebugLogFile") {
        return Err(text!(
            "option DebugLogFile logs what a GUI and the engine say, which analyze does not do",
            "オプションDebugLogFileはGUIとのやり取りを記録するもので、analyzeでは使用できません"
        ));
    }
    Ok((name.to_owned(), value.unwrap_or_default().to_owned()))
}

impl AnalyzeArgs {
    /// The folders that records are written to, with their form.
    pub(super) fn record_folders(&self) -> Vec<(RecordForm, &Path)> {
        let folders = [(Format::Kif, &self.kif), (Format::Csa, &self.csa)];
        let form = |format| RecordForm::for_files(format, self.encoding);
        folders.into_iter().filter_map(|(format, folder)| Some((form(format), folder.as_deref()?))).collect()
    }

    /// The file to write to; none for standard output.
    pub(super) fn output_file(&self) -> Option<&Path> {
        output_file(self.output.as_ref())
    }

    /// Sees to it that no option is given twice: with `--option`, and by an argument of its own.
    ///
    /// # Errors
    /// When one is.
    pub(super) fn check_options(&self) -> Result<(), Text> {
        let given = [
            ("--multipv", "MultiPV", self.multipv.is_some()),
            ("--threads", "Threads", self.threads.is_some()),
            ("--hash", "USI_Hash", self.hash.is_some()),
        ];
        let options: Vec<_> = self.options.iter().filter_map(|(name, _)| OptionSpec::find(name)).collect();
        let is_option = |name| options.iter().any(|spec| spec.name == name);
        match given.into_iter().find(|&(_, name, is_given)| is_given && is_option(name)) {
            Some((flag, name, _)) => Err(text!(
                "{flag} sets option {name} already: give it without --option {name}",
                "オプション{name}は{flag}で設定されます。--option {name}は指定しないでください"
            )),
            None => Ok(()),
        }
    }

    pub(super) fn limits(&self) -> SearchLimits {
        let mut limits = SearchLimits {
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..SearchLimits::default()
        };
        if limits == SearchLimits::default() {
            let default = Duration::from_millis(DEFAULT_MOVE_TIME);
            limits.move_time = Some(if self.until_stable.is_some() { LONGEST_UNTIL_STABLE } else { default });
        }
        limits
    }

    /// Chooses what is not given for somebody who waits for the pages of these positions; `None` where there are too
    /// many to count.
    pub(super) fn choose_for_pages(&mut self, positions: Option<u64>, cores: usize) {
        self.multipv.get_or_insert(PAGE_LINES);
        let is_limited = self.movetime.is_some() || self.depth.is_some() || self.nodes.is_some();
        if !is_limited && self.until_stable.is_none() {
            let share = PATIENCE * cores as u64 / positions.unwrap_or(u64::MAX).max(1);
            self.movetime = Some(share.clamp(LEAST_MOVE_TIME, DEFAULT_MOVE_TIME));
        }
    }

    /// How the inputs are read. Who wants files of games wants every position of a line of moves.
    pub(super) fn reading(&self) -> Reading {
        let files = [&self.kif, &self.csa, &self.html, &self.drills];
        let whole_games = self.move_by_move || self.levels || files.into_iter().any(Option::is_some);
        Reading { whole_games, lines: self.lines, language: self.wording.language() }
    }

    /// How many positions are searched at once and on how many threads each, with `cores` cores and, if it is known,
    /// `few` positions.
    pub(super) fn shares(&self, cores: usize, positions: Option<usize>) -> (usize, usize) {
        let repeatable = self.depth.is_some() || self.nodes.is_some() || self.until_stable.is_some();
        let room = positions.unwrap_or(usize::MAX).max(1);
        let jobs = self.jobs.unwrap_or(cores / self.threads.unwrap_or(1)).clamp(1, room);
        let share = if repeatable { 1 } else { (cores / jobs).max(1) };
        (jobs, self.threads.unwrap_or(share))
    }

    /// The engine's options, as names and values. Who analyses wants full lines and exact scores.
    pub(super) fn settings(&self) -> Vec<(String, String)> {
        let flag = |name: &str, value: &dyn ToString| (name.to_owned(), value.to_string());
        let multipv = self.multipv.unwrap_or(1);
        let mut settings =
            vec![flag("USI_Hash", &self.hash()), flag("MultiPV", &multipv), flag("ConsiderationMode", &true)];
        // Every iteration is looked at.
        settings.extend(self.until_stable.map(|_| flag("PvInterval", &0)));
        settings.extend(self.options.iter().cloned());
        settings
    }

    /// The transposition table in MiB. It is emptied for each position, which for a short search takes longer the
    /// larger it is: half a KiB a node is many times what the nodes can fill.
    fn hash(&self) -> usize {
        let enough = self.nodes.map_or(DEFAULT_HASH, |nodes| (nodes >> 11).clamp(LEAST_HASH, DEFAULT_HASH));
        self.hash.unwrap_or(enough as usize)
    }

    /// What the results depend on, for an output that is to be continued.
    pub(super) fn heading(&self) -> Heading {
        let name = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let settings = json!({
            "movetime": self.movetime, "depth": self.depth, "nodes": self.nodes, "until_stable": self.until_stable,
            "multipv": self.multipv, "lines": self.lines, "move_by_move": self.move_by_move,
            "mate_nodes": self.mate_nodes, "levels": self.levels, "threads": self.threads, "hash": self.hash,
            "option": self.options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>(),
            "network": self.network_sha256(), "kif": name(&self.kif), "csa": name(&self.csa), "html": name(&self.html),
            "drills": name(&self.drills), "encoding": self.encoding.name(),
        });
        let inputs = self.files.iter().map(|file| file.to_string_lossy().into_owned());
        Heading::new("analyze --json", settings, inputs.collect())
    }

    fn network_sha256(&self) -> Option<String> {
        let is_file = |name: &str| OptionSpec::find(name).is_some_and(|spec| spec.name == "EvalFile");
        let given = self.options.iter().rfind(|(name, _)| is_file(name)).map(|(_, value)| Path::new(value));
        match given.filter(|path| !path.as_os_str().is_empty()) {
            Some(path) if path.is_dir() => file_sha256(&path.join("nn.bin")).ok(),
            Some(path) => file_sha256(path).ok(),
            None => Some(sha256(embedded_file())),
        }
    }

    /// What limits each search, in words.
    pub(super) fn limits_in_words(&self) -> String {
        let limits = self.limits();
        let mut words = Vec::new();
        words.extend(limits.depth.map(|depth| format!("depth {depth}")));
        words.extend(limits.nodes.map(|nodes| format!("{nodes} nodes")));
        words.extend(limits.move_time.map(|time| format!("{} ms", time.as_millis())));
        words.extend(self.until_stable.map(|iterations| format!("stable for {iterations} iterations")));
        words.join(", ")
    }

    pub(super) fn language(&self) -> Language {
        self.wording.language()
    }

    pub(super) fn notation(&self) -> Notation {
        self.wording.notation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        args: AnalyzeArgs,
    }

    /// Positions at once and threads of each, on eight cores.
    fn shares(arguments: &str, positions: Option<usize>) -> (usize, usize) {
        let words = std::iter::once("analyze").chain(arguments.split_whitespace());
        <Command as clap::Parser>::parse_from(words).args.shares(8, positions)
    }

    #[test]
    fn short_searches_have_a_small_table() {
        let hash = |arguments: &str| {
            let words = std::iter::once("analyze").chain(arguments.split_whitespace());
            <Command as clap::Parser>::parse_from(words).args.hash()
        };
        assert_eq!(["", "--nodes 1", "--nodes 10000", "--nodes 100000"].map(hash), [64, 4, 4, 48]);
        assert_eq!(["--nodes 1000000", "--depth 5", "--nodes 9 --hash 128"].map(hash), [64, 64, 128]);
    }

    #[test]
    fn who_waits_for_pages_waits_a_minute_or_as_long_as_it_takes() {
        let chosen = |arguments: &str, positions, cores| {
            let words = std::iter::once("analyze").chain(arguments.split_whitespace());
            let mut args = <Command as clap::Parser>::parse_from(words).args;
            args.choose_for_pages(positions, cores);
            (args.movetime, args.multipv)
        };
        let times = [(Some(120), 8), (Some(200), 2), (Some(36_000), 8), (None, 8), (Some(0), 8)];
        let times = times.map(|(positions, cores)| chosen("", positions, cores));
        assert_eq!(times.map(|(time, _)| time), [1000, 600, 200, 200, 1000].map(Some));
        assert!(times.iter().all(|&(_, lines)| lines == Some(3)));
        assert_eq!(chosen("--nodes 5 --multipv 1", Some(120), 8), (None, Some(1)));
        assert_eq!(chosen("--until-stable 4", Some(120), 8), (None, Some(3)));
    }

    #[test]
    fn one_position_has_all_cores_and_many_have_one_each() {
        assert_eq!(shares("", Some(1)), (1, 8));
        assert_eq!(shares("", Some(3)), (3, 2));
        assert_eq!(shares("--movetime 500", None), (8, 1));
        assert_eq!(shares("", Some(0)), (1, 8));
        assert_eq!(shares("--depth 12", Some(1)), (1, 1), "the same result every time");
        assert_eq!(shares("--depth 12 --threads 4", Some(1)), (1, 4));
        assert_eq!(shares("--threads 4", None), (2, 4));
        assert_eq!(shares("--threads 16", None), (1, 16));
        assert_eq!(shares("--jobs 2", None), (2, 4));
        assert_eq!(shares("--jobs 2 --threads 1", Some(1)), (1, 1));
    }
}
