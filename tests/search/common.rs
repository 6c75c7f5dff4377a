//! Positions, and ways to search them.

use std::sync::Mutex;

use kurosabi::position::Position;
use kurosabi::search::{
    SearchInfo, SearchLimits, SearchObserver, SearchResult, SearchSettings, Searcher, Signals, SilentObserver,
};
use kurosabi::types::Move;

pub(crate) fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect(sfen)
}

pub(crate) fn search_with(sfen: &str, limits: SearchLimits, settings: &SearchSettings) -> SearchResult {
    let mut searcher = Searcher::new(1, 16);
    searcher.search(&position(sfen), &limits, settings, &Signals::new(), &SilentObserver)
}

pub(crate) fn to_depth(depth: i32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

pub(crate) fn search(sfen: &str, depth: i32) -> SearchResult {
    search_with(sfen, to_depth(depth), &SearchSettings::default())
}

/// Keeps all lines that are reported.
#[derive(Default)]
pub(crate) struct Recorder(pub(crate) Mutex<Vec<SearchInfo>>);

impl SearchObserver for Recorder {
    fn on_info(&self, info: &SearchInfo) {
        self.0.lock().unwrap().push(info.clone());
    }
}

/// Where a line leads, all of whose moves must be legal.
pub(crate) fn after_line(position: &Position, line: &[Move]) -> Position {
    let mut position = position.clone();
    for &mv in line {
        assert!(position.is_legal(mv), "{mv} of {line:?}");
        position.do_move(mv);
    }
    position
}

pub(crate) const MIDDLEGAME: &str = "ln1g5/1r4k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b b BG2SLPnp 61";

/// Positions out of random games whose mates cshogi's mate solver found, with their length in plies.
pub(crate) const MATES: [(u32, &str); 9] = [
    (3, "l1b2rg1l/3g3+R1/2nkppn2/p1pps1p1p/1p3s2P/P1P2S3/1PSPP2nL/2G2G3/LN1K5 b BP3p 79"),
    (3, "l6nl/5g2R/p2p1pkps/2Rs2p2/BpP1SP2P/4p1P2/PP+nP3P1/6SK1/LNBG1G1NL b G2Pp 65"),
    (3, "1n1s3nB/lp4kS1/3Bppg2/r7p/2P3p2/L7P/1P1PPP1R1/2GSG1S2/1N2K2NL b G5Pl2p 73"),
    (5, "r7l/4gs2b/3p5/2B3s1k/4p4/1PPP4N/lGN4GN/2K1+n2PL/6P2 w RGP2sl10p 164"),
    (5, "3+P1gr+L1/6g2/1kn1p1s1P/p4ppp1/2P1P2Pl/PsK2P1r1/1P4N1L/1g1G5/LN4b1s w N3Pbs2p 148"),
    (5, "l1+R4nk/3s1Ss1l/3pg2pp/1p2pp3/2P1P1pP1/p1GP1K3/3BnPS1P/9/B6RL b 2G2NL3Pp 123"),
    (7, "3gr2nl/1b1kgg3/+N1nsp2p1/2pp1pP1p/sP5R1/P1PP1P2P/4P1N2/1K1sg4/L7L w L2Pbs2p 94"),
    (7, "ln1nsk2l/5b3/4gp1p1/ps2pg2p/3p5/P1SPP2P1/1SG2G1KP/L1N6/B7L w 2rn7p 120"),
    (7, "l6n1/8l/kr3g1p1/p1+S5p/1p3Np2/P1PpKSPPP/LP2RG3/3G5/1N6L b 2BG2SN5Pp 113"),
];
