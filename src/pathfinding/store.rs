//! The nodes that a search remembers, with a hash index over them, and the count of the bytes they take.

use crate::rules::Puzzle;

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
    /// Open addressing; `EMPTY` or a node. No slots at all where positions may repeat.
    slots: Vec<NodeId>,
    used_slots: usize,
}

const EMPTY: NodeId = NodeId::MAX;
const FIRST_SLOTS: usize = 1 << 10;

impl<P: Puzzle> Store<P> {
    /// A store of the root alone.
    pub fn new(puzzle: &P, root: P::Position, indexed: bool) -> Self {
        let mut store = Self {
            nodes: Vec::new(),
            slots: if indexed {
                vec![EMPTY; FIRST_SLOTS]
            } else {
                Vec::new()
            },
            used_slots: 0,
        };
        store.nodes.push(Node {
            position: root,
            parent: 0,
            m: 0,
            g: 0,
        });
        if indexed {
            let slot = store.slot(puzzle, &root);
            store.occupy(slot, 0);
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
            self.slots.len()
        };
        (size_of_val(self.nodes.as_slice()) + index * size_of::<NodeId>()) as u64
    }

    /// Whether every id is taken.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= EMPTY as usize
    }

    /// Remembers a child of `parent`, whether its position is known or not.
    #[inline]
    pub fn push(&mut self, parent: NodeId, m: P::Move, position: P::Position) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let g = self.get(parent).g.saturating_add(1);
        self.nodes.push(Node {
            position,
            parent,
            m: m.into(),
            g,
        });
        id
    }

    /// Remembers a child of `parent` if its position is new, or if this way to it is shorter. Answers with the node.
    #[inline]
    pub fn reach(
        &mut self,
        puzzle: &P,
        parent: NodeId,
        m: P::Move,
        position: P::Position,
    ) -> Option<NodeId> {
        if self.is_index_full() {
            self.grow(puzzle);
        }
        let slot = self.slot(puzzle, &position);
        let known = self.slots[slot];
        if known == EMPTY {
            let id = self.push(parent, m, position);
            self.occupy(slot, id);
            return Some(id);
        }
        let g = self.get(parent).g.saturating_add(1);
        let node = &mut self.nodes[known as usize];
        (g < node.g).then(|| {
            (node.parent, node.m, node.g) = (parent, m.into(), g);
            known
        })
    }

    /// The moves from the root to a node.
    pub fn way_to(&self, mut id: NodeId) -> Vec<P::Move> {
        let mut moves = Vec::new();
        while let Some(m) = self.last_move(id) {
            moves.push(m);
            id = self.get(id).parent;
        }
        moves.reverse();
        moves
    }

    /// The slot of this position, or the empty one where it belongs.
    #[inline]
    fn slot(&self, puzzle: &P, position: &P::Position) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = puzzle.key(position) as usize & mask;
        while self.slots[slot] != EMPTY && self.get(self.slots[slot]).position != *position {
            slot = slot + 1 & mask;
        }
        slot
    }

    #[inline]
    fn occupy(&mut self, slot: usize, id: NodeId) {
        self.slots[slot] = id;
        self.used_slots += 1;
    }

    /// Two thirds of the slots are taken.
    #[inline]
    fn is_index_full(&self) -> bool {
        3 * self.used_slots > 2 * self.slots.len()
    }

    #[cold]
    fn grow(&mut self, puzzle: &P) {
        let larger = vec![EMPTY; 2 * self.slots.len()];
        let smaller = std::mem::replace(&mut self.slots, larger);
        let mask = self.slots.len() - 1;
        for id in smaller.into_iter().filter(|&id| id != EMPTY) {
            let mut slot = puzzle.key(&self.get(id).position) as usize & mask;
            while self.slots[slot] != EMPTY {
                slot = slot + 1 & mask;
            }
            self.slots[slot] = id;
        }
    }
}
