//! The state of one thread of a search.

use super::SearchMode;
use super::deferred_moves::DeferredMoves;
use super::ordering::MoveHistory;
use super::repeated_positions::RepeatedPositions;
use super::table::TranspositionTable;
use crate::control::Control;
use crate::oracle::OracleHandle;
use crate::path::Path;
use crate::rules::Game;
use crate::search::tree_search::PvTable;
use crate::search::{Root, Tactics};
use crate::value::{Side, Value};

/// State shared by the threads of a search.
pub(crate) struct SharedState<'a, G: Game, T> {
    /// The search mode.
    pub(crate) mode: SearchMode,
    /// The evaluator, with the game's move ordering and pruning.
    pub tactics: &'a T,
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The moves being searched by all threads, if there are several.
    pub(crate) deferred_moves: Option<&'a DeferredMoves>,
    /// The value of a draw by repetition, except in proofs.
    pub repetition: Value,
    /// The positions that would be a draw if they occurred again.
    pub(crate) repeated_positions: &'a RepeatedPositions<G>,
}

impl<G: Game, T> Clone for SharedState<'_, G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, T> Copy for SharedState<'_, G, T> {}

/// The state of one search thread.
pub(crate) struct PvsWorker<'a, G: Game, T> {
    pub(super) game: &'a G,
    pub(super) tactics: &'a T,
    pub(super) path: Path<G>,
    pub(super) mode: SearchMode,
    pub(super) repetition: Value,
    pub(super) repeated_positions: &'a RepeatedPositions<G>,
    /// The smallest ply of a finished node: the progress of a search that was stopped.
    pub(super) nearest_finished: u32,
    /// Exact values known without a search.
    pub(super) advice: Option<&'a OracleHandle<G>>,
    /// Counts nodes and ends the search.
    pub control: &'a mut Control,
    pub(super) table: &'a TranspositionTable,
    pub(super) history: &'a mut MoveHistory,
    /// The moves being searched by other threads, if there are any.
    pub(super) deferred_moves: Option<&'a DeferredMoves>,
    /// The moves of all nodes on the path, end to end, with their scores.
    pub(super) moves: Vec<G::Move>,
    pub(super) ratings: Vec<i32>,
    pub(super) lines: PvTable<G::Move>,
}

/// A node, for move ordering.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) side: Side,
    /// The move that led to the node.
    pub(super) before: u16,
    pub(super) depth: u32,
    pub(super) ply: u32,
}

impl<'a, G: Game, T: Tactics<G>> PvsWorker<'a, G, T> {
    /// Creates a worker at the root for a search of `depth` plies.
    pub(super) fn new(
        game: &'a G,
        root: &'a Root<G>,
        depth: u32,
        control: &'a mut Control,
        shared: SharedState<'a, G, T>,
        history: &'a mut MoveHistory,
    ) -> Self {
        control.deepest = 0;
        Self {
            game,
            tactics: shared.tactics,
            path: root.path.clone(),
            mode: shared.mode,
            repetition: shared.repetition,
            repeated_positions: shared.repeated_positions,
            nearest_finished: depth,
            advice: root.advice.as_deref(),
            control,
            table: shared.table,
            history,
            deferred_moves: shared.deferred_moves,
            moves: Vec::new(),
            ratings: Vec::new(),
            lines: PvTable::new(depth),
        }
    }

    /// Returns the side to move at the current node.
    pub(super) fn side(&self) -> Side {
        self.game.side(self.path.position())
    }

    /// Returns the best line found from this ply.
    pub(super) fn line(&self, ply: u32) -> impl Iterator<Item = G::Move> {
        self.lines.at(ply)
    }
}
