//! A position and the game that led to it, which is where repetition is seen; and moves read as they are legal there.

use crate::error::EngineError;
use crate::rules::{Game, Notation, Outcome};

/// A position and the game that led to it, as far as repetition can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<G: Game> {
    steps: Vec<Step<G::Position>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step<P> {
    position: P,
    /// Plies since the last irreversible move.
    reversible: u16,
    /// How often the position has occurred, this time included.
    occurrence: u8,
    /// Whether any position since the last irreversible move has occurred twice.
    recurring: bool,
}

/// Two moves of each side: the fewest after which a position can occur again.
const SHORTEST_CYCLE: usize = 4;

impl<G: Game> Path<G> {
    /// A game that begins here.
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

    /// The position reached.
    #[inline]
    pub fn position(&self) -> &G::Position {
        &self.steps[self.steps.len() - 1].position
    }

    /// The positions so far, the one reached last.
    pub fn positions(&self) -> impl Iterator<Item = &G::Position> {
        self.steps.iter().map(|step| &step.position)
    }

    /// How many positions the path holds.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Never: a path holds at least the position where it began.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Goes on to `position`.
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
        // Behind the tail's end lies the new position: the one `back` plies earlier has the index `len - back`.
        let earlier = (SHORTEST_CYCLE..=tail.len())
            .step_by(2)
            .find(|back| tail[tail.len() - back].position == *position);
        earlier.map_or(1, |back| {
            tail[tail.len() - back].occurrence.saturating_add(1)
        })
    }

    /// Takes the last step back.
    #[inline]
    pub fn pop(&mut self) {
        self.steps.pop();
    }

    /// How often the position reached has occurred, this time included.
    pub fn occurrences(&self) -> u8 {
        self.steps[self.steps.len() - 1].occurrence
    }

    /// Whether the position reached occurs for the third time, which is a draw.
    #[inline]
    pub fn is_repetition(&self) -> bool {
        G::REPETITION && self.steps[self.steps.len() - 1].occurrence >= 3
    }

    /// Whether no position of the game so far can occur again: the last move was irreversible, or there was none.
    #[inline]
    pub fn history_cannot_recur(&self) -> bool {
        self.steps[self.steps.len() - 1].reversible == 0
    }

    /// The positions that have occurred twice and may occur again, which would be a draw.
    pub fn twice_occurred(&self) -> impl Iterator<Item = &G::Position> {
        let last = &self.steps[self.steps.len() - 1];
        let reversible = if last.recurring { last.reversible } else { 0 };
        let tail = self.steps.len() - 1 - usize::from(reversible).min(self.steps.len() - 1);
        let twice = self.steps[tail..]
            .iter()
            .filter(|step| step.occurrence == 2);
        twice.map(|step| &step.position)
    }

    /// Whether a draw by repetition may lie within `depth` plies. Where it may, a position's value depends on the way
    /// there, and no transposition table may be trusted with it or asked for it.
    ///
    /// A third occurrence takes two cycles of four plies, the second of which may still be to come; and none begins
    /// before an irreversible move that is sure to come.
    #[inline]
    pub fn may_repeat_within(&self, game: &G, depth: u32) -> bool {
        if !G::REPETITION {
            return false;
        }
        let last = &self.steps[self.steps.len() - 1];
        let may_repeat = depth > 0
            && last.reversible as usize + depth as usize >= 2 * SHORTEST_CYCLE
            && (last.recurring || depth as usize > SHORTEST_CYCLE);
        may_repeat && {
            let new_for = game.new_for(&last.position);
            new_for == 0 || depth as usize >= new_for as usize + 2 * SHORTEST_CYCLE
        }
    }

    /// How the game has ended here, if it has.
    #[inline(always)]
    pub fn outcome(&self, game: &G) -> Option<Outcome> {
        if self.is_repetition() {
            return Some(game.repetition_outcome());
        }
        game.outcome(self.position())
    }

    /// The legal moves here: none when the game is over.
    pub fn moves(&self, game: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.outcome(game).is_none() {
            game.moves(self.position(), &mut moves);
        }
        moves
    }
}

impl<G: Game + Notation> Path<G> {
    /// Reads a move and plays it; an illegal one changes nothing. The refusal goes on where the move was named:
    /// `is not legal here`.
    pub fn read_and_push(&mut self, game: &G, text: &str) -> Result<(), EngineError> {
        let m = read_legal(game, self.position(), &self.moves(game), text)?;
        let child = game.play(self.position(), m);
        self.push(game, child);
        Ok(())
    }
}

/// What the refusal of a move that can be read begins with, behind the move.
pub const ILLEGAL: &str = "is not legal here";

/// Reads one of the `legal` moves of a position. The refusal goes on where the move was named: `is not legal here`, with the
/// reason where the rules tell one.
pub fn read_legal<N: Notation>(
    game: &N,
    position: &N::Position,
    legal: &[N::Move],
    text: &str,
) -> Result<N::Move, EngineError> {
    let read = game.read_move(text);
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
