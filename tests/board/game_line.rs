//! Lines of moves: read, replayed and written.

use kurosabi::position::{Position, STARTPOS_SFEN};
use kurosabi::rules::{GameEnd, GameLine, LineError, Rules, SpecialMove};

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
    assert_eq!(GameEnd::of(&line.end(), &Rules::default()), Some(GameEnd::RepetitionDraw));
    assert_eq!(GameEnd::of(&line.position_after(11), &Rules::default()), None);
    assert_eq!(line.position_after(1), line.up_to(1).end());
    assert_eq!(line.position_after(100), line.end());
}

#[test]
fn words_that_end_a_game_are_read_at_the_end_and_nowhere_else() {
    for word in ["resign", "win", "lose", "draw", "rep_draw", "mate", "timeout", "abort", "break", "interrupt"] {
        let read = line(&format!("startpos moves 7g7f {word}"));
        assert_eq!(read.special_move(), Some(word.parse().unwrap()), "{word}");
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
fn what_is_wrong_is_told_and_the_rest_is_kept() {
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
