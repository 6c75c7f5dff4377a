//! The shortest mate of a problem (詰将棋), or why there is none.
//!
//! `cargo run --release --example mate -- "4k4/9/4P4/9/9/9/9/9/9 b G 1"`

use std::error::Error;
use std::time::Duration;

use kurosabi::mate::{MateLimits, MateOutcome, solve};
use kurosabi::position::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let problem = std::env::args().nth(1);
    let position: Position = problem.as_deref().unwrap_or("4k4/9/4P4/9/9/9/9/9/9 b G 1").parse()?;
    let limits = MateLimits { time: Some(Duration::from_secs(10)), ..MateLimits::default() };
    match solve(&position, &limits)?.outcome {
        MateOutcome::Mate(mate) => {
            let moves: Vec<String> = mate.moves.iter().map(ToString::to_string).collect();
            println!("mate in {}: {}", mate.plies(), moves.join(" "));
        }
        other => println!("{other:?}"),
    }
    Ok(())
}
