//! The positions of one tiger set that one ply finds: a sparse list of words, packed if it is long.
//!
//! The positions of a ply are read in order only, so they need not be in memory as words. In a large game, a ply can
//! find a position in nearly every word, and then two lists of words would take more memory than all other data.
//! [`ListStorage`] selects whether packed lists are in memory or on the disk.

use std::borrow::Cow;
use std::path::PathBuf;

use super::packed::{Unpacked, pack};
use super::ply_positions::SparsePositions;
use super::word512::{DIMENSIONS, Word512};
use crate::durable::{self, TemporaryFile};
use crate::error::EngineError;

/// The place of long lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ListStorage {
    /// In memory.
    #[default]
    Memory,
    /// In temporary files in this folder.
    Disk(PathBuf),
}

impl ListStorage {
    /// Creates the folder of the temporary files if it is missing, and checks the free disk space.
    ///
    /// # Errors
    /// If the folder cannot be created, or if less than `bytes` bytes are free.
    pub(crate) fn prepare(&self, bytes: u64) -> Result<(), EngineError> {
        let Self::Disk(folder) = self else {
            return Ok(());
        };
        durable::create_folder(folder)?;
        durable::require_space(folder, bytes)
    }

    /// Creates the file for the lists of one step. Returns `None` if lists are in memory.
    pub(crate) fn new_file(&self) -> Result<Option<TemporaryFile>, EngineError> {
        match self {
            Self::Memory => Ok(None),
            Self::Disk(folder) => TemporaryFile::new(folder).map(Some),
        }
    }

    /// Returns the maximum size in bytes of a list: in memory and on the disk. `blocks` is the number of stored blocks of a
    /// cube.
    pub(crate) fn max_bytes(&self, blocks: usize) -> [u64; 2] {
        let sparse_bytes = (size_of::<Word512>() + size_of::<u32>()) as u64;
        let sparse_words = max_sparse_words(blocks);
        if *self == Self::Memory || blocks <= sparse_words {
            return [blocks as u64 * sparse_bytes, 0];
        }
        [
            sparse_words as u64 * sparse_bytes,
            blocks as u64 * MAX_PACKED_BYTES,
        ]
    }
}

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
    bytes: PartBytes,
}

/// The bytes of a part.
#[derive(Clone, Debug)]
enum PartBytes {
    Memory(Box<[u8]>),
    Disk {
        file: TemporaryFile,
        offset: u64,
        length: usize,
    },
}

/// Number of words that are packed together.
const PART_WORDS: usize = 1 << 12;

/// Returns the maximum number of words of a list that is not packed: a sixteenth of the number of a cube's blocks, but at
/// least 65,536. Such lists take little memory in every game, and reading words is faster than unpacking them. Tests pack shorter
/// lists, too.
fn max_sparse_words(blocks: usize) -> usize {
    let least = if cfg!(test) { 0 } else { 1 << 16 };
    least.max(blocks / 16)
}

/// Maximum average size of a packed word in bytes: the number of skipped words, the lane mask, and for each lane a byte mask
/// and eight bytes. In a list with most words of a cube, few words are skipped, so their number takes one byte.
const MAX_PACKED_BYTES: u64 = 2 + 8 * 9;

impl PositionList {
    /// Copies a list, and packs it if it is long. The parameters are those of [`ListBuilder::new`].
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn of(
        found: &SparsePositions,
        blocks: usize,
        file: Option<&TemporaryFile>,
    ) -> Result<Self, EngineError> {
        let mut recent = SparsePositions::default();
        let mut builder = ListBuilder::new(&mut recent, blocks, file);
        for (outer, word) in found.iter() {
            builder.push(outer, word);
        }
        builder.finish()
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
    pub(crate) fn contains(&self, goats: u32) -> Result<bool, EngineError> {
        let outer = goats >> DIMENSIONS;
        match self {
            Self::Sparse(SparsePositions { outers, words }) => {
                let index = outers.binary_search(&outer);
                Ok(index.is_ok_and(|index| words[index].contains(goats)))
            }
            Self::Packed(PackedPositions { parts, .. }) => {
                let following = parts.partition_point(|part| part.first <= outer);
                let Some(part) = following.checked_sub(1).map(|index| &parts[index]) else {
                    return Ok(false);
                };
                let bytes = part.bytes.read()?;
                let mut words = Unpacked::new(&bytes);
                Ok(words.any(|(other, word)| other == outer && word.contains(goats)))
            }
        }
    }

    /// Calls `visit` with consecutive parts of the list.
    #[inline(always)]
    pub(crate) fn visit_parts(
        &self,
        mut visit: impl FnMut(&SparsePositions),
    ) -> Result<(), EngineError> {
        match self {
            Self::Sparse(positions) => visit(positions),
            Self::Packed(packed) => {
                let mut buffer = SparsePositions::default();
                for part in &packed.parts {
                    buffer.clear();
                    part.unpack(&mut buffer)?;
                    visit(&buffer);
                }
            }
        }
        Ok(())
    }

    /// Returns the whole list.
    pub(crate) fn to_sparse(&self) -> Result<Cow<'_, SparsePositions>, EngineError> {
        match self {
            Self::Sparse(positions) => Ok(Cow::Borrowed(positions)),
            Self::Packed(packed) => {
                let mut buffer = SparsePositions::default();
                for part in &packed.parts {
                    part.unpack(&mut buffer)?;
                }
                Ok(Cow::Owned(buffer))
            }
        }
    }
}

/// A list to which words are appended.
pub(crate) struct ListBuilder<'a> {
    /// The last words, which are not packed.
    recent: &'a mut SparsePositions,
    /// Maximum number of words in `recent`.
    max_recent: usize,
    file: Option<&'a TemporaryFile>,
    /// The parts before `recent`, or the error of the file.
    parts: Result<Vec<Part>, EngineError>,
    /// Number of positions in `parts`.
    count: u64,
}

impl<'a> ListBuilder<'a> {
    /// Creates an empty list. A long list is packed into `file`, or in memory without a file. `recent` is a buffer, `blocks`
    /// the number of stored blocks of a cube.
    pub(crate) fn new(
        recent: &'a mut SparsePositions,
        blocks: usize,
        file: Option<&'a TemporaryFile>,
    ) -> Self {
        recent.clear();
        Self {
            recent,
            max_recent: max_sparse_words(blocks),
            file,
            parts: Ok(Vec::new()),
            count: 0,
        }
    }

    /// Appends the word of block `outer`, unless the word is empty. `outer` must be larger than the last block's number.
    #[inline(always)]
    pub(crate) fn push(&mut self, outer: u32, word: Word512) {
        self.recent.push(outer, word);
        if self.recent.words.len() > self.max_recent {
            self.pack_recent();
        }
    }

    /// Packs the words of `recent`, and removes them from it.
    #[cold]
    fn pack_recent(&mut self) {
        let SparsePositions { outers, words } = &*self.recent;
        for (outers, words) in outers.chunks(PART_WORDS).zip(words.chunks(PART_WORDS)) {
            let Ok(parts) = &mut self.parts else {
                break;
            };
            match Part::new(outers, words, self.file) {
                Ok(part) => parts.push(part),
                Err(error) => self.parts = Err(error),
            }
        }
        self.count += self.recent.count();
        self.recent.clear();
    }

    /// Returns the list.
    ///
    /// # Errors
    /// If the file could not be written.
    pub(crate) fn finish(mut self) -> Result<PositionList, EngineError> {
        if matches!(&self.parts, Ok(parts) if parts.is_empty()) {
            // The copy has no spare capacity.
            return Ok(PositionList::Sparse(self.recent.clone()));
        }
        self.pack_recent();
        Ok(PositionList::Packed(PackedPositions {
            parts: self.parts?,
            count: self.count,
        }))
    }
}

impl Part {
    /// Packs words and the numbers of their blocks, of which there must be at least one.
    fn new(
        outers: &[u32],
        words: &[Word512],
        file: Option<&TemporaryFile>,
    ) -> Result<Self, EngineError> {
        let bytes = pack(outers, words);
        let bytes = match file {
            None => PartBytes::Memory(bytes.into()),
            Some(file) => PartBytes::Disk {
                offset: file.append(&bytes)?,
                length: bytes.len(),
                file: file.clone(),
            },
        };
        Ok(Self {
            first: outers[0],
            bytes,
        })
    }

    /// Appends the words to `buffer`.
    #[inline(always)]
    fn unpack(&self, buffer: &mut SparsePositions) -> Result<(), EngineError> {
        for (outer, word) in Unpacked::new(&self.bytes.read()?) {
            buffer.outers.push(outer);
            buffer.words.push(word);
        }
        Ok(())
    }
}

impl PartBytes {
    fn read(&self) -> Result<Cow<'_, [u8]>, EngineError> {
        match self {
            Self::Memory(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::Disk {
                file,
                offset,
                length,
            } => file.read(*offset, *length).map(Cow::Owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Every list, packed or not, in memory or on the disk, contains the same positions.
    #[test]
    fn packed_lists_equal_sparse_ones() {
        let folder = tempfile::tempdir().unwrap();
        let file = ListStorage::Disk(folder.path().into()).new_file().unwrap();
        let mut random = Random::new(1);
        for words in [0, 1, PART_WORDS - 1, PART_WORDS, 2 * PART_WORDS + 1] {
            let mut found = SparsePositions::default();
            let mut outer = 0;
            for _ in 0..words {
                outer += 1 + random.u32(..300);
                let lane = |_| [0, random.u64(..), 1 << random.u32(..64)][random.index(3)];
                found.push(outer, Word512(std::array::from_fn(lane)));
            }
            let sparse = PositionList::of(&found, usize::MAX, None).unwrap();
            let packed = PositionList::of(&found, 16 * PART_WORDS, None).unwrap();
            let on_disk = PositionList::of(&found, 0, file.as_ref()).unwrap();
            let is_sparse = |list: &PositionList| matches!(list, PositionList::Sparse(_));
            assert!(is_sparse(&sparse));
            assert_eq!(is_sparse(&packed), found.words.len() <= PART_WORDS);
            assert_eq!(is_sparse(&on_disk), found.is_empty());
            for list in [&sparse, &packed, &on_disk] {
                assert_eq!(list.count(), found.count());
                assert_eq!(list.is_empty(), found.is_empty());
                let mut parts: Vec<(u32, Word512)> = Vec::new();
                list.visit_parts(|part| parts.extend(part.iter())).unwrap();
                assert_eq!(parts, found.iter().collect::<Vec<_>>());
                assert_eq!(list.to_sparse().unwrap().outers, found.outers);
            }
            for _ in 0..2000 {
                let goats = random.u32(..(outer + 2) << DIMENSIONS);
                for list in [&packed, &on_disk] {
                    assert_eq!(sparse.contains(goats), list.contains(goats));
                }
            }
        }
    }
}
