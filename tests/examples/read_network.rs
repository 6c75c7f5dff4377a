//! Reads a network of any of the public formats, or the one in the program, and evaluates a position with it.
//!
//! `cargo run --release --example read_network -- nn.bin "startpos moves 7g7f"`

use std::error::Error;

use kurosabi::eval::Evaluation;
use kurosabi::eval::nnue::NnueEvaluator;
use kurosabi::rules::GameLine;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    // A file, or a folder that holds nn.bin; the empty name is the network in the program.
    let file = arguments.next().unwrap_or_default();
    let line: GameLine = arguments.next().as_deref().unwrap_or("startpos").parse()?;

    let evaluation = Evaluation::named(&file, NnueEvaluator::DEFAULT_FV_SCALE)?;
    for warning in evaluation.warnings() {
        println!("warning: {warning}");
    }
    let report = evaluation.report(&line.end());
    println!("{}: {} for the side to move", report.network, report.score.outcome());
    Ok(())
}
