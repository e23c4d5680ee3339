//! Verdicts on positions that precede the tables, in games that start with *drops*: turns in which tigers are placed,
//! or several goats at once.
//!
//! Tables contain only *settled* positions: all tigers are on the board, and goats are placed one per turn. The verdict
//! on any other position is computed from the verdicts on its successors, down to settled positions.

use crate::error::EngineError;
use crate::games::hunt::{Hunt, Move, Position};
use crate::oracle::Verdict;
use crate::rules::{Game, Rules};
use crate::value::Side;

/// A function that returns the verdict on a settled position, or `None` if it is unknown. In the verdict, the goats are
/// the first player ([`Side::P1`]), as in all tables.
pub(crate) type Probe<'a> = &'a mut dyn FnMut(&Position) -> Result<Option<Verdict>, EngineError>;

/// Returns `true` if tables can contain the position: all tigers are on the board, every later placement is of one
/// goat, and if tigers are to move, at least one goat has been placed.
pub(crate) fn is_settled(game: &Hunt, position: &Position) -> bool {
    let is_after_first_placement =
        u32::from(position.hand) + game.board.goats_at_start < game.board.goats;
    let is_tiger_move_before_goats =
        position.tigers_to_move && u32::from(position.hand) == game.board.goats;
    position.tigers_hand == 0
        && !is_tiger_move_before_goats
        && (game.board.places_one || is_after_first_placement)
}

/// Returns every legal move with the position after it.
pub fn moves(game: &Hunt, position: &Position) -> Vec<(Move, Position)> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
        .into_iter()
        .map(|m| (m, game.play(position, m)))
        .collect()
}

/// Returns the verdict on a position, with the goats as the first player. Returns `None` if it depends on a settled
/// position whose verdict is unknown.
///
/// # Errors
/// If `probe` fails.
pub fn value(
    game: &Hunt,
    position: &Position,
    probe: Probe,
) -> Result<Option<Verdict>, EngineError> {
    if let Some(outcome) = game.outcome(position) {
        let side_in_tables = |side| {
            if side == game.board.goats_side {
                Side::P1
            } else {
                Side::P2
            }
        };
        let won = outcome.winner().map(|winner| (side_in_tables(winner), 0));
        return Ok(Some(Verdict::of_win(won)));
    }
    if is_settled(game, position) {
        return probe(position);
    }
    value_by_moves(game, position, probe)
}

/// Like [`value`], for a position with at least one move: its verdict follows from the positions after its moves.
///
/// # Errors
/// If `probe` fails.
pub(crate) fn value_by_moves(
    game: &Hunt,
    position: &Position,
    probe: Probe,
) -> Result<Option<Verdict>, EngineError> {
    let mover = if position.tigers_to_move {
        Side::P2
    } else {
        Side::P1
    };
    let mut best: Option<Verdict> = None;
    for (_, after) in moves(game, position) {
        let Some(value) = value(game, &after, probe)?.map(Verdict::one_ply_earlier) else {
            return Ok(None);
        };
        if best.is_none_or(|best| value.rank(mover) > best.rank(mover)) {
            best = Some(value);
        }
    }
    Ok(best)
}

/// Returns the moves that keep the verdict on a position, including its number of plies: the shortest wins, or the
/// draws, or the longest losses. Returns no moves if the verdict is unknown or the game is over.
///
/// # Errors
/// If `probe` fails.
pub fn best_moves(
    game: &Hunt,
    position: &Position,
    probe: Probe,
) -> Result<Vec<Move>, EngineError> {
    let mut best = Vec::new();
    let Some(best_value) = value(game, position, probe)? else {
        return Ok(best);
    };
    if game.outcome(position).is_none() {
        for (m, after) in moves(game, position) {
            if value(game, &after, probe)?.map(Verdict::one_ply_earlier) == Some(best_value) {
                best.push(m);
            }
        }
    }
    Ok(best)
}
