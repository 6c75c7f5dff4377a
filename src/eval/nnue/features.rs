//! Which rows of the first layer a position switches on.
//!
//! Every piece gives one number ("BonaPiece" in the field): in hand, its type's base plus how many of
//! the type are held below it; on the board, its type's plane plus the square. The n-th row of a
//! king square's bucket stands for piece n. All from a player's own view: White sees the board turned,
//! and the mirrored sets see it with the own king on files 1 to 5.

use crate::types::{Color, File, Hand, Piece, PieceType, Rank, Square};

/// How a player sees the board: all that depends on where the own king stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct View {
    /// Whose view it is.
    pub(super) color: Color,
    /// Twice the bucket, and one more where the board is mirrored.
    slot: u8,
}

impl View {
    /// The view's number among those of its side, below [`FeatureMap::views`].
    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        usize::from(self.slot)
    }
}

/// The numbers that a player gives to the squares: Black and White, each plain and mirrored.
static SQUARES_SEEN: [[u8; Square::COUNT]; 4] = {
    let mut table = [[0; Square::COUNT]; 4];
    let mut index = 0;
    while index < Square::COUNT {
        if let Some(square) = Square::new(index as u8) {
            let seen = [square, square.mirrored(), square.rotated(), square.rotated().mirrored()];
            let mut side = 0;
            while side < seen.len() {
                table[side][index] = seen[side].index() as u8;
                side += 1;
            }
        }
        index += 1;
    }
    table
};

/// A set's rows in one view.
#[derive(Clone, Copy)]
pub(super) struct SeenFeatures<'a> {
    map: &'a FeatureMap,
    color: Color,
    /// The first row of the bucket.
    base: u32,
    squares: &'static [u8; Square::COUNT],
}

impl SeenFeatures<'_> {
    /// The row of a piece on the board; `None` for a king in a set without kings.
    #[inline(always)]
    pub(super) fn on_board(&self, piece: Piece, square: Square) -> Option<u32> {
        let plane = self.map.planes[relative(piece, self.color)];
        (plane != NONE).then(|| self.base + u32::from(plane) + u32::from(self.squares[square.index()]))
    }

    /// The row of the `number`-th piece (from 1) of a type that `piece`'s owner holds.
    #[inline(always)]
    pub(super) fn in_hand(&self, piece: Piece, number: u32) -> u32 {
        self.base + u32::from(self.map.hands[relative(piece, self.color)]) + number - 1
    }

    /// The row of a piece that is not there.
    #[inline(always)]
    pub(super) fn absent(&self) -> u32 {
        self.base
    }
}

/// A set's numbers, ready to be looked up.
pub(crate) struct FeatureMap {
    set: SetNumbers,
    /// By piece, Black being the player whose view it is: the first number of its plane.
    planes: [u16; Piece::TABLE_LEN],
    /// The first number of pieces in hand.
    hands: [u16; Piece::TABLE_LEN],
}

/// Where a king is taken to stand on a board without it (tsume): where it starts, 5i or 5a.
fn home(color: Color) -> Square {
    const OF_BLACK: Square = Square::at(File::new(4).unwrap(), Rank::new(8).unwrap());
    OF_BLACK.relative(color)
}

/// First numbers of planes and of pieces in hand, by piece.
type Numbers = ([u16; Piece::TABLE_LEN], [u16; Piece::TABLE_LEN]);

/// The numbers of the public sets.
fn bona_pieces(set: FeatureSet) -> Numbers {
    use PieceType::*;
    let mut planes = [NONE; Piece::TABLE_LEN];
    let mut hands = [NONE; Piece::TABLE_LEN];
    let mut at = |piece_type: PieceType, plane: u16| {
        planes[Piece::new(Color::Black, piece_type).index()] = BOARD + 2 * plane * PLANE;
        planes[Piece::new(Color::White, piece_type).index()] = BOARD + (2 * plane + 1) * PLANE;
    };
    for (plane, piece_type) in [Pawn, Lance, Knight, Silver, Gold, Bishop, Horse, Rook, Dragon].into_iter().enumerate()
    {
        at(piece_type, plane as u16);
    }
    [ProPawn, ProLance, ProKnight, ProSilver].into_iter().for_each(|piece_type| at(piece_type, 4));
    for (color, plane) in Color::ALL.into_iter().zip(set.numbers().king_planes) {
        planes[Piece::new(color, King).index()] = plane;
    }
    let in_hand = [
        (Pawn, 1, 20),
        (Lance, 39, 44),
        (Knight, 49, 54),
        (Silver, 59, 64),
        (Gold, 69, 74),
        (Bishop, 79, 82),
        (Rook, 85, 88),
    ];
    for (piece_type, own, enemy) in in_hand {
        hands[Piece::new(Color::Black, piece_type).index()] = own;
        hands[Piece::new(Color::White, piece_type).index()] = enemy;
    }
    (planes, hands)
}

/// The numbers of [`FeatureSet::KaHm`]: first all of the own pieces, then as many of the enemy's; for each side a
/// plane for each piece type, then the hand, where the n-th piece of a type has the n-th number of that type.
fn kuro_numbers() -> Numbers {
    use PieceType::*;
    const TYPES: [PieceType; 14] =
        [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, ProPawn, ProLance, ProKnight, ProSilver, Horse, Dragon];
    let (mut planes, mut hands) = ([NONE; Piece::TABLE_LEN], [NONE; Piece::TABLE_LEN]);
    for color in Color::ALL {
        let side = KURO_SIDE * color.index() as u16;
        let mut in_hand = side + TYPES.len() as u16 * PLANE;
        for (number, piece_type) in TYPES.into_iter().enumerate() {
            planes[Piece::new(color, piece_type).index()] = side + number as u16 * PLANE;
            if PieceType::HAND.contains(&piece_type) {
                hands[Piece::new(color, piece_type).index()] = in_hand;
                in_hand += u16::from(piece_type.count_in_set());
            }
        }
    }
    (planes, hands)
}

impl FeatureMap {
    pub(crate) fn new(set: FeatureSet) -> FeatureMap {
        let (planes, hands) = if set == FeatureSet::KaHm { kuro_numbers() } else { bona_pieces(set) };
        FeatureMap { set: set.numbers(), planes, hands }
    }

    /// How `color` sees the board with its king on this square.
    #[inline]
    pub(crate) fn view(&self, color: Color, king: Option<Square>) -> View {
        let square = king.unwrap_or_else(|| home(color)).relative(color);
        let mirrored = self.set.is_mirrored && square.file().index() > 4;
        let square = if mirrored { square.mirrored() } else { square };
        let bucket = if self.set.buckets == 1 { 0 } else { square.index() as u8 };
        View { color, slot: 2 * bucket + u8::from(mirrored) }
    }

    /// The rows in a view.
    #[inline(always)]
    pub(super) fn seen(&self, View { color, slot }: View) -> SeenFeatures<'_> {
        let base = u32::from(slot / 2) * u32::from(self.set.rows_per_bucket);
        let squares = &SQUARES_SEEN[2 * color.index() + usize::from(slot % 2)];
        SeenFeatures { map: self, color, base, squares }
    }

    /// How many views a side may have.
    pub(super) fn views(&self) -> usize {
        2 * self.set.buckets
    }

    /// How many pieces are not there.
    pub(super) fn absent_pieces(&self, pieces_on_board: [u32; 2], hands: [Hand; 2], kings: u32) -> u32 {
        let counted_kings = if self.set.full_set == 40 { 0 } else { kings };
        let present = pieces_on_board[0] + pieces_on_board[1] + hands[0].total() + hands[1].total() - counted_kings;
        self.set.full_set.saturating_sub(present)
    }
}

#[cfg(feature = "train")]
impl FeatureMap {
    /// As [`SeenFeatures::on_board`].
    #[inline(always)]
    pub(crate) fn on_board(&self, view: View, piece: Piece, square: Square) -> Option<u32> {
        self.seen(view).on_board(piece, square)
    }

    /// As [`SeenFeatures::in_hand`].
    #[inline(always)]
    pub(crate) fn in_hand(&self, view: View, piece: Piece, number: u32) -> u32 {
        self.seen(view).in_hand(piece, number)
    }
}

/// A piece's index as `color` sees it: Black's pieces are the own ones.
#[inline(always)]
fn relative(piece: Piece, color: Color) -> usize {
    piece.index() ^ (color.index() << 4)
}

/// A set of features: one of the public formats, or of Kurosabi's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureSet {
    /// Own king's square × every piece but the kings.
    HalfKp,
    /// Every piece but the kings, and the kings' squares.
    KP,
    /// Own king's square, mirrored to files 1 to 5, × every piece; a plane for each king.
    HalfKaHm1,
    /// The same with one plane for both kings.
    HalfKaHm2,
    /// Kurosabi's own: every piece, each type in a plane of its own, mirrored with the own king; no buckets.
    KaHm,
}

/// Numbers of pieces below this are those in hand; 0 stands for a piece that is not there at all.
pub(super) const BOARD: u16 = 90;
const PLANE: u16 = Square::COUNT as u16;
/// Numbers of pieces without the kings (`fe_end` in the field); the kings' planes follow.
const PIECES: u16 = BOARD + 18 * PLANE;
/// Numbers of one side's pieces in [`FeatureSet::KaHm`]: 14 planes and 38 pieces in hand.
const KURO_SIDE: u16 = 14 * PLANE + 38;
const KURO_KING: u16 = 7 * PLANE;
/// The number of a feature that a set does not have.
pub(super) const NONE: u16 = u16::MAX;

/// What distinguishes a set.
pub(super) struct SetNumbers {
    /// The name that files give it.
    name: &'static str,
    /// The hash that public files give it (combined with the width of the layer above).
    pub(super) hash: u32,
    /// King squares that have rows of their own.
    buckets: usize,
    rows_per_bucket: u16,
    /// Planes of the own and the enemy king.
    king_planes: [u16; 2],
    /// Whether a player whose king stands on files 6 to 9 sees the board mirrored.
    is_mirrored: bool,
    /// How many pieces a full set has that count as 0 when they are not there.
    full_set: u32,
}

impl FeatureSet {
    /// The sets of the public formats, in the order in which they are tried.
    pub(super) const PUBLIC: [FeatureSet; 4] =
        [FeatureSet::HalfKp, FeatureSet::KP, FeatureSet::HalfKaHm2, FeatureSet::HalfKaHm1];

    pub(super) const fn numbers(self) -> SetNumbers {
        const KINGS: u32 = 0xd3ce_e169;
        const EACH_PIECE: u32 = 0x764c_fb4b;
        const HALF_KP: SetNumbers = SetNumbers {
            name: "HalfKP",
            hash: 0x5d69_d5b8,
            buckets: 81,
            rows_per_bucket: PIECES,
            king_planes: [NONE; 2],
            is_mirrored: false,
            full_set: 38,
        };
        const TWO_KINGS: SetNumbers =
            SetNumbers { rows_per_bucket: PIECES + 2 * PLANE, king_planes: [PIECES, PIECES + PLANE], ..HALF_KP };
        const HM: SetNumbers =
            SetNumbers { hash: 0x5f13_4cb8, buckets: 45, is_mirrored: true, full_set: 40, ..TWO_KINGS };
        match self {
            FeatureSet::HalfKp => HALF_KP,
            FeatureSet::KP => {
                SetNumbers { name: "K+P", hash: KINGS ^ EACH_PIECE.rotate_left(1), buckets: 1, ..TWO_KINGS }
            }
            FeatureSet::HalfKaHm1 => SetNumbers { name: "HalfKA_hm1", ..HM },
            FeatureSet::HalfKaHm2 => {
                SetNumbers { name: "HalfKA_hm2", rows_per_bucket: PIECES + PLANE, king_planes: [PIECES; 2], ..HM }
            }
            FeatureSet::KaHm => {
                let (rows_per_bucket, king_planes) = (2 * KURO_SIDE, [KURO_KING, KURO_SIDE + KURO_KING]);
                SetNumbers { name: "Ka_hm", hash: 0, buckets: 1, rows_per_bucket, king_planes, full_set: 0, ..HM }
            }
        }
    }

    /// The name that files give it.
    pub fn name(self) -> &'static str {
        self.numbers().name
    }

    /// Number of features: rows of the first layer.
    pub const fn rows(self) -> usize {
        let SetNumbers { buckets, rows_per_bucket, .. } = self.numbers();
        buckets * rows_per_bucket as usize
    }
}
