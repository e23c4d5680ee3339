//! What was asked of tables lately: the chunks that were unpacked ([`Chunks`]), and the answers themselves ([`Answers`]).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::Refusal;

/// Chunks that share a place. One alone would drive out its neighbour again and again as soon as two are asked in turn.
const WAYS: usize = 4;

/// Unpacked chunks, as many as were allowed, those asked last.
#[derive(Debug)]
pub struct Chunks {
    places: Vec<Mutex<[Slot; WAYS]>>,
}

/// A chunk's values and which it is.
#[derive(Debug, Default)]
struct Slot {
    key: Option<u64>,
    values: Vec<u8>,
}

impl Chunks {
    /// Room for `count` chunks.
    pub fn new(count: usize) -> Self {
        let places = (count / WAYS).max(1);
        Self {
            places: (0..places).map(|_| Mutex::default()).collect(),
        }
    }

    /// The value at a place of the chunk with this key. `fill` unpacks the chunk where it is not there; a single value
    /// stands for a chunk of nothing else.
    pub fn value(
        &self,
        key: u64,
        at: usize,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<(), Refusal>,
    ) -> Result<u8, Refusal> {
        let place = &self.places[place_of(key, self.places.len())];
        let mut slots = place.lock().unwrap_or_else(PoisonError::into_inner);
        let found = slots.iter().position(|slot| slot.key == Some(key));
        if found.is_none() {
            let oldest = &mut slots[WAYS - 1];
            oldest.key = None;
            fill(&mut oldest.values)?;
            oldest.key = Some(key);
        }
        // The one asked last stands first.
        slots[..=found.unwrap_or(WAYS - 1)].rotate_right(1);
        let values = &slots[0].values;
        Ok(values[if values.len() == 1 { 0 } else { at }])
    }
}

/// The bytes answered lately, a word each: the key with the byte behind it, so that no lock is needed.
#[derive(Debug)]
pub struct Answers {
    words: Vec<AtomicU64>,
}

/// Set in every word that holds an answer.
const FILLED: u64 = 1 << 63;

impl Answers {
    /// Room for `count` answers, at 8 bytes each.
    pub fn new(count: usize) -> Self {
        Self {
            words: (0..count).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The answer to a question of less than 55 bits, if it is still there.
    #[inline]
    pub fn get(&self, key: u64) -> Option<u8> {
        let word = self.word(key).load(Ordering::Relaxed);
        (word >> 8 == (FILLED >> 8 | key)).then_some(word as u8)
    }

    /// Remembers an answer in the place of an older one.
    #[inline]
    pub fn put(&self, key: u64, answer: u8) {
        let word = FILLED | key << 8 | u64::from(answer);
        self.word(key).store(word, Ordering::Relaxed);
    }

    #[inline]
    fn word(&self, key: u64) -> &AtomicU64 {
        &self.words[place_of(key, self.words.len())]
    }
}

/// The place of a key among `count`: Fibonacci hashing (Knuth, volume 3, 6.4), whose high bits depend on all of the key.
#[inline]
fn place_of(key: u64, count: usize) -> usize {
    let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (u128::from(spread) * count as u128 >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_too_small_for_what_is_asked_still_tell_the_truth() {
        let (chunks, answers) = (Chunks::new(8), Answers::new(16));
        let mut random = fastrand::Rng::with_seed(1);
        let (mut unpacked, mut remembered) = (0, 0);
        for _ in 0..10_000 {
            let key = random.u64(..20);
            let value = chunks.value(key, 1, |values| {
                unpacked += 1;
                *values = vec![0, key as u8];
                Ok(())
            });
            assert_eq!(value, Ok(key as u8));
            let answer = answers.get(key << 40);
            assert!(answer.is_none_or(|answer| answer == key as u8));
            remembered += u32::from(answer.is_some());
            answers.put(key << 40, key as u8);
        }
        assert!((1000..9000).contains(&unpacked) && (1000..=9980).contains(&remembered));
    }

    #[test]
    fn the_chunks_asked_last_stay() {
        let chunks = Chunks::new(WAYS);
        let mut unpacked = Vec::new();
        for key in [1, 2, 3, 4, 1, 5, 1, 3, 4, 2] {
            let value = chunks.value(key, 0, |values| {
                unpacked.push(key);
                *values = vec![key as u8];
                Ok(())
            });
            assert_eq!(value, Ok(key as u8));
        }
        assert_eq!(unpacked, [1, 2, 3, 4, 5, 2]);
    }

    #[test]
    fn a_chunk_that_could_not_be_unpacked_is_asked_again() {
        let chunks = Chunks::new(WAYS);
        let refused = chunks.value(7, 0, |values| {
            values.push(1);
            Err(Refusal::new("damaged"))
        });
        assert!(refused.is_err());
        let value = chunks.value(7, 0, |values| {
            *values = vec![2];
            Ok(())
        });
        assert_eq!(value, Ok(2));
    }
}
