//! The states of the three kinds of games, with exact values where they are known.

use super::expectation;
use super::state::{self, SolvedMove, State, TablebaseInfo};
use crate::oracle::{self, Oracle};
use crate::path::Path;
use crate::pathfinding::{ALGORITHMS as PUZZLE_ALGORITHMS, EnginePuzzle, PuzzleSolver};
use crate::rules::{Game, Notation, Outcome, Stochastic, Turn};
use crate::scene::{EndReason, SceneProvider};
use crate::search::algorithms::ALGORITHMS;
use crate::settings::{Algorithm, HeuristicName, NamedEnum as _};
use crate::solve::explicit::expected_points::Expectations;
use crate::value::Side;

/// The algorithms that games with chance run. The minimax family treats chance as an adversary.
pub(crate) const CHANCE_ALGORITHMS: &[Algorithm] = &[
    Algorithm::Minimax,
    Algorithm::AlphaBeta,
    Algorithm::Expectimax,
    Algorithm::Auto,
];

/// Creates the state of the last position of `path`. `oracle` is the source of exact values, if there is one.
pub fn of_game<G: Game + SceneProvider>(
    game: &G,
    path: &Path<G>,
    oracle: Option<&dyn Oracle<G>>,
) -> State {
    let position = path.position();
    let turn = game_turn(game, position);
    let (outcome, legal) = (path.outcome(game), path.moves(game));
    let mut state = state::of(game, position, path.len() - 1, turn, outcome, &legal);
    if path.is_repetition() {
        state.over = outcome.map(|outcome| (outcome, EndReason::Repetition.into()));
    }
    state.occurrences = G::REPETITION.then(|| path.occurrences());
    state.algorithms = ALGORITHMS.to_vec();
    state.solved = oracle.and_then(|oracle| solved(game, path, oracle));
    state
}

/// Returns the side to move in a two-player game, or [`Turn::Chance`] at a chance node of a tree.
#[inline]
pub fn game_turn<G: Game>(game: &G, position: &G::Position) -> Turn {
    match game.chances(position) {
        Some(_) => Turn::Chance,
        None => Turn::Player(game.side(position)),
    }
}

/// Creates the state of a position in a game with chance, `ply` moves after its start. `expectations` is the source of
/// exact values, if there is one.
pub fn of_stochastic<S: Stochastic + SceneProvider>(
    game: &S,
    position: &S::Position,
    ply: usize,
    expectations: Option<&dyn Expectations<S>>,
) -> State {
    let turn = game.turn(position);
    let mut legal = Vec::new();
    game.moves(position, &mut legal);
    let info = |solved| expectation::info(game, solved, position, turn.side());
    State {
        algorithms: CHANCE_ALGORITHMS.to_vec(),
        expected: expectations.and_then(info),
        ..state::of(
            game,
            position,
            ply,
            turn,
            chance_outcome(game, position),
            &legal,
        )
    }
}

/// Returns the outcome of a game with chance, or `None` if the game is not over.
pub fn chance_outcome<S: Stochastic>(game: &S, position: &S::Position) -> Option<Outcome> {
    let over = game.is_over(position);
    over.then(|| game.winner(position).map_or(Outcome::Draw, Outcome::Won))
}

/// Creates the state of a puzzle, `ply` moves after its start. Play can continue after the puzzle is solved.
pub fn of_puzzle<P: EnginePuzzle + SceneProvider>(
    puzzle: &P,
    position: &P::Position,
    ply: usize,
) -> State {
    let mut legal = Vec::new();
    puzzle.moves(position, &mut legal);
    let outcome = puzzle_outcome(puzzle, position);
    let names = HeuristicName::ALL.iter().map(|&(name, _)| name);
    State {
        algorithms: PUZZLE_ALGORITHMS.to_vec(),
        heuristics: names.filter(|&name| has_heuristic(puzzle, name)).collect(),
        ..state::of(
            puzzle,
            position,
            ply,
            Turn::Player(Side::P1),
            outcome,
            &legal,
        )
    }
}

/// Returns the outcome of a puzzle, or `None` if it is not solved.
pub fn puzzle_outcome<P: EnginePuzzle>(puzzle: &P, position: &P::Position) -> Option<Outcome> {
    let is_solved = puzzle.is_solved(position);
    is_solved.then_some(Outcome::Won(Side::P1))
}

/// Returns `true` if the general or the specialized searches of a puzzle support the heuristic `name`, which is not `Own`.
pub(super) fn has_heuristic<P: EnginePuzzle>(puzzle: &P, name: HeuristicName) -> bool {
    puzzle.has_heuristic(name) || P::Solver::provides(name)
}

/// Returns the values of the last position of `path` and of its moves, if the position has a value. Ignores errors,
/// because other functions report them.
fn solved<G: Game + Notation>(
    game: &G,
    path: &Path<G>,
    oracle: &dyn Oracle<G>,
) -> Option<TablebaseInfo> {
    let verdict = oracle::value_of(game, path, oracle).ok()??;
    let mut known = path.moves(game);
    known.retain(|&m| {
        let mut path = path.clone();
        let child = game.play(path.position(), m);
        path.push(game, child);
        matches!(oracle::value_of(game, &path, oracle), Ok(Some(_)))
    });
    let rated = oracle::rate_moves(game, path, &known, oracle).ok()??;
    let moves = rated.into_iter().map(|rated| SolvedMove {
        name: game.show_move_at(path.position(), rated.m),
        verdict: rated.verdict,
        traps: rated.traps,
    });
    Some(TablebaseInfo {
        verdict,
        moves: moves.collect(),
    })
}
