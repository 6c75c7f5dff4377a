//! Words for people who start the engine by hand.

/// What to say to somebody at a terminal.
pub const GREETING: &str = concat!(
    "Kurosabi ",
    env!("CARGO_PKG_VERSION"),
    ", a USI shogi engine. It is made to be run by a shogi GUI: add this program there as an engine.\n",
    "Here, type help for what can be typed, or quit to leave."
);

/// What `help` prints.
pub(super) const HELP: &str = "\
The language is USI, which shogi GUIs speak. Each command is one line:
  position startpos moves 7g7f 3c3d   set up a game; or: position sfen <SFEN> moves ...
  d                                   show the position and what the rules say of it
  go movetime 3000                    think for so many milliseconds
  go depth 12, go nodes 100000        think so deep, or so much
  go btime 60000 wtime 60000 byoyomi 5000   think as in a game with these clocks
  go infinite                         think until told to stop
  stop                                answer now
  eval                                the static evaluation of the position
  go perft 4                          count the moves of the rules to this depth
  usi                                 list the options
  setoption name MultiPV value 3      set one of them
  isready                             load what the options ask for
  bench                               search fixed positions, to measure speed
  quit                                leave
In a shell, kurosabi --help tells what else the program does.";
