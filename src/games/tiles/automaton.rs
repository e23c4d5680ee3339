//! A finite-state machine that walks along with a depth-first search and leaves out the moves that make a position some
//! other way makes as quickly (Taylor and Korf, 1993).
//!
//! Here the machine knows the board's borders: it is learnt for every cell on which the blank can begin. A sequence of
//! moves is forbidden if a shorter one, or an equally long one that is tried before, has the same effect from that cell.
//! The first of the shortest solutions, in the order of the moves, never contains a forbidden sequence: put the other
//! one in its place, and an earlier or shorter solution results.

use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasherDefault;

use super::{Cells, Direction, Tiles};
use crate::control::Stopped;
use crate::games::key::Scatterer;

/// Sequences that are made longer between two questions whether to go on.
const SEQUENCES_PER_QUESTION: usize = 1 << 10;

/// The moves that are tried in some state. Half a line of the cache, so that a search waits for one only.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct State {
    /// The blank's cell.
    pub blank: u8,
    /// The direction of the last move; none at the beginning.
    pub arrived: Option<Direction>,
    /// How many moves there are.
    pub count: u8,
    /// The moves, in their order: where the blank goes, the cell it goes to, the state that follows.
    directions: [Direction; 4],
    cells: [u8; 4],
    next: [u32; 4],
}

/// A move that is tried.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where the blank goes.
    pub direction: Direction,
    /// The cell it goes to.
    pub cell: u8,
    /// The state that follows.
    pub next: u32,
}

impl State {
    /// The moves, in their order.
    #[inline(always)]
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = Step> {
        let step = |index: usize| Step {
            direction: self.directions[index],
            cell: self.cells[index],
            next: self.next[index],
        };
        (0..usize::from(self.count).min(4)).map(step)
    }
}

/// The machine. Its first states are those at the beginning, by the blank's cell.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// All states.
    pub states: Vec<State>,
}

/// Two bits a move, the first in the highest ones.
type Sequence = u32;

impl Automaton {
    /// Learns all forbidden sequences of up to `longest` moves, at least 2 and at most 16. With 2 they are those that undo a
    /// move. `watch` is asked every few milliseconds whether to go on.
    pub fn learn(
        tiles: &Tiles,
        longest: usize,
        watch: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Self, Stopped> {
        let mut trie = Trie::new(tiles);
        for (start, sequence, length) in forbidden(tiles, longest, watch)? {
            trie.insert(tiles, start, sequence, length);
        }
        Ok(trie.into_automaton(tiles))
    }

    /// The direction of the last move; none at the beginning.
    pub fn arrived(&self, state: u32) -> Option<Direction> {
        self.states[state as usize].arrived
    }
}

/// What a sequence has made of the board: what was on which cell is where.
type Effect = Cells;

/// The sequences of one length from one cell that are still tried, in their order, with what each has made of the board
/// and where it has left the blank.
struct Level {
    sequences: Vec<Sequence>,
    ends: Vec<(Effect, u8)>,
}

/// The shortest forbidden sequences: start, moves and length.
fn forbidden(
    tiles: &Tiles,
    longest: usize,
    watch: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Vec<(usize, Sequence, usize)>, Stopped> {
    let mut forbidden = Vec::new();
    // At the beginning every cell bears its own number, and one of them is the blank.
    let untouched: Effect = std::array::from_fn(|cell| cell as u8);
    let begin = |cell| Level {
        sequences: vec![0],
        ends: vec![(untouched, cell as u8)],
    };
    let mut levels: Vec<Level> = (0..tiles.cell_count()).map(begin).collect();
    let mut made = vec![
        HashSet::<Effect, BuildHasherDefault<Scatterer>>::from_iter([untouched]);
        levels.len()
    ];
    for length in 1..=longest {
        let first_shift = 2 * (length - 1);
        let mut longer = Vec::with_capacity(levels.len());
        for (start, level) in levels.iter().enumerate() {
            let mut kept = Level {
                sequences: Vec::new(),
                ends: Vec::new(),
            };
            let sequences = level.sequences.iter().zip(&level.ends).enumerate();
            for (index, (&sequence, &(effect, blank))) in sequences {
                if index % SEQUENCES_PER_QUESTION == 0 {
                    watch()?;
                }
                for direction in Direction::ALL {
                    let Some(cell) = tiles.neighbor(blank.into(), direction) else {
                        continue;
                    };
                    let sequence = sequence << 2 | direction as Sequence;
                    // The sequence without its first move must be one that is tried, or a shorter forbidden one ends it.
                    let first = Direction::from((sequence >> first_shift) as u16);
                    let tail = sequence & !(3 << first_shift);
                    let second_start = tiles.neighbor(start, first).unwrap_or(start);
                    if length > 1 && levels[second_start].sequences.binary_search(&tail).is_err() {
                        continue;
                    }
                    let mut effect = effect;
                    effect.swap(cell, blank.into());
                    if made[start].insert(effect) {
                        kept.sequences.push(sequence);
                        kept.ends.push((effect, cell as u8));
                    } else {
                        forbidden.push((start, sequence, length));
                    }
                }
            }
            longer.push(kept);
        }
        levels = longer;
    }
    Ok(forbidden)
}

/// The forbidden sequences as a tree; its first nodes are the empty sequences, one for every cell of the blank.
struct Trie {
    nodes: Vec<Node>,
}

struct Node {
    blank: usize,
    arrived: Option<Direction>,
    children: [Option<u32>; 4],
    is_forbidden: bool,
}

impl Trie {
    fn new(tiles: &Tiles) -> Self {
        let empty = |blank| Node {
            blank,
            arrived: None,
            children: [None; 4],
            is_forbidden: false,
        };
        Self {
            nodes: (0..tiles.cell_count()).map(empty).collect(),
        }
    }

    fn insert(&mut self, tiles: &Tiles, start: usize, sequence: Sequence, length: usize) {
        let mut node = start;
        for index in (0..length).rev() {
            let direction = Direction::from((sequence >> (2 * index)) as u16);
            node = if let Some(child) = self.nodes[node].children[direction as usize] {
                child as usize
            } else {
                let blank = self.nodes[node].blank;
                let blank = tiles.neighbor(blank, direction).unwrap_or(blank);
                let child = self.nodes.len();
                self.nodes[node].children[direction as usize] = Some(child as u32);
                self.nodes.push(Node {
                    blank,
                    arrived: Some(direction),
                    children: [None; 4],
                    is_forbidden: false,
                });
                child
            };
        }
        self.nodes[node].is_forbidden = true;
    }

    /// Where every node goes with every move: to its child, or else to where the longest tail of its sequence that is
    /// in the tree goes (Aho and Corasick, 1975).
    fn into_automaton(self, tiles: &Tiles) -> Automaton {
        const NOWHERE: u32 = u32::MAX;
        let count = self.nodes.len();
        let mut goes = vec![[NOWHERE; 4]; count];
        let mut tail = vec![NOWHERE; count];
        let mut queue: VecDeque<usize> = (0..tiles.cell_count()).collect();
        while let Some(index) = queue.pop_front() {
            let node = &self.nodes[index];
            for direction in Direction::ALL {
                let Some(cell) = tiles.neighbor(node.blank, direction) else {
                    continue;
                };
                // An empty sequence has no tail: what follows it begins anew where the blank then is.
                let without = match tail[index] {
                    NOWHERE => cell as u32,
                    tail => goes[tail as usize][direction as usize],
                };
                goes[index][direction as usize] = match node.children[direction as usize] {
                    Some(child) => {
                        tail[child as usize] = without;
                        queue.push_back(child as usize);
                        child
                    }
                    None => without,
                };
            }
        }
        let numbers = self.numbered();
        let state = |index: usize| {
            let node = &self.nodes[index];
            let mut state = State {
                blank: node.blank as u8,
                arrived: node.arrived,
                count: 0,
                directions: [Direction::Up; 4],
                cells: [node.blank as u8; 4],
                next: [0; 4],
            };
            for direction in Direction::ALL {
                let next = goes[index][direction as usize];
                if next != NOWHERE && !self.nodes[next as usize].is_forbidden {
                    let index = usize::from(state.count);
                    state.directions[index] = direction;
                    state.cells[index] = self.nodes[next as usize].blank as u8;
                    state.next[index] = numbers[next as usize];
                    state.count += 1;
                }
            }
            state
        };
        let states = (0..count)
            .filter(|&index| !self.nodes[index].is_forbidden)
            .map(state)
            .collect();
        Automaton { states }
    }

    /// The numbers of the nodes once the forbidden ones are left out.
    fn numbered(&self) -> Vec<u32> {
        let mut next = 0;
        let number = |node: &Node| {
            let number = next;
            next += u32::from(!node.is_forbidden);
            number
        };
        self.nodes.iter().map(number).collect()
    }
}
