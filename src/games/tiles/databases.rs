//! Additive pattern databases for a board and its goal: which tables serve the patterns, and by which symmetries of the
//! board.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::symmetry::still_symmetries;
use super::{Cells, Position, Tiles, partition};
use crate::control::crew;
use crate::games::tiles::pattern::{MOST_TILES, PatternTable};
use crate::pathfinding::Heuristic;
use crate::room::Unfinished;

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
    /// One or two.
    pub views: Vec<View>,
}

impl Databases {
    /// Makes the tables of a partition, on so many threads.
    pub fn build(
        tiles: &Tiles,
        partition: &[Vec<u8>],
        threads: usize,
        watch: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Result<Self, Unfinished> {
        let patterns = partition::patterns(tiles, partition);
        let built = crew::share_out(&patterns, threads, |pattern, is_vain| {
            let table = PatternTable::build(pattern.clone(), &|done, all| {
                !is_vain.load(Ordering::Relaxed) && watch(done, all)
            });
            // Without one of them the others are of no use.
            is_vain.fetch_or(table.is_err(), Ordering::Relaxed);
            table
        });
        let no_room = built.iter().find_map(|table| match table {
            Err(Unfinished::NoRoom(no_room)) => Some(*no_room),
            _ => None,
        });
        if let Some(no_room) = no_room {
            return Err(no_room.into());
        }
        let tables = built
            .into_iter()
            .map(|table| table.map(Arc::new))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::with_tables(tiles, partition, &tables))
    }

    /// Puts tables to use: those of [`partition::patterns`].
    pub fn with_tables(tiles: &Tiles, partition: &[Vec<u8>], tables: &[Arc<PatternTable>]) -> Self {
        let view = |mirror: &[u8]| -> View {
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
        let views = still_symmetries(tiles)
            .iter()
            .take(2)
            .map(|turned| view(turned))
            .collect();
        Self { views }
    }
}

/// The group of these homes, with whichever of the tables fits.
fn group(tiles: &Tiles, homes: &[u8], tables: &[Arc<PatternTable>]) -> Option<Group> {
    let is_same = |table: &PatternTable, turned: &[u8]| {
        let mut wanted = turned.to_vec();
        let mut known = table.pattern.homes.clone();
        wanted.sort_unstable();
        known.sort_unstable();
        wanted == known
    };
    still_symmetries(tiles).into_iter().find_map(|turned| {
        let there: Vec<u8> = homes
            .iter()
            .map(|&home| turned[usize::from(home)])
            .collect();
        let table = tables.iter().find(|table| is_same(table, &there))?;
        let tile_for = |known: &u8| {
            let index = there.iter().position(|home| home == known)?;
            Some(tiles.goal().cells[usize::from(homes[index])])
        };
        let tiles_in_order = table.pattern.homes.iter().filter_map(tile_for).collect();
        Some(Group {
            table: Arc::clone(table),
            tiles: tiles_in_order,
            turned,
        })
    })
}

/// The cell of every tile.
fn cells_of_tiles(tiles: &Tiles, position: &Position) -> Cells {
    let mut cell_of = [0; super::MOST_CELLS];
    for (cell, &tile) in position.cells[..tiles.cell_count()].iter().enumerate() {
        cell_of[usize::from(tile)] = cell as u8;
    }
    cell_of
}

impl Group {
    /// Where the group's tiles lie, as its table sees them.
    fn cells(&self, cell_of: &Cells) -> ArrayVec<u8, MOST_TILES> {
        let turned = |&tile: &u8| self.turned[usize::from(cell_of[usize::from(tile)])];
        self.tiles.iter().map(turned).collect()
    }

    /// The number of the placement of the group's tiles.
    pub fn number(&self, tiles: &Tiles, position: &Position) -> usize {
        let cell_of = cells_of_tiles(tiles, position);
        self.table.pattern.index(&self.cells(&cell_of))
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
