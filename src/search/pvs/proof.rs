//! Proofs of two results of the selective search: the game is a draw, or no shorter win exists.
//!
//! Reductions can hide a win. A win that is found is certain, but its distance is only an upper bound. Only a
//! search without reductions ([`SearchMode::Proof`]) can prove that no win or no shorter win exists.

use super::repeated_positions::RepeatedPositions;
use super::worker::{PvsWorker, SharedState};
use super::{Pvs, SearchMode};
use crate::control::{Control, MAX_DEPTH, Stopped};
use crate::rules::Game;
use crate::search::{Root, SearchResult, Tactics};
use crate::value::{Bound, Score, Side, Value, Window};

/// Minimum number of visited nodes before the first attempt of a proof. Fewer nodes do not allow an estimate of its
/// cost.
pub(super) const FIRST_ATTEMPT: u64 = 64;

/// Returns the null window that tests for a better value than `value` for `side`.
fn window_above(value: Value, side: Side) -> Window {
    Window::FULL.narrowed(side, value).scout(side)
}

impl<T> Pvs<T> {
    /// Creates a worker in proof mode.
    fn proof_worker<'a, G: Game>(
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
            repetition_value: self.repetition_value(root.side(game)),
            repeated_positions,
        };
        PvsWorker::new(game, root, depth, control, shared, &mut self.history[0])
    }

    /// Tries to prove a draw if the cost is acceptable: first by the game's own proof, then by a search to the end of
    /// all games.
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

    /// Runs the game's own proof with at most twice the number of nodes visited so far. After a failure, it runs again
    /// when the number of visited nodes is four times as large.
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

    /// Searches to the end of all games, with at most the number of nodes visited so far. After a failure, it runs
    /// again when the number of visited nodes reaches an estimate of the cost; see [`next_attempt_nodes`].
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
        let max_plies = game.max_plies_left(root.path.position());
        let Some(max_plies) = max_plies.filter(|&max_plies| max_plies <= MAX_DEPTH) else {
            return Ok(None);
        };
        if spent < self.next_draw_search {
            return Ok(None);
        }
        let deepest = control.deepest;
        let mut min_finished_ply = max_plies;
        let proof = |control: &mut Control| {
            let repeated_positions = RepeatedPositions::new(game, &root.path);
            let mut worker = self.proof_worker(game, root, max_plies, control, &repeated_positions);
            let result = find_draw(&mut worker, root, max_plies);
            min_finished_ply = worker.min_finished_ply;
            result
        };
        let result = control.within(spent, proof);
        control.deepest = control.deepest.max(deepest);
        if result == Ok(None) {
            self.next_draw_search = next_attempt_nodes(spent, max_plies, min_finished_ply);
        }
        Ok(result?.flatten())
    }

    /// Tries to prove that the winner of `found` cannot win in fewer plies. If a shorter win exists, stores it in
    /// `found` and tries to prove its distance in turn. Returns `true` if the distance in `found` is proved.
    ///
    /// A win from tablebases that is longer than the maximum depth is not proved.
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
        let repeated_positions = RepeatedPositions::new(game, &root.path);
        let deepest = control.deepest;
        let mut is_shorter = Ok(true);
        while let (Ok(true), Score::Win(winner, plies)) = (&is_shorter, found.score) {
            if plies <= 1 {
                is_shorter = Ok(false);
                break;
            }
            if plies > MAX_DEPTH {
                break;
            }
            let mut worker = self.proof_worker(game, root, plies - 1, control, &repeated_positions);
            is_shorter = if worker.side() == winner {
                find_shorter_win(&mut worker, root, found, winner, plies)
            } else {
                find_shorter_loss(&mut worker, root, found, winner, plies)
            };
        }
        control.deepest = control.deepest.max(deepest);
        is_shorter.map(|is_shorter| !is_shorter)
    }
}

/// Returns a drawing move if the game is a draw, or `None` if the side to move wins or loses. The game lasts at
/// most `max_plies` plies.
fn find_draw<G: Game, T: Tactics<G>>(
    worker: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    max_plies: u32,
) -> Result<Option<G::Move>, Stopped> {
    let side = worker.side();
    let (better, draw) = (
        window_above(Value::ZERO, side),
        window_above(Value::ZERO.worse(side), side),
    );
    for candidate in &root.moves {
        let value = worker.search_move(candidate.m, true, side, better, max_plies - 1, 1)?;
        if side.prefers(value, Value::ZERO) {
            return Ok(None);
        }
    }
    for candidate in &root.moves {
        let value = worker.search_move(candidate.m, true, side, draw, max_plies - 1, 1)?;
        if !side.prefers(Value::ZERO, value) {
            return Ok(Some(candidate.m));
        }
    }
    Ok(None)
}

/// Returns `true` if the side to move, which wins within `plies` plies, has a shorter win. Stores the shorter win in
/// `found`.
fn find_shorter_win<G: Game, T: Tactics<G>>(
    worker: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    found: &mut SearchResult<G::Move>,
    winner: Side,
    plies: u32,
) -> Result<bool, Stopped> {
    let found_value = Value::win(winner, plies);
    for candidate in &root.moves {
        let window = window_above(found_value, winner);
        let value = worker.search_move(candidate.m, true, winner, window, plies - 2, 1)?;
        if winner.prefers(value, found_value) {
            found.score = value.into();
            found.line = vec![candidate.m];
            // Search the move again with an open window, for the exact distance and the whole line.
            let open = Window::FULL.narrowed(winner, found_value);
            let value = worker.search_move(candidate.m, true, winner, open, plies - 2, 1)?;
            found.score = value.into();
            found.line.extend(worker.line(1));
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns `true` if every move of the side to move, which loses within `plies` plies, loses sooner. Stores the move
/// with the longest defense in `found`.
///
/// Otherwise makes a move that does not lose sooner the best move and returns `false`.
fn find_shorter_loss<G: Game, T: Tactics<G>>(
    worker: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    found: &mut SearchResult<G::Move>,
    winner: Side,
    plies: u32,
) -> Result<bool, Stopped> {
    let found_value = Value::win(winner, plies);
    let window = window_above(found_value, winner);
    let best_move = found.line[0];
    let others = root.moves.iter().map(|candidate| candidate.m);
    let others = others.filter(|&m| m != best_move);
    let mut slowest: Option<(G::Move, Value)> = None;
    for m in std::iter::once(best_move).chain(others) {
        let value = worker.search_move(m, true, winner.other(), window, plies - 2, 1)?;
        if !winner.prefers(value, found_value) {
            if m != best_move {
                found.line = vec![m];
            }
            return Ok(false);
        }
        if slowest.is_none_or(|(_, slowest)| winner.prefers(slowest, value)) {
            slowest = Some((m, value));
        }
    }
    if let Some((m, value)) = slowest {
        found.score = value.into();
        found.line = vec![m];
    }
    Ok(true)
}

/// Returns the number of visited nodes at which to repeat a failed search for a draw.
///
/// The failed search visited `spent` nodes. `min_finished_ply` is the lowest ply of a finished node, so the search
/// finished `max_plies - min_finished_ply` plies, counted from the leaves. If every ply multiplied the number of nodes
/// by the same factor, all plies would take `spent` to the power of `max_plies / finished` nodes.
///
/// The transposition table makes the plies near the root cheaper, so the excess of the exponent over 1 is halved. A
/// few attempts suffice on 5×5 cells; on 9×9 cells there is only one attempt.
fn next_attempt_nodes(spent: u64, max_plies: u32, min_finished_ply: u32) -> u64 {
    let finished = f64::from(max_plies.saturating_sub(min_finished_ply).max(1));
    let missing = f64::from(min_finished_ply.saturating_sub(1));
    let growth = (1.0 + missing / finished / 2.0).max(1.0);
    (spent.max(2) as f64).powf(growth) as u64
}
