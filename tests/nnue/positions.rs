//! Random games to evaluate along, and boards seen from other sides.

use kurosabi::movegen::legal_moves;
use kurosabi::position::{MoveDelta, Position};
use kurosabi::types::{Color, Hand, Move, PieceType, Square};
use rand::{RngExt, SeedableRng, rngs::StdRng};

/// Even, handicap, many pieces in hand, entered kings, few pieces, no own king.
const STARTS: [&str; 7] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "+P+P+P+L1K1+P+P/3+B+R4/9/9/9/9/9/4+r+b3/+p+p1k1+l+p+p+p b 2G2S2N4P2g2s2nl4p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "8k/9/9/4g4/9/9/9/4L4/K8 b Rb3p 1",
    "4k4/9/4p4/9/9/9/9/9/9 b 2R2B4G4S4N4L17P 1",
];

pub(crate) fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// What happens in a random game.
pub(crate) enum Event<'a> {
    Start,
    Made(&'a MoveDelta),
    TakenBack,
}

/// Plays random games, with moves taken back in between, and reports each step.
pub(crate) fn play(seed: u64, games: usize, plies: usize, mut visit: impl FnMut(&Position, Event<'_>, &mut StdRng)) {
    let mut rng = StdRng::seed_from_u64(seed);
    for game in 0..games {
        let mut position = position(STARTS[game % STARTS.len()]);
        visit(&position, Event::Start, &mut rng);
        let mut line: Vec<Move> = Vec::new();
        for _ in 0..plies {
            if rng.random_bool(0.3)
                && let Some(mv) = line.pop()
            {
                position.undo_move(mv);
                visit(&position, Event::TakenBack, &mut rng);
                continue;
            }
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            let mv = choose(&position, &moves, &mut rng);
            let delta = position.do_move(mv);
            line.push(mv);
            visit(&position, Event::Made(&delta), &mut rng);
        }
    }
}

/// Kings' moves and captures more often than by chance.
fn choose(position: &Position, moves: &[Move], rng: &mut StdRng) -> Move {
    let king = position.king_square(position.side_to_move());
    let wanted: Vec<Move> = match rng.random_range(0..4) {
        0 => moves.iter().copied().filter(|mv| mv.from().is_some() && mv.from() == king).collect(),
        1 => moves.iter().copied().filter(|mv| position.piece_on(mv.to()).is_some()).collect(),
        _ => Vec::new(),
    };
    let pool = if wanted.is_empty() { moves } else { &wanted };
    pool[rng.random_range(0..pool.len())]
}

/// The same board with every square seen elsewhere and, where asked, colours exchanged.
fn transformed(position: &Position, square: impl Fn(Square) -> Square, exchange: bool) -> Position {
    let mut rows = vec![vec![None; 9]; 9];
    for at in Square::all() {
        let to = square(at);
        rows[to.rank().index()][8 - to.file().index()] = position.piece_on(at);
    }
    let color = |color: Color| if exchange { !color } else { color };
    let letters = |piece_type: PieceType, color: Color| {
        let plus = if piece_type.is_promoted() { "+" } else { "" };
        let letter = piece_type.letter();
        format!("{plus}{}", if color == Color::Black { letter } else { letter.to_ascii_lowercase() })
    };
    let row = |row: Vec<Option<kurosabi::types::Piece>>| -> String {
        row.into_iter()
            .map(|piece| piece.map_or("1".to_owned(), |piece| letters(piece.piece_type(), color(piece.color()))))
            .collect()
    };
    let board = rows.into_iter().map(row).collect::<Vec<_>>().join("/");
    let hand = |owner: Color| -> String {
        let hand: Hand = position.hand(color(owner));
        hand.iter().map(|(piece_type, count)| format!("{count}{}", letters(piece_type, owner))).collect()
    };
    let hands = format!("{}{}", hand(Color::Black), hand(Color::White));
    let hands = if hands.is_empty() { "-" } else { &hands };
    self::position(&format!("{board} {} {hands} 1", color(position.side_to_move())))
}

/// The board turned half round, with the colours exchanged.
pub(crate) fn turned(position: &Position) -> Position {
    transformed(position, Square::rotated, true)
}

/// The board mirrored left to right.
pub(crate) fn mirrored(position: &Position) -> Position {
    transformed(position, Square::mirrored, false)
}
