//! What an opening book has for a position, and which of the moves it plays.
//!
//! `cargo run --release --example book -- "startpos moves 7g7f" standard_book.db`

use std::error::Error;
use std::path::Path;

use kurosabi::book::{Book, BookSettings};
use kurosabi::rules::GameLine;
use rand::SeedableRng;
use rand::rngs::StdRng;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let line: GameLine = arguments.next().as_deref().unwrap_or("startpos").parse()?;
    let mut book = match arguments.next() {
        Some(file) => Book::open(Path::new(&file), false)?,
        None => Book::builtin()?,
    };
    let settings = BookSettings::default();
    let mut warn = |remark| eprintln!("{remark}");
    // One of the moves that the settings allow, by chance: the same for the same seed.
    let mut rng = StdRng::seed_from_u64(1);
    match book.choose(&line.end(), &settings, usize::MAX, &mut rng, &mut warn)? {
        Some(choice) => {
            for line in choice.lines {
                let pv: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
                println!("{:>6}  {}", line.book_move.score, pv.join(" "));
            }
        }
        None => println!("the book has no move to play here"),
    }
    Ok(())
}
