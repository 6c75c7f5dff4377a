//! The engine without its protocol.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use kurosabi::engine::{Decision, Engine};
use kurosabi::search::{SearchControl, SearchInfo, SearchLimits, SearchObserver, SilentObserver};

/// Fails at the first line of a search, on the thread that searches.
#[derive(Default)]
struct Saboteur {
    done: AtomicBool,
    messages: Mutex<Vec<String>>,
}

impl SearchObserver for Saboteur {
    fn on_info(&self, _: &SearchInfo) {
        assert!(self.done.swap(true, Ordering::SeqCst), "sabotage");
    }

    fn on_message(&self, text: &str) {
        self.messages.lock().unwrap().push(text.to_owned());
    }
}

#[test]
fn a_panic_in_the_search_still_gives_a_legal_move() {
    for threads in ["1", "2"] {
        let mut engine = Engine::new();
        engine.set_option("USI_Hash", Some("1")).unwrap();
        engine.set_option("Threads", Some(threads)).unwrap();
        let limits = SearchLimits { depth: Some(12), ..SearchLimits::default() };
        let saboteur = Saboteur::default();
        let answer = engine.go(&limits, &SearchControl::new(), &saboteur);
        let Decision::Play { best, .. } = answer.decision else { panic!("{answer:?}") };
        assert!(engine.position().is_legal(best));
        let messages = saboteur.messages.into_inner().unwrap();
        assert!(matches!(messages.as_slice(), [text] if text.contains("sabotage")), "{messages:?}");
        // The next search is as good as any.
        let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
        assert_eq!(engine.go(&limits, &SearchControl::new(), &SilentObserver).lines[0].depth, 3);
    }
}
