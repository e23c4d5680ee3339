//! IDA* with additive pattern databases. The tables are larger than the caches, so one search waits most of its time for
//! memory; several walkers in turn, each in a part of the tree of its own, wait for all their entries together.

mod team;

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;

use super::automaton::Automaton;
use super::databases::Databases;
use super::numbering::Numbering;
use super::{Direction, Tiles};
use crate::control::{Signals, Stopped};
use crate::pathfinding::{Quest, Verdict, idastar};
use team::{Shared, Team};

/// The most groups of a view.
const GROUPS: usize = 4;
/// Regular and mirrored.
const VIEWS: usize = 2;
/// The most cells of a board.
pub const MOST_CELLS: usize = super::numbering::MOST_CELLS;
/// The parts of the tree for each thread.
const PARTS: usize = 64;
/// The parts of the tree for each thread where searches are long.
const PARTS_OF_LARGE: usize = 1024;
/// More moves than any solution on these boards has.
const LONGEST: usize = 255;

/// Whether the board and its databases can be searched here.
fn fits(tiles: &Tiles, databases: &Databases) -> bool {
    tiles.cell_count() <= MOST_CELLS && databases.views.iter().all(|view| view.len() <= GROUPS)
}

/// An open node.
#[derive(Clone, Copy)]
struct Node {
    board: [u8; 32],
    /// The cells of each group's tiles, as its table sees them, a few bits each.
    cells: [[u32; GROUPS]; VIEWS],
    /// The entries of each group's table.
    entries: [[u8; GROUPS]; VIEWS],
    /// Their sums.
    sums: [u8; VIEWS],
    /// The steps from all tiles to their homes.
    steps: u16,
    state: u32,
    depth: u8,
}

impl Node {
    /// No tile anywhere.
    const NOWHERE: Self = Self {
        board: [0; 32],
        cells: [[0; GROUPS]; VIEWS],
        entries: [[0; GROUPS]; VIEWS],
        sums: [0; VIEWS],
        steps: 0,
        state: 0,
        depth: 0,
    };
}

/// A child of one of the nodes in hand, as far as it differs.
#[derive(Clone, Copy)]
struct Child {
    /// The walker whose node the parent is.
    walker: u8,
    tile: u8,
    from: u8,
    to: u8,
    /// The group of the tile, in each view.
    groups: [u8; VIEWS],
    steps: u16,
    state: u32,
    cells: [u32; VIEWS],
    /// The number of the group's new placement.
    indices: [u32; VIEWS],
    entries: [u8; VIEWS],
}

/// What a view says of a tile.
#[derive(Clone, Copy, Default)]
struct Place {
    group: u8,
    shift: u8,
}

/// A view, ready for the search.
struct Lens<'t> {
    places: [Place; 32],
    /// For every group: where the cells of the board lie for its table.
    turned: [[u8; 32]; GROUPS],
    tables: [&'t [u8]; GROUPS],
    numbering: [&'t Numbering; GROUPS],
}

/// A search for one board and goal. `SLOTS` bounds the tiles of a pattern, and `BITS` the cells of the board.
struct Search<'t, const SLOTS: usize, const BITS: u32> {
    tiles: &'t Tiles,
    automaton: &'t Automaton,
    lenses: [Lens<'t>; VIEWS],
    /// The steps from a tile to its home, by tile and cell.
    steps: Box<[[u8; 32]; 32]>,
}

/// Finds a shortest solution, on so many threads; by the general IDA* where the board or its databases do not fit.
pub fn solve(
    quest: &mut Quest<Tiles>,
    automaton: &Automaton,
    databases: &Databases,
    threads: usize,
) -> Result<Verdict<Direction>, Stopped> {
    let largest = databases
        .views
        .iter()
        .flatten()
        .map(|group| group.tiles.len())
        .max();
    let tiles = quest.puzzle;
    let is_small = tiles.cell_count() <= 16;
    let Some(nothing) = databases.numbering_of(0).filter(|_| fits(tiles, databases)) else {
        return idastar::solve(quest);
    };
    match (is_small, largest) {
        (true, Some(7..)) => {
            Search::<8, 4>::new(tiles, automaton, databases, nothing).solve(quest, threads)
        }
        (true, _) => {
            Search::<6, 4>::new(tiles, automaton, databases, nothing).solve(quest, threads)
        }
        (false, _) => {
            Search::<6, 5>::new(tiles, automaton, databases, nothing).solve(quest, threads)
        }
    }
}

impl<'t, const SLOTS: usize, const BITS: u32> Search<'t, SLOTS, BITS> {
    fn new(
        tiles: &'t Tiles,
        automaton: &'t Automaton,
        databases: &'t Databases,
        nothing: &'t Numbering,
    ) -> Self {
        let lens = |view: usize| {
            // Where there is no second view, the first is looked through twice.
            let groups = databases.views.get(view).or(databases.views.first());
            let mut lens = Lens {
                places: [Place::default(); 32],
                turned: [[0; 32]; GROUPS],
                tables: [&[0]; GROUPS],
                numbering: [nothing; GROUPS],
            };
            for (index, group) in groups.into_iter().flatten().enumerate() {
                for (slot, &tile) in group.tiles.iter().enumerate() {
                    lens.places[usize::from(tile)] = Place {
                        group: index as u8,
                        shift: (slot as u32 * BITS) as u8,
                    };
                }
                lens.turned[index][..group.turned.len()].copy_from_slice(&group.turned);
                lens.tables[index] = &group.table.entries;
                if let Some(numbering) = databases.numbering_of(group.tiles.len()) {
                    lens.numbering[index] = numbering;
                }
            }
            lens
        };
        let mut steps = Box::new([[0; 32]; 32]);
        for tile in 1..tiles.cell_count() {
            for cell in 0..tiles.cell_count() {
                steps[tile][cell] = tiles.distance(cell, tiles.home(tile as u8)) as u8;
            }
        }
        Self {
            tiles,
            automaton,
            lenses: [lens(0), lens(1)],
            steps,
        }
    }

    /// The number of a placement, as `Pattern::index` has it; slots that a smaller pattern lacks count for nothing.
    #[inline]
    fn index(cells: u32, numbering: &Numbering) -> u32 {
        let cell = |slot: usize| cells >> (BITS * slot as u32) & ((1 << BITS) - 1);
        let mut left = 0u32;
        for slot in 0..SLOTS {
            left |= numbering.used[slot] << cell(slot);
        }
        let mut index = numbering.first_of(left);
        for slot in 0..SLOTS {
            let bit = 1u32 << cell(slot);
            index += (left & (bit - 1)).count_ones() * numbering.weights[slot];
            left &= !bit;
        }
        index
    }

    #[inline]
    fn entry(&self, view: usize, group: usize, index: usize) -> u8 {
        self.lenses[view].tables[group][index >> 1] >> (4 * (index & 1)) & 15
    }

    fn root(&self, start: &super::Position) -> Node {
        let mut node = Node {
            state: start.blank.into(),
            ..Node::NOWHERE
        };
        for (cell, &tile) in start.cells[..self.tiles.cell_count()].iter().enumerate() {
            node.board[cell] = tile;
            if tile == 0 {
                continue;
            }
            node.steps += u16::from(self.steps[usize::from(tile)][cell]);
            for (lens, cells) in self.lenses.iter().zip(&mut node.cells) {
                let Place { group, shift } = lens.places[usize::from(tile)];
                cells[usize::from(group)] |=
                    u32::from(lens.turned[usize::from(group)][cell]) << shift;
            }
        }
        for view in 0..VIEWS {
            for group in 0..GROUPS {
                let index =
                    Self::index(node.cells[view][group], self.lenses[view].numbering[group]);
                node.entries[view][group] = self.entry(view, group, index as usize);
                node.sums[view] += node.entries[view][group];
            }
        }
        node
    }

    /// Makes the children of a node, the last first; all but the entries of the tables.
    #[inline]
    fn expand(&self, node: &Node, walker: usize, children: &mut Vec<Child>) {
        let state = &self.automaton.states[node.state as usize];
        let blank = usize::from(state.blank) % 32;
        for step in state.steps[..usize::from(state.count)].iter().rev() {
            let cell = usize::from(step.cell) % 32;
            let tile = node.board[cell];
            let steps = &self.steps[usize::from(tile) % 32];
            let mut child = Child {
                walker: walker as u8,
                tile,
                from: step.cell,
                to: state.blank,
                groups: [0; VIEWS],
                steps: node.steps + u16::from(steps[blank]) - u16::from(steps[cell]),
                state: step.next,
                cells: [0; VIEWS],
                indices: [0; VIEWS],
                entries: [0; VIEWS],
            };
            for (view, lens) in self.lenses.iter().enumerate() {
                let Place { group, shift } = lens.places[usize::from(tile) % 32];
                let turned = &lens.turned[usize::from(group) % GROUPS];
                let cells = node.cells[view][usize::from(group) % GROUPS]
                    ^ u32::from(turned[cell] ^ turned[blank]) << shift;
                child.groups[view] = group;
                child.cells[view] = cells;
                child.indices[view] =
                    Self::index(cells, lens.numbering[usize::from(group) % GROUPS]);
            }
            children.push(child);
        }
    }

    /// Looks a child's entries up.
    #[inline]
    fn look_up(&self, child: &mut Child) {
        for view in 0..VIEWS {
            let group = usize::from(child.groups[view]) % GROUPS;
            child.entries[view] = self.entry(view, group, child.indices[view] as usize);
        }
    }

    /// The child's sums of entries, from its parent's.
    #[inline]
    fn sums(parent: &Node, child: &Child) -> [u8; VIEWS] {
        std::array::from_fn(|view| {
            let before = parent.entries[view][usize::from(child.groups[view]) % GROUPS];
            parent.sums[view] + child.entries[view] - before
        })
    }

    /// The child as a node of its own.
    #[inline]
    fn node(parent: &Node, child: &Child, sums: [u8; VIEWS]) -> Node {
        let mut node = Node {
            sums,
            steps: child.steps,
            state: child.state,
            depth: parent.depth + 1,
            ..*parent
        };
        node.board[usize::from(child.from) % 32] = 0;
        node.board[usize::from(child.to) % 32] = child.tile;
        for view in 0..VIEWS {
            let group = usize::from(child.groups[view]) % GROUPS;
            node.cells[view][group] = child.cells[view];
            node.entries[view][group] = child.entries[view];
        }
        node
    }

    fn solve(
        &self,
        quest: &mut Quest<Tiles>,
        threads: usize,
    ) -> Result<Verdict<Direction>, Stopped> {
        quest.control.visit()?;
        let root = self.root(&quest.start);
        if root.steps == 0 {
            return Ok(Verdict::Solved(Vec::new()));
        }
        let mut bound = estimate(root.steps, root.sums);
        quest.pass(bound);
        let parts = if self.tiles.cell_count() > 16 {
            PARTS_OF_LARGE
        } else {
            PARTS
        };
        let frontier = match self.frontier(root, parts * threads, quest)? {
            Frontier::Solved(way) => return Ok(verdict(way, quest)),
            Frontier::Parts(parts) => parts,
        };
        while bound <= quest.deepest.min(LONGEST as u32) {
            quest.pass(bound);
            if let Some(way) = self.iterate(&frontier, bound, quest, threads)? {
                return Ok(Verdict::Solved(way));
            }
            // Every estimate has the parity of the steps to the homes.
            bound += 2;
        }
        Ok(Verdict::TooDeep)
    }

    /// The upper part of the tree, level by level, until there are enough parts to share.
    fn frontier(
        &self,
        root: Node,
        enough: usize,
        quest: &mut Quest<Tiles>,
    ) -> Result<Frontier, Stopped> {
        let mut parts = vec![Part {
            node: root,
            way: Vec::new(),
        }];
        let mut children = Vec::new();
        while parts.len() < enough {
            let mut deeper = Vec::with_capacity(2 * parts.len());
            for part in &parts {
                quest.examined += 1;
                children.clear();
                self.expand(&part.node, 0, &mut children);
                quest.control.visit_many(children.len() as u64)?;
                for child in children.iter_mut().rev() {
                    self.look_up(child);
                    let node = Self::node(&part.node, child, Self::sums(&part.node, child));
                    let arrived = self.automaton.states[node.state as usize].arrived;
                    let way: Vec<Direction> = part.way.iter().copied().chain(arrived).collect();
                    let is_wanted = part.way.is_empty() && !quest.first_moves.is_empty();
                    if is_wanted && !way.iter().all(|m| quest.first_moves.contains(m)) {
                        continue;
                    }
                    if node.steps == 0 {
                        return Ok(Frontier::Solved(way));
                    }
                    deeper.push(Part { node, way });
                }
            }
            if deeper.is_empty() {
                break;
            }
            parts = deeper;
        }
        Ok(Frontier::Parts(parts))
    }

    fn iterate(
        &self,
        parts: &[Part],
        bound: u32,
        quest: &mut Quest<Tiles>,
        threads: usize,
    ) -> Result<Option<Vec<Direction>>, Stopped> {
        let shared = Shared::new(parts, bound);
        // The helpers end with the search, or when they see that somebody has found a solution.
        let crew = Arc::new(Signals::default());
        let mut examined = 0;
        let end = thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .map(|_| {
                    let mut control = quest.control.helper(&crew);
                    let shared = &shared;
                    scope.spawn(move || {
                        let mut team = Team::new(self, shared);
                        // Stopped or not: the team of the search's own thread says so.
                        let _ = team.run(&mut control);
                        control.hand_in_nodes();
                        team.examined
                    })
                })
                .collect();
            let mut team = Team::new(self, &shared);
            let end = team.run(quest.control);
            if end.is_err() {
                shared.is_over.store(true, Ordering::Relaxed);
            }
            examined = team.examined
                + helpers
                    .into_iter()
                    .map(|helper| helper.join().unwrap_or(0))
                    .sum::<u64>();
            end
        });
        quest.examined += examined;
        let found = shared
            .found
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if found.is_none() {
            end.map(|()| None)
        } else {
            Ok(found)
        }
    }
}

fn verdict(way: Vec<Direction>, quest: &Quest<Tiles>) -> Verdict<Direction> {
    if way.len() as u32 > quest.deepest {
        Verdict::TooDeep
    } else {
        Verdict::Solved(way)
    }
}

enum Frontier {
    Solved(Vec<Direction>),
    Parts(Vec<Part>),
}

/// A part of the tree: its root, and the way there.
struct Part {
    node: Node,
    way: Vec<Direction>,
}

/// The moves that the steps and the entries say are left.
#[inline]
fn estimate(steps: u16, sums: [u8; VIEWS]) -> u32 {
    u32::from(steps) + 2 * u32::from(sums[0].max(sums[1]))
}
