//! Nodes of the search. A child is stored as its difference from its parent until it is expanded.
//!
//! Estimates are in *pairs of moves in addition to the Manhattan distance*, like table entries. If the Manhattan
//! distance is `m` and the estimate `e`, the goal is at least `m + 2e` moves away.
//!
//! The *slack* of a node is the maximum estimate within the bound of the iteration: `(bound - depth - m) / 2`. A move
//! toward home does not change the slack; a move away from home decreases it by 1.

use std::ops::Range;

use super::super::automaton::Automaton;
use super::super::databases::{Group, cells_of_tiles};
use super::super::{Direction, Position, Tiles};
use super::line_heuristic::LineHeuristic;
use super::views::{SetRanker, View};
use crate::processor;

/// A node on the current path of a search.
///
/// `CELLS` is the maximum number of cells, `GROUPS` the maximum number of groups per view, and `VIEWS` the number of
/// views.
#[derive(Clone, Copy)]
pub(super) struct Node<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    /// The tile on each cell, 0 for the blank.
    board: [u8; CELLS],
    /// The set of cells for the lookup of each group, by view and group, as bits.
    sets: [[u32; GROUPS]; VIEWS],
    /// The rank of the layout on this set, by view and group.
    layouts: [[u16; GROUPS]; VIEWS],
    /// The table entry, by view and group.
    entries: [[u8; GROUPS]; VIEWS],
    /// The sum of the entries of each view's groups.
    sums: [u8; VIEWS],
    /// The estimate of the line heuristic, or 0 without it.
    line_estimate: u8,
    /// The slack, defined in the module documentation. Negative if the Manhattan distance alone exceeds the bound.
    slack: i16,
    /// The index of the automaton's state.
    pub state: u32,
}

/// A child of a node, stored as its difference from the node.
///
/// A move moves one tile, which belongs to one group of each view. The fields by view refer to this group.
#[derive(Clone, Copy)]
pub(super) struct Child<const VIEWS: usize> {
    /// The set of the group after the move, by view.
    sets: [u32; VIEWS],
    /// The rank of the group's layout after the move, by view.
    layouts: [u16; VIEWS],
    /// The index of the group's entry after the move, by view.
    entry_indices: [u32; VIEWS],
    state: u32,
    slack: i16,
    /// The tile that moves.
    tile: u8,
    /// The cell that the tile leaves.
    from: u8,
    /// The cell that the tile enters.
    to: u8,
    /// The depth of the child below the root of the subtree, in moves.
    pub level: u8,
    /// The direction in which the blank moves.
    direction: Direction,
    line_estimate: u8,
    /// The sum of the entries of all groups, by view.
    sums: [u8; VIEWS],
    /// The group's entry after the move, by view.
    entries: [u8; VIEWS],
}

/// The allowed moves.
pub(super) struct Moves<'t> {
    pub(crate) automaton: &'t Automaton,
    /// The set of tiles that a move takes farther from home, by the blank's cell and direction. Bit `t` represents
    /// tile `t`.
    moving_away: Vec<u64>,
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> Node<CELLS, GROUPS, VIEWS> {
    /// Creates the node of the start position, with slack 0: the bound is the Manhattan distance.
    pub(super) fn new(
        tiles: &Tiles,
        views: [&[Group]; VIEWS],
        line_heuristic: Option<&LineHeuristic>,
        start: &Position,
    ) -> Self {
        let mut node = Self {
            board: [0; CELLS],
            sets: [[0; GROUPS]; VIEWS],
            layouts: [[0; GROUPS]; VIEWS],
            entries: [[0; GROUPS]; VIEWS],
            sums: [0; VIEWS],
            line_estimate: 0,
            slack: 0,
            state: start.blank.into(),
        };
        let cell_of = cells_of_tiles(tiles, start);
        let count = tiles.cell_count();
        node.board[..count].copy_from_slice(&start.cells[..count]);
        node.line_estimate =
            line_heuristic.map_or(0, |line_heuristic| line_heuristic.estimate(&node.board));
        for (view, groups) in views.into_iter().enumerate() {
            for (index, group) in groups.iter().enumerate() {
                let (set, layout) = group.placement(&cell_of);
                let entry = group.entry(&cell_of) as u8;
                node.sets[view][index] = set as u32;
                node.layouts[view][index] = layout as u16;
                node.entries[view][index] = entry;
                node.sums[view] += entry;
            }
        }
        node
    }

    /// Returns the estimate, in pairs of moves in addition to the Manhattan distance: the maximum of the line
    /// estimate and the sums of all views.
    #[inline]
    pub(crate) fn largest_sum(&self) -> u8 {
        self.sums.into_iter().fold(self.line_estimate, u8::max)
    }

    /// Returns the node with the slack for a bound increased by `increase` pairs of moves.
    pub(crate) fn with_larger_bound(self, increase: i16) -> Self {
        Self {
            slack: self.slack + increase,
            ..self
        }
    }

    /// Returns `true` if the estimate is within the bound.
    #[inline]
    pub(crate) fn is_within_bound(&self) -> bool {
        i16::from(self.largest_sum()) <= self.slack
    }

    /// Appends the children in reverse order, so that the child of the first move is on top of the stack `children`.
    ///
    /// The children get the sums and the line estimate of this node. `update_line_estimate`, `locate_entry` and
    /// `read_entry` then update these values.
    #[inline(always)]
    pub(crate) fn expand(&self, moves: &Moves, level: u8, children: &mut Vec<Child<VIEWS>>) {
        let state = &moves.automaton.states[self.state as usize];
        let moving_away = &moves.moving_away[4 * usize::from(state.blank)..][..4];
        children.extend(state.steps().rev().map(|step| {
            processor::prefetch(&moves.automaton.states[step.next as usize]);
            let tile = self.board[usize::from(step.cell) % CELLS];
            let is_away = moving_away[step.direction as usize] >> (tile % 64) & 1;
            Child {
                sets: [0; VIEWS],
                layouts: [0; VIEWS],
                entry_indices: [0; VIEWS],
                state: step.next,
                slack: self.slack - is_away as i16,
                tile,
                from: step.cell,
                to: state.blank,
                level,
                direction: step.direction,
                line_estimate: self.line_estimate,
                sums: self.sums,
                entries: [0; VIEWS],
            }
        }));
    }

    /// Computes the line estimate of a child.
    #[inline(always)]
    pub(crate) fn update_line_estimate(
        &self,
        line_heuristic: &LineHeuristic,
        child: &mut Child<VIEWS>,
    ) {
        let change = line_heuristic.change(child.to, child.direction, child.tile);
        child.line_estimate = line_heuristic.estimate_after(
            self.line_estimate,
            &self.board,
            &change,
            (child.from, child.to),
        );
    }

    /// Computes the index of a child's new entry in a view, prefetches the entry, and subtracts the old entry from the
    /// child's sum. [`Child::read_entry`] adds the new entry.
    #[inline(always)]
    pub(crate) fn locate_entry(
        &self,
        (index, view): (usize, &View<CELLS>),
        ranker: &SetRanker,
        child: &mut Child<VIEWS>,
    ) {
        let change = view.change(&self.board, child.to, child.direction, child.tile);
        let tile_view = view.tile_view(child.tile);
        let group = usize::from(tile_view.group) % GROUPS;
        let set = self.sets[index][group] ^ change.set_change;
        let layout = self.layouts[index][group].wrapping_add_signed(change.layout_change);
        let entry_index = tile_view.entry_index(ranker, set, layout);
        processor::prefetch(&tile_view.table[(entry_index >> 1) as usize]);
        child.sets[index] = set;
        child.layouts[index] = layout;
        child.entry_indices[index] = entry_index;
        child.sums[index] -= self.entries[index][group];
    }

    /// Replaces the node with its child `child`.
    #[inline(always)]
    pub(crate) fn advance(&mut self, views: &[View<CELLS>; VIEWS], child: &Child<VIEWS>) {
        self.sums = child.sums;
        self.line_estimate = child.line_estimate;
        self.slack = child.slack;
        self.state = child.state;
        self.board[usize::from(child.from) % CELLS] = 0;
        self.board[usize::from(child.to) % CELLS] = child.tile;
        for (index, view) in views.iter().enumerate() {
            let group = usize::from(view.tile_view(child.tile).group) % GROUPS;
            self.sets[index][group] = child.sets[index];
            self.layouts[index][group] = child.layouts[index];
            self.entries[index][group] = child.entries[index];
        }
    }
}

impl<const VIEWS: usize> Child<VIEWS> {
    /// Reads the new entry of the child in a view and adds it to the sum of the view.
    #[inline(always)]
    pub(crate) fn read_entry<const CELLS: usize>(&mut self, (index, view): (usize, &View<CELLS>)) {
        let entry_index = self.entry_indices[index];
        let byte = view.tile_view(self.tile).table[(entry_index >> 1) as usize];
        let entry = byte >> (4 * (entry_index & 1)) & 15;
        self.entries[index] = entry;
        self.sums[index] += entry;
    }

    /// Returns the line estimate minus the slack, in pairs of moves: positive if the child exceeds the bound.
    #[inline(always)]
    pub(crate) fn line_excess(&self) -> i16 {
        i16::from(self.line_estimate) - self.slack
    }

    /// Returns the largest sum of the views `indices` minus the slack, in pairs of moves: positive if the child
    /// exceeds the bound.
    #[inline(always)]
    pub(crate) fn excess(&self, indices: Range<usize>) -> i16 {
        let sums = indices.map(|index| self.sums[index]);
        i16::from(sums.fold(0, u8::max)) - self.slack
    }
}

impl<'t> Moves<'t> {
    /// Creates the moves of `automaton` on this board.
    pub(super) fn new(tiles: &Tiles, automaton: &'t Automaton) -> Self {
        let mut moving_away = Vec::new();
        for blank in 0..tiles.cell_count() {
            for direction in Direction::ALL {
                // The element of an impossible move is never used.
                let cell = tiles.neighbor(blank, direction).unwrap_or(blank);
                moving_away.push(tiles.tiles_moving_away(cell, blank));
            }
        }
        Self {
            automaton,
            moving_away,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tiles::databases::Databases;
    use crate::games::tiles::partition;
    use crate::pathfinding::{EnginePuzzle, Heuristic};
    use crate::random::Random;
    use crate::rules::{Notation, Rules};

    /// Makes random moves and compares the incremental estimates with [`Databases::estimate`], which looks up all
    /// groups.
    fn compare_with_full_lookup<const CELLS: usize, const GROUPS: usize, const VIEWS: usize>(
        board: &str,
        sizes: &[&str],
    ) {
        let (tiles, mut position) = Tiles::new(2, 2).read_position(board).unwrap();
        let mut partitions = Vec::new();
        for sizes in sizes {
            partitions.extend(partition::of_sizes(&tiles, sizes).unwrap());
        }
        let databases = Databases::build(&tiles, &partitions, 1, &|_, _| true).unwrap();
        let automaton = Automaton::learn(&tiles, 4, &mut || Ok(())).unwrap();
        let moves = Moves::new(&tiles, &automaton);
        let ranker = SetRanker::new(tiles.cell_count());
        let views = databases
            .views::<VIEWS>()
            .map(|groups| View::<CELLS>::new(&tiles, groups));
        let mut node =
            Node::<CELLS, GROUPS, VIEWS>::new(&tiles, databases.views(), None, &position);
        let mut random = Random::new(3);
        let mut children = Vec::new();
        for _ in 0..20_000 {
            children.clear();
            node.expand(&moves, 0, &mut children);
            for child in &mut children {
                for view in views.iter().enumerate() {
                    node.locate_entry(view, &ranker, child);
                    child.read_entry(view);
                }
                let direction = automaton.states[child.state as usize].last_move.unwrap();
                let next = tiles.play(&position, direction);
                let expected = databases.estimate(&tiles, &next);
                let steps = tiles.lower_bound(&next);
                let mut after = node;
                after.advance(&views, child);
                assert_eq!(steps + 2 * u32::from(after.largest_sum()), expected);
            }
            let child = &children[random.index(children.len())];
            let direction = automaton.states[child.state as usize].last_move.unwrap();
            let steps = tiles.lower_bound(&position) as i16;
            let slack = node.slack;
            node.advance(&views, child);
            position = tiles.play(&position, direction);
            assert_eq!(
                2 * (slack - node.slack),
                tiles.lower_bound(&position) as i16 - steps + 1
            );
        }
    }

    #[test]
    fn incremental_lookup_matches_full_lookup() {
        let goal = |rows: &str| format!("{rows} goal {rows}");
        compare_with_full_lookup::<16, 2, 2>("0,1,2/3,4,5", &["5"]);
        compare_with_full_lookup::<16, 2, 2>("0,1,2,3/4,5,6,7/8,9,10,11", &["6-5"]);
        compare_with_full_lookup::<16, 4, 2>(&goal("1,2,3/8,0,4/7,6,5"), &["3-1-4"]);
        compare_with_full_lookup::<16, 4, 4>(&goal("1,2,3/8,0,4/7,6,5"), &["3-1-4", "4-2-2"]);
        compare_with_full_lookup::<32, 8, 6>("0,1,2,3/4,5,6,7/8,9,10,11", &["6-5", "5-6", "4-4-3"]);
        compare_with_full_lookup::<16, 4, 2>(&goal("1,2,3/0,8,4/7,6,5"), &["4-4"]);
        compare_with_full_lookup::<32, 8, 2>(&goal("1,2,3,4/8,0,5,6/7,9,10,11"), &["2-2-2-2-3"]);
        compare_with_full_lookup::<16, 4, 2>(
            &goal("1,2,3,4/5,0,7,8/9,10,11,12/13,14,15,6"),
            &["5-5-5"],
        );
        compare_with_full_lookup::<32, 8, 2>(
            &goal("1,2,0,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24"),
            &["4-4-4-4-4-4"],
        );
        compare_with_full_lookup::<32, 25, 2>(
            "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15",
            &["1-1-1-1-1-1-1-1-1-1-1-1-1-1-1"],
        );
    }
}
