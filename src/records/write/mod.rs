//! Writing records.

mod bod;
mod csa;
mod encoding;
mod fit;
mod jkf;
mod kakinoki;

use std::fmt::Write as _;
use std::time::Duration;

use super::Format;
use super::ending::Ending;
use super::record::GameRecord;
use crate::position::{Handicap, Position};
use crate::rules::SpecialMove;
use crate::types::Move;
pub use encoding::{TextEncoding, encode};
pub use fit::unencodable;

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// The encoding in which the text will be stored; KIF and CSA name it in their first lines.
    pub encoding: TextEncoding,
}

/// Writes a record. What a format cannot hold is left out: CSA has no variations, and bookmarks become comments there;
/// KIF and JKF have whole seconds and KI2 no times; USI has only the moves and the end; SFEN has only the positions of
/// the main line, one per line; only these two number the first move. Texts are written in characters of the encoding
/// and so that they read back as what they are: a name with a line end in it is still one name.
pub fn write(record: &GameRecord, format: Format, options: &WriteOptions) -> String {
    let fitted = || fit::fit(record, format, options.encoding);
    match format {
        Format::Kif => kakinoki::write_kif(&fitted(), options),
        Format::Ki2 => kakinoki::write_ki2(&fitted()),
        Format::Csa => csa::write(&fitted(), options),
        Format::Jkf => jkf::write(&fitted(), options),
        Format::Usi => usi(record),
        Format::Sfen => sfens(record),
    }
}

/// The diagram that KIF gives a start by: the board, the hands and the turn, with how many moves were made.
pub fn diagram(position: &Position) -> String {
    let text = bod::write(&position.setup());
    // In a record, programs such as Kifu for JS refuse this line.
    match position.game_ply() {
        0 | 1 => text,
        number => format!("{text}手数＝{}  まで\n", number - 1),
    }
}

/// Whether every program knows the handicap by its name in KIF and by its preset in JKF.
fn has_common_name(handicap: &Handicap) -> bool {
    use Handicap::*;
    !matches!(handicap, ThreePiece | FivePiece | LeftFivePiece | SevenPiece | LeftSevenPiece)
}

/// For each node, the time its side has spent so far.
fn total_times(record: &GameRecord) -> Vec<Duration> {
    let mut totals = vec![Duration::ZERO; record.len()];
    record.visit(|id, node, _| {
        let before = node.parent().and_then(|parent| record.node(parent).parent());
        let before = before.map_or(Duration::ZERO, |before| totals[before.index()]);
        totals[id.index()] = before.saturating_add(node.time.unwrap_or_default());
    });
    totals
}

/// `startpos moves …` or `sfen … moves …`, on one line, illegal moves left out with what follows them.
fn usi(record: &GameRecord) -> String {
    let start = record.start_sfen();
    let mut text = match start == crate::position::STARTPOS_SFEN {
        true => "startpos".to_owned(),
        false => format!("sfen {start}"),
    };
    let moves = record.moves_before_breach();
    let is_cut = record.main_line().any(|id| record.node(id).breach().is_some());
    let word =
        if is_cut { word_behind_breach(record, moves.len()) } else { record.ending().and_then(Ending::special_move) };
    if !moves.is_empty() || word.is_some() {
        text.push_str(" moves");
    }
    let words = moves.iter().map(Move::to_string).chain(word.map(|word| word.to_string()));
    words.for_each(|word| _ = write!(text, " {word}"));
    text.push('\n');
    text
}

/// The word for the result of a game whose moves end before an illegal one, seen from the side that made it.
fn word_behind_breach(record: &GameRecord, moves: usize) -> Option<SpecialMove> {
    let first = record.start_board().side_to_move();
    let offender = if moves.is_multiple_of(2) { first } else { !first };
    Some(match (record.ending(), record.winner()) {
        (None | Some(Ending::IllegalWin | Ending::IllegalLoss), winner) if winner != Some(offender) => {
            SpecialMove::Illegal
        }
        (_, Some(winner)) if winner == offender => Ending::Win.special_move()?,
        (_, Some(_)) => SpecialMove::Lose,
        (ending, None) => ending?.special_move()?,
    })
}

fn sfens(record: &GameRecord) -> String {
    let mut board = record.start_board().clone();
    let mut text = String::new();
    let moves = record.moves_before_breach();
    for mv in moves.into_iter().map(Some).chain([None]) {
        let _ = writeln!(text, "{}", board.to_sfen());
        mv.into_iter().for_each(|mv| board.do_move(mv));
    }
    text
}
