//! The names of pieces and of facts about the game in CSA, which JKF shares in part.

use crate::position::{Handicap, Setup};
use crate::types::PieceType::{self, *};
use crate::types::{Color, Move, Square};

const PIECES: [(&str, PieceType); 14] = [
    ("FU", Pawn),
    ("KY", Lance),
    ("KE", Knight),
    ("GI", Silver),
    ("KI", Gold),
    ("KA", Bishop),
    ("HI", Rook),
    ("OU", King),
    ("TO", ProPawn),
    ("NY", ProLance),
    ("NK", ProKnight),
    ("NG", ProSilver),
    ("UM", Horse),
    ("RY", Dragon),
];

pub(super) fn parse_piece(name: &str) -> Option<PieceType> {
    PIECES.iter().find(|row| row.0 == name).map(|row| row.1)
}

pub(super) fn piece(piece_type: PieceType) -> &'static str {
    PIECES.iter().find(|row| row.1 == piece_type).map_or("FU", |row| row.0)
}

/// The names of handicaps in JKF.
const PRESETS: [(&str, Handicap); 16] = [
    ("HIRATE", Handicap::Even),
    ("KY", Handicap::Lance),
    ("KY_R", Handicap::RightLance),
    ("KA", Handicap::Bishop),
    ("HI", Handicap::Rook),
    ("HIKY", Handicap::RookLance),
    ("2", Handicap::TwoPiece),
    ("3", Handicap::ThreePiece),
    ("4", Handicap::FourPiece),
    ("5", Handicap::FivePiece),
    ("5_L", Handicap::LeftFivePiece),
    ("6", Handicap::SixPiece),
    ("7_R", Handicap::SevenPiece),
    ("7_L", Handicap::LeftSevenPiece),
    ("8", Handicap::EightPiece),
    ("10", Handicap::TenPiece),
];

pub(super) fn parse_preset(name: &str) -> Option<Handicap> {
    PRESETS.iter().find(|row| row.0 == name).map(|row| row.1)
}

pub(super) fn preset(handicap: Handicap) -> Option<&'static str> {
    PRESETS.iter().find(|row| row.1 == handicap).map(|row| row.0)
}

/// CSA's keywords and the names that KIF gives to the same.
const INFO: [(&str, &str); 12] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("TIME", "持ち時間"),
    ("TIME+", "先手持ち時間"),
    ("TIME-", "後手持ち時間"),
    ("OPENING", "戦型"),
    ("MAX_MOVES", "最大手数"),
    ("JISHOGI", "持将棋"),
    ("NOTE", "備考"),
];

/// KIF's name for a keyword; the keyword itself where there is none.
pub(super) fn info_name(keyword: &str) -> &str {
    INFO.iter().find(|row| row.0 == keyword).map_or(keyword, |row| row.1)
}

/// CSA's keyword for a name of KIF.
pub(super) fn keyword(name: &str) -> Option<&'static str> {
    INFO.iter().find(|row| row.1 == name).map(|row| row.0)
}

/// A move such as `+7776FU`; the piece is named as it is after the move, or as `named` says for one that the record
/// names wrongly.
pub(super) fn write_move(board: &Setup, mv: Move, named: Option<PieceType>) -> String {
    let digits = |square: Square| format!("{}{}", square.file().index() + 1, square.rank().index() + 1);
    let sign = if board.side_to_move() == Color::Black { '+' } else { '-' };
    let origin = mv.from().map_or_else(|| "00".to_owned(), digits);
    let moved = board.moved_type(mv).unwrap_or(Pawn);
    let after = named.unwrap_or(if mv.is_promotion() { moved.promoted() } else { moved });
    format!("{sign}{origin}{}{}", digits(mv.to()), piece(after))
}
