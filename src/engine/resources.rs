//! The searcher's threads and memory, made as the options ask and only when needed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use thiserror::Error;

use super::Options;
use crate::eval::Evaluation;
use crate::search::Searcher;

/// What the machine could not give; the engine goes on with less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ResourceError {
    /// Not enough memory for the table.
    #[error("no memory for a table of {asked} MiB, {used} MiB are used")]
    Memory {
        /// MiB asked for.
        asked: usize,
        /// MiB used instead.
        used: usize,
    },
    /// The threads could not be started.
    #[error("{asked} threads could not be started, one is used")]
    Threads {
        /// Threads asked for.
        asked: usize,
    },
}

/// The searcher, and the options it was made with.
pub(super) struct Resources {
    searcher: Searcher,
    threads: usize,
    hash_mb: usize,
    /// Nothing was searched since it was made or cleared.
    clean: bool,
    /// Which of the evaluations that were chosen one after the other the searcher has.
    evaluation_version: u64,
}

/// Table used when neither what is asked for nor what was used before can be had, in MiB.
const SMALL_HASH_MB: usize = 1;

impl Resources {
    /// What the options ask for, made from what there was before.
    ///
    /// On an error the options are changed to what could be had.
    pub(super) fn fit(before: Option<Resources>, options: &mut Options) -> (Resources, Result<(), ResourceError>) {
        let before = match before {
            Some(before) if (before.threads, before.hash_mb) == (options.threads, options.hash_mb) => {
                return (before, Ok(()));
            }
            before => before,
        };
        let (before, mut outcome) = Resources::settle_memory(before, options);
        let (threads, hash_mb) = (options.threads, options.hash_mb);
        let made = catch_unwind(AssertUnwindSafe(|| Resources::make(before, threads, hash_mb)));
        let resources = made.unwrap_or_else(|_| {
            options.threads = 1;
            outcome = Err(ResourceError::Threads { asked: threads });
            Resources::make(None, 1, hash_mb)
        });
        (resources, outcome)
    }

    /// Finds a table size that the system grants, the old table having made room.
    fn settle_memory(
        before: Option<Resources>,
        options: &mut Options,
    ) -> (Option<Resources>, Result<(), ResourceError>) {
        let asked = options.hash_mb;
        let hash_before = before.as_ref().map(|before| before.hash_mb);
        if hash_before == Some(asked) {
            return (before, Ok(()));
        }
        let emptied = before.map(|mut before| {
            before.searcher.set_hash(SMALL_HASH_MB);
            Resources { hash_mb: SMALL_HASH_MB, ..before }
        });
        if can_allocate(asked) {
            return (emptied, Ok(()));
        }
        let candidates = hash_before.into_iter().chain([Options::default().hash_mb]);
        let used = candidates.filter(|&mib| mib < asked).find(|&mib| can_allocate(mib)).unwrap_or(SMALL_HASH_MB);
        options.hash_mb = used;
        (emptied, Err(ResourceError::Memory { asked, used }))
    }

    fn make(before: Option<Resources>, threads: usize, hash_mb: usize) -> Resources {
        let Some(Resources { mut searcher, threads: old_threads, hash_mb: old_hash, clean, evaluation_version }) =
            before
        else {
            let searcher = Searcher::new(threads, hash_mb);
            return Resources { searcher, threads, hash_mb, clean: true, evaluation_version: 0 };
        };
        if old_threads != threads {
            searcher.set_threads(threads);
        }
        if old_hash != hash_mb {
            searcher.set_hash(hash_mb);
        }
        Resources { searcher, threads, hash_mb, clean, evaluation_version }
    }

    /// Gives the searcher another evaluation when the version says that it is one.
    pub(super) fn evaluate_with(&mut self, evaluation: &Evaluation, version: u64) {
        if self.evaluation_version != version {
            self.searcher.set_evaluation(evaluation.clone());
            self.evaluation_version = version;
            self.clean = true;
        }
    }

    /// The searcher, for a search.
    pub(super) fn searcher(&mut self) -> &mut Searcher {
        self.clean = false;
        &mut self.searcher
    }

    /// Forgets what searches have learnt; costs nothing when there were none.
    pub(super) fn clear(&mut self) {
        if !self.clean {
            self.searcher.clear();
            self.clean = true;
        }
    }
}

/// Whether the system grants this much memory at once.
fn can_allocate(mib: usize) -> bool {
    let mut trial = Vec::<u8>::new();
    let granted = mib.checked_mul(1 << 20).is_some_and(|bytes| trial.try_reserve_exact(bytes).is_ok());
    // Without this the compiler may leave the allocation out and assume success.
    std::hint::black_box(&trial);
    granted
}
