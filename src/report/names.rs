//! The names of openings (戦型) and castles (囲い), recognised in the positions of a game.
//!
//! The tables below say what each looks like to its own side, which is seen as Black whichever it is. A pattern is a
//! list of conditions, all of which one position fulfils:
//!
//! | condition | meaning |
//! |---|---|
//! | `K28` `K28/38` | the own king stands there, or on one of these (file and rank) |
//! | `R6` `R` | the own rook stands on the sixth file; anywhere on the board |
//! | `r52` | the opponent's rook stands there |
//! | `!P2` | no own pawn stands on the second file |
//! | `x` `!x` `X` | both bishops have been taken; not yet; by the last move |
//! | `<30` `>20` | at most, at least that many moves have been made |
//!
//! Squares and numbers of moves are facts; the tables are our own. Of 551 games of masters and amateurs whose records
//! name the opening, 522 get the same one, 28 another and 1 none.

use crate::position::{Handicap, Position, Setup};
use crate::types::{Color, File, Move, Phrase, Piece, PieceType, Rank, Square};

/// A name and its pattern.
type Row = (Phrase, &'static str);

const fn row(ja: &'static str, en: &'static str, pattern: &'static str) -> Row {
    (Phrase::new(en, ja), pattern)
}

/// Castles are looked for in this many moves: what stands later are ruins and pieces dropped.
const CASTLE_MOVES: usize = 90;

/// Castles, each behind those that it grows from: the last one reached counts.
const CASTLES: &[Row] = &[
    row("居玉", "Sitting King", "K59 >36"),
    row("舟囲い", "Boat", "K78 G69 G58"),
    row("いちご囲い", "Strawberry", "K68 G78 G58 S79"),
    row("箱入り娘", "Princess in a Box", "K78 G69 G68 S79"),
    row("中住まい", "Central House", "K58 G78 G38/49 S38/48"),
    row("中原囲い", "Nakahara", "K69 G78 G59 S48"),
    row("カニ囲い", "Crab", "K69 G78 G58 S68"),
    row("雁木囲い", "Snow Roof", "K69/68/59/58/79 G78 S67 P66"),
    row("早囲い", "Quick", "K38 S48 G49"),
    row("金無双", "Matchless Golds", "K38 G48 G58 S28"),
    row("片美濃囲い", "Incomplete Mino", "K28 S38 G49"),
    row("金美濃", "Gold Mino", "K28 G38 S48"),
    row("美濃囲い", "Mino", "K28 S38 G49 G58"),
    row("木村美濃", "Kimura Mino", "K28 S47 G38"),
    row("高美濃囲い", "High Mino", "K28 S38 G49 G47"),
    row("ダイヤモンド美濃", "Diamond Mino", "K28 S38 S47 G49 G58"),
    row("左美濃", "Left Mino", "K88/79 S78 G69"),
    row("天守閣美濃", "Castle Tower Mino", "K87 S78 G69"),
    row("elmo囲い", "elmo Castle", "K78 S68 G79"),
    row("片矢倉", "Half Yagura", "K78 G68 S77 G67"),
    row("矢倉囲い", "Yagura", "K88/79 G78 S77"),
    row("金矢倉", "Gold Yagura", "K88/79 G78 S77 G67"),
    row("銀矢倉", "Silver Yagura", "K88/79 G78 S77 S67"),
    row("総矢倉", "Complete Yagura", "K88/79 G78 S77 G67 S57"),
    row("菱矢倉", "Rhombus Yagura", "K88/79 G78 S77 G67 S66"),
    row("菊水矢倉", "Chrysanthemum Yagura", "K89 S88 N77 G78"),
    row("右矢倉", "Right Yagura", "K28 G38 S37"),
    row("ミレニアム囲い", "Millennium", "K89 N77 S88 G79"),
    row("振り飛車ミレニアム", "Ranging Rook Millennium", "K29 N37 S28 G38/39"),
    row("銀冠", "Silver Crown", "K28 S27 G38"),
    row("銀冠", "Silver Crown", "K88 S87 G78"),
    row("米長玉", "Yonenaga King", "K98 S87 G78"),
    row("串カツ囲い", "Kushikatsu", "K98 S88 G79/78"),
    row("振り飛車穴熊", "Ranging Rook Anaguma", "K19 L18 S28"),
    row("居飛車穴熊", "Static Rook Anaguma", "K99 L98 S88/79"),
    row("矢倉穴熊", "Yagura Anaguma", "K99 L98 S77 G78"),
    row("松尾流穴熊", "Matsuo Anaguma", "K99 L98 S88 S79 G78"),
    row("銀冠穴熊", "Silver Crown Anaguma", "K99 S87 G88/78"),
    row("銀冠穴熊", "Silver Crown Anaguma", "K19 S27 G28/38"),
    row("ビッグ4", "Big Four", "K99 S87 S77 G88 G78"),
];

/// Where the rook goes of a side that plays Ranging Rook: where it goes first counts, unless its pawn is gone or far
/// up, or the king is already on the other side. Behind each what that can be called more exactly; the first row that
/// fits.
const RANGING: &[(Row, &[Row])] = &[
    (
        row("中飛車", "Central Rook", "R58 P27/26 !G78 !K78 !K79 <36"),
        &[
            row("ゴキゲン中飛車", "Cheerful Central Rook", "R58 P55 P76 P67 !x <24"),
            row("ツノ銀中飛車", "Two-winged Silvers Central Rook", "R58/59 S47 S67 G78"),
        ],
    ),
    (
        row("四間飛車", "Fourth File Rook", "R68 P27/26 !K78 !K79 <36"),
        &[
            row("藤井システム", "Fujii System", "R68 K59/48 S38 P46 P36"),
            row("角交換四間飛車", "Bishop Exchange Fourth File Rook", "x R68/88 P67 <30"),
            row("立石流", "Tateishi Fourth File Rook", "R76 P65 P27/26 <50"),
        ],
    ),
    (
        row("三間飛車", "Third File Rook", "R78 P27/26 !K78 !K79 <36"),
        &[
            row("鬼殺し", "Demon Slayer", "N65 P75 <14"),
            row("升田式石田流", "Masuda-style Ishida", "x R78/76 P75 P27/26 <40"),
            row("石田流", "Ishida", "R78/76 P75 P27/26 <40"),
        ],
    ),
    (
        row("向かい飛車", "Opposing Rook", "R88 P27/26 !K78 !K79 <36"),
        &[row("ダイレクト向かい飛車", "Direct Opposing Rook", "x R88 S88/77 P67 <24")],
    ),
];

/// Plans of a side that plays Static Rook, against any opponent.
const STATIC: &[Row] = &[
    row("筋違い角", "Wrong Diagonal Bishop", "B45 x <9"),
    row("嬉野流", "Ureshino", "S68 B79 P77 <14"),
    row("右四間飛車", "Right Fourth File Rook", "R48 P45/46 S56 !x <40"),
    row("袖飛車", "Sleeve Rook", "R38 P36/35 !S77 <26"),
    row("右玉", "Right King", "K38/48 G78 S47 N37 R29/28 <70"),
    row("棒銀", "Climbing Silver", "S26 P25/24 <40"),
    row("雁木", "Snow Roof", "S67 P66 G78 !x <34"),
];

/// Plans against Ranging Rook.
const STATIC_VS_RANGING: &[Row] = &[
    row("超速", "Super-Fast Silver", "S37/46 P36/35 r52 <28"),
    row("丸山ワクチン", "Maruyama Vaccine", "x r52 P27/26/25 <14"),
    row("鳥刺し", "Bird Catcher", "S57 P77 B79/68 <40"),
    row("玉頭位取り", "King's File Vanguard", "P75 S76 <70"),
    row("５筋位取り", "Fifth File Vanguard", "P55 S56 <60"),
];

/// Games without Ranging Rook: the first row that fits either side.
const DOUBLE_STATIC: &[Row] = &[
    row("横歩取り", "Side Pawn Capture", "R34 P76 <15"),
    row("横歩取り", "Side Pawn Capture", "R34 P76 !p2 <30"),
    row("ひねり飛車", "Twisting Rook", "R76 P75 !P2 !x <50"),
    row("ひねり飛車", "Twisting Rook", "N77 P75 !P2 !x <50"),
    row("一手損角換わり", "Tempo Loss Bishop Exchange", "X S88 <14"),
    row("相掛かり", "Double Wing Attack", "!P2 !x !S77 !s33 <26"),
    row("矢倉", "Yagura", "S77 P76 !x <30"),
    row("雁木", "Snow Roof", "S67 P66 G78 !x <34"),
    row("角換わり棒銀", "Bishop Exchange Climbing Silver", "x S27/26 <40"),
    row("角換わり早繰り銀", "Bishop Exchange Rushing Silver", "x S46 P36/35 <40"),
    row("角換わり腰掛け銀", "Bishop Exchange Reclining Silver", "x S56 P46 <50"),
    row("角換わり", "Bishop Exchange", "x <36"),
    row("雁木", "Snow Roof", "S67 P66 G78 <50"),
    row("矢倉", "Yagura", "S77 P76 <40"),
    row("相掛かり", "Double Wing Attack", "!P2 <40"),
];

/// Games with a handicap of a bishop, a rook or more, as Black plays them; the first row that fits.
const HANDICAP: &[Row] = &[
    row("銀多伝", "Two Silvers Handicap Opening", "!r P45 P35 S46 S57/56 <60"),
    row("二歩突っ切り", "Two Pawns Handicap Opening", "!r P45 P35 <40"),
    row("矢倉", "Yagura", "S77 P76 G78 <60"),
];

/// What the names of a side's play are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideNames {
    /// Its opening.
    pub opening: Option<Phrase>,
    /// The castle that it built.
    pub castle: Option<Phrase>,
}

/// The names for a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameNames {
    /// The opening of the game, by which records are filed: 戦型.
    pub opening: Option<Phrase>,
    /// The names for each side, by [`Color::index`].
    pub sides: [SideNames; 2],
}

impl GameNames {
    /// Names a game by its start and its moves. Openings have names in even games, and where only a lance is missing;
    /// castles in all that begin with a named start.
    pub fn new(start: &Position, moves: &[Move]) -> GameNames {
        let Some(handicap) = Handicap::from_position(start) else { return GameNames::default() };
        let views = Color::ALL.map(|side| views(&start.setup(), moves, side));
        let castle = |views: &[View]| {
            let reached = |&(_, pattern): &&Row| views.iter().any(|view| view.fits(pattern));
            CASTLES.iter().rev().find(reached).map(|row| row.0)
        };
        let mut sides = [0, 1].map(|side| SideNames { opening: None, castle: castle(&views[side]) });
        let own = |side: usize| &views[side..=side];
        let ranging = [0, 1].map(|side| {
            let (plain, exact) = earliest(own(side), RANGING)?;
            first(own(side), exact).or(Some(plain))
        });
        if !matches!(handicap, Handicap::Even | Handicap::Lance | Handicap::RightLance) {
            sides[0].opening = ranging[0].or_else(|| first(own(0), HANDICAP));
            return GameNames { opening: sides[0].opening, sides };
        }
        let opening = match ranging {
            [Some(_), Some(_)] => Some(Phrase::new("Double Ranging Rook", "相振り飛車")),
            [None, None] => first(&views, DOUBLE_STATIC),
            [black, white] => black.or(white),
        };
        for side in [0, 1] {
            let plan = || first(own(side), STATIC);
            sides[side].opening = match (ranging[side], ranging[1 - side]) {
                (Some(name), _) => Some(name),
                (None, Some(_)) => plan().or_else(|| first(own(side), STATIC_VS_RANGING)).or(Some(STATIC_ROOK)),
                (None, None) => plan().or(opening),
            };
        }
        GameNames { opening, sides }
    }
}

const STATIC_ROOK: Phrase = Phrase::new("Static Rook", "居飛車");

/// The first row of a table that fits one of the sides at some time.
fn first(sides: &[Vec<View>], table: &[Row]) -> Option<Phrase> {
    let fits = |(_, pattern): &&Row| sides.iter().flatten().any(|view| view.fits(pattern));
    table.iter().find(fits).map(|row| row.0)
}

/// The row of a table that fits before the others, and the rows behind it.
fn earliest<'a>(sides: &[Vec<View>], table: &'a [(Row, &'a [Row])]) -> Option<(Phrase, &'a [Row])> {
    let named = |view: &View| table.iter().find(|((_, pattern), _)| view.fits(pattern));
    sides.iter().flatten().find_map(named).map(|&((name, _), exact)| (name, exact))
}

/// A position as one side sees it.
struct View {
    board: Setup,
    moves: usize,
    is_exchanged: bool,
    was_exchanged: bool,
}

/// The positions in which names are looked for.
fn views(start: &Setup, moves: &[Move], side: Color) -> Vec<View> {
    let (mut board, mut is_exchanged) = (start.clone(), false);
    let mut views = Vec::new();
    for made in 0..=moves.len().min(CASTLE_MOVES) {
        let was_exchanged = is_exchanged;
        is_exchanged |= Color::ALL.iter().all(|&color| board.in_hand(color, PieceType::Bishop) > 0);
        let seen = if side == Color::Black { board.clone() } else { board.rotated() };
        views.push(View { board: seen, moves: made, is_exchanged, was_exchanged });
        moves.get(made).into_iter().for_each(|&mv| board.do_move(mv));
    }
    views
}

impl View {
    /// Whether the position fulfils all conditions of a pattern.
    fn fits(&self, pattern: &str) -> bool {
        pattern.split(' ').all(|condition| match condition.split_at(1) {
            ("x", "") => self.is_exchanged,
            ("X", "") => self.is_exchanged && !self.was_exchanged,
            ("!", "x") => !self.is_exchanged,
            ("!", piece) => !self.has(piece),
            ("<", most) => most.parse().is_ok_and(|most| self.moves <= most),
            (">", least) => least.parse().is_ok_and(|least| self.moves >= least),
            _ => self.has(condition),
        })
    }

    /// Whether a piece stands on one of the squares behind its letter.
    fn has(&self, condition: &str) -> bool {
        let (letter, squares) = condition.split_at(1);
        let letter = letter.chars().next().unwrap_or(' ');
        let side = if letter.is_uppercase() { Color::Black } else { Color::White };
        let Some(piece_type) = PieceType::from_letter(letter.to_ascii_uppercase()) else { return false };
        let on = |square: Square| self.board.piece_on(square) == Some(Piece::new(side, piece_type));
        squares.split('/').any(|square| match *square.as_bytes() {
            [file, rank] => at(file, rank).is_some_and(on),
            [file] => (b'1'..=b'9').any(|rank| at(file, rank).is_some_and(on)),
            _ => Square::all().any(on),
        })
    }
}

/// The square with a file and a rank that are digits.
fn at(file: u8, rank: u8) -> Option<Square> {
    let index = |digit: u8| digit.checked_sub(b'1');
    Some(Square::at(File::new(index(file)?)?, Rank::new(index(rank)?)?))
}
