//! What `d`, `eval` and `go perft` print. Scripts read these lines.

use std::fmt::Write as _;
use std::io::Write;

use super::output::Output;
use super::queue::Snapshot;
use crate::engine::perft_total;
use crate::eval::EvalReport;
use crate::position::{EnteringKingRule, Position};
use crate::types::{Move, Outcome};
use crate::usi::message::{UsiMessage, UsiScore};

/// Answers a question while a task runs, `d` and `eval` about the state that it was begun in.
pub(super) fn answer<W: Write>(output: &Output<W>, question: &UsiMessage, snapshot: Option<&Snapshot>) {
    match (question, snapshot) {
        (UsiMessage::IsReady, _) => output.send(&UsiMessage::ReadyOk),
        (UsiMessage::Display, Some(snapshot)) => output.text(&display(&snapshot.position, snapshot.rule)),
        (UsiMessage::Eval, Some(snapshot)) => output.text(&eval(&snapshot.evaluation.report(&snapshot.position))),
        _ => {}
    }
}

/// The position, and how it stands by the rules.
pub(super) fn display(position: &Position, rule: EnteringKingRule) -> String {
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let declaration = position.declaration(rule);
    let wins = if declaration.wins { "yes" } else { "no" };
    let lines = [
        position.to_string(),
        format!("Sfen: {}", position.to_sfen()),
        format!("Key: {:016x}", position.key()),
        format!("Checkers: {}", checkers.join(" ")),
        format!("Repetition: {}", position.repetition().name()),
        format!("Declaration: {rule} {wins} {} points {} pieces", declaration.points, declaration.pieces),
    ];
    lines.join("\n")
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
