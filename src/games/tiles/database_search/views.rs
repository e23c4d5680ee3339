//! How a move changes the numbers of the placements, in every view. The number is a sum over the tiles, so a move changes
//! it by what the tile's own cells are apart, and a little for every tile of its pattern that it passes on the way.

use super::super::databases::{Group, VIEWS};
use super::super::{Direction, Tiles};

/// The most cells that a move passes: a side of a board of at most 25 cells, in both views.
const MOST_PASSED: usize = 2 * (super::super::MOST_SIDE - 1);

/// What the views say of a tile.
#[derive(Clone, Copy)]
pub struct Place<'t> {
    /// Its group.
    pub groups: [u8; VIEWS],
    /// The entries of its group's table.
    pub tables: [&'t [u8]; VIEWS],
    /// What a step to the next cell adds to the number of its group's placement.
    weights: [i32; VIEWS],
    /// Tiles whose views turn the board alike have the same.
    kind: u8,
}

/// A move of the blank, for all tiles of a kind.
#[derive(Clone, Copy)]
struct Slide {
    /// The tiles, as bits, that it takes away from home.
    away: u32,
    /// How many cells on it takes the tile, in the order of the table's cells.
    spans: [i32; VIEWS],
    /// Their signs.
    signs: [i32; VIEWS],
    /// Whom it passes: views and cells, then the cell of the blank, where no tile is.
    passed: [(u8, u8); MOST_PASSED],
}

/// The change of a tile's numbers, and whether it goes away from home.
pub struct Change {
    /// What is added to the numbers of its groups' placements.
    pub numbers: [i32; VIEWS],
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
    /// By view, tile and the tile passed on the way to later cells: the change beyond that of the tile's own cell.
    passings: Box<[[[[i32; VIEWS]; CELLS]; CELLS]; VIEWS]>,
}

impl<'t, const CELLS: usize> Views<'t, CELLS> {
    /// Makes a pair of views ready.
    pub fn new(tiles: &Tiles, views: [&'t [Group]; VIEWS]) -> Self {
        let nowhere = Place {
            groups: [0; VIEWS],
            tables: [&[]; VIEWS],
            weights: [0; VIEWS],
            kind: 0,
        };
        let mut new = Self {
            places: [nowhere; CELLS],
            kinds: 0,
            slides: Vec::new(),
            passed: 0,
            passings: Box::new([[[[0; VIEWS]; CELLS]; CELLS]; VIEWS]),
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
        let weights = group.table.pattern.weights();
        for (slot, &tile) in group.tiles.iter().enumerate() {
            let place = &mut self.places[usize::from(tile)];
            place.groups[view] = index as u8;
            place.tables[view] = &group.table.entries;
            place.weights[view] = weights[slot] as i32;
            for (other_slot, &other) in group.tiles.iter().enumerate() {
                self.passings[view][usize::from(tile)][usize::from(other)][view] =
                    match other_slot.cmp(&slot) {
                        std::cmp::Ordering::Less => weights[other_slot] as i32,
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => -(weights[slot] as i32),
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
            spans: [0; VIEWS],
            signs: [0; VIEWS],
            passed: [(0, blank as u8); MOST_PASSED],
        };
        let mut passed = 0;
        for (view, turned) in turned.iter().enumerate() {
            let (from, to) = (turned[cell], turned[blank]);
            slide.spans[view] = i32::from(to) - i32::from(from);
            slide.signs[view] = slide.spans[view].signum();
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
    #[inline]
    pub fn of(&self, tile: u8) -> &Place<'t> {
        &self.places[usize::from(tile) % CELLS]
    }

    /// What happens when the blank at this cell moves in this direction, where `tile` lies.
    #[inline]
    pub fn change(&self, board: &[u8; CELLS], blank: u8, direction: Direction, tile: u8) -> Change {
        let place = self.of(tile);
        let way = 4 * usize::from(blank) + direction as usize;
        let slide = &self.slides[way * self.kinds + usize::from(place.kind)];
        let mut sums = [0; VIEWS];
        for &(view, cell) in &slide.passed[..self.passed] {
            let other = board[usize::from(cell) % CELLS];
            let passings = &self.passings[usize::from(view) % VIEWS][usize::from(tile) % CELLS];
            let passing = passings[usize::from(other) % CELLS];
            sums[0] += passing[0];
            sums[1] += passing[1];
        }
        Change {
            numbers: std::array::from_fn(|view| {
                slide.spans[view] * place.weights[view] + slide.signs[view] * sums[view]
            }),
            is_away: (slide.away >> (tile % 32) & 1) as i16,
        }
    }
}
