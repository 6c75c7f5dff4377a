//! Files of `.kuro` networks, whole and damaged.

use super::*;

#[test]
fn files_give_back_what_was_written() {
    let mut network = random(96, 4);
    network.header.description = "黒錆".to_owned();
    network.header.training = serde_json::json!({"games": 12, "files": ["a", "b"]});
    let bytes = network.to_bytes().unwrap();
    assert_eq!(KuroNetwork::parse(&bytes).unwrap(), network);
    let read = Network::read(&bytes).unwrap();
    assert_eq!(read.description(), "Kurosabi Ka_hm 96x2 \"test\"");

    let compressed = compressed(&bytes);
    assert_eq!(Network::read(&compressed).unwrap().description(), read.description());
    for length in 2..200 {
        let error = Network::read(&compressed[..length]).unwrap_err();
        assert!(matches!(error, NnueError::Compression(_)), "{length}: {error}");
    }
}

#[test]
fn a_bomb_is_not_expanded_to_its_end() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    // As the public formats begin, which do not say how large they are.
    gzip.write_all(&0x7af3_2f16_u32.to_le_bytes()).unwrap();
    for _ in 0..260 {
        gzip.write_all(&vec![0; 1 << 20]).unwrap();
    }
    let bomb = gzip.finish().unwrap();
    let error = Network::read(&bomb).unwrap_err().to_string();
    // Memory for fifty times its size, not for all of it.
    let limit = 50 * bomb.len() + (8 << 20);
    assert!(limit < 100 << 20 && error.contains(&format!("more than {limit} bytes when expanded")), "{error}");
}

/// The start of a file whose header is said to have this length.
fn start(length: u32) -> Vec<u8> {
    [&b"KUROSABI"[..], &2_u32.to_le_bytes(), &length.to_le_bytes()].concat()
}

/// A small file that expands to a header of 200 MB, which as JSON would take gigabytes.
#[test]
fn a_bomb_of_a_header_is_not_expanded() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&start(200 << 20)).unwrap();
    gzip.write_all(br#"{"training":["#).unwrap();
    for _ in 0..200 {
        gzip.write_all(&b"0,".repeat(1 << 19)).unwrap();
    }
    let error = Network::read(&gzip.finish().unwrap()).unwrap_err();
    assert!(error.to_string().contains("209715200 bytes long"), "{error}");
}

/// Nothing is read of a file that is longer than any network, whatever it begins like.
#[test]
fn a_file_longer_than_any_network_is_refused_unread() {
    let path = std::env::temp_dir().join(format!("kurosabi-sparse-{}", std::process::id()));
    let begun = Instant::now();
    let version = 0x7af3_2f16_u32.to_le_bytes();
    for start in [vec![0; 16], start(20), version.to_vec()] {
        let mut file = File::create(&path).unwrap();
        file.write_all(&start).unwrap();
        file.set_len(2 << 30).unwrap();
        let error = Network::load(&path).unwrap_err();
        assert!(matches!(error, NnueError::TooLarge(0x8000_0000)), "{error}");
    }
    fs::remove_file(&path).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[test]
fn no_damage_goes_unnoticed() {
    let bytes = random(32, 1).to_bytes().unwrap();
    let header = bytes.len() - 4 - 2 * (32 + 2344 * 32 + 64) - 4;
    let mut rng = StdRng::seed_from_u64(2);
    let some: Vec<usize> = (0..500).map(|_| rng.random_range(header..bytes.len())).collect();
    for at in (8..header).chain(some) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Network::read(&damaged).is_err(), "byte {at}");
    }
    for length in (0..header + 3).chain((header..bytes.len()).step_by(997)) {
        let error = Network::read(&bytes[..length]).unwrap_err();
        let cut = matches!(error, NnueError::Truncated { .. } | NnueError::Version { .. } | NnueError::Frame(_));
        assert!(cut, "{length}: {error}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Network::read(&longer), Err(NnueError::Trailing { extra: 1, .. })));
}

#[test]
fn networks_of_other_kinds_are_refused() {
    fn error(change: impl Fn(&mut KuroNetwork)) -> String {
        let mut network = random(32, 3);
        change(&mut network);
        Network::read(&network.to_bytes().unwrap()).unwrap_err().to_string()
    }
    assert!(error(|network| network.header.features = "HalfKP".to_owned()).contains("HalfKP"));
    assert!(error(|network| network.header.head = "crelu".to_owned()).contains("crelu"));
    assert!(error(|network| network.header.output_buckets = 8).contains("8 outputs"));
    assert!(error(|network| network.header.width = 33).contains("33"));
    assert!(error(|network| network.header.width = 0).contains("width 0"));
    assert!(error(|network| network.header.output_q = 0).contains("2047 and 0"));
    assert!(error(|network| network.header.scale = -1).contains("scale -1"));
    assert!(error(|network| network.header.feature_q = 127).contains("127"));
    assert!(error(|network| network.output_weights[7] = -1024).contains("-1024"));
}
