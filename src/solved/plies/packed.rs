//! Lists of words, most of whose bits are zero, as few bytes.

use crate::solved::gathering::Gathered;
use crate::solved::word::Word;

/// Marks a digit that is not the last.
const GOES_ON: u8 = 0x80;

/// The words of a list as bytes.
pub fn pack(positions: &Gathered) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 * positions.words.len());
    let mut next = 0;
    for (outer, word) in positions.iter() {
        let mut skipped = outer - next;
        next = outer + 1;
        while skipped >= u32::from(GOES_ON) {
            bytes.push(skipped as u8 | GOES_ON);
            skipped >>= 7;
        }
        bytes.push(skipped as u8);
        bytes.push(mask(word.0.map(|lane| lane != 0)));
        for lane in word.0.into_iter().filter(|&lane| lane != 0) {
            let lane = lane.to_le_bytes();
            bytes.push(mask(lane.map(|byte| byte != 0)));
            bytes.extend(lane.into_iter().filter(|&byte| byte != 0));
        }
    }
    bytes
}

fn mask(is_there: [bool; 8]) -> u8 {
    let bits = is_there.into_iter().enumerate();
    bits.fold(0, |mask, (bit, is_there)| mask | u8::from(is_there) << bit)
}

/// Reads what [`pack`] writes, as far as it makes sense.
pub struct Unpacked<'a> {
    bytes: &'a [u8],
    next: u32,
    /// Whether something did not make sense.
    is_damaged: bool,
}

impl<'a> Unpacked<'a> {
    /// The words that these bytes say.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            next: 0,
            is_damaged: false,
        }
    }

    /// Whether all bytes were read, and made sense.
    pub fn is_exhausted(&self) -> bool {
        self.bytes.is_empty() && !self.is_damaged
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn skipped(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..u32::BITS).step_by(7) {
            let digit = self.byte()?;
            number |= u32::from(digit & !GOES_ON) << shift;
            if digit & GOES_ON == 0 {
                return Some(number);
            }
        }
        None
    }

    fn word(&mut self) -> Option<(u32, Word)> {
        let outer = self.next.checked_add(self.skipped()?)?;
        self.next = outer.checked_add(1)?;
        let mut word = Word::NONE;
        let lanes = self.byte()?;
        for (bit, lane) in word.0.iter_mut().enumerate() {
            if lanes >> bit & 1 == 0 {
                continue;
            }
            let mask = self.byte()?;
            let mut bytes = [0; 8];
            for (bit, byte) in bytes.iter_mut().enumerate() {
                if mask >> bit & 1 != 0 {
                    *byte = self.byte()?;
                }
            }
            *lane = u64::from_le_bytes(bytes);
        }
        Some((outer, word))
    }
}

impl Iterator for Unpacked<'_> {
    type Item = (u32, Word);

    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() || self.is_damaged {
            return None;
        }
        let word = self.word();
        self.is_damaged = word.is_none();
        word
    }
}
