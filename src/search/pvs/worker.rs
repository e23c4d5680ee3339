//! The state of one thread of a tuned search, and the state that the threads share.

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

/// State shared by the threads of one search.
pub(crate) struct SharedState<'a, G: Game, T> {
    /// The search mode.
    pub(crate) mode: SearchMode,
    /// The evaluator, with the game's move ordering and pruning.
    pub tactics: &'a T,
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The moves that some thread is searching. `None` if there is only one thread.
    pub(crate) deferred_moves: Option<&'a DeferredMoves>,
    /// The value of a draw by repetition, which depends on contempt. Not used in proofs.
    pub repetition_value: Value,
    /// The positions that count as draws in proofs.
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
    pub(super) repetition_value: Value,
    pub(super) repeated_positions: &'a RepeatedPositions<G>,
    /// The minimum ply of a completely searched node: the progress of a stopped search. At 1, a child of the root is
    /// finished.
    pub(super) min_finished_ply: u32,
    /// The tablebases, if any.
    pub(super) oracle: Option<&'a OracleHandle<G>>,
    /// Counts nodes and stops the search at its limits.
    pub control: &'a mut Control,
    pub(super) table: &'a TranspositionTable,
    pub(super) history: &'a mut MoveHistory,
    /// The moves that some thread is searching. `None` if there is only one thread.
    pub(super) deferred_moves: Option<&'a DeferredMoves>,
    /// A stack of the moves of all nodes on the path.
    pub(super) moves: Vec<G::Move>,
    /// The move ordering scores of `moves`.
    pub(super) scores: Vec<i32>,
    pub(super) lines: PvTable<G::Move>,
}

/// The properties of a node that move ordering and pruning use.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) side: Side,
    /// The move that led to the node.
    pub(super) last_move: u16,
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
            repetition_value: shared.repetition_value,
            repeated_positions: shared.repeated_positions,
            min_finished_ply: depth,
            oracle: root.oracle.as_deref(),
            control,
            table: shared.table,
            history,
            deferred_moves: shared.deferred_moves,
            moves: Vec::new(),
            scores: Vec::new(),
            lines: PvTable::new(depth),
        }
    }

    /// Returns the side to move at the current node.
    pub(super) fn side(&self) -> Side {
        self.game.side(self.path.position())
    }

    /// Returns the principal variation of `ply`.
    pub(super) fn line(&self, ply: u32) -> impl Iterator<Item = G::Move> {
        self.lines.at(ply)
    }
}
