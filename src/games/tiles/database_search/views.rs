//! How a move changes the placements, in every view: the set of cells on which a pattern's tiles lie loses one and gains
//! another, and the number of their layout on it changes a little for every tile of the pattern that the tile passes on the way.

use super::super::databases::Group;
use super::super::{Direction, Tiles};
use crate::games::tiles::pattern::MAX_TILES;
use crate::games::tiles::pattern::layouts::{factorial, set_number};

/// The most cells that a move passes: all of a side but one.
const MAX_PASSED: usize = super::super::MAX_SIDE - 1;

/// What a view says of a tile.
#[derive(Clone, Copy)]
pub struct Place<'t> {
    /// The entries of its group's table.
    pub table: &'t [u8],
    /// The entries from one layout of its group to the next.
    stride: u32,
    /// Its group.
    pub group: u8,
    /// Tiles whose groups turn the board alike have the same.
    kind: u8,
}

/// A move of the blank, for all tiles of a kind.
#[derive(Clone, Copy)]
struct Slide {
    /// The cells, as bits, that it leaves and enters, as the tables see them.
    moved: u32,
    /// 1 where that is towards later cells, -1 where it is towards earlier ones.
    sign: i16,
    /// The cells that it passes, then the cell of the blank, where no tile is.
    passed: [u8; MAX_PASSED],
}

/// How a move changes the placement of a tile's group.
pub struct Change {
    /// The cells, as bits, that it leaves and enters.
    pub moved: u32,
    /// What is added to the number of the layout.
    pub layout: i16,
}

/// A view of a board and goal. `CELLS` bounds the cells of the board, and so the numbers of the tiles.
pub struct View<'t, const CELLS: usize> {
    places: [Place<'t>; CELLS],
    kinds: usize,
    /// By the blank's cell, the direction and the kind of the tile.
    slides: Vec<Slide>,
    /// How many cells each move passes, or fewer.
    passed: usize,
    /// By the tile and the tile passed on the way to later cells: what that adds to the number of the layout.
    passings: Box<[[i16; CELLS]; CELLS]>,
}

/// The most sets of former cells, and of latter ones with how many former ones there are.
const FORMER: usize = 1 << 13;
const LATTER: usize = 1 << 16;

/// The numbers of sets of cells, each the sum of a number for its former cells and one for the others.
pub struct Sets {
    /// How many cells are the former ones.
    former_cells: u32,
    /// By the former cells: their number, and above that where those of the others begin.
    former: Box<[u32; FORMER]>,
    latter: Box<[u32; LATTER]>,
}

impl Sets {
    /// Those of a board of so many cells.
    pub fn new(cells: usize) -> Self {
        let former_cells = cells.div_ceil(2);
        let latter_cells = cells - former_cells;
        let mut sets = Self {
            former_cells: former_cells as u32,
            former: bytemuck::zeroed_box(),
            latter: bytemuck::zeroed_box(),
        };
        let is_possible = |set: u64| set.count_ones() as usize <= MAX_TILES;
        for set in (0..1_u64 << former_cells).filter(|&set| is_possible(set)) {
            sets.former[set as usize] =
                set_number(set) as u32 | set.count_ones() << (16 + latter_cells);
        }
        for before in 0..=former_cells.min(MAX_TILES) {
            for set in 0..1_u64 << latter_cells {
                // The first cells of all add nothing.
                let whole = set << former_cells | ((1 << before) - 1);
                if is_possible(whole) {
                    sets.latter[before << latter_cells | set as usize] = set_number(whole) as u32;
                }
            }
        }
        sets
    }

    /// That of a set of the board.
    #[inline(always)]
    pub fn number(&self, set: u32) -> u32 {
        let former = self.former[set as usize & ((1 << self.former_cells) - 1) & (FORMER - 1)];
        let latter = (former >> 16) + (set >> self.former_cells);
        (former & 0xffff) + self.latter[latter as usize % LATTER]
    }
}

impl<'t, const CELLS: usize> View<'t, CELLS> {
    /// Makes a view ready.
    pub fn new(tiles: &Tiles, groups: &'t [Group]) -> Self {
        let nowhere = Place {
            table: &[],
            stride: 0,
            group: 0,
            kind: 0,
        };
        let mut new = Self {
            places: [nowhere; CELLS],
            kinds: 0,
            slides: Vec::new(),
            passed: 0,
            passings: Box::new([[0; CELLS]; CELLS]),
        };
        let mut kinds: Vec<&[u8]> = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            let known = kinds.iter().position(|kind| *kind == group.turned);
            let kind = known.unwrap_or(kinds.len());
            if known.is_none() {
                kinds.push(&group.turned);
            }
            new.place(index as u8, kind as u8, group);
        }
        new.kinds = kinds.len();
        for blank in 0..tiles.cell_count() {
            for direction in Direction::ALL {
                // A move that the border forbids is never asked for.
                let cell = tiles.neighbor(blank, direction).unwrap_or(blank);
                for turned in &kinds {
                    let slide = new.slide(cell, blank, turned);
                    new.slides.push(slide);
                }
            }
        }
        new
    }

    fn place(&mut self, index: u8, kind: u8, group: &'t Group) {
        for (slot, &tile) in group.tiles.iter().enumerate() {
            self.places[usize::from(tile)] = Place {
                table: &group.table.entries,
                stride: group.table.pattern.stride() as u32,
                group: index,
                kind,
            };
            for (other_slot, &other) in group.tiles.iter().enumerate() {
                self.passings[usize::from(tile)][usize::from(other)] = match other_slot.cmp(&slot) {
                    std::cmp::Ordering::Less => factorial(slot) as i16,
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => -(factorial(other_slot) as i16),
                };
            }
        }
    }

    fn slide(&mut self, cell: usize, blank: usize, turned: &[u8]) -> Slide {
        let (from, to) = (turned[cell], turned[blank]);
        let mut slide = Slide {
            moved: 1 << from ^ 1 << to,
            sign: if to > from { 1 } else { -1 },
            passed: [blank as u8; MAX_PASSED],
        };
        let between = from.min(to) + 1..from.max(to);
        let cells = (0..)
            .zip(turned)
            .filter(|(_, there)| between.contains(there));
        let mut passed = 0;
        for (cell, _) in cells {
            slide.passed[passed] = cell;
            passed += 1;
        }
        self.passed = self.passed.max(passed);
        slide
    }

    /// What the view says of a tile.
    #[inline(always)]
    pub fn of(&self, tile: u8) -> &Place<'t> {
        &self.places[usize::from(tile) % CELLS]
    }

    /// What happens when the blank at this cell moves in this direction, where `tile` lies.
    #[inline(always)]
    pub fn change(&self, board: &[u8; CELLS], blank: u8, direction: Direction, tile: u8) -> Change {
        let way = 4 * usize::from(blank) + direction as usize;
        let slide = &self.slides[way * self.kinds + usize::from(self.of(tile).kind)];
        let passings = &self.passings[usize::from(tile) % CELLS];
        let passed = slide.passed.iter().take(self.passed);
        let sum: i16 = passed
            .map(|&cell| passings[usize::from(board[usize::from(cell) % CELLS]) % CELLS])
            .sum();
        Change {
            moved: slide.moved,
            layout: slide.sign * sum,
        }
    }
}

impl Place<'_> {
    /// The number of the placement of its group that lies on this set of cells in this layout.
    #[inline(always)]
    pub fn number(&self, sets: &Sets, set: u32, layout: u16) -> u32 {
        u32::from(layout) * self.stride + sets.number(set)
    }
}
