//! Checks that the command `state` tells a client all that it needs to show a game: the client can apply the
//! description of a move to the pieces on its board, and gets the pieces of the next state.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use crate::support::random::SplitMix;
use puli::catalog;
use puli::engine::{Engine, LocatedText, Setup};
use puli::protocol::state::object;
use puli::settings::Settings;
use serde_json::{Value, json};

/// Variants with positions that are not their start.
const OTHER_POSITIONS: &[(&str, &str)] = &[
    ("aadu-puli", "T/2TT2/G1G3/3G1G/4 g 0"),
    ("aadu-puli", "T/2GT2/1G4/2G3/T2G t 2"),
    ("bagh-chal", "T1G1T/2G2/1G3/3G1/T3T t 3"),
    ("tic-tac-toe", "4 7 3 7/7/7/7 x 1"),
    (
        "tic-tac-toe",
        "15 15 5 15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15 o 1",
    ),
    ("2048", "0,0,2/4,2,4 p 20"),
    ("8-puzzle", "1,2,0/3,4,5 goal 0,1,2/3,4,5"),
    ("missionaries", "5 5 left of 5 5 boat 3"),
    ("asalto", "3/1G1/GG2T1G/GGGGGGG/GGGGGGG/GGG/GGG t 0"),
    ("sher-bakar", "4T/1(2)1(2)1/G1GG1/1(4)T1G/4G t 0"),
    ("tree", "[[1,[2,3]],[[4,[5,6.5]],7],-8] min"),
];

/// An engine with the game that was played on it.
struct Player {
    variant: &'static str,
    engine: Box<dyn Engine>,
    setup: Setup,
    moves: Vec<LocatedText>,
}

impl Player {
    fn new(variant: &'static str, fen: Option<&str>) -> Self {
        let settings = Settings {
            variant,
            hash: 1,
            ..Settings::default()
        };
        let setup = fen.map_or(Setup::Start, |fen| Setup::Fen(located(fen)));
        let mut engine = catalog::build(&settings).expect("an engine");
        engine.set(&setup, &[]).expect("a position");
        Self {
            variant,
            engine,
            setup,
            moves: Vec::new(),
        }
    }

    fn state(&self) -> Value {
        object(self.variant, &self.engine.state())
    }

    fn play(&mut self, m: &str) {
        self.moves.push(located(m));
        self.engine
            .set(&self.setup, &self.moves)
            .expect("a legal move");
    }
}

fn located(text: &str) -> LocatedText {
    LocatedText {
        offset: 0,
        text: text.into(),
    }
}

/// The pieces on the board. The key is the place of a piece, and the value describes the piece. For the river puzzle,
/// the key is a bank and a kind of people, and the value is their number.
type Pieces = BTreeMap<(String, String), Value>;

/// Returns the pieces on the board of a state.
fn pieces(state: &Value) -> Pieces {
    let is_river = state["board"]["kind"] == "river";
    let piece = |piece: &Value| {
        let kind = if is_river {
            text(&piece["kind"])
        } else {
            String::new()
        };
        let what = if is_river {
            piece["count"].clone()
        } else {
            json!([
                piece["kind"],
                piece["player"],
                piece["value"],
                piece["count"]
            ])
        };
        ((text(&piece["at"]), kind), what)
    };
    let list = state["pieces"].as_array().expect("pieces");
    let pieces: Pieces = list.iter().map(piece).collect();
    assert_eq!(pieces.len(), list.len(), "two pieces in one place: {state}");
    pieces
}

/// Returns the text of a JSON string.
fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no text: {value}"))
        .into()
}

/// Returns the names of all places on the board of a state.
fn places(state: &Value) -> BTreeSet<String> {
    let board = &state["board"];
    match board["kind"].as_str().expect("a kind") {
        "graph" => {
            let points = board["points"].as_array().expect("points");
            let names: BTreeSet<String> = points.iter().map(|point| text(&point["name"])).collect();
            for line in board["lines"].as_array().expect("lines") {
                for name in line.as_array().expect("a line") {
                    assert!(names.contains(&text(name)), "{name}");
                }
            }
            names
        }
        "grid" | "tiles" => {
            let [rows, columns] =
                ["rows", "columns"].map(|key| board[key].as_u64().expect("a size"));
            let cell = |row| move |column| format!("{}{}", (b'a' + column as u8) as char, row + 1);
            (0..rows)
                .flat_map(|row| (0..columns).map(cell(row)))
                .collect()
        }
        "river" => ["left", "right"].map(String::from).into(),
        _ => BTreeSet::new(),
    }
}

/// Returns the pieces after a move, computed from the description of the move in `state`.
fn pieces_after(state: &Value, m: &Value) -> Pieces {
    let mut board = pieces(state);
    let all_places = places(state);
    let place_of = |key: &str| {
        m.get(key).map(|place| {
            assert!(all_places.contains(&text(place)), "{m}");
            (text(place), String::new())
        })
    };
    let (from, to) = (place_of("from"), place_of("to"));
    if let Some(boat_load) = m.get("crew") {
        for (people, kind) in [("missionaries", "missionary"), ("cannibals", "cannibal")] {
            let count_crossing = boat_load[people].as_i64().expect("a number");
            for (bank, change) in [(&from, -count_crossing), (&to, count_crossing)] {
                let bank = bank.clone().expect("a bank").0;
                let count = board.get_mut(&(bank, kind.into())).expect("a crowd");
                *count = json!(count.as_i64().expect("a number") + change);
            }
        }
        return board;
    }
    for captured in m
        .get("captures")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let captured_piece = take_piece(&mut board, &(text(captured), String::new()));
        assert_ne!(captured_piece[1], state["turn"], "its own piece: {m}");
    }
    if let Some(slides) = m.get("slides").and_then(Value::as_array) {
        let tiles: Vec<_> = slides
            .iter()
            .map(|slide| {
                let [from, to] = ["from", "to"].map(|key| (text(&slide[key]), String::new()));
                (board.remove(&from).expect("a tile"), to)
            })
            .collect();
        for (tile, to) in tiles {
            let merged = board.remove(&to).map_or(tile.clone(), |other| {
                assert_eq!(other[2], tile[2], "unequal tiles merge: {m}");
                json!(["tile", null, 2 * tile[2].as_u64().expect("a number"), null])
            });
            board.insert(to, merged);
        }
        return board;
    }
    let Some(to) = to else {
        return board;
    };
    let piece = match from {
        Some(from) => take_piece(&mut board, &from),
        None => placed_piece(state, m),
    };
    if let Some(other) = board.remove(&to) {
        let joins = state["rule_messages"].as_array().expect("messages").iter();
        let may_join = joins
            .filter(|message| message["key"] == "joins")
            .any(|message| {
                let points = message["arguments"]["points"].as_array().expect("points");
                points.contains(&json!(to.0))
            });
        assert!(may_join, "{m} goes to an occupied place");
        assert_eq!(other[1], state["turn"], "{m} goes to another piece");
        let count = other[3].as_u64().unwrap_or(1) + 1;
        let stack = json!([other[0], other[1], null, count]);
        board.insert(to, stack);
    } else {
        board.insert(to, piece);
    }
    let removed = m.get("removed").and_then(Value::as_array);
    for place in removed.into_iter().flatten() {
        let piece = board.remove(&(text(place), String::new()));
        assert_eq!(
            piece.expect("a piece")[1],
            state["turn"],
            "no own piece: {m}"
        );
    }
    board
}

/// Removes one of the pieces on a place, which may be a stack, and returns this piece.
fn take_piece(board: &mut Pieces, place: &(String, String)) -> Value {
    let mut piece = board.remove(place).expect("a piece");
    if let Some(count) = piece[3].as_u64() {
        let mut others = piece.clone();
        others[3] = if count == 2 {
            Value::Null
        } else {
            json!(count - 1)
        };
        board.insert(place.clone(), others);
        piece[3] = Value::Null;
    }
    piece
}

/// Returns the piece that a move without `from` places: a piece from the hand, an X or O, or a tile of 2048.
fn placed_piece(state: &Value, m: &Value) -> Value {
    if m.get("value").is_some() {
        return json!(["tile", null, m["value"], null]);
    }
    let hand = state["hand"].as_array().expect("a hand");
    let own_pieces = hand.iter().find(|pile| pile["player"] == state["turn"]);
    if let Some(pile) = own_pieces {
        assert!(pile["count"].as_u64() > Some(0), "{state}");
        return json!([pile["kind"], pile["player"], null, null]);
    }
    let mark = if state["turn"] == "p1" { "X" } else { "O" };
    json!([mark, state["turn"], null, null])
}

#[test]
fn applying_described_move_yields_next_state() {
    let starts = catalog::names().map(|variant| (variant, None));
    let other_positions = OTHER_POSITIONS
        .iter()
        .map(|&(variant, fen)| (variant, Some(fen)));
    for (variant, fen) in starts.chain(other_positions) {
        for seed in 0..4 {
            let mut rng = SplitMix::new(seed);
            let mut player = Player::new(variant, fen);
            for ply in 0..60 {
                let state = player.state();
                assert_eq!(state["ply"], ply);
                let moves = state["moves"].as_array().expect("moves").clone();
                if moves.is_empty() {
                    assert_ne!(state["outcome"], Value::Null, "{state}");
                    break;
                }
                let m = rng.pick(&moves);
                let expected = pieces_after(&state, m);
                player.play(&text(&m["move"]));
                let next = player.state();
                assert_eq!(pieces(&next), expected, "{variant}: {m} in {state}");
                if let Some(gain) = m.get("gain").and_then(Value::as_f64) {
                    assert_eq!(
                        next["score"].as_f64(),
                        state["score"].as_f64().map(|score| score + gain)
                    );
                }
                if state["board"]["kind"] == "tree" {
                    let mut tree_path = state["board"]["at"].as_array().expect("a way").clone();
                    tree_path.push(json!(text(&m["move"]).parse::<u64>().expect("a number")));
                    assert_eq!(next["board"]["at"], Value::Array(tree_path));
                    assert_eq!(next["board"]["root"], state["board"]["root"]);
                }
            }
        }
    }
}

#[test]
fn state_agrees_with_d_and_query() {
    for variant in catalog::names() {
        let mut rng = SplitMix::new(7);
        let mut player = Player::new(variant, None);
        for _ in 0..40 {
            let state = player.state();
            let board_text = player.engine.draw();
            let line = |start: &str| {
                board_text
                    .iter()
                    .find_map(|line| line.strip_prefix(start))
                    .expect("a line")
                    .to_string()
            };
            assert_eq!(state["fen"], line("Fen: "));
            let names: Vec<String> = state["moves"]
                .as_array()
                .expect("moves")
                .iter()
                .map(|m| text(&m["move"]))
                .collect();
            let listed_moves = line("Legal moves: ");
            assert_eq!(
                names.join(" "),
                if listed_moves == "none" {
                    ""
                } else {
                    &listed_moves
                }
            );
            let status = player.engine.status();
            // Only the goats of El Perro turn round.
            let direction = state["direction"].as_str();
            assert_eq!(direction.is_some(), variant == "el-perro");
            if let Some(direction) = direction {
                let legend = format!("the goats go {direction}");
                assert!(board_text.iter().any(|line| line.contains(&legend)));
            }
            assert_eq!(state["outcome"].is_null(), status.outcome.is_none());
            assert_eq!(state["outcome"].is_null(), state["ending"].is_null());
            if names.is_empty() {
                break;
            }
            let m = rng.pick(&names).clone();
            player.play(&m);
        }
    }
}

#[test]
fn state_reports_draw_by_third_repetition() {
    let mut player = Player::new("aadu-puli", Some("T/2TT2/6/6/G3 g 0"));
    let back_and_forth = ["e1e2", "b3b2", "e2e1", "b2b3"];
    for (ply, m) in back_and_forth.iter().cycle().take(8).enumerate() {
        let state = player.state();
        assert_eq!(state["outcome"], Value::Null, "{ply}");
        assert_eq!(state["occurrences"], 1 + ply / 4, "{ply}");
        player.play(m);
    }
    let state = player.state();
    assert_eq!(
        (&state["outcome"], &state["occurrences"]),
        (&json!("draw"), &json!(3))
    );
    assert_eq!(
        state["ending"],
        json!({ "why": "repetition", "points": [] })
    );
    assert_eq!(state["moves"], json!([]));
}

#[test]
fn chances_sum_to_one() {
    for fen in [
        "0,0/0,0 t 0",
        "2,0,4/0,2,0 t 4",
        "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,0 t 0",
    ] {
        let state = Player::new("2048", Some(fen)).state();
        assert_eq!(state["turn"], "chance");
        let moves = state["moves"].as_array().expect("moves");
        let sum: f64 = moves
            .iter()
            .map(|m| m["chance"].as_f64().expect("a chance"))
            .sum();
        assert!((sum - 1.0).abs() < 1e-9, "{fen}: {sum}");
    }
}

#[test]
fn puzzle_lists_heuristics_of_its_board() {
    let names = |variant, fen| Player::new(variant, fen).state()["heuristics"].clone();
    let tiles = names("8-puzzle", None);
    for name in ["auto", "manhattan", "walking-distance", "pattern-database"] {
        assert!(
            tiles.as_array().expect("a list").contains(&json!(name)),
            "{name}"
        );
    }
    let large = names(
        "24-puzzle",
        Some(
            "1,0,2,3,4,5/6,7,8,9,10,11/12,13,14,15,16,17/18,19,20,21,22,23/24,25,26,27,28,29/30,31,32,33,34,35",
        ),
    );
    assert!(
        !large
            .as_array()
            .expect("a list")
            .contains(&json!("walking-distance"))
    );
    assert_eq!(names("tic-tac-toe", None), json!([]));
}

/// Solves Aadu Puli with `goats` goats and returns the folder of the tables.
fn tables(goats: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let status = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(["solve", "aadu-puli", "--goats", goats, "--out"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("the program starts").success());
    folder
}

/// Returns a verdict of `state` as the command `d` prints it.
fn verdict_text(solved: &Value) -> String {
    let winner = match solved["verdict"].as_str().expect("a verdict") {
        "p1win" => "goats",
        "p2win" => "tigers",
        verdict => return verdict.into(),
    };
    let plies = solved["plies"].as_u64().expect("a distance");
    let unit = if plies == 1 { "ply" } else { "plies" };
    format!("{winner} win in {plies} {unit}")
}

#[test]
fn state_reports_table_values_of_position_and_moves() {
    let folder = tables("3");
    let settings = Settings {
        tablebase_path: folder.path().display().to_string(),
        hash: 1,
        ..Settings::default()
    };
    let mut verdicts = BTreeSet::new();
    for seed in 0..20 {
        let mut rng = SplitMix::new(seed);
        let mut player = Player::new("aadu-puli", Some("T/2TT2/6/6/4 g 3"));
        player.engine = catalog::build(&settings).expect("an engine");
        player.engine.set(&player.setup, &[]).expect("a position");
        for _ in 0..30 {
            let state = player.state();
            assert_eq!(state["tables"], true);
            let moves = state["moves"].as_array().expect("moves");
            if moves.is_empty() {
                break;
            }
            let board_text = player.engine.draw();
            let table_lines: Vec<&str> = board_text
                .iter()
                .map(String::as_str)
                .skip_while(|line| !line.starts_with("Tables: "))
                .collect();
            if table_lines == ["Tables: not known"] {
                // Because of repeated positions, the values of the position or of some moves are unknown.
                assert!(
                    state["solved"].is_null()
                        || state["solved"]["moves"].as_array().expect("moves").len() < moves.len()
                );
            } else {
                let solved = &state["solved"];
                assert_eq!(table_lines[0], format!("Tables: {}", verdict_text(solved)));
                verdicts.insert(text(&solved["verdict"]));
                let rated_moves = solved["moves"].as_array().expect("moves");
                assert_eq!(rated_moves.len(), moves.len());
                for (rated_move, line) in rated_moves.iter().zip(&table_lines[1..]) {
                    let traps = rated_move["traps"].as_f64().expect("a share");
                    assert!((0.0..=1.0).contains(&traps), "{rated_move}");
                    let expected = format!(
                        "  {}: {}",
                        text(&rated_move["move"]),
                        verdict_text(rated_move)
                    );
                    let losing_replies = line
                        .strip_prefix(&expected)
                        .unwrap_or_else(|| panic!("{line}, not {expected}"));
                    assert_eq!(
                        losing_replies.is_empty(),
                        traps == 0.0,
                        "{line}: {rated_move}"
                    );
                }
            }
            let m = text(&rng.pick(moves)["move"]);
            player.play(&m);
        }
    }
    assert!(
        verdicts.contains("draw") && verdicts.len() > 1,
        "{verdicts:?}"
    );
}

/// Appends the keys of a message, of its arguments, and of the messages in its arguments.
fn add_words(message: &Value, words: &mut BTreeSet<String>) {
    words.insert(text(&message["key"]));
    for (name, argument) in message["arguments"].as_object().expect("arguments") {
        words.insert(name.clone());
        let list = argument.as_array().into_iter().flatten();
        for inner in list.filter(|one| one.is_object()) {
            add_words(inner, words);
        }
    }
}

#[test]
fn every_rule_and_title_has_a_documented_message() {
    let protocol = std::fs::read_to_string("protocol.md").expect("protocol.md");
    let others = OTHER_POSITIONS.iter().map(|&(name, fen)| (name, Some(fen)));
    let mut words = BTreeSet::new();
    for (variant, fen) in catalog::names().map(|name| (name, None)).chain(others) {
        let state = Player::new(variant, fen).state();
        let count = |key: &str| state[key].as_array().map(Vec::len);
        assert!(count("rules") >= Some(3), "{state}");
        assert_eq!(count("rules"), count("rule_messages"), "{state}");
        add_words(&state["title_message"], &mut words);
        for message in state["rule_messages"].as_array().expect("messages") {
            add_words(message, &mut words);
        }
    }
    assert!(words.len() >= 40, "{words:?}");
    for word in words {
        assert!(protocol.contains(&format!("`{word}`")), "{word}");
    }
}
