//! What one thread of a search carries along on its way down and back.

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

/// What the threads of a search have in common.
pub struct SharedState<'a, G: Game, T> {
    /// What they may do to look deeper.
    pub style: SearchMode,
    /// Who judges the leaves and knows the game.
    pub tactics: &'a T,
    /// What they remember.
    pub table: &'a TranspositionTable,
    /// What they are at, if there are several.
    pub deferred_moves: Option<&'a DeferredMoves>,
    /// What a draw by repetition is worth, where no proof is wanted.
    pub repetition: Value,
    /// The positions that would be a draw if they occurred again.
    pub repeated_positions: &'a RepeatedPositions<G>,
}

impl<G: Game, T> Clone for SharedState<'_, G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, T> Copy for SharedState<'_, G, T> {}

/// What a thread carries along.
pub struct PvsWorker<'a, G: Game, T> {
    pub(super) game: &'a G,
    pub(super) tactics: &'a T,
    pub(super) path: Path<G>,
    pub(super) style: SearchMode,
    pub(super) repetition: Value,
    pub(super) repeated_positions: &'a RepeatedPositions<G>,
    /// The ply nearest to the root of which a node has been finished: how far a search that was stopped had come.
    pub(super) nearest_finished: u32,
    /// What is known of positions without a search.
    pub(super) advice: Option<&'a OracleHandle<G>>,
    /// Counts nodes and ends the search.
    pub control: &'a mut Control,
    pub(super) table: &'a TranspositionTable,
    pub(super) experience: &'a mut MoveHistory,
    /// What other threads are at, if there are any.
    pub(super) deferred_moves: Option<&'a DeferredMoves>,
    /// The moves of all nodes on the way, end to end, and how promising they look.
    pub(super) moves: Vec<G::Move>,
    pub(super) ratings: Vec<i32>,
    pub(super) lines: PvTable<G::Move>,
}

/// What makes a node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) side: Side,
    /// The move that led there.
    pub(super) before: u16,
    pub(super) depth: u32,
    pub(super) ply: u32,
}

impl<'a, G: Game, T: Tactics<G>> PvsWorker<'a, G, T> {
    /// A climb that begins at the root and goes down `depth` plies.
    pub fn new(
        game: &'a G,
        root: &'a Root<G>,
        depth: u32,
        control: &'a mut Control,
        shared: SharedState<'a, G, T>,
        experience: &'a mut MoveHistory,
    ) -> Self {
        control.deepest = 0;
        Self {
            game,
            tactics: shared.tactics,
            path: root.path.clone(),
            style: shared.style,
            repetition: shared.repetition,
            repeated_positions: shared.repeated_positions,
            nearest_finished: depth,
            advice: root.advice.as_deref(),
            control,
            table: shared.table,
            experience,
            deferred_moves: shared.deferred_moves,
            moves: Vec::new(),
            ratings: Vec::new(),
            lines: PvTable::new(depth),
        }
    }

    /// The side to move where the climb is.
    pub fn side(&self) -> Side {
        self.game.side(self.path.position())
    }

    /// The best line found below a node at this ply.
    pub fn line(&self, ply: u32) -> impl Iterator<Item = G::Move> {
        self.lines.at(ply)
    }
}
