//! The graph for building a pattern's table.
//!
//! A node consists of a set and a region. The set is the cells of the pattern's tiles. The region is a connected part
//! of the other cells, in which the blank moves without moving a tile of the pattern. A node does not specify the
//! layout, the order of the tiles on the set. An edge is a move of a tile to an adjacent cell of the region, for every
//! layout.

use super::layouts::{Cells, factorial, layout_permutation, placement, set_rank};
use super::{OnProgress, Pattern};
use crate::bits::{combinations, iter_ones};
use crate::try_alloc::{self, BuildError};

/// A set and a region.
pub(super) struct Node {
    /// The rank of the set.
    pub set: u32,
    /// The index of the node's first edge. Its edges end before the next node's first edge.
    pub(crate) first_edge: u32,
}

/// A move of a tile.
pub(crate) struct Edge {
    /// The index of the node after the move.
    pub target: u32,
    /// The index of the effect on the layout in [`Graph::permutations`]. `None` if the layout does not change, because
    /// the moved tile passes no other tile of the pattern in reading order.
    pub(crate) permutation: Option<u16>,
}

/// The graph of one pattern.
pub(crate) struct Graph<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Number of layouts for each set.
    pub(crate) layouts: usize,
    /// Number of 64-bit words for one bit per layout.
    pub words: usize,
    /// All nodes in the order of their sets, with a sentinel at the end.
    pub nodes: Vec<Node>,
    /// All edges, in the order of their nodes.
    pub edges: Vec<Edge>,
    /// For each [`Edge::permutation`] and layout, the rank of the layout after the move.
    pub(crate) permutations: Vec<Vec<u16>>,
    /// All sets, by rank.
    pub sets: Vec<Cells>,
}

/// Returns the connected region outside `set` that contains `cell`. `neighbors` contains the adjacent cells of every
/// cell.
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
    /// [`BuildError`] if `on_progress` returns `false` or an allocation fails.
    pub(super) fn new(
        pattern: &'a Pattern,
        on_progress: &OnProgress<'_>,
    ) -> Result<Self, BuildError> {
        let cells = pattern.cell_count();
        let tiles = pattern.home_cells.len();
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
            if index % 1024 == 0 && !on_progress(0, pattern.placements()) {
                return Err(BuildError::Stopped);
            }
            first_region.push(regions.len());
            let mut remaining = (1 << cells) - 1 & !set;
            while remaining != 0 {
                let region = connected_region(&neighbors, set, remaining.trailing_zeros() as usize);
                try_alloc::push(&mut regions, region)?;
                remaining &= !region;
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
        // The index of the permutation, by the moved tile's places before and after the move.
        let mut known_permutations = vec![None; tiles * tiles];
        for (index, &set) in sets.iter().enumerate() {
            if index % 1024 == 0 && !on_progress(0, pattern.placements()) {
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
                        // The tile's place among the cells of the set before and after the move.
                        let old_place = (set & ((1 << from) - 1)).count_ones() as usize;
                        let new_place = if to > from {
                            old_place + passed_tiles
                        } else {
                            old_place - passed_tiles
                        };
                        let permutation = (passed_tiles > 0).then(|| {
                            *known_permutations[old_place * tiles + new_place].get_or_insert_with(
                                || {
                                    graph
                                        .permutations
                                        .push(layout_permutation(tiles, old_place, new_place));
                                    (graph.permutations.len() - 1) as u16
                                },
                            )
                        });
                        let new_set = set ^ 1 << from ^ 1 << to;
                        let new_set_index = set_rank(new_set);
                        // After the move, the blank is on the tile's origin cell.
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
        let sentinel = Node {
            set: sets.len() as u32,
            first_edge: graph.edges.len() as u32,
        };
        try_alloc::push(&mut graph.nodes, sentinel)?;
        graph.sets = sets;
        Ok(graph)
    }

    /// Returns the number of nodes, and the number of 64-bit words for one bit per layout.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.nodes.len() - 1, self.words)
    }

    /// Returns the edges of a node.
    #[inline]
    pub(crate) fn edges_of(&self, node: usize) -> &[Edge] {
        let first = |node: usize| self.nodes[node].first_edge as usize;
        &self.edges[first(node)..first(node + 1)]
    }

    /// Returns the index of the goal's node and the rank of the goal's layout.
    pub(super) fn goal(&self) -> (usize, usize) {
        let set = self.pattern.home_set();
        let neighbors = self.pattern.neighbor_sets();
        // The regions of a set are in the order of their first cells.
        let index = set_rank(set);
        let first = self
            .nodes
            .partition_point(|node| (node.set as usize) < index);
        let mut remaining = (1 << self.pattern.cell_count()) - 1 & !set;
        let mut node = first;
        while remaining != 0 {
            let region = connected_region(&neighbors, set, remaining.trailing_zeros() as usize);
            if region >> self.pattern.blank & 1 == 1 {
                break;
            }
            remaining &= !region;
            node += 1;
        }
        (node, placement(&self.pattern.home_cells).1)
    }
}
