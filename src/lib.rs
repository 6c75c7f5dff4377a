//! Kurosabi (黒錆), a USI shogi engine, as a library.
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
//! ```
//! use kurosabi::movegen::legal_moves;
//! use kurosabi::position::Position;
//! use kurosabi::search::{Signals, SearchLimits, SearchSettings, Searcher, SilentObserver};
//!
//! let mut position = Position::startpos();
//! assert_eq!(legal_moves(&position).len(), 30);
//! position.do_move("7g7f".parse()?);
//!
//! let mut searcher = Searcher::new(1, 16);
//! let limits = SearchLimits { depth: Some(6), ..SearchLimits::default() };
//! let settings = SearchSettings::default();
//! let result = searcher.search(&position, &limits, &settings, &Signals::new(), &SilentObserver);
//! println!("{:?}: {}", result.best_move(), result.lines[0].score.outcome());
//! assert!(position.is_legal(result.best_move().unwrap()));
//! # Ok::<(), kurosabi::types::ParseMoveError>(())
//! ```
//!
//! Moves from outside are made with [`position::Position::try_do_move`], which names the rule that an illegal one
//! breaks; a position with the moves made from it is read by [`rules::GameLine`]. Whole programs are in
//! `tests/examples`, run by `cargo run --release --example NAME`: `legal_moves`, `search`, `usi_client`,
//! `read_network` and `perft`.
//!
//! # Features
//!
//! Without features there are the modules from [`types`] to [`search`], with the network, in 25 crates.
//!
//! - `records`: [`records`].
//! - `book`: [`book`] and [`datagen`].
//! - `usi`: [`usi::message`] and [`usi::parser`].
//! - `memory`: tables in large pages of Linux, and of a size that the machine has memory for.
//! - `cli`, the default: all of these, and what the program is made of: [`report`], [`engine`], [`usi::session`],
//!   [`cli`].
//! - `train`: `cli` and `train`.
//! - `tuning`: the parameters of search as USI options.

// What the program alone uses is not gated piece by piece; its own build finds what nothing uses.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "book")]
mod atomic_file;
pub mod bitboard;
#[cfg(feature = "book")]
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "book")]
pub mod datagen;
#[cfg(feature = "cli")]
pub mod engine;
pub mod eval;
mod framing;
#[cfg(feature = "cli")]
mod language;
pub mod mate;
mod memory;
pub mod movegen;
pub mod position;
#[cfg(feature = "records")]
pub mod records;
#[cfg(feature = "cli")]
pub mod report;
pub mod rules;
pub mod search;
#[cfg(feature = "book")]
mod text_file;
#[cfg(feature = "train")]
pub mod train;
pub mod types;
#[cfg(feature = "usi")]
pub mod usi;
