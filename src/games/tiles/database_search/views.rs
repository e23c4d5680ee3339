//! Incremental update of table indices: the effect of a move on the placement of a group.
//!
//! A placement consists of a set, the cells of the group's tiles, and a layout, the order of the tiles on the set. A
//! move replaces one cell of the set. It also changes the layout if the moved tile passes other tiles of the group in
//! reading order: on a board with 4 columns, a tile that moves down passes 3 cells. The change of the layout's rank is
//! a sum of terms that depend on the moved tile and one passed tile each.
//!
//! Some groups are looked up under a symmetry of the board (see `databases.rs`). Their sets and reading order refer
//! to the board after the symmetry.

use super::super::databases::Group;
use super::super::{Direction, Tiles};
use crate::games::tiles::pattern::MAX_TILES;
use crate::games::tiles::pattern::layouts::{factorial, set_rank};

/// Maximum number of cells passed by a move in reading order: one less than the length of a row.
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
    /// The index of the group's lookup symmetry. Groups with the same symmetry share move effects.
    symmetry: u8,
}

/// The effect of a move of the blank on groups with one lookup symmetry.
#[derive(Clone, Copy)]
struct MoveEffect {
    /// The images of the cells that the tile leaves and enters, as bits. Exclusive or with the old set gives the new
    /// set.
    set_change: u32,
    /// 1 if the tile moves to a later cell in reading order of the images, -1 if it moves to an earlier cell.
    sign: i16,
    /// The cells whose images the tile passes in reading order. Unused elements are the blank's cell, which has no
    /// tile.
    passed_cells: [u8; MAX_PASSED_CELLS],
}

/// The change of the placement of a tile's group by a move.
pub(crate) struct Change {
    /// The images of the cells that the tile leaves and enters, as bits. Exclusive or with the old set gives the new
    /// set.
    pub(crate) set_change: u32,
    /// The change of the layout's rank.
    pub(crate) layout_change: i16,
}

/// A view, prepared for incremental lookup. `CELLS` is the maximum number of cells, and therefore of tiles.
pub(crate) struct View<'t, const CELLS: usize> {
    /// Indexed by tile.
    tile_views: [TileView<'t>; CELLS],
    /// Number of distinct symmetries of the groups.
    symmetries: usize,
    /// Indexed by the blank's cell, its direction and the index of the symmetry.
    effects: Vec<MoveEffect>,
    /// Maximum number of cells passed by any move.
    max_passed_cells: usize,
    /// The change of the layout's rank when a tile passes another tile toward later cells, by moved and passed tile. 0
    /// if the tiles belong to different groups.
    layout_deltas: Box<[[i16; CELLS]; CELLS]>,
}

/// Number of sets of low cells. A board with databases has at most 25 cells, 13 low cells and 12 high cells.
const LOW_RANKS: usize = 1 << 13;
/// Number of elements of `high_ranks`: 2^12 sets of the 12 high cells for each of the 9 possible numbers of low cells
/// in the set, rounded up to a power of two.
const HIGH_RANKS: usize = 1 << 16;

/// Computes the rank of a set by two table lookups, for the low cells and the high cells of the board.
///
/// The rank is a sum of terms that depend on one cell and the number of lower cells in the set. So the terms of the
/// high cells depend only on these cells and on the number of low cells.
pub(crate) struct SetRanker {
    /// Number of low cells: half of the board's cells, rounded up.
    low_cells: u32,
    /// For each set of low cells, two numbers of 16 bits. The low half is the rank of the set. The high half is the
    /// index of the first element of `high_ranks` for its number of cells.
    low_ranks: Box<[u32; LOW_RANKS]>,
    /// The sum over the high cells, by number of low cells in the set, then by set of high cells.
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
        for low_count in 0..=low_cells.min(MAX_TILES) {
            for set in 0..1_u64 << high_cells {
                // The first `low_count` cells contribute 0 to the rank of `whole`, so this rank is the sum over
                // the high cells.
                let whole = set << low_cells | ((1 << low_count) - 1);
                if is_possible(whole) {
                    ranker.high_ranks[low_count << high_cells | set as usize] =
                        set_rank(whole) as u32;
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
                // The element of an impossible move is never used.
                let cell = tiles.neighbor(blank, direction).unwrap_or(blank);
                for images in &symmetries {
                    let effect = view.effect(cell, blank, images);
                    view.effects.push(effect);
                }
            }
        }
        view
    }

    /// Adds the tiles of a group. `index` is the group's index, and `symmetry` the index of its symmetry.
    fn add_group(&mut self, index: u8, symmetry: u8, group: &'t Group) {
        for (place, &tile) in group.tiles.iter().enumerate() {
            self.tile_views[usize::from(tile)] = TileView {
                table: &group.table.entries,
                stride: group.table.pattern.stride() as u32,
                group: index,
                symmetry,
            };
            for (other_place, &other) in group.tiles.iter().enumerate() {
                self.layout_deltas[usize::from(tile)][usize::from(other)] =
                    match other_place.cmp(&place) {
                        std::cmp::Ordering::Less => factorial(place) as i16,
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => -(factorial(other_place) as i16),
                    };
            }
        }
    }

    /// Returns the effect of a tile's move from `cell` to the blank's cell `blank`, under the symmetry with the cell
    /// images `images`.
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

    /// Returns the change of the placement of the group of `tile` when the blank on `blank` moves in
    /// `direction` and exchanges places with `tile`. `board` is the board before the move.
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
