//! What was found of a problem, and its soundness in words.

use crate::mate::{MateResult, Soundness};

/// What was found of a problem.
#[derive(Default)]
pub(super) struct Finding {
    /// From 1, over all files.
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) sfen: String,
    pub(super) result: Option<MateResult>,
    pub(super) soundness: Option<Soundness>,
    pub(super) error: Option<String>,
}

/// What an examination found, a line for each kind of thing.
pub(super) fn soundness_lines(soundness: &Soundness) -> Vec<String> {
    let first = soundness.first_moves.iter().map(|first| format!("{} ({})", first.mv, first.plies));
    let cook = |minor: bool| {
        let cooks = soundness.cooks.iter().filter(move |cook| cook.is_minor == minor);
        cooks.map(|cook| format!("{} at move {}", cook.mv, cook.number)).collect()
    };
    let left = soundness.left_over;
    let traps = soundness.drop_pawn_mates.iter().map(|(number, to)| format!("P*{to} at move {number}"));
    let unanswered = (soundness.unanswered > 0).then(|| soundness.unanswered.to_string());
    let verdict = match soundness.is_sound() {
        Some(true) => "sound",
        Some(false) => "not sound",
        None => "not known: some questions are beyond the limits",
    };
    let kinds: [(&str, Vec<String>); 8] = [
        ("first moves that mate, with plies", first.collect()),
        ("other solutions (余詰)", cook(false)),
        ("other moves by custom allowed", cook(true)),
        ("left over (駒余り)", (!left.is_empty()).then(|| left.to_string()).into_iter().collect()),
        ("not needed", unneeded(soundness)),
        ("pawn drop would mate (打ち歩詰め)", traps.collect()),
        ("questions beyond the limits", unanswered.into_iter().collect()),
        ("verdict", vec![verdict.to_owned()]),
    ];
    let told = kinds.into_iter().filter(|(_, items)| !items.is_empty());
    told.map(|(title, items)| format!("{title}: {}", items.join(", "))).collect()
}

/// Pieces as SFEN letters with their squares, or with `*` when in hand.
pub(super) fn unneeded(soundness: &Soundness) -> Vec<String> {
    let place =
        |square: &Option<_>| square.map_or_else(|| "*".to_owned(), |square: crate::types::Square| square.to_string());
    soundness.unneeded.iter().map(|(piece, square)| format!("{piece}{}", place(square))).collect()
}
