//! Rules of the hunt games, implemented with bitboards.

use super::board::{Board, MAX_POINTS, Points};
use super::mobility::{self, Mobility, MobilityState};
use super::position::{Move, Position, points_of};
use crate::games::key::mix64;
use crate::rules::{Game, Outcome, Rules};
use crate::value::Side;

/// A hunt game on a given board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hunt {
    /// Board and rules of the game.
    pub board: &'static Board,
}

impl Hunt {
    /// Creates the game of `board`.
    pub fn new(board: &'static Board) -> Self {
        Self { board }
    }

    /// Returns the number of captured goats.
    #[inline(always)]
    pub fn captured(&self, position: &Position) -> u32 {
        // Counts the bits alone in most games, because this is called at every node.
        let on_board = if self.board.has_stacks {
            position.goats_on_board()
        } else {
            position.goats.count_ones()
        };
        self.board.goats - u32::from(position.hand) - on_board
    }

    /// Returns the numbers of the tigers' steps and captures, whichever side is to move.
    #[inline(always)]
    pub(crate) fn mobility(&self, position: &Position) -> Mobility {
        MobilityState::new(self.board, position).mobility()
    }

    #[inline(always)]
    fn tigers_can_move(&self, position: &Position) -> bool {
        let empty = position.empty(self.board);
        if position.tigers_hand > 0 {
            return empty != 0;
        }
        points_of(position.tigers).any(|from| self.board.steps[from] & empty != 0)
            || mobility::captures(self.board, position) != 0
    }

    #[inline(always)]
    fn goats_can_move(&self, position: &Position) -> bool {
        let empty = position.empty(self.board);
        if position.hand > 0 {
            return empty & self.board.zone != 0;
        }
        let (steps, targets) = self.goat_steps(position);
        points_of(position.goats).any(|from| steps[from] & targets != 0)
    }

    /// Returns the points next to each point to which goats step, and the set of points that they may enter.
    #[inline(always)]
    fn goat_steps(&self, position: &Position) -> (&'static [Points; MAX_POINTS], Points) {
        let (board, empty) = (self.board, position.empty(self.board));
        if board.has_side_effects {
            return self.special_goat_steps(position, empty);
        }
        (&board.goat_steps, empty)
    }

    /// Implements [`Hunt::goat_steps`] for goats that turn or join.
    #[cold]
    fn special_goat_steps(
        &self,
        position: &Position,
        empty: Points,
    ) -> (&'static [Points; MAX_POINTS], Points) {
        let board = self.board;
        let steps = if position.goats_turned {
            &board.turned_goat_steps
        } else {
            &board.goat_steps
        };
        (steps, empty | position.goats & board.joins)
    }

    /// Returns `true` if a tiger has come to its goal. If the only tiger starts on its goal, it comes there with its
    /// moves, so the goats are to move, and the start position does not count.
    #[inline(always)]
    pub(super) fn has_reached_goal(&self, position: &Position) -> bool {
        position.tigers & self.board.tigers_goal != 0
            && (!self.board.starts_on_goal || !position.tigers_to_move && *position != self.start())
    }

    /// Returns the side that has won by reaching its goal, by captures, or by the tigers' trap or loss, if any. Ignores wins over
    /// a side that cannot move.
    #[inline(always)]
    fn goal_or_capture_winner(&self, position: &Position) -> Option<Side> {
        let board = self.board;
        if self.captured(position) >= board.captures_to_win {
            return Some(board.tigers_side());
        }
        if !board.has_goals {
            None
        } else if self.has_reached_goal(position) {
            Some(board.tigers_side())
        } else if position.tigers & board.tigers_trap != 0
            || board.goats_goal & !position.goats == 0
            || position.has_no_tigers()
        {
            Some(board.goats_side)
        } else {
            None
        }
    }

    /// Generates and counts the legal moves. `scratch` is scratch space; its length is restored.
    #[cold]
    fn count_moves_by_generating(&self, position: &Position, scratch: &mut Vec<Move>) -> u64 {
        let base = scratch.len();
        self.moves(position, scratch);
        let count = scratch.len() - base;
        scratch.truncate(base);
        count as u64
    }

    /// Appends the legal drops of a turn. `moves` does not call it in the common case of one goat per turn.
    #[cold]
    fn push_placements(&self, position: &Position, out: &mut Vec<Move>) {
        let board = self.board;
        let empty = position.empty(board);
        if position.tigers_to_move {
            let dropped = board.tigers_dropped(position.tigers_hand.into());
            board.push_placements(empty, dropped, out);
        } else {
            let dropped = board.goats_dropped(position.hand.into());
            board.push_placements(empty & board.zone, dropped, out);
            if board.may_pass_in_hand && empty & board.zone == 0 {
                out.push(Move::PASS);
            }
        }
    }

    /// Appends the steps of goats that may turn, join or pass.
    #[inline(never)]
    fn push_goat_steps(&self, position: &Position, out: &mut Vec<Move>) {
        let board = self.board;
        let base = out.len();
        let (steps, targets) = self.goat_steps(position);
        for from in points_of(position.goats) {
            out.extend(points_of(steps[from] & targets).map(|to| Move::go(from, to)));
        }
        if out.len() == base && board.stuck_goats_pass {
            out.push(Move::PASS);
        }
    }

    /// Implements [`Game::irreversible`] for boards with stacks.
    #[cold]
    fn is_irreversible_on_stacks(&self, before: &Position, after: &Position) -> bool {
        self.board.joins == 0 && before.stacked != after.stacked
            || after.goats_on_board() != before.goats_on_board()
            || before.tigers_hand != after.tigers_hand
    }

    /// Returns the position after a drop of one piece, a step or a leap.
    #[inline(always)]
    fn play_plain(&self, position: &Position, m: Move) -> Position {
        let (from, to) = (m.from(), m.to());
        let mut next = Position {
            tigers_to_move: !position.tigers_to_move,
            ..*position
        };
        if position.tigers_to_move {
            if from == to {
                next.tigers |= 1 << to;
                next.tigers_hand -= 1;
            } else {
                next.tigers ^= 1 << from | 1 << to;
                next.goats &= !self.board.between(from, to);
            }
        } else if from == to {
            next.goats |= 1 << to;
            next.hand -= 1;
        } else {
            next.goats ^= 1 << from | 1 << to;
        }
        next
    }

    /// Marks a position after a step of the tigers if only its history distinguishes it from the start. The only tiger has
    /// come back to its goal and has won. The mark is a tiger in hand, which such a game never has otherwise.
    #[cold]
    fn mark_return(&self, position: &mut Position) {
        if *position == self.start() {
            position.tigers_hand = 1;
        }
    }

    /// Returns the position after a multi-drop, a chain or a pass, or after any move with side effects.
    #[cold]
    fn play_special(&self, position: &Position, m: Move) -> Position {
        let mut next = if position.is_chain(m) {
            self.play_chain(position, m)
        } else if !m.is_special() && self.board.has_stacks && m.from() != m.to() {
            self.play_on_stacks(position, m)
        } else if !m.is_special() {
            self.play_plain(position, m)
        } else if let Some(number) = m.multi_drop_number() {
            position.after_multi_drop(self.board.multi_drop_points(number))
        } else {
            Position {
                tigers_to_move: !position.tigers_to_move,
                ..*position
            }
        };
        if self.board.has_huffs {
            next.tigers &= !self.huffed(position, m);
        }
        next.goats_turned ^= self.board.goats_turn && !self.can_step_ahead(&next);
        if self.board.may_return_to_start && position.tigers_to_move {
            self.mark_return(&mut next);
        }
        next
    }

    /// Returns the position after a step or leap, which adds or takes one goat of a stack.
    fn play_on_stacks(&self, position: &Position, m: Move) -> Position {
        let (board, from, to) = (self.board, m.from(), m.to());
        let mut next = Position {
            tigers_to_move: !position.tigers_to_move,
            ..*position
        };
        if position.tigers_to_move {
            next.tigers ^= 1 << from | 1 << to;
            for captured in points_of(board.between(from, to)) {
                next.take_goat(board, captured);
            }
        } else {
            next.take_goat(board, from);
            next.add_goat(board, to);
        }
        next
    }

    /// Returns the points from which tigers are removed after `m`: after a step of a tiger, those of all tigers that could have
    /// captured before it.
    pub(super) fn huffed(&self, position: &Position, m: Move) -> Points {
        let board = self.board;
        let is_step = position.tigers_to_move
            && !m.is_special()
            && m.from() != m.to()
            && board.between(m.from(), m.to()) == 0;
        if !is_step {
            return 0;
        }
        let captures = points_of(mobility::captures(board, position));
        let could_capture = captures.fold(0, |set: Points, triple| {
            set | 1 << board.triples[triple].jump(position.tigers).0
        });
        let moved = could_capture >> m.from() & 1;
        could_capture | moved << m.to()
    }

    /// Returns `true` if a goat could step forward, not sideways, whichever side is to move.
    fn can_step_ahead(&self, position: &Position) -> bool {
        let board = self.board;
        let targets = position.empty(board) | position.goats & board.joins;
        let (mut ahead, mut back) = (&board.goat_steps, &board.turned_goat_steps);
        if position.goats_turned {
            std::mem::swap(&mut ahead, &mut back);
        }
        points_of(position.goats).any(|from| ahead[from] & !back[from] & targets != 0)
    }

    /// Returns the hash key of the position with tigers on `tigers`, goats on `goats`, and the remaining fields of
    /// `position`.
    #[inline(always)]
    pub(super) fn key_of(&self, position: &Position, tigers: Points, goats: Points) -> u64 {
        let hands_and_side = u64::from(position.hand) << 1 | u64::from(position.tigers_to_move);
        if self.board.fits_in_u64 {
            return mix64(tigers | goats << 32 | hands_and_side << 57);
        }
        let hands_and_side = hands_and_side
            | u64::from(position.goats_turned) << 7
            | u64::from(position.tigers_hand) << 8
            | u64::from(u32::from_le_bytes(position.stacked)) << 16;
        mix64(goats.wrapping_add(mix64(tigers ^ mix64(hands_and_side))))
    }

    /// Returns `true` if the goats have no legal move after the tigers' move `m`.
    #[inline(always)]
    pub(super) fn leaves_goats_stuck(&self, position: &Position, m: Move) -> bool {
        position.hand == 0
            && !self.board.stuck_goats_pass
            && !self.goats_can_move(&self.play(position, m))
    }
}

impl Rules for Hunt {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        let board = self.board;
        Position {
            tigers: board.tigers,
            goats: board.goats_placed,
            hand: (board.goats - board.goats_at_start) as u8,
            stacked: board.stacked_at_start,
            tigers_hand: board.tigers_in_hand as u8,
            tigers_to_move: board.goats_side == Side::P2,
            ..Position::default()
        }
    }

    #[inline(always)]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let board = self.board;
        if self.goal_or_capture_winner(position).is_some() {
            return;
        }
        let empty = position.empty(board);
        if position.tigers_to_move {
            if position.tigers_hand > 0 {
                self.push_placements(position, out);
                return;
            }
            if board.has_chains {
                self.push_tiger_paths(position, out);
                return;
            }
            let state = MobilityState::new(board, position);
            let must_capture = board.must_capture && state.captures() != 0;
            let steps = if must_capture { 0 } else { empty };
            for from in points_of(position.tigers) {
                let targets = board.steps[from] & steps | state.landings(from);
                out.extend(points_of(targets).map(|to| Move::go(from, to)));
            }
        } else if position.hand > 0 {
            if board.has_simple_drops {
                out.extend(points_of(empty & board.zone).map(Move::place));
            } else {
                self.push_placements(position, out);
            }
        } else if board.has_simple_goat_steps {
            for from in points_of(position.goats) {
                out.extend(points_of(board.goat_steps[from] & empty).map(|to| Move::go(from, to)));
            }
        } else {
            self.push_goat_steps(position, out);
        }
    }

    #[inline(always)]
    fn play(&self, position: &Position, m: Move) -> Position {
        if m.is_special() || self.board.has_side_effects {
            return self.play_special(position, m);
        }
        self.play_plain(position, m)
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        self.key_of(position, position.tigers, position.goats)
    }

    #[inline(always)]
    fn count_moves(&self, position: &Position, scratch: &mut Vec<Move>) -> u64 {
        let board = self.board;
        if !board.has_standard_rules {
            return self.count_moves_by_generating(position, scratch);
        }
        if self.goal_or_capture_winner(position).is_some() {
            return 0;
        }
        let empty = position.empty(board);
        let steps = |pieces: Points| -> u32 {
            let steps = points_of(pieces).map(|from| (board.steps[from] & empty).count_ones());
            steps.sum()
        };
        let count = if position.tigers_to_move {
            steps(position.tigers) + mobility::captures(board, position).count_ones()
        } else if position.hand > 0 {
            empty.count_ones()
        } else {
            steps(position.goats)
        };
        count.into()
    }

    fn positions_at_most(&self) -> Option<u128> {
        Some(self.count_positions(self.board.spec.captures.unwrap_or(0)))
    }
}

impl Game for Hunt {
    const REPETITION: bool = true;

    #[inline(always)]
    fn side(&self, position: &Position) -> Side {
        if position.tigers_to_move {
            self.board.tigers_side()
        } else {
            self.board.goats_side
        }
    }

    #[inline(always)]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let board = self.board;
        if let Some(winner) = self.goal_or_capture_winner(position) {
            Some(Outcome::Won(winner))
        } else if position.tigers_to_move {
            (!self.tigers_can_move(position)).then_some(Outcome::Won(board.goats_side))
        } else {
            let is_stuck = !board.stuck_goats_pass && !self.goats_can_move(position);
            is_stuck.then_some(Outcome::Won(board.tigers_side()))
        }
    }

    #[inline(always)]
    fn irreversible(&self, before: &Position, after: &Position) -> bool {
        if self.board.has_stacks {
            return self.is_irreversible_on_stacks(before, after);
        }
        let (lost, gained) = (before.goats & !after.goats, after.goats & !before.goats);
        let is_captured = lost != 0 && gained == 0;
        is_captured || before.hand != after.hand || before.tigers_hand != after.tigers_hand
    }

    /// Returns the number of plies up to the last drop of a goat. Until then, goats are dropped in every second ply.
    /// Drops are irreversible, so no earlier position can recur. Returns 0 if the goats may have to pass while goats
    /// are in hand.
    #[inline(always)]
    fn recurrence_free_plies(&self, position: &Position) -> u32 {
        if self.board.may_pass_in_hand {
            return 0;
        }
        let goats_turns = self.board.turns_to_place(position.hand.into());
        (2 * goats_turns).saturating_sub(u32::from(!position.tigers_to_move))
    }

    #[inline(always)]
    fn repetition_outcome(&self) -> Outcome {
        self.board
            .infinite_play_winner()
            .map_or(Outcome::Draw, Outcome::Won)
    }

    fn symmetries(&self) -> usize {
        self.board.symmetries.len()
    }

    fn canonical(&self, position: &Position) -> Position {
        self.canonical_position(position)
    }
}
