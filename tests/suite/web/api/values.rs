//! Tests that positions have the values of the engine, in every game.

use std::thread;
use std::time::{Duration, Instant};

use puli::catalog;
use puli::engine::{Engine, LocatedText, Setup};
use puli::protocol::state;
use puli::settings::Settings;
use puli::web::api::ApiConfig;
use serde_json::Value;

use super::client::{Client, encoded, path};
use super::{config, connected, start};

fn text(text: &str) -> LocatedText {
    LocatedText {
        offset: 0,
        text: text.into(),
    }
}

/// Compares the answer for a position with the engine. `settings` are those of the server.
fn compare(answer: &Value, engine: &mut dyn Engine) {
    let fen = answer["fen"].as_str().expect("a FEN");
    let setup = Setup::Fen(text(fen));
    engine.set(&setup, &[]).expect("a position");
    let name = answer["game"].as_str().expect("a name");
    if answer["exact"] == true {
        // The server has solved the game, so it is small enough.
        let start = Instant::now();
        engine.solve_if_small(Duration::from_secs(60));
        assert!(start.elapsed() < Duration::from_secs(60), "{name} {fen}");
    }
    let state = state::object(name, &engine.state());
    for key in ["fen", "turn", "players", "outcome", "ending"] {
        assert_eq!(answer[key], state[key], "{name} {fen}: {key}");
    }
    assert_eq!(answer["over"], !state["outcome"].is_null(), "{name} {fen}");
    let solved = &state["solved"];
    if answer["over"] == false {
        assert_eq!(answer["exact"], !solved.is_null(), "{name} {fen}");
        for key in ["verdict", "plies", "points"] {
            let expected = solved.get(key).unwrap_or(&Value::Null);
            let actual = answer.get(key).unwrap_or(&Value::Null);
            assert_eq!(actual, expected, "{name} {fen}: {key}");
        }
    }
    let moves = answer["moves"].as_array().expect("moves");
    let mut names: Vec<&str> = moves.iter().map(|m| m["move"].as_str().unwrap()).collect();
    let legal = state["moves"].as_array().expect("moves");
    let mut legal: Vec<&str> = legal.iter().map(|m| m["move"].as_str().unwrap()).collect();
    names.sort_unstable();
    legal.sort_unstable();
    assert_eq!(names, legal, "{name} {fen}");
    let rated = solved["moves"].as_array();
    for (index, m) in moves.iter().enumerate() {
        let word = m["move"].as_str().unwrap();
        let expected = rated.and_then(|rated| rated.iter().find(|rated| rated["move"] == word));
        if let Some(expected) = expected {
            // The order is that of the engine, best first.
            assert_eq!(rated.unwrap()[index]["move"], word, "{name} {fen}");
            for key in ["verdict", "plies", "points", "traps"] {
                assert_eq!(m.get(key), expected.get(key), "{name} {fen} {word}: {key}");
            }
        }
        engine.set(&setup, &[text(word)]).expect("a legal move");
        assert_eq!(m["fen"], engine.fen(), "{name} {fen} {word}");
        let is_over = engine.status().outcome.is_some();
        assert_eq!(m["over"], is_over, "{name} {fen} {word}");
    }
}

/// Checks that an answer without an exact value makes no claim, and that its analysis is a line of legal moves.
fn check_analysis(answer: &Value, engine: &mut dyn Engine, max_nodes: u64) {
    let fen = answer["fen"].as_str().expect("a FEN");
    assert_eq!(answer["verdict"], Value::Null, "{fen}");
    assert_eq!(answer["plies"], Value::Null, "{fen}");
    assert_eq!(answer.get("points"), None, "{fen}");
    let analysis = &answer["analysis"];
    let line = analysis["pv"].as_array().expect("a line");
    let line: Vec<LocatedText> = line.iter().map(|m| text(m.as_str().unwrap())).collect();
    engine
        .set(&Setup::Fen(text(fen)), &line)
        .expect("legal moves");
    let best = analysis["bestmove"].as_str().expect("a move");
    // The search of a puzzle has no line until it has found a solution.
    if let Some(first) = line.first() {
        assert_eq!(best, first.text, "{fen}");
    }
    assert!(
        analysis["nodes"].as_u64().expect("nodes") <= max_nodes,
        "{answer}"
    );
}

/// Checks that each move leads to a position with the same value.
fn check_children(client: &mut Client, answer: &Value) {
    let game = answer["game"].as_str().expect("a name");
    for m in answer["moves"].as_array().expect("moves").iter().take(3) {
        let child = client.get_settled(&path(game, m["fen"].as_str().unwrap()));
        let child = child.json();
        assert_eq!(child["fen"], m["fen"]);
        if m["exact"] == false || game == "2048" {
            continue;
        }
        assert_eq!(child["exact"], true, "{m} {child}");
        assert_eq!(child["verdict"], m["verdict"], "{m} {child}");
        let plies = m["plies"].as_u64().map(|plies| plies - 1);
        assert_eq!(child["plies"].as_u64(), plies, "{m} {child}");
    }
}

#[test]
fn every_game_has_values_of_engine() {
    let config = config(20_000);
    let settings = config.settings.clone();
    let mut client = Client::new(start(config));
    let listed = client.get("/v1/games").json();
    let listed = listed["games"].as_array().expect("games");
    let names: Vec<&str> = listed
        .iter()
        .map(|game| game["game"].as_str().unwrap())
        .collect();
    assert_eq!(names, catalog::all().collect::<Vec<_>>());
    let mut exact = 0;
    for variant in catalog::all() {
        let mut engine = catalog::build(&Settings {
            variant,
            ..settings.clone()
        })
        .expect("an engine");
        let mut fen = String::from("start");
        for step in 0..4 {
            let answer = client.get_settled(&(path(variant, &fen) + "?nodes=2000"));
            assert_eq!(answer.status, 200, "{answer:?}");
            let is_fact = answer.header("etag").is_some();
            let answer = answer.json();
            compare(&answer, engine.as_mut());
            let moves = answer["moves"].as_array().expect("moves");
            let is_known = answer["exact"] == true && moves.iter().all(|m| m["exact"] == true);
            assert_eq!(is_fact, is_known, "{answer}");
            if answer["exact"] == true {
                exact += 1;
                assert_eq!(answer["analysis"], Value::Null);
                if step == 1 {
                    check_children(&mut client, &answer);
                }
            } else {
                check_analysis(&answer, engine.as_mut(), 2000);
            }
            let Some(next) = moves.get((step * 7 + 3) % moves.len().max(1)) else {
                break;
            };
            fen = next["fen"].as_str().expect("a FEN").into();
        }
    }
    // Tiny games: at least `tic-tac-toe`, `missionaries`, `tree` and several hunt games.
    assert!(exact >= 20, "{exact}");
}

#[test]
fn known_values_are_exact() {
    let mut client = connected();
    for (game, fen, verdict, plies) in [
        ("tic-tac-toe", "start", "draw", None),
        ("tic-tac-toe", "3 3 3 3/OO1/XX1 x 3", "p1win", Some(1)),
        ("tic-tac-toe", "3 3 3 XXX/OO1/3 o 4", "p1win", Some(0)),
        ("missionaries", "start", "p1win", Some(11)),
        ("tree", "[[3,17],[2,12]] max", "p1win", None),
    ] {
        let answer = client.get_settled(&path(game, fen)).json();
        assert_eq!(answer["exact"], true, "{answer}");
        assert_eq!(answer["verdict"], verdict, "{answer}");
        assert_eq!(answer["plies"].as_u64(), plies, "{answer}");
    }
    let tree = client
        .get_settled(&path("tree", "[[3,17],[2,12]] max"))
        .json();
    assert_eq!(tree["points"], 3);
    let small = client.get_settled(&path("2048", "2,2/0,0 p 0")).json();
    assert_eq!(small["exact"], true, "{small}");
    assert!(small["points"].as_f64().expect("points") > 4.0, "{small}");
    // Slashes need not be encoded.
    let plain = client.get("/v1/tic-tac-toe/positions/3%203%203%203/OO1/XX1%20x%203");
    assert_eq!(plain.json()["plies"], 1);
}

/// Returns a configuration that solves games of `positions` positions from the folder `tables`.
fn with_tables(tables: &str) -> ApiConfig {
    let mut config = config(0);
    config.settings.tablebase_path = tables.into();
    config
}

#[test]
fn tables_give_exact_values() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let solved = std::process::Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(["solve", "kaooa", "--out"])
        .arg(&tables)
        .output()
        .expect("a process");
    assert!(solved.status.success(), "{solved:?}");
    let mut client = Client::new(start(with_tables(tables.to_str().unwrap())));
    let answer = client.get(&path("kaooa", "start")).json();
    assert_eq!(answer["exact"], true, "{answer}");
    let mut engine = catalog::build(&Settings {
        variant: "kaooa",
        ..Settings::default()
    })
    .unwrap();
    compare(&answer, engine.as_mut());
    let without = Client::new(start(config(0))).get(&path("kaooa", "start"));
    assert_eq!(without.status, 200);
    assert_eq!(without.json()["exact"], false);
}

#[test]
fn answers_while_games_are_being_solved() {
    let config = config(2_000_000);
    let settings = config.settings.clone();
    let port = start(config);
    let mut client = Client::new(port);
    client.get("/v1/games");
    // It takes seconds to solve these games.
    let large = ["wolf-and-sheep", "8-puzzle"];
    for game in large {
        let response = client.get(&(path(game, "start") + "?nodes=1000"));
        let answer = response.json();
        if answer["exact"] == false {
            assert_eq!(response.status, 202, "{answer}");
            assert_eq!(response.header("retry-after"), Some("1"));
            assert_eq!(response.header("cache-control"), Some("no-store"));
            assert_eq!(answer["pending"], true, "{answer}");
            assert!(answer["analysis"].is_object(), "{answer}");
        }
    }
    // A game that is too large does not wait for its turn to be solved.
    let unsolvable = client.get("/v1/bagh-chal/positions/start?nodes=100");
    assert_eq!(unsolvable.status, 200, "{unsolvable:?}");
    assert_eq!(unsolvable.json()["pending"], false);
    // Other games have their values meanwhile.
    let other = thread::spawn(move || {
        let mut client = Client::new(port);
        let begin = Instant::now();
        let answer = client.get_settled(&path("tic-tac-toe", "start"));
        assert_eq!(answer.json()["exact"], true);
        begin.elapsed()
    });
    assert!(other.join().unwrap() < Duration::from_secs(20));
    for game in large {
        let answer = client.get_settled(&path(game, "start")).json();
        assert_eq!(answer["exact"], true, "{answer}");
        assert_eq!(answer["pending"], false, "{answer}");
        let mut engine = catalog::build(&Settings {
            variant: game,
            ..settings.clone()
        })
        .unwrap();
        compare(&answer, engine.as_mut());
    }
}

#[test]
fn scores_are_those_of_first_player() {
    let mut client = Client::new(start(config(0)));
    let answer = client.get("/v1/2048/positions/start?nodes=1000").json();
    let tile_is_next = answer["moves"][0]["fen"].as_str().expect("a FEN");
    let before_tile = client.get(&(path("2048", tile_is_next) + "?nodes=1000"));
    for answer in [answer, before_tile.json()] {
        let points = answer["analysis"]["score"].as_f64();
        assert!(points.is_some_and(|points| points > 0.0), "{answer}");
    }
    // The second player wins at once, whether it is its turn or not.
    for fen in ["3 3 3 OO1/XX1/X2 o", "3 3 3 O1O/2X/OXX x"] {
        let answer = client.get(&path("tic-tac-toe", fen)).json();
        assert_eq!(answer["analysis"]["score"]["win"], "p2", "{answer}");
    }
}

#[test]
fn number_of_lines_does_not_change_analysis() {
    let answers = [1, 3].map(|lines| {
        let mut config = config(0);
        config.settings.multi_pv = lines;
        let mut client = Client::new(start(config));
        client.get("/v1/bagh-chal/positions/start?nodes=5000").body
    });
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn position_with_thousands_of_moves_is_read_once() {
    let mut client = connected();
    let leaves = vec!["1"; 4000].join(",");
    let begin = Instant::now();
    let answer = client.get(&format!("/v1/tree/positions/[{leaves}]?nodes=100"));
    // To read the position again for every move takes ten times as long.
    assert!(
        begin.elapsed() < Duration::from_secs(3),
        "{:?}",
        begin.elapsed()
    );
    let answer = answer.json();
    assert_eq!(answer["moves"].as_array().expect("moves").len(), 4000);
}

#[test]
fn searches_respect_their_limits() {
    let mut client = connected();
    let start = "/v1/aadu-puli/positions/start";
    for nodes in [1, 100, 50_000] {
        let answer = client.get(&format!("{start}?nodes={nodes}")).json();
        let found = answer["analysis"]["nodes"].as_u64().expect("nodes");
        assert!(found <= nodes, "{answer}");
    }
    // The same limit gives the same answer.
    let answers = [0, 1].map(|_| client.get(&format!("{start}?nodes=30000")).body);
    assert_eq!(answers[0], answers[1]);
    let mut config = config(0);
    config.analysis_time = Duration::from_millis(50);
    let mut client = Client::new(super::start(config));
    client.get("/v1/games");
    for game in ["bagh-chal", "24-puzzle", "15-puzzle", "2048"] {
        let begin = Instant::now();
        let fen = match game {
            "24-puzzle" => "24,23,22,21,20/19,18,17,16,15/14,13,12,11,10/9,8,7,6,5/4,3,2,1,0",
            "15-puzzle" => "14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3",
            _ => "start",
        };
        let response = client.get(&format!(
            "/v1/{game}/positions/{}?nodes=1000000",
            encoded(fen)
        ));
        assert_eq!(response.status, 200, "{response:?}");
        assert!(begin.elapsed() < Duration::from_secs(20), "{game}");
    }
}
