//! Perft counts against facts from outside: published figures, and counts that cshogi and python-shogi
//! agree on.

use kurosabi::engine::perft_divide;
use kurosabi::movegen::{MAX_MOVES, count_legal_moves, legal_moves, perft, perft_listing};
use kurosabi::position::STARTPOS_SFEN;
use kurosabi::search::Signals;

use crate::squares::position;

/// A position and its counts from depth 1 on.
type Case = (&'static str, &'static [u64]);

/// Positions whose counts many programs publish.
const KNOWN: [Case; 3] = [
    (STARTPOS_SFEN, &[30, 900, 25_470, 719_731, 19_861_490, 547_581_517]),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", &[207, 28_684, 4_809_015, 516_925_165]),
    ("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", &[593, 105_677, 53_393_368]),
];

/// The usual handicaps, from lance to ten pieces; White begins. cshogi agrees to depth 5, python-shogi to 3.
const HANDICAPS: [Case; 13] = [
    ("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[30, 900, 25_530, 721_433, 19_958_222]), // lance
    ("1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[29, 870, 23_790, 672_187, 17_987_368]), // right lance
    ("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[33, 990, 29_910, 846_566, 24_340_728]), // bishop
    ("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[25, 750, 18_570, 524_461, 13_042_097]), // rook
    ("lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[25, 750, 18_570, 524_465, 13_029_532]), // rook and lance
    ("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[26, 780, 19_740, 558_731, 13_917_942]),   // two
    ("lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[25, 750, 18_240, 516_277, 12_366_539]),   // three
    ("1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[24, 720, 16_800, 475_521, 10_937_092]),   // four
    ("2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[24, 720, 16_770, 474_672, 10_874_382]),    // five
    ("1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[24, 720, 16_770, 474_672, 10_873_206]), // left five
    ("2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[24, 720, 16_740, 473_823, 10_810_498]),  // six
    ("3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[20, 600, 12_000, 339_669, 6_816_353]),     // eight
    ("4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", &[14, 420, 5_880, 166_449, 2_343_113]),        // ten
];

/// Our own positions, each with what it tries. cshogi agrees where both kings are there, python-shogi
/// everywhere but in the two in which it lets a pinned piece take the dropped pawn.
const TRICKY: [Case; 20] = [
    // pins on all lines
    ("k3l3b/9/4S1N2/9/r1G1K1P1+r/9/2S6/9/+b8 b GNLPgnlp 1", &[257, 67_572, 12_682_479]),
    // double check
    ("3gkg3/9/3N5/9/9/9/9/4R4/4K4 w rb2p 1", &[2, 48, 9_027, 198_718]),
    // drop-pawn mate
    ("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", &[76, 1_378, 14_327, 210_028]),
    // escape through the pawn's shadow
    ("3lkl3/R8/9/5N3/9/9/9/9/4K4 b P 1", &[106, 1_278, 60_931, 956_522]),
    // no escape once the shadow is covered
    ("3lkl3/R8/6G2/5N3/9/9/9/9/4K4 b P 1", &[110, 1_308, 70_191, 1_057_139]),
    // the capturer is pinned off the file
    ("3lkl3/5g3/2G6/3N3B1/9/9/9/9/4K4 b P 1", &[91, 394, 17_694, 406_964]),
    // the capturer is pinned along the file
    ("3lkl3/9/2G1r1G2/3N5/4L4/9/9/9/4K4 b P 1", &[86, 1_265, 37_313, 667_917]),
    // a pawn drop answers check and mates: the checker is pinned
    ("3lkb2R/9/2G3G2/3N5/1K7/9/9/9/9 b P 1", &[13, 32, 3_230, 98_151]),
    // a pawn drop answers check, the checker takes it
    ("3lkl3/K7r/2G3G2/3N5/9/9/9/9/9 b P 1", &[19, 446, 25_926, 792_212]),
    // promotions
    ("4k4/1P1P1P1P1/L1N1S1B1R/9/9/9/9/9/8K b - 1", &[50, 12, 540]),
    // forced promotions, White
    ("8k/9/9/9/9/9/l1n1s1b1r/1p1p1p1p1/4K4 w - 1", &[50, 12, 540]),
    // nifu and tokins
    ("4k4/9/9/2+P6/9/9/P1P1P1P1P/9/4K4 b 2P2p 1", &[48, 3_322, 140_565, 8_809_406]),
    // full hands on an open board
    ("4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1", &[525, 251_422]),
    // entered kings
    ("+P+P+P+L1K1+P+P/3+B+R4/9/9/9/9/9/4+r+b3/+p+p1k1+l+p+p+p b 2G2S2N4P2g2s2nl4p 1", &[276, 89_732]),
    // kings face to face
    ("9/9/3k5/9/3K5/9/9/9/9 w 2G2S2N2LRBP2g2s2n2lrbp 1", &[522, 247_746]),
    // sliders cross the middle files
    ("2k6/6b2/9/R3+B4/9/9/4L4/7+r1/1K7 b GSNLPgsnlp 1", &[373, 125_956]),
    // more moves than with two kings
    ("R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", &[599]),
    // tsume: one king
    ("4k4/9/4P4/9/9/9/9/9/9 b 2G 1", &[81, 304, 25_820]),
    // tsume: all pieces
    ("7nl/7k1/6ppp/9/9/9/9/9/9 b RGSr2b3g3s3n3l15p 1", &[225, 101_095]),
    // only Black's king, White attacks
    ("9/9/9/9/9/9/4p4/9/3LKL3 w gnp 1", &[205, 4_178, 570_894]),
];

/// Checks the counts of every depth below a bound, counted and listed.
fn check(cases: &[Case], below: u64) {
    for &(sfen, counts) in cases {
        let before = position(sfen);
        let mut position = before.clone();
        for (depth, &expected) in (1..).zip(counts).take_while(|&(_, &count)| count < below) {
            assert_eq!(perft(&mut position, depth), expected, "{sfen} counted to depth {depth}");
            assert_eq!(perft_listing(&mut position, depth), expected, "{sfen} listed to depth {depth}");
        }
        assert_eq!(position, before, "perft leaves the position as it was");
    }
}

#[test]
fn no_move_at_all_is_one_sequence() {
    assert_eq!(perft(&mut position(STARTPOS_SFEN), 0), 1);
    assert_eq!(perft_listing(&mut position(STARTPOS_SFEN), 0), 1);
}

#[test]
fn published_counts() {
    check(&KNOWN, 20_000_000);
}

#[test]
fn handicap_starts() {
    check(&HANDICAPS, 1_000_000);
}

#[test]
fn tricky_positions() {
    check(&TRICKY, 20_000_000);
}

#[test]
#[ignore = "half a minute in a release build"]
fn every_count_to_its_full_depth() {
    check(&KNOWN, u64::MAX);
    check(&HANDICAPS, u64::MAX);
    check(&TRICKY, u64::MAX);
}

#[test]
fn division_names_each_move_and_adds_up() {
    let start = position(STARTPOS_SFEN);
    let divide = |depth| perft_divide(&start, depth, 1, &Signals::new()).unwrap();
    let shares = divide(3);
    let moves: Vec<_> = shares.iter().map(|&(mv, _)| mv).collect();
    assert_eq!(moves, legal_moves(&start).to_vec());
    assert_eq!(shares.iter().map(|&(_, count)| count).sum::<u64>(), 25_470);
    assert!(divide(1).iter().all(|&(_, count)| count == 1));
}

#[test]
fn the_most_moves_fit_in_a_list() {
    // Nozaki's composition, and the same board without White's king.
    for (sfen, moves) in [
        ("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 593),
        ("R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 599),
    ] {
        let position = position(sfen);
        assert_eq!(count_legal_moves(&position), moves);
        assert_eq!(legal_moves(&position).len(), moves);
        assert!(moves <= MAX_MOVES);
    }
}
