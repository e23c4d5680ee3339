//! Builds the table of a pattern by breadth-first search from the goal.
//!
//! The search uses the graph of `graph.rs`. Its states are pairs of a node and a layout, the order of the tiles. Level
//! `d` consists of the pairs at a distance of `d` moves from the goal.
//!
//! Every node has a *row* of bits that marks its reached layouts. An edge applies to all layouts of a node at once. If
//! the moved tile passes no other tile of the pattern, the node's row is added to the target's row by bitwise or.
//! Otherwise a permutation table maps every bit.
//!
//! Several workers can expand a level together. Each worker expands a range of nodes and marks reached layouts in
//! its own buffers. At the start of the next level, all buffers are merged.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::graph::Graph;
use super::packing::{UNKNOWN, pack_entries};
use super::{OnProgress, Pattern};
use crate::background_drop;
use crate::control::workers::{self, WorkerState};
use crate::processor;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// Approximate number of 64-bit words processed between two calls of `on_progress`.
const WORDS_PER_POLL: usize = 1 << 14;
/// Prefetch distance, in nodes: while a node is expanded, the distances and target rows of the second next node are
/// prefetched.
const PREFETCH_DISTANCE: usize = 2;
/// Minimum number of nodes of a level per worker. A level with fewer nodes uses fewer workers.
const MIN_NODES_PER_WORKER: usize = 1 << 9;
/// Maximum number of workers. More workers would mostly merge buffers.
const MAX_WORKERS: usize = 4;

/// Returns the packed entries of a pattern's table.
///
/// # Errors
/// [`BuildError`] if `on_progress` returns `false` or an allocation fails.
pub(super) fn entries(
    pattern: &Pattern,
    worker_state: &WorkerState,
    on_progress: &OnProgress<'_>,
) -> Result<Vec<u8>, BuildError> {
    // Allocate the largest block first, so that a lack of memory is detected before any work is done.
    let distances = try_alloc::zeroed_in_huge_pages(pattern.placements())?;
    let graph = Graph::new(pattern, on_progress)?;
    let mut state = BfsState::new(&graph, distances)?;
    let distances = state
        .search(&graph, worker_state, on_progress)
        .map(|()| std::mem::take(&mut state.distances));
    let bytes = state.bytes();
    background_drop::drop_in_background(state, bytes);
    pack_entries(pattern, &graph.sets, &distances?, worker_state, on_progress)
}

/// The state of the search between two levels.
struct BfsState {
    /// The distance of each placement plus 1, or [`UNKNOWN`]. The distance is the minimum over the blank's regions.
    distances: Vec<u8>,
    /// The row of each node's layouts visited so far.
    visited: Vec<u64>,
    /// The buffers of each worker.
    buffers: Vec<WorkerBuffers>,
    /// Number of placements with a known distance.
    placements_done: AtomicUsize,
}

/// The layouts reached by a worker.
struct WorkerBuffers {
    /// The layouts of the current level.
    current: NodeLayouts,
    /// The layouts of the next level.
    next: NodeLayouts,
}

/// The reached layouts of all nodes.
struct NodeLayouts {
    /// Indexed by node: its row.
    layouts: Vec<u64>,
    /// `true` for each node with a reached layout.
    is_reached: Vec<bool>,
}

impl WorkerBuffers {
    fn new(graph: &Graph) -> Result<Self, OutOfMemory> {
        let (nodes, words) = graph.size();
        let node_layouts = || {
            Ok(NodeLayouts {
                layouts: try_alloc::zeroed_in_huge_pages(nodes * words)?,
                is_reached: try_alloc::zeroed(nodes)?,
            })
        };
        Ok(Self {
            current: node_layouts()?,
            next: node_layouts()?,
        })
    }
}

impl BfsState {
    fn new(graph: &Graph, distances: Vec<u8>) -> Result<Self, OutOfMemory> {
        let (nodes, words) = graph.size();
        Ok(Self {
            distances,
            visited: try_alloc::zeroed_in_huge_pages(nodes * words)?,
            buffers: vec![WorkerBuffers::new(graph)?],
            placements_done: AtomicUsize::new(0),
        })
    }

    /// Returns the approximate memory in use, in bytes.
    fn bytes(&self) -> u64 {
        let words = self.visited.len() * (1 + 2 * self.buffers.len());
        (self.distances.len() + words * size_of::<u64>()) as u64
    }

    /// Computes the distances, level by level.
    fn search(
        &mut self,
        graph: &Graph,
        worker_state: &WorkerState,
        on_progress: &OnProgress<'_>,
    ) -> Result<(), BuildError> {
        let (nodes, words) = graph.size();
        // The nodes of the current level.
        let mut active: Vec<u32> = Vec::new();
        try_alloc::reserve(&mut active, nodes)?;
        let (goal, layout) = graph.goal();
        let first = &mut self.buffers[0].current;
        first.layouts[goal * words + layout / 64] = 1 << (layout % 64);
        first.is_reached[goal] = true;
        for depth in 0..u8::MAX {
            active.clear();
            for node in 0..nodes {
                let mut is_reached = false;
                for buffers in &mut self.buffers {
                    is_reached |= std::mem::take(&mut buffers.current.is_reached[node]);
                }
                if is_reached {
                    active.push(node as u32);
                }
            }
            let helpers = worker_state
                .borrow_threads((active.len() / MIN_NODES_PER_WORKER).min(MAX_WORKERS - 1));
            while self.buffers.len() <= helpers.count {
                // Without memory for another worker's buffers, continue with fewer workers.
                let Ok(buffers) = WorkerBuffers::new(graph) else {
                    break;
                };
                self.buffers.push(buffers);
            }
            let workers = self.buffers.len().min(helpers.count + 1);
            let has_new = self.run_level(graph, depth, &active, workers, on_progress)?;
            if !has_new {
                break;
            }
            for WorkerBuffers { current, next } in &mut self.buffers {
                std::mem::swap(current, next);
            }
        }
        on_progress(
            self.placements_done.load(Ordering::Relaxed),
            graph.pattern.placements(),
        );
        Ok(())
    }

    /// Expands the nodes `active` of level `depth` with `workers` workers. Returns `true` if the level contains an
    /// unvisited layout.
    fn run_level(
        &mut self,
        graph: &Graph,
        depth: u8,
        active: &[u32],
        workers: usize,
        on_progress: &OnProgress<'_>,
    ) -> Result<bool, BuildError> {
        let parts = self.parts(graph, active, workers);
        let work = |part: WorkerPart| {
            processor::run(
                #[inline(always)]
                || part.expand_level(depth, on_progress),
            )
        };
        let results = workers::map_owned(parts, workers, work);
        let mut has_new = false;
        for result in results {
            has_new |= result?;
        }
        Ok(has_new)
    }

    /// Divides all nodes into one range per worker with about equal numbers of active nodes.
    ///
    /// Nodes with the same set share their distances, so they are in the same range.
    fn parts<'l>(
        &'l mut self,
        graph: &'l Graph,
        mut active: &'l [u32],
        workers: usize,
    ) -> Vec<WorkerPart<'l>> {
        let (nodes, words) = graph.size();
        let mut distances = &mut self.distances[..];
        let mut visited = &mut self.visited[..];
        let (mut currents, nexts): (Vec<&mut [u64]>, Vec<&mut NodeLayouts>) = self
            .buffers
            .iter_mut()
            .map(|buffers| (&mut buffers.current.layouts[..], &mut buffers.next))
            .unzip();
        let set_of = |node: usize| graph.nodes[node].set as usize;
        let mut start = 0;
        let mut parts = Vec::with_capacity(workers);
        for (next, remaining_workers) in nexts.into_iter().zip((1..=workers).rev()) {
            let mut count = active.len() / remaining_workers;
            // `true` if a range of the first `count` active nodes would separate two nodes of the same set.
            let splits_set = |count: usize| {
                count > 0 && set_of(active[count - 1] as usize) == set_of(active[count] as usize)
            };
            while count < active.len() && splits_set(count) {
                count += 1;
            }
            let (own, later) = active.split_at(count);
            let end = later.first().map_or(nodes, |&node| node as usize);
            let first_set = set_of(start);
            let rows = (end - start) * words;
            let placements = (set_of(end) - first_set) * graph.layouts;
            let currents = currents
                .iter_mut()
                .map(|current| current.split_off_mut(..rows).unwrap_or_default());
            parts.push(WorkerPart {
                graph,
                active: own,
                first_node: start,
                first_set,
                distances: distances.split_off_mut(..placements).unwrap_or_default(),
                visited: visited.split_off_mut(..rows).unwrap_or_default(),
                currents: currents.collect(),
                next,
                placements_done: &self.placements_done,
            });
            (active, start) = (later, end);
        }
        parts
    }
}

/// A worker's part of a level: a range of nodes with their data, and the worker's buffer.
struct WorkerPart<'l> {
    graph: &'l Graph<'l>,
    /// The nodes of the range that belong to the level.
    active: &'l [u32],
    /// The first node of the range.
    first_node: usize,
    /// The rank of the set of the first node.
    first_set: usize,
    /// [`BfsState::distances`] for the sets of the range.
    distances: &'l mut [u8],
    /// [`BfsState::visited`] for the nodes of the range.
    visited: &'l mut [u64],
    /// The rows of the range in each worker's buffer, with the layouts of this level.
    currents: Vec<&'l mut [u64]>,
    next: &'l mut NodeLayouts,
    placements_done: &'l AtomicUsize,
}

impl WorkerPart<'_> {
    /// Stores the distance `depth` of the unvisited layouts, and expands them. Returns `true` if there are
    /// any.
    #[inline(always)]
    fn expand_level(self, depth: u8, on_progress: &OnProgress<'_>) -> Result<bool, BuildError> {
        let Self {
            graph,
            active,
            distances,
            visited,
            mut currents,
            next,
            ..
        } = self;
        let (_, words) = graph.size();
        let Some((current, other_currents)) = currents.split_first_mut() else {
            return Ok(false);
        };
        let row_start = |node: u32| (node as usize - self.first_node) * words;
        let distances_of = |node: u32| {
            let set = graph.nodes[node as usize].set as usize - self.first_set;
            set * graph.layouts..(set + 1) * graph.layouts
        };
        let mut has_new = false;
        let mut words_since_poll = 0;
        let mut placements_done = 0;
        let mut set_bits = SetBits::new(words);
        for (index, &node) in active.iter().enumerate() {
            // An estimate of the number of words in the rows of the node and its targets.
            words_since_poll += words * 8;
            if words_since_poll >= WORDS_PER_POLL {
                words_since_poll = 0;
                let before = self
                    .placements_done
                    .fetch_add(std::mem::take(&mut placements_done), Ordering::Relaxed);
                if !on_progress(before, graph.pattern.placements()) {
                    return Err(BuildError::Stopped);
                }
            }
            if let Some(&later) = active.get(index + PREFETCH_DISTANCE) {
                processor::prefetch_all(&distances[distances_of(later)]);
                for edge in graph.edges_of(later as usize) {
                    let start = edge.target as usize * words;
                    processor::prefetch_all(&next.layouts[start..start + words]);
                }
            }
            let row = row_start(node)..row_start(node) + words;
            let new = &mut current[row.clone()];
            for current in &mut *other_currents {
                for (new, other) in new.iter_mut().zip(&mut current[row.clone()]) {
                    *new |= std::mem::take(other);
                }
            }
            for (new, visited) in new.iter_mut().zip(&mut visited[row]) {
                *new &= !*visited;
                *visited |= *new;
            }
            let layouts = set_bits.collect(new);
            if layouts.is_empty() {
                continue;
            }
            has_new = true;
            let distances = &mut distances[distances_of(node)];
            for &layout in layouts {
                // The distance is already known if the placement was reached earlier with another region.
                let distance = &mut distances[usize::from(layout)];
                if *distance == UNKNOWN {
                    *distance = depth + 1;
                    placements_done += 1;
                }
            }
            for edge in graph.edges_of(node as usize) {
                let target = edge.target as usize;
                next.is_reached[target] = true;
                let target_layouts = &mut next.layouts[target * words..(target + 1) * words];
                match edge.permutation {
                    None => target_layouts
                        .iter_mut()
                        .zip(new.iter())
                        .for_each(|(word, &new)| *word |= new),
                    Some(permutation) => {
                        permute_into(
                            &graph.permutations[usize::from(permutation)],
                            layouts,
                            target_layouts,
                        );
                    }
                }
            }
            new.fill(0);
        }
        self.placements_done
            .fetch_add(placements_done, Ordering::Relaxed);
        Ok(has_new)
    }
}

/// Sets the bits in `target_layouts` to which `permutation` maps `layouts`.
///
/// Consecutive layouts often map to the same word, and loading a just stored word is slow. So the loop
/// alternates between the first and the second half of `layouts`.
#[inline(always)]
fn permute_into(permutation: &[u16], layouts: &[u16], target_layouts: &mut [u64]) {
    let mut insert = |&layout: &u16| {
        let layout = permutation[usize::from(layout)];
        target_layouts[usize::from(layout / 64)] |= 1 << (layout % 64);
    };
    let (first_half, second_half) = layouts.split_at(layouts.len() / 2);
    for (first, second) in first_half.iter().zip(second_half) {
        insert(first);
        insert(second);
    }
    second_half[first_half.len()..].iter().for_each(insert);
}

/// A buffer for the list of the layouts in a row. The list is computed once per node and used for all its edges.
///
/// The first [`Self::UNROLLED`] bits of each word are extracted without a branch, because their number is
/// unpredictable.
struct SetBits(Vec<u16>);

impl SetBits {
    /// Number of bits always extracted per word. If the word has fewer bits, the surplus elements are
    /// overwritten or ignored.
    const UNROLLED: usize = 4;

    /// Creates a buffer for rows of `words` words.
    fn new(words: usize) -> Self {
        Self(vec![0; 64 * words + Self::UNROLLED])
    }

    /// Returns the indices of the one bits in `row`.
    #[inline(always)]
    fn collect(&mut self, row: &[u64]) -> &[u16] {
        let mut count = 0;
        for (&word, first) in row.iter().zip((0_u16..).step_by(64)) {
            let mut remaining = word;
            let mut next = || {
                let bit = remaining.trailing_zeros() as u16;
                remaining &= remaining.wrapping_sub(1);
                first + bit
            };
            self.0[count..][..Self::UNROLLED].fill_with(&mut next);
            let end = count + word.count_ones() as usize;
            if end > count + Self::UNROLLED {
                self.0[count + Self::UNROLLED..end].fill_with(&mut next);
            }
            count = end;
        }
        &self.0[..count]
    }
}
