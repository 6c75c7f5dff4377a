//! SFEN in and out.

use kurosabi::position::{Handicap, Position, STARTPOS_SFEN, SfenError};
use kurosabi::types::{Color, PieceType, Square};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};

use crate::games::visit_positions;
use crate::squares::position;

fn error(sfen: &str) -> SfenError {
    Position::from_sfen(sfen).expect_err(sfen)
}

/// Asserts the kind of error and that its text says what a user needs to find the mistake.
macro_rules! refused {
    ($sfen:expr, $pattern:pat, $($part:expr),+) => {{
        let error = error($sfen);
        assert!(matches!(error, $pattern), "{} gives {error:?}", $sfen);
        let text = error.to_string();
        $(assert!(text.contains($part), "{text:?} should say {:?}", $part);)+
    }};
}

#[test]
fn a_missing_field_is_named() {
    refused!("", SfenError::MissingField(_, _), "board");
    refused!("4k4/9/9/9/9/9/9/9/4K4", SfenError::MissingField(_, _), "no side to move");
    refused!("4k4/9/9/9/9/9/9/9/4K4 b", SfenError::MissingField(_, _), "hands");
}

#[test]
fn text_after_the_move_number_is_named() {
    refused!("4k4/9/9/9/9/9/9/9/4K4 b - 1 7g7f", SfenError::ExtraField(_), "\"7g7f\"");
}

#[test]
fn the_board_has_nine_ranks_of_nine() {
    refused!("4k4/9/9/9/9/9/9/4K4 b - 1", SfenError::RankCount(_, 8), "8 ranks");
    refused!("4k4/9/9/9/9/9/9/9/9/4K4 b - 1", SfenError::RankCount(_, 10), "10 ranks");
    refused!("4k4/9/9/9/8/9/9/9/4K4 b - 1", SfenError::RankWidth(_, 8), "\"8\"", "8 squares");
    refused!("4k4/9/9/9/9P/9/9/9/4K4 b - 1", SfenError::RankWidth(_, 10), "\"9P\"", "10 squares");
    refused!("4k4/9/9/9//9/9/9/4K4 b - 1", SfenError::RankWidth(_, 0), "0 squares");
    refused!("4k5/9/9/9/9/9/9/9/4K4 b - 1", SfenError::RankWidth(_, 10), "\"4k5\"");
}

#[test]
fn unknown_pieces_are_named() {
    refused!("4k4/9/9/4X4/9/9/9/9/4K4 b - 1", SfenError::UnknownPiece(_, _), "\"4X4\"", "\"X\"");
    refused!("4k4/9/9/4歩4/9/9/9/9/4K4 b - 1", SfenError::UnknownPiece(_, _), "\"歩\"");
    refused!("4k4/9/9/4+G4/9/9/9/9/4K4 b - 1", SfenError::UnknownPiece(_, _), "\"+G\"");
    refused!("4+k4/9/9/9/9/9/9/9/4K4 b - 1", SfenError::UnknownPiece(_, _), "\"+k\"");
    refused!("4k4/9/9/4++P4/9/9/9/9/4K4 b - 1", SfenError::UnknownPiece(_, _), "\"++\"");
    refused!("4k4/9/9/4+5/9/9/9/9/4K4 b - 1", SfenError::UnknownPiece(_, _), "\"+5\"");
    refused!("4k4/9/9/9+/9/9/9/9/4K4 b - 1", SfenError::UnknownPiece(_, _), "\"+\"");
    refused!("4k4/9/9/0/9/9/9/9/4K4 b - 1", SfenError::UnknownPiece(_, _), "\"0\"");
}

#[test]
fn the_side_to_move_is_b_or_w() {
    refused!("4k4/9/9/9/9/9/9/9/4K4 B - 1", SfenError::SideToMove(_), "\"B\"");
    refused!("4k4/9/9/9/9/9/9/9/4K4 black - 1", SfenError::SideToMove(_), "\"black\"");
}

#[test]
fn unreadable_hands_are_named() {
    for hands in ["X", "K", "2k", "P-", "2", "P2", "AP", "0P", "02P", "100P", "--", "+P", "歩", "２P"] {
        refused!(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1"), SfenError::Hand(_), hands);
    }
}

#[test]
fn the_move_number_is_a_number() {
    for number in ["x", "-1", "1.5", "+1", "99999999999999999999", "4294967295"] {
        refused!(&format!("4k4/9/9/9/9/9/9/9/4K4 b - {number}"), SfenError::MoveNumber(_), number);
    }
}

#[test]
fn a_set_has_so_many_pieces_and_no_more() {
    refused!("4k4/9/9/9/9/9/9/9/4K4 b 3R 1", SfenError::TooManyPieces('R', 3, 2), "3 pieces of type R", "2");
    refused!("4k4/9/9/9/9/9/9/9/4K4 b Rr2r 1", SfenError::TooManyPieces('R', ..), "type R");
    refused!("4k4/9/9/4+R4/9/9/9/9/4K4 b Rr 1", SfenError::TooManyPieces('R', 3, 2), "type R");
    refused!("4k4/9/9/9/9/9/9/9/4K4 b 19P 1", SfenError::TooManyPieces('P', 19, 18), "19 pieces of type P");
    refused!("4k4/9/9/9/9/9/9/9/4K4 b 99P 1", SfenError::TooManyPieces('P', 99, 18), "99 pieces of type P");
    refused!("4k4/9/9/9/9/9/9/9/4K4 b 9P10p 1", SfenError::TooManyPieces('P', 19, 18), "type P");
    refused!("4k4/+P+p+p6/9/9/9/9/9/9/4K4 b 16P 1", SfenError::TooManyPieces('P', 19, 18), "type P");
    for (kind, letter) in [(5, 'G'), (5, 'S'), (5, 'N'), (5, 'L'), (3, 'B')] {
        let sfen = format!("4k4/9/9/9/9/9/9/9/4K4 b {kind}{letter} 1");
        assert!(matches!(error(&sfen), SfenError::TooManyPieces(l, ..) if l == letter), "{sfen}");
    }
    // The whole set is fine.
    position("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1");
    position("4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1");
}

#[test]
fn kings() {
    refused!("9/9/9/9/9/9/9/9/9 b - 1", SfenError::NoKing, "no king");
    refused!("4k4/9/9/9/9/9/9/9/3K1K3 b - 1", SfenError::SeveralKings(Color::Black), "Black", "more than one king");
    refused!("k7k/9/9/9/9/9/9/9/4K4 b - 1", SfenError::SeveralKings(Color::White), "White");
}

#[test]
fn one_king_boards_are_tsume_boards() {
    let tsume = position("4k4/9/4P4/9/9/9/9/9/9 b 2G 1");
    assert_eq!(tsume.king_square(Color::Black), None);
    assert_eq!(tsume.king_square(Color::White), Some("5a".parse().unwrap()));
    assert_eq!(tsume.to_sfen(), "4k4/9/4P4/9/9/9/9/9/9 b 2G 1");
    assert_eq!(position("9/9/9/9/9/9/9/9/4K4 w 2g 1").king_square(Color::White), None);
}

#[test]
fn nifu_is_two_unpromoted_pawns_of_one_player() {
    refused!("4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1", SfenError::Nifu(Color::Black, _), "Black", "file 5");
    refused!("4k4/8p/9/9/9/9/8p/9/4K4 b - 1", SfenError::Nifu(Color::White, _), "White", "file 1");
    refused!("4k4/p8/9/9/9/9/p8/9/4K4 b - 1", SfenError::Nifu(Color::White, _), "file 9");
    position("4k4/9/9/4p4/9/4P4/9/9/4K4 b - 1");
    position("4k4/9/9/4+P4/9/4P4/4+P4/9/4K4 b - 1");
}

#[test]
fn pieces_that_could_never_move_are_named() {
    for (rank, piece) in [(0, 'P'), (0, 'L'), (0, 'N'), (1, 'N'), (8, 'p'), (8, 'l'), (8, 'n'), (7, 'n')] {
        let mut ranks = ["9"; 9].map(String::from);
        ranks[4] = "k7K".to_owned();
        ranks[rank] = format!("2{piece}6");
        let square = format!("7{}", char::from(b'a' + rank as u8));
        refused!(&format!("{} b - 1", ranks.join("/")), SfenError::ImmobilePiece(_, _), &square, &piece.to_string());
    }
    // Promoted, on the last rank but one, or on the player's own back rank they are fine.
    position("+P+L+N1k4/PL7/2N6/9/9/9/2n6/pl7/+p+l+n1K4 b - 1");
    position("pln1k4/9/9/9/9/9/9/9/PLN1K4 b - 1");
}

#[test]
fn the_side_that_moved_is_not_in_check() {
    refused!("4k4/4G4/9/9/9/9/9/9/4K4 b - 1", SfenError::OpponentInCheck(Color::White), "White is in check");
    refused!("4k4/9/9/9/9/9/4n4/9/3K5 w - 1", SfenError::OpponentInCheck(Color::Black), "Black is in check");
    refused!("4k4/4K4/9/9/9/9/9/9/9 b - 1", SfenError::OpponentInCheck(Color::White), "White");
    refused!("4k4/9/9/9/4L4/9/9/9/9 b - 1", SfenError::OpponentInCheck(Color::White), "White");
    // The side to move may be.
    let checked = position("4k4/4G4/9/9/9/9/9/9/4K4 w - 1");
    assert!(checked.in_check());
    assert_eq!(checked.checkers().into_iter().collect::<Vec<_>>(), ["5b".parse::<Square>().unwrap()]);
}

#[test]
fn the_move_number_may_be_missing_and_blanks_do_not_matter() {
    let start = Position::startpos();
    assert_eq!(Position::from_sfen(STARTPOS_SFEN.trim_end_matches(" 1")), Ok(start.clone()));
    assert_eq!(Position::from_sfen(&format!("  {}\t", STARTPOS_SFEN.replace(' ', "   "))), Ok(start));
    assert_eq!(position("4k4/9/9/9/9/9/9/9/4K4 w - 117").game_ply(), 117);
}

#[test]
fn a_large_move_number_leaves_room_to_play() {
    let mut late = position("4k4/9/9/9/9/9/9/9/4K4 b - 1000000");
    crate::squares::play(&mut late, "5i5h 5a5b");
    assert_eq!(late.game_ply(), 1_000_002);
    assert_eq!(position(&late.to_sfen()).game_ply(), 1_000_000, "what is written can be read");
}

#[test]
fn hands_are_read_in_any_order_and_written_in_one() {
    for hands in ["RB2G17Prbp", "prbPRBGG16P", "17P2GBRpbr", "pR8PrB9PbGG"] {
        let read = position(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands}"));
        assert_eq!(read.to_sfen(), "4k4/9/9/9/9/9/9/9/4K4 b RB2G17Prbp 1", "{hands}");
        assert_eq!(read.hand(Color::Black).count(PieceType::Pawn), 17);
        assert_eq!(read.hand(Color::White).count(PieceType::Pawn), 1);
    }
}

#[test]
fn positions_of_games_survive_the_round_trip() {
    visit_positions(2, 360, |before, _, rng| {
        let sfen = before.to_sfen();
        let read = position(&sfen);
        assert_eq!(read, *before, "{sfen}");
        assert_eq!(read.to_sfen(), sfen);
        assert_eq!(read.key(), before.key(), "{sfen}");
        assert_eq!(read.checkers(), before.checkers(), "{sfen}");

        let shuffled = shuffle_hands(&sfen, rng);
        assert_eq!(position(&shuffled), *before, "{shuffled}");
    });
}

/// The same position with every piece in hand written alone, in a random order.
fn shuffle_hands(sfen: &str, rng: &mut StdRng) -> String {
    let fields: Vec<&str> = sfen.split(' ').collect();
    let mut pieces = Vec::new();
    let mut count = String::new();
    for c in fields[2].chars() {
        if c.is_ascii_digit() {
            count.push(c);
        } else if c != '-' {
            pieces.extend(std::iter::repeat_n(c, count.parse().unwrap_or(1)));
            count.clear();
        }
    }
    pieces.shuffle(rng);
    let hands = if pieces.is_empty() { "-".to_owned() } else { pieces.into_iter().collect() };
    format!("{} {} {hands} {}", fields[0], fields[1], fields[3])
}

proptest! {
    #[test]
    fn any_text_is_answered(text in "\\PC{0,80}") {
        let _ = Position::from_sfen(&text);
    }

    /// What is accepted survives the round trip and can be played on.
    #[test]
    fn any_mutated_sfen_is_answered(
        seed in any::<u64>(),
        edits in prop::collection::vec((0usize..90, 0usize..2, "[1-9+/ KkRrBbGgSsNnLlPpwb\\-]?"), 1..5),
    ) {
        let mut text = some_sfen(seed);
        for (at, removed, inserted) in edits {
            let at = at.min(text.len());
            text.replace_range(at..(at + removed).min(text.len()), &inserted);
        }
        if let Ok(mut position) = Position::from_sfen(&text) {
            let again = Position::from_sfen(&position.to_sfen());
            prop_assert_eq!(again.as_ref(), Ok(&position), "{}", text);
            kurosabi::movegen::perft(&mut position, 2);
        }
    }
}

fn some_sfen(seed: u64) -> String {
    let mut found = String::new();
    let wanted = StdRng::seed_from_u64(seed).random_range(0..40);
    let mut index = 0;
    visit_positions(seed, 1, |position, _, _| {
        if index <= wanted {
            found = position.to_sfen();
        }
        index += 1;
    });
    found
}

#[test]
fn a_handicap_is_recognised_by_its_start_with_any_move_number() {
    for handicap in Handicap::all() {
        let start = position(&handicap.sfen());
        assert_eq!(Handicap::from_position(&start), Some(handicap));
        let first = if handicap == Handicap::Even { Color::Black } else { Color::White };
        assert_eq!(start.side_to_move(), first, "who gives a handicap moves first");
        let later = handicap.sfen().replace(" - 1", " - 9");
        assert_eq!(Handicap::from_position(&position(&later)), Some(handicap));
        let mut moved = start.clone();
        moved.do_move(kurosabi::movegen::legal_moves(&start)[0]);
        assert_eq!(Handicap::from_position(&moved), None);
    }
}

#[test]
fn the_names_of_handicaps_are_read_as_people_write_them() {
    for name in ["二枚落ち", "２枚落ち", "2枚落", "二枚", "2-piece", "2 pieces", "2-Piece Handicap"] {
        assert_eq!(name.parse(), Ok(Handicap::TwoPiece), "{name}");
    }
    for name in ["１０枚落ち", "10枚", "十枚落ち"] {
        assert_eq!(name.parse(), Ok(Handicap::TenPiece), "{name}");
    }
    for name in ["２１枚落ち", "落ち", "a枚落ち", "枚"] {
        assert!(name.parse::<Handicap>().is_err(), "{name}");
    }
}

#[test]
fn a_position_is_read_and_shown_as_sfen() {
    for sfen in [STARTPOS_SFEN, "4k4/9/9/9/9/9/9/9/4K4 w R2Pb 7"] {
        assert_eq!(sfen.parse::<Position>().unwrap().to_string(), sfen);
    }
}

#[test]
fn the_diagram_says_whose_turn_it_is() {
    for (turn, text) in [("b", "Black to move, move 7"), ("w", "White to move, move 7")] {
        let diagram = position(&format!("4k4/9/9/9/9/9/9/9/4K4 {turn} - 7")).diagram().to_string();
        assert!(diagram.ends_with(text), "{diagram}");
    }
}
