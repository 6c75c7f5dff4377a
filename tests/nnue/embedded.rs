//! The network in the program: what would show wrong signs and indices at once.

use kurosabi::eval::Evaluation;
use kurosabi::position::Position;

use super::positions::{mirrored, play, position, turned};

fn eval(position: &Position) -> i32 {
    Evaluation::default().report(position).eval
}

#[test]
fn the_embedded_network_is_a_kuro_network() {
    let network = Evaluation::default().report(&Position::startpos()).network;
    assert!(network.starts_with("Kurosabi Ka_hm"), "{network}");
}

#[test]
fn odds_are_worth_what_they_are_worth() {
    let even = eval(&Position::startpos());
    assert!(even.abs() < 100, "{even}");
    // The side to move is a piece up, or down; in hand or on the board.
    let odds = [
        ("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 500..3000, "rook odds"),
        ("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1", 900..4000, "a rook in hand"),
        ("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b B 1", 700..4000, "a bishop in hand"),
        ("lnsgkgsnl/1r5b1/1pppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1", 50..500, "a pawn in hand"),
        ("ln1gkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b S 1", 250..2000, "a silver in hand"),
    ];
    for (sfen, range, name) in odds {
        let ahead = position(sfen);
        let value = eval(&ahead);
        assert!(range.contains(&value), "{name}: {value}");
        let behind = position(&sfen.replace(" b ", " w "));
        assert!(eval(&behind) < -range.start / 2, "{name}, the other side to move: {}", eval(&behind));
    }
}

#[test]
fn both_sides_and_both_wings_are_alike() {
    play(11, 14, 80, |position, _, rng| {
        if rand::RngExt::random_bool(rng, 0.1) {
            let value = eval(position);
            assert_eq!(eval(&turned(position)), value, "{}", position.to_sfen());
            let on_middle_file = kurosabi::types::Color::ALL
                .into_iter()
                .any(|color| position.king_square(color).is_none_or(|king| king.file().index() == 4));
            if !on_middle_file {
                assert_eq!(eval(&mirrored(position)), value, "{}", position.to_sfen());
            }
        }
    });
}
