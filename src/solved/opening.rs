//! The value of a start from which drops lead to positions whose values are known: tables have all tigers on the board, and
//! goats that come one a turn.

use crate::error::Refusal;
use crate::games::hunt::{Hunt, Move, Position};
use crate::oracle::Verdict;
use crate::rules::{Game, Rules};
use crate::value::Side;

/// Asks for the value of a position; goats are the first player in it, as in all tables.
pub type Ask<'a> = &'a mut dyn FnMut(&Position) -> Result<Option<Verdict>, Refusal>;

/// Whether a position is one that tables have: all tigers stand on the board, and goats come one a turn from here.
pub fn is_settled(game: &Hunt, position: &Position) -> bool {
    let goats_begun =
        u32::from(position.hand) + game.board.goats_placed.count_ones() < game.board.goats;
    position.tigers_hand == 0 && (game.board.places_one || goats_begun)
}

/// Every move with the position after it.
pub fn moves(game: &Hunt, position: &Position) -> Vec<(Move, Position)> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
        .into_iter()
        .map(|m| (m, game.play(position, m)))
        .collect()
}

/// What becomes of a position; nothing where it rests on what is not known.
pub fn value(game: &Hunt, position: &Position, ask: Ask) -> Result<Option<Verdict>, Refusal> {
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
        return ask(position);
    }
    let mover = if position.tigers_to_move {
        Side::P2
    } else {
        Side::P1
    };
    let mut best: Option<Verdict> = None;
    for (_, after) in moves(game, position) {
        let Some(value) = value(game, &after, ask)?.map(before) else {
            return Ok(None);
        };
        if best.is_none_or(|best| rank(value, mover) > rank(best, mover)) {
            best = Some(value);
        }
    }
    Ok(best)
}

/// The moves that keep the value of a position: of wins the shortest, of losses the longest.
pub fn best_moves(game: &Hunt, position: &Position, ask: Ask) -> Result<Vec<Move>, Refusal> {
    let mut best = Vec::new();
    let Some(kept) = value(game, position, ask)? else {
        return Ok(best);
    };
    if game.outcome(position).is_none() {
        for (m, after) in moves(game, position) {
            if value(game, &after, ask)?.map(before) == Some(kept) {
                best.push(m);
            }
        }
    }
    Ok(best)
}

/// A value a ply farther from the end.
fn before(value: Verdict) -> Verdict {
    Verdict(value.0.map(|(winner, plies)| (winner, plies + 1)))
}

/// How good a value is for a side: more is better.
fn rank(value: Verdict, side: Side) -> i64 {
    const FAR: i64 = 1 << 40;
    match value.0 {
        None => 0,
        Some((winner, plies)) if winner == side => FAR - i64::from(plies),
        Some((_, plies)) => i64::from(plies) - FAR,
    }
}
