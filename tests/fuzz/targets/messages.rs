//! What is understood of a line is written and read again as it was.
#![no_main]

use kurosabi::usi::parser::{parse, parse_one, parse_strict, parse_with_unknown};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        let message = parse_one(line);
        let written = message.to_string();
        assert!(!written.contains(['\r', '\n']), "{written:?}");
        assert_eq!(parse_one(&written), message, "{line:?}, written {written:?}");
    }
    assert!(parse(&text).len() <= parse_with_unknown(&text).len());
    if let Ok(messages) = parse_strict(&text) {
        assert_eq!(messages, parse_with_unknown(&text));
    }
});
