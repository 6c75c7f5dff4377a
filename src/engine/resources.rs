//! The searcher's threads and memory, made as the options ask, as far as the machine has them.

use std::cell::OnceCell;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use super::options::FULL_STRENGTH;
use super::{EngineMessage, Options, THREAD_MIB};
use crate::eval::Evaluation;
use crate::memory::Available;
use crate::position::Position;
use crate::search::{STACK_SIZE, Searcher};
use crate::threads::{self, lock};

/// Address space that a thread takes without using it: its stack, and what the system's allocator sets aside for it.
const THREAD_ADDRESS_MIB: u64 = THREAD_MIB + (STACK_SIZE >> 20) as u64 + ALLOCATOR_MIB;
/// What the GNU allocator sets aside for each thread.
const ALLOCATOR_MIB: u64 = 64;
/// Pause before a smaller attempt: threads of the failed one count against the system's limit until they have ended.
const SETTLING: Duration = Duration::from_millis(20);
/// Left to the rest of the process and to the system: this, ...
const RESERVE_MIB: u64 = 32;
/// ... and one part in `RESERVE_SHARE` of what is there.
const RESERVE_SHARE: u64 = 8;

/// The size of a searcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearcherSize {
    /// Search threads.
    pub threads: usize,
    /// Transposition table in MiB.
    pub hash_mb: usize,
}

impl SearcherSize {
    /// The smallest of all.
    const LEAST: SearcherSize = SearcherSize { threads: 1, hash_mb: 1 };

    /// What a level below full strength needs: its searches are small, and with one thread they can be repeated.
    const OF_A_LEVEL: SearcherSize = SearcherSize { threads: 1, hash_mb: 4 };

    /// The size that the options ask for.
    pub(super) fn asked_for(options: &Options) -> SearcherSize {
        SearcherSize { threads: options.threads, hash_mb: options.hash_mb }
    }

    /// The size that the options ask for, or the level that they set.
    fn to_play(options: &Options) -> SearcherSize {
        if options.skill_level < FULL_STRENGTH { SearcherSize::OF_A_LEVEL } else { SearcherSize::asked_for(options) }
    }

    /// The largest size up to this one for which the machine has memory now, for each of `searchers` alike.
    ///
    /// Threads come first: the table is made smaller, down to a quarter of the memory, before there are fewer threads.
    pub fn that_fits(self, searchers: usize) -> SearcherSize {
        self.clamped_to(Available::now(), searchers)
    }

    fn clamped_to(self, available: Available, searchers: usize) -> SearcherSize {
        let share = |bytes: u64| {
            let mib = bytes >> 20;
            mib.saturating_sub(mib / RESERVE_SHARE + RESERVE_MIB) / searchers.max(1) as u64
        };
        let (resident, addresses) = (share(available.resident), share(available.address_space));
        let room = |threads: u64| {
            let hash = resident.saturating_sub(threads * THREAD_MIB);
            hash.min(addresses.saturating_sub(threads * THREAD_ADDRESS_MIB))
        };
        let (asked_threads, asked_hash) = (self.threads.max(1) as u64, self.hash_mb.max(1) as u64);
        let least_hash = asked_hash.min(resident.min(addresses) / 4).max(1);
        let threads = (1..=asked_threads).rev().find(|&threads| room(threads) >= least_hash).unwrap_or(1);
        SearcherSize { threads: threads as usize, hash_mb: room(threads).clamp(1, asked_hash) as usize }
    }

    /// The next size to try if this one turns out not to be available.
    fn smaller(self) -> Option<SearcherSize> {
        let half = SearcherSize { threads: self.threads.div_ceil(2), hash_mb: self.hash_mb.div_ceil(2) };
        (self != SearcherSize::LEAST).then_some(half)
    }

    /// What is missing when this is used in place of what was asked for.
    pub fn shortage(self, asked: SearcherSize) -> impl Iterator<Item = EngineMessage> {
        let threads = EngineMessage::Threads { asked: asked.threads, used: self.threads };
        let hash = EngineMessage::Hash { asked: asked.hash_mb, used: self.hash_mb };
        let threads = (self.threads < asked.threads).then_some(threads);
        threads.into_iter().chain((self.hash_mb < asked.hash_mb).then_some(hash))
    }
}

/// The searcher, and the options it was made for.
pub(super) struct Resources {
    pub(super) searcher: Searcher,
    asked: SearcherSize,
}

impl Resources {
    /// The resources that the options ask for: the present ones if they were made for the same options, smaller ones if
    /// the machine has less, and none if it has next to nothing.
    pub(super) fn fit(
        before: Option<Resources>,
        options: &Options,
        evaluation: &Evaluation,
    ) -> (Option<Resources>, Vec<EngineMessage>) {
        let asked = SearcherSize::to_play(options);
        if let Some(mut before) = before {
            if before.asked == asked {
                if !before.searcher.evaluation().is_same(evaluation) {
                    before.searcher.set_evaluation(evaluation.clone());
                }
                return (Some(before), Vec::new());
            }
            // There may not be room for both.
            drop(before);
        }
        // Searchers that are made at the same time must not count on the same memory.
        static MEASURED: Mutex<()> = Mutex::new(());
        let _alone = lock(&MEASURED);
        let mut trial = Some(asked.that_fits(1));
        while let Some(size) = trial {
            match Searcher::try_new(size.threads, size.hash_mb, evaluation.clone()) {
                Ok(searcher) => {
                    log::info!("{} search threads, transposition table of {} MiB", size.threads, size.hash_mb);
                    let resources = Resources { searcher, asked };
                    return (Some(resources), size.shortage(asked).collect());
                }
                Err(error) => log::warn!("{error}"),
            }
            trial = size.smaller();
            if threads::AVAILABLE {
                thread::sleep(SETTLING);
            }
        }
        (None, vec![EngineMessage::NoMemory])
    }
}

// The evaluation that the options ask for.

/// The evaluation in use, and the options it was made for.
#[derive(Clone, Default)]
pub(super) struct ChosenEvaluation {
    file: String,
    fv_scale: i32,
    /// The file could not be used.
    failed: bool,
    /// None until it is first asked for: the network in the program is unpacked then.
    evaluation: OnceCell<Evaluation>,
}

impl ChosenEvaluation {
    /// The evaluation in use.
    pub(super) fn get(&self) -> &Evaluation {
        self.evaluation.get_or_init(Evaluation::default)
    }

    /// Lets a file that could not be used be tried again.
    pub(super) fn retry(&mut self) {
        if self.failed {
            self.file.clear();
        }
    }

    /// Follows the options: reads the file when it or its scale has changed.
    pub(super) fn follow(&mut self, options: &Options) -> Vec<EngineMessage> {
        if (&self.file, self.fv_scale) == (&options.eval_file, options.fv_scale) {
            return Vec::new();
        }
        (self.file, self.fv_scale) = (options.eval_file.clone(), options.fv_scale);
        let file = || options.eval_file.clone();
        let named = Evaluation::named(&self.file, self.fv_scale);
        self.failed = named.is_err();
        let (evaluation, messages) = match named {
            Ok(evaluation) => {
                let warnings = evaluation.warnings().iter().cloned();
                let messages = warnings.map(|warning| EngineMessage::OddEvalFile { file: file(), warning }).collect();
                (evaluation, messages)
            }
            Err(error) => (Evaluation::default(), vec![EngineMessage::EvalFile { file: file(), error }]),
        };
        self.evaluation = OnceCell::from(evaluation);
        log::info!("network: {}", self.get().report(&Position::startpos()).network);
        messages
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    /// The size used where `asked` is asked for, with this many MiB of memory and of address space.
    fn used(asked: (usize, usize), resident: u64, address_space: u64) -> (usize, usize) {
        let asked = SearcherSize { threads: asked.0, hash_mb: asked.1 };
        let available = Available { resident: resident << 20, address_space: address_space.saturating_mul(1 << 20) };
        let size = asked.clamped_to(available, 1);
        (size.threads, size.hash_mb)
    }

    #[test]
    fn a_size_that_fits_is_kept() {
        assert_eq!(used((1, 256), 1024, u64::MAX), (1, 256));
        assert_eq!(used((16, 4096), 8192, 16_384), (16, 4096));
    }

    #[test]
    fn a_size_that_is_too_large_becomes_the_largest_that_fits() {
        assert_eq!(used((1, 1_000_000), 16_384, u64::MAX), (1, 16_384 - 2048 - 32 - THREAD_MIB as usize));
        let (threads, hash) = used((512, 256), 12_600, u64::MAX);
        assert!((280..320).contains(&threads) && hash >= 256, "{threads} {hash}");
        let (threads, hash) = used((512, 1_000_000), 23_000, u64::MAX);
        assert!(threads > 200 && hash > 4000 && threads as u64 * THREAD_MIB + (hash as u64) < 23_000);
        let (threads, _) = used((100, 256), 23_000, 8_000);
        assert!((40..60).contains(&threads), "{threads}");
    }

    #[test]
    fn without_memory_one_thread_is_tried() {
        for (resident, address_space) in [(0, 0), (10, u64::MAX), (u64::MAX >> 20, 10), (100, 100)] {
            assert_eq!(used((8, 256), resident, address_space).0, 1, "{resident} {address_space}");
        }
        let mut size = SearcherSize { threads: 512, hash_mb: 1_000_000 };
        let mut trials = 1;
        while let Some(smaller) = size.smaller() {
            (size, trials) = (smaller, trials + 1);
        }
        assert!(size == SearcherSize::LEAST && trials < 30);
    }

    #[test]
    fn several_searchers_share_the_memory() {
        let asked = SearcherSize { threads: 1, hash_mb: 1024 };
        let available = Available { resident: 4 << 30, address_space: u64::MAX };
        assert_eq!(asked.clamped_to(available, 2), asked);
        let four = asked.clamped_to(available, 4);
        assert!(four.threads == 1 && four.hash_mb < 1024 && four.hash_mb > 700, "{four:?}");
    }
}
