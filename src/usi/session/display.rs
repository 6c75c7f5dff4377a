//! What `d`, `eval`, `why`, `go perft` and `help` print. Scripts read the lines of all but the last.

use std::fmt::Write as _;
use std::io::Write;

use super::output::Output;
use super::task::Snapshot;
use crate::engine::perft_total;
use crate::eval::EvalReport;
use crate::position::{Declaration, EnteringKingRule, Position};
use crate::rules::{GameEnd, RepetitionWarning, Rules};
use crate::types::{Color, Move, Outcome, ParseMoveError};
use crate::usi::message::{UsiMessage, UsiScore};

/// Answers a question while a task runs, `d` and `eval` about the state that it was begun in.
pub(super) fn answer<W: Write>(output: &Output<W>, question: &UsiMessage, snapshot: Option<&Snapshot>) {
    match (question, snapshot) {
        (UsiMessage::IsReady, _) => output.send(&UsiMessage::ReadyOk),
        (UsiMessage::Display, Some(snapshot)) => output.text(&display(&snapshot.position, snapshot.rule)),
        (UsiMessage::Why(mv), Some(snapshot)) => output.text(&why(&snapshot.position, mv)),
        (UsiMessage::Eval, Some(snapshot)) => output.text(&eval(&snapshot.evaluation.report(&snapshot.position))),
        _ => {}
    }
}

/// The position, and how it stands by the rules.
pub(super) fn display(position: &Position, rule: EnteringKingRule) -> String {
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let declaration = position.declaration(rule);
    let mut lines = vec![
        position.to_string(),
        format!("Sfen: {}", position.to_sfen()),
        format!("Key: {:016x}", position.key()),
        format!("Checkers: {}", checkers.join(" ")),
        format!("Repetition: {}", position.repetition().name()),
        format!("Occurrences: {}", position.occurrences()),
    ];
    if (Rules { king_rule: rule, max_moves: None }).has_tried(position) {
        lines.push(format!("Game over: {}", GameEnd::Try(!position.side_to_move())));
    }
    lines.extend(RepetitionWarning::of(position).map(|warning| format!("Warning: {warning}")));
    for color in Color::ALL {
        let stands = |declaration: Declaration| format!("{color:?} {}: {declaration}", declaration.rule);
        lines.extend(Rules::declarations(position, color).map(stands));
    }
    let result = if declaration.wins {
        "yes"
    } else if declaration.draws {
        "draw"
    } else {
        "no"
    };
    lines.push(format!("Declaration: {rule} {result} {} points {} pieces", declaration.points, declaration.pieces));
    lines.join("\n")
}

/// Whether a move is legal and, if not, which rule it breaks.
pub(super) fn why(position: &Position, mv: &Result<Move, ParseMoveError>) -> String {
    match mv {
        Err(ParseMoveError(text)) => format!("{text:?} is no move in USI notation, such as 7g7f, 8h2b+ or P*5e"),
        Ok(mv) => match position.check_legal(*mv) {
            Ok(()) => format!("{mv} is legal"),
            Err(reason) => format!("{mv} is illegal ({}): {reason}", reason.kind()),
        },
    }
}

/// The static evaluation for the side to move.
pub(super) fn eval(report: &EvalReport) -> String {
    let cp = match report.score.outcome() {
        Outcome::Centipawns(cp) => cp.to_string(),
        decided => UsiScore::from(decided).to_string(),
    };
    format!("Network: {}\nRaw: {}\nEval: {}\nCp: {cp}", report.network, report.raw, report.eval)
}

/// The leaves below each move, and all of them.
pub(super) fn perft(depth: u32, divided: &[(Move, u64)]) -> String {
    let mut text = String::new();
    for (mv, nodes) in divided {
        let _ = writeln!(text, "{mv}: {nodes}");
    }
    let _ = write!(text, "Nodes searched: {}", perft_total(depth, divided));
    text
}

/// Shown to a user who starts the program in a terminal, or with a double click.
pub const GREETING: &str = concat!(
    "Kurosabi ",
    env!("CARGO_PKG_VERSION"),
    ", a USI shogi engine. It is made to be run by a shogi GUI: add this program there as an engine.\n",
    "将棋の思考エンジンです。ShogiHome、ShogiGUI、将棋所などの将棋ソフトに登録してお使いください。\n",
    "Here, type help for a list of commands, or quit to leave (終了するには quit と入力)."
);

/// What `help` prints.
pub(super) const HELP: &str = "\
These are commands of USI, the protocol of shogi GUIs. Each is one line:
  position startpos moves 7g7f 3c3d   set up a game; or: position sfen <SFEN> moves ...
  d                                   show the position, and how the rules apply to it
  why P*5e                            tell whether a move is legal there and, if not, which rule it breaks
  go movetime 3000                    think for this many milliseconds
  go depth 12, go nodes 100000        think to this depth, or for this many nodes
  go btime 60000 wtime 60000 byoyomi 5000   think as in a game with these clocks
  go mate 10000                       look for a mate, for at most this many milliseconds
  go infinite                         think until told to stop
  stop                                answer now
  eval                                show the static evaluation of the position
  go perft 4                          count the sequences of legal moves of this length
  usi                                 list the options
  setoption name MultiPV value 3      set one of them
  isready                             apply the options: load files, allocate memory
  bench                               search fixed positions, to measure speed
  quit                                leave
In a shell, kurosabi --help lists what else the program can do.";
