//! A finite-state machine that prunes duplicate positions from a depth-first search (Taylor and Korf, 1993).
//!
//! Example: six moves of the blank around a 2×2 square in one direction have the same effect as six moves in the other
//! direction, so a search needs only one of these sequences. A move sequence is *forbidden* if a better sequence from
//! the same blank cell has the same effect. Better means shorter, or equally long and earlier in the order of the
//! moves. A search follows the states of the automaton, which lack every move that would complete a forbidden
//! sequence.
//!
//! Unlike the automaton of Taylor and Korf, this automaton takes the edges of the board into account: it learns the
//! forbidden sequences separately for every start cell of the blank.
//!
//! Pruning keeps the first shortest solution in the order of the moves. If it contained a forbidden sequence, the
//! better sequence would give a shorter or earlier solution.

use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasherDefault;

use super::{Cells, Direction, Tiles};
use crate::control::Stopped;
use crate::games::key::Mix64Hasher;

/// Number of sequences extended between two calls of `poll`.
const SEQUENCES_PER_POLL: usize = 1 << 10;

/// A state of the automaton and its allowed moves. The alignment to 32 bytes keeps a state within one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct State {
    /// The cell of the blank.
    pub blank: u8,
    /// The move that leads to this state, or `None` in an initial state.
    pub(crate) last_move: Option<Direction>,
    /// Number of allowed moves.
    pub count: u8,
    /// The directions of the allowed moves, in the order of [`Direction::ALL`]. In this and the next two fields,
    /// only the first `count` elements are in use.
    directions: [Direction; 4],
    /// Indexed by allowed move: the blank's new cell.
    cells: [u8; 4],
    /// Indexed by allowed move: the index of the next state.
    next: [u32; 4],
}

/// An allowed move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The direction in which the blank moves.
    pub direction: Direction,
    /// The blank's new cell.
    pub cell: u8,
    /// The index of the next state.
    pub next: u32,
}

impl State {
    /// Returns the allowed moves, in the order of [`Direction::ALL`].
    #[inline(always)]
    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = Step> {
        let step = |index: usize| Step {
            direction: self.directions[index],
            cell: self.cells[index],
            next: self.next[index],
        };
        (0..usize::from(self.count).min(4)).map(step)
    }
}

/// The pruning automaton. State `cell` is the initial state for a blank on `cell`; the other states follow.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    /// All states.
    pub states: Vec<State>,
}

/// A move sequence, two bits per move. The last move is in the lowest bits.
type Sequence = u32;

impl Automaton {
    /// Learns all forbidden sequences of at most `max_length` moves, 2 to 16. With 2, the automaton forbids only a move
    /// followed by its inverse.
    ///
    /// Calls `poll` every few milliseconds and stops on its error.
    ///
    /// # Errors
    /// [`Stopped`] if `poll` returns it.
    pub(super) fn learn(
        tiles: &Tiles,
        max_length: usize,
        poll: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<Self, Stopped> {
        let mut trie = Trie::new(tiles);
        for (start, sequence, length) in forbidden(tiles, max_length, poll)? {
            trie.insert(tiles, start, sequence, length);
        }
        Ok(trie.into_automaton(tiles))
    }

    /// Returns the move that leads to `state`, or `None` for an initial state.
    pub(crate) fn last_move(&self, state: u32) -> Option<Direction> {
        self.states[state as usize].last_move
    }
}

/// The effect of a sequence: for every cell, the previous cell of its content.
type Effect = Cells;

/// The allowed sequences of one length from one start cell of the blank.
struct Level {
    /// The sequences, in ascending order.
    sequences: Vec<Sequence>,
    /// The effect of each sequence, and the blank's cell after it.
    ends: Vec<(Effect, u8)>,
}

/// Returns the forbidden sequences that do not end with a shorter forbidden sequence, each as the blank's start cell,
/// the moves, and the number of moves.
///
/// The search is breadth-first: for every start cell, it extends all allowed sequences by one move at a time.
fn forbidden(
    tiles: &Tiles,
    max_length: usize,
    poll: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Vec<(usize, Sequence, usize)>, Stopped> {
    let mut forbidden = Vec::new();
    // The effect of the empty sequence: the content of every cell stays.
    let identity: Effect = std::array::from_fn(|cell| cell as u8);
    let initial_level = |cell| Level {
        sequences: vec![0],
        ends: vec![(identity, cell as u8)],
    };
    let mut levels: Vec<Level> = (0..tiles.cell_count()).map(initial_level).collect();
    // Indexed by start cell: the effects of all sequences found so far.
    let mut effects = vec![
        HashSet::<Effect, BuildHasherDefault<Mix64Hasher>>::from_iter([identity]);
        levels.len()
    ];
    for length in 1..=max_length {
        let first_shift = 2 * (length - 1);
        let mut next_levels = Vec::with_capacity(levels.len());
        for (start, level) in levels.iter().enumerate() {
            let mut next_level = Level {
                sequences: Vec::new(),
                ends: Vec::new(),
            };
            let sequences = level.sequences.iter().zip(&level.ends).enumerate();
            for (index, (&sequence, &(effect, blank))) in sequences {
                if index % SEQUENCES_PER_POLL == 0 {
                    poll()?;
                }
                for direction in Direction::ALL {
                    let Some(cell) = tiles.neighbor(blank.into(), direction) else {
                        continue;
                    };
                    let sequence = sequence << 2 | direction as Sequence;
                    // Skip sequences that end with a shorter forbidden sequence: the sequence without its first move
                    // must be allowed.
                    let first = Direction::from((sequence >> first_shift) as u16);
                    let suffix = sequence & !(3 << first_shift);
                    let second_start = tiles.neighbor(start, first).unwrap_or(start);
                    if length > 1
                        && levels[second_start]
                            .sequences
                            .binary_search(&suffix)
                            .is_err()
                    {
                        continue;
                    }
                    let mut effect = effect;
                    effect.swap(cell, blank.into());
                    if effects[start].insert(effect) {
                        next_level.sequences.push(sequence);
                        next_level.ends.push((effect, cell as u8));
                    } else {
                        forbidden.push((start, sequence, length));
                    }
                }
            }
            next_levels.push(next_level);
        }
        levels = next_levels;
    }
    Ok(forbidden)
}

/// The forbidden sequences as a trie. Node `cell` is the root for sequences that start with the blank on `cell`.
struct Trie {
    nodes: Vec<Node>,
}

/// A node of the trie: the sequence of moves on the path from its root.
struct Node {
    /// The cell of the blank after the sequence.
    blank: usize,
    last_move: Option<Direction>,
    /// Indexed by direction: the index of the child.
    children: [Option<u32>; 4],
    /// `true` if the sequence is forbidden.
    is_forbidden: bool,
}

impl Trie {
    fn new(tiles: &Tiles) -> Self {
        let root = |blank| Node {
            blank,
            last_move: None,
            children: [None; 4],
            is_forbidden: false,
        };
        Self {
            nodes: (0..tiles.cell_count()).map(root).collect(),
        }
    }

    /// Inserts a forbidden sequence.
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
                    last_move: Some(direction),
                    children: [None; 4],
                    is_forbidden: false,
                });
                child
            };
        }
        self.nodes[node].is_forbidden = true;
    }

    /// Converts the trie to an automaton (Aho and Corasick, 1975).
    ///
    /// If a node has no child for a move, the move leads to the node of the longest suffix of the moves, including
    /// this move, in the trie.
    fn into_automaton(self, tiles: &Tiles) -> Automaton {
        const NO_NODE: u32 = u32::MAX;
        let count = self.nodes.len();
        let mut transitions = vec![[NO_NODE; 4]; count];
        // The node of the longest proper suffix of each node's moves in the trie.
        let mut suffix = vec![NO_NODE; count];
        let mut queue: VecDeque<usize> = (0..tiles.cell_count()).collect();
        while let Some(index) = queue.pop_front() {
            let node = &self.nodes[index];
            for direction in Direction::ALL {
                let Some(cell) = tiles.neighbor(node.blank, direction) else {
                    continue;
                };
                // The node of the longest suffix after the move. For a root, this is the root for the blank's new
                // cell.
                let fallback = match suffix[index] {
                    NO_NODE => cell as u32,
                    suffix => transitions[suffix as usize][direction as usize],
                };
                transitions[index][direction as usize] = match node.children[direction as usize] {
                    Some(child) => {
                        suffix[child as usize] = fallback;
                        queue.push_back(child as usize);
                        child
                    }
                    None => fallback,
                };
            }
        }
        let state_ids = self.state_ids();
        let state = |index: usize| {
            let node = &self.nodes[index];
            let mut state = State {
                blank: node.blank as u8,
                last_move: node.last_move,
                count: 0,
                directions: [Direction::Up; 4],
                cells: [node.blank as u8; 4],
                next: [0; 4],
            };
            for direction in Direction::ALL {
                let next = transitions[index][direction as usize];
                if next != NO_NODE && !self.nodes[next as usize].is_forbidden {
                    let index = usize::from(state.count);
                    state.directions[index] = direction;
                    state.cells[index] = self.nodes[next as usize].blank as u8;
                    state.next[index] = state_ids[next as usize];
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

    /// Returns the index of the state of each node. The elements of forbidden nodes, which have no state, are
    /// unused.
    fn state_ids(&self) -> Vec<u32> {
        let mut next = 0;
        let number = |node: &Node| {
            let number = next;
            next += u32::from(!node.is_forbidden);
            number
        };
        self.nodes.iter().map(number).collect()
    }
}
