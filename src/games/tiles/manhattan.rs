//! IDA* with Manhattan distance on boards of at most 16 cells, optimized for speed.
//!
//! The board is one 64-bit word, and the estimate is updated incrementally. The depth-first search uses an explicit
//! stack instead of recursion. Every child is written to the top of the stack, but the stack grows only if the child is
//! within the bound. This avoids branches that depend on the tiles, which the CPU would often mispredict.
//!
//! The *bound* limits `f`, the depth plus the estimate. The *slack* of a node is half the difference between the bound
//! and `f`. A move toward home changes neither; a move away from home increases `f` by 2 and decreases the slack by 1.

use super::automaton::{Automaton, State};
use super::{Direction, Position, Tiles};
use crate::control::Stopped;
use crate::pathfinding::{EnginePuzzle, SolveContext, SolveOutcome};
use crate::processor;

/// Maximum number of cells of a board that fits into one word.
pub(crate) const MAX_CELLS: usize = 16;

/// Capacity of the stack, in nodes. A path has at most 255 moves, the maximum bound, and each node on it leaves at
/// most two siblings on the stack.
const STACK_SIZE: usize = 1024;
/// Number of generated nodes between two polls of the control.
const NODES_PER_POLL: u64 = 1024;
/// Maximum number of generated nodes to subtract from the count after a solution is found.
///
/// This search generates all children of a node at once. The general IDA* generates children one by one, so it skips
/// the later siblings of nodes on the solution: at most 3 for each of 255 nodes. This search subtracts them, so that
/// both searches report equal node counts. Since the control cannot subtract nodes, it counts the last generated
/// nodes only at the end of an iteration.
const MAX_SUBTRACTED_NODES: u64 = 768;

/// A move in a state of the automaton.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The set of tiles that this move takes farther from home. Bit `t` represents tile `t`.
    moving_away: u16,
    /// The bit offset of the tile's origin cell in the board.
    tile_shift: u8,
    /// 0 if the state has this move, otherwise [`NO_MOVE_PENALTY`].
    penalty: u8,
    /// The index of the next state.
    next: u32,
}

/// A state of the automaton, with precomputed data for its moves.
#[derive(Clone, Copy, Debug)]
struct SearchState {
    edges: [Edge; 4],
    /// The bit offset of the blank's cell in the board.
    blank_shift: u8,
    /// Number of moves.
    count: u8,
    /// The move that leads to this state. Unused in an initial state.
    last_move: Direction,
}

/// A node on the stack.
#[derive(Clone, Copy, Default)]
struct OpenNode {
    /// The tiles, four bits per cell.
    board: u64,
    /// From the lowest bits: the index of the state (32 bits), the estimate (8 bits), the slack (8 bits), the depth (8
    /// bits).
    packed: u64,
}

const ESTIMATE_SHIFT: u32 = 32;
const SLACK_SHIFT: u32 = 40;
const DEPTH_SHIFT: u32 = 48;
/// The correction of `packed` if the tile moves away from home. `packed` is first computed for a move toward home.
const AWAY_CORRECTION: u64 = (2_u64 << ESTIMATE_SHIFT).wrapping_sub(1 << SLACK_SHIFT);
/// The penalty of a missing move. It exceeds every slack, so the child is never within the bound.
const NO_MOVE_PENALTY: u8 = 250;

impl OpenNode {
    #[inline]
    fn slack(self) -> u8 {
        (self.packed >> SLACK_SHIFT) as u8
    }
}

/// IDA* for one board and goal with one automaton.
pub(crate) struct ManhattanSearch {
    /// Indexed by state of the automaton.
    states: Vec<SearchState>,
}

impl ManhattanSearch {
    /// Creates a search with the moves of `automaton`. The board must have at most [`MAX_CELLS`]
    /// cells.
    pub(super) fn new(tiles: &Tiles, automaton: &Automaton) -> Self {
        let search_state = |state: &State| {
            let blank = usize::from(state.blank);
            let mut edges = [Edge {
                moving_away: 0,
                tile_shift: 0,
                penalty: NO_MOVE_PENALTY,
                next: 0,
            }; 4];
            for (edge, step) in edges.iter_mut().zip(state.steps()) {
                *edge = Edge {
                    moving_away: tiles.tiles_moving_away(step.cell.into(), blank) as u16,
                    tile_shift: 4 * step.cell,
                    penalty: 0,
                    next: step.next,
                };
            }
            SearchState {
                edges,
                blank_shift: 4 * state.blank,
                count: state.count,
                last_move: state.last_move.unwrap_or(Direction::Up),
            }
        };
        Self {
            states: automaton.states.iter().map(search_state).collect(),
        }
    }

    /// Finds a shortest solution.
    ///
    /// If the automaton prunes only inverse moves, this search counts the same nodes as the general IDA* in
    /// [`crate::pathfinding`].
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
                states: &self.states,
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
            // A move changes the depth by 1 and the estimate by 1 or −1, so `f` keeps its parity.
            bound += 2;
        }
        Ok(SolveOutcome::DepthLimit)
    }
}

/// One iteration of IDA*: a depth-first search up to a bound.
struct Iteration<'s, 'c, 'a> {
    states: &'s [SearchState],
    context: &'c mut SolveContext<'a, Tiles>,
    /// The move to the current node of each depth. Element 0 is unused.
    path: [Direction; 256],
    /// Number of generated nodes not yet counted by the control.
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
        let initial = self.initial_state(start.blank);
        // Only the root has up to 4 moves. In all other states, the inverse of the last move is pruned.
        self.expand(root, &initial, 4, &mut open, &mut top);
        let mut next_poll = self.poll_threshold();
        while top > 0 {
            top -= 1;
            let node = open[top % STACK_SIZE];
            let state = &self.states[node.packed as u32 as usize];
            self.path[(node.packed >> DEPTH_SHIFT) as u8 as usize] = state.last_move;
            if (node.packed >> ESTIMATE_SHIFT) as u8 == 0 {
                return self
                    .solution((node.packed >> DEPTH_SHIFT) as usize, &initial)
                    .map(Some);
            }
            self.expand(node, state, 3, &mut open, &mut top);
            if self.generated >= next_poll {
                self.context
                    .control
                    .visit_many(self.generated - MAX_SUBTRACTED_NODES)?;
                self.generated = MAX_SUBTRACTED_NODES;
                next_poll = self.poll_threshold();
            }
        }
        self.context
            .control
            .visit_many(std::mem::take(&mut self.generated))?;
        Ok(None)
    }

    /// Returns the state of a start position with the blank on the cell `blank`.
    fn initial_state(&self, blank: u8) -> SearchState {
        self.states[usize::from(blank)]
    }

    /// Returns the value of `generated` at which the control is polled next.
    fn poll_threshold(&self) -> u64 {
        MAX_SUBTRACTED_NODES
            + NODES_PER_POLL.min(
                self.context
                    .control
                    .nodes_left()
                    .saturating_sub(MAX_SUBTRACTED_NODES),
            )
    }

    /// Pushes the children of `node` within the bound, the first child on top. Tries only the first `max_moves`
    /// moves of `state`.
    #[inline(always)]
    fn expand(
        &mut self,
        node: OpenNode,
        state: &SearchState,
        max_moves: usize,
        stack: &mut [OpenNode; STACK_SIZE],
        top: &mut usize,
    ) {
        self.context.expanded += 1;
        self.generated += u64::from(state.count);
        // The depth increases by 1 and the estimate decreases by 1. The state is 0 until the loop sets it.
        let toward_home = (node.packed >> 32 << 32) + (1 << DEPTH_SHIFT) - (1 << ESTIMATE_SHIFT);
        for edge in state.edges[..max_moves].iter().rev() {
            let tile = node.board >> edge.tile_shift & 15;
            let is_away = u64::from(edge.moving_away) >> tile & 1;
            stack[*top % STACK_SIZE] = OpenNode {
                board: node.board ^ tile << edge.tile_shift ^ tile << state.blank_shift,
                packed: toward_home.wrapping_add(is_away.wrapping_mul(AWAY_CORRECTION))
                    | u64::from(edge.next),
            };
            *top += usize::from(is_away as u8 + edge.penalty <= node.slack());
        }
    }

    /// Returns the solution of `length` moves. Subtracts the nodes that the general IDA* does not generate, see
    /// [`MAX_SUBTRACTED_NODES`].
    fn solution(
        &mut self,
        length: usize,
        initial: &SearchState,
    ) -> Result<Vec<Direction>, Stopped> {
        let mut state = *initial;
        let path = &self.path[1..=length];
        for &direction in path {
            let edges = state.edges[..state.count.into()].iter();
            let children: Vec<SearchState> =
                edges.map(|edge| self.states[edge.next as usize]).collect();
            let index = children
                .iter()
                .position(|next| next.last_move == direction)
                .unwrap_or(0);
            self.generated -= (children.len() - index - 1) as u64;
            state = children[index];
        }
        let path = path.to_vec();
        self.context
            .control
            .visit_many(std::mem::take(&mut self.generated))?;
        Ok(path)
    }
}
