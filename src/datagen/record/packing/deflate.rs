//! Packing bytes whose frequencies differ but which hardly ever repeat as sequences.

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::datagen::record::error::BodyError;

/// Level and window of zlib; a window below 0 means deflate without zlib's frame.
const LEVEL: i32 = 9;
const WINDOW: i32 = -15;
/// Repetitions shorter than five bytes are left alone: naming them would cost more than the bytes, 8 % in all. It is
/// for this that the crate under flate2 is called: flate2 does not offer the choice.
const STRATEGY: CompressionStrategy = CompressionStrategy::Filtered;

/// Appends the packed bytes.
pub(in crate::datagen::record) fn pack(mut bytes: &[u8], packed: &mut Vec<u8>) {
    let mut compressor = CompressorOxide::new(create_comp_flags_from_zip_params(LEVEL, WINDOW, STRATEGY as i32));
    let mut end = packed.len();
    packed.resize(end + bytes.len() + 64, 0);
    loop {
        let (status, read, written) = compress(&mut compressor, bytes, &mut packed[end..], TDEFLFlush::Finish);
        end += written;
        bytes = &bytes[read..];
        if status == TDEFLStatus::Okay {
            packed.resize(packed.len() * 2, 0);
        } else {
            debug_assert_eq!(status, TDEFLStatus::Done);
            return packed.truncate(end);
        }
    }
}

/// The bytes, at most so many.
pub(in crate::datagen::record) fn unpack(packed: &[u8], limit: usize) -> Result<Vec<u8>, BodyError> {
    decompress_to_vec_with_limit(packed, limit).map_err(|error| BodyError::Packing(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let varied: Vec<u8> = (0..70_000u32).map(|n| (n.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
        for bytes in [&[][..], &[7], &[0; 100_000], &varied] {
            let mut packed = vec![1, 2, 3];
            pack(bytes, &mut packed);
            assert_eq!(packed[..3], [1, 2, 3]);
            assert_eq!(unpack(&packed[3..], bytes.len()).unwrap(), bytes);
            assert!(bytes.is_empty() || unpack(&packed[3..], bytes.len() - 1).is_err(), "the limit holds");
        }
        assert!(unpack(&[0xff; 9], 100).is_err());
    }
}
