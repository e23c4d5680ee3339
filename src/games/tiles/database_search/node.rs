//! A node of the search, and its children as far as they differ from it. What the first view says of the children is asked
//! first, what the next says only of those that it leaves within the bound, and so on.

use std::ops::Range;

use super::super::automaton::Automaton;
use super::super::databases::{Group, cells_of_tiles};
use super::super::{Direction, Position, Tiles};
use super::lines::Lines;
use super::views::{Sets, View};
use crate::processor;

/// An open node: a board of at most `CELLS` cells, `VIEWS` views, and at most `GROUPS` groups a view.
#[derive(Clone, Copy)]
pub struct Node<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> {
    board: [u8; CELLS],
    /// The cells, as bits, on which the groups' tiles lie, as the tables see them.
    sets: [[u32; GROUPS]; VIEWS],
    /// The numbers of the tiles' layouts on these.
    layouts: [[u16; GROUPS]; VIEWS],
    /// Their entries.
    entries: [[u8; GROUPS]; VIEWS],
    /// The sums of these.
    sums: [u8; VIEWS],
    /// The lines' estimate, where they are asked.
    lines: u8,
    /// The largest sum that the bound allows: half of what it exceeds the moves made and the steps home by.
    room: i16,
    /// The automaton's.
    pub state: u32,
}

/// A child, as far as it differs from its parent.
#[derive(Clone, Copy)]
pub struct Child<const VIEWS: usize> {
    sets: [u32; VIEWS],
    layouts: [u16; VIEWS],
    /// The numbers of the placements.
    numbers: [u32; VIEWS],
    state: u32,
    room: i16,
    tile: u8,
    from: u8,
    to: u8,
    /// How far below the root of the part it lies.
    pub level: u8,
    direction: Direction,
    lines: u8,
    sums: [u8; VIEWS],
    entries: [u8; VIEWS],
}

/// The moves that are tried.
pub struct Moves<'t> {
    pub automaton: &'t Automaton,
    /// By the blank's cell and the direction: the tiles, as bits, that the move takes away from home.
    away: Vec<u64>,
}

impl<const CELLS: usize, const GROUPS: usize, const VIEWS: usize> Node<CELLS, GROUPS, VIEWS> {
    /// The node of a position, without any room.
    pub fn new(
        tiles: &Tiles,
        views: [&[Group]; VIEWS],
        lines: Option<&Lines>,
        start: &Position,
    ) -> Self {
        let mut node = Self {
            board: [0; CELLS],
            sets: [[0; GROUPS]; VIEWS],
            layouts: [[0; GROUPS]; VIEWS],
            entries: [[0; GROUPS]; VIEWS],
            sums: [0; VIEWS],
            lines: 0,
            room: 0,
            state: start.blank.into(),
        };
        let cell_of = cells_of_tiles(tiles, start);
        let count = tiles.cell_count();
        node.board[..count].copy_from_slice(&start.cells[..count]);
        node.lines = lines.map_or(0, |lines| lines.estimate(&node.board));
        for (view, groups) in views.into_iter().enumerate() {
            for (index, group) in groups.iter().enumerate() {
                let (set, layout) = group.placement(&cell_of);
                let entry = group.entry(&cell_of) as u8;
                node.sets[view][index] = set as u32;
                node.layouts[view][index] = layout as u16;
                node.entries[view][index] = entry;
                node.sums[view] += entry;
            }
        }
        node
    }

    /// What the estimate exceeds the steps home by, in pairs of moves.
    #[inline]
    pub fn largest_sum(&self) -> u8 {
        self.sums.into_iter().fold(self.lines, u8::max)
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

    /// Appends the children, the last first; no estimate is known of them yet.
    #[inline(always)]
    pub fn expand(&self, moves: &Moves, level: u8, children: &mut Vec<Child<VIEWS>>) {
        let state = &moves.automaton.states[self.state as usize];
        let ways = &moves.away[4 * usize::from(state.blank)..][..4];
        children.extend(state.steps().rev().map(|step| {
            processor::fetch(&moves.automaton.states[step.next as usize]);
            let tile = self.board[usize::from(step.cell) % CELLS];
            let is_away = ways[step.direction as usize] >> (tile % 64) & 1;
            Child {
                sets: [0; VIEWS],
                layouts: [0; VIEWS],
                numbers: [0; VIEWS],
                state: step.next,
                room: self.room - is_away as i16,
                tile,
                from: step.cell,
                to: state.blank,
                level,
                direction: step.direction,
                lines: self.lines,
                sums: self.sums,
                entries: [0; VIEWS],
            }
        }));
    }

    /// Asks the lines of a child.
    #[inline(always)]
    pub fn ask_lines(&self, lines: &Lines, child: &mut Child<VIEWS>) {
        let change = lines.change(child.to, child.direction, child.tile);
        child.lines = lines.after(self.lines, &self.board, &change, (child.from, child.to));
    }

    /// Finds the number of a child's placement in a view, and asks for its entry ahead.
    #[inline(always)]
    pub fn count(
        &self,
        (index, view): (usize, &View<CELLS>),
        sets: &Sets,
        child: &mut Child<VIEWS>,
    ) {
        let change = view.change(&self.board, child.to, child.direction, child.tile);
        let place = view.of(child.tile);
        let group = usize::from(place.group) % GROUPS;
        let set = self.sets[index][group] ^ change.moved;
        let layout = self.layouts[index][group].wrapping_add_signed(change.layout);
        let number = place.number(sets, set, layout);
        processor::fetch(&place.table[(number >> 1) as usize]);
        child.sets[index] = set;
        child.layouts[index] = layout;
        child.numbers[index] = number;
        child.sums[index] -= self.entries[index][group];
    }

    /// Moves on to a child.
    #[inline(always)]
    pub fn advance(&mut self, views: &[View<CELLS>; VIEWS], child: &Child<VIEWS>) {
        self.sums = child.sums;
        self.lines = child.lines;
        self.room = child.room;
        self.state = child.state;
        self.board[usize::from(child.from) % CELLS] = 0;
        self.board[usize::from(child.to) % CELLS] = child.tile;
        for (index, view) in views.iter().enumerate() {
            let group = usize::from(view.of(child.tile).group) % GROUPS;
            self.sets[index][group] = child.sets[index];
            self.layouts[index][group] = child.layouts[index];
            self.entries[index][group] = child.entries[index];
        }
    }
}

impl<const VIEWS: usize> Child<VIEWS> {
    /// Looks up the entry of the placement in a view.
    #[inline(always)]
    pub fn look_up<const CELLS: usize>(&mut self, (index, view): (usize, &View<CELLS>)) {
        let number = self.numbers[index];
        let byte = view.of(self.tile).table[(number >> 1) as usize];
        let entry = byte >> (4 * (number & 1)) & 15;
        self.entries[index] = entry;
        self.sums[index] += entry;
    }

    /// By how much the lines' estimate exceeds the bound, in pairs of moves; at most 0 where it is within.
    #[inline(always)]
    pub fn excess_of_lines(&self) -> i16 {
        i16::from(self.lines) - self.room
    }

    /// The same of the largest estimate of these views.
    #[inline(always)]
    pub fn excess(&self, indices: Range<usize>) -> i16 {
        let sums = indices.map(|index| self.sums[index]);
        i16::from(sums.fold(0, u8::max)) - self.room
    }
}

impl<'t> Moves<'t> {
    /// Those that the automaton tries on this board.
    pub fn new(tiles: &Tiles, automaton: &'t Automaton) -> Self {
        let mut away = Vec::new();
        for blank in 0..tiles.cell_count() {
            for direction in Direction::ALL {
                // A move that the border forbids is never asked for.
                let cell = tiles.neighbor(blank, direction).unwrap_or(blank);
                away.push(tiles.taken_away(cell, blank));
            }
        }
        Self { automaton, away }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tiles::databases::Databases;
    use crate::games::tiles::partition;
    use crate::pathfinding::{EnginePuzzle, Heuristic};
    use crate::random::Random;
    use crate::rules::{Notation, Rules};

    /// Walks at random, and compares what the search knows with what the plain look-up of every tile says.
    fn walk<const CELLS: usize, const GROUPS: usize, const VIEWS: usize>(
        board: &str,
        sizes: &[&str],
    ) {
        let (tiles, mut position) = Tiles::new(2, 2).read_position(board).unwrap();
        let mut partitions = Vec::new();
        for sizes in sizes {
            partitions.extend(partition::of_sizes(&tiles, sizes).unwrap());
        }
        let databases = Databases::build(&tiles, &partitions, 1, &|_, _| true).unwrap();
        let automaton = Automaton::learn(&tiles, 4, &mut || Ok(())).unwrap();
        let moves = Moves::new(&tiles, &automaton);
        let sets = Sets::new(tiles.cell_count());
        let views = databases
            .views::<VIEWS>()
            .map(|groups| View::<CELLS>::new(&tiles, groups));
        let mut node =
            Node::<CELLS, GROUPS, VIEWS>::new(&tiles, databases.views(), None, &position);
        let mut random = Random::new(3);
        let mut children = Vec::new();
        for _ in 0..20_000 {
            children.clear();
            node.expand(&moves, 0, &mut children);
            for child in &mut children {
                for view in views.iter().enumerate() {
                    node.count(view, &sets, child);
                    child.look_up(view);
                }
                let direction = automaton.states[child.state as usize].arrived.unwrap();
                let next = tiles.play(&position, direction);
                let slow = databases.estimate(&tiles, &next);
                let steps = tiles.lower_bound(&next);
                let mut after = node;
                after.advance(&views, child);
                assert_eq!(steps + 2 * u32::from(after.largest_sum()), slow);
            }
            let child = &children[random.index(children.len())];
            let direction = automaton.states[child.state as usize].arrived.unwrap();
            let steps = tiles.lower_bound(&position) as i16;
            let room = node.room;
            node.advance(&views, child);
            position = tiles.play(&position, direction);
            assert_eq!(
                2 * (room - node.room),
                tiles.lower_bound(&position) as i16 - steps + 1
            );
        }
    }

    #[test]
    fn quick_look_ups_find_what_plain_ones_find() {
        let goal = |rows: &str| format!("{rows} goal {rows}");
        walk::<16, 2, 2>("0,1,2/3,4,5", &["5"]);
        walk::<16, 2, 2>("0,1,2,3/4,5,6,7/8,9,10,11", &["6-5"]);
        walk::<16, 4, 2>(&goal("1,2,3/8,0,4/7,6,5"), &["3-1-4"]);
        walk::<16, 4, 4>(&goal("1,2,3/8,0,4/7,6,5"), &["3-1-4", "4-2-2"]);
        walk::<32, 8, 6>("0,1,2,3/4,5,6,7/8,9,10,11", &["6-5", "5-6", "4-4-3"]);
        walk::<16, 4, 2>(&goal("1,2,3/0,8,4/7,6,5"), &["4-4"]);
        walk::<32, 8, 2>(&goal("1,2,3,4/8,0,5,6/7,9,10,11"), &["2-2-2-2-3"]);
        walk::<16, 4, 2>(&goal("1,2,3,4/5,0,7,8/9,10,11,12/13,14,15,6"), &["5-5-5"]);
        walk::<32, 8, 2>(
            &goal("1,2,0,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24"),
            &["4-4-4-4-4-4"],
        );
        walk::<32, 25, 2>(
            "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15",
            &["1-1-1-1-1-1-1-1-1-1-1-1-1-1-1"],
        );
    }
}
