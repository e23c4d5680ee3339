//! Additive pattern databases for a board and goal (Korf and Felner, 2002).
//!
//! A *pattern* is a set of tiles. For every placement of the pattern's tiles, a pattern table contains the minimum
//! number of moves of these tiles to their homes. A *partition* divides all tiles into disjoint patterns. Each move
//! moves a tile of only one pattern, so the sum of the table values of a partition is a lower bound on the solution
//! length.
//!
//! A *view* is a partition with its tables: one `Group` per pattern. A partition and its mirror image are two views.
//! The estimate is the maximum over all views. If a symmetry of the board maps one pattern to another, both use the
//! same table: the symmetry is applied to the tiles' cells before the lookup.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::partition::{self, Partition};
use super::symmetry::symmetries_fixing_blank;
use super::{Cells, Position, Tiles};
use crate::control::workers;
use crate::games::tiles::pattern::{MAX_TILES, OnProgress, PatternTable, layouts};
use crate::pathfinding::Heuristic;
use crate::try_alloc::BuildError;

/// Maximum number of views per partition: the partition itself and one mirror image.
const MAX_VIEWS_PER_PARTITION: usize = 2;

/// A pattern of a view, and the table for the pattern.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The table of the pattern, or of an image of the pattern under a symmetry of the board.
    pub table: Arc<PatternTable>,
    /// The tiles of the pattern, in the order of the corresponding tiles in the table's pattern.
    pub tiles: Vec<u8>,
    /// The image of each cell under the symmetry from the pattern to the table's pattern, or the identity if they are
    /// equal.
    pub(crate) cell_images: Vec<u8>,
}

/// The groups of a partition, whose table values are added.
pub(super) type View = Vec<Group>;

/// The pattern databases of a board and goal. The estimate is the maximum over the views.
#[derive(Clone, Debug)]
pub struct Databases {
    /// One or two views per partition: the partition, and its mirror image if a symmetry maps the blank's home to
    /// itself.
    pub(super) views: Vec<View>,
    /// Number of partitions.
    pub(super) partitions: usize,
}

impl Databases {
    /// Builds the tables of `partitions` on `threads` threads. Calls `on_progress` every few milliseconds.
    ///
    /// # Errors
    /// `BuildError` if `on_progress` returns `false` or an allocation fails.
    pub fn build(
        tiles: &Tiles,
        partitions: &[Partition],
        threads: usize,
        on_progress: &OnProgress<'_>,
    ) -> Result<Self, BuildError> {
        let patterns = partition::patterns(tiles, partitions);
        let results = workers::map_tasks(&patterns, threads, |pattern, worker_state| {
            let table =
                PatternTable::build_with_helpers(pattern.clone(), worker_state, &|done, all| {
                    !worker_state.cancelled.load(Ordering::Relaxed) && on_progress(done, all)
                });
            // If one table cannot be built, cancel the construction of the others.
            worker_state
                .cancelled
                .fetch_or(table.is_err(), Ordering::Relaxed);
            table
        });
        let out_of_memory = results.iter().find_map(|table| match table {
            Err(BuildError::OutOfMemory(out_of_memory)) => Some(*out_of_memory),
            _ => None,
        });
        if let Some(out_of_memory) = out_of_memory {
            return Err(out_of_memory.into());
        }
        let tables = results
            .into_iter()
            .map(|table| table.map(Arc::new))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::with_tables(tiles, partitions, &tables))
    }

    /// Creates the databases from the tables of the patterns returned by [`partition::patterns`].
    pub(super) fn with_tables(
        tiles: &Tiles,
        partitions: &[Partition],
        tables: &[Arc<PatternTable>],
    ) -> Self {
        let view = |partition: &Partition, mirror: &[u8]| -> View {
            let groups = partition.iter().map(|home_cells| {
                let mirrored: Vec<u8> = home_cells
                    .iter()
                    .map(|&home| mirror[usize::from(home)])
                    .collect();
                find_group(tiles, &mirrored, tables)
            });
            groups.flatten().collect()
        };
        // The first symmetry is the identity.
        let mut mirrors = symmetries_fixing_blank(tiles);
        mirrors.truncate(MAX_VIEWS_PER_PARTITION);
        let views = partitions.iter().flat_map(|partition| {
            let mirrored = |mirror: &Vec<u8>| view(partition, mirror);
            mirrors.iter().map(mirrored).collect::<Vec<View>>()
        });
        Self {
            views: views.collect(),
            partitions: partitions.len(),
        }
    }

    /// Returns the first `VIEWS` views. If there are fewer, fills up with the first view.
    pub(super) fn views<const VIEWS: usize>(&self) -> [&[Group]; VIEWS] {
        let view = |index: usize| {
            let view = self.views.get(index).or(self.views.first());
            view.map_or(&[][..], Vec::as_slice)
        };
        std::array::from_fn(view)
    }
}

/// Returns the group of the pattern with the homes `home_cells`, or `None` if no table of `tables` applies to it.
fn find_group(tiles: &Tiles, home_cells: &[u8], tables: &[Arc<PatternTable>]) -> Option<Group> {
    tables.iter().find_map(|table| {
        let pattern_home_cells = &table.pattern.home_cells;
        let cell_images = partition::find_symmetry(tiles, pattern_home_cells, home_cells)?;
        let tile_for = |home: &u8| {
            let cell = cell_images.iter().position(|image| image == home)?;
            Some(tiles.goal().cells[cell])
        };
        let tiles_in_order = pattern_home_cells.iter().filter_map(tile_for).collect();
        Some(Group {
            table: Arc::clone(table),
            tiles: tiles_in_order,
            cell_images,
        })
    })
}

/// Returns the cell of every tile. Element 0 is the cell of the blank.
pub(super) fn cells_of_tiles(tiles: &Tiles, position: &Position) -> Cells {
    let mut cell_of = [0; super::MAX_CELLS];
    for (cell, &tile) in position.cells[..tiles.cell_count()].iter().enumerate() {
        cell_of[usize::from(tile)] = cell as u8;
    }
    cell_of
}

impl Group {
    /// Returns the cells for the lookup: the images of the cells of the group's tiles.
    fn cells(&self, cell_of: &Cells) -> ArrayVec<u8, MAX_TILES> {
        let image = |&tile: &u8| self.cell_images[usize::from(cell_of[usize::from(tile)])];
        self.tiles.iter().map(image).collect()
    }

    /// Returns the table entry for the cells of the group's tiles. [`PatternTable`] defines an entry.
    #[inline]
    pub(super) fn entry(&self, cell_of: &Cells) -> u16 {
        let index = self.table.pattern.index(&self.cells(cell_of));
        self.table.entry(index) as u16
    }

    /// Returns the placement of the group's tiles in the table: the set of their cells as bits, and the rank of their
    /// layout (see [`layouts`]).
    pub(super) fn placement(&self, cell_of: &Cells) -> (u64, usize) {
        layouts::placement(&self.cells(cell_of))
    }
}

impl Heuristic<Tiles> for Databases {
    fn estimate(&self, tiles: &Tiles, position: &Position) -> u32 {
        let cell_of = cells_of_tiles(tiles, position);
        let moves_of = |group: &Group| group.table.moves(&group.cells(&cell_of));
        let sums = self
            .views
            .iter()
            .map(|view| view.iter().map(moves_of).sum());
        sums.max().unwrap_or(0)
    }
}
