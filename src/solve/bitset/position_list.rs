//! The positions of one tiger set that one ply finds: a sparse list of words, packed if it is long.
//!
//! The positions of a ply are read in order only, so they need not be in memory as words. In a large game, a ply can
//! find a position in nearly every word, and then two lists of words would take more memory than all other data.

use std::borrow::Cow;

use super::packed::{Unpacked, pack};
use super::ply_positions::SparsePositions;
use super::word512::DIMENSIONS;

/// Positions of one tiger set, in the order of their blocks.
#[derive(Clone, Debug)]
pub enum PositionList {
    /// The words themselves, for short lists.
    Sparse(SparsePositions),
    /// The words in packed parts.
    Packed(PackedPositions),
}

/// A packed list of words.
#[derive(Clone, Debug)]
pub struct PackedPositions {
    parts: Vec<Part>,
    /// Number of positions.
    count: u64,
}

/// Up to [`PART_WORDS`] words, packed on their own.
#[derive(Clone, Debug)]
struct Part {
    /// The block of the first word.
    first: u32,
    bytes: Box<[u8]>,
}

/// Number of words that are packed together.
const PART_WORDS: usize = 1 << 12;

/// A list is packed if it has more words than a cube has blocks, divided by this number. Shorter lists take little
/// memory, and reading words is faster than unpacking them.
const MIN_PACKED_SHARE: usize = 16;

/// Minimum number of words of a packed list. Lists of fewer words fit in memory in every game. Tests pack short lists, too.
const MIN_PACKED_WORDS: usize = if cfg!(test) { 1 } else { 1 << 16 };

impl PositionList {
    /// Copies a list, and packs it if it is long. `blocks` is the number of stored blocks of a cube.
    pub(crate) fn of(found: &SparsePositions, blocks: usize) -> Self {
        let words = found.words.len();
        if words <= blocks / MIN_PACKED_SHARE || words < MIN_PACKED_WORDS {
            // The copy has no spare capacity.
            return Self::Sparse(found.clone());
        }
        let outers = found.outers.chunks(PART_WORDS);
        let parts = outers.zip(found.words.chunks(PART_WORDS));
        Self::Packed(PackedPositions {
            parts: parts
                .map(|(outers, words)| Part {
                    first: outers[0],
                    bytes: pack(outers, words).into(),
                })
                .collect(),
            count: found.count(),
        })
    }

    /// Returns the number of positions.
    pub fn count(&self) -> u64 {
        match self {
            Self::Sparse(positions) => positions.count(),
            Self::Packed(packed) => packed.count,
        }
    }

    /// Returns `true` if there are no positions.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Sparse(positions) => positions.is_empty(),
            Self::Packed(packed) => packed.count == 0,
        }
    }

    /// Returns `true` if the list contains the goat set with index `goats`.
    pub(crate) fn contains(&self, goats: u32) -> bool {
        let outer = goats >> DIMENSIONS;
        match self {
            Self::Sparse(SparsePositions { outers, words }) => {
                let index = outers.binary_search(&outer);
                index.is_ok_and(|index| words[index].contains(goats))
            }
            Self::Packed(PackedPositions { parts, .. }) => {
                let following = parts.partition_point(|part| part.first <= outer);
                let part = following.checked_sub(1).map(|index| &parts[index]);
                part.is_some_and(|part| {
                    let mut words = Unpacked::new(&part.bytes);
                    words.any(|(other, word)| other == outer && word.contains(goats))
                })
            }
        }
    }

    /// Calls `visit` with consecutive parts of the list.
    #[inline(always)]
    pub(crate) fn visit_parts(&self, mut visit: impl FnMut(&SparsePositions)) {
        match self {
            Self::Sparse(positions) => visit(positions),
            Self::Packed(packed) => {
                let mut buffer = SparsePositions::default();
                for part in &packed.parts {
                    buffer.clear();
                    part.unpack(&mut buffer);
                    visit(&buffer);
                }
            }
        }
    }

    /// Returns the whole list, in `buffer` if it is packed.
    #[inline(always)]
    pub(crate) fn read<'a>(&'a self, buffer: &'a mut SparsePositions) -> &'a SparsePositions {
        match self {
            Self::Sparse(positions) => positions,
            Self::Packed(packed) => {
                buffer.clear();
                for part in &packed.parts {
                    part.unpack(buffer);
                }
                buffer
            }
        }
    }

    /// Returns the whole list.
    pub(crate) fn to_sparse(&self) -> Cow<'_, SparsePositions> {
        match self {
            Self::Sparse(positions) => Cow::Borrowed(positions),
            Self::Packed(_) => {
                let mut buffer = SparsePositions::default();
                self.read(&mut buffer);
                Cow::Owned(buffer)
            }
        }
    }
}

impl Part {
    /// Appends the words to `buffer`.
    #[inline(always)]
    fn unpack(&self, buffer: &mut SparsePositions) {
        for (outer, word) in Unpacked::new(&self.bytes) {
            buffer.outers.push(outer);
            buffer.words.push(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solve::bitset::word512::Word512;

    /// Every list, packed or not, contains the same positions.
    #[test]
    fn packed_lists_equal_sparse_ones() {
        let mut random = Random::new(1);
        for words in [0, 1, PART_WORDS - 1, PART_WORDS, 2 * PART_WORDS + 1] {
            let mut found = SparsePositions::default();
            let mut outer = 0;
            for _ in 0..words {
                outer += 1 + random.u32(..300);
                let lane = |_| [0, random.u64(..), 1 << random.u32(..64)][random.index(3)];
                found.push(outer, Word512(std::array::from_fn(lane)));
            }
            let sparse = PositionList::of(&found, usize::MAX);
            let packed = PositionList::of(&found, 0);
            assert!(matches!(sparse, PositionList::Sparse(_)));
            assert!(words == 0 || matches!(packed, PositionList::Packed(_)));
            for list in [&sparse, &packed] {
                assert_eq!(list.count(), found.count());
                assert_eq!(list.is_empty(), found.is_empty());
                let mut parts: Vec<(u32, Word512)> = Vec::new();
                list.visit_parts(|part| parts.extend(part.iter()));
                assert_eq!(parts, found.iter().collect::<Vec<_>>());
                assert_eq!(list.to_sparse().outers, found.outers);
            }
            for _ in 0..2000 {
                let goats = random.u32(..(outer + 2) << DIMENSIONS);
                assert_eq!(sparse.contains(goats), packed.contains(goats));
            }
        }
    }
}
