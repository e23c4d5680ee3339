//! IDA* with Manhattan distance on boards of at most sixteen cells, made tight: the board in one word, the estimate kept
//! up to date move by move, and no branch that depends on what the tiles are.
//!
//! The open nodes of the depth-first search lie on a stack. All children of a node are put there, one over the other
//! where they are too far from the goal, so that only the number of those that stay depends on the tiles.

use super::automaton::{Automaton, State};
use super::{Direction, Position, Tiles};
use crate::control::Stopped;
use crate::pathfinding::{EnginePuzzle, SolveContext, SolveOutcome};
use crate::processor;

/// The most cells of a board that fits one word.
pub const MAX_CELLS: usize = 16;

/// Children of all open nodes: on boards this small no way is longer than a byte can count, and every node on it has at
/// most two more.
const STACK: usize = 1024;
/// Nodes between two looks at the control.
const CHUNK: u64 = 1024;
/// The most nodes that can turn out not to have been made: the later siblings of the nodes on the solution.
const RESERVE: u64 = 768;

/// A move in some state.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The tiles that the move takes one step farther from home, as bits.
    farther: u16,
    /// Where the tile is, in bits of the board.
    shift: u8,
    /// More than any slack where this is no move at all.
    penalty: u8,
    /// The state that follows.
    next: u32,
}

/// A state of the automaton, ready for the search.
#[derive(Clone, Copy, Debug)]
struct Row {
    edges: [Edge; 4],
    /// Where the blank is, in bits of the board.
    blank_shift: u8,
    count: u8,
    arrived: Direction,
}

/// An open node.
#[derive(Clone, Copy, Default)]
struct Open {
    /// Four bits a cell.
    board: u64,
    /// From the low bits: 32 of the state, 8 of the estimate, 8 of the slack, 8 of the depth.
    rest: u64,
}

const ESTIMATE: u32 = 32;
const SLACK: u32 = 40;
const DEPTH: u32 = 48;
/// What a step farther from home adds to a node where a step nearer was foreseen.
const FARTHER: u64 = (2_u64 << ESTIMATE).wrapping_sub(1 << SLACK);
/// Beyond every slack.
const NO_MOVE: u8 = 250;

impl Open {
    #[inline]
    fn slack(self) -> u8 {
        (self.rest >> SLACK) as u8
    }
}

/// A search for one board and goal, with one automaton.
pub struct ManhattanSearch {
    rows: Vec<Row>,
}

impl ManhattanSearch {
    /// A search that tries the automaton's moves. The board has at most [`MAX_CELLS`] cells.
    pub fn new(tiles: &Tiles, automaton: &Automaton) -> Self {
        let row = |state: &State| {
            let blank = usize::from(state.blank);
            let mut edges = [Edge {
                farther: 0,
                shift: 0,
                penalty: NO_MOVE,
                next: 0,
            }; 4];
            for (edge, step) in edges.iter_mut().zip(state.steps()) {
                *edge = Edge {
                    farther: tiles.taken_away(step.cell.into(), blank) as u16,
                    shift: 4 * step.cell,
                    penalty: 0,
                    next: step.next,
                };
            }
            Row {
                edges,
                blank_shift: 4 * state.blank,
                count: state.count,
                arrived: state.arrived.unwrap_or(Direction::Up),
            }
        };
        Self {
            rows: automaton.states.iter().map(row).collect(),
        }
    }

    /// Finds a shortest solution. It counts exactly as the general IDA* does, where the automaton does no more than not
    /// to undo a move.
    pub fn solve(
        &self,
        quest: &mut SolveContext<Tiles>,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        quest.control.visit()?;
        let tiles = quest.puzzle;
        let start = quest.start;
        let estimate = tiles.lower_bound(&start);
        if estimate == 0 {
            return Ok(SolveOutcome::Solved(Vec::new()));
        }
        let mut bound = estimate;
        while bound <= quest.deepest.min(u8::MAX.into()) {
            quest.report_bound(bound);
            let mut walk = TightContour {
                rows: &self.rows,
                quest,
                way: [Direction::Up; 256],
                made: 0,
            };
            let slack = (bound - estimate) / 2;
            let found = processor::run(
                #[inline(always)]
                || walk.run(&start, estimate, slack),
            );
            if let Some(way) = found? {
                return Ok(SolveOutcome::Solved(way));
            }
            // A move changes the estimate by one and adds one: every f has the same parity.
            bound += 2;
        }
        Ok(SolveOutcome::DepthLimit)
    }
}

/// One iteration.
struct TightContour<'r, 'q, 'a> {
    rows: &'r [Row],
    quest: &'q mut SolveContext<'a, Tiles>,
    way: [Direction; 256],
    /// Nodes made and not yet counted by the control.
    made: u64,
}

impl TightContour<'_, '_, '_> {
    #[inline(always)]
    fn run(
        &mut self,
        start: &Position,
        estimate: u32,
        slack: u32,
    ) -> Result<Option<Vec<Direction>>, Stopped> {
        let mut open = [Open::default(); STACK];
        let mut top = 0;
        let cells = start.cells[..MAX_CELLS].iter().rev();
        let root = Open {
            board: cells.fold(0, |board, &tile| board << 4 | u64::from(tile)),
            rest: u64::from(start.blank)
                | u64::from(estimate) << ESTIMATE
                | u64::from(slack) << SLACK,
        };
        let first = self.first_row(start.blank);
        self.expand(root, &first, 4, &mut open, &mut top);
        let mut chunk = self.next_chunk();
        while top > 0 {
            top -= 1;
            let node = open[top % STACK];
            let row = &self.rows[node.rest as u32 as usize];
            self.way[(node.rest >> DEPTH) as u8 as usize] = row.arrived;
            if (node.rest >> ESTIMATE) as u8 == 0 {
                return self.found((node.rest >> DEPTH) as usize, &first).map(Some);
            }
            self.expand(node, row, 3, &mut open, &mut top);
            if self.made >= chunk {
                self.quest.control.visit_many(self.made - RESERVE)?;
                self.made = RESERVE;
                chunk = self.next_chunk();
            }
        }
        self.quest
            .control
            .visit_many(std::mem::take(&mut self.made))?;
        Ok(None)
    }

    /// The moves at the root.
    fn first_row(&self, blank: u8) -> Row {
        self.rows[usize::from(blank)]
    }

    fn next_chunk(&self) -> u64 {
        RESERVE + CHUNK.min(self.quest.control.nodes_left().saturating_sub(RESERVE))
    }

    /// Puts the children of a node that are near enough to the goal on the stack, the first on top.
    #[inline(always)]
    fn expand(
        &mut self,
        node: Open,
        row: &Row,
        most: usize,
        stack: &mut [Open; STACK],
        top: &mut usize,
    ) {
        self.quest.examined += 1;
        self.made += u64::from(row.count);
        // One move deeper, one step nearer, in a state yet to be set.
        let nearer = (node.rest >> 32 << 32) + (1 << DEPTH) - (1 << ESTIMATE);
        for edge in row.edges[..most].iter().rev() {
            let tile = node.board >> edge.shift & 15;
            let farther = u64::from(edge.farther) >> tile & 1;
            stack[*top % STACK] = Open {
                board: node.board ^ tile << edge.shift ^ tile << row.blank_shift,
                rest: nearer.wrapping_add(farther.wrapping_mul(FARTHER)) | u64::from(edge.next),
            };
            *top += usize::from(farther as u8 + edge.penalty <= node.slack());
        }
    }

    /// Counts only what a search had made that makes one child at a time, and answers with the way.
    fn found(&mut self, length: usize, first: &Row) -> Result<Vec<Direction>, Stopped> {
        let mut row = *first;
        let way = &self.way[1..=length];
        for &direction in way {
            let edges = row.edges[..row.count.into()].iter();
            let nexts: Vec<Row> = edges.map(|edge| self.rows[edge.next as usize]).collect();
            let place = nexts
                .iter()
                .position(|next| next.arrived == direction)
                .unwrap_or(0);
            self.made -= (nexts.len() - place - 1) as u64;
            row = nexts[place];
        }
        let way = way.to_vec();
        self.quest
            .control
            .visit_many(std::mem::take(&mut self.made))?;
        Ok(way)
    }
}
