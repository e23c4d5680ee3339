//! Makes the table of a pattern, breadth first from the goal.
//!
//! For each node of the graph it keeps a bit for every way to lay the tiles out on the node's set of cells. A move leads
//! from node to node for all layouts alike: where the tile passes no other tile of the pattern in reading order the whole
//! row of bits goes over as it is, else each bit goes where a table of permutations says.

use super::Pattern;
use super::graph::Graph;
use super::packing::packed;
use crate::discard;
use crate::ones::ones;
use crate::room::{self, NoRoom, Unfinished};

/// Words of bits that go by between two questions whether to go on.
const WORDS_PER_QUESTION: usize = 1 << 14;

/// The distances of all placements, packed as the table has them.
pub fn entries(
    pattern: &Pattern,
    watch: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<u8>, Unfinished> {
    // What is largest is asked for first: if it cannot be had nobody has waited.
    let distances = room::zeroed(pattern.placements())?;
    let graph = Graph::new(pattern, watch)?;
    let mut levels = Levels::new(&graph, distances)?;
    let end = levels
        .search(&graph, watch)
        .and_then(|()| packed(pattern, &graph.sets, &levels.distances, watch));
    let bytes = levels.bytes();
    discard::in_background(levels, bytes);
    end
}

/// How far a search has come.
struct Levels {
    /// One more than the moves to every placement, whatever part of the board the blank is in.
    distances: Vec<u8>,
    /// The placements that have a distance.
    known: Vec<u64>,
    /// By node: the layouts of all levels, of this one and of the next.
    visited: Vec<u64>,
    front: Vec<u64>,
    next: Vec<u64>,
}

impl Levels {
    fn new(graph: &Graph, distances: Vec<u8>) -> Result<Self, NoRoom> {
        let words = graph.words * (graph.nodes.len() - 1);
        Ok(Self {
            distances,
            known: room::zeroed(graph.sets.len() * graph.words)?,
            visited: room::zeroed(words)?,
            front: room::zeroed(words)?,
            next: room::zeroed(words)?,
        })
    }

    fn bytes(&self) -> u64 {
        let words = self.known.len() + 3 * self.visited.len();
        (self.distances.len() + words * size_of::<u64>()) as u64
    }

    /// Finds the distances, level by level.
    fn search(
        &mut self,
        graph: &Graph,
        watch: &dyn Fn(usize, usize) -> bool,
    ) -> Result<(), Unfinished> {
        let Self {
            distances,
            known,
            visited,
            front,
            next,
        } = self;
        let (words, count) = (graph.words, graph.nodes.len() - 1);
        let all = graph.pattern.placements();
        let mut is_active = vec![false; count];
        let mut is_active_next = vec![false; count];
        let (goal, layout) = graph.goal();
        front[goal * words + layout / 64] = 1 << (layout % 64);
        is_active[goal] = true;
        let mut done = 0;
        let mut since_question = 0;
        for level in 0..u8::MAX {
            let mut is_anything_new = false;
            for (node, is_active) in is_active.iter_mut().enumerate() {
                if !std::mem::take(is_active) {
                    continue;
                }
                since_question += words * 8;
                if since_question >= WORDS_PER_QUESTION {
                    since_question = 0;
                    if !watch(done, all) {
                        return Err(Unfinished::Stopped);
                    }
                }
                let row = node * words..(node + 1) * words;
                let new = &mut front[row.clone()];
                let mut is_new = false;
                for (new, visited) in new.iter_mut().zip(&mut visited[row]) {
                    *new &= !*visited;
                    *visited |= *new;
                    is_new |= *new != 0;
                }
                if !is_new {
                    continue;
                }
                is_anything_new = true;
                let set = graph.nodes[node].set as usize;
                let known = &mut known[set * words..(set + 1) * words];
                for (index, (known, &new)) in known.iter_mut().zip(new.iter()).enumerate() {
                    let first = new & !*known;
                    *known |= first;
                    done += first.count_ones() as usize;
                    for bit in ones(first) {
                        distances[set * graph.layouts + 64 * index + bit] = level + 1;
                    }
                }
                let edges = graph.nodes[node].first_edge as usize
                    ..graph.nodes[node + 1].first_edge as usize;
                for edge in &graph.edges[edges] {
                    let target = edge.target as usize;
                    is_active_next[target] = true;
                    let there = &mut next[target * words..(target + 1) * words];
                    match edge.passing {
                        None => there
                            .iter_mut()
                            .zip(new.iter())
                            .for_each(|(there, &new)| *there |= new),
                        Some(passing) => pass(&graph.passings[usize::from(passing)], new, there),
                    }
                }
                new.fill(0);
            }
            if !is_anything_new {
                break;
            }
            std::mem::swap(front, next);
            std::mem::swap(&mut is_active, &mut is_active_next);
        }
        watch(done, all);
        Ok(())
    }
}

/// Moves every bit of a row to where the passing takes its layout.
#[inline]
fn pass(passing: &[u16], row: &[u64], there: &mut [u64]) {
    for (index, &word) in row.iter().enumerate() {
        for bit in ones(word) {
            let layout = usize::from(passing[64 * index + bit]);
            there[layout / 64] |= 1 << (layout % 64);
        }
    }
}
