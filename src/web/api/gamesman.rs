//! The answers that GamesmanUni reads, the web client of the GamesCrafters group at UC Berkeley.
//!
//! The shape is that of its server, the [Universal Web API](https://github.com/GamesCrafters/GamesCraftersUWAPI). Values
//! are seen by the side to move: a position has that of its own side to move, also in the list of moves.

use serde_json::{Map, Value as Json, json};

use super::games::{Game, Games};
use super::position::{Child, Position};
use crate::oracle::{ExactValue, Verdict};
use crate::protocol::values::number;
use crate::scene::Group;
use crate::value::Side;

/// The only variant of each game.
pub(super) const VARIANT: &str = "regular";

/// The code of a remoteness that is finite and not known.
const FINITE_UNKNOWN: i64 = -100;

/// The code of an infinite remoteness.
const INFINITE: i64 = -200;

/// The category of games without pictures: the client shows positions and moves as text.
const GUI: &str = "v0";

/// Returns `true` if the client can show the game. It knows no games of chance.
pub(super) fn has(game: &Game) -> bool {
    game.text("group") != "numbers"
}

/// Returns the list of games, by name.
pub(super) fn list(games: &Games) -> Json {
    let mut games: Vec<&Game> = games.list.iter().filter(|game| has(game)).collect();
    games.sort_by_key(|game| game.text("title"));
    let entry = |game: &&Game| {
        let is_puzzle = game.text("group") == "puzzles";
        let kind = if is_puzzle { "onePlayer" } else { "twoPlayer" };
        json!({ "id": game.name, "name": game.text("title"), "type": kind, "gui": GUI })
    };
    games.iter().map(entry).collect()
}

/// Returns a game with its variant.
pub(super) fn game(game: &Game) -> Json {
    json!({
        "id": game.name,
        "name": game.text("title"),
        "variants": [{ "id": VARIANT, "name": "Regular", "gui": GUI }],
        "allowCustomVariantCreation": false,
        "supportsWinBy": game.text("group") == "trees",
    })
}

/// Returns the variant of a game.
pub(super) fn variant(game: &Game) -> Json {
    let start = game.text("start");
    let is_first = game.text("turn") == "p1";
    let side = if is_first { Side::P1 } else { Side::P2 };
    json!({
        "id": VARIANT,
        "name": "Regular",
        "gui": GUI,
        "startPosition": start,
        "autoguiStartPosition": with_turn(start, side),
        "imageAutoGUIData": null,
    })
}

/// Returns the rules of a game as Markdown.
pub(super) fn instructions(game: &Game) -> Json {
    let rules: String = game
        .texts("rules")
        .map(|rule| format!("- {rule}\n"))
        .collect();
    json!({ "instructions": format!("# {}\n\n{rules}", game.text("title")) })
}

/// Returns a position with the turn in front, from which the client knows the side to move.
fn with_turn(fen: &str, side: Side) -> String {
    let number = match side {
        Side::P1 => 1,
        Side::P2 => 2,
    };
    format!("{number}_{fen}")
}

/// The value of a position for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    value: &'static str,
    remoteness: i64,
}

/// Returns the value of a position for `side`. `left` is the number of plies that the verdict counts before the position.
fn seen(
    position: &Position,
    value: Option<ExactValue>,
    side: Side,
    is_over: bool,
    left: u32,
) -> Seen {
    let Some(ExactValue::Verdict(verdict)) = value else {
        return Seen {
            value: "unsolved",
            remoteness: FINITE_UNKNOWN,
        };
    };
    let value = match verdict.winner() {
        Some(winner) if winner == side => "win",
        Some(_) => "lose",
        None if position.group == Group::Puzzles => "lose",
        None if is_over || !position.can_repeat => "tie",
        None => "draw",
    };
    let remoteness = match verdict {
        Verdict::Win(_, plies) => i64::from(plies.saturating_sub(left)),
        Verdict::Endless(_) => INFINITE,
        _ if is_over => 0,
        Verdict::Points(_) => FINITE_UNKNOWN,
        Verdict::Draw if value == "tie" => FINITE_UNKNOWN,
        Verdict::Draw => INFINITE,
    };
    Seen { value, remoteness }
}

/// Adds the keys of a position.
fn put_position(object: &mut Map<String, Json>, fen: &str, side: Side, seen: Seen) {
    object.insert("position".into(), json!(fen));
    object.insert("autoguiPosition".into(), json!(with_turn(fen, side)));
    object.insert("positionValue".into(), json!(seen.value));
    object.insert("remoteness".into(), json!(seen.remoteness));
}

/// Adds the points by which the side to move wins, in games whose results are points.
fn put_points(object: &mut Map<String, Json>, value: Option<ExactValue>, side: Side) {
    if let Some(ExactValue::Verdict(verdict)) = value
        && let Some(points) = verdict.points()
    {
        let points = match side {
            Side::P1 => points,
            Side::P2 => -points,
        };
        object.insert("winby".into(), number(points));
    }
}

/// Returns a position with its moves, best first.
pub(super) fn position(position: &Position) -> Json {
    let side = position.side;
    let is_over = position.over.is_some();
    let own = seen(position, position.value, side, is_over, 0);
    let rated: Vec<RatedChild> = position
        .moves
        .iter()
        .map(|child| RatedChild::new(position, child, own))
        .collect();
    let mut moves: Vec<(usize, i64, Json)> = rated
        .iter()
        .map(|child| {
            let delta = child.delta(position, own, &rated);
            (child.rank(), delta, child.json(delta))
        })
        .collect();
    moves.sort_by_key(|(rank, delta, _)| (*rank, *delta));
    let moves: Vec<Json> = moves.into_iter().map(|(.., json)| json).collect();
    let mut object = Map::new();
    put_position(&mut object, &position.fen, side, own);
    put_points(&mut object, position.value, side);
    object.insert("moves".into(), json!(moves));
    Json::Object(object)
}

/// A move with its values.
struct RatedChild<'a> {
    child: &'a Child,
    /// The position after the move, for its side to move.
    after: Seen,
    /// The value of the move for the side that makes it.
    move_value: &'static str,
}

impl<'a> RatedChild<'a> {
    fn new(position: &Position, child: &'a Child, own: Seen) -> Self {
        let after = seen(
            position,
            child.value,
            child.turn,
            child.outcome.is_some(),
            1,
        );
        let move_value = if position.group == Group::Puzzles {
            // The client colors moves: towards the goal, away from it, or neither.
            match own.remoteness - after.remoteness {
                _ if after.value == "unsolved" => "unsolved",
                _ if after.remoteness == 0 => "win",
                _ if own.value == "unsolved" => "unsolved",
                _ if after.remoteness < 0 => "lose",
                1.. => "win",
                0 => "tie",
                _ => "lose",
            }
        } else {
            seen(
                position,
                child.value,
                position.side,
                child.outcome.is_some(),
                1,
            )
            .value
        };
        Self {
            child,
            after,
            move_value,
        }
    }

    /// Returns the place of the value of this move in the order from best to worst.
    fn rank(&self) -> usize {
        let order = ["win", "tie", "draw", "lose"];
        let place = order.iter().position(|value| *value == self.move_value);
        place.unwrap_or(order.len())
    }

    /// Returns the difference in remoteness to the best move of the same value. In puzzles, returns the difference to the
    /// position.
    fn delta(&self, position: &Position, own: Seen, all: &[Self]) -> i64 {
        if position.group == Group::Puzzles {
            let is_known = own.remoteness >= 0 && self.after.remoteness >= 0;
            return if is_known {
                own.remoteness - self.after.remoteness
            } else {
                0
            };
        }
        let same = all
            .iter()
            .filter(|other| other.move_value == self.move_value);
        let known: Vec<i64> = same
            .map(|other| other.after.remoteness)
            .filter(|remoteness| *remoteness >= 0)
            .collect();
        let (Some(min), Some(max)) = (known.iter().min(), known.iter().max()) else {
            return 0;
        };
        // A remoteness that is not known counts as longer than all others.
        let own = match self.after.remoteness {
            known @ 0.. => known,
            _ => max + 1,
        };
        let has_unknown = all
            .iter()
            .any(|other| other.move_value == self.move_value && other.after.remoteness < 0);
        match self.move_value {
            "win" | "tie" => own - min,
            "lose" => max + i64::from(has_unknown) - own,
            _ => 0,
        }
    }

    fn json(&self, delta: i64) -> Json {
        let mut object = Map::new();
        object.insert("move".into(), json!(self.child.name));
        object.insert("autoguiMove".into(), json!(self.child.name));
        put_position(&mut object, &self.child.fen, self.child.turn, self.after);
        put_points(&mut object, self.child.value, self.child.turn);
        object.insert("moveValue".into(), json!(self.move_value));
        object.insert("deltaRemoteness".into(), json!(delta));
        Json::Object(object)
    }
}
