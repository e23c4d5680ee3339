//! A position with its exact value, if it has one, and its legal moves with theirs.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use crate::engine::state::State;
use crate::engine::{self, Engine, GameStatus, Setup};
use crate::error::EngineError;
use crate::oracle::{ExactValue, Verdict};
use crate::protocol::reply::result;
use crate::protocol::state::{ending, put, put_verdict, turn};
use crate::protocol::values::number;
use crate::rules::{Outcome, Turn};
use crate::scene::{Ending, Group};
use crate::value::Side;

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
    /// Reads a position and its exact value from `engine`. If the value is unknown, calls `solve`, which returns `true` if it
    /// has tried to solve the game.
    ///
    /// # Errors
    /// If the engine rejects the position.
    pub(super) fn read(
        game: &'static str,
        engine: &mut dyn Engine,
        setup: &Setup,
        solve: impl FnOnce(&mut dyn Engine) -> bool,
    ) -> Result<Self, EngineError> {
        engine.set(setup, &[])?;
        let mut state = engine.state();
        // A solved puzzle has moves, too.
        let is_open = state.over.is_none() || !state.moves.is_empty();
        if is_open && state.solved.is_none() && state.expected.is_none() && solve(engine) {
            state = engine.state();
        }
        let moves = rated_moves(&state, engine.children());
        let value = value_of(&state);
        Ok(Self {
            game,
            fen: state.fen,
            turn: state.turn,
            side: engine.status().turn,
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
        let outcome = self.over.as_ref().map(|(outcome, _)| result(*outcome));
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

/// Returns the legal moves with their exact values. Moves with a value come first, best first.
fn rated_moves(state: &State, children: Vec<engine::Child>) -> Vec<Child> {
    let solved = state.solved.iter().flat_map(|solved| &solved.moves);
    let solved = solved.map(|known| (&known.name, ExactValue::Verdict(known.verdict), known.traps));
    let expected = state.expected.iter().flat_map(|expected| &expected.moves);
    let expected = expected.map(|known| (&known.name, ExactValue::Expected(known.points), 0));
    let rated: HashMap<&String, (usize, ExactValue, u32)> = solved
        .chain(expected)
        .enumerate()
        .map(|(rank, (name, value, traps))| (name, (rank, value, traps)))
        .collect();
    // The end of a game has a value without tables. At the end of a game of chance, it is not a verdict.
    let is_chance = state.about.group == Group::Numbers;
    let terminal = |status: GameStatus| {
        let outcome = status.outcome.filter(|_| !is_chance)?;
        let verdict = Verdict::terminal(outcome).one_ply_earlier();
        Some(ExactValue::Verdict(verdict))
    };
    let mut moves: Vec<(usize, Child)> = children
        .into_iter()
        .map(|engine::Child { name, fen, status }| {
            let (rank, value, traps) = match rated.get(&name) {
                Some(&(rank, value, traps)) => (rank, Some(value), traps),
                None => (usize::MAX, terminal(status), 0),
            };
            let child = Child {
                name,
                fen,
                turn: status.turn,
                outcome: status.outcome,
                value,
                traps,
            };
            (rank, child)
        })
        .collect();
    moves.sort_by_key(|(rank, _)| *rank);
    moves.into_iter().map(|(_, child)| child).collect()
}

/// Maximum time that a request waits for a game to be solved. The solver continues after it.
pub(super) const SOLVE_WAIT: Duration = Duration::from_millis(200);
