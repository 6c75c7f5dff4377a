//! Game records of all formats: what is read can be written in every format, and read again.
#![no_main]

use kurosabi::records::{Format, Records, TextEncoding, WriteOptions, encode, write};
use kurosabi::rules::Rules;
use libfuzzer_sys::fuzz_target;

const FORMATS: [Format; 6] = [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Usi, Format::Sfen];

fuzz_target!(|bytes: &[u8]| {
    let Ok(records) = Records::parse(bytes) else { return };
    for record in records.take(5).filter_map(Result::ok) {
        let moves = record.legal_moves();
        let _ = (record.verdict(&Rules::default()), record.contradictions(), record.last_position().is_ok());
        for format in FORMATS {
            let text = write(&record, format, &WriteOptions::default());
            let _ = encode(&text, TextEncoding::ShiftJis);
            let again = Records::parse(text.clone()).map(|mut records| records.next());
            if let (Format::Kif | Format::Csa | Format::Jkf, Ok(Some(Ok(again)))) = (format, &again) {
                assert!(again.legal_moves().starts_with(&moves), "{format:?}: {text}");
            }
        }
    }
});
