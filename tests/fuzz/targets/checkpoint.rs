//! Checkpoints of training, with the checksum made right. The first four bytes say how long the file is that the
//! others begin.
#![no_main]

#[path = "../file.rs"]
mod file;

use std::cell::RefCell;

use kurosabi::train::{Model, Shape, Start, TrainSettings, Trainer};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static TRAINER: RefCell<Trainer> =
        RefCell::new(Trainer::new(Model::new(Shape::plain(64), &Start::default()).unwrap(), TrainSettings::default()));
}

fuzz_target!(|bytes: &[u8]| {
    let Some((length, start)) = bytes.split_first_chunk() else { return };
    let mut bytes = start.to_vec();
    bytes.resize(bytes.len().max((u32::from_le_bytes(*length) % (1 << 20)) as usize), 0);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    let file = file::File::with_content("checkpoint", &bytes);
    TRAINER.with_borrow_mut(|trainer| {
        if trainer.resume(file.path(), "games").is_ok_and(|resumed| resumed) {
            let again = file::File::with_content("again", &[]);
            trainer.save(again.path(), "games").unwrap();
            assert!(trainer.resume(again.path(), "games").unwrap());
        }
    });
});
