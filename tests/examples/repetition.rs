//! How often each position of a game has occurred, and by which rule the game has ended.
//!
//! `cargo run --example repetition -- "startpos moves 2h3h 8b7b 3h2h 7b8b"`

use std::error::Error;

use kurosabi::rules::{GameEnd, GameLine, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let round = " 2h3h 8b7b 3h2h 7b8b";
    let game = std::env::args().nth(1).unwrap_or(format!("startpos moves{}", round.repeat(3)));
    let line: GameLine = game.parse()?;
    let mut position = line.start();
    for &mv in line.moves() {
        position.do_move(mv);
        println!("{mv}: occurrence {}", position.occurrences());
        if let Some(end) = GameEnd::from_position(&position, &Rules::default()) {
            println!("{end}");
            break;
        }
    }
    Ok(())
}
