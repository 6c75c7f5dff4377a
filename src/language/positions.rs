//! What is wrong with positions and moves, in Japanese.

use super::InJapanese;
use crate::mate::MateError;
use crate::position::{Declaration, EnteringKingRule, IllegalMove, SfenError};
use crate::records::notation::{piece_in_japanese as piece, square_in_japanese as square};
use crate::rules::LineError;

/// The side is not named: in a game with a handicap it has another name, which a move does not show.
impl InJapanese for IllegalMove {
    fn in_japanese(&self) -> String {
        use IllegalMove::*;
        match *self {
            NoPiece(from) => format!("{}に駒がありません", square(from)),
            NotYourPiece(piece_type, from, _) => format!("{}の{}は相手の駒です", square(from), piece(piece_type)),
            NotInHand(piece_type, _) => format!("持駒に{}がありません", piece(piece_type)),
            Occupied(to) => format!("{}には駒があるので打てません", square(to)),
            OwnPiece(piece_type, to, _) => format!("{}に自分の{}があります", square(to), piece(piece_type)),
            WrongMovement(piece_type, from, to) => {
                format!("{}は{}から{}へ動けません", piece(piece_type), square(from), square(to))
            }
            Blocked { from, to, blocker, by } => {
                format!("{}から{}へ行く途中の{}に{}があります", square(from), square(to), square(by), piece(blocker))
            }
            CannotPromote(piece_type) => format!("{}は成れません", piece(piece_type)),
            OutsideZone(from, to) => format!("{}も{}も敵陣ではないので成れません", square(from), square(to)),
            MustPromote(piece_type, to) => {
                format!("行き所のない駒: {}の{}は成らなければなりません", square(to), piece(piece_type))
            }
            NoFurtherMove(piece_type, to) => {
                format!("行き所のない駒: {}に{}は打てません", square(to), piece(piece_type))
            }
            Nifu(_, pawn) => format!("二歩: {}に自分の歩があります", square(pawn)),
            DropPawnMate(to) => format!("打ち歩詰め: {}に歩を打って詰ませてはなりません", square(to)),
            StaysInCheck(_, king, checker) => {
                format!("王手放置: {}の玉に{}の駒が王手をかけています", square(king), square(checker))
            }
            KingIntoCheck(_, to, attacker) => {
                format!("{}には{}の駒の利きがあるので、玉は行けません", square(to), square(attacker))
            }
            Pinned { piece_type, from, king, .. } => {
                format!("{}の{}が動くと、{}の玉に王手がかかります", square(from), piece(piece_type), square(king))
            }
        }
    }
}

impl InJapanese for SfenError {
    fn in_japanese(&self) -> String {
        use SfenError::*;
        let side = |color: crate::types::Color| color.japanese(false);
        match self {
            Handicap(unknown) => {
                format!("「{}」という手合割はありません（平手、香落ち … 十枚落ち）", unknown.0)
            }
            MissingField(_, field) => {
                let name = match *field {
                    "board" => "盤面",
                    "side to move" => "手番",
                    _ => "持駒",
                };
                format!("{name}がありません")
            }
            ExtraField(text) => format!("SFENの後に余分な「{text}」があります"),
            RankCount(board, ranks) => format!("盤面「{board}」は9段ではなく{ranks}段です"),
            RankWidth(rank, squares) => format!("段「{rank}」は9マスではなく{squares}マスです"),
            UnknownPiece(rank, letter) => format!("段「{rank}」の「{letter}」は駒ではありません"),
            SideToMove(text) => format!("手番「{text}」は b でも w でもありません"),
            Hand(text) => format!("持駒「{text}」を読み込めません"),
            MoveNumber(text) => format!("手数「{text}」を読み込めません"),
            TooManyPieces(letter, count, set) => {
                let name = crate::types::PieceType::from_letter(*letter).map_or("駒", piece);
                format!("盤上と持駒を合わせて{name}が{count}枚あります（全部で{set}枚しかありません）")
            }
            NoKing => "玉がありません".to_owned(),
            SeveralKings(color) => format!("{}の玉が二枚以上あります", side(*color)),
            Nifu(color, file) => format!("二歩: {}筋に{}の歩が二枚あります", file, side(*color)),
            ImmobilePiece(stuck, at) => {
                format!("行き所のない駒: {}の{}{}", square(*at), side(stuck.color()), piece(stuck.piece_type()))
            }
            OpponentInCheck(color) => format!("手番でない{}の玉に王手がかかっています", side(*color)),
        }
    }
}

impl InJapanese for LineError {
    fn in_japanese(&self) -> String {
        match self {
            LineError::Unreadable(text) => {
                format!("「{text}」を読み込めません。startpos か SFEN、続けて moves と指し手が必要です")
            }
            LineError::Sfen { text, error } => format!("SFEN「{text}」が正しくありません: {}", error.in_japanese()),
            LineError::UnreadableMove { number, text } => format!("{number}手目の「{text}」を読み込めません"),
            LineError::IllegalMove { number, mv, reason } => {
                format!("{number}手目の {mv} は反則です: {}", reason.in_japanese())
            }
        }
    }
}

impl InJapanese for Declaration {
    fn in_japanese(&self) -> String {
        if let Some(mv) = self.try_move {
            return format!("{mv} で勝ち");
        }
        let Some(needed) = self.needed else {
            let none = match self.rule {
                EnteringKingRule::TryRule => "玉が相手玉の初期位置に入れません",
                _ => "宣言はありません",
            };
            return none.to_owned();
        };
        let mut missing = Vec::new();
        if !self.king_entered {
            missing.push("玉が敵陣にいません".to_owned());
        }
        let short = [(self.pieces_short(), "枚"), (self.points_short(), "点")];
        missing.extend(
            short.into_iter().filter(|&(count, _)| count > 0).map(|(count, word)| format!("{count}{word}足りません")),
        );
        if self.in_check {
            missing.push("王手をかけられています".to_owned());
        }
        let standing =
            format!("{}点（{}点必要）、{}枚（{}枚必要）", self.points, needed.points, self.pieces, needed.pieces);
        match (missing.is_empty(), self.draws) {
            (true, _) => format!("{standing}: 勝ち"),
            (false, true) => format!("{standing}: 引き分け（勝ちには{}）", missing.join("、")),
            (false, false) => format!("{standing}: {}", missing.join("、")),
        }
    }
}

impl InJapanese for MateError {
    fn in_japanese(&self) -> String {
        match self {
            MateError::NoKing => "詰ませる玉がありません".to_owned(),
            MateError::Thread(error) => format!("詰み探索のスレッドを作成できません（{error}）"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::GameLine;

    #[test]
    fn illegal_moves_are_named_by_squares_and_pieces_in_japanese() {
        for (moves, expected) in [
            ("7g7f 3c3d 7f7d", "歩は７六から７四へ動けません"),
            ("2h2c+", "２八から２三へ行く途中の２七に歩があります"),
            ("P*5e", "持駒に歩がありません"),
            ("8c8d", "８三の歩は相手の駒です"),
            ("5e5d", "５五に駒がありません"),
            ("7g7f 3c3d 8h2b+ 3a2b B*3d", "３四には駒があるので打てません"),
            ("2g2f+", "２七も２六も敵陣ではないので成れません"),
        ] {
            let error = format!("startpos moves {moves}").parse::<GameLine>().unwrap_err();
            let said = error.in_japanese();
            assert!(said.ends_with(expected) && said.contains("手目の"), "{moves}: {said}");
        }
        for (sfen, mv, expected) in [
            ("4k4/9/9/9/9/4P4/9/9/4K4 b P 1", "P*5h", "二歩: ５六に自分の歩があります"),
            ("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", "P*5b", "打ち歩詰め: ５二に歩を打って詰ませてはなりません"),
            ("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "P*1e", "王手放置: ５九の玉に５五の駒が王手をかけています"),
            ("4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", "5h4h", "５八の金が動くと、５九の玉に王手がかかります"),
            ("4k4/9/9/9/3r5/9/9/9/4K4 b - 1", "5i6i", "６九には６五の駒の利きがあるので、玉は行けません"),
            ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*1b", "行き所のない駒: １二に桂は打てません"),
            ("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a", "行き所のない駒: １一の歩は成らなければなりません"),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            assert_eq!(position.check_legal(mv.parse().unwrap()).unwrap_err().in_japanese(), expected);
        }
    }

    #[test]
    fn bad_positions_are_described_in_japanese() {
        for (sfen, expected) in [
            ("9/9/9/9/9/9/9/9/9 b - 1", "玉がありません"),
            ("4k4/9/9/9/9/9/9/9 b - 1", "盤面「4k4/9/9/9/9/9/9/9」は9段ではなく8段です"),
            ("4k4/9/9/9/9/9/9/9/4K4 x - 1", "手番「x」は b でも w でもありません"),
            ("4k4/9/4P4/4P4/9/9/9/9/4K4 b - 1", "二歩: 5筋に先手の歩が二枚あります"),
            ("4k4/4G4/9/9/9/9/9/9/4K4 b - 1", "手番でない後手の玉に王手がかかっています"),
            ("4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "盤上と持駒を合わせて飛が3枚あります（全部で2枚しかありません）"),
            ("4k4/9/9/9/9/9/9/9/4K4", "手番がありません"),
            ("handicap:五枚落ちち", "「五枚落ちち」という手合割はありません（平手、香落ち … 十枚落ち）"),
        ] {
            assert_eq!(Position::from_sfen(sfen).unwrap_err().in_japanese(), expected);
        }
    }
}
