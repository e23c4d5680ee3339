//! The packed form of a sparse list of words, in which most bytes are zero. Module `ply_journal` describes the format.

use crate::processor;
use crate::solve::bitset::word512::Word512;

/// The high bit of a byte with seven bits of a number: 1 unless the byte is the last of the number.
const CONTINUES: u8 = 0x80;
/// Maximum number of bytes with seven bits of a number: five bytes contain 35 bits, enough for a `u32`.
const MAX_DIGITS: usize = 5;
/// Maximum size of a packed word in bytes: the number of skipped words, the lane mask, and for each lane a byte mask
/// and eight bytes.
const MAX_WORD_BYTES: usize = (MAX_DIGITS + 1 + 8 * 9).next_multiple_of(16);

/// Packs words and the numbers of their blocks, which ascend.
pub(crate) fn pack(outers: &[u32], words: &[Word512]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 * words.len());
    let mut next = 0;
    processor::run(
        #[inline(always)]
        || {
            for (&outer, &word) in outers.iter().zip(words) {
                let (packed, length) = packed(outer - next, word);
                bytes.extend_from_slice(&packed[..length]);
                next = outer + 1;
            }
        },
    );
    bytes
}

/// Packs a word that follows `skipped` words that are zero. Returns a buffer, and the number of its bytes that are
/// used.
#[inline(always)]
fn packed(mut skipped: u32, word: Word512) -> ([u8; MAX_WORD_BYTES], usize) {
    let mut bytes = [0; MAX_WORD_BYTES];
    let mut end = 0;
    while skipped >= u32::from(CONTINUES) {
        bytes[end] = skipped as u8 | CONTINUES;
        end += 1;
        skipped >>= 7;
    }
    bytes[end] = skipped as u8;
    bytes[end + 1] = nonzero_mask(word.0);
    end += 2;
    for lane in word.0 {
        if lane == 0 {
            continue;
        }
        let lane = lane.to_le_bytes();
        bytes[end] = nonzero_mask(lane);
        end += 1;
        // Branchless, because a branch would be mispredicted half the time: a zero byte is written too, but the next
        // byte overwrites it.
        for byte in lane {
            bytes[end] = byte;
            end += usize::from(byte != 0);
        }
    }
    (bytes, end)
}

/// Returns a mask of the elements that are not zero: bit `i` is 1 if `all[i]` is not zero.
#[inline(always)]
fn nonzero_mask<T: Copy + Default + PartialEq>(all: [T; 8]) -> u8 {
    let mut bits = 0;
    for (place, element) in all.into_iter().enumerate() {
        bits |= u8::from(element != T::default()) << place;
    }
    bits
}

/// An iterator over packed words: returns each word with its block's number. Ends at the first invalid word.
pub(crate) struct Unpacked<'a> {
    /// The bytes that have not been read.
    bytes: &'a [u8],
    /// The number of the next word's block if the word skips no blocks.
    next: u32,
    /// `true` after an invalid word.
    is_damaged: bool,
}

impl<'a> Unpacked<'a> {
    /// Creates an iterator over packed words.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            next: 0,
            is_damaged: false,
        }
    }

    /// Returns `true` if all bytes were read and all words were valid.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.bytes.is_empty() && !self.is_damaged
    }

    /// Unpacks the next word. Returns `None` if it is invalid.
    #[inline(always)]
    fn word(&mut self) -> Option<(u32, Word512)> {
        // A zero-padded copy of the maximum size of a word, so that reading needs no check for the end of the
        // bytes.
        let mut packed = [0; MAX_WORD_BYTES];
        let available = self.bytes.len().min(MAX_WORD_BYTES);
        packed[..available].copy_from_slice(&self.bytes[..available]);
        let (skipped, mut end) = number(&packed)?;
        let outer = self.next.checked_add(skipped)?;
        self.next = outer.checked_add(1)?;
        let mut word = Word512::NONE;
        let lane_mask = packed[end];
        end += 1;
        for (bit, lane) in word.0.iter_mut().enumerate() {
            if lane_mask >> bit & 1 == 0 {
                continue;
            }
            let byte_mask = packed[end];
            let bytes = packed[end + 1..].first_chunk()?;
            *lane = spread(u64::from_le_bytes(*bytes), byte_mask);
            end += 1 + byte_mask.count_ones() as usize;
        }
        self.bytes = self.bytes.get(end..)?;
        Some((outer, word))
    }
}

/// Reads the number at the start of `bytes`. Returns the number and its length in bytes, or `None` if the number does
/// not end after [`MAX_DIGITS`] bytes.
#[inline(always)]
fn number(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut number = 0;
    for (index, digit) in bytes.iter().take(MAX_DIGITS).enumerate() {
        number |= u32::from(digit & !CONTINUES) << (7 * index);
        if digit & CONTINUES == 0 {
            return Some((number, index + 1));
        }
    }
    None
}

/// Moves the lowest bytes of `bytes`, in order, to the byte positions that `mask` selects. The other bytes become zero.
#[inline(always)]
fn spread(mut bytes: u64, mask: u8) -> u64 {
    let mut lane = 0;
    for place in 0..8 {
        let is_present = u64::from(mask >> place & 1);
        lane |= (bytes & 0xff * is_present) << (8 * place);
        bytes >>= 8 * is_present;
    }
    lane
}

impl Iterator for Unpacked<'_> {
    type Item = (u32, Word512);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() || self.is_damaged {
            return None;
        }
        let word = self.word();
        self.is_damaged = word.is_none();
        word
    }
}
