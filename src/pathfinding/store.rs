//! The node store of best-first and breadth-first searches, with an optional hash index by position.

use crate::background_drop;
use crate::rules::Puzzle;
use crate::try_alloc::{self, OutOfMemory};

/// The index of a node in the store.
pub(crate) type NodeId = u32;

/// A generated node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<Position> {
    /// The position.
    pub position: Position,
    /// The parent node. The root is its own parent.
    pub parent: NodeId,
    /// The move from the parent, as a 16-bit number. Unused at the root.
    m: u16,
    /// Number of moves from the root, called g in A*.
    pub g: u16,
}

/// The result of inserting a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insertion {
    /// The child is a new node.
    New(NodeId),
    /// The position was already stored, and its path became shorter.
    Shorter(NodeId),
    /// Its position was stored already.
    Known(NodeId),
}

/// The generated nodes. With an index, every position is stored once. Without an index, a position can be stored
/// several times.
pub(crate) struct Store<P: Puzzle> {
    nodes: Vec<Node<P::Position>>,
    /// The hash index. Empty if the store has no index.
    slots: Slots,
    /// The previous index, half as large as `slots`. It holds the nodes before `migration_end` that have not been
    /// moved to `slots` yet.
    ///
    /// Each insertion moves only a few nodes, so that no insertion delays a stop.
    old_slots: Slots,
    /// The nodes before this index have been moved to `slots`.
    migrated: usize,
    /// The nodes from this index on were inserted into `slots` directly.
    migration_end: usize,
    /// Memory to release after a failed allocation, so that the failure can be reported.
    reserve: Vec<u8>,
}

/// A hash table with open addressing. A slot holds a node's id plus 1, or 0 if it is empty.
///
/// Since empty slots are 0, a new table is a zeroed allocation, whose pages the system provides at the first access.
type Slots = Vec<u32>;

const INITIAL_SLOTS: usize = 1 << 10;
const RESERVE_BYTES: usize = 64 << 10;
/// Number of nodes moved per insertion. With 1, all nodes would still be moved before the new index is full.
const MIGRATED_PER_INSERT: usize = 4;

impl<P: Puzzle> Store<P> {
    /// Creates a store that contains only the root. `indexed` selects whether the store has an index.
    pub(super) fn new(puzzle: &P, root: P::Position, indexed: bool) -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            slots: vec![0; if indexed { INITIAL_SLOTS } else { 0 }],
            old_slots: Slots::new(),
            migrated: 1,
            migration_end: 1,
            reserve: Vec::with_capacity(RESERVE_BYTES),
        };
        store.nodes.push(Node {
            position: root,
            parent: 0,
            m: 0,
            g: 0,
        });
        if indexed {
            let slot = store.slot(&store.slots, puzzle, &root);
            store.slots[slot] = 1;
        }
        store
    }

    /// Returns the node `id`.
    #[inline]
    pub(super) fn get(&self, id: NodeId) -> &Node<P::Position> {
        &self.nodes[id as usize]
    }

    /// Returns the move that leads to the node, or `None` for the root.
    #[inline]
    pub(crate) fn last_move(&self, id: NodeId) -> Option<P::Move> {
        (id != 0).then(|| P::Move::from(self.get(id).m))
    }

    /// Returns the size of the nodes and the index, in bytes. If the next insertion enlarges the index, the new
    /// index is included.
    pub(super) fn bytes(&self) -> u64 {
        let index = if self.is_index_full() {
            3 * self.slots.len()
        } else {
            self.slots.len() + self.old_slots.len()
        };
        (size_of_val(self.nodes.as_slice()) + index * size_of::<u32>()) as u64
    }

    /// Returns `true` if all node ids are used.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() >= NodeId::MAX as usize
    }

    /// Appends a child of `parent`, even if its position is already stored.
    #[inline]
    pub(super) fn push(
        &mut self,
        parent: NodeId,
        m: P::Move,
        position: P::Position,
    ) -> Result<NodeId, OutOfMemory> {
        let id = self.nodes.len() as NodeId;
        let g = self.get(parent).g.saturating_add(1);
        let node = Node {
            position,
            parent,
            m: m.into(),
            g,
        };
        try_alloc::push(&mut self.nodes, node)?;
        Ok(id)
    }

    /// Inserts a child of `parent`. If its position is already stored with a longer path, `parent` becomes the
    /// parent of the stored node.
    ///
    /// The store must have an index.
    #[inline]
    pub(crate) fn insert_or_improve(
        &mut self,
        puzzle: &P,
        parent: NodeId,
        m: P::Move,
        position: P::Position,
    ) -> Result<Insertion, OutOfMemory> {
        if self.is_index_full() {
            self.grow()?;
        }
        if self.migrated < self.migration_end {
            self.migrate_some(puzzle);
        }
        let slot = self.slot(&self.slots, puzzle, &position);
        let Some(stored) = self.find(slot, puzzle, &position) else {
            let id = self.push(parent, m, position)?;
            self.slots[slot] = id + 1;
            return Ok(Insertion::New(id));
        };
        let g = self.get(parent).g.saturating_add(1);
        let node = &mut self.nodes[stored as usize];
        if g < node.g {
            (node.parent, node.m, node.g) = (parent, m.into(), g);
            return Ok(Insertion::Shorter(stored));
        }
        Ok(Insertion::Known(stored))
    }

    /// Releases the reserve after a failed allocation, so that the failure can be reported.
    pub(crate) fn release_reserve(&mut self) {
        self.reserve = Vec::new();
    }

    /// Returns the moves from the root to a node.
    pub(crate) fn path_to(&self, mut id: NodeId) -> Vec<P::Move> {
        let mut moves = Vec::new();
        while let Some(m) = self.last_move(id) {
            moves.push(m);
            id = self.get(id).parent;
        }
        moves.reverse();
        moves
    }

    /// Returns the node with this position. `slot` is the position's slot in `slots`.
    #[inline]
    fn find(&self, slot: usize, puzzle: &P, position: &P::Position) -> Option<NodeId> {
        let entry = match self.slots[slot] {
            0 if self.old_slots.is_empty() => 0,
            0 => self.old_slots[self.slot(&self.old_slots, puzzle, position)],
            entry => entry,
        };
        entry.checked_sub(1)
    }

    /// Returns the slot of the position in an index, or the empty slot where the position would be inserted.
    #[inline]
    fn slot(&self, slots: &[u32], puzzle: &P, position: &P::Position) -> usize {
        let mask = slots.len() - 1;
        let mut slot = puzzle.key(position) as usize & mask;
        while slots[slot] != 0 && self.get(slots[slot] - 1).position != *position {
            slot = slot + 1 & mask;
        }
        slot
    }

    /// Returns `true` if more than two thirds of the slots are used. The migration has ended by then.
    #[inline]
    fn is_index_full(&self) -> bool {
        3 * self.nodes.len() > 2 * self.slots.len()
    }

    /// Allocates an index of twice the size and starts the migration.
    #[cold]
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        let new_slots = try_alloc::zeroed_in_huge_pages(2 * self.slots.len())?;
        self.old_slots = std::mem::replace(&mut self.slots, new_slots);
        (self.migrated, self.migration_end) = (0, self.nodes.len());
        Ok(())
    }

    /// Migrates up to [`MIGRATED_PER_INSERT`] nodes to the new index.
    #[inline]
    fn migrate_some(&mut self, puzzle: &P) {
        let end = self.migration_end.min(self.migrated + MIGRATED_PER_INSERT);
        for id in self.migrated..end {
            let slot = self.slot(&self.slots, puzzle, &self.nodes[id].position);
            self.slots[slot] = id as u32 + 1;
        }
        self.migrated = end;
        if self.migrated == self.migration_end {
            let old_slots = std::mem::take(&mut self.old_slots);
            let bytes = size_of_val(old_slots.as_slice()) as u64;
            background_drop::drop_in_background(old_slots, bytes);
        }
    }
}

impl<P: Puzzle> Drop for Store<P> {
    fn drop(&mut self) {
        let bytes = self.bytes();
        let nodes = std::mem::take(&mut self.nodes);
        let (slots, old_slots) = (
            std::mem::take(&mut self.slots),
            std::mem::take(&mut self.old_slots),
        );
        background_drop::drop_in_background((nodes, slots, old_slots), bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::games::tiles::Tiles;
    use crate::random::Random;
    use crate::rules::Rules;

    #[test]
    fn stores_each_position_once_while_index_grows() {
        let tiles = Tiles::new(4, 4);
        let mut store = Store::new(&tiles, tiles.start(), true);
        let mut ids = HashMap::from([(tiles.start(), 0)]);
        let mut random = Random::new(1);
        let mut parent = 0;
        let mut moves = Vec::new();
        for step in 0..50_000 {
            let position = store.get(parent).position;
            moves.clear();
            tiles.moves(&position, &mut moves);
            let m = moves[random.index(moves.len())];
            let child = tiles.play(&position, m);
            let g = store.get(parent).g + 1;
            let inserted = store.insert_or_improve(&tiles, parent, m, child).unwrap();
            match (ids.get(&child), inserted) {
                (Some(&stored), Insertion::Known(known)) => {
                    assert_eq!(stored, known);
                    assert!(store.get(stored).g <= g);
                }
                (Some(&stored), inserted) => assert_eq!(inserted, Insertion::Shorter(stored)),
                (None, inserted) => {
                    assert_eq!(inserted, Insertion::New(ids.len() as NodeId));
                    ids.insert(child, ids.len() as NodeId);
                }
            }
            assert_eq!(store.nodes.len(), ids.len());
            // From time to time, continue from a random stored node, so that stored positions are generated again.
            parent = if step % 50 == 0 {
                random.u32(..ids.len() as u32)
            } else {
                ids[&child]
            };
        }
        assert!(store.slots.len() > INITIAL_SLOTS);
    }
}
