//! Files that are damaged, foreign, oddly labelled or hostile.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use kurosabi::eval::nnue::{Network, NnueError, NnueEvaluator, NnueWarning};
use kurosabi::position::Position;
use proptest::prelude::*;

use super::generator::Weights;

/// Counts the memory that a thread holds, to see what a file makes us allocate.
struct Counting;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator; noting a size touches no memory of others.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(layout.size())));
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Small files of each family.
static CLASSIC: LazyLock<Vec<u8>> = LazyLock::new(|| Weights::new("kp_32x2-8-16", 1).file());
static SFNN: LazyLock<Vec<u8>> = LazyLock::new(|| Weights::new("SFNN_halfkahm2_32_7_16_k3k3", 1).file());

/// Reads a file that may be anything; what can be read must also evaluate.
fn read(bytes: &[u8]) -> Result<i32, NnueError> {
    LARGEST.set(0);
    let network = Network::read(bytes);
    let largest = LARGEST.get();
    // The narrowest SFNN rows are padded to sixteen times their size in the file.
    assert!(largest <= 16 * bytes.len() + (4 << 20), "{largest} bytes allocated for a file of {}", bytes.len());
    let mut evaluator = NnueEvaluator::new(Arc::new(network?));
    let position = Position::startpos();
    evaluator.reset(&position);
    Ok(evaluator.raw(&position))
}

/// Where the description ends.
fn header_length(bytes: &[u8]) -> usize {
    12 + u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize
}

#[test]
fn a_cut_file_is_refused_wherever_it_ends() {
    for (file, step) in [(&*CLASSIC, 997), (&*SFNN, 190_019)] {
        let ends = (0..200).chain((0..file.len()).step_by(step)).chain(file.len() - 700..file.len());
        for end in ends.step_by(if file.len() > 1 << 20 { 5 } else { 1 }) {
            let error = read(&file[..end]).expect_err(&format!("cut at {end} of {}", file.len()));
            assert!(matches!(error, NnueError::Truncated { .. }), "cut at {end}: {error}");
        }
    }
}

#[test]
fn whole_layer_stacks_may_not_be_missing() {
    let stack = 4 + 8 * (4 + 32) + 16 * (4 + 32) + 4 + 32;
    let error = read(&SFNN[..SFNN.len() - 8 * stack]).unwrap_err();
    assert!(matches!(error, NnueError::Truncated { present: 0, .. }), "{error}");
}

#[test]
fn bytes_after_the_end_are_refused() {
    for file in [&*CLASSIC, &*SFNN] {
        for extra in [1, 4, 64, 5000] {
            let longer: Vec<u8> = file.iter().copied().chain(std::iter::repeat_n(7, extra)).collect();
            match read(&longer) {
                Err(NnueError::Trailing { offset, extra: found }) => assert_eq!((offset, found), (file.len(), extra)),
                other => panic!("{extra} more than {}: {other:?}", file.len()),
            }
        }
    }
}

#[test]
fn a_wrong_version_is_refused() {
    let mut file = CLASSIC.clone();
    file[0] ^= 1;
    assert!(matches!(read(&file), Err(NnueError::Version { found: 0x7AF3_2F17, expected: 0x7AF3_2F16 })));
    let text = read(b"<!DOCTYPE html><html>").unwrap_err().to_string();
    assert!(text.contains("not a network file"), "{text}");
}

#[test]
fn wrong_labels_are_warned_of() {
    for name in ["kp_32x2-8-16", "SFNN_halfkahm2_32_7_16_k3k3"] {
        let weights = Weights::new(name, 1);
        let file = weights.file();
        let expected = read(&file).unwrap();
        let description = weights.arch.description();
        let other_size = description.replace("<-8]", "<-24]").replace("[8<-", "[24<-").replace("7_16", "15_32");
        let other_width = description.replace("->32x2", "->64x2");
        for text in ["", "nonsense", "Features=HalfKP(Friend)[125388->256x2]", &other_size, &other_width] {
            let file = weights.file_described(text);
            assert_eq!(read(&file).unwrap_or_else(|error| panic!("{name} {text}: {error}")), expected, "{name} {text}");
            let network = Network::read(&file).unwrap();
            assert!(matches!(network.warnings(), [NnueWarning::Architecture { .. }]), "{name} {text}");
        }
        for (at, section) in [(4, "file"), (header_length(&file), "feature transformer")] {
            let mut file = file.clone();
            file[at] ^= 0x55;
            assert_eq!(read(&file).unwrap(), expected, "{name} {section}");
            let network = Network::read(&file).unwrap();
            assert!(
                network
                    .warnings()
                    .iter()
                    .any(|warning| matches!(warning, NnueWarning::Hash { section: found, .. } if *found == section)),
                "{name} {section} {:?}",
                network.warnings()
            );
        }
    }
}

#[test]
fn old_descriptions_are_no_reason_to_warn() {
    let weights = Weights::new("kp_32x2-8-16", 1);
    let old = weights.arch.description().replace("AffineTransformSparseInput", "AffineTransform");
    assert_eq!(Network::read(&weights.file_described(&old)).unwrap().warnings(), []);
}

/// A file whose every label is wrong is still recognised by its size.
#[test]
fn a_usual_network_is_recognised_by_its_size_alone() {
    let weights = Weights::new("kp_256x2-32-32", 1);
    let mut file = weights.file_described("?");
    file[4..8].fill(0);
    file[13..17].fill(0);
    assert_eq!(read(&file).unwrap(), read(&weights.file()).unwrap());
    let network = Network::read(&file).unwrap();
    assert_eq!(network.architecture().to_string(), "K+P 256x2-32-32");
    assert_eq!(network.warnings().len(), 3);
    assert!(matches!(read(&file[..file.len() - 1]), Err(NnueError::UnknownArchitecture { .. })));
}

#[test]
fn wrong_byte_counts_are_refused() {
    let biases = header_length(&SFNN) + 4 + 17;
    let bias_count = u32::from_le_bytes(SFNN[biases..biases + 4].try_into().unwrap());
    let weights = biases + 4 + bias_count as usize + 17;
    for at in [biases, weights] {
        let count = u32::from_le_bytes(SFNN[at..at + 4].try_into().unwrap());
        for wrong in [0, 1, count - 20, count - 1, count + 1, count + 17, count + 100, u32::MAX] {
            let mut file = SFNN.clone();
            file[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
            let error = read(&file).expect_err(&format!("{wrong} for {count}"));
            let known = matches!(error, NnueError::Leb128 { .. } | NnueError::Truncated { .. });
            assert!(known, "{wrong} for {count}: {error}");
        }
    }
    let mut file = SFNN.clone();
    file[weights - 17] = b'X';
    assert!(matches!(read(&file), Err(NnueError::Leb128 { problem, .. }) if problem.contains("marker")));
}

#[test]
fn layer_stacks_of_other_kinds_are_named_in_the_error() {
    let weights = Weights::new("SFNN_halfkahm2_32_7_16_k3k3", 1);
    let description = weights.arch.description().replace("K3K3", "K9K9Z").replace("=9", "=81");
    let error = read(&weights.file_described(&description)).unwrap_err().to_string();
    assert!(error.contains("layer stacks") && error.contains("K9K9Z"), "{error}");
}

#[test]
fn files_and_folders_are_loaded() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("nnue-folder");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("nn.bin");
    let _ = fs::remove_file(&file);
    assert!(matches!(Network::load(&folder), Err(NnueError::NoFile)));
    fs::write(&file, &*CLASSIC).unwrap();
    assert_eq!(Network::load(&folder).unwrap().architecture().to_string(), "K+P 32x2-8-16");
    assert!(Network::load(&file).is_ok());
    assert!(matches!(Network::load(folder.join("none.bin")), Err(NnueError::Io(_))));
    #[cfg(unix)]
    assert!(matches!(Network::load("/dev/zero"), Err(NnueError::NotAFile)));
}

/// A valid file's start, so that random bytes get beyond it.
fn prefixed() -> impl Strategy<Value = Vec<u8>> {
    let file = prop_oneof![Just(&*CLASSIC), Just(&*SFNN)];
    (file, 0..2000usize, prop::collection::vec(any::<u8>(), 0..4000))
        .prop_map(|(file, length, random)| file[..length].iter().copied().chain(random).collect())
}

fn mutated(file: &'static LazyLock<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let near_start = prop::collection::vec((0..400usize, any::<u8>()), 0..4);
    let anywhere = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (near_start, anywhere, any::<Option<prop::sample::Index>>()).prop_map(|(near_start, anywhere, cut)| {
        let mut bytes = (*file).clone();
        near_start.into_iter().for_each(|(at, byte)| bytes[at] = byte);
        anywhere.into_iter().for_each(|(at, byte)| *at.get_mut(&mut bytes) = byte);
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_an_error(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn random_bytes_after_a_good_start_are_an_error(bytes in prefixed()) {
        prop_assert!(read(&bytes).is_err());
    }

    #[test]
    fn a_changed_classic_file_never_panics(bytes in mutated(&CLASSIC)) {
        let _ = read(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_sfnn_file_never_panics(bytes in mutated(&SFNN)) {
        let _ = read(&bytes);
    }
}
