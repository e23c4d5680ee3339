//! What a selective search may say for certain: it proves that a game is a draw, and that no win is sooner than the
//! one it has found.
//!
//! Reductions overlook wins but never invent one, so a win found is a win, at most that far away. That nobody wins, or
//! nobody sooner, takes a search without them ([`SearchMode::Proof`]).

use super::repeated_positions::RepeatedPositions;
use super::worker::{PvsWorker, SharedState};
use super::{Pvs, SearchMode};
use crate::control::{Control, MAX_DEPTH, Stopped};
use crate::rules::Game;
use crate::search::{Root, SearchResult, Tactics};
use crate::value::{Bound, Score, Side, Value, Window};

/// A search that has visited fewer nodes knows too little to prove a draw, and to say when it could.
pub(super) const FIRST_ATTEMPT: u64 = 64;

/// The window that asks whether `side` gets more than `value`.
fn more_than(value: Value, side: Side) -> Window {
    Window::FULL.narrowed(side, value).scout(side)
}

impl<T> Pvs<T> {
    /// A climb that proves.
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
            style: SearchMode::Proof,
            tactics: &self.tactics,
            table: &self.table,
            deferred_moves: None,
            repetition: self.repetition(root.side(game)),
            repeated_positions,
        };
        PvsWorker::new(game, root, depth, control, shared, &mut self.experience[0])
    }

    /// Tries to prove a draw where that is worth it: as the game itself can, and by searching to the end of all games.
    pub(super) fn attempt_draw<G: Game>(
        &mut self,
        game: &G,
        root: &Root<G>,
        control: &mut Control,
    ) -> Result<Option<SearchResult<G::Move>>, Stopped>
    where
        T: Tactics<G>,
    {
        let mut drawing = self.ask_for_draw(game, root, control)?;
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

    /// The game's own proof, within twice as many nodes as were visited so far, and again when there are four times as many.
    fn ask_for_draw<G: Game>(
        &mut self,
        game: &G,
        root: &Root<G>,
        control: &mut Control,
    ) -> Result<Option<G::Move>, Stopped>
    where
        T: Tactics<G>,
    {
        let spent = control.nodes();
        if spent < self.next_question {
            return Ok(None);
        }
        let moves: Vec<_> = root.moves.iter().map(|candidate| candidate.m).collect();
        let position = root.path.position();
        let proof =
            |control: &mut Control| self.tactics.drawing_move(game, position, &moves, control);
        let drawing = control.within(spent.saturating_mul(2), proof)?.flatten();
        self.next_question = control.nodes().saturating_mul(4);
        Ok(drawing)
    }

    /// A search of all that can still be played, within as many nodes as were visited so far, and after an attempt that
    /// failed only when there are so many that the next one could be done.
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
        if spent < self.next_attempt {
            return Ok(None);
        }
        let deepest = control.deepest;
        let mut nearest = longest;
        let proof = |control: &mut Control| {
            let exhausted = RepeatedPositions::new(game, &root.path);
            let mut climb = self.prover(game, root, longest, control, &exhausted);
            let result = is_draw(&mut climb, root, longest);
            nearest = climb.nearest_finished;
            result
        };
        let result = control.within(spent, proof);
        control.deepest = control.deepest.max(deepest);
        if result == Ok(None) {
            self.next_attempt = worth_trying_at(spent, longest, nearest);
        }
        Ok(result?.flatten())
    }

    /// Proves that the winner of `found` cannot win sooner, or finds the sooner win: it takes the place of the other,
    /// until that is proved. Says whether it is: of a win beyond every depth, which is the tables' word, it cannot be.
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
            let mut climb = self.prover(game, root, plies - 1, control, &exhausted);
            is_sooner = if climb.side() == winner {
                wins_sooner(&mut climb, root, found, winner, plies)
            } else {
                loses_sooner(&mut climb, root, found, winner, plies)
            };
        }
        control.deepest = control.deepest.max(deepest);
        is_sooner.map(|is_sooner| !is_sooner)
    }
}

/// A move that draws, if the game is a draw: `longest` plies are all there are.
fn is_draw<G: Game, T: Tactics<G>>(
    climb: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    longest: u32,
) -> Result<Option<G::Move>, Stopped> {
    let side = climb.side();
    let (better, draw) = (
        more_than(Value::ZERO, side),
        more_than(Value::ZERO.worse(side), side),
    );
    for candidate in &root.moves {
        let value = climb.search_move(candidate.m, true, side, better, longest - 1, 1)?;
        if side.prefers(value, Value::ZERO) {
            return Ok(None);
        }
    }
    for candidate in &root.moves {
        let value = climb.search_move(candidate.m, true, side, draw, longest - 1, 1)?;
        if !side.prefers(Value::ZERO, value) {
            return Ok(Some(candidate.m));
        }
    }
    Ok(None)
}

/// Whether the side to move, who wins within `plies`, wins sooner; if so, that is what was found.
fn wins_sooner<G: Game, T: Tactics<G>>(
    climb: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    found: &mut SearchResult<G::Move>,
    winner: Side,
    plies: u32,
) -> Result<bool, Stopped> {
    let known = Value::win(winner, plies);
    for candidate in &root.moves {
        let window = more_than(known, winner);
        let value = climb.search_move(candidate.m, true, winner, window, plies - 2, 1)?;
        if winner.prefers(value, known) {
            found.score = value.into();
            found.line = vec![candidate.m];
            // Once more, for the least distance and the whole line.
            let open = Window::FULL.narrowed(winner, known);
            let value = climb.search_move(candidate.m, true, winner, open, plies - 2, 1)?;
            found.score = value.into();
            found.line.extend(climb.line(1));
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the side to move, who loses within `plies`, loses sooner whatever it plays; if so, that is what was found.
fn loses_sooner<G: Game, T: Tactics<G>>(
    climb: &mut PvsWorker<'_, G, T>,
    root: &Root<G>,
    found: &mut SearchResult<G::Move>,
    winner: Side,
    plies: u32,
) -> Result<bool, Stopped> {
    let known = Value::win(winner, plies);
    let window = more_than(known, winner);
    let expected = found.line[0];
    let others = root.moves.iter().map(|candidate| candidate.m);
    let others = others.filter(|&m| m != expected);
    let mut longest: Option<(G::Move, Value)> = None;
    for m in std::iter::once(expected).chain(others) {
        let value = climb.search_move(m, true, winner.other(), window, plies - 2, 1)?;
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

/// How many nodes a search has to have visited before a proof that failed is tried again, where `spent` nodes have
/// finished the nodes down to ply `nearest` of `longest`.
///
/// If every ply nearer to the root took as many times more as each of those finished did, all of them would take
/// `spent` to the power of `longest / finished`. The table makes the upper ones cheaper, hence half of the difference:
/// on 5×5 cells a few attempts are enough, on 9×9 there is only the first.
fn worth_trying_at(spent: u64, longest: u32, nearest: u32) -> u64 {
    let finished = f64::from(longest.saturating_sub(nearest).max(1));
    let missing = f64::from(nearest.saturating_sub(1));
    let growth = (1.0 + missing / finished / 2.0).max(1.0);
    (spent.max(2) as f64).powf(growth) as u64
}
