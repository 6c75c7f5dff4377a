//! Perft: counts the sequences of legal moves of a given length, the standard test of a move generator.
//!
//! `cargo run --release --example perft -- 5 startpos`

use std::error::Error;
use std::time::Instant;

use kurosabi::movegen::perft;
use kurosabi::rules::GameLine;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(4), |number| number.parse())?;
    let line: GameLine = arguments.next().as_deref().unwrap_or("startpos").parse()?;

    let mut position = line.end();
    for depth in 1..=depth {
        let start = Instant::now();
        let nodes = perft(&mut position, depth);
        println!("{depth}: {nodes} ({:.0} ms)", start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(())
}
