//! Incremental table indices: how a move changes the placement of a pattern in each view.
//!
//! A placement is a set of cells and a layout of the tiles on it. A move replaces one cell of the set. It changes
//! the layout's rank by a constant for every tile of the pattern that the moved tile passes in reading order.

use super::super::databases::Group;
use super::super::{Direction, Tiles};
use crate::games::tiles::pattern::MAX_TILES;
use crate::games::tiles::pattern::layouts::{factorial, set_rank};

/// Maximum number of cells that a move passes in reading order: one less than a side.
const MAX_PASSED_CELLS: usize = super::super::MAX_SIDE - 1;

/// The data of a tile in one view.
#[derive(Clone, Copy)]
pub(crate) struct TileView<'t> {
    /// The entries of the table of the tile's group.
    pub table: &'t [u8],
    /// Number of entries per layout.
    stride: u32,
    /// The index of the tile's group.
    pub group: u8,
    /// The index of the group's symmetry. Groups with the same symmetry share move effects.
    symmetry: u8,
}

/// A move of the blank, on the board of the tables of one symmetry.
#[derive(Clone, Copy)]
struct MoveEffect {
    /// The cells, as bits, that the tile leaves and enters.
    set_change: u32,
    /// 1 if the tile moves to a later cell, -1 if it moves to an earlier one.
    sign: i16,
    /// The cells of the board that the tile passes. Unused elements are the blank's cell, where no tile is.
    passed_cells: [u8; MAX_PASSED_CELLS],
}

/// The change of the placement of a tile's group by a move.
pub(crate) struct Change {
    /// The cells, as bits, that the tile leaves and enters.
    pub(crate) set_change: u32,
    /// The change of the layout's rank.
    pub(crate) layout_change: i16,
}

/// A view, prepared for incremental lookup. `CELLS` is the maximum number of cells, and therefore of tiles.
pub(crate) struct View<'t, const CELLS: usize> {
    tile_views: [TileView<'t>; CELLS],
    symmetries: usize,
    /// By the blank's cell, its direction and the symmetry.
    effects: Vec<MoveEffect>,
    /// Maximum number of cells that any move passes.
    max_passed_cells: usize,
    /// By the moved tile and a tile that it passes toward later cells: the change of the layout's rank.
    layout_deltas: Box<[[i16; CELLS]; CELLS]>,
}

/// Number of sets of low cells. For sets of high cells, the number of low cells is part of the index.
const LOW_RANKS: usize = 1 << 13;
const HIGH_RANKS: usize = 1 << 16;

/// Computes the rank of a set of cells as the sum of a rank of its low cells and one of its high cells.
pub(crate) struct SetRanker {
    /// Number of low cells.
    low_cells: u32,
    /// By set of low cells: its rank, and in the high bits the start of its part of `high_ranks`.
    low_ranks: Box<[u32; LOW_RANKS]>,
    high_ranks: Box<[u32; HIGH_RANKS]>,
}

impl SetRanker {
    /// Creates the tables for a board of `cells` cells.
    pub(super) fn new(cells: usize) -> Self {
        let low_cells = cells.div_ceil(2);
        let high_cells = cells - low_cells;
        let mut ranker = Self {
            low_cells: low_cells as u32,
            low_ranks: bytemuck::zeroed_box(),
            high_ranks: bytemuck::zeroed_box(),
        };
        let is_possible = |set: u64| set.count_ones() as usize <= MAX_TILES;
        for set in (0..1_u64 << low_cells).filter(|&set| is_possible(set)) {
            ranker.low_ranks[set as usize] =
                set_rank(set) as u32 | set.count_ones() << (16 + high_cells);
        }
        for before in 0..=low_cells.min(MAX_TILES) {
            for set in 0..1_u64 << high_cells {
                // The set of the first `before` cells has rank 0.
                let whole = set << low_cells | ((1 << before) - 1);
                if is_possible(whole) {
                    ranker.high_ranks[before << high_cells | set as usize] = set_rank(whole) as u32;
                }
            }
        }
        ranker
    }

    /// Returns the rank of a set among all sets of the same size.
    #[inline(always)]
    pub(super) fn rank(&self, set: u32) -> u32 {
        let low = self.low_ranks[set as usize & ((1 << self.low_cells) - 1) & (LOW_RANKS - 1)];
        let high = (low >> 16) + (set >> self.low_cells);
        (low & 0xffff) + self.high_ranks[high as usize % HIGH_RANKS]
    }
}

impl<'t, const CELLS: usize> View<'t, CELLS> {
    /// Prepares a view.
    pub(super) fn new(tiles: &Tiles, groups: &'t [Group]) -> Self {
        let no_tile = TileView {
            table: &[],
            stride: 0,
            group: 0,
            symmetry: 0,
        };
        let mut view = Self {
            tile_views: [no_tile; CELLS],
            symmetries: 0,
            effects: Vec::new(),
            max_passed_cells: 0,
            layout_deltas: Box::new([[0; CELLS]; CELLS]),
        };
        let mut symmetries: Vec<&[u8]> = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            let existing = symmetries
                .iter()
                .position(|symmetry| *symmetry == group.cell_images);
            let symmetry = existing.unwrap_or(symmetries.len());
            if existing.is_none() {
                symmetries.push(&group.cell_images);
            }
            view.add_group(index as u8, symmetry as u8, group);
        }
        view.symmetries = symmetries.len();
        for blank in 0..tiles.cell_count() {
            for direction in Direction::ALL {
                // Impossible moves are never looked up.
                let cell = tiles.neighbor(blank, direction).unwrap_or(blank);
                for images in &symmetries {
                    let effect = view.effect(cell, blank, images);
                    view.effects.push(effect);
                }
            }
        }
        view
    }

    fn add_group(&mut self, index: u8, symmetry: u8, group: &'t Group) {
        for (slot, &tile) in group.tiles.iter().enumerate() {
            self.tile_views[usize::from(tile)] = TileView {
                table: &group.table.entries,
                stride: group.table.pattern.stride() as u32,
                group: index,
                symmetry,
            };
            for (other_slot, &other) in group.tiles.iter().enumerate() {
                self.layout_deltas[usize::from(tile)][usize::from(other)] =
                    match other_slot.cmp(&slot) {
                        std::cmp::Ordering::Less => factorial(slot) as i16,
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => -(factorial(other_slot) as i16),
                    };
            }
        }
    }

    fn effect(&mut self, cell: usize, blank: usize, images: &[u8]) -> MoveEffect {
        let (from, to) = (images[cell], images[blank]);
        let mut effect = MoveEffect {
            set_change: 1 << from ^ 1 << to,
            sign: if to > from { 1 } else { -1 },
            passed_cells: [blank as u8; MAX_PASSED_CELLS],
        };
        let between = from.min(to) + 1..from.max(to);
        let cells = (0..)
            .zip(images)
            .filter(|(_, image)| between.contains(image));
        let mut count = 0;
        for (cell, _) in cells {
            effect.passed_cells[count] = cell;
            count += 1;
        }
        self.max_passed_cells = self.max_passed_cells.max(count);
        effect
    }

    /// Returns the data of a tile.
    #[inline(always)]
    pub(crate) fn tile_view(&self, tile: u8) -> &TileView<'t> {
        &self.tile_views[usize::from(tile) % CELLS]
    }

    /// Returns the change of the placement when the blank moves from cell `blank` in `direction`. `tile` is the
    /// tile that it exchanges places with.
    #[inline(always)]
    pub(super) fn change(
        &self,
        board: &[u8; CELLS],
        blank: u8,
        direction: Direction,
        tile: u8,
    ) -> Change {
        let move_index = 4 * usize::from(blank) + direction as usize;
        let effect = &self.effects
            [move_index * self.symmetries + usize::from(self.tile_view(tile).symmetry)];
        let layout_deltas = &self.layout_deltas[usize::from(tile) % CELLS];
        let passed_cells = effect.passed_cells.iter().take(self.max_passed_cells);
        let sum: i16 = passed_cells
            .map(|&cell| layout_deltas[usize::from(board[usize::from(cell) % CELLS]) % CELLS])
            .sum();
        Change {
            set_change: effect.set_change,
            layout_change: effect.sign * sum,
        }
    }
}

impl TileView<'_> {
    /// Returns the index of the table entry for a set of cells and a layout of the group.
    #[inline(always)]
    pub(crate) fn entry_index(&self, ranker: &SetRanker, set: u32, layout: u16) -> u32 {
        u32::from(layout) * self.stride + ranker.rank(set)
    }
}
