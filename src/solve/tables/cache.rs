//! Caches of recent probes: unpacked chunks ([`ChunkCache`]) and bytes ([`AnswerCache`]).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::unpacker::Content;
use crate::error::EngineError;

/// Chunks per place. With one, two chunks probed in turn would evict each other.
const WAYS: usize = 4;

/// Parts of the cache that different threads can use at once.
const SHARDS: usize = 64;

/// A set-associative cache of unpacked chunks with least-recently-used replacement.
#[derive(Debug)]
pub(crate) struct ChunkCache {
    shards: Vec<Mutex<Shard>>,
    /// Places of each shard.
    places: usize,
}

/// A part of the cache. Its values are one allocation: an allocation per chunk took as long as unpacking.
#[derive(Debug)]
struct Shard {
    places: Vec<[Slot; WAYS]>,
    values: Vec<u8>,
}

/// The entry of a chunk.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The chunk.
    key: Option<u64>,
    content: Content,
    begin: usize,
    end: usize,
}

impl ChunkCache {
    /// Creates a cache for `count` chunks of at most `size` values.
    pub(crate) fn new(count: usize, size: usize) -> Self {
        let places = (count / WAYS / SHARDS).max(1);
        let slot = |index: usize| Slot {
            key: None,
            content: Content::Each,
            begin: index * size,
            end: (index + 1) * size,
        };
        let shard = || Shard {
            places: (0..places)
                .map(|place| std::array::from_fn(|way| slot(place * WAYS + way)))
                .collect(),
            values: vec![0; places * WAYS * size],
        };
        Self {
            shards: (0..SHARDS).map(|_| Mutex::new(shard())).collect(),
            places,
        }
    }

    /// Returns the value at place `at` of the chunk with this key. `fill` unpacks the chunk if it is not cached.
    pub(crate) fn value(
        &self,
        key: u64,
        at: usize,
        fill: impl FnOnce(&mut [u8]) -> Result<Content, EngineError>,
    ) -> Result<u8, EngineError> {
        let place = hash(key, SHARDS * self.places);
        let shard = &self.shards[place / self.places];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let Shard { places, values } = &mut *shard;
        let slots = &mut places[place % self.places];
        let found = slots.iter().position(|slot| slot.key == Some(key));
        if found.is_none() {
            let oldest = &mut slots[WAYS - 1];
            oldest.key = None;
            oldest.content = fill(&mut values[oldest.begin..oldest.end])?;
            oldest.key = Some(key);
        }
        // The most recently used slot is first.
        slots[..=found.unwrap_or(WAYS - 1)].rotate_right(1);
        Ok(match slots[0].content {
            Content::Same(value) => value,
            Content::Each => values[slots[0].begin + at],
        })
    }
}

/// A cache of recently probed bytes. A word holds the key and the byte, so no lock is needed.
#[derive(Debug)]
pub(crate) struct AnswerCache {
    words: Vec<AtomicU64>,
}

/// Set in every word that holds an answer.
const FILLED: u64 = 1 << 63;

impl AnswerCache {
    /// Creates a cache for `count` answers of 8 bytes each.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            words: (0..count).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Returns the cached answer to a key of less than 55 bits.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<u8> {
        let word = self.word(key).load(Ordering::Relaxed);
        (word >> 8 == (FILLED >> 8 | key)).then_some(word as u8)
    }

    /// Stores an answer, replacing an older one.
    #[inline]
    pub(crate) fn put(&self, key: u64, answer: u8) {
        let word = FILLED | key << 8 | u64::from(answer);
        self.word(key).store(word, Ordering::Relaxed);
    }

    #[inline]
    fn word(&self, key: u64) -> &AtomicU64 {
        &self.words[hash(key, self.words.len())]
    }
}

/// Returns the place of a key among `count`: Fibonacci hashing (Knuth, volume 3, 6.4), whose high bits depend on the
/// whole key.
#[inline]
fn hash(key: u64, count: usize) -> usize {
    let spread = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (u128::from(spread) * count as u128 >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn small_caches_return_true_values() {
        let (chunks, answers) = (ChunkCache::new(1, 2), AnswerCache::new(256));
        let mut random = Random::new(1);
        let (mut unpacked, mut remembered) = (0, 0);
        for _ in 0..10_000 {
            let key = random.u64(..320);
            let value = chunks.value(key, 1, |values| {
                unpacked += 1;
                if key.is_multiple_of(2) {
                    return Ok(Content::Same(key as u8));
                }
                values.copy_from_slice(&[0, key as u8]);
                Ok(Content::Each)
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
    fn keeps_recently_used_chunks() {
        let chunks = ChunkCache::new(1, 1);
        let shard_of = |key: &u64| hash(*key, SHARDS);
        let rivals: Vec<u64> = (1..).filter(|key| shard_of(key) == 0).take(5).collect();
        let mut unpacked = Vec::new();
        for number in [1, 2, 3, 4, 1, 5, 1, 3, 4, 2] {
            let value = chunks.value(rivals[number - 1], 0, |_| {
                unpacked.push(number);
                Ok(Content::Same(number as u8))
            });
            assert_eq!(value, Ok(number as u8));
        }
        assert_eq!(unpacked, [1, 2, 3, 4, 5, 2]);
    }

    #[test]
    fn retries_failed_chunk() {
        let chunks = ChunkCache::new(1, 1);
        let refused = chunks.value(7, 0, |values| {
            values[0] = 1;
            Err(EngineError::new("damaged"))
        });
        assert!(refused.is_err());
        let value = chunks.value(7, 0, |values| {
            values[0] = 2;
            Ok(Content::Each)
        });
        assert_eq!(value, Ok(2));
    }
}
