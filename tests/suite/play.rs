//! Tests `puli play` through pipes: every game, every command, and the protocol lines in the log.

use std::io::Write;
use std::process::{Command, Stdio};

use puli::catalog;

/// Runs `puli play` with `lines` as input. Returns its output and exit status.
fn played(arguments: &[&str], lines: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_puli"))
        .env_remove("RUST_LOG")
        .stderr(Stdio::null())
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    drop(input.write_all(lines.as_bytes()));
    drop(input);
    let output = child.wait_with_output().expect("an end");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(!printed.contains('\x1b'), "colors in a pipe: {printed}");
    (printed, output.status.code())
}

#[test]
fn every_game_accepts_move_numbers_and_undo() {
    for variant in catalog::names() {
        let (printed, status) = played(&[variant, "--level", "1"], "1\nundo\nundo\nmoves\nquit\n");
        assert_eq!(status, Some(0), "{variant}: {printed}");
        assert!(
            printed.contains("'help' lists the commands"),
            "{variant}: {printed}"
        );
        assert_eq!(
            printed.matches("There is no move to take back.").count(),
            1,
            "{variant}: {printed}"
        );
    }
}

/// Returns the board file shown in the README.
fn kite() -> String {
    let page = include_str!("../../README.md");
    let (_, file) = page.split_once("```text\ngame kite").expect("a file");
    let (file, _) = file.split_once("```").expect("its end");
    format!("game kite{file}")
}

#[test]
fn plays_saves_and_reloads_board_file_of_readme() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .map(String::from)
            .expect("text")
    };
    let (file, saved) = (path("kite.txt"), path("game"));
    std::fs::write(&file, kite()).expect("room");
    let input = format!("B2\nSave {saved}\nnew\nload {saved}\nUNDO\nquit\n");
    let (printed, status) = played(&[&file, "--level", "1"], &input);
    assert_eq!(status, Some(0), "{printed}");
    assert!(printed.contains("Hens in hand: 5"), "{printed}");
    assert!(
        !printed.contains("is not a legal move") && !printed.contains("there is no variant"),
        "{printed}"
    );
    let game = std::fs::read_to_string(&saved).expect("a game");
    assert!(
        game.starts_with("setoption name VariantPath value ")
            && game.contains("\nsetoption name UCI_Variant value kite\nposition startpos moves b2"),
        "{game}"
    );
    // The saved game names its board file.
    let (printed, status) = played(&["--load", &saved], "undo\nquit\n");
    assert_eq!(status, Some(0), "{printed}");
    assert!(printed.contains("Hens in hand: 5"), "{printed}");
    let (printed, status) = played(&["nowhere.txt"], "");
    assert_eq!((printed.as_str(), status), ("", Some(2)));
    std::fs::write(&file, kite().replace("a1 b2 c2", "a1 b9 c2")).expect("room");
    assert_eq!(played(&[&file], "").1, Some(2));
    assert_eq!(played(&["--load", &saved], "").1, Some(2));
}

#[test]
fn play_without_arguments_lists_all_games() {
    let (printed, status) = played(&[], "");
    assert_eq!(status, Some(0), "{printed}");
    assert!(printed.starts_with("Play a game with 'puli play NAME'"));
    for variant in catalog::all() {
        assert!(printed.contains(&format!("\n  {variant} ")), "{printed}");
    }
    assert!(printed.contains("  wolf-and-sheep             Wolf and Sheep\n"));
    assert_eq!(played(&["--fen", "x"], "").1, Some(2));
    assert_eq!(played(&["--games", "3"], "").1, Some(2));
}

#[test]
fn suggests_nearest_name_for_misspelled_game() {
    for (typed, meant) in [
        ("aadupuli", "aadu-puli"),
        ("tictac-toe", "tic-tac-toe"),
        ("wolf", "wolf-and-sheep"),
    ] {
        let error = refused(&[typed]);
        assert!(error.contains(&format!("did you mean {meant}?")), "{error}");
    }
}

#[test]
fn equal_seeds_repeat_game() {
    let game = |seed: &str| {
        let input = "1\n1\n1\n1\nquit\n";
        ["2048", "tic-tac-toe"].map(|variant| {
            let arguments = [variant, "--seed", seed, "--level", "2"];
            played(&arguments, input).0
        })
    };
    assert_eq!(game("5"), game("5"));
    assert_ne!(game("5")[0], game("6")[0]);
}

#[test]
fn completions_list_games_for_every_command() {
    // Fish completes options only.
    for (shell, min_count) in [("bash", 8), ("zsh", 8), ("fish", 4)] {
        let program = Command::new(env!("CARGO_BIN_EXE_puli"))
            .args(["completions", shell])
            .output()
            .expect("the program starts");
        let text = String::from_utf8(program.stdout).expect("text");
        let count = |name| text.matches(name).count();
        assert!(count("wolf-and-sheep") >= min_count, "{shell}: {text}");
        assert_eq!(count("wolf-and-sheep"), count("kulaochal"), "{shell}");
    }
}

#[test]
fn switching_sides_needs_a_person_and_an_engine() {
    let both = "You play both sides; there is no engine to swap with.";
    for (arguments, expected) in [
        (&["aadu-puli", "--p2", "person"][..], both),
        (&["2048", "--p2", "person"], both),
        (&["2048"], "Tiles appear at random;"),
        (&["8-puzzle"], "The game has one side, which you play;"),
        (&["missionaries"], "The game has one side, which you play;"),
    ] {
        let arguments = [arguments, &["--level", "1"]].concat();
        let (printed, status) = played(&arguments, "sides\nquit\n");
        assert!(printed.contains(expected), "{arguments:?}: {printed}");
        assert_eq!(status, Some(0));
        // No move follows.
        assert_eq!(printed.matches("> ").count(), 2, "{arguments:?}: {printed}");
    }
}

#[test]
fn states_if_one_person_plays_both_sides() {
    let (printed, _) = played(&["aadu-puli", "--p2", "person"], "quit\n");
    assert!(
        printed.starts_with("Aadu Puli Aattam. You play both sides.\n"),
        "{printed}"
    );
    let (printed, _) = played(&["tree", "--p1", "engine"], "");
    assert!(
        printed.contains(" The engine plays both sides, level 5.\n"),
        "{printed}"
    );
}

#[test]
fn sliding_puzzles_show_their_goal() {
    for (variant, last_row) in [
        ("8-puzzle", "    6  7  8\n"),
        ("15-puzzle", "   12 13 14 15\n"),
    ] {
        for word in ["rules", "goal"] {
            let (printed, _) = played(&[variant], &format!("{word}\nquit\n"));
            assert_eq!(
                printed.matches("The goal:\n    .  1  2").count(),
                2,
                "{printed}"
            );
            assert!(printed.matches(last_row).count() >= 2, "{printed}");
        }
    }
    let (printed, _) = played(&["aadu-puli"], "goal\nquit\n");
    assert!(printed.contains("The tigers win"), "{printed}");
}

#[test]
fn boards_mark_all_goals() {
    for (variant, fen, row, meaning) in [
        (
            "wolf-and-sheep",
            "1T2/4/4/4/4/4/GGGG/4 t 0",
            "h   *1  *2  *3  *4",
            "* a goal of the wolf",
        ),
        (
            "hare-and-hounds",
            "GG1/1G2T/3 g 0",
            "b   *1--G2--.3--.4--T5",
            "* a goal of the hare",
        ),
    ] {
        let (printed, _) = played(&[variant, "--fen", fen, "--p2", "person"], "quit\n");
        assert!(
            printed.contains(row) && printed.contains(meaning),
            "{printed}"
        );
    }
    // A zone, and a goal of the prey.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("zone.txt").display().to_string();
    let board = kite() + "prey-zone b1 b2 b3 c1 c2 c3\nprey-goal c2\n";
    std::fs::write(&file, board).expect("room");
    let (printed, _) = played(&[&file, "--p2", "person"], "quit\n");
    assert!(
        printed.contains("+ a goal of the hens, : not for the hens"),
        "{printed}"
    );
    assert!(
        printed.contains("+2") && printed.contains(":1"),
        "{printed}"
    );
}

#[test]
fn plays_to_end_and_reports_result() {
    let (printed, status) = played(
        &["tic-tac-toe", "--p2", "person"],
        "a1\nb1\na2\nb2\na3\nnonsense\nundo\nc3\n",
    );
    assert!(
        printed.contains("X has won: a line is complete."),
        "{printed}"
    );
    assert!(
        printed.contains("'nonsense' is not a legal move"),
        "{printed}"
    );
    // After the end, a move can be taken back, and the game continues.
    assert!(printed.contains("O> "), "{printed}");
    assert_eq!(status, Some(0));
}

#[test]
fn two_engines_play_each_other() {
    // Engines of level 4 do not search to the end, so every result is possible.
    for (variant, end) in [
        ("tic-tac-toe", " is "),
        ("missionaries", "Solved: goal reached."),
        ("8-puzzle", "Solved: goal reached."),
    ] {
        let (printed, status) = played(&[variant, "--p1", "engine", "--level", "4"], "");
        let last = printed.trim_end().lines().last().expect("an end");
        assert!(last.contains(end), "{variant}: {printed}");
        assert_eq!(status, Some(0));
    }
}

#[test]
fn texts_name_goats_and_tigers() {
    let (printed, _) = played(
        &["aadu-puli", "--level", "1"],
        "rules\neval\nhint\nsides\nlevel 3\nlevel 10\nc1\nquit\n",
    );
    for expected in [
        "You play goats, the engine plays tigers, level 1.",
        "goats> ",
        "Three tigers are against fifteen goats.",
        "goats: 60",
        "Puli would play ",
        "The engine plays goats, level 1, you play tigers.",
        "tigers> ",
        "Level 3.",
        "Expected 'level' and a number from 1 to 9.",
        " c   .1",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(
        !printed.contains("p1") && !printed.contains("p2"),
        "{printed}"
    );
}

#[test]
fn tiles_appear_without_input() {
    let (printed, _) = played(&["2048", "--level", "1"], "1\n1\nquit\n");
    assert!(printed.contains("the tiles appear at random."), "{printed}");
    assert!(printed.matches(" appears on ").count() >= 4, "{printed}");
}

#[test]
fn saves_and_loads_game_and_rejects_bad_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (game, bad, other) = (file("game"), file("bad"), file("other"));
    std::fs::write(
        &bad,
        "setoption name UCI_Variant value tree\nposition startpos moves 9\n",
    )
    .expect("room");
    let two = ["tic-tac-toe", "--p2", "person"];
    played(&two, &format!("b2\na1\nsave {game}\nquit\n"));
    let (printed, _) = played(
        &["aadu-puli", "--p2", "person"],
        &format!("c1\nload {bad}\nload {other}\nb4c4\nload {game}\nc3\nsave {game}\nquit\n"),
    );
    assert!(
        printed.contains("move 1, '9', is not legal here"),
        "{printed}"
    );
    assert!(printed.contains(&other), "{printed}");
    let saved = std::fs::read_to_string(&game).expect("a file");
    assert_eq!(
        saved,
        "setoption name UCI_Variant value tic-tac-toe\nposition startpos moves b2 a1 c3\n"
    );
    let (printed, _) = played(
        &["tic-tac-toe", "--load", &game, "--p2", "person"],
        "undo\nquit\n",
    );
    assert!(
        printed.contains("O> ") && printed.contains("X> "),
        "{printed}"
    );
}

#[test]
fn log_shows_protocol_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log").display().to_string();
    played(
        &["tic-tac-toe", "--level", "2", "--log", &log],
        "b2\nquit\n",
    );
    let log = std::fs::read_to_string(&log).expect("a log");
    for line in [
        "> position startpos moves b2\n",
        "> go depth 2\n",
        "< bestmove ",
        "> state\n",
        "< state {",
    ] {
        assert!(log.contains(line), "{line}: {log}");
    }
}

#[test]
fn reports_bad_play_arguments() {
    for arguments in [
        &["chess"][..],
        &["tic-tac-toe", "--games", "3"],
        &["tic-tac-toe", "--fen", "x"],
        &["tic-tac-toe", "--load", "/no/such/file"],
        &["tic-tac-toe", "--option", "Hsah=3"],
        &["tic-tac-toe", "--level", "0"],
        &["2048", "--depth", "3"],
        &["2048", "--games", "1", "--hash", "0"],
    ] {
        let (printed, status) = played(arguments, "");
        assert_ne!(status, Some(0), "{arguments:?}: {printed}");
    }
    let error = refused(&["tic-tac-toe", "--fen", "x"]);
    assert!(error.contains("--fen: column 1: expected"), "{error}");
}

#[test]
fn separates_saved_game_from_board_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (saved, board, lost) = (file("saved"), file("kite.txt"), file("lost"));
    std::fs::write(&board, kite()).expect("room");
    played(
        &["tic-tac-toe", "--p2", "person"],
        &format!("b2\nsave {saved}\nquit\n"),
    );
    for game in ["bagh-chal", &board] {
        let error = refused(&[game, "--load", &saved]);
        let expected = format!("{saved}: expected a game of '{game}', found 'tic-tac-toe'");
        assert!(error.contains(&expected), "{error}");
    }
    let error = refused(&[&saved]);
    assert!(
        error.contains(&format!("{saved} is a saved game: use --load {saved}")),
        "{error}"
    );
    // The saved game does not name its board file.
    let text = "setoption name UCI_Variant value kite\nposition startpos\n";
    std::fs::write(&lost, text).expect("room");
    let error = refused(&["--load", &lost]);
    assert!(
        error.contains(&format!("{lost}: saved game of an unknown variant: ")),
        "{error}"
    );
}

/// Returns the error text of `puli play` for bad arguments.
fn refused(arguments: &[&str]) -> String {
    let program = Command::new(env!("CARGO_BIN_EXE_puli"))
        .arg("play")
        .args(arguments)
        .output()
        .expect("the program starts");
    assert!(
        !program.status.success() && program.stdout.is_empty(),
        "{program:?}"
    );
    String::from_utf8(program.stderr).expect("text")
}

/// `puli play` in its own folder, to be interrupted by signals.
#[cfg(unix)]
struct PlayProcess {
    child: std::process::Child,
    input: std::process::ChildStdin,
    log: std::io::Lines<std::io::BufReader<std::process::ChildStderr>>,
    folder: tempfile::TempDir,
}

#[cfg(unix)]
impl PlayProcess {
    fn start(arguments: &[&str], input: &str) -> Self {
        use std::io::BufRead;

        let folder = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_puli"))
            .env_remove("RUST_LOG")
            .current_dir(folder.path())
            .arg("play")
            .args(arguments)
            .args(["--log", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(input.as_bytes()).expect("a reader");
        let log = child.stderr.take().expect("a pipe");
        Self {
            child,
            input: pipe,
            log: std::io::BufReader::new(log).lines(),
            folder,
        }
    }

    /// Reads standard error, which is also the log, up to a line that starts with `beginning`.
    fn wait_for(&mut self, beginning: &str) -> String {
        let mut lines = self.log.by_ref().map(|line| line.expect("text"));
        let found = lines.find(|line| line.starts_with(beginning));
        found.unwrap_or_else(|| panic!("'{beginning}' never came"))
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args([name, &id]).status();
        assert!(status.expect("kill").success());
    }

    /// Waits for the exit and compares its status. Returns the saved game and its folder.
    fn saved(mut self, status: i32) -> (String, tempfile::TempDir) {
        let line = self.wait_for("Game saved; continue with: puli play --load ");
        let (_, path) = line.split_once("--load ").expect("a path");
        let status_at_exit = self.child.wait().expect("an end");
        assert_eq!(status_at_exit.code(), Some(status));
        let path = self.folder.path().join(path);
        (std::fs::read_to_string(path).expect("a game"), self.folder)
    }
}

/// Level 9 searches for ten seconds per move, so a search is running when the signal arrives.
#[cfg(unix)]
const SLOW_LEVEL: [&str; 3] = ["aadu-puli", "--level", "9"];

#[cfg(unix)]
#[test]
fn interrupt_makes_engine_move_and_game_continues() {
    let mut game = PlayProcess::start(&SLOW_LEVEL, "c1\n");
    game.wait_for("> go movetime 10000");
    game.signal("-INT");
    game.wait_for("> stop");
    let best = game.wait_for("< bestmove ");
    let best = best.split(' ').nth(2).expect("a move").to_string();
    let position = game.wait_for("> position startpos moves c1 ");
    assert_eq!(position, format!("> position startpos moves c1 {best}"));
    game.input.write_all(b"level 1\nquit\n").expect("a reader");
    let ended = game.child.wait().expect("an end");
    assert_eq!(ended.code(), Some(0));
    let left = std::fs::read_dir(game.folder.path()).expect("a folder");
    assert_eq!(left.count(), 0, "quit saves nothing");
}

#[cfg(unix)]
#[test]
fn second_interrupt_and_termination_save_game() {
    let header = "setoption name UCI_Variant value aadu-puli\nposition startpos moves c1";
    for (signals, status) in [(&["-INT", "-INT"][..], 130), (&["-TERM"], 143)] {
        let mut game = PlayProcess::start(&SLOW_LEVEL, "c1\n");
        game.wait_for("> go movetime 10000");
        for (index, signal) in signals.iter().enumerate() {
            if index > 0 {
                game.wait_for("> stop");
            }
            game.signal(signal);
        }
        let (saved, _folder) = game.saved(status);
        assert!(saved.starts_with(header), "{saved}");
    }
    // If no person plays, the first interrupt exits.
    let watched = ["aadu-puli", "--p1", "engine", "--level", "9", "--fen"];
    let fen = "1/1TT1T1/6/G5/4 g 14";
    let mut game = PlayProcess::start(&[&watched[..], &[fen]].concat(), "");
    game.wait_for("> go movetime 10000");
    game.signal("-INT");
    assert_eq!(game.child.wait().expect("an end").code(), Some(130));
}

#[cfg(unix)]
#[test]
fn interrupt_at_prompt_saves_without_overwriting() {
    let two = ["tic-tac-toe", "--p2", "person"];
    let game = |moves: &str, last: &str, load: &[&str]| {
        let mut game = PlayProcess::start(&[&two[..], load].concat(), moves);
        game.wait_for(&format!("> position startpos moves {last}"));
        // The board is drawn after the move is stored.
        game.wait_for("> d");
        game
    };
    let first = game("a1\nb1\n", "a1 b1", &[]);
    let taken = first.folder.path().join("puli-game-1.txt");
    std::fs::write(&taken, "my thesis").expect("room");
    first.signal("-INT");
    let (saved, _folder) = first.saved(130);
    assert!(
        saved.ends_with("\nposition startpos moves a1 b1\n"),
        "{saved}"
    );
    assert_eq!(std::fs::read_to_string(&taken).expect("text"), "my thesis");

    // A loaded file is overwritten by a continuation of its game, but by no other game.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game").display().to_string();
    for (moves, last, is_continued) in [("c3\n", "a1 b1 c3", true), ("undo\nb3\n", "a1 b3", false)]
    {
        std::fs::write(&file, &saved).expect("room");
        let game = game(moves, last, &["--load", &file]);
        game.signal("-INT");
        let (now, _folder) = game.saved(130);
        assert!(now.ends_with(&format!(" moves {last}\n")), "{now}");
        let kept = std::fs::read_to_string(&file).expect("text");
        assert_eq!(kept, if is_continued { now } else { saved.clone() });
    }
}

#[test]
fn rejects_illegal_moves_with_rule() {
    for (variant, fen, m, reason) in [
        ("aadu-puli", "T/2TT2/6/6/4 g 15", "b3", "b3 is occupied"),
        (
            "aadu-puli",
            "T/2TT2/6/6/4 g 15",
            "c1c2",
            "goats move only after all are placed",
        ),
        (
            "aadu-puli",
            "T/2TT2/G5/6/4 t 14",
            "a1e4",
            "no line joins a1 and e4",
        ),
        ("aadu-puli", "T/2TT2/G5/6/4 t 14", "c1c2", "no tiger on c1"),
        (
            "aadu-puli",
            "T/2TT2/G5/6/4 t 14",
            "b3d3",
            "no goat on c3, between b3 and d3",
        ),
        (
            "aadu-puli",
            "T/2TT2/G5/6/4 t 14",
            "d3",
            "no tigers in hand to place; a move names two points",
        ),
        ("aadu-puli", "T/2TT2/G5/6/4 t 14", "a1b3", "b3 is occupied"),
        (
            "wolf-and-sheep",
            "1T2/4/4/4/4/GGGG/4/4 g 0",
            "f1g1",
            "sheep may not move from f1 to g1",
        ),
        ("tic-tac-toe", "3 3 3 3/1X1/3 o 1", "b2", "b2 is taken"),
        (
            "2048",
            "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 p 0",
            "a1=2",
            "the player slides first",
        ),
        (
            "2048",
            "2,0,0,0/4,0,0,0/2,0,0,0/4,0,0,0 p 0",
            "left",
            "the slide changes nothing",
        ),
        ("tree", "[[1,2],[3,4]]", "7", "there are children 1 to 2"),
        (
            "8-puzzle",
            "0,2,1/3,4,5/6,8,7",
            "up",
            "no tile is above the blank",
        ),
        (
            "missionaries",
            "3 3 left",
            "2m",
            "on the left bank 3 cannibals would outnumber 1 missionary",
        ),
        ("missionaries", "3 3 left", "3c", "the boat holds 2"),
        (
            "missionaries",
            "3 1 right",
            "1m",
            "on the right bank there are only 0 missionaries",
        ),
    ] {
        let persons = ["--p1", "person", "--p2", "person"];
        let arguments = [&[variant, "--fen", fen][..], &persons].concat();
        let (printed, status) = played(&arguments, &format!("{m}\nquit\n"));
        assert_eq!(status, Some(0), "{variant}: {printed}");
        let expected = format!("'{m}' is illegal: {reason}\n");
        assert!(printed.contains(&expected), "{expected}: {printed}");
    }
}

/// Every readable but illegal move of every game gets a reason, and the game continues.
#[test]
fn every_illegal_move_of_every_game_has_reason() {
    use std::collections::BTreeSet;

    for variant in catalog::all() {
        let position = "position startpos";
        let state = answers(variant, &[position, "state"]);
        let state = state.iter().find_map(|line| line.strip_prefix("state "));
        let state: serde_json::Value = serde_json::from_str(state.expect("a state")).expect("JSON");
        let moves = state["moves"].as_array().expect("moves");
        let legal: BTreeSet<&str> = moves.iter().filter_map(|m| m["move"].as_str()).collect();
        // Moves of the same form: every pair of points, every single point, and moves of other games.
        let points: Vec<String> = match state["board"]["points"].as_array() {
            Some(points) => points
                .iter()
                .filter_map(|point| Some(point["name"].as_str()?.to_string()))
                .collect(),
            None => Vec::new(),
        };
        let pairs = points
            .iter()
            .flat_map(|a| points.iter().map(move |b| format!("{a}{b}")));
        let others = [
            "pass", "up", "left", "down", "right", "7", "2m", "2m3c", "a1=2",
        ];
        let tried: Vec<String> = pairs
            .chain(points.iter().cloned())
            .chain(others.map(String::from))
            .filter(|m| !legal.contains(m.as_str()))
            .collect();
        let lines: Vec<String> = tried
            .iter()
            .map(|m| format!("position startpos moves {m}"))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let answers = answers(variant, &lines);
        assert_eq!(answers.len(), tried.len(), "{variant}");
        for (m, answer) in tried.iter().zip(&answers) {
            let is_rejected =
                answer.contains(" is not a ") || answer.contains(" is not legal here: ");
            assert!(is_rejected, "{variant}: {m}: {answer}");
        }
    }
}

/// Returns the protocol's answers to `lines` in a game.
fn answers(variant: &str, lines: &[&str]) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_puli"))
        .args(["--variant", variant])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let lines = lines.join("\n") + "\nquit\n";
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("a writer").expect("a reader");
    let printed = String::from_utf8(output.stdout).expect("text");
    printed.lines().map(String::from).collect()
}
