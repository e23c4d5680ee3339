//! A node of the search, and its children as far as they differ from it. What the first pair of views says of the children
//! is asked first, what the next says only of those that it leaves within the bound, and so on.

use super::super::automaton::Automaton;
use super::super::databases::{Group, VIEWS, cells_of_tiles};
use super::super::{Direction, Position, Tiles};
use super::lines::Lines;
use super::views::Views;
use crate::processor;

/// An open node: a board of at most `CELLS` cells, `PAIRS` pairs of views, and at most `GROUPS` groups a view.
#[derive(Clone, Copy)]
pub struct Node<const CELLS: usize, const GROUPS: usize, const PAIRS: usize> {
    board: [u8; CELLS],
    /// The cells, as bits, on which the groups' tiles lie, as the tables see them.
    sets: [[[u32; GROUPS]; VIEWS]; PAIRS],
    /// The numbers of the tiles' layouts on these.
    layouts: [[[u16; GROUPS]; VIEWS]; PAIRS],
    /// Their entries.
    entries: [[[u8; GROUPS]; VIEWS]; PAIRS],
    /// The sums of these.
    sums: [[u8; VIEWS]; PAIRS],
    /// The lines' estimate, where they are asked.
    lines: u8,
    /// The largest sum that the bound allows: half of what it exceeds the moves made and the steps home by.
    room: i16,
    /// The automaton's.
    pub state: u32,
}

/// A child, as far as it differs from its parent.
#[derive(Clone, Copy)]
pub struct Child<const PAIRS: usize> {
    sets: [[u32; VIEWS]; PAIRS],
    layouts: [[u16; VIEWS]; PAIRS],
    /// The numbers of the placements.
    numbers: [[u32; VIEWS]; PAIRS],
    state: u32,
    room: i16,
    tile: u8,
    from: u8,
    to: u8,
    /// How far below the root of the part it lies.
    pub level: u8,
    direction: Direction,
    lines: u8,
    sums: [[u8; VIEWS]; PAIRS],
    entries: [[u8; VIEWS]; PAIRS],
}

impl<const CELLS: usize, const GROUPS: usize, const PAIRS: usize> Node<CELLS, GROUPS, PAIRS> {
    /// The node of a position, without any room.
    pub fn new(
        tiles: &Tiles,
        pairs: [[&[Group]; VIEWS]; PAIRS],
        lines: Option<&Lines>,
        start: &Position,
    ) -> Self {
        let mut node = Self {
            board: [0; CELLS],
            sets: [[[0; GROUPS]; VIEWS]; PAIRS],
            layouts: [[[0; GROUPS]; VIEWS]; PAIRS],
            entries: [[[0; GROUPS]; VIEWS]; PAIRS],
            sums: [[0; VIEWS]; PAIRS],
            lines: 0,
            room: 0,
            state: start.blank.into(),
        };
        let cell_of = cells_of_tiles(tiles, start);
        let count = tiles.cell_count();
        node.board[..count].copy_from_slice(&start.cells[..count]);
        node.lines = lines.map_or(0, |lines| lines.estimate(&node.board));
        for (pair, views) in pairs.into_iter().enumerate() {
            for (view, groups) in views.into_iter().enumerate() {
                for (index, group) in groups.iter().enumerate() {
                    let (set, layout) = group.placement(&cell_of);
                    let entry = group.entry(&cell_of) as u8;
                    node.sets[pair][view][index] = set as u32;
                    node.layouts[pair][view][index] = layout as u16;
                    node.entries[pair][view][index] = entry;
                    node.sums[pair][view] += entry;
                }
            }
        }
        node
    }

    /// What the estimate exceeds the steps home by, in pairs of moves.
    #[inline]
    pub fn largest_sum(&self) -> u8 {
        let sums = self.sums.as_flattened().iter().copied();
        sums.fold(self.lines, u8::max)
    }

    /// The node under a larger bound.
    pub fn with_more_room(self, room: i16) -> Self {
        Self {
            room: self.room + room,
            ..self
        }
    }

    /// Whether the estimate is within the bound.
    #[inline]
    pub fn is_within_bound(&self) -> bool {
        i16::from(self.largest_sum()) <= self.room
    }

    /// Appends the children, the last first; nothing is counted for them yet.
    #[inline(always)]
    pub fn expand(&self, automaton: &Automaton, level: u8, children: &mut Vec<Child<PAIRS>>) {
        let state = &automaton.states[self.state as usize];
        children.extend(state.steps().rev().map(|step| {
            processor::fetch(&automaton.states[step.next as usize]);
            Child {
                sets: [[0; VIEWS]; PAIRS],
                layouts: [[0; VIEWS]; PAIRS],
                numbers: [[0; VIEWS]; PAIRS],
                state: step.next,
                room: self.room,
                tile: self.board[usize::from(step.cell) % CELLS],
                from: step.cell,
                to: state.blank,
                level,
                direction: step.direction,
                lines: self.lines,
                sums: self.sums,
                entries: [[0; VIEWS]; PAIRS],
            }
        }));
    }

    /// Asks the lines of a child.
    #[inline(always)]
    pub fn ask_lines(&self, lines: &Lines, child: &mut Child<PAIRS>) {
        let change = lines.change(child.to, child.direction, child.tile);
        child.room -= change.is_away;
        child.lines = lines.after(self.lines, &self.board, &change, (child.from, child.to));
    }

    /// Finds the numbers of a child's placements in the views of a pair, and asks for their entries ahead.
    #[inline(always)]
    pub fn count(&self, views: &Views<CELLS>, pair: usize, child: &mut Child<PAIRS>) {
        let change = views.change(&self.board, child.to, child.direction, child.tile);
        if pair == 0 {
            child.room -= change.is_away;
        }
        let place = views.of(child.tile);
        for view in 0..VIEWS {
            let group = usize::from(place.groups[view]) % GROUPS;
            let set = self.sets[pair][view][group] ^ change.moved[view];
            let layout = self.layouts[pair][view][group].wrapping_add_signed(change.layouts[view]);
            let number = views.number(place, view, set, layout);
            processor::fetch(&place.tables[view][(number >> 1) as usize]);
            child.sets[pair][view] = set;
            child.layouts[pair][view] = layout;
            child.numbers[pair][view] = number;
            child.sums[pair][view] -= self.entries[pair][view][group];
        }
    }

    /// Moves on to a child.
    #[inline(always)]
    pub fn advance(&mut self, views: &[Views<CELLS>; PAIRS], child: &Child<PAIRS>) {
        self.sums = child.sums;
        self.lines = child.lines;
        self.room = child.room;
        self.state = child.state;
        self.board[usize::from(child.from) % CELLS] = 0;
        self.board[usize::from(child.to) % CELLS] = child.tile;
        for (pair, views) in views.iter().enumerate() {
            for (view, group) in views.of(child.tile).groups.into_iter().enumerate() {
                let group = usize::from(group) % GROUPS;
                self.sets[pair][view][group] = child.sets[pair][view];
                self.layouts[pair][view][group] = child.layouts[pair][view];
                self.entries[pair][view][group] = child.entries[pair][view];
            }
        }
    }
}

impl<const PAIRS: usize> Child<PAIRS> {
    /// Looks the entries of a pair up.
    #[inline(always)]
    pub fn look_up<const CELLS: usize>(&mut self, views: &Views<CELLS>, pair: usize) {
        for (view, table) in views.of(self.tile).tables.iter().enumerate() {
            let number = self.numbers[pair][view];
            let entry = table[(number >> 1) as usize] >> (4 * (number & 1)) & 15;
            self.entries[pair][view] = entry;
            self.sums[pair][view] += entry;
        }
    }

    /// The same of the lines' estimate.
    #[inline(always)]
    pub fn excess_of_lines(&self) -> i16 {
        i16::from(self.lines) - self.room
    }

    /// By how much the estimate of a pair exceeds the bound, in pairs of moves; at most 0 where it is within.
    #[inline(always)]
    pub fn excess(&self, pair: usize) -> i16 {
        let [regular, mirrored] = self.sums[pair];
        i16::from(regular.max(mirrored)) - self.room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tiles::databases::Databases;
    use crate::games::tiles::partition;
    use crate::pathfinding::{Heuristic, Solitaire};
    use crate::rules::{Notation, Rules};

    /// Walks at random, and compares what the search knows with what the plain look-up of every tile says.
    fn walk<const CELLS: usize, const GROUPS: usize, const PAIRS: usize>(
        board: &str,
        sizes: [&str; PAIRS],
    ) {
        let (tiles, mut position) = Tiles::new(2, 2).read_position(board).unwrap();
        let mut partitions = Vec::new();
        for sizes in sizes {
            partitions.extend(partition::of_sizes(&tiles, sizes).unwrap());
        }
        let databases = Databases::build(&tiles, &partitions, 1, &|_, _| true).unwrap();
        let automaton = Automaton::learn(&tiles, 4, &mut || Ok(())).unwrap();
        let views = databases
            .pairs::<PAIRS>()
            .map(|views| Views::<CELLS>::new(&tiles, views));
        let mut node =
            Node::<CELLS, GROUPS, PAIRS>::new(&tiles, databases.pairs(), None, &position);
        let mut random = fastrand::Rng::with_seed(3);
        let mut children = Vec::new();
        for _ in 0..20_000 {
            children.clear();
            node.expand(&automaton, 0, &mut children);
            for child in &mut children {
                for (pair, views) in views.iter().enumerate() {
                    node.count(views, pair, child);
                    child.look_up(views, pair);
                }
                let direction = automaton.states[child.state as usize].arrived.unwrap();
                let next = tiles.play(&position, direction);
                let slow = databases.estimate(&tiles, &next);
                let steps = tiles.least_moves(&next);
                let mut after = node;
                after.advance(&views, child);
                assert_eq!(steps + 2 * u32::from(after.largest_sum()), slow);
            }
            let child = &children[random.usize(..children.len())];
            let direction = automaton.states[child.state as usize].arrived.unwrap();
            let steps = tiles.least_moves(&position) as i16;
            let room = node.room;
            node.advance(&views, child);
            position = tiles.play(&position, direction);
            assert_eq!(
                2 * (room - node.room),
                tiles.least_moves(&position) as i16 - steps + 1
            );
        }
    }

    #[test]
    fn quick_look_ups_find_what_plain_ones_find() {
        let goal = |rows: &str| format!("{rows} goal {rows}");
        walk::<16, 2, 1>("0,1,2/3,4,5", ["5"]);
        walk::<16, 2, 1>("0,1,2,3/4,5,6,7/8,9,10,11", ["6-5"]);
        walk::<16, 4, 1>(&goal("1,2,3/8,0,4/7,6,5"), ["3-1-4"]);
        walk::<16, 4, 2>(&goal("1,2,3/8,0,4/7,6,5"), ["3-1-4", "4-2-2"]);
        walk::<32, 8, 3>("0,1,2,3/4,5,6,7/8,9,10,11", ["6-5", "5-6", "4-4-3"]);
        walk::<16, 4, 1>(&goal("1,2,3/0,8,4/7,6,5"), ["4-4"]);
        walk::<32, 8, 1>(&goal("1,2,3,4/8,0,5,6/7,9,10,11"), ["2-2-2-2-3"]);
        walk::<16, 4, 1>(&goal("1,2,3,4/5,0,7,8/9,10,11,12/13,14,15,6"), ["5-5-5"]);
        walk::<32, 8, 1>(
            &goal("1,2,0,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24"),
            ["4-4-4-4-4-4"],
        );
        walk::<32, 25, 1>(
            "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15",
            ["1-1-1-1-1-1-1-1-1-1-1-1-1-1-1"],
        );
    }
}
