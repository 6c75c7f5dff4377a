//! Lines of moves: read, replayed and written.

use kurosabi::position::{Position, STARTPOS_SFEN};
use kurosabi::rules::{GameEnd, GameLine, LineError, Rules, SpecialMove};
use kurosabi::types::Color;

fn line(text: &str) -> GameLine {
    text.parse().unwrap()
}

#[test]
fn every_way_to_write_a_line_is_read_and_written_back() {
    let tsume = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    for (text, written) in [
        ("startpos".to_owned(), "startpos".to_owned()),
        ("  position startpos moves ".to_owned(), "startpos".to_owned()),
        ("position startpos moves 7g7f\t3c3d".to_owned(), "startpos moves 7g7f 3c3d".to_owned()),
        (tsume.to_owned(), format!("sfen {tsume}")),
        (format!("sfen {tsume} moves G*5b"), format!("sfen {tsume} moves G*5b")),
        (format!("position {tsume} moves G*5b resign"), format!("sfen {tsume} moves G*5b resign")),
        ("startpos moves 7g7f interrupt".to_owned(), "startpos moves 7g7f abort".to_owned()),
    ] {
        assert_eq!(line(&text).to_string(), written, "{text}");
        assert_eq!(line(&written).to_string(), written);
    }
}

#[test]
fn a_line_is_replayed_with_its_history() {
    let text = "startpos moves".to_owned() + &" 5i5h 5a5b 5h5i 5b5a".repeat(3);
    let line = line(&text);
    assert_eq!((line.start().to_sfen(), line.moves().len()), (STARTPOS_SFEN.to_owned(), 12));
    assert_eq!(GameEnd::from_position(&line.end(), &Rules::default()), Some(GameEnd::RepetitionDraw));
    assert_eq!(GameEnd::from_position(&line.position_after(11), &Rules::default()), None);
    assert_eq!(line.position_after(1), line.up_to(1).end());
    assert_eq!(line.position_after(100), line.end());
}

#[test]
fn words_that_end_a_game_are_read_at_the_end_and_nowhere_else() {
    for word in ["resign", "win", "lose", "draw", "rep_draw", "mate", "timeout", "abort", "break", "interrupt"] {
        let read = line(&format!("startpos moves 7g7f {word}"));
        assert_eq!(
            (read.special_move(), read.special_move().is_some()),
            (SpecialMove::from_word(word), true),
            "{word}"
        );
        assert_eq!(read.moves().len(), 1);
        for behind in ["3c3d", "resign", "hello"] {
            let error = format!("startpos moves 7g7f {word} {behind}").parse::<GameLine>().unwrap_err();
            assert_eq!(error, LineError::UnreadableMove { number: 3, text: behind.to_owned() });
        }
    }
    assert_eq!(line("startpos moves 7g7f resign").up_to(0).special_move(), None);
    assert_eq!(line("startpos moves 7g7f resign").up_to(1).special_move(), Some(SpecialMove::Resign));
}

#[test]
fn a_bad_move_is_named_and_the_line_before_it_kept() {
    for (text, kind, moves) in [
        ("startpos moves 7g7f 7g7f 3c3d", "no_piece", 1),
        ("startpos moves 7g7f hello", "unreadable_move", 1),
        ("startpos moves resign 7g7f", "unreadable_move", 0),
    ] {
        let (line, error) = GameLine::read_text(text).unwrap();
        assert_eq!((error.unwrap().kind(), line.moves().len()), (kind, moves), "{text}");
    }
    for (text, kind) in
        [("", "unreadable"), ("moves 7g7f", "unreadable"), ("startpos 7g7f", "unreadable"), ("hello", "bad_sfen")]
    {
        assert_eq!(GameLine::read_text(text).unwrap_err().kind(), kind, "{text}");
    }
}

#[test]
fn a_position_is_read_from_text() {
    assert_eq!("startpos".parse::<Position>().unwrap(), Position::startpos());
    assert_eq!(STARTPOS_SFEN.parse::<Position>().unwrap(), Position::startpos());
    assert!("startpos moves 7g7f".parse::<Position>().is_err());
}

/// How a game ends, in a word, and who wins it.
#[test]
fn each_end_has_its_winner() {
    let rules = Rules { max_moves: Some(3), ..Rules::default() };
    let checks = "4k4/9/9/5R3/9/9/9/9/K8 b 2b4g4s 1 moves ".to_owned() + &"4d5d 5a4a 5d4d 4a5a ".repeat(3);
    for (line, kind, winner) in [
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "mate", Some(Color::Black)),
        ("4k4/9/9/9/9/9/4p4/4g4/4K4 b - 1", "mate", Some(Color::White)),
        ("8k/4R4/9/9/9/9/9/7R1/4K4 w - 1", "no_legal_move", Some(Color::Black)),
        ("K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB 1", "declaration", Some(Color::Black)),
        ("startpos moves 7g7f 3c3d 2g2f", "move_limit", None),
        (checks.as_str(), "perpetual_check", Some(Color::White)),
        // On the last move and behind it: what that move did counts, a declaration comes too late.
        ("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 4", "mate", Some(Color::Black)),
        ("8k/4R4/9/9/9/9/9/7R1/4K4 w - 4", "no_legal_move", Some(Color::Black)),
        ("K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB 4", "move_limit", None),
    ] {
        let end = GameEnd::from_position(&line.parse::<GameLine>().unwrap().end(), &rules).expect(line);
        assert_eq!((end.kind(), end.winner()), (kind, winner), "{line}");
    }
}
