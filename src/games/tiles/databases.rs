//! Additive pattern databases for a board and its goal: how the tiles are divided into patterns, which tables serve them,
//! and by which symmetries of the board.

use std::sync::Arc;
use std::thread;

use arrayvec::ArrayVec;

use super::{Cells, Position, Tiles};
use crate::pathfinding::Heuristic;
use crate::tables::pattern::{Interrupted, MOST_TILES, Pattern, PatternTable};

/// Patterns without a common tile, by the homes of their tiles on the board with the blank at home on cell 0.
type Partition = &'static [&'static [u8]];

/// What fits the caches and is made in a moment.
const FIFTEEN: Partition = &[&[1, 4, 5, 8, 9, 12], &[2, 3, 6, 7, 10, 11], &[13, 14, 15]];
/// The largest that are made at all.
const FIFTEEN_LARGE: Partition = &[&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]];
/// Korf and Felner's (2002).
const TWENTY_FOUR: Partition = &[
    &[1, 2, 5, 6, 7, 12],
    &[3, 4, 8, 9, 13, 14],
    &[10, 11, 15, 16, 20, 21],
    &[17, 18, 19, 22, 23, 24],
];

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

/// How a cell's row and column become another's.
type Symmetry = fn(&Tiles, usize, usize) -> (usize, usize);

const SYMMETRIES: [Symmetry; 8] = [
    |_, row, column| (row, column),
    |_, row, column| (column, row),
    |tiles, row, column| (tiles.height - 1 - row, column),
    |tiles, row, column| (row, tiles.width - 1 - column),
    |tiles, row, column| (tiles.height - 1 - row, tiles.width - 1 - column),
    |tiles, row, column| (column, tiles.height - 1 - row),
    |tiles, row, column| (tiles.width - 1 - column, row),
    |tiles, row, column| (tiles.width - 1 - column, tiles.height - 1 - row),
];

/// The symmetries of the board: for each, where every cell goes.
fn symmetries(tiles: &Tiles) -> Vec<Vec<u8>> {
    let turned = |symmetry: &Symmetry| {
        let cell = |cell: usize| {
            let (row, column) = symmetry(tiles, cell / tiles.width, cell % tiles.width);
            (row * tiles.width + column) as u8
        };
        (0..tiles.cell_count()).map(cell).collect()
    };
    let is_square = tiles.width == tiles.height;
    let turns_the_board = |index: &usize| matches!(index, 1 | 5..);
    let indices = (0..SYMMETRIES.len()).filter(|index| is_square || !turns_the_board(index));
    indices.map(|index| turned(&SYMMETRIES[index])).collect()
}

/// Those that leave the blank's home where it is: a table serves them too.
fn still_symmetries(tiles: &Tiles) -> Vec<Vec<u8>> {
    let blank = tiles.home(0);
    symmetries(tiles)
        .into_iter()
        .filter(|turned| usize::from(turned[blank]) == blank)
        .collect()
}

/// The division of the homes: the known good one where the blank's home is a corner, else runs of a snake that winds
/// through the board two columns wide.
fn partition(tiles: &Tiles, large: bool) -> Vec<Vec<u8>> {
    let blank = tiles.home(0);
    let known = match (tiles.width, tiles.height) {
        (4, 4) if large => Some(FIFTEEN_LARGE),
        (4, 4) => Some(FIFTEEN),
        (5, 5) => Some(TWENTY_FOUR),
        _ => None,
    };
    let to_corner = symmetries(tiles)
        .into_iter()
        .find(|turned| turned[blank] == 0);
    if let Some((known, turned)) = known.zip(to_corner) {
        let back = |&cell: &u8| turned.iter().position(|&to| to == cell).unwrap_or(0) as u8;
        return known
            .iter()
            .map(|group| group.iter().map(back).collect())
            .collect();
    }
    let size = match tiles.cell_count() {
        ..10 | 26.. => 4,
        16 if large => 8,
        10..=25 => 6,
    };
    snake(tiles)
        .into_iter()
        .filter(|&cell| usize::from(cell) != blank)
        .collect::<Vec<_>>()
        .chunks(size)
        .map(<[u8]>::to_vec)
        .collect()
}

/// All cells, strips of two columns down and up again.
fn snake(tiles: &Tiles) -> Vec<u8> {
    let mut cells = Vec::new();
    for (strip, left) in (0..tiles.width).step_by(2).enumerate() {
        for step in 0..tiles.height {
            let row = if strip % 2 == 0 {
                step
            } else {
                tiles.height - 1 - step
            };
            let columns = left..(left + 2).min(tiles.width);
            cells.extend(columns.map(|column| (row * tiles.width + column) as u8));
        }
    }
    cells
}

impl Databases {
    /// The pattern tables that the board and goal need, each once.
    pub fn patterns(tiles: &Tiles, large: bool) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> = Vec::new();
        for mut homes in partition(tiles, large) {
            homes.sort_unstable();
            let found = fitting(tiles, &homes, |homes| {
                patterns.iter().position(|known| known.homes == homes)
            });
            if found.is_none() {
                patterns.push(Pattern {
                    width: tiles.width,
                    height: tiles.height,
                    blank: tiles.home(0) as u8,
                    homes,
                });
            }
        }
        patterns
    }

    /// Makes the tables, on so many threads.
    pub fn build(
        tiles: &Tiles,
        large: bool,
        threads: usize,
        watch: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Result<Self, Interrupted> {
        let patterns = Self::patterns(tiles, large);
        let mut tables = Vec::new();
        for batch in patterns.chunks(threads.max(1)) {
            let built: Vec<Result<PatternTable, Interrupted>> = thread::scope(|scope| {
                let build = |pattern: &Pattern| {
                    let pattern = pattern.clone();
                    scope.spawn(move || PatternTable::build(pattern, &|done, all| watch(done, all)))
                };
                let handles: Vec<_> = batch.iter().map(build).collect();
                handles
                    .into_iter()
                    .map(|handle| handle.join().unwrap_or(Err(Interrupted)))
                    .collect()
            });
            for table in built {
                tables.push(Arc::new(table?));
            }
        }
        Ok(Self::with_tables(tiles, large, &tables))
    }

    /// Puts tables to use that [`Databases::patterns`] asked for.
    pub fn with_tables(tiles: &Tiles, large: bool, tables: &[Arc<PatternTable>]) -> Self {
        let homes_of_groups = partition(tiles, large);
        let view = |mirror: &[u8]| -> View {
            let groups = homes_of_groups.iter().map(|homes| {
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

/// What `find` finds for the homes, turned by one of the board's symmetries and sorted.
fn fitting<T>(tiles: &Tiles, homes: &[u8], find: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    still_symmetries(tiles).into_iter().find_map(|turned| {
        let mut there: Vec<u8> = homes
            .iter()
            .map(|&home| turned[usize::from(home)])
            .collect();
        there.sort_unstable();
        find(&there)
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
