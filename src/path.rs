//! [`Path`], the positions of a game so far, for detecting repetitions. Also reads legal moves.

use crate::error::EngineError;
use crate::rules::{Game, Notation, Outcome};

/// The positions of a game from its first position to the current one, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<G: Game> {
    steps: Vec<Step<G::Position>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step<P> {
    position: P,
    /// Number of plies since the last irreversible move. Earlier positions cannot occur again.
    reversible: u16,
    /// Number of occurrences of the position up to this step, including this step.
    occurrence: u8,
    /// `true` if any position since the last irreversible move has occurred at least twice.
    recurring: bool,
}

/// Minimum number of plies between two occurrences of a position: each side moves a piece away and back.
const SHORTEST_CYCLE: usize = 4;

impl<G: Game> Path<G> {
    /// Creates the path of a game that starts at `position`.
    pub fn new(position: G::Position) -> Self {
        Self {
            steps: vec![Step {
                position,
                reversible: 0,
                occurrence: 1,
                recurring: false,
            }],
        }
    }

    /// Returns the current position.
    #[inline]
    pub fn position(&self) -> &G::Position {
        &self.steps[self.steps.len() - 1].position
    }

    /// Returns all positions in order; the current position is the last.
    pub fn positions(&self) -> impl Iterator<Item = &G::Position> {
        self.steps.iter().map(|step| &step.position)
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns `false`: a path holds at least its first position.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Appends `position`, the result of a legal move.
    #[inline(always)]
    pub fn push(&mut self, game: &G, position: G::Position) {
        let mut step = Step {
            position,
            reversible: 0,
            occurrence: 1,
            recurring: false,
        };
        if G::REPETITION {
            let before = &self.steps[self.steps.len() - 1];
            if !game.irreversible(&before.position, &position) {
                step.reversible = before.reversible.saturating_add(1);
                step.recurring = before.recurring;
                if step.reversible as usize >= SHORTEST_CYCLE {
                    step.occurrence = self.occurrence(&position, step.reversible as usize);
                    step.recurring |= step.occurrence > 1;
                }
            }
        }
        self.steps.push(step);
    }

    #[inline(never)]
    fn occurrence(&self, position: &G::Position, reversible: usize) -> u8 {
        let end = self.steps.len();
        let tail = &self.steps[end.saturating_sub(reversible)..];
        // The new position is not part of `tail` yet, so the position `back` plies earlier has index `len - back`.
        // Equal positions have the same side to move, so `back` is even.
        let earlier = (SHORTEST_CYCLE..=tail.len())
            .step_by(2)
            .find(|back| tail[tail.len() - back].position == *position);
        earlier.map_or(1, |back| {
            tail[tail.len() - back].occurrence.saturating_add(1)
        })
    }

    /// Removes the last position, that is, takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        self.steps.pop();
    }

    /// Returns the number of occurrences of the current position, including now.
    pub fn occurrences(&self) -> u8 {
        self.steps[self.steps.len() - 1].occurrence
    }

    /// Returns `true` if the third occurrence of the current position ends the game.
    #[inline]
    pub fn is_repetition(&self) -> bool {
        G::REPETITION && self.steps[self.steps.len() - 1].occurrence >= 3
    }

    /// Returns `true` if no earlier position can occur again: the last move was irreversible, or there was no
    /// move.
    #[inline]
    pub(crate) fn history_cannot_recur(&self) -> bool {
        self.steps[self.steps.len() - 1].reversible == 0
    }

    /// Returns the positions that have occurred twice and can still occur a third time, which would end the game.
    pub fn twice_occurred(&self) -> impl Iterator<Item = &G::Position> {
        let last = &self.steps[self.steps.len() - 1];
        let reversible = if last.recurring { last.reversible } else { 0 };
        let tail = self.steps.len() - 1 - usize::from(reversible).min(self.steps.len() - 1);
        let twice = self.steps[tail..]
            .iter()
            .filter(|step| step.occurrence == 2);
        twice.map(|step| &step.position)
    }

    /// Returns `true` if a repetition may end the game within `depth` plies.
    ///
    /// If so, the value of the position depends on the moves that led to it. A transposition table must neither
    /// store nor return such a value, because its key does not contain these moves.
    ///
    /// A third occurrence takes two cycles of at least four plies each, and no cycle contains an irreversible move.
    #[inline]
    pub(crate) fn may_repeat_within(&self, game: &G, depth: u32) -> bool {
        if !G::REPETITION {
            return false;
        }
        let last = &self.steps[self.steps.len() - 1];
        let may_repeat = depth > 0
            && last.reversible as usize + depth as usize >= 2 * SHORTEST_CYCLE
            && (last.recurring || depth as usize > SHORTEST_CYCLE);
        may_repeat && {
            let recurrence_free_plies = game.recurrence_free_plies(&last.position);
            recurrence_free_plies == 0
                || depth as usize >= recurrence_free_plies as usize + 2 * SHORTEST_CYCLE
        }
    }

    /// Returns the outcome if the game is over.
    #[inline(always)]
    pub fn outcome(&self, game: &G) -> Option<Outcome> {
        if self.is_repetition() {
            return Some(game.repetition_outcome());
        }
        game.outcome(self.position())
    }

    /// Returns the legal moves. There are none if the game is over.
    pub fn moves(&self, game: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.outcome(game).is_none() {
            game.moves(self.position(), &mut moves);
        }
        moves
    }
}

impl<G: Game + Notation> Path<G> {
    /// Reads a move and plays it.
    ///
    /// # Errors
    /// If the move cannot be read or is illegal; the path is unchanged. The message is a predicate of the move,
    /// such as `is not legal here`.
    pub fn read_and_push(&mut self, game: &G, text: &str) -> Result<(), EngineError> {
        let m = read_legal(game, self.position(), &self.moves(game), text)?;
        let child = game.play(self.position(), m);
        self.push(game, child);
        Ok(())
    }
}

/// Returns the error of a move in a list, `why` being a predicate of the move. `index` counts from 0.
pub fn numbered_move(index: usize, text: &str, why: &EngineError) -> EngineError {
    EngineError::new(format!("move {}, '{text}', {why}", index + 1))
}

/// The start of the error message for an illegal move, which follows the text of the move.
pub(crate) const ILLEGAL: &str = "is not legal here";

/// Reads a move of `position` and checks that it is one of the `legal` moves.
///
/// # Errors
/// If the text is no move or the move is illegal. The message is a predicate of the move and includes the reason if
/// the rules give one.
pub fn read_legal<N: Notation>(
    game: &N,
    position: &N::Position,
    legal: &[N::Move],
    text: &str,
) -> Result<N::Move, EngineError> {
    let read = game.read_move_at(position, text);
    let m = read.map_err(|misread| EngineError::new(format!("is not {}", misread.expected)))?;
    if legal.contains(&m) {
        return Ok(m);
    }
    let reason = if legal.is_empty() {
        Some(String::from("the game is over"))
    } else {
        game.why_illegal(position, m)
    };
    let reason = reason.map(|reason| format!(": {reason}"));
    Err(EngineError::new(format!(
        "{ILLEGAL}{}",
        reason.unwrap_or_default()
    )))
}
