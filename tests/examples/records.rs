//! Reads a game record in any format and encoding, says who won, and writes the record in CSA's format.
//!
//! `cargo run --example records -- game.kif`

use std::error::Error;

use kurosabi::records::{Format, Records, WriteOptions, write};
use kurosabi::rules::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n".into(),
    };
    for record in Records::parse(bytes)? {
        let record = record?;
        let verdict = record.verdict(&Rules::default());
        println!("'{:?} after {} moves", verdict.result, verdict.moves);
        print!("{}", write(&record, Format::Csa, &WriteOptions::default()));
    }
    Ok(())
}
