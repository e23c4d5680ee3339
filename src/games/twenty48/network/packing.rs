//! Weights as the bytes of a file, compressed with zstd.
//!
//! Most weights are zero, since no game comes to where they would be asked for. So first comes a bit for each that says whether it is
//! anything else, the first in the lowest bit of a byte; then of those that are the low bytes; then their high bytes, which are
//! nearly all zero: a weight is written as its double, or, where it is negative, as one less than the double of its opposite. Of a
//! network of six-cell tuples that leaves two thirds of what the weights as they are would come to.

use std::io::{self, Read};

use crate::bits::iter_ones;

/// How much the compression of a file tries: little enough for a checkpoint, or as much as pays where it is done once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompressionEffort {
    /// For a checkpoint.
    Quick,
    /// For a file that is kept.
    Thorough,
}

/// How many weights a word of bits is for.
const WORD: usize = u64::BITS as usize;

/// The weights, compressed.
pub fn pack(weights: &[i16], effort: CompressionEffort) -> io::Result<Vec<u8>> {
    let level = match effort {
        CompressionEffort::Quick => 9,
        CompressionEffort::Thorough => 19,
    };
    let bits = weights.chunks(WORD).flat_map(|weights| {
        let bits = weights
            .iter()
            .rev()
            .fold(0_u64, |bits, &weight| bits << 1 | u64::from(weight != 0));
        bits.to_le_bytes()
    });
    let folded = || {
        weights
            .iter()
            .filter(|&&weight| weight != 0)
            .map(|&weight| folded(weight))
    };
    let low = folded().map(|weight| weight as u8);
    let high = folded().map(|weight| (weight >> 8) as u8);
    let bytes: Vec<u8> = bits.chain(low).chain(high).collect();
    zstd::bulk::compress(&bytes, level)
}

/// The inverse of [`pack`], into weights that are zero, if that many were packed: a file cannot ask for any amount of memory, and
/// what stays zero is never touched.
pub fn unpack(packed: &[u8], weights: &mut [i16]) -> Option<()> {
    let mut bytes = zstd::Decoder::with_buffer(packed).ok()?;
    let mut bits = vec![0_u64; weights.len().div_ceil(WORD)];
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
    for (&bits, weights) in bits.iter().zip(weights.chunks_mut(WORD)) {
        for (index, value) in iter_ones(u64::from_le(bits)).zip(&mut values) {
            *weights.get_mut(index)? = unfolded(value);
        }
    }
    let is_end = bytes.read(&mut [0]).ok()? == 0;
    is_end.then_some(())
}

/// The same of the version of files before, which has all weights as they are, two bytes each.
pub fn unpack_second_version(packed: &[u8], weights: &mut [i16]) -> Option<()> {
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(weights);
    let read = zstd::bulk::decompress_to_buffer(packed, bytes).ok()?;
    let is_whole = read == bytes.len();
    for weight in weights {
        *weight = i16::from_le(*weight);
    }
    is_whole.then_some(())
}

/// Small whatever the sign.
fn folded(weight: i16) -> u16 {
    (weight << 1 ^ weight >> 15) as u16
}

fn unfolded(folded: u16) -> i16 {
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Weights of any size, most of them zero.
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
    fn what_is_packed_comes_back_and_nothing_else() {
        let weights = weights();
        for effort in [CompressionEffort::Quick, CompressionEffort::Thorough] {
            let packed = pack(&weights, effort).unwrap();
            let mut unpacked = vec![0; weights.len()];
            assert_eq!(unpack(&packed, &mut unpacked), Some(()));
            assert_eq!(unpacked, weights);
            for other in [weights.len() - WORD, weights.len() + WORD] {
                assert_eq!(unpack(&packed, &mut vec![0; other]), None);
            }
            assert_eq!(unpack(&packed[..packed.len() - 9], &mut unpacked), None);
        }
    }

    #[test]
    fn files_of_the_version_before_are_read() {
        let weights = weights();
        let bytes: Vec<u8> = weights.iter().flat_map(|w| w.to_le_bytes()).collect();
        let packed = zstd::bulk::compress(&bytes, 9).unwrap();
        let mut unpacked = vec![0; weights.len()];
        assert_eq!(unpack_second_version(&packed, &mut unpacked), Some(()));
        assert_eq!(unpacked, weights);
        let mut longer = vec![0; weights.len() + 1];
        assert_eq!(unpack_second_version(&packed, &mut longer), None);
    }
}
