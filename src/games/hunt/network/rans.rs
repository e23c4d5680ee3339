//! Range asymmetric numeral systems (rANS): entropy coding of bytes by their frequencies.
//!
//! A byte of probability `p` takes `-log2(p)` bits. The Huffman codes of zstd take whole bits, which is 2% more for the
//! differences of a network. The state is a number: encoding a byte multiplies the state by about `1 / p`, and decoding
//! divides it again. Source: Duda, Asymmetric numeral systems (2013, arXiv 1311.2540), section 3; bytes are moved between the
//! state and the stream as in Giesen, Interleaved entropy coders (2014, arXiv 1402.3392).

use std::array::from_fn;

/// Number of different bytes.
pub(super) const BYTES: usize = 256;
/// Binary logarithm of the sum of all frequencies.
const FREQUENCY_BITS: u32 = 14;
/// Sum of all frequencies.
const FREQUENCY_SUM: u32 = 1 << FREQUENCY_BITS;
/// Minimum of the state between two bytes. The state is less than 256 times the minimum.
const MIN_STATE: u32 = 1 << 23;

/// The frequency of each byte. The sum is [`FREQUENCY_SUM`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frequencies([u16; BYTES]);

impl Frequencies {
    /// Creates frequencies in proportion to the bytes of `bytes`. Every byte that occurs has at least frequency 1.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut counts = [0_u64; BYTES];
        for &byte in bytes {
            counts[usize::from(byte)] += 1;
        }
        // Each of the 256 bytes may be rounded up, so this number is left to the most frequent byte.
        let shared = u64::from(FREQUENCY_SUM) - BYTES as u64;
        let total = (bytes.len() as u64).max(1);
        let mut frequencies = counts.map(|count| (count * shared).div_ceil(total) as u16);
        let most_frequent = (0..BYTES).max_by_key(|&byte| counts[byte]).unwrap_or(0);
        let sum: u32 = frequencies.iter().copied().map(u32::from).sum();
        frequencies[most_frequent] += (FREQUENCY_SUM - sum) as u16;
        Self(frequencies)
    }

    /// Creates frequencies from numbers. Returns `None` if their sum is wrong.
    pub(super) fn from_numbers(numbers: &[u16; BYTES]) -> Option<Self> {
        let sum: u32 = numbers.iter().copied().map(u32::from).sum();
        (sum == FREQUENCY_SUM).then_some(Self(*numbers))
    }

    /// Returns the frequencies as numbers.
    pub(super) fn numbers(&self) -> &[u16; BYTES] {
        &self.0
    }

    /// Returns the sum of the frequencies of all smaller bytes, for each byte.
    fn starts(&self) -> [u32; BYTES] {
        let mut sum = 0;
        self.0.map(|frequency| {
            let start = sum;
            sum += u32::from(frequency);
            start
        })
    }

    /// Encodes `bytes`, which must be those of [`Frequencies::of`].
    pub(super) fn encode(&self, bytes: &[u8]) -> Vec<u8> {
        let starts = self.starts();
        let mut state = MIN_STATE;
        let mut reversed = Vec::new();
        // The last byte is encoded first, because the decoder undoes the steps in opposite order.
        for &byte in bytes.iter().rev() {
            let frequency = u32::from(self.0[usize::from(byte)]);
            while state >= (MIN_STATE >> FREQUENCY_BITS << 8) * frequency {
                reversed.push(state as u8);
                state >>= 8;
            }
            let start = starts[usize::from(byte)];
            state = (state / frequency << FREQUENCY_BITS) + state % frequency + start;
        }
        reversed.extend(state.to_le_bytes());
        reversed.reverse();
        reversed
    }

    /// Decodes `count` bytes. Returns `None` if `encoded` is not exactly the code of `count` bytes.
    pub(super) fn decode(&self, encoded: &[u8], count: usize) -> Option<Vec<u8>> {
        let (first, mut rest) = encoded.split_first_chunk()?;
        let mut state = u32::from_be_bytes(*first);
        if state >= MIN_STATE << 8 {
            return None;
        }
        let starts = self.starts();
        let byte_at: Vec<u8> = (0..=u8::MAX)
            .flat_map(|byte| (0..self.0[usize::from(byte)]).map(move |_| byte))
            .collect();
        let steps: [(u32, u32); BYTES] = from_fn(|byte| (u32::from(self.0[byte]), starts[byte]));
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(count).ok()?;
        for _ in 0..count {
            let slot = state & (FREQUENCY_SUM - 1);
            let byte = byte_at[slot as usize];
            let (frequency, start) = steps[usize::from(byte)];
            state = frequency * (state >> FREQUENCY_BITS) + slot - start;
            while state < MIN_STATE {
                let (&next, after) = rest.split_first()?;
                state = state << 8 | u32::from(next);
                rest = after;
            }
            bytes.push(byte);
        }
        (state == MIN_STATE && rest.is_empty()).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn encoded_bytes_decode_to_themselves() {
        let mut random = Random::new(1);
        // Equal bytes, all bytes, few bytes, and differences around 0.
        let cases: [fn(&mut Random) -> u8; 4] = [
            |_| 7,
            |random| random.u32(..256) as u8,
            |random| 200 + random.u32(..2) as u8,
            |random| (random.u32(..9) as u8).wrapping_sub(random.u32(..9) as u8),
        ];
        for next in cases {
            for count in [0, 1, 2, 1000, 50_000] {
                let bytes: Vec<u8> = (0..count).map(|_| next(&mut random)).collect();
                let frequencies = Frequencies::of(&bytes);
                assert_eq!(
                    Frequencies::from_numbers(frequencies.numbers()),
                    Some(frequencies.clone())
                );
                let encoded = frequencies.encode(&bytes);
                assert_eq!(frequencies.decode(&encoded, count), Some(bytes));
                assert_eq!(
                    frequencies.decode(&encoded[..encoded.len() - 1], count),
                    None
                );
                assert_eq!(
                    frequencies.decode(&[&encoded[..], &[0]].concat(), count),
                    None
                );
            }
        }
    }

    #[test]
    fn length_is_close_to_the_entropy() {
        let mut random = Random::new(2);
        let bytes: Vec<u8> = (0..200_000)
            .map(|_| (random.u32(..9) as u8).wrapping_sub(random.u32(..9) as u8))
            .collect();
        // The differences of two numbers below 9 are those of two dice: 9 of 81 are 0, 8 are 1, and so on.
        let bits: f64 = (1..=9)
            .map(|ways| {
                let p = f64::from(ways) / 81.0;
                let numbers = if ways == 9 { 1.0 } else { 2.0 };
                -numbers * p * p.log2()
            })
            .sum();
        let entropy = bits / 8.0 * bytes.len() as f64;
        let length = Frequencies::of(&bytes).encode(&bytes).len() as f64;
        assert!(
            (length / entropy - 1.0).abs() < 0.002,
            "{length}, {entropy}"
        );
    }

    #[test]
    fn damaged_codes_are_rejected_without_overflow() {
        let bytes: Vec<u8> = (0..3000_u32).map(|n| (n * n % 7) as u8).collect();
        let frequencies = Frequencies::of(&bytes);
        let encoded = frequencies.encode(&bytes);
        for place in 0..encoded.len() {
            let mut damaged = encoded.clone();
            damaged[place] ^= 0x81;
            assert_ne!(
                frequencies.decode(&damaged, bytes.len()),
                Some(bytes.clone())
            );
        }
        let everything = Frequencies::of(&[7]);
        assert_eq!(everything.decode(&[0xff; 4], 9), None);
        assert_eq!(everything.decode(&[0; 4], 9), None);
    }

    #[test]
    fn frequencies_of_a_wrong_sum_are_rejected() {
        let mut numbers = *Frequencies::of(b"abc").numbers();
        numbers[0] += 1;
        assert_eq!(Frequencies::from_numbers(&numbers), None);
    }
}
