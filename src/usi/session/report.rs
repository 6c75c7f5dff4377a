//! What `d`, `eval` and `go perft` print. Scripts read these lines.

use std::fmt::Write;

use crate::engine::perft_total;
use crate::eval::EvalReport;
use crate::position::{EnteringKingRule, Position};
use crate::types::{Move, Outcome};
use crate::usi::message::UsiScore;

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
