//! Moves as people write them.

use kurosabi::position::Position;
use kurosabi::records::notation::Notation;
use kurosabi::types::{Move, Square};

fn write(notation: Notation, sfen: &str, mv: &str, last: Option<&str>) -> String {
    let position = Position::from_sfen(sfen).unwrap();
    let mv: Move = mv.parse().unwrap();
    assert!(position.is_legal(mv), "{sfen} {mv}");
    notation.write(&position.setup(), mv, last.map(|square| square.parse::<Square>().unwrap()))
}

/// The examples of the Japan Shogi Association's page on notation.
#[test]
fn the_words_of_the_association_distinguish_pieces() {
    let cases = [
        // Golds at 9c and 7b; 8b is free.
        ("k8/2G6/G8/9/9/9/9/9/8K b - 1", &[("9c8b", "▲８二金上"), ("7b8b", "▲８二金寄")][..]),
        // Golds at 4c and 2b.
        ("k8/7G1/5G3/9/9/9/9/9/8K b - 1", &[("4c3b", "▲３二金上"), ("2b3b", "▲３二金寄")]),
        // Golds at 5e and 4e above and beside 4d.
        ("k8/9/9/5S3/4GG3/9/9/9/8K b - 1", &[("5e5d", "▲５四金直"), ("4e5d", "▲５四金右")]),
        // Silvers at 2i and 1g.
        ("k8/9/9/9/9/9/8S/9/K6S1 b - 1", &[("2i2h", "▲２八銀上"), ("1g2h", "▲２八銀引")]),
        // Silvers below the same square.
        ("9/9/9/k8/9/9/9/9/1KS1S4 b - 1", &[("7i6h", "▲６八銀左"), ("5i6h", "▲６八銀右")]),
        // A tokin from five sides.
        (
            "7k1/9/2+P+P5/3+P+P+P3/9/9/9/9/K8 b - 1",
            &[("6d5c", "▲５三と左上"), ("5d5c", "▲５三と直"), ("4d5c", "▲５三と右"), ("6c5c", "▲５三と寄")],
        ),
        // Four silvers around 7g.
        (
            "k8/9/9/9/9/1S1S5/9/1S1S5/8K b - 1",
            &[("8h7g", "▲７七銀左上"), ("6h7g", "▲７七銀右上"), ("8f7g", "▲７七銀左引"), ("6f7g", "▲７七銀右引")],
        ),
        // Dragons: never 直.
        ("+R8/9/9/1+R7/9/9/9/9/8K b - 1", &[("9a8b", "▲８二竜引"), ("8d8b", "▲８二竜上")]),
        ("9/4+R4/7+R1/9/9/9/9/9/k7K b - 1", &[("2c4c", "▲４三竜寄"), ("5b4c", "▲４三竜引")]),
        ("k8/9/9/9/4+R3+R/9/9/9/K8 b - 1", &[("5e3e", "▲３五竜左"), ("1e3e", "▲３五竜右")]),
        ("k8/9/9/9/9/9/9/8+R/K6+R1 b - 1", &[("2i1i", "▲１九竜寄"), ("1h1i", "▲１九竜引")]),
        // Horses below the same square.
        ("9/k8/9/9/9/9/9/9/+B+B6K b - 1", &[("9i8h", "▲８八馬左"), ("8i8h", "▲８八馬右")]),
    ];
    for (sfen, moves) in cases {
        for (mv, text) in moves {
            assert_eq!(write(Notation::Japanese, sfen, mv, None), *text, "{sfen} {mv}");
        }
    }
}

#[test]
fn every_notation_writes_captures_drops_and_promotions() {
    let board = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    for (notation, text) in [
        (Notation::Usi, "8h2b+"),
        (Notation::Japanese, "▲２二角成"),
        (Notation::Western, "Bx2b+"),
        (Notation::Numeric, "Bx22+"),
        (Notation::Kif, "２二角成(88)"),
    ] {
        assert_eq!(write(notation, board, "8h2b+", None), text);
    }
    for (notation, text) in
        [(Notation::Japanese, "▲同　角不成"), (Notation::Western, "Bx2b="), (Notation::Kif, "同　角(88)")]
    {
        assert_eq!(write(notation, board, "8h2b", Some("2b")), text);
    }
    let golds = "4k4/9/9/9/9/9/9/9/2KG1G3 b GP 1";
    for (mv, japanese, western, numeric) in [
        ("6i5h", "▲５八金左", "G6i-5h", "G69-58"),
        ("4i5h", "▲５八金右", "G4i-5h", "G49-58"),
        ("G*5h", "▲５八金打", "G*5h", "G*58"),
        ("P*5e", "▲５五歩", "P*5e", "P*55"),
    ] {
        assert_eq!(write(Notation::Japanese, golds, mv, None), japanese);
        assert_eq!(write(Notation::Western, golds, mv, None), western);
        assert_eq!(write(Notation::Numeric, golds, mv, None), numeric);
    }
    assert_eq!(write(Notation::Japanese, "4k4/9/9/9/4+P4/9/9/9/2K6 w - 1", "5a4b", None), "△４二玉");
    assert_eq!(write(Notation::Western, "4k4/9/4+N4/9/9/9/9/9/2K6 b - 1", "5c4c", None), "+N-4c");
    // A move from an empty square.
    for (notation, text) in [
        (Notation::Western, "5e-5d"),
        (Notation::Numeric, "55-54"),
        (Notation::Japanese, "▲５四(55)"),
        (Notation::Kif, "５四(55)"),
    ] {
        assert_eq!(notation.write(&Position::startpos().setup(), "5e5d".parse().unwrap(), None), text);
    }
}

/// The examples of Wikipedia's article on shogi notation, in Hodges' notation and with ranks as numbers.
#[test]
fn western_notation_is_that_of_its_public_description() {
    for (sfen, mv, western, numeric) in [
        // All five parts: piece, origin, movement, destination, promotion.
        ("4k4/2S6/1p7/S8/9/9/9/9/4K4 b - 1", "7b8c+", "S7bx8c+", "S72x83+"),
        ("4k4/9/9/9/9/9/2G6/3G5/2G1K4 b - 1", "7g7h", "G7g-7h", "G77-78"),
        ("4k4/9/9/9/9/9/2G6/3G5/2G1K4 b - 1", "6h7h", "G6h-7h", "G68-78"),
        ("4k4/9/9/9/9/9/2G6/3G5/2G1K4 b - 1", "7i7h", "G7i-7h", "G79-78"),
        ("4k4/9/2p6/9/1N7/9/9/9/4K4 b - 1", "8e7c", "Nx7c=", "Nx73="),
        ("4k4/9/9/7p1/9/9/9/7+R1/4K4 b - 1", "2h2d", "+Rx2d", "+Rx24"),
        ("4k4/7S1/9/9/9/9/9/9/4K4 b - 1", "2b2a+", "S-2a+", "S-21+"),
        ("4k4/7S1/9/9/9/9/9/9/4K4 b - 1", "2b2a", "S-2a=", "S-21="),
        ("4k4/9/9/9/3N1N3/9/9/9/4K4 b - 1", "6e5c+", "N6e-5c+", "N65-53+"),
    ] {
        assert_eq!(write(Notation::Western, sfen, mv, None), western);
        assert_eq!(write(Notation::Numeric, sfen, mv, None), numeric);
    }
    let mut position = Position::startpos();
    let opening = [
        ("7g7f", "P-7f"),
        ("3c3d", "P-3d"),
        ("2g2f", "P-2f"),
        ("4a3b", "G-3b"),
        ("2f2e", "P-2e"),
        ("2b8h+", "Bx8h+"),
        ("7i8h", "Sx8h"),
        ("3a2b", "S-2b"),
    ];
    for (mv, western) in opening {
        assert_eq!(write(Notation::Western, &position.to_sfen(), mv, None), western);
        position.do_move(mv.parse().unwrap());
    }
}
