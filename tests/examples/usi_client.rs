//! A client of any USI engine: starts it, asks for a move and reads its thinking.
//!
//! `cargo run --example usi_client -- target/release/kurosabi`

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use kurosabi::types::Move;
use kurosabi::usi::message::{Go, GoParams, InitialPosition, PositionSpec, UsiMessage};
use kurosabi::usi::parser::parse_one;

fn main() -> Result<(), Box<dyn Error>> {
    let engine = std::env::args().nth(1).ok_or("which engine?")?;
    let mut child = Command::new(engine).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let output = BufReader::new(child.stdout.take().ok_or("no output")?);

    let moves: Vec<Move> = vec!["7g7f".parse()?, "3c3d".parse()?];
    let go = GoParams { movetime: Some(1000), ..GoParams::default() };
    writeln!(input, "{}", UsiMessage::Usi)?;
    for line in output.lines() {
        match parse_one(&line?) {
            UsiMessage::Id(id) => println!("{id:?}"),
            UsiMessage::UsiOk => writeln!(input, "{}", UsiMessage::IsReady)?,
            UsiMessage::ReadyOk => {
                writeln!(input, "{}", UsiMessage::UsiNewGame)?;
                let position = PositionSpec::new(InitialPosition::Startpos, moves.clone());
                writeln!(input, "{}", UsiMessage::Position(position))?;
                writeln!(input, "{}", UsiMessage::Go(Go::Search(go.clone())))?;
            }
            UsiMessage::Info(info) => println!("{info}"),
            UsiMessage::BestMove(best) => {
                println!("{best}");
                writeln!(input, "{}", UsiMessage::Quit)?;
                break;
            }
            _ => {}
        }
    }
    child.wait()?;
    Ok(())
}
