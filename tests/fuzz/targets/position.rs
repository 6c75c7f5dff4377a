//! An SFEN, and moves as bytes that choose among the legal ones: the board against a second set of rules. After a
//! second line end there are moves as text, legal or not.
#![no_main]

#[path = "../../board/twin/rules.rs"]
mod rules;

use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::rules::GameLine;
use kurosabi::types::Move;
use libfuzzer_sys::fuzz_target;

/// The second rules are slow.
const PLIES: usize = 40;

fn play(mut position: Position, choices: &[u8]) {
    let start = position.to_sfen();
    let mut twin = rules::Twin::from_sfen(&start);
    let mut played = Vec::new();
    for &choice in choices.iter().take(PLIES) {
        let moves = twin.check(&position);
        if moves.is_empty() {
            break;
        }
        let mv = moves[usize::from(choice) * moves.len() / 256];
        twin.follow(&mut position, mv);
        played.push(mv);
    }
    played.into_iter().rev().for_each(|mv| position.undo_move(mv));
    assert_eq!(position.to_sfen(), start);
}

/// Words as moves: made exactly when they are in the list of legal ones.
fn words(mut position: Position, text: &str) {
    for word in text.split_whitespace() {
        let Ok(mv) = word.parse::<Move>() else { continue };
        assert_eq!(mv.to_string().parse(), Ok(mv), "{word}");
        let listed = legal_moves(&position).contains(&mv);
        assert_eq!(position.is_legal(mv), listed, "{} {mv}", position.to_sfen());
        let before = position.to_sfen();
        assert_eq!(position.try_do_move(mv).is_ok(), listed, "{before} {mv}");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.splitn(3, |&byte| byte == b'\n');
    let mut next = || lines.next().unwrap_or_default();
    let (sfen, choices, text) = (next(), next(), next());
    let (sfen, text) = (String::from_utf8_lossy(sfen), String::from_utf8_lossy(text));
    if let Ok(position) = Position::from_sfen(&sfen) {
        play(position.clone(), choices);
        words(position, &text);
    }
    // As people paste it: position, startpos, sfen or none of these words.
    let _ = sfen.parse::<GameLine>();
    let _ = format!("startpos moves {text}").parse::<GameLine>();
});
