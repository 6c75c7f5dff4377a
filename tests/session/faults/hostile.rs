//! Sessions of random bytes and mutilated commands: nothing panics, every question is answered.

use kurosabi::usi::message::{Go, UsiMessage};
use kurosabi::usi::parser::parse_one;
use kurosabi::usi::session;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const COMMANDS: &[&str] = &[
    "usi",
    "isready",
    "usinewgame",
    "position startpos",
    "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
    "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "position sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1 moves G*1a",
    "position sfen 4k4/4G4/4P4/9/9/9/9/9/9 w - 1",
    "position sfen K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB 1",
    "go",
    "go depth 3",
    "go nodes 100",
    "go movetime 5",
    "go infinite",
    "go ponder btime 100 wtime 100 byoyomi 10",
    "go btime 0 wtime 0 byoyomi 10",
    "go btime -5 wtime -5 binc 10 winc 10",
    "go depth 2 searchmoves 7g7f 2g2f",
    "go mate infinite",
    "go perft 2",
    "ponderhit",
    "ponderhit btime 10 wtime 10",
    "stop",
    "gameover lose",
    "setoption name MultiPV value 3",
    "setoption name Stochastic_Ponder value true",
    "setoption name ConsiderationMode value true",
    "setoption name SkillLevel value 2",
    "setoption name EnteringKingRule value TryRule",
    "setoption name MaxMovesToDraw value 2",
    "setoption name DepthLimit value 2",
    "setoption name ResignValue value 0",
    "setoption name GenerateAllLegalMoves value true",
    "d",
    "eval",
    "bench 1",
];

/// One change of a line.
#[derive(Clone, Debug)]
enum Mutation {
    Replace(Index, u8),
    Insert(Index, u8),
    Remove(Index),
    RepeatWord(Index, usize),
    SwapWords(Index, Index),
    Cut(Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let byte = || prop_oneof![any::<u8>(), select(b"0123456789 -+*abcdefghiBRP/".to_vec())];
    prop_oneof![
        (any::<Index>(), byte()).prop_map(|(at, byte)| Mutation::Replace(at, byte)),
        (any::<Index>(), byte()).prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        any::<Index>().prop_map(Mutation::Remove),
        (any::<Index>(), 2..40usize).prop_map(|(at, times)| Mutation::RepeatWord(at, times)),
        any::<(Index, Index)>().prop_map(|(a, b)| Mutation::SwapWords(a, b)),
        any::<Index>().prop_map(Mutation::Cut),
    ]
}

fn mutate(mut line: Vec<u8>, mutation: &Mutation) -> Vec<u8> {
    if line.is_empty() {
        return line;
    }
    let at = |index: &Index| index.index(line.len());
    match mutation {
        Mutation::Replace(index, byte) => {
            let at = at(index);
            line[at] = *byte;
        }
        Mutation::Insert(index, byte) => line.insert(at(index), *byte),
        Mutation::Remove(index) => {
            line.remove(at(index));
        }
        Mutation::Cut(index) => line.truncate(at(index)),
        Mutation::RepeatWord(index, times) => {
            let mut words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
            let at = index.index(words.len());
            let word = words[at];
            words.splice(at..=at, vec![word; *times]);
            line = words.join(&b' ');
        }
        Mutation::SwapWords(a, b) => {
            let mut words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
            let (a, b) = (a.index(words.len()), b.index(words.len()));
            words.swap(a, b);
            line = words.join(&b' ');
        }
    }
    line
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let command = || select(COMMANDS).prop_map(|text| text.as_bytes().to_vec());
    let mutated = (command(), vec(mutation(), 1..4)).prop_map(|(line, mutations)| mutations.iter().fold(line, mutate));
    prop_oneof![2 => command(), 3 => mutated, 1 => vec(any::<u8>(), 0..60)]
}

/// How often a session must answer, by what it reads.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answers {
    best_moves: usize,
    checkmates: usize,
    ready: usize,
    usi: usize,
}

impl Answers {
    fn expected(input: &[u8]) -> Answers {
        let mut answers = Answers::default();
        for line in input.split(|&byte| byte == b'\n') {
            match parse_one(&String::from_utf8_lossy(line)) {
                UsiMessage::Go(Go::Search(_)) => answers.best_moves += 1,
                UsiMessage::Go(Go::Mate(_)) => answers.checkmates += 1,
                UsiMessage::IsReady => answers.ready += 1,
                UsiMessage::Usi => answers.usi += 1,
                UsiMessage::Quit => break,
                _ => {}
            }
        }
        answers
    }

    fn given(output: &str) -> Answers {
        let count = |word: &str| output.lines().filter(|line| line.split(' ').next() == Some(word)).count();
        Answers {
            best_moves: count("bestmove"),
            checkmates: count("checkmate"),
            ready: count("readyok"),
            usi: count("usiok"),
        }
    }
}

fn run(input: &[u8]) -> String {
    let mut output = Vec::new();
    session::run(input, &mut output);
    String::from_utf8(output).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_session_is_answered_to_its_end(lines in vec(line(), 0..14)) {
        let mut input = b"setoption name USI_Hash value 1\n".to_vec();
        for line in &lines {
            input.extend_from_slice(line);
            input.push(b'\n');
        }
        // Whatever was asked for ends here; what follows must work as ever.
        input.extend_from_slice(b"stop\nisready\nsetoption name EnteringKingRule value CSARule27\n");
        input.extend_from_slice(b"position startpos moves 7g7f\nposition sfen broken\nd\ngo depth 1\n");
        let quits = lines.iter().any(|line| {
            line.split(|&byte| byte == b'\n').any(|line| parse_one(&String::from_utf8_lossy(line)) == UsiMessage::Quit)
        });

        let output = run(&input);
        prop_assert!(!output.contains(|c: char| c.is_control() && c != '\n'), "{output:?}");
        prop_assert!(!output.contains("internal error"), "{output}");
        prop_assert_eq!(Answers::given(&output), Answers::expected(&input), "{}", output);
        if !quits {
            let sfen = output.lines().rfind(|line| line.starts_with("Sfen: "));
            let expected = "Sfen: lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
            prop_assert_eq!(sfen, Some(expected), "{}", output);
            prop_assert!(output.lines().next_back().unwrap().starts_with("bestmove "), "{}", output);
        }
    }
}
