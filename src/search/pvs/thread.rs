//! What one thread of a search carries along on its way down and back.

use super::Style;
use super::busy::Busy;
use super::exhausted::Exhausted;
use super::ordering::Experience;
use super::table::SharedTable;
use crate::control::Control;
use crate::oracle::Advice;
use crate::path::Path;
use crate::rules::Game;
use crate::search::walk::Triangle;
use crate::search::{Root, Tactics};
use crate::value::{Side, Value};

/// What the threads of a search have in common.
pub struct Shared<'a, G: Game, T> {
    /// What they may do to look deeper.
    pub style: Style,
    /// Who judges the leaves and knows the game.
    pub tactics: &'a T,
    /// What they remember.
    pub table: &'a SharedTable,
    /// What they are at, if there are several.
    pub busy: Option<&'a Busy>,
    /// What a draw by repetition is worth, where no proof is wanted.
    pub repetition: Value,
    /// The positions that would be a draw if they occurred again.
    pub exhausted: &'a Exhausted<G>,
}

impl<G: Game, T> Clone for Shared<'_, G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, T> Copy for Shared<'_, G, T> {}

/// What a thread carries along.
pub struct Climb<'a, G: Game, T> {
    pub(super) game: &'a G,
    pub(super) tactics: &'a T,
    pub(super) path: Path<G>,
    pub(super) style: Style,
    pub(super) repetition: Value,
    pub(super) exhausted: &'a Exhausted<G>,
    /// The ply nearest to the root of which a node has been finished: how far a search that was stopped had come.
    pub(super) nearest_finished: u32,
    /// What is known of positions without a search.
    pub(super) advice: Option<&'a Advice<G>>,
    /// Counts nodes and ends the search.
    pub control: &'a mut Control,
    pub(super) table: &'a SharedTable,
    pub(super) experience: &'a mut Experience,
    /// What other threads are at, if there are any.
    pub(super) busy: Option<&'a Busy>,
    /// The moves of all nodes on the way, end to end, and how promising they look.
    pub(super) moves: Vec<G::Move>,
    pub(super) ratings: Vec<i32>,
    pub(super) lines: Triangle<G::Move>,
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

impl<'a, G: Game, T: Tactics<G>> Climb<'a, G, T> {
    /// A climb that begins at the root and goes down `depth` plies.
    pub fn new(
        game: &'a G,
        root: &'a Root<G>,
        depth: u32,
        control: &'a mut Control,
        shared: Shared<'a, G, T>,
        experience: &'a mut Experience,
    ) -> Self {
        control.deepest = 0;
        Self {
            game,
            tactics: shared.tactics,
            path: root.path.clone(),
            style: shared.style,
            repetition: shared.repetition,
            exhausted: shared.exhausted,
            nearest_finished: depth,
            advice: root.advice.as_deref(),
            control,
            table: shared.table,
            experience,
            busy: shared.busy,
            moves: Vec::new(),
            ratings: Vec::new(),
            lines: Triangle::new(depth),
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
