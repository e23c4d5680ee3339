//! Makes the table of a pattern, breadth first from the goal.
//!
//! The states are sets of cells on which the pattern's tiles lie, with the part of the rest of the board that the blank
//! can reach; for each of these nodes a bit for every way to lay the tiles out on the set. A move leads from node to node
//! for all layouts alike: where the tile passes no other tile of the pattern in reading order the whole row of bits goes
//! over as it is, else each bit goes where a table of permutations says.

use super::layouts::{Cells, factorial, layout, ones, passing, set_number, sets_of};
use super::packing::packed;
use super::{Interrupted, Pattern};
use crate::tables::pages::Pages;

/// Stands for a placement that no level has reached. The others have their distance and one more, so that the memory can
/// come zeroed from the system, page by page as it is used, and a search that is stopped early has not waited for it.
pub const UNKNOWN: u8 = 0;
/// Words of bits that go by between two questions whether to go on.
const WORDS_PER_QUESTION: usize = 1 << 14;

/// A set of cells, and one part of the rest.
struct Node {
    set: u32,
    first_edge: u32,
}

/// Where a move leads.
struct Edge {
    target: u32,
    /// Which of the tables of permutations; none where nothing is passed.
    passing: Option<u16>,
}

/// The search for one pattern.
struct Breadth<'a> {
    pattern: &'a Pattern,
    /// Layouts of the tiles on a set.
    layouts: usize,
    /// Words of bits for them.
    words: usize,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// By [`Edge::passing`]: the layout that every layout becomes.
    passings: Vec<Vec<u16>>,
    sets: Vec<Cells>,
}

/// The distances of all placements, packed as the table has them.
pub fn entries(
    pattern: &Pattern,
    watch: &dyn Fn(usize, usize) -> bool,
) -> Result<Pages, Interrupted> {
    let breadth = Breadth::new(pattern, watch)?;
    let distances = breadth.distances(watch)?;
    packed(pattern, &breadth.sets, &distances, watch)
}

/// The parts of a board without the cells of `set`, by the first cell of each.
fn part_of(near: &[Cells], set: Cells, cell: usize) -> Cells {
    let mut part: Cells = 1 << cell;
    let mut edge = part;
    while edge != 0 {
        let mut reached = 0;
        while edge != 0 {
            reached |= near[edge.trailing_zeros() as usize];
            edge &= edge - 1;
        }
        edge = reached & !set & !part;
        part |= edge;
    }
    part
}

impl<'a> Breadth<'a> {
    fn new(
        pattern: &'a Pattern,
        watch: &dyn Fn(usize, usize) -> bool,
    ) -> Result<Self, Interrupted> {
        let cells = pattern.cell_count();
        let tiles = pattern.homes.len();
        let layouts = factorial(tiles);
        let near: Vec<Cells> = (0..cells)
            .map(|cell| {
                (0..cells)
                    .filter(|&other| pattern.distance(cell, other) == 1)
                    .fold(0, |set, other| set | 1 << other)
            })
            .collect();
        let sets = sets_of(cells, tiles);
        // The parts of every set, and the number of the first.
        let mut parts: Vec<Cells> = Vec::new();
        let mut first_part = Vec::with_capacity(sets.len() + 1);
        for (number, &set) in sets.iter().enumerate() {
            if number % 1024 == 0 && !watch(0, pattern.placements()) {
                return Err(Interrupted);
            }
            first_part.push(parts.len());
            let mut rest = (1 << cells) - 1 & !set;
            while rest != 0 {
                let part = part_of(&near, set, rest.trailing_zeros() as usize);
                parts.push(part);
                rest &= !part;
            }
        }
        first_part.push(parts.len());
        let mut breadth = Self {
            pattern,
            layouts,
            words: layouts.div_ceil(64),
            nodes: Vec::with_capacity(parts.len() + 1),
            edges: Vec::new(),
            passings: Vec::new(),
            sets: Vec::new(),
        };
        let mut known_passings = vec![None; tiles * tiles];
        for (number, &set) in sets.iter().enumerate() {
            if number % 1024 == 0 && !watch(0, pattern.placements()) {
                return Err(Interrupted);
            }
            for &part in &parts[first_part[number]..first_part[number + 1]] {
                breadth.nodes.push(Node {
                    set: number as u32,
                    first_edge: breadth.edges.len() as u32,
                });
                for from in ones(set) {
                    for to in ones(near[from] & part) {
                        let (low, high) = (from.min(to), from.max(to));
                        let passed =
                            (set & ((1 << high) - 1) & !((2 << low) - 1)).count_ones() as usize;
                        let place = (set & ((1 << from) - 1)).count_ones() as usize;
                        let new_place = if to > from {
                            place + passed
                        } else {
                            place - passed
                        };
                        let passing = (passed > 0).then(|| {
                            *known_passings[place * tiles + new_place].get_or_insert_with(|| {
                                breadth.passings.push(passing(tiles, place, new_place));
                                (breadth.passings.len() - 1) as u16
                            })
                        });
                        let moved = set ^ 1 << from ^ 1 << to;
                        let moved_number = set_number(moved);
                        let candidates = first_part[moved_number]..first_part[moved_number + 1];
                        let target = candidates
                            .into_iter()
                            .find(|&candidate| parts[candidate] >> from & 1 == 1)
                            .unwrap_or(0);
                        breadth.edges.push(Edge {
                            target: target as u32,
                            passing,
                        });
                    }
                }
            }
        }
        breadth.nodes.push(Node {
            set: 0,
            first_edge: breadth.edges.len() as u32,
        });
        breadth.sets = sets;
        Ok(breadth)
    }

    /// The node and the layout of the goal.
    fn goal(&self) -> (usize, usize) {
        let set = self
            .pattern
            .homes
            .iter()
            .fold(0, |set: Cells, &home| set | 1 << home);
        let near: Vec<Cells> = (0..self.pattern.cell_count())
            .map(|cell| {
                let is_near = |&other: &usize| self.pattern.distance(cell, other) == 1;
                (0..self.pattern.cell_count())
                    .filter(is_near)
                    .fold(0, |set, other| set | 1 << other)
            })
            .collect();
        // The parts of a set follow one another in the order of their first cells.
        let number = set_number(set);
        let first = self
            .nodes
            .partition_point(|node| (node.set as usize) < number);
        let mut rest = (1 << self.pattern.cell_count()) - 1 & !set;
        let mut node = first.min(self.nodes.len());
        while rest != 0 {
            let part = part_of(&near, set, rest.trailing_zeros() as usize);
            if part >> self.pattern.blank & 1 == 1 {
                break;
            }
            rest &= !part;
            node += 1;
        }
        (node, layout(&self.pattern.homes))
    }

    /// One more than the moves to every placement, whatever part of the board the blank is in.
    fn distances(&self, watch: &dyn Fn(usize, usize) -> bool) -> Result<Vec<u8>, Interrupted> {
        let (words, count) = (self.words, self.nodes.len() - 1);
        let all = self.pattern.placements();
        let mut distances = vec![UNKNOWN; all];
        let mut known = vec![0u64; self.sets.len() * words];
        let mut visited = vec![0u64; count * words];
        let mut front = vec![0u64; count * words];
        let mut next = vec![0u64; count * words];
        let mut is_active = vec![false; count];
        let mut is_active_next = vec![false; count];
        let (goal, layout) = self.goal();
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
                        return Err(Interrupted);
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
                let set = self.nodes[node].set as usize;
                let known = &mut known[set * words..(set + 1) * words];
                for (index, (known, &new)) in known.iter_mut().zip(new.iter()).enumerate() {
                    let first = new & !*known;
                    *known |= first;
                    done += first.count_ones() as usize;
                    for bit in ones(first) {
                        distances[set * self.layouts + 64 * index + bit] = level + 1;
                    }
                }
                let edges =
                    self.nodes[node].first_edge as usize..self.nodes[node + 1].first_edge as usize;
                for edge in &self.edges[edges] {
                    let target = edge.target as usize;
                    is_active_next[target] = true;
                    let there = &mut next[target * words..(target + 1) * words];
                    match edge.passing {
                        None => there
                            .iter_mut()
                            .zip(new.iter())
                            .for_each(|(there, &new)| *there |= new),
                        Some(passing) => pass(&self.passings[usize::from(passing)], new, there),
                    }
                }
                new.fill(0);
            }
            if !is_anything_new {
                break;
            }
            std::mem::swap(&mut front, &mut next);
            std::mem::swap(&mut is_active, &mut is_active_next);
        }
        watch(done, all);
        Ok(distances)
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
