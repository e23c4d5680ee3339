//! Keys of positions: numbers whose bits have been spread over all bits of another.

/// Spreads the bits of a number over all bits of another, one to one (Stafford's variant 13 of the 64-bit finalizer,
/// 2011, as used by splitmix64).
#[inline]
pub fn scattered(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
