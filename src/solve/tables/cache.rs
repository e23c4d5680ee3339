//! Caches for probes: recently unpacked chunks (`ChunkCache`), and single values (`AnswerCache`).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::unpacker::Content;
use crate::error::EngineError;

/// Slots per cache set: the associativity of [`ChunkCache`]. With one slot, two alternately probed chunks of equal hash
/// would evict each other.
const WAYS: usize = 4;

/// Number of parts of [`ChunkCache`], each with its own lock, so that several threads can use the cache at once.
const SHARDS: usize = 64;

/// A set-associative cache of unpacked chunks with least-recently-used replacement.
#[derive(Debug)]
pub(crate) struct ChunkCache {
    shards: Vec<Mutex<Shard>>,
    /// Number of cache sets per shard.
    sets_per_shard: usize,
}

/// A part of the cache. All its chunks share one allocation, because allocating a chunk would take as long as
/// unpacking it.
#[derive(Debug)]
struct Shard {
    /// The slots of each cache set, the most recently used first.
    sets: Vec<[Slot; WAYS]>,
    values: Vec<u8>,
}

/// A slot for one chunk.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The key of the cached chunk, or `None` if the slot is empty.
    key: Option<u64>,
    content: Content,
    /// The values of the chunk are `values[begin..end]` of the shard.
    begin: usize,
    end: usize,
}

impl ChunkCache {
    /// Creates a cache for `count` chunks of at most `size` values. The number of chunks is rounded down to a multiple
    /// of [`WAYS`] · [`SHARDS`], and is at least this product.
    pub(crate) fn new(count: usize, size: usize) -> Self {
        let sets_per_shard = (count / WAYS / SHARDS).max(1);
        let slot = |index: usize| Slot {
            key: None,
            content: Content::Each,
            begin: index * size,
            end: (index + 1) * size,
        };
        let shard = || Shard {
            sets: (0..sets_per_shard)
                .map(|set| std::array::from_fn(|way| slot(set * WAYS + way)))
                .collect(),
            values: vec![0; sets_per_shard * WAYS * size],
        };
        Self {
            shards: (0..SHARDS).map(|_| Mutex::new(shard())).collect(),
            sets_per_shard,
        }
    }

    /// Returns value `index` of the chunk with this key. If the chunk is not cached, `unpack` unpacks it.
    ///
    /// # Errors
    /// The error of `unpack`. The chunk is then not cached.
    pub(crate) fn value(
        &self,
        key: u64,
        index: usize,
        unpack: impl FnOnce(&mut [u8]) -> Result<Content, EngineError>,
    ) -> Result<u8, EngineError> {
        let set = hash(key, SHARDS * self.sets_per_shard);
        let shard = &self.shards[set / self.sets_per_shard];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let Shard { sets, values } = &mut *shard;
        let slots = &mut sets[set % self.sets_per_shard];
        let found_way = slots.iter().position(|slot| slot.key == Some(key));
        if found_way.is_none() {
            let oldest = &mut slots[WAYS - 1];
            oldest.key = None;
            oldest.content = unpack(&mut values[oldest.begin..oldest.end])?;
            oldest.key = Some(key);
        }
        // Move the used slot to the front, so that the least recently used slot is last.
        slots[..=found_way.unwrap_or(WAYS - 1)].rotate_right(1);
        Ok(match slots[0].content {
            Content::Same(value) => value,
            Content::Each => values[slots[0].begin + index],
        })
    }
}

/// A direct-mapped cache from keys to bytes. One atomic word holds both the key and its byte, so no lock is needed.
#[derive(Debug)]
pub(crate) struct AnswerCache {
    words: Vec<AtomicU64>,
}

/// The highest bit, set in every word that holds an answer. An empty word is zero.
const FILLED: u64 = 1 << 63;

impl AnswerCache {
    /// Creates an empty cache for `count` answers. Each takes 8 bytes of memory.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            words: (0..count).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Returns the cached answer for a key below 2⁵⁵, or `None` if it is not cached.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<u8> {
        let word = self.word(key).load(Ordering::Relaxed);
        (word >> 8 == (FILLED >> 8 | key)).then_some(word as u8)
    }

    /// Stores the answer for a key below 2⁵⁵. It replaces the answer for any other key with the same hash.
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

/// Maps a key to an index below `count` by Fibonacci hashing (Knuth, volume 3, section 6.4). The multiplier is 2⁶⁴
/// divided by the golden ratio.
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
    fn small_caches_never_return_wrong_values() {
        let (chunks, answers) = (ChunkCache::new(1, 2), AnswerCache::new(256));
        let mut random = Random::new(1);
        let (mut unpacked, mut cache_hits) = (0, 0);
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
            cache_hits += u32::from(answer.is_some());
            answers.put(key << 40, key as u8);
        }
        assert!((1000..9000).contains(&unpacked) && (1000..=9980).contains(&cache_hits));
    }

    #[test]
    fn keeps_recently_used_chunks() {
        let chunks = ChunkCache::new(1, 1);
        let set_of = |key: &u64| hash(*key, SHARDS);
        let colliding_keys: Vec<u64> = (1..).filter(|key| set_of(key) == 0).take(5).collect();
        let mut unpacked = Vec::new();
        for number in [1, 2, 3, 4, 1, 5, 1, 3, 4, 2] {
            let value = chunks.value(colliding_keys[number - 1], 0, |_| {
                unpacked.push(number);
                Ok(Content::Same(number as u8))
            });
            assert_eq!(value, Ok(number as u8));
        }
        assert_eq!(unpacked, [1, 2, 3, 4, 5, 2]);
    }

    #[test]
    fn unpacks_chunk_again_after_an_error() {
        let chunks = ChunkCache::new(1, 1);
        let failed = chunks.value(7, 0, |values| {
            values[0] = 1;
            Err(EngineError::new("damaged"))
        });
        assert!(failed.is_err());
        let value = chunks.value(7, 0, |values| {
            values[0] = 2;
            Ok(Content::Each)
        });
        assert_eq!(value, Ok(2));
    }
}
