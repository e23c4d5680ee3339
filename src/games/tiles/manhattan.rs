//! IDA* with Manhattan distance on boards of at most 16 cells, optimized for speed.
//!
//! The board is one 64-bit word, and the estimate is updated incrementally. The depth-first search uses an explicit
//! stack. Every child is written to the top of the stack, but the top advances only if the child is within the
//! bound. So no branch depends on the tiles.

use super::automaton::{Automaton, State};
use super::{Direction, Position, Tiles};
use crate::control::Stopped;
use crate::pathfinding::{EnginePuzzle, SolveContext, SolveOutcome};
use crate::processor;

/// Maximum number of cells of a board that fits into one word.
pub(crate) const MAX_CELLS: usize = 16;

/// Capacity of the stack, in nodes. A path has at most 255 moves on these boards, and each node on the path leaves
/// at most two siblings on the stack.
const STACK_SIZE: usize = 1024;
/// Number of generated nodes between two polls of the control.
const NODES_PER_POLL: u64 = 1024;
/// Maximum number of generated nodes that may turn out not to count: the later siblings of the nodes on the
/// solution.
const UNCERTAIN_NODES: u64 = 768;

/// A move in a state of the automaton.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The tiles, as bits, whose distance from home grows by the move.
    away: u16,
    /// The bit offset of the tile in the board.
    shift: u8,
    /// 0, or [`NO_MOVE_PENALTY`] if the state has no such move.
    penalty: u8,
    /// The next state.
    next: u32,
}

/// A state of the automaton with precomputed moves.
#[derive(Clone, Copy, Debug)]
struct Row {
    edges: [Edge; 4],
    /// The bit offset of the blank in the board.
    blank_shift: u8,
    count: u8,
    last_move: Direction,
}

/// A node on the stack.
#[derive(Clone, Copy, Default)]
struct OpenNode {
    /// The tiles, four bits per cell.
    board: u64,
    /// From the lowest bits: 32 bits state, 8 bits estimate, 8 bits slack, 8 bits depth.
    packed: u64,
}

const ESTIMATE_SHIFT: u32 = 32;
const SLACK_SHIFT: u32 = 40;
const DEPTH_SHIFT: u32 = 48;
/// Added to `packed` if the tile moves away from home. Children are first created as if it moved toward home.
const AWAY_CORRECTION: u64 = (2_u64 << ESTIMATE_SHIFT).wrapping_sub(1 << SLACK_SHIFT);
/// Larger than any slack.
const NO_MOVE_PENALTY: u8 = 250;

impl OpenNode {
    #[inline]
    fn slack(self) -> u8 {
        (self.packed >> SLACK_SHIFT) as u8
    }
}

/// IDA* for one board and goal with one automaton.
pub(crate) struct ManhattanSearch {
    rows: Vec<Row>,
}

impl ManhattanSearch {
    /// Prepares a search that uses the moves of `automaton`. The board has at most [`MAX_CELLS`] cells.
    pub(super) fn new(tiles: &Tiles, automaton: &Automaton) -> Self {
        let row = |state: &State| {
            let blank = usize::from(state.blank);
            let mut edges = [Edge {
                away: 0,
                shift: 0,
                penalty: NO_MOVE_PENALTY,
                next: 0,
            }; 4];
            for (edge, step) in edges.iter_mut().zip(state.steps()) {
                *edge = Edge {
                    away: tiles.tiles_moving_away(step.cell.into(), blank) as u16,
                    shift: 4 * step.cell,
                    penalty: 0,
                    next: step.next,
                };
            }
            Row {
                edges,
                blank_shift: 4 * state.blank,
                count: state.count,
                last_move: state.last_move.unwrap_or(Direction::Up),
            }
        };
        Self {
            rows: automaton.states.iter().map(row).collect(),
        }
    }

    /// Finds a shortest solution.
    ///
    /// If the automaton prunes inverse moves only, the node counts are those of the general IDA*.
    ///
    /// # Errors
    /// [`Stopped`] if the control stops the search.
    pub(super) fn solve(
        &self,
        context: &mut SolveContext<Tiles>,
    ) -> Result<SolveOutcome<Direction>, Stopped> {
        context.control.visit()?;
        let tiles = context.puzzle;
        let start = context.start;
        let estimate = tiles.lower_bound(&start);
        if estimate == 0 {
            return Ok(SolveOutcome::Solved(Vec::new()));
        }
        let mut bound = estimate;
        while bound <= context.max_depth.min(u8::MAX.into()) {
            context.report_bound(bound);
            let mut iteration = Iteration {
                rows: &self.rows,
                context,
                path: [Direction::Up; 256],
                generated: 0,
            };
            let slack = (bound - estimate) / 2;
            let solution = processor::run(
                #[inline(always)]
                || iteration.run(&start, estimate, slack),
            );
            if let Some(path) = solution? {
                return Ok(SolveOutcome::Solved(path));
            }
            // A move changes g by 1 and h by ±1, so f keeps its parity.
            bound += 2;
        }
        Ok(SolveOutcome::DepthLimit)
    }
}

/// One depth-first iteration.
struct Iteration<'r, 'q, 'a> {
    rows: &'r [Row],
    context: &'q mut SolveContext<'a, Tiles>,
    path: [Direction; 256],
    /// Number of generated nodes that the control has not counted yet.
    generated: u64,
}

impl Iteration<'_, '_, '_> {
    #[inline(always)]
    fn run(
        &mut self,
        start: &Position,
        estimate: u32,
        slack: u32,
    ) -> Result<Option<Vec<Direction>>, Stopped> {
        let mut open = [OpenNode::default(); STACK_SIZE];
        let mut top = 0;
        let cells = start.cells[..MAX_CELLS].iter().rev();
        let root = OpenNode {
            board: cells.fold(0, |board, &tile| board << 4 | u64::from(tile)),
            packed: u64::from(start.blank)
                | u64::from(estimate) << ESTIMATE_SHIFT
                | u64::from(slack) << SLACK_SHIFT,
        };
        let first = self.first_row(start.blank);
        self.expand(root, &first, 4, &mut open, &mut top);
        let mut next_poll = self.poll_threshold();
        while top > 0 {
            top -= 1;
            let node = open[top % STACK_SIZE];
            let row = &self.rows[node.packed as u32 as usize];
            self.path[(node.packed >> DEPTH_SHIFT) as u8 as usize] = row.last_move;
            if (node.packed >> ESTIMATE_SHIFT) as u8 == 0 {
                return self
                    .solution((node.packed >> DEPTH_SHIFT) as usize, &first)
                    .map(Some);
            }
            self.expand(node, row, 3, &mut open, &mut top);
            if self.generated >= next_poll {
                self.context
                    .control
                    .visit_many(self.generated - UNCERTAIN_NODES)?;
                self.generated = UNCERTAIN_NODES;
                next_poll = self.poll_threshold();
            }
        }
        self.context
            .control
            .visit_many(std::mem::take(&mut self.generated))?;
        Ok(None)
    }

    /// Returns the moves at the root.
    fn first_row(&self, blank: u8) -> Row {
        self.rows[usize::from(blank)]
    }

    fn poll_threshold(&self) -> u64 {
        UNCERTAIN_NODES
            + NODES_PER_POLL.min(
                self.context
                    .control
                    .nodes_left()
                    .saturating_sub(UNCERTAIN_NODES),
            )
    }

    /// Pushes the children that are within the bound, the first child on top.
    #[inline(always)]
    fn expand(
        &mut self,
        node: OpenNode,
        row: &Row,
        max_moves: usize,
        stack: &mut [OpenNode; STACK_SIZE],
        top: &mut usize,
    ) {
        self.context.expanded += 1;
        self.generated += u64::from(row.count);
        // Depth plus 1, estimate minus 1. The state is added below.
        let toward = (node.packed >> 32 << 32) + (1 << DEPTH_SHIFT) - (1 << ESTIMATE_SHIFT);
        for edge in row.edges[..max_moves].iter().rev() {
            let tile = node.board >> edge.shift & 15;
            let away = u64::from(edge.away) >> tile & 1;
            stack[*top % STACK_SIZE] = OpenNode {
                board: node.board ^ tile << edge.shift ^ tile << row.blank_shift,
                packed: toward.wrapping_add(away.wrapping_mul(AWAY_CORRECTION))
                    | u64::from(edge.next),
            };
            *top += usize::from(away as u8 + edge.penalty <= node.slack());
        }
    }

    /// Returns the solution, and counts only the nodes that a search would have generated child by child.
    fn solution(&mut self, length: usize, first: &Row) -> Result<Vec<Direction>, Stopped> {
        let mut row = *first;
        let path = &self.path[1..=length];
        for &direction in path {
            let edges = row.edges[..row.count.into()].iter();
            let children: Vec<Row> = edges.map(|edge| self.rows[edge.next as usize]).collect();
            let index = children
                .iter()
                .position(|next| next.last_move == direction)
                .unwrap_or(0);
            self.generated -= (children.len() - index - 1) as u64;
            row = children[index];
        }
        let path = path.to_vec();
        self.context
            .control
            .visit_many(std::mem::take(&mut self.generated))?;
        Ok(path)
    }
}
