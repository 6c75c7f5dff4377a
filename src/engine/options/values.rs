//! What the options are set to.

use crate::book::BookSettings;
use crate::eval::nnue::NnueEvaluator;
use crate::rules::Rules;
use crate::search::SearchSettings;
use crate::types::{Depth, Score};

/// The `SkillLevel` of full strength.
pub(in crate::engine) const FULL_STRENGTH: u32 = 20;

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash_mb: usize,
    /// Search threads.
    pub threads: usize,
    /// Whether the GUI means to let the engine think on the opponent's time.
    pub ponder: bool,
    /// Ponder on the position before the opponent's expected move, for the opponent.
    pub stochastic_ponder: bool,
    /// Resign when the best score is at most minus this many centipawns.
    pub resign_value: i32,
    /// Declare the draw that a 24-point rule gives, when the position is worth less.
    pub declare_draw: bool,
    /// How well to play, from 0 to 20, which is full strength.
    pub skill_level: u32,
    /// Deepest iteration of any search; `None` for no limit.
    pub depth_limit: Option<Depth>,
    /// Nodes of any search; `None` for no limit.
    pub nodes_limit: Option<u64>,
    /// What a draw is worth in centipawns with Black, or White, to move at the root.
    pub draw_value: [i32; 2],
    /// The network to evaluate with, a file or a folder that holds `nn.bin`; empty for the built-in evaluation.
    pub eval_file: String,
    /// What the network's output is divided by.
    pub fv_scale: i32,
    /// Whether to play from an opening book.
    pub own_book: bool,
    /// The book: a file, `no_book`, or empty for the one in the program.
    pub book_file: String,
    /// The folder in which the book's file is looked for as well.
    pub book_dir: String,
    /// Search a text book on disk instead of reading it whole.
    pub book_on_the_fly: bool,
    /// How its moves are chosen.
    pub book: BookSettings,
    /// Where to write what is said in both directions; empty for nowhere.
    pub debug_log_file: String,
    /// What search reads directly, apart from the draw values.
    pub(super) search: SearchSettings,
}

impl Options {
    /// The most search threads.
    pub const MAX_THREADS: usize = 512;
    /// The largest transposition table in MiB: 32 TiB, as YaneuraOu has it.
    pub const MAX_HASH_MB: usize = 33_554_432;

    /// The settings for a search.
    pub fn search_settings(&self) -> SearchSettings {
        SearchSettings { draw_value: self.draw_value.map(Score::from_centipawns), ..self.search.clone() }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.search.rules
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: 256,
            threads: 1,
            ponder: false,
            stochastic_ponder: false,
            resign_value: 99_999,
            declare_draw: true,
            skill_level: FULL_STRENGTH,
            depth_limit: None,
            nodes_limit: None,
            draw_value: [-2; 2],
            eval_file: String::new(),
            fv_scale: NnueEvaluator::DEFAULT_FV_SCALE,
            own_book: true,
            book_file: String::new(),
            book_dir: "book".to_owned(),
            book_on_the_fly: false,
            book: BookSettings::default(),
            debug_log_file: String::new(),
            search: SearchSettings::default(),
        }
    }
}
