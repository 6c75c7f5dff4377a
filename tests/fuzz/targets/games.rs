//! Files of games with their checksums made right: every game that comes out is legal, and comes
//! back when it is written once more.
#![no_main]

#[path = "../file.rs"]
mod file;

use kurosabi::datagen::{GameReader, GameWriter, RecordHeader};
use libfuzzer_sys::fuzz_target;

/// The number in four bytes of a file.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize)
}

fn put(bytes: &mut [u8], at: usize, checksum: u32) {
    if let Some(place) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = checksum.to_le_bytes();
    }
}

/// Makes the checksums of the head and of each frame right, as far as there are any.
fn repair(bytes: &mut [u8]) -> Option<()> {
    let head = 16usize.checked_add(number(bytes, 12)?)?;
    let checksum = crc32fast::hash(bytes.get(16..head)?);
    put(bytes, head, checksum);
    let mut at = head + 4;
    loop {
        let length = number(bytes, at)?;
        let body = bytes.get(at + 10..)?.get(..length)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[at..at + 6]);
        hasher.update(body);
        let checksum = hasher.finalize();
        put(bytes, at + 6, checksum);
        at += 10 + length;
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    repair(&mut bytes);
    let whole = file::File::with_content("games", &bytes);
    let Ok(reader) = GameReader::open(whole.path()) else { return };
    let games: Vec<_> = reader.map_while(Result::ok).collect();
    for game in &games {
        game.end_position().expect("a game that is read is legal");
        let _ = (game.verify(), game.to_string());
    }
    let again = file::File::with_content("again", &[]);
    let mut writer = GameWriter::create(again.path(), &RecordHeader::new("a fuzzer")).unwrap();
    for game in &games {
        writer.write(game).expect("a game that is read can be written");
    }
    writer.flush().unwrap();
    drop(writer);
    let found: Vec<_> = GameReader::open(again.path()).unwrap().map(Result::unwrap).collect();
    assert_eq!(found.len(), games.len());
    for (found, game) in found.iter().zip(&games) {
        assert_eq!((&found.start, &found.opening, found.result), (&game.start, &game.opening, game.result));
        assert!(found.moves.iter().map(|scored| scored.mv).eq(game.moves.iter().map(|scored| scored.mv)));
    }
});
