//! Digits, numbers, pieces and marks as Japanese records write them.

use crate::types::{Color, File, PieceType, Rank, Square};

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The value of a digit from 1 to 9: `7`, `７` or `七`.
pub(super) fn digit(c: char) -> Option<u8> {
    let found = |digits: [char; 9]| digits.iter().position(|&d| d == c).map(|i| i as u8 + 1);
    match c {
        '1'..='9' => Some(c as u8 - b'0'),
        _ => found(FILES).or_else(|| found(RANKS)),
    }
}

/// An Arabic digit of either width as an ASCII one.
pub(super) fn arabic(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10),
        _ => None,
    }
}

/// The square that two digits name, file first.
pub(super) fn square(file: char, rank: char) -> Option<Square> {
    let file = File::new(digit(file)? - 1)?;
    Some(Square::at(file, Rank::new(digit(rank)? - 1)?))
}

/// A square by two ASCII digits, the file first.
pub(super) fn digits(square: Square) -> String {
    format!("{}{}", square.file().index() + 1, square.rank().index() + 1)
}

/// A file as a full-width digit.
pub(super) fn file(file: File) -> char {
    FILES[file.index()]
}

/// A rank as a Chinese numeral.
pub(super) fn rank(rank: Rank) -> char {
    RANKS[rank.index()]
}

/// A number below a hundred in Chinese numerals.
pub(super) fn number(n: u8) -> String {
    let unit = |n: u8| if n == 0 { String::new() } else { RANKS[usize::from(n - 1) % 9].to_string() };
    match n {
        0..=9 => unit(n),
        10..=19 => format!("十{}", unit(n - 10)),
        _ => format!("{}十{}", unit(n / 10), unit(n % 10)),
    }
}

/// Reads a number in Chinese or other digits, `十二`, `12` or `⑫`; `None` for anything else.
pub(super) fn parse_number(text: &str) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    let mut total: u32 = 0;
    let mut unit: Option<u32> = None;
    for c in text.chars() {
        match c {
            '十' | '拾' => total = total.checked_add(unit.take().unwrap_or(1).checked_mul(10)?)?,
            '①'..='⑳' => unit = Some(c as u32 - '①' as u32 + 1),
            c => {
                let digit = match c {
                    '〇' | '零' | '0' | '０' => 0,
                    '壱' => 1,
                    '弐' => 2,
                    '参' => 3,
                    c => digit(c)?,
                };
                unit = Some(unit.unwrap_or(0).checked_mul(10)?.checked_add(u32::from(digit))?);
            }
        }
    }
    total.checked_add(unit.unwrap_or(0)).filter(|&n| n < 1_000_000)
}

/// Takes a number off the beginning of a text.
pub(super) fn strip_number(text: &str) -> Option<(u32, &str)> {
    let is_digit = |c: char| parse_number(c.encode_utf8(&mut [0; 4])).is_some();
    let (digits, rest) = text.split_at(text.find(|c| !is_digit(c)).unwrap_or(text.len()));
    Some((parse_number(digits)?, rest))
}

use PieceType::*;

/// Every way of writing a piece; the first is the word for it in a move.
const PIECES: [(PieceType, &[&str]); 14] = [
    (Pawn, &["歩", "歩兵", "步"]),
    (Lance, &["香", "香車"]),
    (Knight, &["桂", "桂馬"]),
    (Silver, &["銀", "銀将"]),
    (Gold, &["金", "金将"]),
    (Bishop, &["角", "角行"]),
    (Rook, &["飛", "飛車"]),
    (King, &["玉", "玉将", "王", "王将"]),
    (ProPawn, &["と", "个", "成歩"]),
    (ProLance, &["成香", "杏"]),
    (ProKnight, &["成桂", "圭"]),
    (ProSilver, &["成銀", "全"]),
    (Horse, &["馬", "竜馬", "龍馬", "成角"]),
    (Dragon, &["竜", "龍", "竜王", "龍王", "成飛"]),
];

/// Takes a piece off the beginning of a text, with the longest of its words.
pub(super) fn strip_piece(text: &str) -> Option<(PieceType, &str)> {
    let words = PIECES.iter().flat_map(|(piece_type, words)| words.iter().map(|word| (*piece_type, word)));
    words
        .filter_map(|(piece_type, word)| Some((piece_type, text.strip_prefix(word)?)))
        .min_by_key(|(_, rest)| rest.len())
}

/// The word for a piece in a move.
pub(crate) fn piece(piece_type: PieceType) -> &'static str {
    PIECES.iter().find(|row| row.0 == piece_type).map_or("", |row| row.1[0])
}

/// The one character for a piece on a diagram.
pub(super) fn on_diagram(piece_type: PieceType) -> &'static str {
    match piece_type {
        ProLance => "杏",
        ProKnight => "圭",
        ProSilver => "全",
        Dragon => "龍",
        other => piece(other),
    }
}

/// What stands around words.
pub(super) const BLANKS: [char; 4] = [' ', '\u{3000}', '\t', '\r'];

/// Marks of the sides, with which KI2 and some KIF files begin a move.
pub(super) const MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// The side whose mark a text begins with.
pub(super) fn marked_side(text: &str) -> Option<Color> {
    Some(match text.chars().next()? {
        '▲' | '☗' => Color::Black,
        '△' | '▽' | '☖' => Color::White,
        _ => return None,
    })
}

/// Splits `name：value` where the text before the colon can be the name of a fact about the game. It is none where it
/// has blanks, is a number (9:00), or is the beginning of an address (https://…).
pub(super) fn key_value(line: &str) -> Option<(&str, &str)> {
    let at = line.find(['：', ':'])?;
    let (name, rest) = (line[..at].trim_matches(BLANKS), &line[at..]);
    let value = rest.strip_prefix(['：', ':']).unwrap_or(rest);
    (is_name(name) && !value.starts_with("//")).then(|| (name, value.trim_matches(BLANKS)))
}

/// Whether a text can be the name of a fact about the game.
fn is_name(text: &str) -> bool {
    let is_number = text.chars().all(|c| c.is_numeric() || c.is_ascii_punctuation());
    let is_sentence = text.contains(|c: char| c.is_whitespace() || "。、「」".contains(c));
    !is_number && !is_sentence && text.chars().count() <= 40
}

/// Splits a move's number from the move. The files above a diagram (９ ８ ７ …) are none.
pub(super) fn numbered(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start_matches(BLANKS);
    let end = line.find(|c| arabic(c).is_none())?;
    let digits: String = line[..end].chars().filter_map(arabic).collect();
    let rest = line[end..].strip_prefix(BLANKS)?;
    let rest = rest.trim_start_matches(BLANKS);
    let mut chars = rest.chars();
    let is_file = chars.next().and_then(arabic).is_some() && chars.next().is_some_and(|c| BLANKS.contains(&c));
    if is_file { None } else { Some((digits.parse::<u32>().ok()? as usize, rest)) }
}

/// Takes the destination off a move: two digits, or 同 for that of the move before.
pub(super) fn read_square(text: &str, last: Option<Square>) -> Option<(Square, &str)> {
    if let Some(rest) = text.strip_prefix('同') {
        return Some((last?, rest.trim_start_matches([' ', '\u{3000}'])));
    }
    let mut chars = text.chars();
    let square = self::square(chars.next()?, chars.next()?)?;
    Some((square, chars.as_str().trim_start_matches([' ', '\u{3000}'])))
}
