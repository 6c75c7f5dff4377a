//! Files that are no records, or broken ones: an error that says where and what, and nothing worse.

use std::io::{self, Read};

use kurosabi::records::{Problem, Records};
use proptest::prelude::*;

use crate::failure;

#[test]
fn other_files_are_named() {
    assert_eq!(failure(b"PK\x03\x04rest of it".to_vec()).to_string(), "a ZIP archive, not a game record");
    assert_eq!(failure(b"\x1f\x8b\x08\x00".to_vec()).to_string(), "a gzip file, not a game record");
    assert_eq!(failure(b"MZ\x90\x00\x03\x00".to_vec()).to_string(), "a binary file, not a game record");
    assert_eq!(failure("").problem, Problem::Empty);
    assert_eq!(failure("\n\n  \n").problem, Problem::Empty);
    assert!(matches!(failure("Dear all,\nhow are you?\n").problem, Problem::UnknownFormat(_)));
    assert!(matches!(failure("<html><body>404</body></html>").problem, Problem::UnknownFormat(_)));
}

#[test]
fn broken_text_names_its_line() {
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    // Cut within a character, and within a move.
    let cut = &kif.as_bytes()[..kif.len() - 12];
    let error = failure(cut.to_vec());
    assert_eq!((error.line, error.problem), (3, Problem::Encoding("UTF-8")));
    let error = failure(&kif[..kif.len() - 4]);
    assert_eq!(error.to_string(), "line 3: KIF: expected a move such as ７六歩(77) or ５五角打, found \"2 ３四歩(\"");
    let error = failure(kif.replace("   2", "   3"));
    assert_eq!(error.to_string(), "line 3: KIF: expected the next move's number, found \"3 ３四歩(33)\"");
    let error = failure("V2.2\nPI\n+\n+7776FU\n+2726FU\n");
    assert_eq!(error.to_string(), "line 5: CSA: expected a move of White (-), found \"+2726FU\"");
    let error = failure("{\"header\":{},\n\"moves\":[{},\n");
    assert!(error.line >= 2 && error.to_string().contains("JSON"), "{error}");
    for (json, missing) in [
        (r#"{"foo":1}"#, "missing field `moves`"),
        (r#"{"header":{"先手":"山田"}}"#, "missing field `moves`"),
        (r#"{"moves":{}}"#, "invalid type: map, expected a sequence"),
        (r#"{"header":[],"moves":[{}]}"#, "expected an object"),
        (r#"{"initial":{},"moves":[{}]}"#, "a preset such as HIRATE, or a board"),
    ] {
        let error = failure(json).to_string();
        assert!(error.contains("JKF: expected") && error.contains(missing), "{error}");
    }
    let error = failure("手合割：平手\n▲７六歩△３四歩▲５五\n");
    assert_eq!(error.line, 2);
    let error = failure(format!("{kif}変化：4000000000十手\n"));
    assert_eq!(error.line, 4);
}

/// A line without end, never in memory as a whole.
struct Endless {
    start: &'static [u8],
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.start.is_empty() {
            return self.start.read(buffer);
        }
        let n = buffer.len().min(self.left);
        buffer[..n].fill(b'7');
        self.left -= n;
        Ok(n)
    }
}

#[test]
fn a_line_of_a_hundred_megabytes_is_passed_over() {
    let start = b"startpos moves 7g7f\nstartpos moves ";
    let rest = io::Cursor::new(b"\nstartpos moves 2g2f\n".to_vec());
    let records = Records::open(Endless { start, left: 100 << 20 }.chain(rest)).unwrap();
    let records: Vec<_> = records.collect();
    assert_eq!(records.len(), 3);
    assert_eq!(records[1].as_ref().unwrap_err().to_string(), "line 2: the line is longer than 1 MiB");
    assert_eq!(records[2].as_ref().unwrap().legal_moves().len(), 1);
    let error = Records::open(Endless { start: "手合割：平手\n*".as_bytes(), left: 100 << 20 }).err().unwrap();
    assert!(matches!(error.problem, Problem::TooLarge(_)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any change of a good file gives records or errors, never a panic.
    #[test]
    fn damaged_records_never_panic(which in 0..SAMPLES.len(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..6)) {
        let mut bytes = SAMPLES[which].as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.truncate(at + 1),
                2 => { bytes.remove(at); }
                _ => bytes.extend_from_within(at..),
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Ok(records) = Records::parse(bytes) {
            records.take(20).for_each(drop);
        }
    }

    /// So does any change of a character.
    #[test]
    fn changed_characters_never_panic(which in 0..SAMPLES.len(), at in any::<prop::sample::Index>(), from in any::<prop::sample::Index>()) {
        let mut text: Vec<char> = SAMPLES[which].chars().collect();
        let (at, from) = (at.index(text.len()), from.index(text.len()));
        text[at] = text[from];
        if let Ok(records) = Records::parse(text.into_iter().collect::<String>()) {
            records.take(20).for_each(drop);
        }
    }
}

const SAMPLES: [&str; 5] = [
    "手合割：二枚落ち\n上手：甲\n*注\n   1 ６二銀(71) ( 0:01/00:00:01)\n   2 ７六歩(77)+\n   3 ５四歩(53)\n\n変化：2手\n   2 ５六歩(57)\n   3 投了\n",
    "後手の持駒：飛　金四　歩十二\n| ・ ・ ・ ・v玉 ・ ・ ・v香|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ と ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n先手の持駒：角　桂\n▲４三桂 △６二玉 ▲５二と 変化：2手\n",
    "V2.2\nN+A\n$EVENT:x\nP1 *  *  *  * -OU *  *  *  * \nP9 *  *  *  * +OU *  *  *  * \nP+00HI55TO\nP-00AL\n+\n+5554TO,T1\n-5161OU\n%TORYO\n",
    r#"{"header":{"a":"b"},"initial":{"preset":"OTHER","data":{"color":0,"board":[[{"color":1,"kind":"OU"}]],"hands":[{"FU":1},{}]}},"moves":[{},{"move":{"to":{"x":5,"y":5},"piece":"FU"}},{"special":"TORYO"}]}"#,
    "position startpos moves 7g7f 3c3d 8h2b+ resign\nsfen 4k4/9/9/9/9/9/9/9/4K4 b R2P 1 moves R*5b\nhandicap:六枚落ち\n",
];
