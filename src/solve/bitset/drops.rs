//! Drops: the moves before the movement phase and the tables begin, of tigers or of several goats at once. Verdicts on such positions follow from
//! those on *settled* positions, which have all tigers on the board and place goats one per turn.

use crate::error::EngineError;
use crate::games::hunt::{Hunt, Move, Position};
use crate::oracle::Verdict;
use crate::rules::{Game, Rules};
use crate::value::Side;

/// Returns the verdict on a settled position, with the goats as the first player, as in all tables.
pub(crate) type Probe<'a> = &'a mut dyn FnMut(&Position) -> Result<Option<Verdict>, EngineError>;

/// Returns `true` if tables can hold the position: all tigers are on the board, goats are placed one per turn, and
/// tigers move only after the first placement.
pub(crate) fn is_settled(game: &Hunt, position: &Position) -> bool {
    let goats_begun =
        u32::from(position.hand) + game.board.goats_placed.count_ones() < game.board.goats;
    let is_before_all = position.tigers_to_move && u32::from(position.hand) == game.board.goats;
    position.tigers_hand == 0 && !is_before_all && (game.board.places_one || goats_begun)
}

/// Returns every move with the position after it.
pub fn moves(game: &Hunt, position: &Position) -> Vec<(Move, Position)> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
        .into_iter()
        .map(|m| (m, game.play(position, m)))
        .collect()
}

/// Returns the verdict on a position, or `None` if it depends on an unknown one.
pub fn value(
    game: &Hunt,
    position: &Position,
    probe: Probe,
) -> Result<Option<Verdict>, EngineError> {
    if let Some(outcome) = game.outcome(position) {
        let in_tables = |side| {
            if side == game.board.goats_side {
                Side::P1
            } else {
                Side::P2
            }
        };
        let won = outcome.winner().map(|winner| (in_tables(winner), 0));
        return Ok(Some(Verdict(won)));
    }
    if is_settled(game, position) {
        return probe(position);
    }
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
        if best.is_none_or(|best| sort_key(value, mover) > sort_key(best, mover)) {
            best = Some(value);
        }
    }
    Ok(best)
}

/// Returns the moves that keep the verdict on a position: shortest wins, longest losses.
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

/// Returns a sort key for a side: more is better.
fn sort_key(value: Verdict, side: Side) -> i64 {
    const FAR: i64 = 1 << 40;
    match value.0 {
        None => 0,
        Some((winner, plies)) if winner == side => FAR - i64::from(plies),
        Some((_, plies)) => i64::from(plies) - FAR,
    }
}
