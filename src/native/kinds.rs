//! The three kinds of games behind one trait: two players, chance, and puzzles.

use puli::engine::state::State;
use puli::engine::states;
use puli::error::EngineError;
use puli::oracle::{ExactValue, Verdict};
use puli::path::{Path, numbered_move, read_legal};
use puli::pathfinding::EnginePuzzle;
use puli::random::Random;
use puli::rules::{Game, Notation, Outcome, Rules, Stochastic, Turn};
use puli::scene::SceneProvider;
use puli::solve::explicit::expected_points::ExpectedPoints;
use puli::solve::explicit::in_memory::{self, SolvedGame};
use puli::solve::explicit::reachable::Watch;
use puli::value::Side;

/// The rules of a kind of game.
pub(crate) type RulesOf<K> = <K as Kind>::Rules;
/// The position of a kind of game.
pub(crate) type PositionOf<K> = <RulesOf<K> as Rules>::Position;
/// The move of a kind of game.
pub(crate) type MoveOf<K> = <RulesOf<K> as Rules>::Move;

/// A kind of game: rules with an end, and perhaps exact values.
pub(crate) trait Kind: Send + Sync + Sized + 'static {
    /// The rules.
    type Rules: SceneProvider;
    /// The exact values of all positions that can be reached from the start.
    type Solution: Send + Sync;

    /// Wraps rules.
    fn new(rules: Self::Rules) -> Self;

    /// Returns the rules.
    fn rules(&self) -> &Self::Rules;

    /// Returns the side to move, or [`Turn::Chance`].
    fn turn(&self, position: &PositionOf<Self>) -> Turn;

    /// Returns the outcome if the game is over, ignoring repetition.
    fn outcome(&self, position: &PositionOf<Self>) -> Option<Outcome>;

    /// Returns the outcome of the third occurrence of a position, or `None` if repetition does not end the game.
    fn repetition(&self) -> Option<Outcome> {
        None
    }

    /// Returns the key of the common representative of the position and its symmetric images.
    fn symmetric_key(&self, position: &PositionOf<Self>) -> u64 {
        self.rules().key(position)
    }

    /// Returns the probabilities of the moves if chance is to move.
    fn chances(&self, _position: &PositionOf<Self>) -> Option<Vec<(MoveOf<Self>, f64)>> {
        None
    }

    /// Solves the game from `start` with at most `memory` MiB.
    fn solve(
        &self,
        start: PositionOf<Self>,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<Self::Solution, EngineError>;

    /// Returns the number of solved positions.
    fn solved_positions(solution: &Self::Solution) -> u64;

    /// Returns the exact value of a position, or `None` if it is not known.
    fn value(
        &self,
        solution: Option<&Self::Solution>,
        position: &PositionOf<Self>,
    ) -> Option<ExactValue>;

    /// Returns the state of a game that starts at `start` and continues with the moves in `texts`.
    ///
    /// # Errors
    /// If a move cannot be read or is not legal.
    fn state(
        &self,
        start: PositionOf<Self>,
        texts: &[String],
        solution: Option<&Self::Solution>,
    ) -> Result<State, EngineError>;

    /// Returns the outcome and the number of plies of a game with random moves. Returns no outcome after `max_plies`.
    fn playout(
        &self,
        start: PositionOf<Self>,
        max_plies: u32,
        random: &mut Random,
    ) -> (Option<Outcome>, u32) {
        let mut position = start;
        let mut moves = Vec::new();
        for ply in 0..max_plies {
            if let Some(outcome) = self.outcome(&position) {
                return (Some(outcome), ply);
            }
            let Some(m) = self.random_move(&position, &mut moves, random) else {
                return (None, ply);
            };
            position = self.rules().play(&position, m);
        }
        (self.outcome(&position), max_plies)
    }

    /// Returns a legal move: each with the same probability, or with the probabilities of chance. Returns `None` without a
    /// legal move. `buffer` is scratch space.
    fn random_move(
        &self,
        position: &PositionOf<Self>,
        buffer: &mut Vec<MoveOf<Self>>,
        random: &mut Random,
    ) -> Option<MoveOf<Self>> {
        if let Some(chances) = self.chances(position) {
            return random.weighted(&chances);
        }
        buffer.clear();
        self.rules().moves(position, buffer);
        random.choice(buffer).copied()
    }
}

/// Returns the position after the moves in `texts`, for games without repetition.
pub(crate) fn play_all<N: Notation>(
    rules: &N,
    start: N::Position,
    texts: &[String],
) -> Result<N::Position, EngineError> {
    let (mut position, mut legal) = (start, Vec::new());
    for (index, text) in texts.iter().enumerate() {
        legal.clear();
        rules.moves(&position, &mut legal);
        let m = read_legal(rules, &position, &legal, text);
        let m = m.map_err(|why| numbered_move(index, text, &why))?;
        position = rules.play(&position, m);
    }
    Ok(position)
}

/// Returns the value of a game that is over.
fn terminal(outcome: Outcome) -> ExactValue {
    ExactValue::Verdict(Verdict::terminal(outcome))
}

/// A two-player game.
pub(crate) struct TwoPlayer<G>(G);

impl<G: Game + SceneProvider> Kind for TwoPlayer<G> {
    type Rules = G;
    type Solution = SolvedGame<G>;

    fn new(rules: G) -> Self {
        Self(rules)
    }

    fn rules(&self) -> &G {
        &self.0
    }

    #[inline]
    fn turn(&self, position: &G::Position) -> Turn {
        states::game_turn(&self.0, position)
    }

    #[inline]
    fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        self.0.outcome(position)
    }

    fn repetition(&self) -> Option<Outcome> {
        G::REPETITION.then(|| self.0.repetition_outcome())
    }

    fn symmetric_key(&self, position: &G::Position) -> u64 {
        self.0.key(&self.0.canonical(position))
    }

    fn chances(&self, position: &G::Position) -> Option<Vec<(G::Move, f64)>> {
        self.0.chances(position)
    }

    fn solve(
        &self,
        start: G::Position,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<SolvedGame<G>, EngineError> {
        // Rejects trees with chance nodes, whose values are expectations.
        in_memory::positions(&self.0)?;
        SolvedGame::solve(self.0.clone(), start, memory, watch)
    }

    fn solved_positions(solution: &SolvedGame<G>) -> u64 {
        solution.len() as u64
    }

    fn value(
        &self,
        solution: Option<&SolvedGame<G>>,
        position: &G::Position,
    ) -> Option<ExactValue> {
        if let Some(outcome) = self.0.outcome(position) {
            return Some(terminal(outcome));
        }
        solution?.value(position).map(ExactValue::Verdict)
    }

    /// Returns the state of a game. The third occurrence of a position ends it.
    fn state(
        &self,
        start: G::Position,
        texts: &[String],
        solution: Option<&SolvedGame<G>>,
    ) -> Result<State, EngineError> {
        let mut path = Path::new(start);
        for (index, text) in texts.iter().enumerate() {
            let played = path.read_and_push(&self.0, text);
            played.map_err(|why| numbered_move(index, text, &why))?;
        }
        let oracle = solution.map(|solved| solved as _);
        Ok(states::of_game(&self.0, &path, oracle))
    }

    /// Returns the outcome of a game with random moves, repetition included.
    fn playout(
        &self,
        start: G::Position,
        max_plies: u32,
        random: &mut Random,
    ) -> (Option<Outcome>, u32) {
        let mut path = Path::new(start);
        let mut moves = Vec::new();
        for ply in 0..max_plies {
            if let Some(outcome) = path.outcome(&self.0) {
                return (Some(outcome), ply);
            }
            let Some(m) = self.random_move(path.position(), &mut moves, random) else {
                return (None, ply);
            };
            let after = self.0.play(path.position(), m);
            path.push(&self.0, after);
        }
        (path.outcome(&self.0), max_plies)
    }
}

/// A game with chance.
pub(crate) struct Chance<S>(S);

impl<S: Stochastic + SceneProvider> Kind for Chance<S> {
    type Rules = S;
    type Solution = ExpectedPoints<S>;

    fn new(rules: S) -> Self {
        Self(rules)
    }

    fn rules(&self) -> &S {
        &self.0
    }

    #[inline]
    fn turn(&self, position: &S::Position) -> Turn {
        self.0.turn(position)
    }

    #[inline]
    fn outcome(&self, position: &S::Position) -> Option<Outcome> {
        states::chance_outcome(&self.0, position)
    }

    fn chances(&self, position: &S::Position) -> Option<Vec<(S::Move, f64)>> {
        (self.turn(position) == Turn::Chance).then(|| {
            let mut chances = Vec::new();
            self.0.chances(position, &mut chances);
            chances
        })
    }

    fn solve(
        &self,
        start: S::Position,
        memory: u64,
        watch: Watch<'_>,
    ) -> Result<ExpectedPoints<S>, EngineError> {
        ExpectedPoints::solve(self.0.clone(), start, memory, watch)
    }

    fn solved_positions(solution: &ExpectedPoints<S>) -> u64 {
        solution.len() as u64
    }

    fn value(
        &self,
        solution: Option<&ExpectedPoints<S>>,
        position: &S::Position,
    ) -> Option<ExactValue> {
        if self.0.is_over(position) {
            return Some(ExactValue::Expected(0.0));
        }
        solution?.value(position).map(ExactValue::Expected)
    }

    fn state(
        &self,
        start: S::Position,
        texts: &[String],
        solution: Option<&ExpectedPoints<S>>,
    ) -> Result<State, EngineError> {
        let position = play_all(&self.0, start, texts)?;
        let expectations = solution.map(|solved| solved as _);
        Ok(states::of_stochastic(
            &self.0,
            &position,
            texts.len(),
            expectations,
        ))
    }
}

/// A puzzle for one player.
pub(crate) struct OnePlayer<P>(P);

impl<P: EnginePuzzle + SceneProvider> Kind for OnePlayer<P> {
    type Rules = P;
    type Solution = ();

    fn new(rules: P) -> Self {
        Self(rules)
    }

    fn rules(&self) -> &P {
        &self.0
    }

    #[inline]
    fn turn(&self, _position: &P::Position) -> Turn {
        Turn::Player(Side::P1)
    }

    #[inline]
    fn outcome(&self, position: &P::Position) -> Option<Outcome> {
        states::puzzle_outcome(&self.0, position)
    }

    fn solve(&self, _: P::Position, _: u64, _: Watch<'_>) -> Result<(), EngineError> {
        Err(EngineError::new(
            "the native module does not solve puzzles: use puli.Engine.solve",
        ))
    }

    fn solved_positions((): &()) -> u64 {
        0
    }

    fn value(&self, _solution: Option<&()>, position: &P::Position) -> Option<ExactValue> {
        self.outcome(position).map(terminal)
    }

    fn state(
        &self,
        start: P::Position,
        texts: &[String],
        _solution: Option<&()>,
    ) -> Result<State, EngineError> {
        let position = play_all(&self.0, start, texts)?;
        Ok(states::of_puzzle(&self.0, &position, texts.len()))
    }
}
