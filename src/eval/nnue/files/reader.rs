//! Reading little-endian numbers, with errors that say what was being read and where.

use super::error::NnueError;

/// A place in a file's bytes.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, offset: 0 }
    }

    /// Bytes read so far.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    pub(super) fn take(&mut self, section: &'static str, count: usize) -> Result<&'a [u8], NnueError> {
        let rest = self.rest();
        let Some(taken) = rest.get(..count) else {
            return Err(NnueError::Truncated { section, offset: self.offset, needed: count, present: rest.len() });
        };
        self.offset += count;
        Ok(taken)
    }

    pub(super) fn u32(&mut self, section: &'static str) -> Result<u32, NnueError> {
        let bytes = self.take(section, 4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(super) fn i16s(
        &mut self,
        section: &'static str,
        count: usize,
    ) -> Result<impl Iterator<Item = i16> + use<'a>, NnueError> {
        let bytes = self.take(section, count.saturating_mul(2))?;
        Ok(bytes.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)))
    }

    pub(super) fn i32s(
        &mut self,
        section: &'static str,
        count: usize,
    ) -> Result<impl Iterator<Item = i32> + use<'a>, NnueError> {
        let bytes = self.take(section, count.saturating_mul(4))?;
        Ok(bytes.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four)))
    }

    /// Fails when anything is left.
    pub(super) fn finish(self) -> Result<(), NnueError> {
        match self.rest().len() {
            0 => Ok(()),
            extra => Err(NnueError::Trailing { offset: self.offset, extra }),
        }
    }
}
