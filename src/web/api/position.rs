//! A position with its exact value, if it has one, and its legal moves with theirs.

use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use crate::engine::state::State;
use crate::engine::{Engine, LocatedText, Setup};
use crate::error::EngineError;
use crate::oracle::Verdict;
use crate::protocol::state::{ending, put, put_verdict, turn};
use crate::protocol::values::number;
use crate::rules::{Outcome, Turn};
use crate::scene::{Ending, Group};
use crate::value::Side;

/// An exact value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ExactValue {
    /// The result of perfect play.
    Verdict(Verdict),
    /// The points expected from here on, in a game of chance.
    Expected(f64),
}

/// A legal move.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub name: String,
    /// The position after the move.
    pub fen: String,
    pub turn: Side,
    pub outcome: Option<Outcome>,
    /// The exact value before the move, so its plies include the move.
    pub value: Option<ExactValue>,
    /// Share of replies that lose, in millionths, if the move draws.
    pub traps: u32,
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub game: &'static str,
    pub fen: String,
    pub turn: Turn,
    /// The side to move. In a game of chance, the tiles are the second player.
    pub side: Side,
    pub players: Vec<String>,
    pub group: Group,
    pub over: Option<(Outcome, Ending)>,
    /// `true` if positions can repeat.
    pub can_repeat: bool,
    pub value: Option<ExactValue>,
    /// The legal moves, those with values first, best first.
    pub moves: Vec<Child>,
}

impl Position {
    /// Reads a position and its exact value from `engine`. If the value is unknown, calls `solve`, which may solve the game.
    ///
    /// # Errors
    /// If the engine rejects the position.
    pub(super) fn read(
        game: &'static str,
        engine: &mut dyn Engine,
        setup: &Setup,
        solve: impl FnOnce(&mut dyn Engine),
    ) -> Result<Self, EngineError> {
        engine.set(setup, &[])?;
        let mut state = engine.state();
        // A solved puzzle has moves, too.
        let is_open = state.over.is_none() || !state.moves.is_empty();
        if is_open && state.solved.is_none() && state.expected.is_none() {
            solve(engine);
            state = engine.state();
        }
        let side = engine.status().turn;
        let values = values_of_moves(&state);
        let mut moves = Vec::with_capacity(state.moves.len());
        for (name, value, traps) in values {
            let text = LocatedText {
                offset: 0,
                text: name.clone(),
            };
            engine.set(setup, &[text])?;
            let status = engine.status();
            // The end of a game has a value without tables.
            let is_chance = state.about.group == Group::Numbers;
            let terminal = status.outcome.filter(|_| !is_chance);
            let terminal = terminal.map(|outcome| Verdict::terminal(outcome).one_ply_earlier());
            moves.push(Child {
                name,
                fen: engine.fen(),
                turn: status.turn,
                outcome: status.outcome,
                value: value.or(terminal.map(ExactValue::Verdict)),
                traps,
            });
        }
        let value = value_of(&state);
        Ok(Self {
            game,
            fen: state.fen,
            turn: state.turn,
            side,
            players: state.about.players,
            group: state.about.group,
            over: state.over,
            can_repeat: state.occurrences.is_some(),
            value,
            moves,
        })
    }

    /// Returns `true` if the position and all its moves have exact values. They do not change any more.
    pub(super) fn is_complete(&self) -> bool {
        self.value.is_some() && self.moves.iter().all(|child| child.value.is_some())
    }

    /// Returns the JSON object of this position. `analysis` is that of a position without an exact value.
    pub(super) fn json(&self, is_pending: bool, analysis: Option<&Json>) -> Json {
        let mut object = Map::new();
        object.insert("game".into(), json!(self.game));
        object.insert("fen".into(), json!(self.fen));
        object.insert("turn".into(), json!(turn(self.turn)));
        object.insert("players".into(), json!(self.players));
        object.insert("over".into(), json!(self.over.is_some()));
        let outcome = self
            .over
            .as_ref()
            .map(|(outcome, _)| outcome_word(*outcome));
        object.insert("outcome".into(), json!(outcome));
        let ending = self.over.as_ref().map(|(_, why)| ending(why));
        object.insert("ending".into(), json!(ending));
        object.insert("exact".into(), json!(self.value.is_some()));
        put_value(&mut object, self.value);
        let moves: Vec<Json> = self.moves.iter().map(Child::json).collect();
        object.insert("moves".into(), json!(moves));
        object.insert("pending".into(), json!(is_pending));
        object.insert("analysis".into(), json!(analysis));
        Json::Object(object)
    }
}

impl Child {
    fn json(&self) -> Json {
        let mut object = Map::new();
        object.insert("move".into(), json!(self.name));
        object.insert("fen".into(), json!(self.fen));
        object.insert("over".into(), json!(self.outcome.is_some()));
        object.insert("exact".into(), json!(self.value.is_some()));
        put_value(&mut object, self.value);
        object.insert("traps".into(), number(f64::from(self.traps) / 1e6));
        Json::Object(object)
    }
}

/// Returns the word for an outcome, the same as that of a verdict.
fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome.winner() {
        Some(Side::P1) => "p1win",
        Some(Side::P2) => "p2win",
        None => "draw",
    }
}

/// Adds the keys of a value. They are null if the value is unknown.
fn put_value(object: &mut Map<String, Json>, value: Option<ExactValue>) {
    if let Some(ExactValue::Verdict(verdict)) = value {
        return put_verdict(object, verdict);
    }
    object.insert("verdict".into(), Json::Null);
    object.insert("plies".into(), Json::Null);
    if let Some(ExactValue::Expected(points)) = value {
        put(object, "points", Some(number(points)));
    }
}

/// Returns the exact value of the position.
fn value_of(state: &State) -> Option<ExactValue> {
    let is_chance = state.about.group == Group::Numbers;
    match (&state.over, &state.solved, &state.expected) {
        // At the end of a game of 2048, no more points can be scored.
        (Some(_), _, _) if is_chance => Some(ExactValue::Expected(0.0)),
        (Some((outcome, _)), _, _) => Some(ExactValue::Verdict(Verdict::terminal(*outcome))),
        (None, Some(solved), _) => Some(ExactValue::Verdict(solved.verdict)),
        (None, None, Some(expected)) => Some(ExactValue::Expected(expected.points)),
        (None, None, None) => None,
    }
}

/// Returns the names of the legal moves, each with its exact value and its traps. Moves with a value come first, best
/// first.
fn values_of_moves(state: &State) -> Vec<(String, Option<ExactValue>, u32)> {
    let mut moves: Vec<(String, Option<ExactValue>, u32)> = Vec::new();
    for solved in state.solved.iter().flat_map(|solved| &solved.moves) {
        let value = ExactValue::Verdict(solved.verdict);
        moves.push((solved.name.clone(), Some(value), solved.traps));
    }
    for expected in state.expected.iter().flat_map(|expected| &expected.moves) {
        let value = ExactValue::Expected(expected.points);
        moves.push((expected.name.clone(), Some(value), 0));
    }
    let known: std::collections::HashSet<String> =
        moves.iter().map(|(name, ..)| name.clone()).collect();
    let unknown = state.moves.iter().filter(|(name, _)| !known.contains(name));
    moves.extend(unknown.map(|(name, _)| (name.clone(), None, 0)));
    moves
}

/// Maximum time that a request waits for a game to be solved. The solver continues after it.
pub(super) const SOLVE_WAIT: Duration = Duration::from_millis(200);
