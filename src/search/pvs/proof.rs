//! Proofs for a selective search: that the game is a draw, and that no shorter win exists.
//!
//! Reductions can overlook wins but never invent one, so a win that was found is a win, at most that far away. That
//! nobody wins, or not sooner, takes a search without reductions ([`SearchMode::Proof`]).

use super::repeated_positions::RepeatedPositions;
use super::worker::{PvsWorker, SharedState};
use super::{Pvs, SearchMode};
use crate::control::{Control, MAX_DEPTH, Stopped};
use crate::rules::Game;
use crate::search::{Root, SearchResult, Tactics};
use crate::value::{Bound, Score, Side, Value, Window};

/// Minimum number of visited nodes for a first attempt: earlier, the cost of a proof cannot be estimated.
pub(super) const FIRST_ATTEMPT: u64 = 64;

/// Returns the window that asks whether `side` gets more than `value`.
fn window_above(value: Value, side: Side) -> Window {
    Window::FULL.narrowed(side, value).scout(side)
}

impl<T> Pvs<T> {
    /// Creates a worker in proof mode.
    fn prover<'a, G: Game>(
        &'a mut self,
        game: &'a G,
        root: &'a Root<G>,
        depth: u32,
        control: &'a mut Control,
        repeated_positions: &'a RepeatedPositions<G>,
    ) -> PvsWorker<'a, G, T>
    where
        T: Tactics<G>,
    {
        let shared = SharedState {
            mode: SearchMode::Proof,
            tactics: &self.tactics,
            table: &self.table,
            deferred_moves: None,
            repetition: self.repetition(root.side(game)),
            repeated_positions,
        };
        PvsWorker::new(game, root, depth, control, shared, &mut self.history[0])
    }

    /// Tries to prove a draw where that is worthwhile: by the game's own proof, then by a search to the end of all
    /// games.
    pub(super) fn attempt_draw<G: Game>(
        &mut self,
        game: &G,
        root: &Root<G>,
        control: &mut Control,
    ) -> Result<Option<SearchResult<G::Move>>, Stopped>
    where
        T: Tactics<G>,
    {
        let mut drawing = self.prove_draw_by_rules(game, root, control)?;
        if drawing.is_none() {
            drawing = self.search_for_draw(game, root, control)?;
        }
        Ok(drawing.map(|m| SearchResult {
            score: Value::ZERO.into(),
            bound: Bound::Exact,
            line: vec![m],
            leaves: 0,
        }))
    }

    /// Runs the game's own proof within twice the nodes visited so far, and again after four times as many.
    fn prove_draw_by_rules<G: Game>(
        &mut self,
        game: &G,
        root: &Root<G>,
        control: &mut Control,
    ) -> Result<Option<G::Move>, Stopped>
    where
        T: Tactics<G>,
    {
        let spent = control.nodes();
        if spent < self.next_draw_proof {
            return Ok(None);
        }
        let moves: Vec<_> = root.moves.iter().map(|candidate| candidate.m).collect();
        let position = root.path.position();
        let proof =
            |control: &mut Control| self.tactics.drawing_move(game, position, &moves, control);
        let drawing = control.within(spent.saturating_mul(2), proof)?.flatten();
        self.next_draw_proof = control.nodes().saturating_mul(4);
        Ok(drawing)
    }

    /// Searches to the end of all games within as many nodes as were visited so far. After a failure, waits until
    /// the next attempt can be expected to finish.
    fn search_for_draw<G: Game>(
        &mut self,
        game: &G,
        root: &Root<G>,
        control: &mut Control,
    ) -> Result<Option<G::Move>, Stopped>
    where
        T: Tactics<G>,
    {
        let spent = control.nodes();
        let longest = game.max_plies_left(root.path.position());
        let Some(longest) = longest.filter(|&longest| longest <= MAX_DEPTH) else {
            return Ok(None);
        };
        if spent < self.next_draw_search {
            return Ok(None);
        }
        let deepest = control.deepest;
        let mut nearest = longest;
        let proof = |control: &mut Control| {
            let exhausted = RepeatedPositions::new(game, &root.path);
            let mut worker = self.prover(game, root, longest, control, &exhausted);
            let result = is_draw(&mut worker, root, longest);
            nearest = worker.nearest_finished;
            result
        };
        let result = control.within(spent, proof);
        control.deepest = control.deepest.max(deepest);
        if result == Ok(None) {
            self.next_draw_search = worth_trying_at(spent, longest, nearest);
        }
        Ok(result?.flatten())
    }

    /// Proves that the winner of `found` cannot win sooner, or replaces `found` by a sooner win. Returns `true` if
    /// the distance is proved.
    ///
    /// A win beyond the maximum depth comes from tables and cannot be proved here.
    pub(super) fn prove_distance<G: Game>(
        &mut self,
        game: &G,
        root: &Root<G>,
        found: &mut SearchResult<G::Move>,
        control: &mut Control,
    ) -> Result<bool, Stopped>
    where
        T: Tactics<G>,
    {
        let exhausted = RepeatedPositions::new(game, &root.path);
        let deepest = control.deepest;
        let mut is_sooner = Ok(true);
        while let (Ok(true), Score::Win(winner, plies)) = (&is_sooner, found.score) {
            if plies <= 1 {
                is_sooner = Ok(false);
                break;
            }
            if plies > MAX_DEPTH {
                break;
            }
            let mut worker = self.prover(game, root, plies - 1, control, &exhausted);
            is_sooner = if worker.side() == winner {
                wins_sooner(&mut worker, root, found, winner, plies)
            } else {
                loses_sooner(&mut worker, root, found, winner, plies)
            };
        }
        control.deepest = control.deepest.max(deepest);
        is_sooner.map(|is_sooner| !is_sooner)
    }
}

/// Returns a drawing move if the game is a draw. The game lasts at most `longest` plies.
fn is_draw<G: Game, T: Tactics<G>>(
    worker: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    longest: u32,
) -> Result<Option<G::Move>, Stopped> {
    let side = worker.side();
    let (better, draw) = (
        window_above(Value::ZERO, side),
        window_above(Value::ZERO.worse(side), side),
    );
    for candidate in &root.moves {
        let value = worker.search_move(candidate.m, true, side, better, longest - 1, 1)?;
        if side.prefers(value, Value::ZERO) {
            return Ok(None);
        }
    }
    for candidate in &root.moves {
        let value = worker.search_move(candidate.m, true, side, draw, longest - 1, 1)?;
        if !side.prefers(Value::ZERO, value) {
            return Ok(Some(candidate.m));
        }
    }
    Ok(None)
}

/// Returns the sooner win of the side to move, which wins within `plies`, if there is one.
fn wins_sooner<G: Game, T: Tactics<G>>(
    worker: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    found: &mut SearchResult<G::Move>,
    winner: Side,
    plies: u32,
) -> Result<bool, Stopped> {
    let known = Value::win(winner, plies);
    for candidate in &root.moves {
        let window = window_above(known, winner);
        let value = worker.search_move(candidate.m, true, winner, window, plies - 2, 1)?;
        if winner.prefers(value, known) {
            found.score = value.into();
            found.line = vec![candidate.m];
            // Search again with an open window, for the exact distance and the whole line.
            let open = Window::FULL.narrowed(winner, known);
            let value = worker.search_move(candidate.m, true, winner, open, plies - 2, 1)?;
            found.score = value.into();
            found.line.extend(worker.line(1));
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the sooner loss of the side to move, which loses within `plies`, if it cannot avoid one.
fn loses_sooner<G: Game, T: Tactics<G>>(
    worker: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    found: &mut SearchResult<G::Move>,
    winner: Side,
    plies: u32,
) -> Result<bool, Stopped> {
    let known = Value::win(winner, plies);
    let window = window_above(known, winner);
    let expected = found.line[0];
    let others = root.moves.iter().map(|candidate| candidate.m);
    let others = others.filter(|&m| m != expected);
    let mut longest: Option<(G::Move, Value)> = None;
    for m in std::iter::once(expected).chain(others) {
        let value = worker.search_move(m, true, winner.other(), window, plies - 2, 1)?;
        if !winner.prefers(value, known) {
            if m != expected {
                found.line = vec![m];
            }
            return Ok(false);
        }
        if longest.is_none_or(|(_, longest)| winner.prefers(longest, value)) {
            longest = Some((m, value));
        }
    }
    if let Some((m, value)) = longest {
        found.score = value.into();
        found.line = vec![m];
    }
    Ok(true)
}

/// Returns the number of visited nodes at which a failed proof is tried again. `spent` nodes have finished the
/// nodes down to ply `nearest` of `longest`.
///
/// If every ply nearer to the root took the same factor, all plies would take `spent` to the power of `longest /
/// finished`. The table makes the upper plies cheaper, hence half of the difference: on 5×5 cells a few attempts
/// suffice, on 9×9 there is only the first.
fn worth_trying_at(spent: u64, longest: u32, nearest: u32) -> u64 {
    let finished = f64::from(longest.saturating_sub(nearest).max(1));
    let missing = f64::from(nearest.saturating_sub(1));
    let growth = (1.0 + missing / finished / 2.0).max(1.0);
    (spent.max(2) as f64).powf(growth) as u64
}
