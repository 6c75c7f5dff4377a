//! Training positions of 40 bytes: what is one comes back in the same bytes.
#![no_main]

use kurosabi::datagen::psv::{Psv, PsvReader, pack, unpack};
use kurosabi::types::Score;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for (psv, number) in PsvReader::new(bytes).map_while(Result::ok).zip(1..) {
        let Ok(position) = unpack(&psv.position, u32::from(psv.ply)) else { continue };
        let packed = pack(&position).expect("what was unpacked can be packed");
        let again = unpack(&packed, u32::from(psv.ply)).expect("what is packed can be unpacked");
        assert_eq!(again.to_sfen(), position.to_sfen());
        let Ok(game) = psv.to_game(number) else { continue };
        let written = Psv::new(game.start.as_ref().unwrap(), game.moves[0], game.result).unwrap();
        // A score beyond the scale is read as the last on it.
        let score = Score::from_value(i32::from(psv.score)).value() as i16;
        assert_eq!((written.position, written.move16, written.score), (packed, psv.move16, score));
    }
});
