//! Additive pattern databases for a board and its goal: which tables serve the patterns, and by which symmetries of the
//! board.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::partition::{self, Partition};
use super::symmetry::still_symmetries;
use super::{Cells, Position, Tiles};
use crate::control::workers;
use crate::games::tiles::pattern::{MAX_TILES, PatternTable, Watch, layouts};
use crate::pathfinding::Heuristic;
use crate::try_alloc::BuildError;

/// Regular and mirrored.
const VIEWS_OF_PARTITION: usize = 2;

/// A table, and how the board has to be turned for it.
#[derive(Clone, Debug)]
pub struct Group {
    /// The table.
    pub table: Arc<PatternTable>,
    /// The tiles in the table's order.
    pub tiles: Vec<u8>,
    /// Where each cell of the board lies on the table's.
    pub turned: Vec<u8>,
}

/// A way to look at the board: groups whose moves add up.
pub type View = Vec<Group>;

/// The databases of a board and goal: the larger of the views' sums is the estimate.
#[derive(Clone, Debug)]
pub struct Databases {
    /// One or two of each partition.
    pub views: Vec<View>,
    /// How many partitions there are.
    pub partitions: usize,
}

impl Databases {
    /// Makes the tables of partitions, on so many threads.
    pub fn build(
        tiles: &Tiles,
        partitions: &[Partition],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Self, BuildError> {
        let patterns = partition::patterns(tiles, partitions);
        let built = workers::map_tasks(&patterns, threads, |pattern, common| {
            let table = PatternTable::build_among(pattern.clone(), common, &|done, all| {
                !common.cancelled.load(Ordering::Relaxed) && watch(done, all)
            });
            // Without one of them the others are of no use.
            common.cancelled.fetch_or(table.is_err(), Ordering::Relaxed);
            table
        });
        let out_of_memory = built.iter().find_map(|table| match table {
            Err(BuildError::OutOfMemory(out_of_memory)) => Some(*out_of_memory),
            _ => None,
        });
        if let Some(out_of_memory) = out_of_memory {
            return Err(out_of_memory.into());
        }
        let tables = built
            .into_iter()
            .map(|table| table.map(Arc::new))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::with_tables(tiles, partitions, &tables))
    }

    /// Puts tables to use: those of [`partition::patterns`].
    pub fn with_tables(
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
                group(tiles, &mirrored, tables)
            });
            groups.flatten().collect()
        };
        // The identity comes first.
        let mut mirrors = still_symmetries(tiles);
        mirrors.truncate(VIEWS_OF_PARTITION);
        let views = partitions.iter().flat_map(|partition| {
            let mirrored = |mirror: &Vec<u8>| view(partition, mirror);
            mirrors.iter().map(mirrored).collect::<Vec<View>>()
        });
        Self {
            views: views.collect(),
            partitions: partitions.len(),
        }
    }

    /// So many of the views. Where there are fewer the first stands for those that are not there.
    pub fn views<const VIEWS: usize>(&self) -> [&[Group]; VIEWS] {
        let view = |index: usize| {
            let view = self.views.get(index).or(self.views.first());
            view.map_or(&[][..], Vec::as_slice)
        };
        std::array::from_fn(view)
    }
}

/// The group of these homes, with whichever of the tables fits.
fn group(tiles: &Tiles, homes: &[u8], tables: &[Arc<PatternTable>]) -> Option<Group> {
    tables.iter().find_map(|table| {
        let known = &table.pattern.homes;
        let turned = partition::turn(tiles, known, homes)?;
        let tile_for = |known: &u8| {
            let cell = turned.iter().position(|home| home == known)?;
            Some(tiles.goal().cells[cell])
        };
        let tiles_in_order = known.iter().filter_map(tile_for).collect();
        Some(Group {
            table: Arc::clone(table),
            tiles: tiles_in_order,
            turned,
        })
    })
}

/// The cell of every tile.
pub fn cells_of_tiles(tiles: &Tiles, position: &Position) -> Cells {
    let mut cell_of = [0; super::MAX_CELLS];
    for (cell, &tile) in position.cells[..tiles.cell_count()].iter().enumerate() {
        cell_of[usize::from(tile)] = cell as u8;
    }
    cell_of
}

impl Group {
    /// Where the group's tiles lie, as its table sees them.
    fn cells(&self, cell_of: &Cells) -> ArrayVec<u8, MAX_TILES> {
        let turned = |&tile: &u8| self.turned[usize::from(cell_of[usize::from(tile)])];
        self.tiles.iter().map(turned).collect()
    }

    /// The table's entry for the placement of the group's tiles: half the moves beyond the steps.
    #[inline]
    pub fn entry(&self, cell_of: &Cells) -> u16 {
        let number = self.table.pattern.index(&self.cells(cell_of));
        self.table.entry(number) as u16
    }

    /// The placement of the group's tiles: the cells, as bits, and the number of the layout on them.
    pub fn placement(&self, cell_of: &Cells) -> (u64, usize) {
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
