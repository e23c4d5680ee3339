//! The abstract graph of a pattern.
//!
//! A node is a set of cells for the tiles, together with a region of the other cells within which the blank can
//! move. An edge is a move of a tile. It applies to all layouts of the tiles on the set.

use super::layouts::{Cells, factorial, layout_permutation, placement, set_rank};
use super::{Pattern, Watch};
use crate::bits::{combinations, iter_ones};
use crate::try_alloc::{self, BuildError};

/// A set of cells and a region of the other cells.
pub(super) struct Node {
    /// The rank of the set.
    pub set: u32,
    /// The index of the node's first edge. Its edges end at the next node's first edge.
    pub(crate) first_edge: u32,
}

/// A move of a tile.
pub(crate) struct Edge {
    /// The node after the move.
    pub target: u32,
    /// The index in [`Graph::permutations`], or `None` if the tile passes no other tile, which keeps the layout.
    pub(crate) permutation: Option<u16>,
}

/// The graph of one pattern.
pub(crate) struct Graph<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Number of layouts of the tiles on a set.
    pub(crate) layouts: usize,
    /// Number of 64-bit words with one bit per layout.
    pub words: usize,
    /// All nodes in the order of their sets, then a sentinel that ends the last node's edges.
    pub nodes: Vec<Node>,
    /// All edges, in the order of their nodes.
    pub edges: Vec<Edge>,
    /// By [`Edge::permutation`]: the new rank of every layout.
    pub(crate) permutations: Vec<Vec<u16>>,
    /// All sets, by rank.
    pub sets: Vec<Cells>,
}

/// Returns the connected region of the cells outside `set` that contains `cell`.
pub(crate) fn connected_region(neighbors: &[Cells], set: Cells, cell: usize) -> Cells {
    let mut region: Cells = 1 << cell;
    let mut frontier = region;
    while frontier != 0 {
        let mut reached = 0;
        while frontier != 0 {
            reached |= neighbors[frontier.trailing_zeros() as usize];
            frontier &= frontier - 1;
        }
        frontier = reached & !set & !region;
        region |= frontier;
    }
    region
}

impl<'a> Graph<'a> {
    /// Builds the graph.
    ///
    /// # Errors
    /// [`BuildError`] if `watch` returns `false` or an allocation fails.
    pub(super) fn new(pattern: &'a Pattern, watch: &Watch<'_>) -> Result<Self, BuildError> {
        let cells = pattern.cell_count();
        let tiles = pattern.homes.len();
        let layouts = factorial(tiles);
        let neighbors = pattern.neighbor_sets();
        let mut sets: Vec<Cells> = Vec::new();
        for set in combinations(cells as u32, tiles as u32) {
            try_alloc::push(&mut sets, set)?;
        }
        // The regions of every set, and the index of each set's first region.
        let mut regions: Vec<Cells> = Vec::new();
        let mut first_region = Vec::with_capacity(sets.len() + 1);
        for (index, &set) in sets.iter().enumerate() {
            if index % 1024 == 0 && !watch(0, pattern.placements()) {
                return Err(BuildError::Stopped);
            }
            first_region.push(regions.len());
            let mut rest = (1 << cells) - 1 & !set;
            while rest != 0 {
                let region = connected_region(&neighbors, set, rest.trailing_zeros() as usize);
                try_alloc::push(&mut regions, region)?;
                rest &= !region;
            }
        }
        first_region.push(regions.len());
        let mut graph = Self {
            pattern,
            layouts,
            words: layouts.div_ceil(64),
            nodes: Vec::new(),
            edges: Vec::new(),
            permutations: Vec::new(),
            sets: Vec::new(),
        };
        let mut known_permutations = vec![None; tiles * tiles];
        for (index, &set) in sets.iter().enumerate() {
            if index % 1024 == 0 && !watch(0, pattern.placements()) {
                return Err(BuildError::Stopped);
            }
            for &region in &regions[first_region[index]..first_region[index + 1]] {
                let node = Node {
                    set: index as u32,
                    first_edge: graph.edges.len() as u32,
                };
                try_alloc::push(&mut graph.nodes, node)?;
                for from in iter_ones(set) {
                    for to in iter_ones(neighbors[from] & region) {
                        let (low, high) = (from.min(to), from.max(to));
                        let passed_tiles =
                            (set & ((1 << high) - 1) & !((2 << low) - 1)).count_ones() as usize;
                        let rank = (set & ((1 << from) - 1)).count_ones() as usize;
                        let new_rank = if to > from {
                            rank + passed_tiles
                        } else {
                            rank - passed_tiles
                        };
                        let permutation = (passed_tiles > 0).then(|| {
                            *known_permutations[rank * tiles + new_rank].get_or_insert_with(|| {
                                graph
                                    .permutations
                                    .push(layout_permutation(tiles, rank, new_rank));
                                (graph.permutations.len() - 1) as u16
                            })
                        });
                        let new_set = set ^ 1 << from ^ 1 << to;
                        let new_set_index = set_rank(new_set);
                        let candidates =
                            first_region[new_set_index]..first_region[new_set_index + 1];
                        let target = candidates
                            .into_iter()
                            .find(|&candidate| regions[candidate] >> from & 1 == 1)
                            .unwrap_or(0);
                        let edge = Edge {
                            target: target as u32,
                            permutation,
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

    /// Returns the number of nodes, and the number of words for the layouts of each node.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.nodes.len() - 1, self.words)
    }

    /// Returns the edges of a node.
    #[inline]
    pub(crate) fn edges_of(&self, node: usize) -> &[Edge] {
        let first = |node: usize| self.nodes[node].first_edge as usize;
        &self.edges[first(node)..first(node + 1)]
    }

    /// Returns the node and the layout of the goal.
    pub(super) fn goal(&self) -> (usize, usize) {
        let set = self.pattern.home_set();
        let neighbors = self.pattern.neighbor_sets();
        // The regions of a set are in the order of their first cells.
        let index = set_rank(set);
        let first = self
            .nodes
            .partition_point(|node| (node.set as usize) < index);
        let mut rest = (1 << self.pattern.cell_count()) - 1 & !set;
        let mut node = first;
        while rest != 0 {
            let region = connected_region(&neighbors, set, rest.trailing_zeros() as usize);
            if region >> self.pattern.blank & 1 == 1 {
                break;
            }
            rest &= !region;
            node += 1;
        }
        (node, placement(&self.pattern.homes).1)
    }
}
