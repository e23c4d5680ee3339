//! Keys of positions: numbers whose bits have been spread over all bits of another.

use std::hash::Hasher;

/// Spreads the bits of a number over all bits of another, one to one (Stafford's variant 13 of the 64-bit finalizer,
/// 2011, as used by splitmix64).
#[inline]
pub fn scattered(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// Hashes the words that keep a position, for maps in which nobody chooses the keys to do harm.
#[derive(Default)]
pub struct Scatterer(u64);

impl Hasher for Scatterer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = scattered(self.0 ^ u64::from_le_bytes(word));
        }
    }

    fn write_u128(&mut self, word: u128) {
        self.0 = scattered(word as u64 ^ scattered((word >> 64) as u64));
    }
}
