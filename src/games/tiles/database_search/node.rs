//! A node of the search, and its children as far as they differ from it.

use super::super::automaton::{Automaton, Step};
use super::super::{Position, Tiles};
use super::VIEWS;
use super::views::Views;
use crate::games::tiles::databases::Databases;

/// An open node: a board of at most `CELLS` cells, and at most `GROUPS` groups a view.
#[derive(Clone, Copy)]
pub struct Node<const CELLS: usize, const GROUPS: usize> {
    board: [u8; CELLS],
    /// The numbers of the groups' placements.
    numbers: [[u32; GROUPS]; VIEWS],
    /// Their entries.
    entries: [[u8; GROUPS]; VIEWS],
    /// The sums of these.
    sums: [u8; VIEWS],
    /// The largest sum that the bound allows: half of what it exceeds the moves made and the steps home by.
    room: i16,
    /// The automaton's.
    pub state: u32,
}

/// A child, as far as it differs from its parent.
#[derive(Clone, Copy)]
pub struct Child {
    numbers: [u32; VIEWS],
    state: u32,
    room: i16,
    tile: u8,
    from: u8,
    to: u8,
    /// How far below the root of the part it lies.
    pub level: u8,
    sums: [u8; VIEWS],
    entries: [u8; VIEWS],
}

impl<const CELLS: usize, const GROUPS: usize> Node<CELLS, GROUPS> {
    /// The node of a position, without any room.
    pub fn new(tiles: &Tiles, databases: &Databases, start: &Position) -> Self {
        let mut node = Self {
            board: [0; CELLS],
            numbers: [[0; GROUPS]; VIEWS],
            entries: [[0; GROUPS]; VIEWS],
            sums: [0; VIEWS],
            room: 0,
            state: start.blank.into(),
        };
        let count = tiles.cell_count();
        node.board[..count].copy_from_slice(&start.cells[..count]);
        for view in 0..VIEWS {
            let groups = databases.views.get(view).or(databases.views.first());
            for (index, group) in groups.into_iter().flatten().enumerate() {
                let number = group.number(tiles, start);
                let entry = group.table.entry(number) as u8;
                node.numbers[view][index] = number as u32;
                node.entries[view][index] = entry;
                node.sums[view] += entry;
            }
        }
        node
    }

    /// What the estimate exceeds the steps home by, in pairs of moves.
    #[inline]
    pub fn largest_sum(&self) -> u8 {
        self.sums[0].max(self.sums[1])
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

    /// Appends the children, the last first; all but their entries.
    #[inline]
    pub fn expand(
        &self,
        views: &Views<CELLS>,
        automaton: &Automaton,
        level: u8,
        children: &mut Vec<Child>,
    ) {
        let state = &automaton.states[self.state as usize];
        for step in state.steps[..usize::from(state.count)].iter().rev() {
            children.push(self.child(views, state.blank, step, level));
        }
    }

    #[inline]
    fn child(&self, views: &Views<CELLS>, blank: u8, step: &Step, level: u8) -> Child {
        let tile = self.board[usize::from(step.cell) % CELLS];
        let change = views.change(&self.board, blank, step.direction, tile);
        let groups = views
            .of(tile)
            .groups
            .map(|group| usize::from(group) % GROUPS);
        let of_group = |view: usize| {
            self.numbers[view][groups[view]].wrapping_add_signed(change.numbers[view])
        };
        Child {
            numbers: std::array::from_fn(of_group),
            state: step.next,
            room: self.room - change.is_away,
            tile,
            from: step.cell,
            to: blank,
            level,
            sums: std::array::from_fn(|view| self.sums[view] - self.entries[view][groups[view]]),
            entries: [0; VIEWS],
        }
    }

    /// The child as a node of its own.
    #[inline]
    pub fn after(&self, views: &Views<CELLS>, child: &Child) -> Self {
        let mut node = Self {
            sums: child.sums,
            room: child.room,
            state: child.state,
            ..*self
        };
        node.board[usize::from(child.from) % CELLS] = 0;
        node.board[usize::from(child.to) % CELLS] = child.tile;
        for (view, group) in views.of(child.tile).groups.into_iter().enumerate() {
            let group = usize::from(group) % GROUPS;
            node.numbers[view][group] = child.numbers[view];
            node.entries[view][group] = child.entries[view];
        }
        node
    }
}

impl Child {
    /// Looks the entries up.
    #[inline]
    pub fn look_up<const CELLS: usize>(&mut self, views: &Views<CELLS>) {
        for (view, table) in views.of(self.tile).tables.iter().enumerate() {
            let number = self.numbers[view];
            let entry = table[(number >> 1) as usize] >> (4 * (number & 1)) & 15;
            self.entries[view] = entry;
            self.sums[view] += entry;
        }
    }

    /// By how much the estimate exceeds the bound, in pairs of moves; at most 0 where it is within.
    #[inline]
    pub fn excess(&self) -> i16 {
        i16::from(self.sums[0].max(self.sums[1])) - self.room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tiles::partition;
    use crate::pathfinding::{Heuristic, Solitaire};
    use crate::rules::{Notation, Rules};

    /// Walks at random, and compares what the search knows with what the plain look-up of every tile says.
    fn walk<const CELLS: usize, const GROUPS: usize>(board: &str, sizes: &str) {
        let (tiles, mut position) = Tiles::new(2, 2).read_position(board).unwrap();
        let partition = partition::of_sizes(&tiles, sizes).unwrap();
        let databases = Databases::build(&tiles, &partition, 1, &|_, _| true).unwrap();
        let automaton = Automaton::learn(&tiles, 4, &mut || Ok(())).unwrap();
        let views = Views::<CELLS>::new(&tiles, &databases);
        let mut node = Node::<CELLS, GROUPS>::new(&tiles, &databases, &position);
        let mut random = fastrand::Rng::with_seed(3);
        let mut children = Vec::new();
        for _ in 0..20_000 {
            children.clear();
            node.expand(&views, &automaton, 0, &mut children);
            for child in &mut children {
                child.look_up(&views);
                let direction = automaton.states[child.state as usize].arrived.unwrap();
                let next = tiles.play(&position, direction);
                let slow = databases.estimate(&tiles, &next);
                let steps = tiles.least_moves(&next);
                assert_eq!(
                    steps + 2 * u32::from(node.after(&views, child).largest_sum()),
                    slow
                );
            }
            let child = &children[random.usize(..children.len())];
            let direction = automaton.states[child.state as usize].arrived.unwrap();
            let steps = tiles.least_moves(&position) as i16;
            let room = node.room;
            node = node.after(&views, child);
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
        walk::<16, 2>("0,1,2/3,4,5", "5");
        walk::<16, 2>("0,1,2,3/4,5,6,7/8,9,10,11", "6-5");
        walk::<16, 4>(&goal("1,2,3/8,0,4/7,6,5"), "3-1-4");
        walk::<16, 4>(&goal("1,2,3/0,8,4/7,6,5"), "4-4");
        walk::<32, 8>(&goal("1,2,3,4/8,0,5,6/7,9,10,11"), "2-2-2-2-3");
        walk::<16, 4>(&goal("1,2,3,4/5,0,7,8/9,10,11,12/13,14,15,6"), "5-5-5");
        walk::<32, 8>(
            &goal("1,2,0,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24"),
            "4-4-4-4-4-4",
        );
        walk::<32, 25>(
            "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15",
            "1-1-1-1-1-1-1-1-1-1-1-1-1-1-1",
        );
    }
}
