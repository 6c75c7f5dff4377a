//! Kurosabi (黒錆), a USI shogi engine, as a library.
//!
//! # Legal moves
//!
//! ```
//! use kurosabi::movegen::legal_moves;
//! use kurosabi::position::Position;
//!
//! let mut position: Position = "startpos".parse()?;
//! assert_eq!(legal_moves(&position).len(), 30);
//! position.try_do_move("7g7f".parse()?)?;
//! assert_eq!(position.to_string(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
//! // What is illegal names the rule that it breaks.
//! let reason = position.try_do_move("2b7g+".parse()?).unwrap_err();
//! assert_eq!(reason.to_string(), "the pawn on 3c blocks the way from 2b to 7g");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Position`](position::Position) is read from an SFEN and shown as one; a
//! [`GameLine`](rules::GameLine) is a position with the moves made from it.
//!
//! # Search and evaluation
//!
//! ```
//! use std::time::Duration;
//!
//! use kurosabi::eval::Evaluation;
//! use kurosabi::position::Position;
//! use kurosabi::search::Searcher;
//!
//! let position = Position::startpos();
//! // One thread, 16 MiB for the transposition table, the network that is part of the library.
//! let mut searcher = Searcher::new(1, 16);
//! let result = searcher.search_for(&position, Duration::from_millis(100));
//! let mv = result.best_move().unwrap();
//! assert!(position.is_legal(mv));
//! println!("{mv}: {:?}", result.score().map(|score| score.outcome()));
//!
//! // Another network: `Evaluation::named("nn.bin", 20)?`, for `Searcher::try_new` as well.
//! println!("{}", Evaluation::default().report(&position).score.outcome());
//! ```
//!
//! [`Searcher::search`](search::Searcher::search) takes clocks, nodes and depths, shows lines while they are found, and
//! can be stopped from another thread.
//!
//! # Mates
//!
//! ```
//! use kurosabi::mate::{MateLimits, solve};
//!
//! let result = solve(&"4k4/9/4P4/9/9/9/9/9/9 b G 1".parse()?, &MateLimits::default())?;
//! let mate = result.mate().unwrap();
//! assert_eq!((mate.plies(), mate.moves[0].to_string().as_str()), (1, "G*5b"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Repetition, and who has won
//!
//! ```
//! use kurosabi::rules::{GameEnd, GameLine, Rules};
//!
//! let round = " 2h3h 8b7b 3h2h 7b8b";
//! let line: GameLine = format!("startpos moves{}", round.repeat(3)).parse()?;
//! assert_eq!(GameEnd::from_position(&line.end(), &Rules::default()), Some(GameEnd::RepetitionDraw));
//! # Ok::<(), kurosabi::rules::LineError>(())
//! ```
//!
//! The verdict on a game record, with illegal moves, declarations and what the record says, is
//! [`GameRecord::verdict`](records::GameRecord::verdict).
//!
//! # Game records
//!
//! ```
//! # #[cfg(feature = "records")] {
//! use kurosabi::records::{Format, RecordResult, Records, WriteOptions, write};
//! use kurosabi::rules::Rules;
//! use kurosabi::types::Color;
//!
//! // The bytes of a file; its format and encoding are recognised.
//! let record = Records::parse("手合割：平手\n   1 ７六歩(77)\n   2 投了\n")?.next().unwrap()?;
//! assert_eq!(record.verdict(&Rules::default()).result, RecordResult::Win(Color::Black));
//! assert!(write(&record, Format::Csa, &WriteOptions::default()).contains("+7776FU"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Opening books
//!
//! ```
//! # #[cfg(feature = "book")] {
//! use kurosabi::book::{Book, BookSettings};
//! use kurosabi::position::Position;
//! use rand::{SeedableRng, rngs::StdRng};
//!
//! let mut rng = StdRng::seed_from_u64(1);
//! let choice = Book::builtin()?.choose(&Position::startpos(), &BookSettings::default(), 1, &mut rng, &mut |_| {})?;
//! println!("{}", choice.unwrap().lines[0].book_move.mv);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Whole programs are in `tests/examples`, run by `cargo run --release --example NAME`: `legal_moves`, `perft`,
//! `search`, `read_network`, `mate`, `repetition`, `records`, `book` and `usi_client`.
//!
//! # Threads and memory
//!
//! ```
//! use kurosabi::eval::Evaluation;
//! use kurosabi::mate::MateSolver;
//! use kurosabi::position::Position;
//! use kurosabi::search::{Searcher, Signals};
//!
//! fn is_shared<T: Send + Sync>() {}
//! fn is_sent<T: Send>() {}
//! is_shared::<Position>();
//! is_shared::<Evaluation>();
//! is_shared::<Signals>();
//! is_sent::<Searcher>();
//! is_sent::<MateSolver>();
//! assert!(size_of::<Position>() <= 640);
//! ```
//!
//! A `Position` keeps its history: beside the 640 bytes 8 KiB on the heap, and less than 128 bytes a move made. A
//! network is read once and shared by all that use it. A `Searcher` has threads of its own, each with a stack of
//! [`STACK_SIZE`](search::STACK_SIZE) and 37 MiB of histories; one made by `try_new_local` searches on the thread
//! that calls it, which must have such a stack. A `MateSolver` starts a thread for each question. Nothing is global
//! but tables that never change, and no thread outlives its owner.
//!
//! # Layers
//!
//! The modules are layers. Each may use those above it in this list, never those below; a test enforces this.
//!
//! | module | what it holds |
//! |---|---|
//! | [`types`] | colours, squares, pieces, hands, moves, scores |
//! | [`bitboard`] | sets of squares, attacks, lines |
//! | [`position`] | the state of a game: moves made and taken back, SFEN, repetition, declarations |
//! | [`movegen`] | legal moves, perft |
//! | [`rules`] | how a game ends, a start with its moves |
//! | [`eval`] | evaluation of positions |
//! | [`mate`] | mate tests |
//! | [`search`] | from a position and limits to a move |
//! | [`datagen`] | self-play games: playing, keeping and exchanging them |
//! | `train` | training of networks (feature `train`) |
//! | [`records`] | game records (KIF, KI2, CSA, JKF, USI, SFEN) and the notations of moves |
//! | [`book`] | opening books: formats, probing, choosing |
//! | [`report`] | reports of analysed games: win rates, mistakes, turning points, pages |
//! | [`engine`] | options, position and search together; knows no text protocol |
//! | [`usi`] | the protocol's messages and parser, and the session that answers them |
//! | [`cli`] | the subcommands of the binary |
//!
//! # Features
//!
//! Without features there are the modules from [`types`] to [`search`], with the network, in 25 crates.
//!
//! - `records`: [`records`].
//! - `book`: [`book`] and [`datagen`].
//! - `usi`: [`usi::message`] and [`usi::parser`].
//! - `memory`: tables in large pages of Linux, and of a size that the machine has memory for.
//! - `session`: [`engine`], [`usi::session`] over it, and [`report`], with `records`, `book` and `usi`.
//! - `cli`, the default: all of these, and the rest of the program, [`cli`].
//! - `web`: `session` for the page that a WebAssembly module is loaded by.
//! - `train`: `cli` and `train`.
//! - `tuning`: the parameters of search as USI options.

// What the program alone uses is not gated piece by piece; its own build finds what nothing uses.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports, unreachable_pub))]

#[cfg(feature = "book")]
mod atomic_file;
pub mod bitboard;
#[cfg(feature = "book")]
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "book")]
pub mod datagen;
#[cfg(feature = "session")]
pub mod engine;
pub mod eval;
mod framing;
#[cfg(feature = "session")]
mod language;
pub mod mate;
mod memory;
pub mod movegen;
#[cfg(feature = "book")]
mod open_file;
pub mod position;
#[cfg(feature = "records")]
pub mod records;
#[cfg(feature = "session")]
pub mod report;
pub mod rules;
pub mod search;
mod threads;
#[cfg(feature = "train")]
pub mod train;
pub mod types;
#[cfg(feature = "usi")]
pub mod usi;
#[cfg(all(feature = "web", target_family = "wasm"))]
mod web;
