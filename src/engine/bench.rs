//! The benchmark: a fixed list of positions searched to a fixed depth.

use std::fmt;
use std::time::Duration;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::eval::Evaluation;
use crate::movegen::{self, legal_moves};
use crate::position::Position;
use crate::search::{SearchLimits, SearchResult, SearchSettings, Searcher, SearcherError, Signals, SilentObserver};
use crate::types::numbers::nodes_per_second;
use crate::types::{Depth, MAX_PLY, Move};

/// How to run the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchSettings {
    /// Depth of every search.
    pub depth: Depth,
    /// Search threads; with one the node count is always the same.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash_mb: usize,
}

impl Default for BenchSettings {
    fn default() -> BenchSettings {
        BenchSettings { depth: 12, threads: 1, hash_mb: 64 }
    }
}

/// One position's search; its `Display` is a line of the report.
#[derive(Clone, Debug)]
pub struct BenchEntry {
    /// Number of the position, from 1.
    pub number: usize,
    /// The position.
    pub sfen: &'static str,
    /// What was found.
    pub result: SearchResult,
}

impl fmt::Display for BenchEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BenchEntry { number, sfen, result } = self;
        write!(f, "{number:2}/{}  {:>9} nodes", BENCH_POSITIONS.len(), result.nodes)?;
        if let Some(line) = result.lines.first() {
            write!(f, "  depth {:2}  {:>10}", line.depth, line.score.outcome().to_string())?;
        }
        if let Some(mv) = result.best_move() {
            write!(f, "  {mv:5}")?;
        }
        write!(f, "  {sfen}")
    }
}

/// The sum over all positions; its `Display` is the report's last line, which match and test
/// frameworks read: `<N> nodes <M> nps`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchTotal {
    /// Nodes of all searches: the signature of the search.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl fmt::Display for BenchTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, nodes_per_second(self.nodes, self.time))
    }
}

/// Runs the benchmark, reporting each position as it is done. The sum covers what was searched when
/// `control` stops it early.
///
/// # Errors
/// When the system refuses the threads or the memory.
pub fn bench(
    settings: &BenchSettings,
    control: &Signals,
    mut report: impl FnMut(&BenchEntry),
) -> Result<BenchTotal, SearcherError> {
    let mut searcher = Searcher::try_new(settings.threads, settings.hash_mb, Evaluation::default())?;
    let limits = SearchLimits { depth: Some(settings.depth), ..SearchLimits::default() };
    // The search alone.
    let search_settings = SearchSettings { root_mate_nodes: 0, ..SearchSettings::default() };
    let mut total = BenchTotal::default();
    for (index, &sfen) in BENCH_POSITIONS.iter().enumerate() {
        if control.is_stopped() {
            break;
        }
        let position = Position::from_sfen(sfen).expect("bench positions are legal");
        searcher.clear();
        let result = searcher.search(&position, &limits, &search_settings, control, &SilentObserver);
        total.nodes += result.nodes;
        total.time += result.time;
        report(&BenchEntry { number: index + 1, sfen, result });
    }
    Ok(total)
}

/// The positions: openings, middle games, attacks and defences, entering kings, full hands.
pub const BENCH_POSITIONS: &[&str] = &[
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "l6k1/1r2gg1bl/3p2npp/ppps1sp2/1n1NP3P/PRPP1pP2/3S1SNP1/L2BGG3/7KL b 2Pp 61",
    "l6kl/1r2gbs2/3p1gnp1/p1psppp1p/1n5P1/P1PSPPP1P/2NP1SN2/3GGBR2/LK6L b Pp 61",
    "l6kl/4g1gb1/p1n1psnp1/2p3p1p/P2PsP3/1rPpPpP1P/2NS2N2/1BG1G1SR1/L6KL b 3P 61",
    "lk6l/3gg2r1/1pnsbs1p1/p1pp5/1P2SnPPp/P1P1S4/2NP1G2P/1BG4R1/LK6L b 3Pn2p 61",
    "ln1gk2nl/1p3sg2/3sppppb/pPpp4p/1NP6/R1S6/3PPPP1P/1G1K2S2/L4G1NL b RPbp 49",
    "l6kl/1r2g2b1/3ppg1pp/p1p6/3SPN3/1PP2p3/P2P3PP/3R1G3/LN5KL b 3SN2Pbgn2p 61",
    "lr4knl/3g2g2/4pp1p1/p1p1s1p1p/1p1n1P1P1/P1Ps2P1P/1P1SP1N2/2G2G3/LNK4RL b BPbsp 49",
    "l6kl/1r1g2gb1/p1n2snpp/2pp2p2/P3ps1RP/2PP2P2/1PNSSG3/1BG6/L6KL b N3P2p 73",
    "lnk5l/3sgg3/pppppsnpb/5pr1p/3P5/1PP5P/P1NSPP1P1/1B1G1SGR1/LK5NL b Pp 37",
    "lr3k2l/3g2g2/p1ns1pspn/2ppp1p1p/1p3P1P1/P1PPP1P2/1PSG2N1P/2G2S1R1/LN1K4L w Bb 38",
    "l5k1l/1r2gsg2/2nsb1np1/ppp1ppp1p/3P3P1/P1PSP1P1P/1PNG1PN2/1BG2S1R1/LK6L w p 50",
    "ln5k1/1r2gsg2/p1p2pn1b/1p1sp1p1l/3N3Pp/2P1S1PSP/PP2PPN2/1B1RG3L/L4G1K1 w P2p 52",
    "l6k1/4g4/n1prsgnsb/3Lpp1p1/pP1S2P2/P1P1PPSP1/1+pN2GN2/1B1R1G3/L6K1 w Pl4p 82",
    "lnk5l/1s2pg1r1/1pp2pn2/2+b1PG2p/pP1N2pp1/2s1GP2P/P5PP1/1R2GB1S1/L5KNL w S2Pp 70",
    "l6nl/1r5k1/3gpg1p1/p1p1spP1b/3p3Bp/PPP3R2/1S1PGPNPP/2G2S3/L6KL w NPsn2p 90",
    "l6kl/1r1gg4/2n1ssn2/pp2pppbp/2SP3p1/PP3PP1P/2NSPGNP1/1R1B1G3/L6KL w P2p 72",
    "l2g4l/1k2gr1b1/1pnsp2pp/p1p3p2/3pPP3/PPP2S+sP1/2NPG3P/1BSR5/LK3G2L w Nn2p 60",
    "6+R1l/4S1Sgk/l4Sgp1/p1pK1ppPp/1PP4N1/PG4P1P/3+b+p4/1g3+rb2/L7L w S3P3n2p 156",
    "l7l/6k2/1r3+B1p1/p1p2pp1p/1PP4P1/PGK1p1P1P/9/1g3+r3/L7L w B4S4P2g4np 132",
    "l5nkl/3+S5/p3p1gPb/3P1s2p/PSp1P4/2P2pP1P/2NG5/LGN3S2/3r3KL b RG5Pbnp 97",
    "9/2+R1g4/+LSn1ks1+S+P/3pp1p2/1pp4P1/n1P3P2/KP+b1bp3/2+r6/9 b G5P2gs2n3l2p 145",
    "1K1+R+P4/+P1+B+S+P4/1+P2+N4/p1p3p1p/9/P1P3P1P/4+n2+p1/4+p+s+b+p1/4+p+r1k1 b GSNgsl 201",
];

// Perft over all cores, which can be stopped.

/// The deepest perft: far beyond what any machine counts, and safe for the stack.
pub const MAX_PERFT_DEPTH: u32 = MAX_PLY as u32;

/// Subtrees of this depth are counted in one go, without looking whether to stop.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// Leaves below each legal move of a position, in generation order, on `threads` threads (0: one for each core), or on
/// the caller's own where the system refuses them. Depths above [`MAX_PERFT_DEPTH`] count as that one. `None` when
/// stopped before the end.
pub fn perft_divide(position: &Position, depth: u32, threads: usize, control: &Signals) -> Option<Vec<(Move, u64)>> {
    let depth = depth.min(MAX_PERFT_DEPTH);
    if depth == 0 {
        return Some(Vec::new());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    divide_on(pool.ok().as_ref(), position, depth, control)
}

/// Without a pool no parallel iterator may be run: it would make rayon's global pool, and panic where that fails too.
fn divide_on(
    pool: Option<&ThreadPool>,
    position: &Position,
    depth: u32,
    control: &Signals,
) -> Option<Vec<(Move, u64)>> {
    let moves = legal_moves(position);
    let below = |&mv: &Move| {
        let mut position = position.clone();
        position.do_move(mv);
        Some((mv, count(&mut position, depth - 1, control)?))
    };
    match pool {
        Some(pool) => pool.install(|| moves.par_iter().with_max_len(1).map(below).collect()),
        None => moves.iter().map(below).collect(),
    }
}

/// The sum over what [`perft_divide`] gives for a depth.
pub fn perft_total(depth: u32, divided: &[(Move, u64)]) -> u64 {
    if depth == 0 { 1 } else { divided.iter().map(|(_, nodes)| nodes).sum() }
}

fn count(position: &mut Position, depth: u32, control: &Signals) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED_DEPTH {
        return Some(movegen::perft(position, depth));
    }
    let mut nodes = 0;
    for mv in &legal_moves(position) {
        position.do_move(mv);
        let below = count(position, depth - 1, control);
        position.undo_move(mv);
        nodes += below?;
    }
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use crate::movegen::has_legal_move;

    use super::*;

    #[test]
    fn all_positions_are_different_and_can_be_searched() {
        let mut keys = std::collections::HashSet::new();
        for sfen in BENCH_POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            assert_eq!(position.to_sfen(), *sfen);
            assert!(keys.insert(position.key()) && has_legal_move(&position), "{sfen}");
        }
    }

    /// The plain recursion below each legal move of the start position.
    fn divided_plainly(depth: u32) -> Vec<(Move, u64)> {
        let mut position = Position::startpos();
        let below = |mv| {
            position.do_move(mv);
            let nodes = movegen::perft(&mut position, depth - 1);
            position.undo_move(mv);
            (mv, nodes)
        };
        legal_moves(&Position::startpos()).into_iter().map(below).collect()
    }

    #[test]
    fn perft_on_threads_counts_like_the_plain_recursion() {
        let position = Position::startpos();
        for (depth, nodes) in [(0, 1), (1, 30), (2, 900), (3, 25_470), (4, 719_731), (5, 19_861_490)] {
            let divided = perft_divide(&position, depth, 2, &Signals::new()).unwrap();
            assert_eq!(perft_total(depth, &divided), nodes);
            if (1..5).contains(&depth) {
                assert_eq!(divided, divided_plainly(depth));
            }
        }
    }

    #[test]
    fn perft_counts_the_same_without_threads() {
        let control = Signals::new();
        let position = Position::startpos();
        for depth in 1..5 {
            let divided = divide_on(None, &position, depth, &control).unwrap();
            assert_eq!(divided, divided_plainly(depth));
        }
        control.stop();
        assert_eq!(divide_on(None, &position, 5, &control), None);
    }

    #[test]
    fn perft_stops_on_request() {
        let control = Signals::new();
        std::thread::scope(|scope| {
            let counting = scope.spawn(|| perft_divide(&Position::startpos(), u32::MAX, 2, &control));
            std::thread::sleep(std::time::Duration::from_millis(50));
            control.stop();
            assert_eq!(counting.join().unwrap(), None);
        });
    }
}
