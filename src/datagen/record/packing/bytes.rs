//! Taking values from the front of bytes.

use crate::datagen::record::error::BodyError;

/// Bytes of which the first ones have been read.
pub(in crate::datagen::record) struct Bytes<'a>(pub(in crate::datagen::record) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(in crate::datagen::record) fn take(&mut self, count: usize) -> Result<&'a [u8], BodyError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BodyError::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BodyError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(BodyError::Short)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(in crate::datagen::record) fn u8(&mut self) -> Result<u8, BodyError> {
        self.array().map(u8::from_le_bytes)
    }

    pub(in crate::datagen::record) fn u16(&mut self) -> Result<u16, BodyError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(in crate::datagen::record) fn i16(&mut self) -> Result<i16, BodyError> {
        self.array().map(i16::from_le_bytes)
    }

    pub(in crate::datagen::record) fn u32(&mut self) -> Result<u32, BodyError> {
        self.array().map(u32::from_le_bytes)
    }

    /// All must have been read.
    pub(in crate::datagen::record) fn finish(self) -> Result<(), BodyError> {
        if self.0.is_empty() { Ok(()) } else { Err(BodyError::Long) }
    }
}
