//! Values of positions before the tables: tigers in hand, or several goats dropped at once. They follow from positions
//! that tables hold.

use std::path::Path;

use super::probe::Tables;
use crate::error::EngineError;
use crate::games::hunt::{Board, Hunt, Move, Position};
use crate::oracle::{Oracle, Verdict};
use crate::rules::{Game, Rules};
use crate::solve::bitset::rank::{MAX_DIMENSIONS, MAX_TIGERS};
use crate::value::Side;

/// Returns the verdict on a settled position, with the goats as the first player, as in all tables.
pub type Ask<'a> = &'a mut dyn FnMut(&Position) -> Result<Option<Verdict>, EngineError>;

/// Returns `true` if tables can hold the position: all tigers are on the board, goats are placed one per turn, and
/// tigers move only after
/// the first placement.
pub fn is_settled(game: &Hunt, position: &Position) -> bool {
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
pub fn value(game: &Hunt, position: &Position, ask: Ask) -> Result<Option<Verdict>, EngineError> {
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
        let Some(value) = value(game, &after, ask)?.map(Verdict::one_ply_earlier) else {
            return Ok(None);
        };
        if best.is_none_or(|best| rank(value, mover) > rank(best, mover)) {
            best = Some(value);
        }
    }
    Ok(best)
}

/// Returns the moves that keep the verdict on a position: shortest wins, longest losses.
pub fn best_moves(game: &Hunt, position: &Position, ask: Ask) -> Result<Vec<Move>, EngineError> {
    let mut best = Vec::new();
    let Some(kept) = value(game, position, ask)? else {
        return Ok(best);
    };
    if game.outcome(position).is_none() {
        for (m, after) in moves(game, position) {
            if value(game, &after, ask)?.map(Verdict::one_ply_earlier) == Some(kept) {
                best.push(m);
            }
        }
    }
    Ok(best)
}

/// Tables for a game that may begin with drops, and in which the goats may be the second player.
#[derive(Debug)]
pub struct DropPhaseTables {
    game: Hunt,
    tables: Tables,
}

impl DropPhaseTables {
    /// Opens a game's tables in a folder. See [`Tables::open`].
    pub fn open(game: &Hunt, folder: &Path) -> Result<(Self, Vec<EngineError>), EngineError> {
        Self::open_within(game, folder, 0)
    }

    /// Opens a game's tables with a cache of `memory` bytes. See [`Tables::open_within`].
    pub fn open_within(
        game: &Hunt,
        folder: &Path,
        memory: u64,
    ) -> Result<(Self, Vec<EngineError>), EngineError> {
        let board = can_have_tables(game.board)?;
        let (tables, complaints) = Tables::open_within(folder, board, memory)?;
        let opened = Self {
            game: *game,
            tables,
        };
        Ok((opened, complaints))
    }
}

impl Oracle<Hunt> for DropPhaseTables {
    fn ask(&self, position: &Position) -> Result<Option<Verdict>, EngineError> {
        if self.game.board.has_standard_rules {
            return self.tables.probe(position);
        }
        let known = value(&self.game, position, &mut |settled| {
            self.tables.probe(settled)
        })?;
        Ok(known.map(|verdict| match self.game.board.goats_side {
            Side::P1 => verdict,
            Side::P2 => Verdict(verdict.0.map(|(winner, plies)| (winner.other(), plies))),
        }))
    }

    fn answers(&self) -> u64 {
        self.tables.hits()
    }
}

/// Minimum free points of boards with tables. Smaller games are solved in memory at once.
const MIN_DIMENSIONS: u32 = 15;

/// Returns the board of which this game's tables are made.
///
/// # Errors
/// If the rules differ from those of Aadu Puli in more than: numbers; start, with all prey in hand or all on the
/// board; steps of the
/// prey; and the fate of prey that cannot move.
pub fn can_have_tables(board: &'static Board) -> Result<&'static Board, EngineError> {
    let hunters = board.spec.hunters;
    let free = board.points as u32 - hunters;
    let numbers_fit = (MIN_DIMENSIONS..=MAX_DIMENSIONS).contains(&free) && hunters <= MAX_TIGERS;
    let of_tables = board.table_board().filter(|_| numbers_fit);
    of_tables.ok_or_else(|| EngineError::new(format!(
        "{} has no tables: they are made of games with {MIN_DIMENSIONS} to {MAX_DIMENSIONS} points beside up to {MAX_TIGERS} hunters, \
         which stand on the board or are dropped at once; all prey begin in hand, or all on the board; anybody may go anywhere, \
         captures are free, nobody has a goal, and a game without end is a draw",
        board.name
    )))
}

/// Returns a sort key for a side: more is better.
fn rank(value: Verdict, side: Side) -> i64 {
    const FAR: i64 = 1 << 40;
    match value.0 {
        None => 0,
        Some((winner, plies)) if winner == side => FAR - i64::from(plies),
        Some((_, plies)) => i64::from(plies) - FAR,
    }
}
