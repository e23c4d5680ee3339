//! Tests of datasets of small games.

use std::collections::BTreeMap;

use super::values::Origin;
use super::*;
use crate::commands::{parse_arguments, solve};
use crate::games::hunt::Hunt;
use crate::games::hunt::board::with_rules;
use crate::rules::Rules;
use crate::solve::explicit::in_memory::InMemoryForecast;

/// Small games: with draws, with wins by endless play, with hunters in hand, and with chains.
const GAMES: [&str; 4] = [
    "mysore-one-tiger",
    "hyvn-aetter-hare",
    "kaooa-chain",
    "hare-and-hounds",
];

fn atlas_args(words: &[&str]) -> Args {
    parse_arguments(words)
}

/// Writes a dataset of [`GAMES`] and returns the output.
fn write_small(folder: &Path, options: &[&str]) -> Result<String, String> {
    let path = folder.to_str().unwrap();
    let args = atlas_args(&[&["--dataset", path], options, &GAMES].concat());
    let mut out = Vec::new();
    let written = write(folder, &args, &mut out);
    written
        .map(|()| String::from_utf8(out).unwrap())
        .map_err(|error| error.to_string())
}

fn check_small(folder: &Path) -> Result<String, String> {
    let path = folder.to_str().unwrap();
    let mut out = Vec::new();
    let checked = check(folder, &atlas_args(&["--check-dataset", path]), &mut out);
    checked
        .map(|()| String::from_utf8(out).unwrap())
        .map_err(|error| error.to_string())
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = sums::files_in(folder).unwrap().into_iter();
    names
        .map(|name| (name.clone(), fs::read(folder.join(name)).unwrap()))
        .collect()
}

fn positions_of(game_folder: &Path) -> Vec<Record> {
    let text = fs::read_to_string(game_folder.join("positions.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn game_of(game_folder: &Path) -> Record {
    let text = fs::read_to_string(game_folder.join("game.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn same_seed_writes_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other, third] = ["one", "other", "third"].map(|name| folder.path().join(name));
    let text = write_small(&one, &["--positions", "50"]).unwrap();
    assert!(
        text.contains("hyvn-aetter-hare: hare wins by endless play (memory), 51 positions\n"),
        "{text}"
    );
    // An empty folder is replaced.
    fs::create_dir(&other).unwrap();
    write_small(&other, &["--positions", "50", "--seed", "1"]).unwrap();
    assert_eq!(files(&one), files(&other));
    write_small(&third, &["--positions", "50", "--seed", "2"]).unwrap();
    let name = "games/kaooa-chain/positions.jsonl";
    assert_ne!(files(&one)[name], files(&third)[name]);
    // All 227 positions without the finished ones.
    let whole = folder.path().join("whole");
    write_small(&whole, &[]).unwrap();
    let game_folder = whole.join("games/mysore-one-tiger");
    let records = game_of(&game_folder)["records"].as_u64().unwrap();
    assert!((100..227).contains(&records), "{records}");
    assert_eq!(positions_of(&game_folder).len() as u64, records);
    let text = check_small(&whole).unwrap();
    assert!(
        text.ends_with("4 of 4 games checked with all positions\n"),
        "{text}"
    );
    // Nothing else remains beside the datasets.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn counts_of_layers_add_up_to_known_counts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new");
    write_small(&folder, &["--positions", "0"]).unwrap();
    for name in GAMES {
        let game = game_of(&folder.join("games").join(name));
        let recorded = super::super::solved_values::of(board::named(name).unwrap()).unwrap();
        assert_eq!(game["positions"], recorded.positions, "{name}");
        assert_eq!(
            game["prey_percent"].as_f64(),
            recorded.shares[0].parse().ok(),
            "{name}"
        );
        assert_eq!(
            game["hunters_percent"].as_f64(),
            recorded.shares[1].parse().ok(),
            "{name}"
        );
        assert_eq!(
            game["longest"].as_u64(),
            recorded.longest.map(u64::from),
            "{name}"
        );
        let layers = game["layers"].as_array().unwrap();
        let sum = |key: &str| {
            layers
                .iter()
                .map(|layer| layer[key].as_u64().unwrap())
                .sum::<u64>()
        };
        for key in ["positions", "prey_wins", "hunters_wins", "neither"] {
            assert_eq!(game[key], sum(key), "{name}: {key}");
        }
        // No piece enters or leaves the board of Hare and Hounds.
        let has_constant_pieces = name == "hare-and-hounds";
        assert_eq!(layers.len() == 2, has_constant_pieces, "{name}: {layers:?}");
    }
}

#[test]
fn overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    for path in [folder.to_path_buf(), folder.join("notes.txt")] {
        let error = write_small(&path, &[]).unwrap_err();
        assert!(error.contains("expected a new or empty folder"), "{error}");
    }
    // Somebody's folder has the name of the unfinished dataset.
    let staging = folder.join("new.unfinished");
    fs::create_dir(&staging).unwrap();
    fs::write(staging.join("notes.txt"), "mine").unwrap();
    let partial = staging.join("notes.txt.unfinished-7-0");
    fs::write(&partial, "mine").unwrap();
    let error = write_small(&folder.join("new"), &[]).unwrap_err();
    assert!(error.contains("is not an unfinished dataset"), "{error}");
    assert_eq!(fs::read(staging.join("notes.txt")).unwrap(), b"mine");
    assert_eq!(fs::read(partial).unwrap(), b"mine");
}

#[test]
fn accepts_folder_with_trailing_slash() {
    let folder = tempfile::tempdir().unwrap();
    let [new, empty] = ["new", "empty"].map(|name| folder.path().join(name));
    fs::create_dir(&empty).unwrap();
    for path in [&new, &empty] {
        write_small(&path.join(""), &["--positions", "1"]).unwrap();
    }
    assert_eq!(files(&new), files(&empty));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn resumes_with_complete_games() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, resumed] = ["whole", "resumed"].map(|name| folder.path().join(name));
    let staging = folder.path().join("resumed.unfinished");
    write_small(&whole, &["--positions", "9"]).unwrap();
    // A run that was killed while it wrote its first file.
    fs::create_dir(&staging).unwrap();
    fs::write(staging.join("dataset.json.unfinished-7-0"), "{").unwrap();
    write_small(&resumed, &["--positions", "9"]).unwrap();
    fs::rename(&resumed, &staging).unwrap();
    // A killed run: the second game has no `game.json`, and a file is partial.
    fs::remove_file(staging.join("games/hyvn-aetter-hare/game.json")).unwrap();
    fs::write(staging.join("games.csv.unfinished-7-0"), "game,").unwrap();
    let error = write_small(&resumed, &["--positions", "8"]).unwrap_err();
    assert!(
        error.contains("with the same options: move it away"),
        "{error}"
    );
    // A game that is kept is not solved again.
    let path = staging.join("games/kaooa-chain/game.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("\"first\":\"hunters\"", "\"first\":\"prey\""),
    )
    .unwrap();
    write_small(&resumed, &["--positions", "9"]).unwrap();
    let (whole, resumed_files) = (files(&whole), files(&resumed));
    assert!(whole.keys().eq(resumed_files.keys()));
    let is_equal = |name: &&String| whole[*name] == resumed_files[*name];
    let different: Vec<&String> = whole.keys().filter(|name| !is_equal(name)).collect();
    assert_eq!(
        different,
        ["SHA256SUMS", "games.csv", "games/kaooa-chain/game.json"]
    );
    let error = check_small(&resumed).unwrap_err();
    assert!(
        error.contains("game.json: expected first \"hunters\", found \"prey\""),
        "{error}"
    );
}

#[test]
fn keeps_solved_games_only() {
    let folder = tempfile::tempdir().unwrap();
    let board = board::named("adugo").unwrap();
    let folder = folder.path().join("adugo");
    // A survey has no records of positions.
    for (method, is_kept) in [
        ("\"survey\"", true),
        ("\"tables\"", true),
        ("\"recorded\"", false),
        ("null", false),
    ] {
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("board.txt"),
            board::text_of("adugo").unwrap_or_default(),
        )
        .unwrap();
        let text = format!("{{\"method\":{method},\"records\":0}}\n");
        fs::write(folder.join("game.json"), text).unwrap();
        let game = complete_game(&folder, board).unwrap();
        assert_eq!(
            (game.is_some(), folder.exists()),
            (is_kept, is_kept),
            "{method}"
        );
    }
}

/// Changes the records of a game, and makes all other files agree with them.
fn forge(folder: &Path, name: &str, change: impl FnOnce(&mut Vec<Record>, &mut Record)) {
    let game_folder = folder.join("games").join(name);
    let (mut positions, mut game) = (positions_of(&game_folder), game_of(&game_folder));
    change(&mut positions, &mut game);
    let board = board::named(name).unwrap();
    for (file, content) in GAME_FILES
        .iter()
        .zip(contents(board, &positions, &game).unwrap())
    {
        fs::write(game_folder.join(file), content).unwrap();
    }
    let text = sums::of_folder(folder).unwrap();
    fs::write(folder.join(sums::NAME), text).unwrap();
}

/// A change of the records of a game.
type Change = fn(&mut Vec<Record>, &mut Record);

#[test]
fn check_names_place_of_wrong_value() {
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("original");
    write_small(&original, &["--positions", "20"]).unwrap();
    let changes: [(Change, &str); 7] = [
        (
            |positions, _| positions[4]["plies"] = json!(99),
            "positions.jsonl, line 5: expected plies ",
        ),
        (
            |positions, _| positions[7]["moves"][0]["winner"] = json!("hare"),
            "positions.jsonl, line 8: expected moves {\"move\":",
        ),
        (
            |positions, _| drop(positions[2]["moves"].as_array_mut().unwrap().pop()),
            "positions.jsonl, line 3: expected moves {\"move\":",
        ),
        (
            |positions, _| positions[3]["position"] = json!("x"),
            "positions.jsonl, line 4: column 1: expected ",
        ),
        (
            |positions, _| {
                let first = positions[1].clone();
                positions[2] = first;
            },
            "positions.jsonl, line 3: position '",
        ),
        (
            |positions, _| drop(positions.pop()),
            "game.json: expected records 20, found 21",
        ),
        (
            |_, game| game["layers"][1]["neither"] = json!(7),
            "game.json: expected layers [",
        ),
    ];
    for (change, expected) in changes {
        let forged = folder.path().join("forged");
        for (name, content) in files(&original) {
            let path = forged.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        assert!(check_small(&forged).is_ok());
        forge(&forged, "kaooa-chain", change);
        let error = check_small(&forged).unwrap_err();
        assert!(error.contains(expected), "{expected}: {error}");
        fs::remove_dir_all(forged).unwrap();
    }
}

#[test]
fn check_names_damaged_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new");
    write_small(&folder, &["--positions", "3"]).unwrap();
    let original = files(&folder);
    let restore = || {
        for (name, content) in &original {
            fs::write(folder.join(name), content).unwrap();
        }
    };
    let expect = |expected: &str| {
        let error = check_small(&folder).unwrap_err();
        assert!(error.contains(expected), "{expected}: {error}");
    };
    fs::write(folder.join("README.md"), "").unwrap();
    expect("README.md differs from its checksum");
    fs::remove_file(folder.join("README.md")).unwrap();
    expect("README.md is missing");
    restore();
    fs::write(folder.join("games/notes.txt"), "").unwrap();
    expect("notes.txt is not listed in SHA256SUMS");
    let text = sums::of_folder(&folder).unwrap();
    fs::write(folder.join(sums::NAME), text).unwrap();
    expect("notes.txt is not part of the dataset");
    fs::remove_file(folder.join("games/notes.txt")).unwrap();
    restore();
    fs::write(folder.join(sums::NAME), "sum\n").unwrap();
    expect("SHA256SUMS, line 1: expected a checksum");
    restore();
    // A CSV file with a listed checksum that does not follow from the records.
    let csv = folder.join("games/kaooa-chain/moves.csv");
    let text = fs::read_to_string(&csv).unwrap();
    fs::write(&csv, text.replacen(",0,", ",1,", 1)).unwrap();
    let text = sums::of_folder(&folder).unwrap();
    fs::write(folder.join(sums::NAME), text).unwrap();
    expect("moves.csv, line 2: differs from the JSON files");
    restore();
    for (content, expected) in [
        ("{\"format\":2}", "expected format 1"),
        ("{\"format\":1}", "expected an array of games"),
        ("{\"format\":1,\"games\":[\"chess\"]}", "found \"chess\""),
        (
            "{\"format\":1,\"games\":[\"kaooa\",\"kaooa\"]}",
            "found \"kaooa\" twice",
        ),
        ("{", "dataset.json: EOF"),
    ] {
        fs::write(folder.join("dataset.json"), content).unwrap();
        expect(expected);
    }
}

/// A game of 19 points that is small enough to solve in memory, in 164 MiB, and has layers, so that tables and a survey
/// exist, too. The survey needs 73 MiB.
fn table_rules() -> [(&'static str, &'static str); 4] {
    [
        ("game", "small-judamu"),
        ("hunters", "2"),
        ("prey", "5 at e1 e2 e3 d1 d2"),
        ("captures", "1"),
    ]
}

#[test]
fn all_methods_agree() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let board = with_rules("pulijudamu", &table_rules());
    let file = folder.path().join("board.txt");
    let mut text = String::from(board::text_of("pulijudamu").unwrap());
    for (keyword, value) in table_rules() {
        text = crate::games::hunt::spec::with_rule(&text, keyword, value);
    }
    fs::write(&file, text).unwrap();
    let solve_args: solve::Args =
        parse_arguments(&[file.to_str().unwrap(), "--out", tables, "--threads", "1"]);
    solve::run(&solve_args, &mut Vec::new()).unwrap();
    let find = |options: &[&str]| {
        let args = atlas_args(&[&["--dataset", "unused"], options].concat());
        let values = GameValues::find(board, &args, &mut Vec::new()).unwrap();
        let record = records::game_record(&values, 0, &args).unwrap();
        (values, record)
    };
    let (from_memory, memory_record) = find(&[]);
    let (from_tables, tables_record) = find(&["--tables", tables]);
    // A survey needs less memory.
    let game = Hunt::new(board);
    let forecast = InMemoryForecast::of(&game, game.start()).unwrap();
    let less = (forecast.memory >> 20).saturating_sub(1).to_string();
    let (from_survey, survey_record) = find(&["--memory", &less]);
    let methods = [&from_memory, &from_tables, &from_survey].map(GameValues::method);
    assert_eq!(methods, [Some("memory"), Some("tables"), Some("survey")]);
    for key in ["winner", "plies", "first_moves"] {
        assert_eq!(memory_record[key], tables_record[key], "{key}");
        assert_eq!(memory_record[key], survey_record[key], "{key}");
    }
    for key in ["counted", "positions", "neither", "longest", "layers"] {
        assert_eq!(tables_record[key], survey_record[key], "{key}");
    }
    let drawn = from_tables.draw(1, 200);
    assert_eq!(drawn.len(), 201);
    for (number, position) in drawn.iter().enumerate() {
        let record = |values| records::position_record(values, number, position).unwrap();
        assert_eq!(record(&from_memory), record(&from_tables));
    }
    // Too little memory for anything.
    let (unsolved, record) = find(&["--memory", "1", "--max-positions", "1"]);
    assert!(matches!(unsolved.origin, Origin::Unknown));
    assert_eq!(record["winner"], Json::Null);
}

#[test]
fn reads_table_of_small_game() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let tables = tables.to_str().unwrap();
    let solve_args: solve::Args = parse_arguments(&["hare-and-hounds", "--out", tables]);
    solve::run(&solve_args, &mut Vec::new()).unwrap();
    let dataset = folder.path().join("new");
    let args = atlas_args(&[
        "--dataset",
        "unused",
        "--tables",
        tables,
        "--positions",
        "30",
        "hare-and-hounds",
    ]);
    let mut out = Vec::new();
    write(&dataset, &args, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(
        text.contains("hounds win in 23 plies (tables), 31 positions"),
        "{text}"
    );
    // The check solves the game in memory. Only the counts and the choice of positions depend on the method.
    assert!(check_small(&dataset).unwrap().contains("31 positions and "));
    let game = game_of(&dataset.join("games/hare-and-hounds"));
    assert_eq!(
        (&game["counted"], &game["positions"]),
        (&json!("reachable"), &json!(2510))
    );
}

#[test]
fn keeps_recorded_value_of_large_game() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new");
    let args = atlas_args(&["--dataset", "unused", "adugo", "el-zorro"]);
    let mut out = Vec::new();
    write(&folder, &args, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for expected in [
        "adugo: not solved: ",
        "adugo: dogs win in 74 plies (recorded), 0 positions\n",
        "el-zorro: value unknown\n",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let csv = fs::read_to_string(folder.join("games.csv")).unwrap();
    let adugo = csv.lines().find(|line| line.starts_with("adugo,")).unwrap();
    assert!(adugo.contains(",recorded,prey,74,"), "{adugo}");
    assert!(
        adugo.contains(",all up to symmetry,13527485710,,,,94.2,4.6,354,0,,"),
        "{adugo}"
    );
    assert!(
        check_small(&folder)
            .unwrap()
            .contains("adugo: no positions\n")
    );
}
