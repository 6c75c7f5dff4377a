//! Wins by entering king: the declarations of each rule, and the try rule.

use kurosabi::position::{Declaration, EnteringKingRule, Position};
use kurosabi::rules::Rules;
use kurosabi::types::Color;

use crate::squares::{mv, position, turned, turned_move};
use EnteringKingRule::*;

/// Asks a rule, and holds the quick form for search to the same answer.
fn ask(position: &Position, rule: EnteringKingRule) -> Declaration {
    let declaration = position.declaration(rule);
    assert_eq!(declaration.rule, rule);
    assert_eq!(position.can_declare(rule), declaration.wins, "{rule} in {position:?}");
    declaration
}

/// The rules by which the side to move wins now.
fn winning_rules(position: &Position) -> Vec<EnteringKingRule> {
    EnteringKingRule::ALL.into_iter().filter(|&rule| ask(position, rule).wins).collect()
}

fn points_and_pieces(position: &Position) -> (u32, u32) {
    let declaration = ask(position, CsaRule27);
    (declaration.points, declaration.pieces)
}

/// Black's king and ten small pieces have entered; a rook, a bishop and some pawns are in hand: 20 points
/// and one for each pawn.
fn black_with(pawns: u32) -> Position {
    position(&format!("+P+P+P+P+PK3/9/LNSGG4/9/9/9/9/9/8k b RB{pawns}P 1"))
}

/// White's king and ten pawns have entered; all other pieces but those of the handicap are in hand.
fn white_holding(white: &str, black: &str) -> Position {
    position(&format!("K8/9/9/9/9/9/+p+p+p+p+p4/9/+p+p+p+p+pk3 w {black}{white} 1"))
}

#[test]
fn black_needs_28_points_and_white_27() {
    assert_eq!(points_and_pieces(&black_with(8)), (28, 10));
    assert_eq!(winning_rules(&black_with(8)), [CsaRule27, CsaRule27H]);
    assert_eq!(winning_rules(&black_with(9)), [CsaRule27, CsaRule27H]);
    assert_eq!(winning_rules(&black_with(7)), []);

    let even = |white, black| white_holding(white, black);
    assert_eq!(points_and_pieces(&even("rb4g3s", "RBS4N4L8P")), (27, 10));
    assert_eq!(winning_rules(&even("rb4g3s", "RBS4N4L8P")), [CsaRule27, CsaRule27H]);
    assert_eq!(winning_rules(&even("rb4g4s", "RB4N4L8P")), [CsaRule27, CsaRule27H]);
    assert_eq!(winning_rules(&even("rb4g2s", "RB2S4N4L8P")), []);
}

#[test]
fn the_24_point_rule_is_won_with_31() {
    assert_eq!(winning_rules(&black_with(10)), [CsaRule27, CsaRule27H]);
    let all = [CsaRule24, CsaRule24H, CsaRule27, CsaRule27H];
    assert_eq!(winning_rules(&black_with(11)), all);
    assert_eq!(winning_rules(&black_with(12)), all);
    assert_eq!(winning_rules(&white_holding("rb4g4s2n", "RB2N4L8P")), [CsaRule27, CsaRule27H]);
    assert_eq!(winning_rules(&white_holding("rb4g4s3n", "RBN4L8P")), all);
    assert_eq!(winning_rules(&white_holding("rb4g4s4n", "RB4L8P")), all);
}

#[test]
fn a_handicap_lowers_what_its_giver_needs() {
    // Rook and bishop given: 10 points less, so 17 and 21.
    assert_eq!(winning_rules(&white_holding("4g2s", "RB2S4N4L8P")), []);
    assert_eq!(winning_rules(&white_holding("4g3s", "RBS4N4L8P")), [CsaRule27H]);
    assert_eq!(winning_rules(&white_holding("4g4s2n", "RB2N4L8P")), [CsaRule27H]);
    assert_eq!(winning_rules(&white_holding("4g4s3n", "RBN4L8P")), [CsaRule24H, CsaRule27H]);
    // A lance given: 26 and 30.
    assert_eq!(winning_rules(&white_holding("rb4gs", "RB3S4N3L8P")), []);
    assert_eq!(winning_rules(&white_holding("rb4g2s", "RB2S4N3L8P")), [CsaRule27H]);
    assert_eq!(winning_rules(&white_holding("rb4g4sn", "RB3N3L8P")), [CsaRule27, CsaRule27H]);
    assert_eq!(winning_rules(&white_holding("rb4g4s2n", "RB2N3L8P")), [CsaRule24H, CsaRule27, CsaRule27H]);
    // Ten pieces given (18 points): White's ten pawns alone are enough for 9, not for 13.
    assert_eq!(winning_rules(&white_holding("", "RB2G2S2N2L8P")), [CsaRule27H]);
    assert_eq!(winning_rules(&white_holding("2p", "RB2G2S2N2L6P")), [CsaRule27H]);
    assert_eq!(winning_rules(&white_holding("3p", "RB2G2S2N2L5P")), [CsaRule24H, CsaRule27H]);
}

#[test]
fn the_taker_of_a_handicap_needs_as_much_as_ever() {
    assert_eq!(winning_rules(&turned(&white_holding("4g4s4n3l2p", "RBL6P"))), []);
    assert_eq!(winning_rules(&turned(&white_holding("4g4s4n4l2p", "RB6P"))), [CsaRule27, CsaRule27H]);
}

#[test]
fn the_king_itself_must_have_entered() {
    let entered = position("+P+P+P+P+P4/9/LNSGGK3/9/9/9/9/9/8k b RB11P 1");
    assert_eq!(winning_rules(&entered).len(), 4);
    let outside = position("+P+P+P+P+P4/9/LNSGG4/5K3/9/9/9/9/8k b RB11P 1");
    assert_eq!(points_and_pieces(&outside), (31, 10));
    assert_eq!(winning_rules(&outside), []);
    assert_eq!(winning_rules(&turned(&outside)), []);
}

#[test]
fn not_while_in_check() {
    let checked = position("+P+P+P+P+PK2r/9/LNSGG4/9/9/9/9/9/8k b RB11P 1");
    assert!(checked.in_check());
    assert_eq!(points_and_pieces(&checked), (31, 10));
    assert_eq!(winning_rules(&checked), []);
    assert_eq!(winning_rules(&turned(&checked)), []);
}

#[test]
fn ten_pieces_besides_the_king() {
    let nine = position("+P+P+P+P+PK3/9/LNSG5/9/9/9/9/9/8k b RB12P 1");
    assert_eq!(points_and_pieces(&nine), (31, 9));
    assert_eq!(winning_rules(&nine), []);
    assert_eq!(winning_rules(&turned(&nine)), []);
}

#[test]
fn pieces_outside_the_zone_count_for_nothing() {
    // 27 points inside; neither a rook nor a horse outside adds anything, nor any other piece.
    let majors_outside = position("+P+P+P+P+PK3/9/LNSGG4/R8/7+B1/9/9/9/8k b RB7P 1");
    assert_eq!(points_and_pieces(&majors_outside), (27, 10));
    assert_eq!(winning_rules(&majors_outside), []);
    // Nine pieces inside stay nine.
    let ninth = position("+P+P+P+P+PK3/9/LNSG5/R8/9/9/P8/9/8k b RB11P 1");
    assert_eq!(points_and_pieces(&ninth), (30, 9));
    assert_eq!(winning_rules(&ninth), []);
    assert_eq!(points_and_pieces(&turned(&ninth)), (30, 9));
    // The third rank is inside, the fourth is not.
    assert_eq!(points_and_pieces(&position("5K3/9/R8/9/9/9/9/9/8k b - 1")), (5, 1));
    assert_eq!(points_and_pieces(&position("5K3/9/9/R8/9/9/9/9/8k b - 1")), (0, 0));
}

#[test]
fn majors_are_five_points_and_promotion_changes_nothing() {
    for (pieces, points) in [
        ("R8", 5),
        ("+R8", 5),
        ("B8", 5),
        ("+B8", 5),
        ("G8", 1),
        ("+S8", 1),
        ("+P8", 1),
        ("R+B+PL5", 12),
        // The opponent's pieces in the zone are nobody's points.
        ("r8", 0),
        ("R+p7", 5),
    ] {
        let entered = position(&format!("9/5K3/{pieces}/9/9/9/9/9/8k b - 1"));
        assert_eq!(points_and_pieces(&entered).0, points, "{pieces}");
        assert_eq!(points_and_pieces(&turned(&entered)).0, points, "{pieces}");
    }
    assert_eq!(points_and_pieces(&position("9/5K3/9/9/9/9/9/9/8k b R2B2GSNL9Prg 1")), (5 + 10 + 5 + 9, 0));
    assert_eq!(points_and_pieces(&Position::startpos()), (0, 0));
}

#[test]
fn no_rule_no_win() {
    assert!(!ask(&black_with(12), NoEnteringKing).wins);
    let before_the_goal = position("9/4K4/9/9/9/9/9/9/8k b - 1");
    assert_eq!(winning_rules(&before_the_goal), [TryRule]);
    assert_eq!(winning_rules(&position("8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1")), []);
}

/// The winning move by the try rule, asked for both colours.
#[track_caller]
fn try_move(sfen: &str) -> Option<String> {
    let position = position(sfen);
    let declaration = ask(&position, TryRule);
    assert_eq!(declaration.wins, declaration.try_move.is_some());
    assert_eq!(declaration.try_move.map(turned_move), ask(&turned(&position), TryRule).try_move);
    declaration.try_move.map(|mv| mv.to_string())
}

#[test]
fn a_try_is_a_step_to_the_enemy_kings_first_square() {
    for from in ["4a", "6a", "4b", "5b", "6b"] {
        let square: kurosabi::types::Square = from.parse().unwrap();
        let mut ranks = ["9"; 9].map(String::from);
        let column = 8 - square.file().index();
        ranks[square.rank().index()] = format!("{column}K{}", 8 - column);
        ranks[8] = "k8".to_owned();
        assert_eq!(try_move(&format!("{} b - 1", ranks.join("/"))), Some(format!("{from}5a")));
    }
    assert_eq!(try_move("9/9/4K4/9/9/9/9/9/8k b - 1"), None);
    assert_eq!(try_move("9/6K2/9/9/9/9/9/9/8k b - 1"), None);
    // Who stands there already has not won by moving there.
    assert_eq!(try_move("4K4/9/9/9/9/9/9/9/8k b - 1"), None);
    // The side's own goal counts, not the other's.
    assert_eq!(try_move("9/9/9/9/9/9/9/4K4/k8 b - 1"), None);
}

#[test]
fn a_try_must_be_a_legal_move() {
    // Attacked.
    assert_eq!(try_move("r8/4K4/9/9/9/9/9/9/8k b - 1"), None);
    // An own piece stands there.
    assert_eq!(try_move("4G4/4K4/9/9/9/9/9/9/8k b - 1"), None);
    // An enemy piece may be taken, unless it is defended.
    assert_eq!(try_move("4s4/4K4/9/9/9/9/9/9/8k b - 1"), Some("5b5a".to_owned()));
    assert_eq!(try_move("4s3r/4K4/9/9/9/9/9/9/8k b - 1"), None);
    // Out of check it wins as well, but not along the checker's line.
    assert_eq!(try_move("9/4K3r/9/9/9/9/9/9/8k b - 1"), Some("5b5a".to_owned()));
    assert_eq!(try_move("9/4K4/9/9/4r4/9/9/9/8k b - 1"), None);
}

#[test]
fn the_try_rule_knows_no_points() {
    assert!(!ask(&black_with(12), TryRule).wins);
    assert_eq!(ask(&position("9/4K4/9/9/9/9/9/9/8k b - 1"), TryRule).try_move, Some(mv("5b5a")));
}

#[test]
fn rules_are_named_as_in_the_option() {
    let names = ["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];
    assert_eq!(EnteringKingRule::ALL.map(|rule| rule.to_string()), names.map(String::from));
    assert_eq!(EnteringKingRule::default(), CsaRule27);
}

#[test]
fn a_side_with_24_to_30_points_draws_by_the_24_point_rule() {
    for (pawns, wins, draws) in [(3, false, false), (4, false, true), (10, false, true), (11, true, false)] {
        let declaration = ask(&black_with(pawns), CsaRule24);
        assert_eq!((declaration.points, declaration.wins, declaration.draws), (20 + pawns, wins, draws));
        assert!(!ask(&black_with(pawns), CsaRule27).draws);
    }
    // With ten pieces, in check, and with the king outside.
    for sfen in ["+P+P+P+P+PK3/9/LNSG5/9/9/9/9/9/8k b RB8P 1", "+P+P+P+P+PK2r/9/LNSGG4/9/9/9/9/9/8k b RB8P 1"] {
        assert!(!ask(&position(sfen), CsaRule24).draws, "{sfen}");
    }
    // A rook, a bishop and four pawns were given: 14 points, which count with both bounds.
    let given = white_holding("b4g4s4n1l", "R3L4P");
    assert_eq!((given.handicap_points(Color::White), given.handicap_points(Color::Black)), (14, 0));
    let needed = given.declaration(CsaRule24H).needed.unwrap();
    assert_eq!((needed.points, needed.draw_points), (31 - 14, Some(24 - 14)));
}

#[test]
fn missing_points_and_pieces_are_reported_for_both_sides() {
    let start = Position::startpos();
    let text = |position: &Position, side, rule| position.declaration_of(side, rule).to_string();
    assert_eq!(
        text(&start, Color::White, CsaRule27),
        "0 of 27 points, 0 of 10 pieces: king not in the zone, 10 pieces and 27 points short"
    );
    let near = black_with(7);
    assert_eq!(text(&near, Color::Black, CsaRule27), "27 of 28 points, 10 of 10 pieces: 1 point short");
    assert_eq!(
        text(&near, Color::Black, CsaRule24),
        "27 of 31 points, 10 of 10 pieces: draws (4 points short of a win)"
    );
    // For the side not to move the report says what it could declare.
    let other = position(&near.to_sfen().replace(" b ", " w "));
    assert_eq!(other.declaration_of(Color::Black, CsaRule27), near.declaration(CsaRule27));
    let rules = |position: &Position| -> Vec<_> {
        Rules::declarations(position, Color::Black).map(|declaration| declaration.rule).collect()
    };
    assert_eq!(rules(&start), [CsaRule24, CsaRule27, TryRule], "no handicap was given");
    let lance = position("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_eq!(rules(&lance), [CsaRule24, CsaRule24H, CsaRule27, CsaRule27H, TryRule]);
    let nothing_to_count = start.declaration(TryRule);
    assert_eq!((nothing_to_count.points_short(), nothing_to_count.pieces_short()), (0, 0));
}
