//! Retrograde analysis of games whose reachable positions fit in memory. It also serves as the reference for the
//! faster solvers.
//!
//! Positions are found move by move from the start and numbered in that order. Values then propagate backwards from
//! the terminal positions, one ply of distance at a time (Thompson, "Retrograde analysis of certain endgames", ICCA
//! Journal, 1986). A position is won if a move leads to a lost position of the opponent, and lost if all moves lead
//! to won positions of the opponent. In order of distance, the first winning move is the shortest win, and the last
//! losing move is the longest defense.
//!
//! With symmetries, a `Fold` selects one representative of all symmetric positions.
//!
//! With a [`Saver`], the solver resumes from a checkpoint file, and writes its progress and result to the file.

mod graph;
mod points;
mod resumption;
pub(crate) mod saver;

use std::convert::Infallible;

use self::graph::Graph;
use self::resumption::{first_plies, open_moves};
pub use self::saver::Saver;
use self::saver::Stage;
use crate::error::EngineError;
use crate::oracle::Verdict;
use crate::rules::{Game, Outcome};
use crate::units;
use crate::value::Side;

/// Numbers of positions by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Wins of the first player, and of the second player.
    pub wins: [u64; 2],
    /// Draws.
    pub draws: u64,
    /// Plies of the longest win of each side.
    pub longest: [u32; 2],
}

/// A function that returns the representative of a position and its symmetric images.
pub(crate) type Fold<G> =
    fn(&G, &<G as crate::rules::Rules>::Position) -> <G as crate::rules::Rules>::Position;

/// Returns `position` itself: no symmetry is used.
pub(crate) fn no_symmetry<G: Game>(_: &G, position: &G::Position) -> G::Position {
    *position
}

/// Progress of the search for positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Positions found.
    pub positions: u64,
    /// Positions whose moves have been generated.
    pub examined: u64,
    /// Moves of these positions.
    pub moves: u64,
}

/// A function that is called regularly with the progress. If it fails, the search ends.
pub type Watch<'a> = &'a mut dyn FnMut(Extent) -> Result<(), EngineError>;

impl Extent {
    /// Returns the memory in bytes for solving these positions, including the positions.
    pub fn memory<G: Game>(&self) -> u64 {
        // Position and value, up to four slots, offsets of moves and of reverse moves, open moves, and the lists of
        // two plies.
        let per_position = size_of::<G::Position>() as u64 + 4 + 16 + 8 + 8 + 4 + 4;
        self.positions * per_position + 2 * 4 * self.moves
    }
}

impl Count {
    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }
}

/// All reachable positions of a game with their values.
pub(crate) struct Reachable<G: Game> {
    game: G,
    fold: Fold<G>,
    positions: Vec<G::Position>,
    slots: Slots,
    values: Vec<u32>,
    /// `true` if the values are points instead of wins. `None` until the first terminal position is
    /// found.
    has_points: Option<bool>,
}

/// Undecided. In the result: infinite play.
const UNDECIDED: u32 = u32::MAX;

/// A terminal draw.
const DRAWN: u32 = u32::MAX - 1;

/// Packs a win into one number: twice the plies, plus one for the second player.
fn packed(winner: Side, plies: u32) -> u32 {
    plies << 1 | u32::from(winner == Side::P2)
}

fn winner_of(value: u32) -> Option<Side> {
    (value < DRAWN).then_some(if value & 1 == 0 { Side::P1 } else { Side::P2 })
}

/// An index of positions by key: open addressing with a power of two of slots, at most half of them in use.
struct Slots {
    places: Vec<u32>,
}

/// An empty slot.
const FREE: u32 = u32::MAX;

impl Slots {
    fn new(slots: usize) -> Result<Self, EngineError> {
        let mut places = Vec::new();
        reserve(&mut places, slots)?;
        places.resize(slots, FREE);
        Ok(Self { places })
    }

    /// Returns the slot whose number satisfies `is_match`, or the first empty slot after that of `key`.
    #[inline]
    fn find(&self, key: u64, is_match: impl Fn(u32) -> bool) -> usize {
        let mask = self.places.len() - 1;
        let mut slot = key as usize & mask;
        while self.places[slot] != FREE && !is_match(self.places[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), EngineError> {
    list.try_reserve(more).map_err(|_| {
        EngineError::failed("there is not enough memory for all positions of this game")
    })
}

impl<G: Game> Reachable<G> {
    /// Finds the value of every position reachable from `start`. Calls `watch` regularly and stops at its first error.
    ///
    /// # Errors
    /// If more than `memory` bytes are needed, `watch` fails, or the game has both points and wins or endless play.
    pub(crate) fn solve(
        game: G,
        start: G::Position,
        fold: Fold<G>,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError> {
        Self::solve_saved(game, start, fold, memory, None, watch)
    }

    /// Like [`Self::solve`], but resumes from a checkpoint in the file of `saver`.
    ///
    /// # Errors
    /// As [`Self::solve`], and if the file is damaged or belongs to another game.
    pub(crate) fn solve_saved(
        game: G,
        start: G::Position,
        fold: Fold<G>,
        memory: u64,
        mut saver: Option<&mut Saver>,
        watch: Watch<'_>,
    ) -> Result<Self, EngineError> {
        let mut solution = Self {
            game,
            fold,
            positions: Vec::new(),
            slots: Slots::new(1 << 16)?,
            values: Vec::new(),
            has_points: None,
        };
        solution.index_of(start)?;
        let mut graph = Graph::new();
        let mut stage = Stage::Exploring;
        if let Some(saver) = saver.as_deref_mut()
            && let Some(mut saved) = saver.open()?
        {
            graph = solution.restore(&mut saved, memory, watch)?;
            saver.resume(&saved);
            saved.values(&mut solution.values)?;
            stage = saved.stage;
        }
        if stage == Stage::Exploring {
            solution.explore(&mut graph, memory, saver.as_deref_mut(), watch)?;
            if let Some(saver) = saver.as_deref_mut() {
                let found = solution.found();
                saver.save(Stage::Valuing(0), found, Some(&graph), &solution.values);
            }
        }
        if stage == Stage::Finished {
            return Ok(solution);
        }
        let plies = first_plies(stage);
        let open = open_moves(&graph, &solution.values, plies)?;
        let reverse_moves = graph.reversed()?;
        drop(graph);
        if solution.has_points == Some(true) {
            solution.propagate_points(&reverse_moves, open, watch)?;
        } else {
            let saver = saver.as_deref_mut();
            solution.propagate_values(&reverse_moves, open, plies, saver, watch)?;
        }
        if let Some(saver) = saver {
            saver.save(Stage::Finished, solution.found(), None, &solution.values);
        }
        Ok(solution)
    }

    /// Returns the number of a position. Assigns the next free number to a new position.
    fn index_of(&mut self, position: G::Position) -> Result<u32, EngineError> {
        if self.positions.len() * 2 >= self.slots.places.len() {
            self.grow()?;
        }
        let position = (self.fold)(&self.game, &position);
        let is_match = |place: u32| self.positions[place as usize] == position;
        let slot = self.slots.find(self.game.key(&position), is_match);
        if self.slots.places[slot] == FREE {
            self.slots.places[slot] = self.positions.len() as u32;
            reserve(&mut self.positions, 1)?;
            self.positions.push(position);
        }
        Ok(self.slots.places[slot])
    }

    fn grow(&mut self) -> Result<(), EngineError> {
        let mut slots = Slots::new(self.slots.places.len() * 2)?;
        for (place, position) in self.positions.iter().enumerate() {
            let slot = slots.find(self.game.key(position), |_| false);
            slots.places[slot] = place as u32;
        }
        self.slots = slots;
        Ok(())
    }

    /// Finds the moves of all positions whose moves are not in `graph`, and the positions after them.
    fn explore(
        &mut self,
        graph: &mut Graph,
        memory: u64,
        mut saver: Option<&mut Saver>,
        watch: Watch<'_>,
    ) -> Result<(), EngineError> {
        let mut moves = Vec::new();
        while graph.examined() < self.positions.len() {
            let place = graph.examined();
            // Check often, because on large boards a position has hundreds of moves.
            if place.is_multiple_of(512) {
                self.check_extent(graph, memory, watch)?;
                if let Some(saver) = saver.as_deref_mut().filter(|saver| saver.is_due()) {
                    saver.save(Stage::Exploring, self.found(), Some(graph), &self.values);
                }
            }
            let position = self.positions[place];
            self.add_terminal_value(&position)?;
            moves.clear();
            // A finished game has no moves, but a solved puzzle has moves, to positions that may be unreachable
            // otherwise.
            self.game.moves(&position, &mut moves);
            reserve(&mut graph.targets, moves.len())?;
            for &m in &moves {
                let child = self.index_of(self.game.play(&position, m))?;
                graph.targets.push(child);
            }
            graph.end_position()?;
        }
        Ok(())
    }

    /// Checks the memory for the positions and moves so far, and calls `watch`.
    fn check_extent(
        &self,
        graph: &Graph,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<(), EngineError> {
        let extent = Extent {
            positions: self.positions.len() as u64,
            examined: graph.examined() as u64,
            moves: graph.targets.len() as u64,
        };
        let needed = extent.memory::<G>();
        if needed > memory || self.positions.len() >= FREE as usize {
            return Err(EngineError::failed(format!(
                "this game has more than {} reachable positions; their values need more than {} of memory, and {} may be used",
                extent.positions,
                units::memory(needed.into()),
                units::memory(memory.into())
            )));
        }
        watch(extent)
    }

    /// Appends the value of the next position: the outcome if the game is over, otherwise `UNDECIDED`.
    fn add_terminal_value(&mut self, position: &G::Position) -> Result<(), EngineError> {
        let outcome = self.game.outcome(position);
        if let Some(outcome) = outcome {
            let has_points = matches!(outcome, Outcome::Points(_));
            if *self.has_points.get_or_insert(has_points) != has_points {
                return Err(points::not_only_points());
            }
        }
        let value = match outcome {
            None => UNDECIDED,
            Some(Outcome::Points(points)) => points::packed(points),
            Some(outcome) => outcome.winner().map_or(DRAWN, |winner| packed(winner, 0)),
        };
        reserve(&mut self.values, 1)?;
        self.values.push(value);
        Ok(())
    }

    /// Propagates values backwards from the positions decided in `plies` plies, initially the terminal positions.
    /// `open` counts the moves of each position that are not known to lose.
    fn propagate_values(
        &mut self,
        reverse_moves: &Graph,
        mut open: Vec<u32>,
        mut plies: u32,
        mut saver: Option<&mut Saver>,
        watch: Watch<'_>,
    ) -> Result<(), EngineError> {
        let extent = Extent {
            positions: self.positions.len() as u64,
            examined: self.positions.len() as u64,
            moves: reverse_moves.targets.len() as u64,
        };
        let is_last = |&place: &u32| {
            let value = self.values[place as usize];
            winner_of(value).is_some() && value >> 1 == plies
        };
        let mut frontier: Vec<u32> = (0..self.positions.len() as u32).filter(is_last).collect();
        while !frontier.is_empty() {
            watch(extent)?;
            if let Some(saver) = saver.as_deref_mut().filter(|saver| saver.is_due()) {
                saver.save(Stage::Valuing(plies), self.found(), None, &self.values);
            }
            plies += 1;
            let mut next = Vec::new();
            for place in frontier {
                let winner = winner_of(self.values[place as usize]);
                for &parent in reverse_moves.of(place) {
                    let parent_value = &mut self.values[parent as usize];
                    if *parent_value != UNDECIDED {
                        continue;
                    }
                    let side = self.game.side(&self.positions[parent as usize]);
                    let open = &mut open[parent as usize];
                    // A forged file can contain more losing moves than there are.
                    *open = open.saturating_sub(1);
                    if winner == Some(side) || *open == 0 {
                        let winner = if winner == Some(side) {
                            side
                        } else {
                            side.other()
                        };
                        *parent_value = packed(winner, plies);
                        reserve(&mut next, 1)?;
                        next.push(parent);
                    }
                }
            }
            frontier = next;
        }
        Ok(())
    }

    /// Returns the number of positions.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the memory of the positions and their values in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.positions.capacity() * size_of::<G::Position>()
            + (self.slots.places.capacity() + self.values.capacity()) * size_of::<u32>()
    }

    /// Returns the value of a position, or `None` if it is not reachable.
    pub(crate) fn value(&self, position: &G::Position) -> Option<Verdict> {
        let position = (self.fold)(&self.game, position);
        let is_match = |place: u32| self.positions[place as usize] == position;
        let slot = self.slots.find(self.game.key(&position), is_match);
        let place = self.slots.places[slot];
        (place != FREE).then(|| self.unpacked(self.values[place as usize]))
    }

    fn unpacked(&self, value: u32) -> Verdict {
        if self.has_points == Some(true) {
            return Verdict::Points(points::unpacked(value));
        }
        match value {
            UNDECIDED => endless(&self.game),
            _ => Verdict::of_win(winner_of(value).map(|winner| (winner, value >> 1))),
        }
    }

    /// Returns a position whose value does not follow from its successors by the rules, if there is one. Calls
    /// `watch` with the number of checked positions.
    pub(crate) fn find_mismatch(&self, watch: &mut dyn FnMut(u64)) -> Option<&G::Position> {
        let mut moves = Vec::new();
        self.iter()
            .zip(1..)
            .find_map(|((position, value), index_of)| {
                if index_of % 4096 == 0 {
                    watch(index_of);
                }
                let value_of = |position: &_| Ok::<_, Infallible>(self.value(position));
                let Ok(expected) = value_by_moves(&self.game, position, &mut moves, value_of);
                (expected != Some(value)).then_some(position)
            })
    }

    /// Changes the value of the position at `place`, for tests of [`Reachable::find_mismatch`].
    #[cfg(test)]
    pub(crate) fn damage(&mut self, place: usize) {
        let value = &mut self.values[place];
        *value = if *value == packed(Side::P2, 3) {
            UNDECIDED
        } else {
            packed(Side::P2, 3)
        };
    }

    /// Returns the positions with their values, in the order in which they were found.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&G::Position, Verdict)> {
        let values = self.values.iter().map(|&value| self.unpacked(value));
        self.positions.iter().zip(values)
    }

    /// Counts the positions by result.
    pub(crate) fn count(&self) -> Count {
        let mut count = Count::default();
        for (_, value) in self.iter() {
            match value.winner() {
                None => count.draws += 1,
                Some(winner) => {
                    let index = usize::from(winner == Side::P2);
                    count.wins[index] += 1;
                    let plies = value.plies().unwrap_or(0);
                    count.longest[index] = count.longest[index].max(plies);
                }
            }
        }
        count
    }
}

/// Returns the verdict on infinite play.
pub(super) fn endless<G: Game>(game: &G) -> Verdict {
    match game.repetition_outcome() {
        Outcome::Won(side) => Verdict::Endless(side),
        Outcome::Draw | Outcome::Points(_) => Verdict::Draw,
    }
}

/// Returns the value of a position from the values of its successors, which `value_of` returns. Returns `None` if a
/// successor has no value. `moves` is scratch space.
///
/// # Errors
/// The first error of `value_of`.
pub(super) fn value_by_moves<G: Game, E>(
    game: &G,
    position: &G::Position,
    moves: &mut Vec<G::Move>,
    mut value_of: impl FnMut(&G::Position) -> Result<Option<Verdict>, E>,
) -> Result<Option<Verdict>, E> {
    if let Some(outcome) = game.outcome(position) {
        return Ok(Some(Verdict::terminal(outcome)));
    }
    let side = game.side(position);
    moves.clear();
    game.moves(position, moves);
    let endless = endless(game);
    let mut best: Option<Verdict> = None;
    for &m in &*moves {
        // A terminal draw counts as infinite play: neither is a forced win.
        let after = match value_of(&game.play(position, m))? {
            None => return Ok(None),
            Some(Verdict::Draw) => endless,
            Some(verdict) => verdict.one_ply_earlier(),
        };
        if best.is_none_or(|best| after.rank(side) > best.rank(side)) {
            best = Some(after);
        }
    }
    Ok(Some(best.unwrap_or(endless)))
}

#[cfg(test)]
mod tests;
