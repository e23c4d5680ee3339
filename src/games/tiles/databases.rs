//! Additive pattern databases for a board and goal (Korf and Felner, 2002).
//!
//! A table serves every image of its pattern under the symmetries of the board, so several groups can share it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::partition::{self, Partition};
use super::symmetry::symmetries_fixing_blank;
use super::{Cells, Position, Tiles};
use crate::control::workers;
use crate::games::tiles::pattern::{MAX_TILES, PatternTable, Watch, layouts};
use crate::pathfinding::Heuristic;
use crate::try_alloc::BuildError;

/// The identity, and one mirror image.
const MAX_VIEWS_PER_PARTITION: usize = 2;

/// A pattern of this board, and the table that serves it.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The table, which may be that of another image of the pattern.
    pub table: Arc<PatternTable>,
    /// The tiles, in the order of the table's pattern.
    pub tiles: Vec<u8>,
    /// By cell of the board: the cell of the table's board to which the symmetry maps it.
    pub(crate) cell_images: Vec<u8>,
}

/// A partition of the tiles. The values of its groups are summed.
pub(super) type View = Vec<Group>;

/// The pattern databases of a board and goal. The estimate is the maximum over the views.
#[derive(Clone, Debug)]
pub struct Databases {
    /// One or two views per partition: the partition, and its mirror image if the goal has that symmetry.
    pub(super) views: Vec<View>,
    /// Number of partitions.
    pub(super) partitions: usize,
}

impl Databases {
    /// Builds the tables of `partitions` on `threads` threads.
    ///
    /// # Errors
    /// [`BuildError`] if `watch` returns `false` or an allocation fails.
    pub fn build(
        tiles: &Tiles,
        partitions: &[Partition],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Self, BuildError> {
        let patterns = partition::patterns(tiles, partitions);
        let results = workers::map_tasks(&patterns, threads, |pattern, worker_state| {
            let table =
                PatternTable::build_with_helpers(pattern.clone(), worker_state, &|done, all| {
                    !worker_state.cancelled.load(Ordering::Relaxed) && watch(done, all)
                });
            // If one table fails, cancel the others.
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

    /// Creates the databases from the tables of [`partition::patterns`].
    pub(super) fn with_tables(
        tiles: &Tiles,
        partitions: &[Partition],
        tables: &[Arc<PatternTable>],
    ) -> Self {
        let view = |partition: &Partition, mirror: &[u8]| -> View {
            let groups = partition.iter().map(|homes| {
                let mirrored: Vec<u8> = homes
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

    /// Returns the first `VIEWS` views. If there are fewer, repeats the first view.
    pub(super) fn views<const VIEWS: usize>(&self) -> [&[Group]; VIEWS] {
        let view = |index: usize| {
            let view = self.views.get(index).or(self.views.first());
            view.map_or(&[][..], Vec::as_slice)
        };
        std::array::from_fn(view)
    }
}

/// Returns the group with these homes, or `None` if no table serves them.
fn find_group(tiles: &Tiles, homes: &[u8], tables: &[Arc<PatternTable>]) -> Option<Group> {
    tables.iter().find_map(|table| {
        let pattern_homes = &table.pattern.homes;
        let cell_images = partition::find_symmetry(tiles, pattern_homes, homes)?;
        let tile_for = |home: &u8| {
            let cell = cell_images.iter().position(|image| image == home)?;
            Some(tiles.goal().cells[cell])
        };
        let tiles_in_order = pattern_homes.iter().filter_map(tile_for).collect();
        Some(Group {
            table: Arc::clone(table),
            tiles: tiles_in_order,
            cell_images,
        })
    })
}

/// Returns the cell of every tile.
pub(super) fn cells_of_tiles(tiles: &Tiles, position: &Position) -> Cells {
    let mut cell_of = [0; super::MAX_CELLS];
    for (cell, &tile) in position.cells[..tiles.cell_count()].iter().enumerate() {
        cell_of[usize::from(tile)] = cell as u8;
    }
    cell_of
}

impl Group {
    /// Returns the cells of the group's tiles on the board of the table.
    fn cells(&self, cell_of: &Cells) -> ArrayVec<u8, MAX_TILES> {
        let image = |&tile: &u8| self.cell_images[usize::from(cell_of[usize::from(tile)])];
        self.tiles.iter().map(image).collect()
    }

    /// Returns the table entry for the cells of the group's tiles: half of the moves beyond the Manhattan distance.
    #[inline]
    pub(super) fn entry(&self, cell_of: &Cells) -> u16 {
        let index = self.table.pattern.index(&self.cells(cell_of));
        self.table.entry(index) as u16
    }

    /// Returns the placement of the group's tiles: the set of cells as bits, and the rank of the layout.
    pub(super) fn placement(&self, cell_of: &Cells) -> (u64, usize) {
        layouts::placement(&self.cells(cell_of))
    }
}

impl Heuristic<Tiles> for Databases {
    fn estimate(&self, tiles: &Tiles, position: &Position) -> u32 {
        let cell_of = cells_of_tiles(tiles, position);
        let moves = |group: &Group| group.table.moves(&group.cells(&cell_of));
        let sums = self.views.iter().map(|view| view.iter().map(moves).sum());
        sums.max().unwrap_or(0)
    }
}
