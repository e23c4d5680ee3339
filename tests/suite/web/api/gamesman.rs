//! Tests the answers for GamesmanUni.

use puli::catalog;
use serde_json::{Value, json};

use super::client::{Client, encoded, path};
use super::connected;

fn position(client: &mut Client, game: &str, fen: &str) -> Value {
    let path = format!("/gamesman/{game}/regular/positions/?p={}", encoded(fen));
    client.get_settled(&path).json()
}

#[test]
fn client_finds_games_and_their_start() {
    let mut client = connected();
    let games = client.get("/gamesman/").json();
    let games = games.as_array().expect("games");
    assert_eq!(games.len(), catalog::all().count() - 1);
    let of = |id: &str| games.iter().find(|game| game["id"] == id);
    assert_eq!(of("2048"), None);
    assert_eq!(
        of("tic-tac-toe"),
        Some(
            &json!({ "id": "tic-tac-toe", "name": "Tic-tac-toe", "type": "twoPlayer", "gui": "v0" })
        )
    );
    assert_eq!(of("8-puzzle").unwrap()["type"], "onePlayer");
    assert_eq!(client.get("/gamesman").json(), json!(games));
    let game = client.get("/gamesman/tic-tac-toe/").json();
    assert_eq!(
        game["variants"],
        json!([{ "id": "regular", "name": "Regular", "gui": "v0" }])
    );
    let variant = client.get("/gamesman/tic-tac-toe/regular/").json();
    assert_eq!(variant["startPosition"], "3 3 3 3/3/3 x 1");
    assert_eq!(variant["autoguiStartPosition"], "1_3 3 3 3/3/3 x 1");
    let rules = client.get("/gamesman/tic-tac-toe/regular/instructions/?locale=es");
    let rules = rules.json();
    let rules = rules["instructions"].as_str().expect("a text");
    assert!(rules.starts_with("# Tic-tac-toe\n\n- "), "{rules}");
}

#[test]
fn position_has_values_of_side_to_move() {
    let mut client = connected();
    // X wins at once on c1. The other moves draw or lose.
    let answer = position(&mut client, "tic-tac-toe", "3 3 3 3/OO1/XX1 x 3");
    assert_eq!(answer["position"], "3 3 3 3/OO1/XX1 x 3");
    assert_eq!(answer["autoguiPosition"], "1_3 3 3 3/OO1/XX1 x 3");
    assert_eq!(answer["positionValue"], "win");
    assert_eq!(answer["remoteness"], 1);
    let keys = [
        "move",
        "positionValue",
        "remoteness",
        "moveValue",
        "deltaRemoteness",
    ];
    let moves = answer["moves"].as_array().expect("moves");
    let moves: Vec<Value> = moves
        .iter()
        .map(|m| keys.iter().map(|key| m[*key].clone()).collect())
        .collect();
    assert_eq!(
        moves,
        [
            json!(["c1", "lose", 0, "win", 0]),
            json!(["c2", "tie", -100, "tie", 0]),
            json!(["a3", "win", 1, "lose", 0]),
            json!(["b3", "win", 1, "lose", 0]),
            json!(["c3", "win", 1, "lose", 0]),
        ]
    );
    let lost = position(&mut client, "tic-tac-toe", "3 3 3 XXX/OO1/3 o 4");
    assert_eq!(lost["positionValue"], "lose");
    assert_eq!(lost["remoteness"], 0);
    assert_eq!(lost["moves"], json!([]));
}

#[test]
fn puzzles_and_trees_have_their_own_values() {
    let mut client = connected();
    let puzzle = position(&mut client, "8-puzzle", "1,0,2/3,4,5");
    assert_eq!(puzzle["positionValue"], "win");
    assert_eq!(puzzle["remoteness"], 1);
    let moves = puzzle["moves"].as_array().expect("moves");
    let rated: Vec<Value> = moves
        .iter()
        .map(|m| json!([m["moveValue"], m["remoteness"], m["deltaRemoteness"]]))
        .collect();
    assert_eq!(
        rated,
        [
            json!(["win", 0, 1]),
            json!(["lose", 2, -1]),
            json!(["lose", 2, -1])
        ]
    );
    assert_eq!(moves[0]["autoguiMove"], "left");
    // This puzzle is not solved in memory, but the move that solves it is known.
    let large = position(
        &mut client,
        "15-puzzle",
        "1,0,2,3/4,5,6,7/8,9,10,11/12,13,14,15",
    );
    let moves = large["moves"].as_array().expect("moves");
    let rated = moves
        .iter()
        .map(|m| (m["moveValue"].as_str().unwrap(), m["remoteness"].as_i64()));
    let rated: Vec<_> = rated.collect();
    assert_eq!(
        rated,
        [
            ("win", Some(0)),
            ("unsolved", Some(-100)),
            ("unsolved", Some(-100))
        ]
    );
    let tree = position(&mut client, "tree", "[[3,17],[2,12]] min");
    assert_eq!(tree["autoguiPosition"], "2_[[3,17],[2,12]] min");
    assert_eq!(tree["positionValue"], "lose");
    assert_eq!(tree["winby"], -12);
    assert_eq!(tree["moves"][0]["winby"], 12);
}

#[test]
fn draws_by_repetition_are_infinite() {
    let mut client = connected();
    let mut kinds = std::collections::BTreeSet::new();
    for game in catalog::all() {
        let exact = client
            .get_settled(&(path(game, "start") + "?nodes=1"))
            .json();
        if game == "2048" {
            continue;
        }
        let answer = position(&mut client, game, "start");
        let (value, remoteness) = (&answer["positionValue"], &answer["remoteness"]);
        let turn = exact["turn"].as_str().unwrap();
        match exact["verdict"].as_str() {
            None => assert_eq!(
                (value, remoteness),
                (&json!("unsolved"), &json!(-100)),
                "{game}"
            ),
            Some("draw") => {
                let expected = if game == "tic-tac-toe" {
                    (json!("tie"), json!(-100))
                } else {
                    (json!("draw"), json!(-200))
                };
                assert_eq!((value, remoteness), (&expected.0, &expected.1), "{game}");
            }
            Some(verdict) => {
                let is_win = verdict.starts_with(turn);
                assert_eq!(value, if is_win { "win" } else { "lose" }, "{game}");
                if let Some(plies) = exact["plies"].as_u64() {
                    assert_eq!(remoteness.as_u64(), Some(plies), "{game}");
                }
            }
        }
        kinds.insert(value.as_str().unwrap().to_string());
        // A winning move has the least remoteness of all winning moves.
        for m in answer["moves"].as_array().unwrap() {
            let delta = m["deltaRemoteness"].as_i64().expect("a number");
            assert!(
                delta >= 0 || exact["players"].as_array().unwrap().len() == 1,
                "{game} {m}"
            );
        }
    }
    assert!(kinds.len() >= 4, "{kinds:?}");
}
