//! Makes the table of a pattern, breadth first from the goal.
//!
//! For each node of the graph it keeps a bit for every way to lay the tiles out on the node's set of cells. A move leads
//! from node to node for all layouts alike: where the tile passes no other tile of the pattern in reading order the whole
//! row of bits goes over as it is, else each bit goes where a table of permutations says.

use super::Pattern;
use super::graph::Graph;
use super::packing::{UNKNOWN, packed};
use crate::discard;
use crate::processor;
use crate::room::{self, NoRoom, Unfinished};

/// Words of bits that go by between two questions whether to go on.
const WORDS_PER_QUESTION: usize = 1 << 14;
/// So many nodes later is asked for what a node needs: what lies where its moves lead, and its distances.
const AHEAD: usize = 2;

/// The distances of all placements, packed as the table has them.
pub fn entries(
    pattern: &Pattern,
    watch: &dyn Fn(usize, usize) -> bool,
) -> Result<Vec<u8>, Unfinished> {
    // What is largest is asked for first: if it cannot be had nobody has waited.
    let distances = room::zeroed_in_huge_pages(pattern.placements())?;
    let graph = Graph::new(pattern, watch)?;
    let mut levels = Levels::new(&graph, distances)?;
    let end = processor::run(
        #[inline(always)]
        || {
            levels.search(&graph, watch)?;
            packed(pattern, &graph.sets, &levels.distances, watch)
        },
    );
    let bytes = levels.bytes();
    discard::in_background(levels, bytes);
    end
}

/// How far a search has come.
struct Levels {
    /// One more than the moves to every placement, whatever part of the board the blank is in.
    distances: Vec<u8>,
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
            visited: room::zeroed_in_huge_pages(words)?,
            front: room::zeroed_in_huge_pages(words)?,
            next: room::zeroed_in_huge_pages(words)?,
        })
    }

    fn bytes(&self) -> u64 {
        (self.distances.len() + 3 * self.visited.len() * size_of::<u64>()) as u64
    }

    /// Finds the distances, level by level.
    #[inline(always)]
    fn search(
        &mut self,
        graph: &Graph,
        watch: &dyn Fn(usize, usize) -> bool,
    ) -> Result<(), Unfinished> {
        let Self {
            distances,
            visited,
            front,
            next,
        } = self;
        let (words, count) = (graph.words, graph.nodes.len() - 1);
        let all = graph.pattern.placements();
        let mut active: Vec<usize> = Vec::new();
        room::reserve(&mut active, count)?;
        let mut is_active_next: Vec<bool> = room::zeroed(count)?;
        let (goal, layout) = graph.goal();
        front[goal * words + layout / 64] = 1 << (layout % 64);
        is_active_next[goal] = true;
        let mut done = 0;
        let mut since_question = 0;
        let mut list = List::new(words);
        for level in 0..u8::MAX {
            active.clear();
            let is_active = is_active_next.iter_mut().enumerate();
            active.extend(is_active.filter_map(|(node, is)| std::mem::take(is).then_some(node)));
            let mut is_anything_new = false;
            for (index, &node) in active.iter().enumerate() {
                since_question += words * 8;
                if since_question >= WORDS_PER_QUESTION {
                    since_question = 0;
                    if !watch(done, all) {
                        return Err(Unfinished::Stopped);
                    }
                }
                if let Some(&later) = active.get(index + AHEAD) {
                    let of_set = graph.nodes[later].set as usize * graph.layouts;
                    processor::fetch_all(&distances[of_set..of_set + graph.layouts]);
                    for edge in graph.edges_of(later) {
                        let there = edge.target as usize * words;
                        processor::fetch_all(&next[there..there + words]);
                    }
                }
                let row = node * words..(node + 1) * words;
                let new = &mut front[row.clone()];
                for (new, visited) in new.iter_mut().zip(&mut visited[row]) {
                    *new &= !*visited;
                    *visited |= *new;
                }
                let layouts = list.of(new);
                if layouts.is_empty() {
                    continue;
                }
                is_anything_new = true;
                let set = graph.nodes[node].set as usize;
                let distances = &mut distances[set * graph.layouts..(set + 1) * graph.layouts];
                for &layout in layouts {
                    // Another part of the board may have been there before.
                    let distance = &mut distances[usize::from(layout)];
                    if *distance == UNKNOWN {
                        *distance = level + 1;
                        done += 1;
                    }
                }
                for edge in graph.edges_of(node) {
                    let target = edge.target as usize;
                    is_active_next[target] = true;
                    let there = &mut next[target * words..(target + 1) * words];
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
            if !is_anything_new {
                break;
            }
            std::mem::swap(front, next);
        }
        watch(done, all);
        Ok(())
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
