//! How a move changes the placements, in every view: the set of cells on which a pattern's tiles lie loses one and gains
//! another, and the number of their layout on it changes a little for every tile of the pattern that the tile passes on the way.

use super::super::databases::{Group, VIEWS};
use super::super::{Direction, Tiles};
use crate::games::tiles::pattern::MOST_TILES;
use crate::games::tiles::pattern::layouts::{factorial, set_number};

/// The most cells that a move passes: a side of a board of at most 25 cells, in both views.
const MOST_PASSED: usize = 2 * (super::super::MOST_SIDE - 1);

/// What the views say of a tile.
#[derive(Clone, Copy)]
pub struct Place<'t> {
    /// Its group.
    pub groups: [u8; VIEWS],
    /// The entries of its group's table.
    pub tables: [&'t [u8]; VIEWS],
    /// The entries from one layout of its group to the next.
    strides: [u32; VIEWS],
    /// Tiles whose views turn the board alike have the same.
    kind: u8,
}

/// A move of the blank, for all tiles of a kind.
#[derive(Clone, Copy)]
struct Slide {
    /// The tiles, as bits, that it takes away from home.
    away: u32,
    /// The cells, as bits, that it leaves and enters, as the tables see them.
    moved: [u32; VIEWS],
    /// 1 where that is towards later cells, -1 where it is towards earlier ones.
    signs: [i16; VIEWS],
    /// Whom it passes: views and cells, then the cell of the blank, where no tile is.
    passed: [(u8, u8); MOST_PASSED],
}

/// How a move changes the placements of a tile's groups, and whether the tile goes away from home.
pub struct Change {
    /// The cells, as bits, that it leaves and enters.
    pub moved: [u32; VIEWS],
    /// What is added to the number of the layout.
    pub layouts: [i16; VIEWS],
    /// 1 for a step away from home, 0 for one towards it.
    pub is_away: i16,
}

/// A pair of views of a board and goal. `CELLS` bounds the cells of the board, and so the numbers of the tiles.
pub struct Views<'t, const CELLS: usize> {
    places: [Place<'t>; CELLS],
    kinds: usize,
    /// By the blank's cell, the direction and the kind of the tile.
    slides: Vec<Slide>,
    /// How many cells each move passes, or fewer.
    passed: usize,
    /// By view, tile and the tile passed on the way to later cells: what that adds to the number of the layout.
    passings: Box<[[[[i16; VIEWS]; CELLS]; CELLS]; VIEWS]>,
    sets: Sets,
}

/// The most sets of former cells, and of latter ones with how many former ones there are.
const FORMER: usize = 1 << 13;
const LATTER: usize = 1 << 16;

/// The numbers of sets of cells, each the sum of a number for its former cells and one for the others.
struct Sets {
    /// How many cells are the former ones.
    former_cells: u32,
    /// By the former cells: their number, and above that where those of the others begin.
    former: Box<[u32; FORMER]>,
    latter: Box<[u32; LATTER]>,
}

impl Sets {
    fn new(cells: usize) -> Self {
        let former_cells = cells.div_ceil(2);
        let latter_cells = cells - former_cells;
        let mut sets = Self {
            former_cells: former_cells as u32,
            former: bytemuck::zeroed_box(),
            latter: bytemuck::zeroed_box(),
        };
        let is_possible = |set: u64| set.count_ones() as usize <= MOST_TILES;
        for set in (0..1_u64 << former_cells).filter(|&set| is_possible(set)) {
            sets.former[set as usize] =
                set_number(set) as u32 | set.count_ones() << (16 + latter_cells);
        }
        for before in 0..=former_cells.min(MOST_TILES) {
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

    #[inline(always)]
    fn number(&self, set: u32) -> u32 {
        let former = self.former[set as usize & ((1 << self.former_cells) - 1) & (FORMER - 1)];
        let latter = (former >> 16) + (set >> self.former_cells);
        (former & 0xffff) + self.latter[latter as usize % LATTER]
    }
}

impl<'t, const CELLS: usize> Views<'t, CELLS> {
    /// Makes a pair of views ready.
    pub fn new(tiles: &Tiles, views: [&'t [Group]; VIEWS]) -> Self {
        let nowhere = Place {
            groups: [0; VIEWS],
            tables: [&[]; VIEWS],
            strides: [0; VIEWS],
            kind: 0,
        };
        let mut new = Self {
            places: [nowhere; CELLS],
            kinds: 0,
            slides: Vec::new(),
            passed: 0,
            passings: Box::new([[[[0; VIEWS]; CELLS]; CELLS]; VIEWS]),
            sets: Sets::new(tiles.cell_count()),
        };
        for (view, groups) in views.into_iter().enumerate() {
            for (index, group) in groups.iter().enumerate() {
                new.place(view, index, group);
            }
        }
        let mut kinds: Vec<[&[u8]; VIEWS]> = Vec::new();
        for place in &mut new.places[1..tiles.cell_count()] {
            let turned = std::array::from_fn(|view| {
                let group = views[view].get(usize::from(place.groups[view]));
                group.map_or(&[][..], |group| group.turned.as_slice())
            });
            let known = kinds.iter().position(|kind| *kind == turned);
            place.kind = known.unwrap_or(kinds.len()) as u8;
            if known.is_none() {
                kinds.push(turned);
            }
        }
        new.kinds = kinds.len();
        for blank in 0..tiles.cell_count() {
            for direction in Direction::ALL {
                // A move that the border forbids is never asked for.
                let cell = tiles.neighbour(blank, direction).unwrap_or(blank);
                for turned in &kinds {
                    let slide = new.slide(tiles, cell, blank, turned);
                    new.slides.push(slide);
                }
            }
        }
        new
    }

    fn place(&mut self, view: usize, index: usize, group: &'t Group) {
        for (slot, &tile) in group.tiles.iter().enumerate() {
            let place = &mut self.places[usize::from(tile)];
            place.groups[view] = index as u8;
            place.tables[view] = &group.table.entries;
            place.strides[view] = group.table.pattern.stride() as u32;
            for (other_slot, &other) in group.tiles.iter().enumerate() {
                self.passings[view][usize::from(tile)][usize::from(other)][view] =
                    match other_slot.cmp(&slot) {
                        std::cmp::Ordering::Less => factorial(slot) as i16,
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => -(factorial(other_slot) as i16),
                    };
            }
        }
    }

    fn slide(
        &mut self,
        tiles: &Tiles,
        cell: usize,
        blank: usize,
        turned: &[&[u8]; VIEWS],
    ) -> Slide {
        let is_away = |&tile: &usize| {
            let home = tiles.home(tile as u8);
            tiles.distance(blank, home) > tiles.distance(cell, home)
        };
        let mut slide = Slide {
            away: (1..tiles.cell_count())
                .filter(is_away)
                .fold(0, |away, tile| away | 1 << tile),
            moved: [0; VIEWS],
            signs: [0; VIEWS],
            passed: [(0, blank as u8); MOST_PASSED],
        };
        let mut passed = 0;
        for (view, turned) in turned.iter().enumerate() {
            let (from, to) = (turned[cell], turned[blank]);
            slide.moved[view] = 1 << from ^ 1 << to;
            slide.signs[view] = if to > from { 1 } else { -1 };
            let between = from.min(to) + 1..from.max(to);
            let cells = (0..tiles.cell_count()).filter(|&cell| between.contains(&turned[cell]));
            for cell in cells {
                slide.passed[passed] = (view as u8, cell as u8);
                passed += 1;
            }
        }
        self.passed = self.passed.max(passed);
        slide
    }

    /// What the views say of a tile.
    #[inline(always)]
    pub fn of(&self, tile: u8) -> &Place<'t> {
        &self.places[usize::from(tile) % CELLS]
    }

    /// The number of the placement of a tile's group that lies on these cells in this layout.
    #[inline(always)]
    pub fn number(&self, place: &Place<'t>, view: usize, set: u32, layout: u16) -> u32 {
        u32::from(layout) * place.strides[view] + self.sets.number(set)
    }

    /// What happens when the blank at this cell moves in this direction, where `tile` lies.
    #[inline(always)]
    pub fn change(&self, board: &[u8; CELLS], blank: u8, direction: Direction, tile: u8) -> Change {
        let place = self.of(tile);
        let way = 4 * usize::from(blank) + direction as usize;
        let slide = &self.slides[way * self.kinds + usize::from(place.kind)];
        let mut sums = [0_i16; VIEWS];
        for &(view, cell) in &slide.passed[..self.passed] {
            let other = board[usize::from(cell) % CELLS];
            let passings = &self.passings[usize::from(view) % VIEWS][usize::from(tile) % CELLS];
            let passing = passings[usize::from(other) % CELLS];
            sums[0] += passing[0];
            sums[1] += passing[1];
        }
        Change {
            moved: slide.moved,
            layouts: std::array::from_fn(|view| slide.signs[view] * sums[view]),
            is_away: (slide.away >> (tile % 32) & 1) as i16,
        }
    }
}
