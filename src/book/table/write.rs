//! Writing a book, in any of the formats that are read.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{BookTable, position};
use crate::atomic_file;
use crate::book::BookError;
use crate::book::files::{BookFormat, apery, entry, ybb};
use crate::book::moves::BookMove;
use crate::datagen::psv::move_to_field;
use crate::datagen::psv::packed::pack;

impl BookTable {
    /// Writes the book to a file, through a temporary one beside it: whatever happens, the file is either as it was or
    /// complete. A text book whose name ends in `.gz` is compressed.
    ///
    /// # Errors
    /// When it cannot be written, or the format has no room for a position.
    pub fn save(&self, path: &Path, format: BookFormat) -> Result<(), BookError> {
        atomic_file::replace(path, |file| {
            if path.extension().is_some_and(|name| name == "gz") {
                let mut encoder = GzEncoder::new(&mut *file, Compression::best());
                self.write(&mut encoder, format)?;
                encoder.finish()?;
            } else {
                self.write(file, format)?;
            }
            Ok(file.sync()?)
        })
    }

    /// Writes the book.
    ///
    /// # Errors
    /// When it cannot be written, or the format has no room for a position.
    pub fn write(&self, out: &mut dyn Write, format: BookFormat) -> Result<(), BookError> {
        match format {
            BookFormat::Text => Ok(self.write_text(out)?),
            BookFormat::Ybb => self.write_ybb(out),
            BookFormat::Apery => self.write_apery(out),
            BookFormat::Sbk => super::sbk::write(self, out),
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", entry::HEADER)?;
        for (sfen, entry) in &self.entries {
            writeln!(out, "sfen {sfen} {}", entry.ply)?;
            for BookMove { mv, ponder, score, depth, count } in entry.sorted() {
                match ponder {
                    Some(ponder) => writeln!(out, "{mv} {ponder} {score} {depth} {count}")?,
                    None => writeln!(out, "{mv} none {score} {depth} {count}")?,
                }
            }
        }
        Ok(())
    }

    fn write_ybb(&self, out: &mut dyn Write) -> Result<(), BookError> {
        let mut records = Vec::with_capacity(self.entries.len());
        for (sfen, entry) in &self.entries {
            let unwritable = || BookError::Unwritable { format: ".ybb", sfen: sfen.clone() };
            let packed = pack(&position(sfen)?).map_err(|_| unwritable())?;
            records.push((packed, entry));
        }
        records.sort_by_key(|record| record.0);
        out.write_all(&ybb::MAGIC)?;
        out.write_all(&(records.len() as u64).to_le_bytes())?;
        out.write_all(&ybb::DEPTH_FLAG.to_le_bytes())?;
        let mut offset = 0u64;
        for (packed, entry) in &records {
            out.write_all(packed)?;
            out.write_all(&offset.to_le_bytes())?;
            out.write_all(&saturated(entry.ply.into()).to_le_bytes())?;
            out.write_all(&(entry.moves.len() as u16).to_le_bytes())?;
            offset += 6 * entry.moves.len() as u64;
        }
        for (_, entry) in &records {
            for book_move in entry.sorted() {
                out.write_all(&move_to_field(book_move.mv).to_le_bytes())?;
                let score = book_move.score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
                out.write_all(&score.to_le_bytes())?;
                out.write_all(&saturated(book_move.depth.into()).to_le_bytes())?;
            }
        }
        Ok(())
    }

    fn write_apery(&self, out: &mut dyn Write) -> Result<(), BookError> {
        let mut records = Vec::with_capacity(self.entries.len());
        for (sfen, entry) in &self.entries {
            records.push((apery::apery_key(&position(sfen)?), entry));
        }
        records.sort_by_key(|record| record.0);
        for (key, entry) in records {
            for book_move in entry.sorted() {
                out.write_all(&key.to_le_bytes())?;
                out.write_all(&apery::move_to_apery(book_move.mv).to_le_bytes())?;
                out.write_all(&saturated(book_move.count).to_le_bytes())?;
                out.write_all(&book_move.score.to_le_bytes())?;
            }
        }
        Ok(())
    }
}

fn saturated(number: u64) -> u16 {
    number.try_into().unwrap_or(u16::MAX)
}
