//! Resumes a solver from its checkpoint file.

use super::graph::Graph;
use super::saver::{Found, Saved, Stage};
use super::{FREE, Reachable, UNDECIDED, Watch, reserve, winner_of};
use crate::error::EngineError;
use crate::rules::Game;

/// Number of positions between two calls of the watch.
const WATCH_INTERVAL: usize = 1 << 12;

impl<G: Game> Reachable<G> {
    /// Restores the positions of a file from its moves, in at most `memory` bytes. Returns the moves.
    ///
    /// # Errors
    /// If the file is damaged or does not fit the game, `watch` fails, or the memory does not suffice.
    pub(super) fn restore(
        &mut self,
        saved: &mut Saved,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<Graph, EngineError> {
        let mut graph = Graph::new();
        let mut moves = Vec::new();
        while graph.examined() < saved.examined {
            let chunk = saved.moves(saved.examined - graph.examined())?;
            let mut targets = chunk.targets.iter();
            for &count in &chunk.counts {
                let place = graph.examined();
                if place.is_multiple_of(WATCH_INTERVAL) {
                    self.check_extent(&graph, memory, watch)?;
                }
                let position = self.positions.get(place).copied();
                let position = position.ok_or_else(|| saved.damaged_at(chunk.offset))?;
                self.add_terminal_value(&position)?;
                moves.clear();
                self.game.moves(&position, &mut moves);
                if moves.len() != usize::from(count) {
                    return Err(saved.of_other_version());
                }
                reserve(&mut graph.targets, moves.len())?;
                for (&m, &target) in moves.iter().zip(targets.by_ref()) {
                    if target as usize > self.positions.len() {
                        return Err(saved.damaged_at(chunk.offset));
                    }
                    if target as usize == self.positions.len() {
                        self.add(self.game.play(&position, m))?;
                    }
                    graph.targets.push(target);
                }
                graph.end_position()?;
            }
        }
        if self.found() != saved.found {
            return Err(saved.of_other_version());
        }
        Ok(graph)
    }

    /// Returns the number of positions and the checksum of their keys.
    pub(super) fn found(&self) -> Found {
        let mut keys = crc32fast::Hasher::new();
        for position in &self.positions {
            keys.update(&self.game.key(position).to_le_bytes());
        }
        Found {
            positions: self.positions.len(),
            keys: keys.finalize(),
        }
    }

    /// Adds a new position.
    fn add(&mut self, position: G::Position) -> Result<(), EngineError> {
        if self.positions.len() * 2 >= self.slots.places.len() {
            self.grow()?;
        }
        let position = (self.fold)(&self.game, &position);
        let slot = self.slots.find(self.game.key(&position), |_| false);
        debug_assert_eq!(self.slots.places[slot], FREE, "a free slot");
        self.slots.places[slot] = self.positions.len() as u32;
        reserve(&mut self.positions, 1)?;
        self.positions.push(position);
        Ok(())
    }
}

/// Returns the number of moves of each position that are not known to lose, after the propagation of all wins in fewer
/// than `plies` plies.
pub(super) fn open_moves(
    graph: &Graph,
    values: &[u32],
    plies: u32,
) -> Result<Vec<u32>, EngineError> {
    let mut open = graph.move_counts()?;
    for (place, open) in open.iter_mut().enumerate() {
        if values[place] == UNDECIDED {
            let is_propagated = |&&target: &&u32| {
                let value = values[target as usize];
                winner_of(value).is_some() && value >> 1 < plies
            };
            *open -= graph.of(place as u32).iter().filter(is_propagated).count() as u32;
        }
    }
    Ok(open)
}

/// Returns the number of plies at which the propagation resumes.
pub(super) fn first_plies(stage: Stage) -> u32 {
    match stage {
        Stage::Valuing(plies) => plies,
        Stage::Exploring | Stage::Finished => 0,
    }
}
