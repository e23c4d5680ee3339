//! Compression of network weights.
//!
//! Most weights are zero, because no board of a training game used them. The weights are arranged as follows and
//! compressed with zstd:
//!
//! 1. one bit for each weight: 1 if the weight is not zero; the first weight is in the lowest bit of the first byte
//! 2. the low bytes of all nonzero weights
//! 3. the high bytes of all nonzero weights, most of which are zero
//!
//! A nonzero weight `w` is stored as `2w` if it is positive, and as `-2w - 1` if it is negative (zigzag encoding). For
//! networks with tuples of six cells, this arrangement reduces the compressed size by a third.

use std::io::{self, Read};

use crate::bits::{iter_ones, zigzag, zigzag_decode};
use crate::durable::compression;

/// The amount of time to spend on compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompressionEffort {
    /// Compress fast, for checkpoints.
    Quick,
    /// Compress slowly to a smaller size, for final files.
    Thorough,
}

/// The number of bits per word, for processing item 1 word by word.
const WORD_BITS: usize = u64::BITS as usize;

/// Returns the compressed weights.
pub(crate) fn pack(weights: &[i16], effort: CompressionEffort) -> io::Result<Vec<u8>> {
    let level = match effort {
        CompressionEffort::Quick => 9,
        CompressionEffort::Thorough => 19,
    };
    let bits = weights.chunks(WORD_BITS).flat_map(|weights| {
        let bits = weights
            .iter()
            .rev()
            .fold(0_u64, |bits, &weight| bits << 1 | u64::from(weight != 0));
        bits.to_le_bytes()
    });
    let encoded = || {
        weights
            .iter()
            .filter(|&&weight| weight != 0)
            .map(|&weight| zigzag(weight))
    };
    let low = encoded().map(|weight| weight as u8);
    let high = encoded().map(|weight| (weight >> 8) as u8);
    let bytes: Vec<u8> = bits.chain(low).chain(high).collect();
    compression::compress(&bytes, level)
}

/// Decompresses the result of [`pack`] into `weights`, which must all be zero. Returns `None` if the data are damaged
/// or have another number of weights.
///
/// The length of `weights` limits the decompressed size, so a damaged file cannot fill the memory. Zero weights are not
/// written, so their pages take no memory.
pub(crate) fn unpack(packed: &[u8], weights: &mut [i16]) -> Option<()> {
    let mut bytes = compression::Decoder::with_buffer(packed).ok()?;
    let mut bits = vec![0_u64; weights.len().div_ceil(WORD_BITS)];
    bytes.read_exact(bytemuck::cast_slice_mut(&mut bits)).ok()?;
    let count = bits.iter().map(|bits| bits.count_ones() as usize).sum();
    let mut planes = [vec![0; count], vec![0; count]];
    for plane in &mut planes {
        bytes.read_exact(plane).ok()?;
    }
    let [low, high] = planes;
    let mut values = low
        .into_iter()
        .zip(high)
        .map(|(low, high)| u16::from_le_bytes([low, high]));
    for (&bits, weights) in bits.iter().zip(weights.chunks_mut(WORD_BITS)) {
        for (index, value) in iter_ones(u64::from_le(bits)).zip(&mut values) {
            *weights.get_mut(index)? = zigzag_decode(value);
        }
    }
    let is_end = bytes.read(&mut [0]).ok()? == 0;
    is_end.then_some(())
}

/// Decompresses the weights of a file of version 2, with two bytes per weight before the compression. Returns
/// `None` if the data are damaged or have another number of weights.
pub(crate) fn unpack_version_2(packed: &[u8], weights: &mut [i16]) -> Option<()> {
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(weights);
    let length = compression::decompress_to_buffer(packed, bytes).ok()?;
    let is_complete = length == bytes.len();
    for weight in weights {
        *weight = i16::from_le(*weight);
    }
    is_complete.then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Returns small and extreme weights, most of which are zero.
    fn weights() -> Vec<i16> {
        let mut random = Random::new(2048);
        let extremes = [i16::MIN, i16::MAX, -1, 1, 0];
        let weight = |_| match random.u32(..256) {
            0..16 => random.u32(..600) as i16 - 300,
            16..24 => extremes[random.index(extremes.len())],
            _ => 0,
        };
        (0..1 << 16).map(weight).collect()
    }

    #[test]
    fn packed_weights_round_trip() {
        let weights = weights();
        for effort in [CompressionEffort::Quick, CompressionEffort::Thorough] {
            let packed = pack(&weights, effort).unwrap();
            let mut unpacked = vec![0; weights.len()];
            assert_eq!(unpack(&packed, &mut unpacked), Some(()));
            assert_eq!(unpacked, weights);
            for other in [weights.len() - WORD_BITS, weights.len() + WORD_BITS] {
                assert_eq!(unpack(&packed, &mut vec![0; other]), None);
            }
            assert_eq!(unpack(&packed[..packed.len() - 9], &mut unpacked), None);
        }
    }

    #[test]
    fn reads_version_2() {
        let weights = weights();
        let bytes: Vec<u8> = weights.iter().flat_map(|w| w.to_le_bytes()).collect();
        let packed = compression::compress(&bytes, 9).unwrap();
        let mut unpacked = vec![0; weights.len()];
        assert_eq!(unpack_version_2(&packed, &mut unpacked), Some(()));
        assert_eq!(unpacked, weights);
        let mut longer = vec![0; weights.len() + 1];
        assert_eq!(unpack_version_2(&packed, &mut longer), None);
    }
}
