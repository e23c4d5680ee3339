//! The abstract graph of a pattern. Its nodes are the sets of cells on which the tiles can lie, each with the part of the
//! rest of the board that the blank can reach; its edges are the moves, for all ways to lay the tiles out on the set.

use super::layouts::{Cells, factorial, passing, placement, set_number};
use super::{Pattern, Watch};
use crate::bits::{combinations, iter_ones};
use crate::try_alloc::{self, BuildError};

/// A set of cells, and one part of the rest.
pub struct Node {
    /// The number of the set.
    pub set: u32,
    /// Its first edge; the next node's is the first that is not.
    pub first_edge: u32,
}

/// Where a move leads.
pub struct Edge {
    /// The node.
    pub target: u32,
    /// Which of the tables of permutations; none where nothing is passed.
    pub passing: Option<u16>,
}

/// The graph of one pattern.
pub struct Graph<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Layouts of the tiles on a set.
    pub layouts: usize,
    /// Words of bits for them.
    pub words: usize,
    /// All nodes in the order of their sets, and one more behind the last, where its edges end.
    pub nodes: Vec<Node>,
    /// All edges, in the order of their nodes.
    pub edges: Vec<Edge>,
    /// By [`Edge::passing`]: the layout that every layout becomes.
    pub passings: Vec<Vec<u16>>,
    /// The sets, by their numbers.
    pub sets: Vec<Cells>,
}

/// The part of a board without the cells of `set` that holds this cell.
pub fn part_of(near: &[Cells], set: Cells, cell: usize) -> Cells {
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

impl<'a> Graph<'a> {
    /// Makes the graph.
    pub fn new(pattern: &'a Pattern, watch: &Watch<'_>) -> Result<Self, BuildError> {
        let cells = pattern.cell_count();
        let tiles = pattern.homes.len();
        let layouts = factorial(tiles);
        let near = pattern.near();
        let mut sets: Vec<Cells> = Vec::new();
        for set in combinations(cells as u32, tiles as u32) {
            try_alloc::push(&mut sets, set)?;
        }
        // The parts of every set, and the number of the first.
        let mut parts: Vec<Cells> = Vec::new();
        let mut first_part = Vec::with_capacity(sets.len() + 1);
        for (number, &set) in sets.iter().enumerate() {
            if number % 1024 == 0 && !watch(0, pattern.placements()) {
                return Err(BuildError::Stopped);
            }
            first_part.push(parts.len());
            let mut rest = (1 << cells) - 1 & !set;
            while rest != 0 {
                let part = part_of(&near, set, rest.trailing_zeros() as usize);
                try_alloc::push(&mut parts, part)?;
                rest &= !part;
            }
        }
        first_part.push(parts.len());
        let mut graph = Self {
            pattern,
            layouts,
            words: layouts.div_ceil(64),
            nodes: Vec::new(),
            edges: Vec::new(),
            passings: Vec::new(),
            sets: Vec::new(),
        };
        let mut known_passings = vec![None; tiles * tiles];
        for (number, &set) in sets.iter().enumerate() {
            if number % 1024 == 0 && !watch(0, pattern.placements()) {
                return Err(BuildError::Stopped);
            }
            for &part in &parts[first_part[number]..first_part[number + 1]] {
                let node = Node {
                    set: number as u32,
                    first_edge: graph.edges.len() as u32,
                };
                try_alloc::push(&mut graph.nodes, node)?;
                for from in iter_ones(set) {
                    for to in iter_ones(near[from] & part) {
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
                                graph.passings.push(passing(tiles, place, new_place));
                                (graph.passings.len() - 1) as u16
                            })
                        });
                        let moved = set ^ 1 << from ^ 1 << to;
                        let moved_number = set_number(moved);
                        let candidates = first_part[moved_number]..first_part[moved_number + 1];
                        let target = candidates
                            .into_iter()
                            .find(|&candidate| parts[candidate] >> from & 1 == 1)
                            .unwrap_or(0);
                        let edge = Edge {
                            target: target as u32,
                            passing,
                        };
                        try_alloc::push(&mut graph.edges, edge)?;
                    }
                }
            }
        }
        let end = Node {
            set: sets.len() as u32,
            first_edge: graph.edges.len() as u32,
        };
        try_alloc::push(&mut graph.nodes, end)?;
        graph.sets = sets;
        Ok(graph)
    }

    /// How many nodes there are, and words of bits for the layouts of each.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len() - 1, self.words)
    }

    /// The moves from a node.
    #[inline]
    pub fn edges_of(&self, node: usize) -> &[Edge] {
        let first = |node: usize| self.nodes[node].first_edge as usize;
        &self.edges[first(node)..first(node + 1)]
    }

    /// The node and the layout of the goal.
    pub fn goal(&self) -> (usize, usize) {
        let set = self.pattern.home_set();
        let near = self.pattern.near();
        // The parts of a set follow one another in the order of their first cells.
        let number = set_number(set);
        let first = self
            .nodes
            .partition_point(|node| (node.set as usize) < number);
        let mut rest = (1 << self.pattern.cell_count()) - 1 & !set;
        let mut node = first;
        while rest != 0 {
            let part = part_of(&near, set, rest.trailing_zeros() as usize);
            if part >> self.pattern.blank & 1 == 1 {
                break;
            }
            rest &= !part;
            node += 1;
        }
        (node, placement(&self.pattern.homes).1)
    }
}
