//! Beam search (Lowerre, 1976) for boards on which finding a shortest solution takes too long.
//!
//! Layer 0 is the start position. The search generates all children of a layer and keeps the `width` children with
//! the best scores as the next layer. It ends at the first layer that contains the goal. The search may discard all
//! positions on shorter solutions, so the solution may not be shortest. A *beam* is one such search.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::heuristics::squared_distance;
use super::pairs::{PairWeights, STEP_WEIGHT};
use super::{Direction, MAX_CELLS, Position, Tiles};
use crate::control::Control;
use crate::games::key::mix64;
use crate::pathfinding::SolveContext;
use crate::rules::Rules;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// Maximum length of a solution, in moves.
const MAX_LENGTH: u32 = 600;
/// Minimum width of a beam, in nodes, if the remaining time or nodes require a narrower beam.
const MIN_WIDTH: usize = 64;
/// Number of nodes that a thread expands before it takes the next nodes of the layer.
const NODES_PER_CHUNK: usize = 512;
/// Minimum number of slots of the visited set: a multiple of the beam's width.
const VISITED_SLOTS_PER_NODE: usize = 16;
/// Upper estimate of a beam's memory, in bytes per node of its width: a layer and its children, the visited set, and
/// the moves of 200 layers.
const BYTES_PER_NODE: u64 = 2_300;

/// Computes the score of positions in a layer. Lower is better.
///
/// The score is the sum of each tile's Manhattan distance and squared distance from home, and the weight of each pair
/// of tiles (see [`super::pairs`]). The squares model that one tile far from home needs more moves than several tiles
/// near home with the same sum.
pub struct BeamHeuristic {
    tiles: Tiles,
    pairs: PairWeights,
    /// Indexed by tile, then by cell: the terms of the tile on the cell.
    terms: Vec<[CellTerms; MAX_CELLS]>,
}

/// The contribution of a tile on a cell to the key, the Manhattan distance and the score of a node, independent of
/// other tiles.
#[derive(Clone, Copy)]
struct CellTerms {
    /// The number combined into the node's key by exclusive or (Zobrist, 1970).
    key: u64,
    manhattan: u32,
    score: i32,
}

/// A position in the beam.
#[derive(Clone, Copy)]
pub struct Node {
    /// The position.
    pub position: Position,
    /// The last move, or `None` at the root.
    pub last: Option<Direction>,
    /// The index of the parent in the previous layer.
    pub parent: u32,
    /// The sum of the tiles' Manhattan distances from home.
    pub manhattan: u32,
    /// The score of the position. Lower is better.
    pub score: i32,
    /// The hash key of the position.
    pub key: u64,
}

impl BeamHeuristic {
    /// Creates the heuristic for a board and goal with the built-in pair weights. Takes some milliseconds.
    pub fn new(tiles: &Tiles) -> Self {
        Self::with_pairs(tiles, PairWeights::built_in(tiles))
    }

    /// Creates the heuristic with the pair weights `pairs`.
    pub fn with_pairs(tiles: &Tiles, pairs: PairWeights) -> Self {
        let cell_terms = |tile: usize, cell: usize| {
            let home = tiles.home(tile as u8);
            // 0 for the blank, whose distance is not counted.
            let factor = u32::from(tile != 0);
            let manhattan = factor * tiles.distance(cell, home);
            CellTerms {
                key: mix64((1 + MAX_CELLS * tile + cell) as u64),
                manhattan,
                score: STEP_WEIGHT
                    * (manhattan + factor * squared_distance(tiles, cell, home)) as i32,
            }
        };
        let terms = (0..tiles.cell_count())
            .map(|tile| std::array::from_fn(|cell| cell_terms(tile, cell)))
            .collect();
        Self {
            tiles: *tiles,
            pairs,
            terms,
        }
    }

    /// Returns the board and goal.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Creates the root node for `position`.
    pub fn root(&self, position: &Position) -> Node {
        let mut root = Node {
            position: *position,
            last: None,
            parent: 0,
            manhattan: 0,
            score: self.pairs.sum(&position.cells),
            key: 0,
        };
        let cells = position.cells[..self.tiles.cell_count()].iter();
        for (cell, &tile) in cells.enumerate() {
            let cell_terms = &self.terms[usize::from(tile)][cell];
            root.key ^= cell_terms.key;
            root.manhattan += cell_terms.manhattan;
            root.score += cell_terms.score;
        }
        root
    }

    /// Calls `visit(step, key)` for every move `step` from `node` except the inverse of the last move. `key` is the
    /// hash key of the position after the move.
    #[inline]
    pub fn moves(&self, node: &Node, mut visit: impl FnMut(Direction, u64)) {
        let to = usize::from(node.position.blank);
        for step in Direction::ALL {
            let is_inverse = node.last == Some(step.opposite());
            if let Some(from) = self.tiles.neighbor(to, step)
                && !is_inverse
            {
                let terms = &self.terms[usize::from(node.position.cells[from])];
                let blank = &self.terms[0];
                let key = terms[from].key ^ terms[to].key ^ blank[from].key ^ blank[to].key;
                visit(step, node.key ^ key);
            }
        }
    }

    /// Returns the node after the move `step`. `key` must be the key that [`moves`](Self::moves) computed for `step`.
    /// The caller sets [`Node::parent`].
    #[inline]
    pub fn child(&self, node: &Node, step: Direction, key: u64) -> Node {
        let position = self.tiles.play(&node.position, step);
        let (from, to) = (
            usize::from(position.blank),
            usize::from(node.position.blank),
        );
        let tile = usize::from(position.cells[to]);
        let (before, after) = (&self.terms[tile][from], &self.terms[tile][to]);
        let change = self.pairs.change(&node.position.cells, tile, from, to);
        Node {
            position,
            last: Some(step),
            parent: node.parent,
            manhattan: node.manhattan + after.manhattan - before.manhattan,
            score: node.score + after.score - before.score + change,
            key,
        }
    }
}

/// A lossy hash set of the keys of visited positions: a slot contains only the last inserted key. A position with a
/// lost key counts as unvisited.
struct VisitedSet {
    keys: Vec<AtomicU64>,
}

impl VisitedSet {
    /// Creates a set with at least `min_slots` slots.
    fn new(min_slots: usize) -> Result<Self, OutOfMemory> {
        let count = min_slots.next_power_of_two();
        let mut keys = Vec::new();
        try_alloc::reserve(&mut keys, count)?;
        keys.resize_with(count, AtomicU64::default);
        Ok(Self { keys })
    }

    /// Inserts `key`. Returns `true` if the set did not contain `key`.
    #[inline]
    fn insert(&self, key: u64) -> bool {
        let slot = &self.keys[key as usize & (self.keys.len() - 1)];
        // If two threads insert the same key at the same time, both may get `true`.
        let is_new = slot.load(Ordering::Relaxed) != key;
        if is_new {
            slot.store(key, Ordering::Relaxed);
        }
        is_new
    }
}

/// Returns the maximum width of a beam that uses at most `memory_limit` bytes.
pub(super) fn max_width(memory_limit: u64) -> usize {
    usize::try_from(memory_limit / BYTES_PER_NODE).unwrap_or(usize::MAX)
}

/// The time and the number of generated nodes of a part of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    time: Duration,
    nodes: u64,
}

impl Cost {
    /// Returns the cost of the whole search so far.
    pub(crate) fn so_far(control: &Control) -> Self {
        Self {
            time: control.elapsed(),
            nodes: control.nodes(),
        }
    }

    /// Returns the cost since an earlier call of [`so_far`](Self::so_far).
    #[must_use]
    pub(super) fn since(&self, before: &Self) -> Self {
        Self {
            time: self.time.saturating_sub(before.time),
            nodes: self.nodes - before.nodes,
        }
    }

    /// Returns the number of times that the remaining time and nodes allow this cost again, the smaller of both.
    pub(crate) fn times_left(&self, control: &mut Control) -> f64 {
        let time_ratio = control.time_left().map_or(f64::INFINITY, |time_left| {
            time_left.as_secs_f64() / self.time.as_secs_f64().max(1e-6)
        });
        time_ratio.min(control.nodes_left() as f64 / self.nodes.max(1) as f64)
    }
}

/// Searches for a solution of at most `context.max_depth` moves with a beam of `width` nodes on `threads` threads.
///
/// `None` does not prove that there is no such solution. The beam gets narrower than `width` if the remaining
/// time or nodes do not suffice for all layers at this width.
///
/// # Errors
/// [`BuildError`] if the control stops the search or an allocation fails.
pub(super) fn search(
    context: &mut SolveContext<Tiles>,
    heuristic: &BeamHeuristic,
    width: usize,
    threads: &mut usize,
) -> Result<Option<Vec<Direction>>, BuildError> {
    Beam {
        heuristic,
        width,
        visited: VisitedSet::new(VISITED_SLOTS_PER_NODE * width)?,
        trail: Vec::new(),
        layer: vec![heuristic.root(&context.start)],
        max_children: 0,
    }
    .search(context, threads)
}

/// The state of one beam search.
struct Beam<'h> {
    heuristic: &'h BeamHeuristic,
    width: usize,
    visited: VisitedSet,
    /// For each node of each layer after layer 0: the index of the parent in the previous layer, and the move from
    /// it.
    trail: Vec<Vec<(u32, Direction)>>,
    /// The last layer.
    layer: Vec<Node>,
    /// Maximum capacity of the list of children so far, in nodes.
    max_children: usize,
}

impl Beam<'_> {
    fn search(
        &mut self,
        context: &mut SolveContext<Tiles>,
        threads: &mut usize,
    ) -> Result<Option<Vec<Direction>>, BuildError> {
        self.visited.insert(self.layer[0].key);
        if self.layer[0].manhattan == 0 {
            return Ok(Some(Vec::new()));
        }
        let max_depth = context.max_depth.min(MAX_LENGTH);
        let before = Cost::so_far(context.control);
        let mut expanded = 0;
        for depth in 1..=max_depth {
            expanded += self.layer.len();
            let mut children = self.expand(context, depth, threads)?;
            if let Some(child) = children.iter().find(|child| child.manhattan == 0) {
                return Ok(Some(self.path_to(child)));
            }
            self.max_children = self.max_children.max(children.capacity());
            // The remaining budget allows `times_left * expanded` more nodes, which are divided among the remaining
            // layers.
            let times_left = Cost::so_far(context.control)
                .since(&before)
                .times_left(context.control);
            let affordable_width = expanded as f64 * times_left / f64::from(max_depth - depth);
            let width = self.width.min(affordable_width as usize).max(MIN_WIDTH);
            keep_best(&mut children, width)?;
            if children.is_empty() {
                break;
            }
            let step = |child: &Node| child.last.map(|last| (child.parent, last));
            let mut layer_steps = Vec::new();
            try_alloc::reserve(&mut layer_steps, children.len())?;
            layer_steps.extend(children.iter().filter_map(step));
            self.trail.push(layer_steps);
            // Free the memory of the discarded children.
            children.shrink_to_fit();
            self.layer = children;
            context.peak_memory = context.peak_memory.max(self.bytes());
        }
        Ok(None)
    }

    /// Returns the unvisited children of the layer. `depth` is the number of moves from the start to the children.
    ///
    /// Omits a child if its Manhattan distance shows that every solution through it is longer than
    /// `context.max_depth`.
    fn expand(
        &self,
        context: &mut SolveContext<Tiles>,
        depth: u32,
        threads: &mut usize,
    ) -> Result<Vec<Node>, BuildError> {
        let max_remaining = context.max_depth - depth;
        let next = AtomicUsize::new(0);
        let work = |control: &mut Control| -> Result<Vec<Node>, BuildError> {
            let mut children = Vec::new();
            let mut moves = Vec::with_capacity(4 * NODES_PER_CHUNK);
            loop {
                let first = next
                    .fetch_add(NODES_PER_CHUNK, Ordering::Relaxed)
                    .min(self.layer.len());
                let chunk = &self.layer[first..self.layer.len().min(first + NODES_PER_CHUNK)];
                if chunk.is_empty() {
                    return Ok(children);
                }
                try_alloc::reserve(&mut children, 4 * chunk.len())?;
                let mut generated = 0;
                // Collect all moves of the chunk before creating the children, so that the cache misses on the visited
                // set overlap.
                moves.clear();
                for (parent, node) in (first as u32..).zip(chunk) {
                    self.heuristic.moves(node, |step, key| {
                        generated += 1;
                        if self.visited.insert(key) {
                            moves.push((parent, step, key));
                        }
                    });
                }
                for &(parent, step, key) in &moves {
                    let child = self
                        .heuristic
                        .child(&self.layer[parent as usize], step, key);
                    if child.manhattan <= max_remaining {
                        children.push(Node { parent, ..child });
                    }
                }
                control.visit_many(generated)?;
            }
        };
        let mut one_thread = 1;
        let is_small = self.layer.len() <= NODES_PER_CHUNK;
        let results = context.run_workers(if is_small { &mut one_thread } else { threads }, work);
        context.expanded += self.layer.len() as u64;
        context.control.deepest = context.control.deepest.max(depth);
        let mut results = results.into_iter();
        let mut children = results.next().unwrap_or(Ok(Vec::new()))?;
        for result in results {
            let more_children = result?;
            try_alloc::reserve(&mut children, more_children.len())?;
            children.extend(more_children);
        }
        Ok(children)
    }

    /// Returns the moves from the root to `child`, a child of the last layer.
    fn path_to(&self, child: &Node) -> Vec<Direction> {
        let mut path: Vec<Direction> = child.last.into_iter().collect();
        let mut parent = child.parent;
        for layer_steps in self.trail.iter().rev() {
            let (grandparent, step) = layer_steps[parent as usize];
            path.push(step);
            parent = grandparent;
        }
        path.reverse();
        path
    }

    /// Returns the memory in use, in bytes.
    fn bytes(&self) -> u64 {
        let trail: usize = self.trail.iter().map(Vec::capacity).sum();
        let bytes = self.visited.keys.len() * size_of::<AtomicU64>()
            + (self.width + self.max_children) * size_of::<Node>()
            + trail * size_of::<(u32, Direction)>();
        bytes as u64
    }
}

/// Keeps only the `width` children with the lowest scores, lower keys first among equal scores.
fn keep_best(children: &mut Vec<Node>, width: usize) -> Result<(), OutOfMemory> {
    if children.len() <= width {
        return Ok(());
    }
    let sort_key = |child: &Node| (child.score, child.key);
    let mut sort_keys = Vec::new();
    try_alloc::reserve(&mut sort_keys, children.len())?;
    sort_keys.extend(children.iter().map(sort_key));
    let (_, &mut first_discarded, _) = sort_keys.select_nth_unstable(width);
    children.retain(|child| sort_key(child) < first_discarded);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn incremental_node_matches_root_node() {
        for (width, height) in [(6, 6), (6, 5), (5, 6)] {
            let tiles = Tiles::new(width, height);
            let heuristic = BeamHeuristic::new(&tiles);
            let mut random = Random::new(1);
            let mut node = heuristic.root(&tiles.goal);
            assert_eq!(node.manhattan, 0);
            for _ in 0..500 {
                let mut children = Vec::new();
                heuristic.moves(&node, |step, key| {
                    children.push(heuristic.child(&node, step, key));
                });
                node = children[random.index(children.len())];
                let full = heuristic.root(&node.position);
                assert_eq!(
                    (node.key, node.manhattan, node.score),
                    (full.key, full.manhattan, full.score)
                );
                assert_eq!(node.manhattan == 0, node.position == tiles.goal);
            }
        }
    }
}
