//! The nodes that a search remembers, with a hash index over them, and the count of the bytes they take.

use crate::background_drop;
use crate::rules::Puzzle;
use crate::try_alloc::{self, OutOfMemory};

/// A node by its place in the store.
pub type NodeId = u32;

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub struct Node<Position> {
    /// The position.
    pub position: Position,
    /// The node it was reached from; the root is its own.
    pub parent: NodeId,
    /// The move it was reached by, as bits; meaningless at the root.
    m: u16,
    /// Moves from the root.
    pub g: u16,
}

/// All nodes, each position once or, without an index, as often as it was reached.
pub struct Store<P: Puzzle> {
    nodes: Vec<Node<P::Position>>,
    /// The index. No slots at all where positions may repeat.
    slots: Slots,
    /// A smaller index, of the nodes before `moved_all`, while these are brought over to the other one: a few with every
    /// node that is reached, lest a search that is told to stop be in the middle of millions.
    smaller: Slots,
    /// The nodes before this one are in `slots`.
    moved: usize,
    /// The first node that never was in `smaller`.
    moved_all: usize,
    /// Given back when there is no more room, so that what has to be said then can be said.
    reserve: Vec<u8>,
}

/// Open addressing: 0 where nothing is, so that the memory can come zeroed from the system, page by page as it is used, or
/// a node's id and 1.
type Slots = Vec<u32>;

const FIRST_SLOTS: usize = 1 << 10;
const RESERVE: usize = 64 << 10;
/// How many nodes are brought over with each that is reached: more than the one that would do until the larger index is
/// full.
const MOVED_AT_ONCE: usize = 4;

impl<P: Puzzle> Store<P> {
    /// A store of the root alone.
    pub fn new(puzzle: &P, root: P::Position, indexed: bool) -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            slots: vec![0; if indexed { FIRST_SLOTS } else { 0 }],
            smaller: Slots::new(),
            moved: 1,
            moved_all: 1,
            reserve: Vec::with_capacity(RESERVE),
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

    /// The node with this id.
    #[inline]
    pub fn get(&self, id: NodeId) -> &Node<P::Position> {
        &self.nodes[id as usize]
    }

    /// The move by which the node was reached; none at the root.
    #[inline]
    pub fn last_move(&self, id: NodeId) -> Option<P::Move> {
        (id != 0).then(|| P::Move::from(self.get(id).m))
    }

    /// The bytes that nodes and index take now; and while the index grows with the next node, the bytes of both its sizes.
    pub fn bytes(&self) -> u64 {
        let index = if self.is_index_full() {
            3 * self.slots.len()
        } else {
            self.slots.len() + self.smaller.len()
        };
        (size_of_val(self.nodes.as_slice()) + index * size_of::<u32>()) as u64
    }

    /// Whether every id is taken.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= NodeId::MAX as usize
    }

    /// Remembers a child of `parent`, whether its position is known or not.
    #[inline]
    pub fn push(
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

    /// Remembers a child of `parent` if its position is new, or if this way to it is shorter. Answers with the node.
    #[inline]
    pub fn reach(
        &mut self,
        puzzle: &P,
        parent: NodeId,
        m: P::Move,
        position: P::Position,
    ) -> Result<Option<NodeId>, OutOfMemory> {
        if self.is_index_full() {
            self.grow()?;
        }
        if self.moved < self.moved_all {
            self.move_some(puzzle);
        }
        let slot = self.slot(&self.slots, puzzle, &position);
        let Some(known) = self.known(slot, puzzle, &position) else {
            let id = self.push(parent, m, position)?;
            self.slots[slot] = id + 1;
            return Ok(Some(id));
        };
        let g = self.get(parent).g.saturating_add(1);
        let node = &mut self.nodes[known as usize];
        Ok((g < node.g).then(|| {
            (node.parent, node.m, node.g) = (parent, m.into(), g);
            known
        }))
    }

    /// Makes room for a few words where there is none for another node.
    pub fn give_up(&mut self) {
        self.reserve = Vec::new();
    }

    /// The moves from the root to a node.
    pub fn path_to(&self, mut id: NodeId) -> Vec<P::Move> {
        let mut moves = Vec::new();
        while let Some(m) = self.last_move(id) {
            moves.push(m);
            id = self.get(id).parent;
        }
        moves.reverse();
        moves
    }

    /// The node of this position, whose slot in the larger index this is.
    #[inline]
    fn known(&self, slot: usize, puzzle: &P, position: &P::Position) -> Option<NodeId> {
        let found = match self.slots[slot] {
            0 if self.smaller.is_empty() => 0,
            0 => self.smaller[self.slot(&self.smaller, puzzle, position)],
            found => found,
        };
        found.checked_sub(1)
    }

    /// The slot of this position in an index, or the empty one where it belongs.
    #[inline]
    fn slot(&self, slots: &[u32], puzzle: &P, position: &P::Position) -> usize {
        let mask = slots.len() - 1;
        let mut slot = puzzle.key(position) as usize & mask;
        while slots[slot] != 0 && self.get(slots[slot] - 1).position != *position {
            slot = slot + 1 & mask;
        }
        slot
    }

    /// Two thirds of the slots are taken, once all nodes are brought over.
    #[inline]
    fn is_index_full(&self) -> bool {
        3 * self.nodes.len() > 2 * self.slots.len()
    }

    /// Begins to bring the nodes over to a larger index.
    #[cold]
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        let larger = try_alloc::zeroed_in_huge_pages(2 * self.slots.len())?;
        self.smaller = std::mem::replace(&mut self.slots, larger);
        (self.moved, self.moved_all) = (0, self.nodes.len());
        Ok(())
    }

    /// Brings some nodes over.
    #[inline]
    fn move_some(&mut self, puzzle: &P) {
        let end = self.moved_all.min(self.moved + MOVED_AT_ONCE);
        for id in self.moved..end {
            let slot = self.slot(&self.slots, puzzle, &self.nodes[id].position);
            self.slots[slot] = id as u32 + 1;
        }
        self.moved = end;
        if self.moved == self.moved_all {
            let smaller = std::mem::take(&mut self.smaller);
            let bytes = size_of_val(smaller.as_slice()) as u64;
            background_drop::drop_in_background(smaller, bytes);
        }
    }
}

impl<P: Puzzle> Drop for Store<P> {
    fn drop(&mut self) {
        let bytes = self.bytes();
        let nodes = std::mem::take(&mut self.nodes);
        let (slots, smaller) = (
            std::mem::take(&mut self.slots),
            std::mem::take(&mut self.smaller),
        );
        background_drop::drop_in_background((nodes, slots, smaller), bytes);
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
    fn every_position_has_one_node_however_the_index_grows() {
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
            let reached = store.reach(&tiles, parent, m, child).unwrap();
            match (ids.get(&child), reached) {
                (Some(known), Some(reached)) => assert_eq!(*known, reached),
                (Some(&known), None) => assert!(store.get(known).g <= g),
                (None, reached) => {
                    assert_eq!(reached, Some(ids.len() as NodeId));
                    ids.insert(child, ids.len() as NodeId);
                }
            }
            assert_eq!(store.nodes.len(), ids.len());
            // From anywhere, so that old positions are met again and again.
            parent = if step % 50 == 0 {
                random.u32(..ids.len() as u32)
            } else {
                ids[&child]
            };
        }
        assert!(store.slots.len() > FIRST_SLOTS);
    }
}
