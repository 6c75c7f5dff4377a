//! The legal moves of a position, each made and taken back, and why some other move is illegal.
//!
//! `cargo run --example legal_moves -- "startpos moves 7g7f 3c3d" P*5e`

use std::error::Error;

use kurosabi::movegen::legal_moves;
use kurosabi::rules::{GameEnd, GameLine, Rules};
use kurosabi::types::Move;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let line: GameLine = arguments.next().as_deref().unwrap_or("startpos").parse()?;
    let mut position = line.end();
    println!("{}", position.diagram());
    if let Some(end) = GameEnd::from_position(&position, &Rules::default()) {
        println!("{end}");
    }
    for mv in &legal_moves(&position) {
        let delta = position.do_move(mv);
        let captured = delta.captured.map_or(String::new(), |piece| format!(" takes a {}", piece.piece_type().name()));
        let check = if position.in_check() { " check" } else { "" };
        println!("{mv}{captured}{check}");
        position.undo_move(mv);
    }
    for text in arguments {
        let mv: Move = text.parse()?;
        match position.try_do_move(mv) {
            Ok(_) => {
                println!("{mv} is legal");
                position.undo_move(mv);
            }
            Err(reason) => println!("{mv} is illegal: {reason}"),
        }
    }
    Ok(())
}
