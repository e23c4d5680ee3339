//! A 64-bit mixing function and a hasher, for the keys of positions.

use std::hash::Hasher;

/// Mixes the bits of a number, so that each input bit changes about half of the output bits.
///
/// The function is a bijection: variant 13 of the finalizer by Stafford (2011), which splitmix64 also uses.
#[inline]
pub fn mix64(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// A hasher. Its state is the hash of the previous words, which it combines with the next word by [`mix64`].
///
/// It is fast but not secure: collisions are easy to construct.
#[derive(Default)]
pub(crate) struct Mix64Hasher(u64);

impl Hasher for Mix64Hasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = mix64(self.0 ^ u64::from_le_bytes(word));
        }
    }

    fn write_u128(&mut self, word: u128) {
        self.0 = mix64(word as u64 ^ mix64((word >> 64) as u64));
    }
}
