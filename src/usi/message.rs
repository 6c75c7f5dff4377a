//! Every message of the USI protocol, in both directions, as one enum.
//!
//! [`UsiMessage`] is what travels on one line between a GUI (or match runner) and an engine. Its
//! [`Display`] form is the text for the wire, without the line break;
//! [`parser`](super::parser) reads it back, and `parse_one(&message.to_string()) == message`.
//! Nothing here knows a board or a rule: a SFEN stays text, and moves are only read as moves.
//!
//! The protocol is that of Shogidokoro with what today's clients add (`go rtime`, `go mate nodes`,
//! `ponderhit` with clocks, `score mate +`, ends of a `pv` such as `rep_draw`) and a few commands
//! for people and scripts (`d`, `eval`, `bench`, `go perft`, `help`).
//!
//! Written by a GUI:
//!
//! ```
//! use kurosabi::types::Move;
//! use kurosabi::usi::message::{Clock, Go, GoParams, InitialPosition, PositionSpec, UsiMessage};
//!
//! let moves: Vec<Move> = ["7g7f", "3c3d"].map(|text| text.parse().unwrap()).into();
//! let position = UsiMessage::Position(PositionSpec::new(InitialPosition::Startpos, moves));
//! assert_eq!(position.to_string(), "position startpos moves 7g7f 3c3d");
//!
//! let clock = Clock { time: [Some(60_000), Some(58_000)], byoyomi: Some(10_000), ..Clock::default() };
//! let go = UsiMessage::Go(Go::Search(GoParams { clock, ..GoParams::default() }));
//! assert_eq!(go.to_string(), "go btime 60000 wtime 58000 byoyomi 10000");
//! ```
//!
//! Written by an engine:
//!
//! ```
//! use kurosabi::types::Score;
//! use kurosabi::usi::message::{BestMove, Info, UsiMessage};
//!
//! let score = Some(Score::mated_in(4).outcome().into());
//! let info = Info { depth: Some(12), score, pv: vec!["5i5h".parse().unwrap()], ..Info::default() };
//! assert_eq!(UsiMessage::Info(info).to_string(), "info depth 12 score mate -4 pv 5i5h");
//! assert_eq!(UsiMessage::BestMove(BestMove::Resign).to_string(), "bestmove resign");
//! ```
//!
//! # Free text
//!
//! Names, values and `info string` texts are plain `String`s. On the wire they lose blanks at both
//! ends (names also the second of two blanks), and a few words cannot stand in a few places: an
//! option's name holds neither the word `value` nor `type`, a SFEN not the word `moves`. The empty
//! string is written `<empty>` where the protocol says so. A message is always one line: line breaks inside
//! a text are written as blanks.
//!
//! Text that an engine sends should be ASCII, since some clients fail on any other byte, but for what the user gave
//! it, such as the path of a file: that is shown as it is, in UTF-8 ([`UsiMessage::info_string`]).
//!
//! Length: every message of both directions, and how each is written.

use std::fmt::{self, Display, Write};

use crate::types::{Move, Outcome, ParseMoveError, visible};

pub use crate::search::{Bound, Clock};

/// One message, from the GUI to the engine or back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsiMessage {
    // GUI to engine
    /// `usi`: the engine answers with `id`, its options and `usiok`.
    Usi,
    /// `isready`: the engine loads what it needs and answers `readyok`.
    IsReady,
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// The option's name, never empty. The protocol compares names without regard to case.
        name: String,
        /// The new value; `None` presses a button. The empty string is `<empty>` on the wire.
        value: Option<String>,
    },
    /// `usinewgame`: a game begins.
    UsiNewGame,
    /// `position …`: the position to think about, with the game's moves.
    Position(PositionSpec),
    /// `go …`: think, solve or count; answered by exactly one `bestmove` or `checkmate`.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `ponderhit`: the expected move was played. Some clients add the clocks; none is given in the
    /// plain form.
    PonderHit(Clock),
    /// `gameover win|lose|draw`: the game is over, also for an engine that is still thinking.
    GameOver(GameOver),
    /// `quit`: the engine exits.
    Quit,
    /// `d`: print the position.
    Display,
    /// `eval`: print the static evaluation of the position.
    Eval,
    /// `help`: list the commands.
    Help,
    /// `why <move>`: say whether a move is legal and, if not, which rule it breaks. A text that is no move is kept as
    /// the error that names it.
    Why(Result<Move, ParseMoveError>),
    /// `bench [depth]`: search a fixed set of positions.
    Bench {
        /// How deep, in plies; the engine's default when `None`.
        depth: Option<u32>,
    },

    // Engine to GUI
    /// `id name|author …`.
    Id(Id),
    /// `option name … type …`: an option that `setoption` can set.
    Option(OptionDecl),
    /// `usiok`: the answer to `usi` is complete.
    UsiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `bestmove …`: the answer to `go`.
    BestMove(BestMove),
    /// `checkmate …`: the answer to `go mate`.
    Checkmate(Checkmate),
    /// `info …`: what the engine is thinking.
    Info(Info),

    /// A line that is none of the above, without the blanks around it.
    Unknown(String),
}

/// The messages of one word.
pub(super) static BARE: [(&str, UsiMessage); 10] = [
    ("usi", UsiMessage::Usi),
    ("isready", UsiMessage::IsReady),
    ("usinewgame", UsiMessage::UsiNewGame),
    ("stop", UsiMessage::Stop),
    ("quit", UsiMessage::Quit),
    ("d", UsiMessage::Display),
    ("eval", UsiMessage::Eval),
    ("help", UsiMessage::Help),
    ("usiok", UsiMessage::UsiOk),
    ("readyok", UsiMessage::ReadyOk),
];

impl UsiMessage {
    /// `info string <text>`, safe for every client: line breaks, other control characters and marks of direction are
    /// escaped as in Rust source.
    ///
    /// ```
    /// # use kurosabi::usi::message::UsiMessage;
    /// let message = UsiMessage::info_string("no such book: 定跡.db");
    /// assert_eq!(message.to_string(), "info string no such book: 定跡.db");
    /// ```
    pub fn info_string(text: impl Display) -> UsiMessage {
        let line = visible(text.to_string().trim()).into_owned();
        UsiMessage::Info(Info { string: Some(line), ..Info::default() })
    }
}

/// The text for the wire: one line, without its line break.
impl fmt::Display for UsiMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = OneLine(f);
        match self {
            UsiMessage::SetOption { name, value: None } => write!(line, "setoption name {name}"),
            UsiMessage::SetOption { name, value: Some(value) } => {
                write!(line, "setoption name {name} value {}", or_empty_marker(value))
            }
            UsiMessage::Position(position) => write!(line, "{position}"),
            UsiMessage::Go(go) => write!(line, "{go}"),
            UsiMessage::PonderHit(clock) => {
                line.write_str("ponderhit")?;
                write_clock(&mut line, clock)
            }
            UsiMessage::GameOver(result) => write!(line, "gameover {}", word_of(&GameOver::WORDS, result)),
            UsiMessage::Why(Ok(mv)) => write!(line, "why {mv}"),
            UsiMessage::Why(Err(ParseMoveError(text))) => write!(line, "why {text}"),
            UsiMessage::Bench { depth: None } => line.write_str("bench"),
            UsiMessage::Bench { depth: Some(depth) } => write!(line, "bench {depth}"),
            UsiMessage::Id(Id::Name(name)) => write!(line, "id name {name}"),
            UsiMessage::Id(Id::Author(author)) => write!(line, "id author {author}"),
            UsiMessage::Option(option) => write!(line, "{option}"),
            UsiMessage::BestMove(best) => write!(line, "{best}"),
            UsiMessage::Checkmate(checkmate) => write!(line, "{checkmate}"),
            UsiMessage::Info(info) => write!(line, "{info}"),
            UsiMessage::Unknown(text) => line.write_str(text),
            bare => line.write_str(word_of(&BARE, bare)),
        }
    }
}

/// Keeps a message on one line.
struct OneLine<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl Write for OneLine<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut parts = text.split(['\r', '\n']);
        self.0.write_str(parts.next().unwrap_or_default())?;
        parts.try_for_each(|part| write!(self.0, " {part}"))
    }
}

/// How the protocol writes an empty value.
pub(super) const EMPTY_MARKER: &str = "<empty>";

fn or_empty_marker(text: &str) -> &str {
    if text.is_empty() { EMPTY_MARKER } else { text }
}

/// The word for a value; none where there is no word.
fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |&(word, _)| word)
}

/// ` key value`, or nothing.
fn write_field(out: &mut impl Write, key: &str, value: Option<impl Display>) -> fmt::Result {
    match value {
        Some(value) => write!(out, " {key} {value}"),
        None => Ok(()),
    }
}

/// Each word after a blank.
fn write_words(out: &mut impl Write, words: &[impl Display]) -> fmt::Result {
    words.iter().try_for_each(|word| write!(out, " {word}"))
}

/// What the engine decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// `bestmove <move> [ponder <move>]`.
    Move {
        /// The move played.
        best: Move,
        /// The reply to think about on the opponent's time.
        ponder: Option<Move>,
    },
    /// `bestmove resign`: the engine resigns, or has no legal move.
    Resign,
    /// `bestmove win`: the engine declares a win by entering king.
    Win,
}

/// What the mate solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkmate {
    /// `checkmate <move> …`: the moves of the mate.
    Moves(Vec<Move>),
    /// `checkmate nomate`: there is none.
    NoMate,
    /// `checkmate timeout`: the limit was reached before an answer.
    Timeout,
    /// `checkmate notimplemented`: the engine has no solver.
    NotImplemented,
}

/// How a game ended for the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOver {
    /// `win`
    Win,
    /// `lose`
    Lose,
    /// `draw`
    Draw,
    /// `unknown` (USI 2.0); also a `gameover` that says nothing, as cshogi sends it.
    Unknown,
}

/// The whole message.
impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BestMove::Move { best, ponder } => {
                write!(f, "bestmove {best}")?;
                write_field(f, "ponder", ponder.as_ref())
            }
            BestMove::Resign => f.write_str("bestmove resign"),
            BestMove::Win => f.write_str("bestmove win"),
        }
    }
}

/// The whole message.
impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checkmate")?;
        match self {
            Checkmate::Moves(moves) => write_words(f, moves),
            Checkmate::NoMate => f.write_str(" nomate"),
            Checkmate::Timeout => f.write_str(" timeout"),
            Checkmate::NotImplemented => f.write_str(" notimplemented"),
        }
    }
}

impl GameOver {
    pub(super) const WORDS: [(&'static str, GameOver); 4] =
        [("win", GameOver::Win), ("lose", GameOver::Lose), ("draw", GameOver::Draw), ("unknown", GameOver::Unknown)];
}

/// The position of a game: where it began and the moves since, which repetition needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSpec {
    /// Where the game began.
    pub initial: InitialPosition,
    /// The moves in order. A text that is no move is kept in its place as the error that names it.
    pub moves: Vec<Result<Move, ParseMoveError>>,
}

/// The position a game begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitialPosition {
    /// `startpos`: the even game.
    Startpos,
    /// `sfen <board> <side> <hands> [<move number>]`: the text after `sfen`, its words joined by
    /// single blanks and not judged in any way.
    Sfen(String),
}

impl PositionSpec {
    /// The position after `moves`.
    pub fn new(initial: InitialPosition, moves: impl IntoIterator<Item = Move>) -> PositionSpec {
        PositionSpec { initial, moves: moves.into_iter().map(Ok).collect() }
    }
}

/// The whole message.
impl fmt::Display for PositionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.initial {
            InitialPosition::Startpos => f.write_str("position startpos")?,
            InitialPosition::Sfen(sfen) => write!(f, "position sfen {sfen}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| match mv {
            Ok(mv) => write_words(f, &[mv]),
            Err(ParseMoveError(text)) => write_words(f, &[text]),
        })
    }
}

/// Who the engine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// `id name <engine and version>`.
    Name(String),
    /// `id author <who wrote it>`.
    Author(String),
}

// `go`.

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Go {
    /// Find the best move; the answer is `bestmove`.
    Search(GoParams),
    /// `go mate …`: solve a tsume problem; the answer is `checkmate`.
    Mate(MateParams),
    /// `go perft <depth>`: count the leaves of the tree of legal moves.
    Perft(u32),
}

/// The limits of a search. All may be combined, see [`SearchLimits`](crate::search::SearchLimits).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoParams {
    /// `ponder`: the last move of the position is only expected; no answer before `ponderhit` or
    /// `stop`.
    pub ponder: bool,
    /// The clocks of the game, as they are sent.
    pub clock: Clock,
    /// `movetime`: think for this many milliseconds.
    pub movetime: Option<u64>,
    /// `rtime`: think for a random time based on this many milliseconds (YaneuraOu).
    pub rtime: Option<u64>,
    /// `depth`: search this many plies.
    pub depth: Option<u32>,
    /// `nodes`: search this many nodes.
    pub nodes: Option<u64>,
    /// `infinite`: no answer before `stop`.
    pub infinite: bool,
    /// `searchmoves`: consider only these moves; all when empty.
    pub searchmoves: Vec<Move>,
}

/// How long to look for a mate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MateParams {
    /// The milliseconds behind `mate`; none for `infinite`, or nothing.
    pub time: Option<u64>,
    /// The other limits. Of these, `infinite` has no meaning.
    pub limits: GoParams,
}

/// The clocks, in milliseconds, each as sent or absent. Clients send zero and negative ones, the one of a single side,
/// or none, and disagree on whether the time already contains the increment.
fn write_clock(out: &mut impl Write, clock: &Clock) -> fmt::Result {
    let Clock { time: [btime, wtime], increment: [binc, winc], byoyomi, moves_to_go } = *clock;
    for (key, value) in [("btime", btime), ("wtime", wtime), ("byoyomi", byoyomi), ("binc", binc), ("winc", winc)] {
        write_field(out, key, value)?;
    }
    write_field(out, "movestogo", moves_to_go)
}

/// The whole message. `searchmoves` comes last, since some engines take all that follows as moves.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params = match self {
            Go::Perft(depth) => return write!(f, "go perft {depth}"),
            Go::Search(params) => params,
            Go::Mate(MateParams { limits, .. }) => limits,
        };
        f.write_str(match self {
            Go::Mate(MateParams { time: None, limits }) if limits.nodes.is_none() => "go mate infinite",
            Go::Mate(_) => "go mate",
            _ => "go",
        })?;
        if let Go::Mate(MateParams { time: Some(ms), .. }) = self {
            write!(f, " {ms}")?;
        }
        if params.ponder {
            f.write_str(" ponder")?;
        }
        write_clock(f, &params.clock)?;
        write_field(f, "movetime", params.movetime)?;
        write_field(f, "rtime", params.rtime)?;
        write_field(f, "depth", params.depth)?;
        write_field(f, "nodes", params.nodes)?;
        if params.infinite {
            f.write_str(" infinite")?;
        }
        if !params.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        write_words(f, &params.searchmoves)
    }
}

// `info`.

/// What the engine reports of its search. Every field may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the search, in plies.
    pub depth: Option<u32>,
    /// The deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// Which of several best lines this is, from 1.
    pub multipv: Option<u32>,
    /// The score, from the engine's view.
    pub score: Option<InfoScore>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the transposition table is, in permille.
    pub hashfull: Option<u32>,
    /// Time used, in milliseconds.
    pub time: Option<u64>,
    /// The root move being searched.
    pub currmove: Option<Move>,
    /// Its number, from 1.
    pub currmovenumber: Option<u32>,
    /// The best line.
    pub pv: Vec<Move>,
    /// What the game comes to after `pv`.
    pub pv_end: Option<UsiPvEnd>,
    /// Any text; on the wire it takes the rest of the line.
    pub string: Option<String>,
}

/// A score, and whether it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoScore {
    /// The score.
    pub value: UsiScore,
    /// Its exactness.
    pub bound: Bound,
}

/// A score as the protocol writes it, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsiScore {
    /// `cp`: 100 is a pawn.
    Cp(i32),
    /// `mate <plies>`: the side to move mates; `mate +` when the length is not known.
    MateIn(Option<u32>),
    /// `mate -<plies>`: the side to move is mated; `mate -` when the length is not known.
    MatedIn(Option<u32>),
}

/// A word that YaneuraOu puts after the moves of a `pv` to say how the line ends, from the view of
/// the side then to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsiPvEnd {
    /// `rep_draw`: fourfold repetition.
    RepDraw,
    /// `rep_win`: the opponent gave perpetual check.
    RepWin,
    /// `rep_lose`: it gave perpetual check.
    RepLose,
    /// `rep_sup`: a position was repeated with a better hand.
    RepSup,
    /// `rep_inf`: a position was repeated with a worse hand.
    RepInf,
    /// `win`: it declares a win.
    Win,
    /// `resign`: it is mated or resigns.
    Resign,
}

impl UsiPvEnd {
    pub(in crate::usi) const WORDS: [(&'static str, UsiPvEnd); 7] = [
        ("rep_draw", UsiPvEnd::RepDraw),
        ("rep_win", UsiPvEnd::RepWin),
        ("rep_lose", UsiPvEnd::RepLose),
        ("rep_sup", UsiPvEnd::RepSup),
        ("rep_inf", UsiPvEnd::RepInf),
        ("win", UsiPvEnd::Win),
        ("resign", UsiPvEnd::Resign),
    ];
}

/// The word itself.
impl fmt::Display for UsiPvEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word_of(&UsiPvEnd::WORDS, self))
    }
}

/// The protocol has no score for a win or loss by rule (declaration, perpetual check). Like YaneuraOu, it is shown as a
/// mate of as many plies, which GUIs draw at the edge of the graph and count as decided; the end of the PV
/// ([`UsiPvEnd`]) says that it is none.
impl From<Outcome> for UsiScore {
    fn from(outcome: Outcome) -> UsiScore {
        match outcome {
            Outcome::Centipawns(cp) => UsiScore::Cp(cp),
            Outcome::MateIn(plies) | Outcome::WinIn(plies) => UsiScore::MateIn(Some(plies)),
            Outcome::MatedIn(plies) | Outcome::LossIn(plies) => UsiScore::MatedIn(Some(plies)),
        }
    }
}

impl From<UsiScore> for InfoScore {
    fn from(value: UsiScore) -> InfoScore {
        InfoScore { value, bound: Bound::Exact }
    }
}

impl From<Outcome> for InfoScore {
    fn from(outcome: Outcome) -> InfoScore {
        UsiScore::from(outcome).into()
    }
}

/// The words after `score`.
impl fmt::Display for UsiScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsiScore::Cp(cp) => write!(f, "cp {cp}"),
            UsiScore::MateIn(Some(plies)) => write!(f, "mate {plies}"),
            UsiScore::MateIn(None) => f.write_str("mate +"),
            UsiScore::MatedIn(Some(plies)) => write!(f, "mate -{plies}"),
            UsiScore::MatedIn(None) => f.write_str("mate -"),
        }
    }
}

/// The words after `score`, the bound included.
impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)?;
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

/// The whole message. The order is YaneuraOu's; `pv` is the last key but for `string`.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "seldepth", self.seldepth)?;
        write_field(f, "multipv", self.multipv)?;
        write_field(f, "score", self.score)?;
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "nps", self.nps)?;
        write_field(f, "hashfull", self.hashfull)?;
        write_field(f, "time", self.time)?;
        write_field(f, "currmove", self.currmove)?;
        write_field(f, "currmovenumber", self.currmovenumber)?;
        if !self.pv.is_empty() || self.pv_end.is_some() {
            f.write_str(" pv")?;
        }
        write_words(f, &self.pv)?;
        write_words(f, self.pv_end.as_slice())?;
        write_field(f, "string", self.string.as_ref())
    }
}

// `option`.

/// An option that the engine offers.
///
/// ```
/// use kurosabi::usi::message::{OptionDecl, OptionKind};
///
/// let kind = OptionKind::Spin { default: Some(256), min: Some(1), max: Some(33_554_432) };
/// let hash = OptionDecl { name: "USI_Hash".to_owned(), kind };
/// assert_eq!(hash.to_string(), "option name USI_Hash type spin default 256 min 1 max 33554432");
/// let kind = OptionKind::Filename { default: Some(String::new()) };
/// let book = OptionDecl { name: "BookFile".to_owned(), kind };
/// assert_eq!(book.to_string(), "option name BookFile type filename default <empty>");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// What `setoption` calls it, never empty. Some GUIs drop options with a blank in the name.
    pub name: String,
    /// Its kind, with default and range.
    pub kind: OptionKind,
}

/// The kinds of options. An engine should give every default and range; not all do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// Its value at the start.
        default: Option<bool>,
    },
    /// A number.
    Spin {
        /// Its value at the start.
        default: Option<i64>,
        /// The smallest value allowed.
        min: Option<i64>,
        /// The largest value allowed.
        max: Option<i64>,
    },
    /// One of several texts.
    Combo {
        /// Its value at the start.
        default: Option<String>,
        /// The texts allowed.
        vars: Vec<String>,
    },
    /// A button, which has no value.
    Button,
    /// Any text.
    String {
        /// Its value at the start.
        default: Option<String>,
    },
    /// The path of a file.
    Filename {
        /// Its value at the start.
        default: Option<String>,
    },
}

/// The whole message.
impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => {
                f.write_str("check")?;
                write_field(f, "default", *default)
            }
            OptionKind::Spin { default, min, max } => {
                f.write_str("spin")?;
                write_field(f, "default", *default)?;
                write_field(f, "min", *min)?;
                write_field(f, "max", *max)
            }
            OptionKind::Combo { default, vars } => {
                f.write_str("combo")?;
                write_field(f, "default", default.as_deref().map(or_empty_marker))?;
                vars.iter().try_for_each(|var| write_field(f, "var", Some(or_empty_marker(var))))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } | OptionKind::Filename { default } => {
                f.write_str(if let OptionKind::String { .. } = self.kind { "string" } else { "filename" })?;
                write_field(f, "default", default.as_deref().map(or_empty_marker))
            }
        }
    }
}
