//! The state of a position as JSON, for GUIs.

use serde_json::{Map, Value as Json, json};

use super::reply;
use super::values::{number, result, side};
use crate::engine::state::{ExpectedInfo, State, TablebaseInfo};
use crate::oracle::Verdict;
use crate::rules::Turn;
use crate::scene::{
    Argument, Board, Captured, EndReason, Ending, Group, Message, MoveChanges, Nested, Piece,
    Pieces, Reserve, Scene, Slides,
};
use crate::search::Feature;
use crate::settings::name_of;

/// Returns the answer to `state`.
pub fn answer(variant: &str, state: &State) -> String {
    format!("state {}", object(variant, state))
}

/// Returns the answer to `features`.
pub fn features(features: &[Feature]) -> String {
    let points = |hundredths: i32| number(f64::from(hundredths) / 100.0);
    let feature = |feature: &Feature| {
        json!({
            "name": feature.name,
            "number": feature.number,
            "weight": points(feature.weight),
            "points": points(feature.value()),
        })
    };
    let features: Vec<Json> = features.iter().map(feature).collect();
    format!("features {}", json!({ "features": features }))
}

/// Returns the JSON object of a state.
pub fn object(variant: &str, state: &State) -> Json {
    let State {
        about, over, scene, ..
    } = state;
    let outcome = over.as_ref().map(|(outcome, _)| reply::result(*outcome));
    let hand: Vec<Json> = scene.hand.iter().map(pile).collect();
    let moves: Vec<Json> = state.moves.iter().map(move_changes).collect();
    json!({
        "variant": variant,
        "title": about.title.english,
        "title_message": message(&about.title),
        "group": group(about.group),
        "rules": about.rules.iter().map(|rule| &rule.english).collect::<Vec<_>>(),
        "rule_messages": messages(&about.rules),
        "sources": state.sources.sources,
        "differences": state.sources.differences,
        "fen": state.fen,
        "ply": state.ply,
        "turn": turn(state.turn),
        "players": about.players,
        "each": about.singular_players,
        "outcome": outcome,
        "ending": over.as_ref().map(|(_, why)| ending(why)),
        "score": scene.score.map(number),
        "board": board(&scene.board),
        "pieces": pieces(scene),
        "hand": hand,
        "captured": scene.captured.iter().map(captured).collect::<Vec<_>>(),
        "direction": scene.direction,
        "moves": moves,
        "occurrences": state.occurrences,
        "algorithms": state.algorithms.iter().map(name_of).collect::<Vec<_>>(),
        "heuristics": state.heuristics.iter().map(name_of).collect::<Vec<_>>(),
        "tables": state.has_tables,
        "solved": match (&state.solved, &state.expected) {
            (Some(values), _) => Some(solved(values)),
            (None, Some(values)) => Some(expected(values)),
            (None, None) => None,
        },
    })
}

fn messages(messages: &[Message]) -> Json {
    messages.iter().map(message).collect()
}

/// Returns the key and the arguments of a message.
fn message(message: &Message) -> Json {
    let arguments = message.arguments.iter();
    let arguments: Map<String, Json> = arguments
        .map(|(name, value)| ((*name).to_string(), argument(value)))
        .collect();
    json!({ "key": message.key, "arguments": arguments })
}

fn argument(argument: &Argument) -> Json {
    match argument {
        Argument::Number(number) => json!(number),
        Argument::Flag(flag) => json!(flag),
        Argument::Choice(choice) => json!(choice),
        Argument::Name(name) => json!(name),
        Argument::Points(points) => json!(points),
        Argument::Pieces(Pieces {
            owner,
            one,
            many,
            count,
        }) => json!({ "player": side(*owner), "one": one, "many": many, "count": count }),
        Argument::Messages(list) => messages(list),
    }
}

/// Returns the word for the side to move.
pub fn turn(turn: Turn) -> &'static str {
    match turn {
        Turn::Player(mover) => side(mover),
        Turn::Chance => "chance",
    }
}

fn group(group: Group) -> &'static str {
    match group {
        Group::Hunts => "hunts",
        Group::Lines => "lines",
        Group::Numbers => "numbers",
        Group::Puzzles => "puzzles",
        Group::Trees => "trees",
    }
}

/// Returns the reason for the end of a game.
pub(crate) fn ending(Ending { why, points }: &Ending) -> Json {
    let why = match why {
        EndReason::Captured => "captured",
        EndReason::Blocked => "blocked",
        EndReason::Goal => "goal",
        EndReason::Trap => "trap",
        EndReason::Removed => "removed",
        EndReason::Line => "line",
        EndReason::Full => "full",
        EndReason::Repetition => "repetition",
        EndReason::Stuck => "stuck",
        EndReason::Leaf => "leaf",
        EndReason::Solved => "solved",
    };
    json!({ "why": why, "points": points })
}

fn board(board: &Board) -> Json {
    match board {
        Board::Graph {
            points,
            lines,
            zones,
        } => {
            let point = |point: &crate::scene::Point| json!({ "name": point.name, "x": number(point.x), "y": number(point.y) });
            let points: Vec<Json> = points.iter().map(point).collect();
            let zone = |zone: &crate::scene::Zone| json!({ "kind": zone.kind, "player": side(zone.owner), "points": zone.points });
            let zones: Vec<Json> = zones.iter().map(zone).collect();
            json!({ "kind": "graph", "points": points, "lines": lines, "zones": zones })
        }
        Board::Grid {
            rows,
            columns,
            length,
        } => json!({ "kind": "grid", "rows": rows, "columns": columns, "length": length }),
        Board::Tiles {
            rows,
            columns,
            slides: Slides::One { goal },
        } => {
            json!({ "kind": "tiles", "rows": rows, "columns": columns, "slides": "one", "goal": goal })
        }
        Board::Tiles {
            rows,
            columns,
            slides: Slides::All { target },
        } => json!({
            "kind": "tiles", "rows": rows, "columns": columns, "slides": "all", "goal": null, "target": target,
        }),
        Board::River {
            missionaries,
            cannibals,
            seats,
            boat_left,
        } => json!({
            "kind": "river", "missionaries": missionaries, "cannibals": cannibals, "seats": seats,
            "boat": if *boat_left { "left" } else { "right" },
        }),
        Board::Tree { root, first, at } => {
            json!({ "kind": "tree", "root": root.as_ref().map(nested), "first": side(*first), "at": at })
        }
    }
}

fn nested(tree: &Nested) -> Json {
    match tree {
        Nested::Number(points) => number(*points),
        Nested::List(children) => children.iter().map(nested).collect(),
        Nested::Chance(children, weights) => {
            json!({ "chance": children.iter().map(nested).collect::<Vec<_>>(), "weights": weights })
        }
    }
}

fn pieces(scene: &Scene) -> Vec<Json> {
    let piece = |piece: &Piece| {
        let mut object = Map::new();
        object.insert("at".into(), json!(piece.at));
        object.insert("kind".into(), json!(piece.kind));
        put(&mut object, "player", piece.owner.map(side));
        put(&mut object, "value", piece.value);
        put(&mut object, "count", piece.count);
        Json::Object(object)
    };
    scene.pieces.iter().map(piece).collect()
}

fn pile(pile: &Reserve) -> Json {
    json!({ "kind": pile.kind, "player": side(pile.owner), "count": pile.count })
}

fn captured(captured: &Captured) -> Json {
    let Captured { pile, wins } = captured;
    json!({ "kind": pile.kind, "player": side(pile.owner), "count": pile.count, "wins": wins })
}

fn move_changes((name, move_changes): &(String, MoveChanges)) -> Json {
    let mut object = Map::new();
    object.insert("move".into(), json!(name));
    put(&mut object, "from", move_changes.from.as_deref());
    put(&mut object, "to", move_changes.to.as_deref());
    let captures = (!move_changes.captures.is_empty()).then_some(&move_changes.captures[..]);
    put(&mut object, "captures", captures);
    let removed = (!move_changes.removed.is_empty()).then_some(&move_changes.removed[..]);
    put(&mut object, "removed", removed);
    let path = (!move_changes.path.is_empty()).then_some(&move_changes.path[..]);
    put(&mut object, "path", path);
    let drops = (!move_changes.drops.is_empty()).then_some(&move_changes.drops[..]);
    put(&mut object, "drops", drops);
    if !move_changes.slides.is_empty() {
        let slides = move_changes.slides.iter();
        let slides: Vec<Json> = slides
            .map(|(from, to)| json!({ "from": from, "to": to }))
            .collect();
        object.insert("slides".into(), Json::Array(slides));
    }
    put(&mut object, "gain", move_changes.gain);
    put(&mut object, "value", move_changes.value);
    put(&mut object, "chance", move_changes.chance);
    if let Some([missionaries, cannibals]) = move_changes.crew {
        object.insert(
            "crew".into(),
            json!({ "missionaries": missionaries, "cannibals": cannibals }),
        );
    }
    Json::Object(object)
}

/// Adds a value to an object, unless it is `None`.
pub(crate) fn put(object: &mut Map<String, Json>, key: &str, value: Option<impl Into<Json>>) {
    if let Some(value) = value {
        object.insert(key.into(), value.into());
    }
}

fn solved(solved: &TablebaseInfo) -> Json {
    let TablebaseInfo { verdict, moves } = solved;
    let moves = moves.iter().map(|m| {
        let mut object = Map::new();
        object.insert("move".into(), m.name.clone().into());
        put_verdict(&mut object, m.verdict);
        object.insert("traps".into(), number(f64::from(m.traps) / 1e6));
        Json::Object(object)
    });
    let moves: Vec<Json> = moves.collect();
    let mut object = Map::new();
    put_verdict(&mut object, *verdict);
    object.insert("moves".into(), moves.into());
    Json::Object(object)
}

/// Returns exact expectations. The keys of verdicts are present and null.
fn expected(expected: &ExpectedInfo) -> Json {
    let moves = expected.moves.iter().map(|m| {
        json!({ "move": m.name, "verdict": null, "plies": null, "points": number(m.points), "traps": 0 })
    });
    let moves: Vec<Json> = moves.collect();
    json!({ "verdict": null, "plies": null, "points": number(expected.points), "moves": moves })
}

/// Adds the keys of an exact value: the verdict, the plies of a forced win, and the points in games with
/// scores.
pub(crate) fn put_verdict(object: &mut Map<String, Json>, verdict: Verdict) {
    object.insert("verdict".into(), result(verdict.winner()).into());
    object.insert("plies".into(), verdict.plies().into());
    put(object, "points", verdict.points().map(number));
}
