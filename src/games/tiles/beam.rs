//! Beam search (Lowerre, 1976) for boards whose shortest solutions are out of reach.
//!
//! The search proceeds move by move. Of each layer it keeps the `width` positions with the best scores.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::heuristics::squares;
use super::pairs::{PairWeights, STEP_WEIGHT};
use super::{Direction, MAX_CELLS, Position, Tiles};
use crate::control::Control;
use crate::games::key::mix64;
use crate::pathfinding::SolveContext;
use crate::rules::Rules;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// Maximum length of a solution, in moves.
const MAX_LENGTH: u32 = 600;
/// Minimum width to which a limited time or node budget narrows a beam.
const MIN_WIDTH: usize = 64;
/// Number of nodes that a thread expands per chunk of work.
const NODES_PER_CHUNK: usize = 512;
/// Minimum number of positions in the visited set per node of the beam's width.
const VISITED_PER_NODE: usize = 16;
/// Memory per node of the width, in bytes, rounded up: two layers, the visited set, and the trail of a solution of
/// 200 moves.
const BYTES_PER_NODE: u64 = 2_300;

/// The score that orders the positions of a layer; low scores are better.
///
/// It sums Manhattan distances, squared distances and pair weights. Squares reflect that one tile far from home
/// costs more than two tiles near it.
pub struct BeamHeuristic {
    tiles: Tiles,
    pairs: PairWeights,
    /// By tile, then by cell.
    terms: Vec<[CellTerms; MAX_CELLS]>,
}

/// The terms of one tile on one cell. They do not depend on other tiles.
#[derive(Clone, Copy)]
struct CellTerms {
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
    /// The index of the parent in its layer.
    pub parent: u32,
    /// The sum of the tiles' Manhattan distances from home.
    pub manhattan: u32,
    /// The score of the position. Lower is better.
    pub score: i32,
    /// The hash key of the position.
    pub key: u64,
}

impl BeamHeuristic {
    /// Creates the heuristic for a board and goal with the built-in weights. Takes some milliseconds.
    pub fn new(tiles: &Tiles) -> Self {
        Self::with_pairs(tiles, PairWeights::built_in(tiles))
    }

    /// Creates the heuristic with the pair weights `pairs`.
    pub fn with_pairs(tiles: &Tiles, pairs: PairWeights) -> Self {
        let cell_terms = |tile: usize, cell: usize| {
            let home = tiles.home(tile as u8);
            let counts = u32::from(tile != 0);
            let manhattan = counts * tiles.distance(cell, home);
            CellTerms {
                key: mix64((1 + MAX_CELLS * tile + cell) as u64),
                manhattan,
                score: STEP_WEIGHT * (manhattan + counts * squares(tiles, cell, home)) as i32,
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

    /// Calls `visit` with every move from `node`, except the inverse of the last move, and with the resulting key.
    #[inline]
    pub fn moves(&self, node: &Node, mut visit: impl FnMut(Direction, u64)) {
        let to = usize::from(node.position.blank);
        for step in Direction::ALL {
            let undoes = node.last == Some(step.opposite());
            if let Some(from) = self.tiles.neighbor(to, step)
                && !undoes
            {
                let terms = &self.terms[usize::from(node.position.cells[from])];
                let blank = &self.terms[0];
                let key = terms[from].key ^ terms[to].key ^ blank[from].key ^ blank[to].key;
                visit(step, node.key ^ key);
            }
        }
    }

    /// Returns the node after a move. `key` is the key that [`moves`](Self::moves) computed.
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

/// A hash set of visited positions. A slot keeps only the latest key, so some positions are visited again.
struct VisitedSet {
    keys: Vec<AtomicU64>,
}

impl VisitedSet {
    fn new(positions: usize) -> Result<Self, OutOfMemory> {
        let count = positions.next_power_of_two();
        let mut keys = Vec::new();
        try_alloc::reserve(&mut keys, count)?;
        keys.resize_with(count, AtomicU64::default);
        Ok(Self { keys })
    }

    /// Inserts `key`. Returns `true` if the set did not contain it.
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

/// The time and the nodes that a part of a search used.
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

    /// Returns the remaining budget of the search as a multiple of this cost. The scarcer of time and nodes counts.
    pub(crate) fn times_left(&self, control: &mut Control) -> f64 {
        let time_left = control.time_left().map_or(f64::INFINITY, |left| {
            left.as_secs_f64() / self.time.as_secs_f64().max(1e-6)
        });
        time_left.min(control.nodes_left() as f64 / self.nodes.max(1) as f64)
    }
}

/// Searches for a solution of at most `context.max_depth` moves with a beam of `width` nodes on `threads` threads.
///
/// The result `None` does not prove that there is no solution. If time or nodes would run out first, the beam
/// narrows.
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
        visited: VisitedSet::new(VISITED_PER_NODE * width)?,
        trail: Vec::new(),
        layer: vec![heuristic.root(&context.start)],
        max_children: 0,
    }
    .search(context, threads)
}

/// One beam search.
struct Beam<'g> {
    heuristic: &'g BeamHeuristic,
    width: usize,
    visited: VisitedSet,
    /// By layer, without the root's, and by node: the index of the parent, and the move from it.
    trail: Vec<Vec<(u32, Direction)>>,
    layer: Vec<Node>,
    /// Maximum number of children of a layer.
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
            let left = Cost::so_far(context.control)
                .since(&before)
                .times_left(context.control);
            let affordable = expanded as f64 * left / f64::from(max_depth - depth);
            let width = self.width.min(affordable as usize).max(MIN_WIDTH);
            keep_best(&mut children, width)?;
            if children.is_empty() {
                break;
            }
            let step = |child: &Node| child.last.map(|last| (child.parent, last));
            let mut manhattan = Vec::new();
            try_alloc::reserve(&mut manhattan, children.len())?;
            manhattan.extend(children.iter().filter_map(step));
            self.trail.push(manhattan);
            // Frees the capacity of the discarded children.
            children.shrink_to_fit();
            self.layer = children;
            context.peak_memory = context.peak_memory.max(self.bytes());
        }
        Ok(None)
    }

    /// Returns the new children of the layer from which a solution of at most `context.max_depth` moves is
    /// possible. `depth` is their depth.
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
                // Collect all moves of the chunk first, so that the cache misses on the visited set overlap.
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
        for part in results {
            let part = part?;
            try_alloc::reserve(&mut children, part.len())?;
            children.extend(part);
        }
        Ok(children)
    }

    /// Returns the moves from the root to a child of the last layer.
    fn path_to(&self, child: &Node) -> Vec<Direction> {
        let mut path: Vec<Direction> = child.last.into_iter().collect();
        let mut parent = child.parent;
        for manhattan in self.trail.iter().rev() {
            let (grandparent, step) = manhattan[parent as usize];
            path.push(step);
            parent = grandparent;
        }
        path.reverse();
        path
    }

    fn bytes(&self) -> u64 {
        let trail: usize = self.trail.iter().map(Vec::capacity).sum();
        let bytes = self.visited.keys.len() * size_of::<AtomicU64>()
            + (self.width + self.max_children) * size_of::<Node>()
            + trail * size_of::<(u32, Direction)>();
        bytes as u64
    }
}

/// Keeps the `width` children with the lowest scores. Ties are broken by the key.
fn keep_best(children: &mut Vec<Node>, width: usize) -> Result<(), OutOfMemory> {
    if children.len() <= width {
        return Ok(());
    }
    let rank = |child: &Node| (child.score, child.key);
    let mut ranks = Vec::new();
    try_alloc::reserve(&mut ranks, children.len())?;
    ranks.extend(children.iter().map(rank));
    let (_, &mut first_left_out, _) = ranks.select_nth_unstable(width);
    children.retain(|child| rank(child) < first_left_out);
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
