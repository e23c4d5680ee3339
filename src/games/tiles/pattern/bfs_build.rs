//! Builds the table of a pattern by breadth-first search from the goal.
//!
//! Every node of the graph has a row of bits, one per layout. A move applies to all layouts of a node at once: if
//! the tile passes no other tile of the pattern, the row is merged into the target's row as it is. Otherwise every
//! bit is mapped by a permutation table.
//!
//! Several workers can share a level. Each worker expands a range of nodes and writes the layouts that it reaches
//! to buffers of its own. The next level starts by merging the buffers.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::graph::Graph;
use super::packing::{UNKNOWN, pack_entries};
use super::{Pattern, Watch};
use crate::background_drop;
use crate::control::workers::{self, WorkerState};
use crate::processor;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// Number of words processed between two calls of `watch`.
const WORDS_PER_POLL: usize = 1 << 14;
/// How many nodes ahead the distances and target rows are prefetched.
const PREFETCH_DISTANCE: usize = 2;
/// Minimum number of nodes in a level per worker.
const MIN_NODES_PER_WORKER: usize = 1 << 9;
/// Maximum number of workers. More would spend their time on merging the buffers.
const MAX_WORKERS: usize = 4;

/// Returns the packed entries of a pattern's table.
///
/// # Errors
/// [`BuildError`] if `watch` returns `false` or an allocation fails.
pub(super) fn entries(
    pattern: &Pattern,
    worker_state: &WorkerState,
    watch: &Watch<'_>,
) -> Result<Vec<u8>, BuildError> {
    // Allocate the largest block first, so that running out of memory is noticed at once.
    let distances = try_alloc::zeroed_in_huge_pages(pattern.placements())?;
    let graph = Graph::new(pattern, watch)?;
    let mut state = BfsState::new(&graph, distances)?;
    let distances = state
        .search(&graph, worker_state, watch)
        .map(|()| std::mem::take(&mut state.distances));
    let bytes = state.bytes();
    background_drop::drop_in_background(state, bytes);
    pack_entries(pattern, &graph.sets, &distances?, worker_state, watch)
}

/// The state of the search between two levels.
struct BfsState {
    /// The distance of every placement plus 1, the minimum over the regions of the blank, or [`UNKNOWN`].
    distances: Vec<u8>,
    /// By node: the layouts visited at any level.
    visited: Vec<u64>,
    /// The buffers of each worker.
    buffers: Vec<WorkerBuffers>,
    /// Number of placements with a known distance.
    placements_done: AtomicUsize,
}

/// The layouts that a worker has reached: those of the current level, and those of the next.
struct WorkerBuffers {
    current: NodeLayouts,
    next: NodeLayouts,
}

/// By node: the reached layouts as bits, and whether there are any.
struct NodeLayouts {
    layouts: Vec<u64>,
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

    fn bytes(&self) -> u64 {
        let words = self.visited.len() * (1 + 2 * self.buffers.len());
        (self.distances.len() + words * size_of::<u64>()) as u64
    }

    /// Computes the distances, level by level.
    fn search(
        &mut self,
        graph: &Graph,
        worker_state: &WorkerState,
        watch: &Watch<'_>,
    ) -> Result<(), BuildError> {
        let (nodes, words) = graph.size();
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
                // If there is no memory for another worker, continue with those that have buffers.
                let Ok(buffers) = WorkerBuffers::new(graph) else {
                    break;
                };
                self.buffers.push(buffers);
            }
            let workers = self.buffers.len().min(helpers.count + 1);
            let has_new = self.run_level(graph, depth, &active, workers, watch)?;
            if !has_new {
                break;
            }
            for WorkerBuffers { current, next } in &mut self.buffers {
                std::mem::swap(current, next);
            }
        }
        watch(
            self.placements_done.load(Ordering::Relaxed),
            graph.pattern.placements(),
        );
        Ok(())
    }

    /// Runs one level on `workers` workers. Returns `true` if it reached a new layout.
    fn run_level(
        &mut self,
        graph: &Graph,
        depth: u8,
        active: &[u32],
        workers: usize,
        watch: &Watch<'_>,
    ) -> Result<bool, BuildError> {
        let parts = self.parts(graph, active, workers);
        let work = |part: WorkerPart| {
            processor::run(
                #[inline(always)]
                || part.expand_level(depth, watch),
            )
        };
        let results = workers::map_owned(parts, workers, work);
        let mut has_new = false;
        for result in results {
            has_new |= result?;
        }
        Ok(has_new)
    }

    /// Splits the nodes into a part per worker, with about equally many active nodes.
    ///
    /// The nodes of a set stay together because they share its distances.
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
            let is_within = |count: usize| {
                count > 0 && set_of(active[count - 1] as usize) == set_of(active[count] as usize)
            };
            while count < active.len() && is_within(count) {
                count += 1;
            }
            let (own, rest) = active.split_at(count);
            let end = rest.first().map_or(nodes, |&node| node as usize);
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
            (active, start) = (rest, end);
        }
        parts
    }
}

/// A worker's part of a level: a range of nodes with their data, and the buffers to write to.
struct WorkerPart<'l> {
    graph: &'l Graph<'l>,
    /// The nodes reached in the previous level.
    active: &'l [u32],
    first_node: usize,
    first_set: usize,
    distances: &'l mut [u8],
    visited: &'l mut [u64],
    /// By worker: the layouts that it reached in the previous level.
    currents: Vec<&'l mut [u64]>,
    next: &'l mut NodeLayouts,
    placements_done: &'l AtomicUsize,
}

impl WorkerPart<'_> {
    /// Stores the distance of the new layouts and expands them. Returns `true` if there are any.
    #[inline(always)]
    fn expand_level(self, depth: u8, watch: &Watch<'_>) -> Result<bool, BuildError> {
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
            words_since_poll += words * 8;
            if words_since_poll >= WORDS_PER_POLL {
                words_since_poll = 0;
                let before = self
                    .placements_done
                    .fetch_add(std::mem::take(&mut placements_done), Ordering::Relaxed);
                if !watch(before, graph.pattern.placements()) {
                    return Err(BuildError::Stopped);
                }
            }
            if let Some(&later) = active.get(index + PREFETCH_DISTANCE) {
                processor::fetch_all(&distances[distances_of(later)]);
                for edge in graph.edges_of(later as usize) {
                    let start = edge.target as usize * words;
                    processor::fetch_all(&next.layouts[start..start + words]);
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
                // A node of the same set with another region may have set the distance earlier.
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

/// Sets the bits of the permuted layouts.
///
/// Consecutive layouts often map to the same word, and a load from a word that was just stored must wait. So the
/// loop alternates between the two halves of the list.
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

/// A list of the set bits of a row, made once for all edges.
///
/// The first few bits of each word are extracted without a branch, because the number of bits in a word is
/// unpredictable.
struct SetBits(Vec<u16>);

impl SetBits {
    /// Number of bits per word that are extracted without a branch.
    const UNROLLED: usize = 4;

    /// Creates a list for rows of `words` words.
    fn new(words: usize) -> Self {
        Self(vec![0; 64 * words + Self::UNROLLED])
    }

    #[inline(always)]
    fn collect(&mut self, row: &[u64]) -> &[u16] {
        let mut count = 0;
        for (&word, first) in row.iter().zip((0_u16..).step_by(64)) {
            let mut left = word;
            let mut next = || {
                let bit = left.trailing_zeros() as u16;
                left &= left.wrapping_sub(1);
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
