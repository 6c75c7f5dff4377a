//! What is written is read again.

use super::strategies::{a_word, any_message};
use super::*;

/// Numbers the variants. One that is added must be added to the strategies as well.
fn variant(message: &UsiMessage) -> usize {
    match message {
        UsiMessage::Usi => 0,
        UsiMessage::IsReady => 2,
        UsiMessage::SetOption { .. } => 3,
        UsiMessage::UsiNewGame => 5,
        UsiMessage::Position(_) => 6,
        UsiMessage::Go(_) => 7,
        UsiMessage::Stop => 8,
        UsiMessage::PonderHit(_) => 9,
        UsiMessage::GameOver(_) => 10,
        UsiMessage::Quit => 11,
        UsiMessage::Display => 12,
        UsiMessage::Eval => 13,
        UsiMessage::Bench { .. } => 14,
        UsiMessage::Id(_) => 15,
        UsiMessage::Option(_) => 16,
        UsiMessage::UsiOk => 17,
        UsiMessage::ReadyOk => 18,
        UsiMessage::BestMove(_) => 19,
        UsiMessage::Checkmate(_) => 20,
        UsiMessage::Info(_) => 21,
        UsiMessage::Unknown(_) => 1,
        UsiMessage::Help => 22,
        UsiMessage::Why(_) => 4,
    }
}

#[test]
fn the_round_trip_covers_every_message() {
    let mut runner = TestRunner::deterministic();
    let seen: HashSet<usize> =
        (0..2000).map(|_| variant(&any_message().new_tree(&mut runner).unwrap().current())).collect();
    assert_eq!(seen.len(), 23);
}

/// Found by the fuzzer: it came back as a blank.
#[test]
fn a_carriage_return_within_a_line_is_a_blank() {
    assert_eq!(parse_one("hello\rthere \r\n"), unknown("hello there"));
    assert_eq!(parse_one("go\rdepth\r3\r"), parse_one("go depth 3"));
    for text in ["info string {}", "setoption name A value {}", "id name {}"] {
        let line = |words: &str| parse_one(&text.replace("{}", words));
        assert_eq!(line("one\rtwo\r"), line("one two"), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_message_survives_the_wire(message in any_message()) {
        let line = message.to_string();
        prop_assert!(!line.contains(['\r', '\n']), "{:?}", line);
        prop_assert_eq!(&parse_one(&line), &message, "{:?}", line);
        prop_assert_eq!(&parse_one(&format!(" {line}\t\r\n")), &message);
        if !matches!(message, UsiMessage::Unknown(_)) {
            prop_assert_eq!(parse_strict(&line), Ok(vec![message]));
        }
    }

    /// Of any text, what was understood of it is stable.
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let message = parse_one(&text);
        prop_assert_eq!(parse_one(&message.to_string()), message);
        prop_assert!(parse(&text).len() <= parse_with_unknown(&text).len());
        let _ = parse_strict(&text);
    }

    #[test]
    fn mangled_messages_are_read(
        message in any_message(),
        extra in prop::collection::vec((any::<prop::sample::Index>(), a_word(&[])), 0..4),
        swap in any::<[prop::sample::Index; 2]>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let line = message.to_string();
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let count = words.len();
        words.swap(swap[0].index(count), swap[1].index(count));
        for (index, word) in extra {
            words.insert(index.index(words.len() + 1), word);
        }
        let whole = words.join(" ");
        let cut: String = whole.chars().take(cut.index(whole.chars().count() + 1)).collect();
        for text in [whole, cut] {
            let message = parse_one(&text);
            prop_assert_eq!(parse_one(&message.to_string()), message, "{:?}", text);
            let _ = parse_strict(&text);
        }
    }
}
