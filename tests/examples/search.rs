//! A search: the best lines of a position, shown while they are found.
//!
//! `cargo run --release --example search -- "startpos moves 7g7f" 3`

use std::error::Error;
use std::time::Duration;

use kurosabi::rules::GameLine;
use kurosabi::search::{SearchInfo, SearchLimits, SearchObserver, SearchSettings, Searcher, Signals};

/// Prints what the search reports.
struct Printer;

impl SearchObserver for Printer {
    fn on_info(&self, info: &SearchInfo) {
        let pv: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
        println!(
            "depth {:2}  #{}  {:>10}  {}",
            info.depth,
            info.multi_pv,
            info.score.outcome().to_string(),
            pv.join(" ")
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let line: GameLine = arguments.next().as_deref().unwrap_or("startpos").parse()?;
    let multi_pv = arguments.next().map_or(Ok(1), |number| number.parse())?;

    let mut searcher = Searcher::new(1, 64);
    let limits = SearchLimits { move_time: Some(Duration::from_secs(2)), ..SearchLimits::default() };
    let settings = SearchSettings { multi_pv, ..SearchSettings::default() };
    // Another thread may call `stop` on these. (`search_for` is the same without all this.)
    let signals = Signals::new();
    let result = searcher.search(&line.end(), &limits, &settings, &signals, &Printer);
    match result.best_move() {
        Some(mv) => println!("best move {mv} after {} nodes", result.nodes),
        None => println!("no legal move"),
    }
    Ok(())
}
