//! Makes the table of a pattern, breadth first from the goal.
//!
//! For each node of the graph it keeps a bit for every way to lay the tiles out on the node's set of cells. A move leads
//! from node to node for all layouts alike: where the tile passes no other tile of the pattern in reading order the whole
//! row of bits goes over as it is, else each bit goes where a table of permutations says.
//!
//! A level can be shared by several workers: each takes a part of the nodes, with all that is known of them, and keeps for
//! itself what its moves lead to; the next level begins by putting together what all have found.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::graph::Graph;
use super::packing::{UNKNOWN, packed};
use super::{Pattern, Watch};
use crate::background_drop;
use crate::control::workers::{self, WorkerState};
use crate::processor;
use crate::try_alloc::{self, BuildError, OutOfMemory};

/// Words of bits that go by between two questions whether to go on.
const WORDS_PER_QUESTION: usize = 1 << 14;
/// So many nodes later is asked for what a node needs: what lies where its moves lead, and its distances.
const AHEAD: usize = 2;
/// Nodes of a level that are worth a worker of their own.
const NODES_PER_WORKER: usize = 1 << 9;
/// More would spend their time putting together what the others have found.
const MAX_WORKERS: usize = 4;

/// The distances of all placements, packed as the table has them.
pub fn entries(
    pattern: &Pattern,
    common: &WorkerState,
    watch: &Watch<'_>,
) -> Result<Vec<u8>, BuildError> {
    // What is largest is asked for first: if it cannot be had nobody has waited.
    let distances = try_alloc::zeroed_in_huge_pages(pattern.placements())?;
    let graph = Graph::new(pattern, watch)?;
    let mut levels = Levels::new(&graph, distances)?;
    let distances = levels
        .search(&graph, common, watch)
        .map(|()| std::mem::take(&mut levels.distances));
    let bytes = levels.bytes();
    background_drop::drop_in_background(levels, bytes);
    packed(pattern, &graph.sets, &distances?, common, watch)
}

/// How far a search has come.
struct Levels {
    /// One more than the moves to every placement, whatever part of the board the blank is in.
    distances: Vec<u8>,
    /// By node: the layouts of all levels.
    visited: Vec<u64>,
    /// What every worker has found.
    found: Vec<Found>,
    /// Placements whose distances are known.
    done: AtomicUsize,
}

/// What a worker has found: of this level in the level before, and of the next level so far.
struct Found {
    front: Reached,
    next: Reached,
}

/// By node: the layouts that moves have led to, and whether there are any.
struct Reached {
    layouts: Vec<u64>,
    is_any: Vec<bool>,
}

impl Found {
    fn new(graph: &Graph) -> Result<Self, OutOfMemory> {
        let (nodes, words) = graph.size();
        let reached = || {
            Ok(Reached {
                layouts: try_alloc::zeroed_in_huge_pages(nodes * words)?,
                is_any: try_alloc::zeroed(nodes)?,
            })
        };
        Ok(Self {
            front: reached()?,
            next: reached()?,
        })
    }
}

impl Levels {
    fn new(graph: &Graph, distances: Vec<u8>) -> Result<Self, OutOfMemory> {
        let (nodes, words) = graph.size();
        Ok(Self {
            distances,
            visited: try_alloc::zeroed_in_huge_pages(nodes * words)?,
            found: vec![Found::new(graph)?],
            done: AtomicUsize::new(0),
        })
    }

    fn bytes(&self) -> u64 {
        let words = self.visited.len() * (1 + 2 * self.found.len());
        (self.distances.len() + words * size_of::<u64>()) as u64
    }

    /// Finds the distances, level by level.
    fn search(
        &mut self,
        graph: &Graph,
        common: &WorkerState,
        watch: &Watch<'_>,
    ) -> Result<(), BuildError> {
        let (nodes, words) = graph.size();
        let mut active: Vec<u32> = Vec::new();
        try_alloc::reserve(&mut active, nodes)?;
        let (goal, layout) = graph.goal();
        let first = &mut self.found[0].front;
        first.layouts[goal * words + layout / 64] = 1 << (layout % 64);
        first.is_any[goal] = true;
        for level in 0..u8::MAX {
            active.clear();
            for node in 0..nodes {
                let mut is_any = false;
                for found in &mut self.found {
                    is_any |= std::mem::take(&mut found.front.is_any[node]);
                }
                if is_any {
                    active.push(node as u32);
                }
            }
            let helpers =
                common.borrow_threads((active.len() / NODES_PER_WORKER).min(MAX_WORKERS - 1));
            while self.found.len() <= helpers.count {
                // Where there is no memory for one more, those that there are go on.
                let Ok(found) = Found::new(graph) else {
                    break;
                };
                self.found.push(found);
            }
            let workers = self.found.len().min(helpers.count + 1);
            let is_new = self.level(graph, level, &active, workers, watch)?;
            if !is_new {
                break;
            }
            for Found { front, next } in &mut self.found {
                std::mem::swap(front, next);
            }
        }
        watch(
            self.done.load(Ordering::Relaxed),
            graph.pattern.placements(),
        );
        Ok(())
    }

    /// One level, by so many workers: whether it has any layout that was not known.
    fn level(
        &mut self,
        graph: &Graph,
        level: u8,
        active: &[u32],
        workers: usize,
        watch: &Watch<'_>,
    ) -> Result<bool, BuildError> {
        let parts = self.parts(graph, active, workers);
        let work = |part: Part| {
            processor::run(
                #[inline(always)]
                || part.level(level, watch),
            )
        };
        let ends = workers::map_owned(parts, workers, work);
        let mut is_new = false;
        for end in ends {
            is_new |= end?;
        }
        Ok(is_new)
    }

    /// As many parts of the nodes, about as many active ones in each; nodes of a set stay together, for they have its distances in
    /// common.
    fn parts<'l>(
        &'l mut self,
        graph: &'l Graph,
        mut active: &'l [u32],
        workers: usize,
    ) -> Vec<Part<'l>> {
        let (nodes, words) = graph.size();
        let mut distances = &mut self.distances[..];
        let mut visited = &mut self.visited[..];
        let (mut fronts, nexts): (Vec<&mut [u64]>, Vec<&mut Reached>) = self
            .found
            .iter_mut()
            .map(|found| (&mut found.front.layouts[..], &mut found.next))
            .unzip();
        let set_of = |node: usize| graph.nodes[node].set as usize;
        let mut begin = 0;
        let mut parts = Vec::with_capacity(workers);
        for (next, left) in nexts.into_iter().zip((1..=workers).rev()) {
            let mut count = active.len() / left;
            let is_within = |count: usize| {
                count > 0 && set_of(active[count - 1] as usize) == set_of(active[count] as usize)
            };
            while count < active.len() && is_within(count) {
                count += 1;
            }
            let (own, others) = active.split_at(count);
            let end = others.first().map_or(nodes, |&node| node as usize);
            let first_set = set_of(begin);
            let rows = (end - begin) * words;
            let known = (set_of(end) - first_set) * graph.layouts;
            let fronts = fronts
                .iter_mut()
                .map(|front| front.split_off_mut(..rows).unwrap_or_default());
            parts.push(Part {
                graph,
                active: own,
                first_node: begin,
                first_set,
                distances: distances.split_off_mut(..known).unwrap_or_default(),
                visited: visited.split_off_mut(..rows).unwrap_or_default(),
                fronts: fronts.collect(),
                next,
                done: &self.done,
            });
            (active, begin) = (others, end);
        }
        parts
    }
}

/// A worker's part of a level: nodes one after another, all that is known of them, and what is found from them.
struct Part<'l> {
    graph: &'l Graph<'l>,
    /// The nodes that anything has led to.
    active: &'l [u32],
    first_node: usize,
    first_set: usize,
    distances: &'l mut [u8],
    visited: &'l mut [u64],
    /// What every worker has found in the level before.
    fronts: Vec<&'l mut [u64]>,
    next: &'l mut Reached,
    done: &'l AtomicUsize,
}

impl Part<'_> {
    /// Gives the layouts that are new their distance, and finds where moves lead from them. Whether there are any.
    #[inline(always)]
    fn level(self, level: u8, watch: &Watch<'_>) -> Result<bool, BuildError> {
        let Self {
            graph,
            active,
            distances,
            visited,
            mut fronts,
            next,
            ..
        } = self;
        let (_, words) = graph.size();
        let Some((front, other_fronts)) = fronts.split_first_mut() else {
            return Ok(false);
        };
        let place_of = |node: u32| (node as usize - self.first_node) * words;
        let distances_of = |node: u32| {
            let set = graph.nodes[node as usize].set as usize - self.first_set;
            set * graph.layouts..(set + 1) * graph.layouts
        };
        let mut is_anything_new = false;
        let mut since_question = 0;
        let mut done = 0;
        let mut list = List::new(words);
        for (index, &node) in active.iter().enumerate() {
            since_question += words * 8;
            if since_question >= WORDS_PER_QUESTION {
                since_question = 0;
                let before = self
                    .done
                    .fetch_add(std::mem::take(&mut done), Ordering::Relaxed);
                if !watch(before, graph.pattern.placements()) {
                    return Err(BuildError::Stopped);
                }
            }
            if let Some(&later) = active.get(index + AHEAD) {
                processor::fetch_all(&distances[distances_of(later)]);
                for edge in graph.edges_of(later as usize) {
                    let there = edge.target as usize * words;
                    processor::fetch_all(&next.layouts[there..there + words]);
                }
            }
            let row = place_of(node)..place_of(node) + words;
            let new = &mut front[row.clone()];
            for front in &mut *other_fronts {
                for (new, other) in new.iter_mut().zip(&mut front[row.clone()]) {
                    *new |= std::mem::take(other);
                }
            }
            for (new, visited) in new.iter_mut().zip(&mut visited[row]) {
                *new &= !*visited;
                *visited |= *new;
            }
            let layouts = list.of(new);
            if layouts.is_empty() {
                continue;
            }
            is_anything_new = true;
            let distances = &mut distances[distances_of(node)];
            for &layout in layouts {
                // Another part of the board may have been there before.
                let distance = &mut distances[usize::from(layout)];
                if *distance == UNKNOWN {
                    *distance = level + 1;
                    done += 1;
                }
            }
            for edge in graph.edges_of(node as usize) {
                let target = edge.target as usize;
                next.is_any[target] = true;
                let there = &mut next.layouts[target * words..(target + 1) * words];
                match edge.passing {
                    None => there
                        .iter_mut()
                        .zip(new.iter())
                        .for_each(|(there, &new)| *there |= new),
                    Some(passing) => {
                        pass(&graph.passings[usize::from(passing)], layouts, there);
                    }
                }
            }
            new.fill(0);
        }
        self.done.fetch_add(done, Ordering::Relaxed);
        Ok(is_anything_new)
    }
}

/// Sets the bits of those layouts that the passing makes of others. Neighbours often meet in one word, and a word that has just
/// been written is waited for: so one of the former half comes with one of the latter.
#[inline(always)]
fn pass(passing: &[u16], layouts: &[u16], there: &mut [u64]) {
    let mut pass = |&layout: &u16| {
        let layout = passing[usize::from(layout)];
        there[usize::from(layout / 64)] |= 1 << (layout % 64);
    };
    let (former, latter) = layouts.split_at(layouts.len() / 2);
    for (former, latter) in former.iter().zip(latter) {
        pass(former);
        pass(latter);
    }
    latter[former.len()..].iter().for_each(pass);
}

/// The numbers of the bits of a row that are set. They are listed once for all edges, and most words without a branch, for how
/// many bits there are in a word is what the processor cannot guess.
struct List(Vec<u16>);

impl List {
    /// So many bits of each word are listed without a branch.
    const AT_ONCE: usize = 4;

    /// Room for a row of so many words.
    fn new(words: usize) -> Self {
        Self(vec![0; 64 * words + Self::AT_ONCE])
    }

    #[inline(always)]
    fn of(&mut self, row: &[u64]) -> &[u16] {
        let mut count = 0;
        for (&word, first) in row.iter().zip((0_u16..).step_by(64)) {
            let mut left = word;
            let mut next = || {
                let bit = left.trailing_zeros() as u16;
                left &= left.wrapping_sub(1);
                first + bit
            };
            self.0[count..][..Self::AT_ONCE].fill_with(&mut next);
            let end = count + word.count_ones() as usize;
            if end > count + Self::AT_ONCE {
                self.0[count + Self::AT_ONCE..end].fill_with(&mut next);
            }
            count = end;
        }
        &self.0[..count]
    }
}
