//! Tests the program `puli play` with pipes as its input and output.

use std::io::Write;
use std::process::{Command, Stdio};

use puli::catalog;

use crate::support::readme_board_file;

/// Runs `puli play` with the input `lines`. Returns its standard output and exit status.
fn run_play(arguments: &[&str], lines: &str) -> (String, Option<i32>) {
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
    let result = child.wait_with_output().expect("an end");
    let output = String::from_utf8(result.stdout).expect("text");
    assert!(!output.contains('\x1b'), "colors in a pipe: {output}");
    (output, result.status.code())
}

#[test]
fn every_game_accepts_move_numbers_and_undo() {
    for variant in catalog::names() {
        let (output, status) = run_play(&[variant, "--level", "1"], "1\nundo\nundo\nmoves\nquit\n");
        assert_eq!(status, Some(0), "{variant}: {output}");
        assert!(
            output.contains("'help' lists the commands"),
            "{variant}: {output}"
        );
        assert_eq!(
            output.matches("There is no move to take back.").count(),
            1,
            "{variant}: {output}"
        );
    }
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
    std::fs::write(&file, readme_board_file()).expect("room");
    let input = format!("B2\nSave {saved}\nnew\nload {saved}\nUNDO\nquit\n");
    let (output, status) = run_play(&[&file, "--level", "1"], &input);
    assert_eq!(status, Some(0), "{output}");
    assert!(output.contains("Hens in hand: 5"), "{output}");
    assert!(
        !output.contains("is not a legal move") && !output.contains("there is no variant"),
        "{output}"
    );
    let game = std::fs::read_to_string(&saved).expect("a game");
    assert!(
        game.starts_with("setoption name VariantPath value ")
            && game.contains("\nsetoption name UCI_Variant value kite\nposition startpos moves b2"),
        "{game}"
    );
    // The saved game contains the path of its board file, so it can be loaded without naming the file.
    let (output, status) = run_play(&["--load", &saved], "undo\nquit\n");
    assert_eq!(status, Some(0), "{output}");
    assert!(output.contains("Hens in hand: 5"), "{output}");
    let (output, status) = run_play(&["nowhere.txt"], "");
    assert_eq!((output.as_str(), status), ("", Some(2)));
    std::fs::write(&file, readme_board_file().replace("a1 b2 c2", "a1 b9 c2")).expect("room");
    assert_eq!(run_play(&[&file], "").1, Some(2));
    assert_eq!(run_play(&["--load", &saved], "").1, Some(2));
}

/// The page writes such games. They contain the board itself, and no path.
#[test]
fn loads_and_saves_game_of_drawn_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("drawn").display().to_string();
    let again = folder.path().join("again").display().to_string();
    let board = serde_json::Value::from(readme_board_file().replace("game kite", "game drawn"));
    let lines = format!(
        "setoption name VariantText value {board}\nsetoption name UCI_Variant value drawn\nposition startpos moves b2"
    );
    std::fs::write(
        &saved,
        format!("[Variant \"drawn\"]\n\n{{\n{lines}\n}}\n1. b2 *\n"),
    )
    .expect("room");
    let (output, status) = run_play(&["--load", &saved], &format!("undo\nsave {again}\nquit\n"));
    assert_eq!(status, Some(0), "{output}");
    assert!(output.contains("Hens in hand: 5"), "{output}");
    let (output, status) = run_play(&["--load", &again], "quit\n");
    assert_eq!(status, Some(0), "{output}");
    assert!(output.contains("Hens in hand: 5"), "{output}");
    std::fs::write(&saved, lines.replace("game drawn", "game")).expect("room");
    let (output, status) = run_play(&["--load", &saved], "");
    assert_eq!(status, Some(2), "{output}");
}

#[test]
fn play_without_arguments_lists_all_games() {
    let (output, status) = run_play(&[], "");
    assert_eq!(status, Some(0), "{output}");
    assert!(output.starts_with("Play a game with 'puli play NAME'"));
    for variant in catalog::all() {
        assert!(output.contains(&format!("\n  {variant} ")), "{output}");
    }
    assert!(output.contains("  wolf-and-sheep             Wolf and Sheep\n"));
    assert_eq!(run_play(&["--fen", "x"], "").1, Some(2));
    assert_eq!(run_play(&["--games", "3"], "").1, Some(2));
}

#[test]
fn suggests_nearest_name_for_misspelled_game() {
    for (misspelled, expected_name) in [
        ("aadupuli", "aadu-puli"),
        ("tictac-toe", "tic-tac-toe"),
        ("wolf", "wolf-and-sheep"),
    ] {
        let error = error_of(&[misspelled]);
        assert!(
            error.contains(&format!("did you mean {expected_name}?")),
            "{error}"
        );
    }
}

#[test]
fn equal_seeds_repeat_game() {
    let game = |seed: &str| {
        let input = "1\n1\n1\n1\nquit\n";
        ["2048", "tic-tac-toe"].map(|variant| {
            let arguments = [variant, "--seed", seed, "--level", "2"];
            run_play(&arguments, input).0
        })
    };
    assert_eq!(game("5"), game("5"));
    assert_ne!(game("5")[0], game("6")[0]);
}

#[test]
fn completions_list_games_for_every_command() {
    // The completions for Fish are fewer, because they do not contain positional arguments.
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
        let (output, status) = run_play(&arguments, "sides\nquit\n");
        assert!(output.contains(expected), "{arguments:?}: {output}");
        assert_eq!(status, Some(0));
        // The engine does not move: the two prompts are those for `sides` and `quit`.
        assert_eq!(output.matches("> ").count(), 2, "{arguments:?}: {output}");
    }
}

#[test]
fn states_if_one_person_plays_both_sides() {
    let (output, _) = run_play(&["aadu-puli", "--p2", "person"], "quit\n");
    assert!(
        output.starts_with("Aadu Puli Aattam. You play both sides.\n"),
        "{output}"
    );
    let (output, _) = run_play(&["tree", "--p1", "engine"], "");
    assert!(
        output.contains(" The engine plays both sides, level 5.\n"),
        "{output}"
    );
}

#[test]
fn sliding_puzzles_show_their_goal() {
    for (variant, last_row) in [
        ("8-puzzle", "    6  7  8\n"),
        ("15-puzzle", "   12 13 14 15\n"),
    ] {
        for word in ["rules", "goal"] {
            let (output, _) = run_play(&[variant], &format!("{word}\nquit\n"));
            assert_eq!(
                output.matches("The goal:\n    .  1  2").count(),
                2,
                "{output}"
            );
            assert!(output.matches(last_row).count() >= 2, "{output}");
        }
    }
    let (output, _) = run_play(&["aadu-puli"], "goal\nquit\n");
    assert!(output.contains("The tigers win"), "{output}");
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
        let (output, _) = run_play(&[variant, "--fen", fen, "--p2", "person"], "quit\n");
        assert!(output.contains(row) && output.contains(meaning), "{output}");
    }
    // The board also marks a goal of the prey, and the points that the prey cannot enter.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("zone.txt").display().to_string();
    let board = readme_board_file() + "prey-zone b1 b2 b3 c2 c3\nprey-goal c2\n";
    std::fs::write(&file, board).expect("room");
    let (output, _) = run_play(&[&file, "--p2", "person"], "quit\n");
    assert!(
        output.contains("+ a goal of the hens, : not for the hens"),
        "{output}"
    );
    assert!(output.contains("+2") && output.contains(":1"), "{output}");
}

#[test]
fn plays_to_end_and_reports_result() {
    let (output, status) = run_play(
        &["tic-tac-toe", "--p2", "person"],
        "a1\nb1\na2\nb2\na3\nnonsense\nundo\nc3\n",
    );
    assert!(
        output.contains("X has won: a line is complete."),
        "{output}"
    );
    assert!(
        output.contains("'nonsense' is not a legal move"),
        "{output}"
    );
    // After the end of the game, `undo` takes the last move back, and the game continues.
    assert!(output.contains("O> "), "{output}");
    assert_eq!(status, Some(0));
}

#[test]
fn two_engines_play_each_other() {
    // At level 4, the engines do not search to the end of tic-tac-toe, so the test expects no particular result.
    for (variant, end) in [
        ("tic-tac-toe", " is "),
        ("missionaries", "Solved: goal reached."),
        ("8-puzzle", "Solved: goal reached."),
    ] {
        let (output, status) = run_play(&[variant, "--p1", "engine", "--level", "4"], "");
        let last = output.trim_end().lines().last().expect("an end");
        assert!(last.contains(end), "{variant}: {output}");
        assert_eq!(status, Some(0));
    }
}

#[test]
fn texts_call_the_sides_goats_and_tigers() {
    let (output, _) = run_play(
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
        assert!(output.contains(expected), "{expected}: {output}");
    }
    assert!(!output.contains("p1") && !output.contains("p2"), "{output}");
}

#[test]
fn tiles_appear_without_input() {
    let (output, _) = run_play(&["2048", "--level", "1"], "1\n1\nquit\n");
    assert!(output.contains("the tiles appear at random."), "{output}");
    assert!(output.matches(" appears on ").count() >= 4, "{output}");
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
    let two_persons = ["tic-tac-toe", "--p2", "person"];
    run_play(&two_persons, &format!("b2\na1\nsave {game}\nquit\n"));
    let (output, _) = run_play(
        &["aadu-puli", "--p2", "person"],
        &format!("c1\nload {bad}\nload {other}\nb4c4\nload {game}\nc3\nsave {game}\nquit\n"),
    );
    assert!(
        output.contains("move 1, '9', is not legal here"),
        "{output}"
    );
    assert!(output.contains(&other), "{output}");
    let saved = std::fs::read_to_string(&game).expect("a file");
    assert_eq!(
        saved,
        "setoption name UCI_Variant value tic-tac-toe\nposition startpos moves b2 a1 c3\n"
    );
    let (output, _) = run_play(
        &["tic-tac-toe", "--load", &game, "--p2", "person"],
        "undo\nquit\n",
    );
    assert!(output.contains("O> ") && output.contains("X> "), "{output}");
}

#[test]
fn log_shows_protocol_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log").display().to_string();
    run_play(
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
        let (output, status) = run_play(arguments, "");
        assert_ne!(status, Some(0), "{arguments:?}: {output}");
    }
    let error = error_of(&["tic-tac-toe", "--fen", "x"]);
    assert!(error.contains("--fen: column 1: expected"), "{error}");
}

#[test]
fn separates_saved_game_from_board_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (saved, board, without_path) = (file("saved"), file("kite.txt"), file("lost"));
    std::fs::write(&board, readme_board_file()).expect("room");
    run_play(
        &["tic-tac-toe", "--p2", "person"],
        &format!("b2\nsave {saved}\nquit\n"),
    );
    for game in ["bagh-chal", &board] {
        let error = error_of(&[game, "--load", &saved]);
        let expected = format!("{saved}: expected a game of '{game}', found 'tic-tac-toe'");
        assert!(error.contains(&expected), "{error}");
    }
    let error = error_of(&[&saved]);
    assert!(
        error.contains(&format!("{saved} is a saved game: use --load {saved}")),
        "{error}"
    );
    // This saved game does not contain the path of its board file.
    let text = "setoption name UCI_Variant value kite\nposition startpos\n";
    std::fs::write(&without_path, text).expect("room");
    let error = error_of(&["--load", &without_path]);
    assert!(
        error.contains(&format!(
            "{without_path}: saved game of an unknown variant: "
        )),
        "{error}"
    );
}

/// Runs `puli play` with bad arguments and returns its standard error.
fn error_of(arguments: &[&str]) -> String {
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

/// A running `puli play --log -` in a temporary folder. Tests send signals to it.
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

    /// Reads standard error up to a line that starts with `prefix`, and returns this line. Standard error also contains
    /// the log of protocol lines.
    fn wait_for(&mut self, prefix: &str) -> String {
        let mut lines = self.log.by_ref().map(|line| line.expect("text"));
        let line = lines.find(|line| line.starts_with(prefix));
        line.unwrap_or_else(|| panic!("'{prefix}' never came"))
    }

    /// Sends the signal with this name to the process.
    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args([name, &id]).status();
        assert!(status.expect("kill").success());
    }

    /// Waits for the exit and checks the exit status. Returns the text of the game that the process saved, and the
    /// folder of the process.
    fn wait_and_read_saved_game(mut self, status: i32) -> (String, tempfile::TempDir) {
        let line = self.wait_for("Game saved; continue with: puli play --load ");
        let (_, path) = line.split_once("--load ").expect("a path");
        let status_at_exit = self.child.wait().expect("an end");
        assert_eq!(status_at_exit.code(), Some(status));
        let path = self.folder.path().join(path);
        (std::fs::read_to_string(path).expect("a game"), self.folder)
    }
}

/// Arguments with a slow engine: level 9 searches ten seconds per move, so a search is running when a signal arrives.
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
    let status = game.child.wait().expect("an end");
    assert_eq!(status.code(), Some(0));
    let remaining_files = std::fs::read_dir(game.folder.path()).expect("a folder");
    assert_eq!(remaining_files.count(), 0, "quit saves nothing");
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
        let (saved, _folder) = game.wait_and_read_saved_game(status);
        assert!(saved.starts_with(header), "{saved}");
    }
    // If the engine plays both sides, the first interrupt already ends the program.
    let engine_only = ["aadu-puli", "--p1", "engine", "--level", "9", "--fen"];
    let fen = "1/1TT1T1/6/G5/4 g 14";
    let mut game = PlayProcess::start(&[&engine_only[..], &[fen]].concat(), "");
    game.wait_for("> go movetime 10000");
    game.signal("-INT");
    assert_eq!(game.child.wait().expect("an end").code(), Some(130));
}

#[cfg(unix)]
#[test]
fn interrupt_at_prompt_saves_without_overwriting() {
    let two_persons = ["tic-tac-toe", "--p2", "person"];
    let game = |moves: &str, last: &str, load: &[&str]| {
        let mut game = PlayProcess::start(&[&two_persons[..], load].concat(), moves);
        game.wait_for(&format!("> position startpos moves {last}"));
        // The command `d` is sent after the move was stored, so a signal now saves the game with this move.
        game.wait_for("> d");
        game
    };
    let first = game("a1\nb1\n", "a1 b1", &[]);
    let existing_file = first.folder.path().join("puli-game-1.txt");
    std::fs::write(&existing_file, "my thesis").expect("room");
    first.signal("-INT");
    let (saved, _folder) = first.wait_and_read_saved_game(130);
    assert!(
        saved.ends_with("\nposition startpos moves a1 b1\n"),
        "{saved}"
    );
    assert_eq!(
        std::fs::read_to_string(&existing_file).expect("text"),
        "my thesis"
    );

    // A game that was loaded from a file is saved to this file if it continues the loaded game. If moves were taken
    // back and replaced, the game is saved to a new file.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game").display().to_string();
    for (moves, last, is_continued) in [("c3\n", "a1 b1 c3", true), ("undo\nb3\n", "a1 b3", false)]
    {
        std::fs::write(&file, &saved).expect("room");
        let game = game(moves, last, &["--load", &file]);
        game.signal("-INT");
        let (new_text, _folder) = game.wait_and_read_saved_game(130);
        assert!(
            new_text.ends_with(&format!(" moves {last}\n")),
            "{new_text}"
        );
        let file_text = std::fs::read_to_string(&file).expect("text");
        assert_eq!(
            file_text,
            if is_continued {
                new_text
            } else {
                saved.clone()
            }
        );
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
        let (output, status) = run_play(&arguments, &format!("{m}\nquit\n"));
        assert_eq!(status, Some(0), "{variant}: {output}");
        let expected = format!("'{m}' is illegal: {reason}\n");
        assert!(output.contains(&expected), "{expected}: {output}");
    }
}

/// For every illegal move of every game, the error states why the move is illegal.
#[test]
fn every_illegal_move_of_every_game_has_reason() {
    use std::collections::BTreeSet;

    for variant in catalog::all() {
        let position = "position startpos";
        let state = session_output(variant, &[position, "state"]);
        let state = state.iter().find_map(|line| line.strip_prefix("state "));
        let state: serde_json::Value = serde_json::from_str(state.expect("a state")).expect("JSON");
        let moves = state["moves"].as_array().expect("moves");
        let legal: BTreeSet<&str> = moves.iter().filter_map(|m| m["move"].as_str()).collect();
        // Try every pair of points, every single point, and moves of other games, except the legal moves.
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
        let moves_of_other_games = [
            "pass", "up", "left", "down", "right", "7", "2m", "2m3c", "a1=2",
        ];
        let illegal_moves: Vec<String> = pairs
            .chain(points.iter().cloned())
            .chain(moves_of_other_games.map(String::from))
            .filter(|m| !legal.contains(m.as_str()))
            .collect();
        let lines: Vec<String> = illegal_moves
            .iter()
            .map(|m| format!("position startpos moves {m}"))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let answers = session_output(variant, &lines);
        assert_eq!(answers.len(), illegal_moves.len(), "{variant}");
        for (m, answer) in illegal_moves.iter().zip(&answers) {
            let is_rejected =
                answer.contains(" is not a ") || answer.contains(" is not legal here: ");
            assert!(is_rejected, "{variant}: {m}: {answer}");
        }
    }
}

/// Starts a session for a variant, sends `lines`, and returns the output.
fn session_output(variant: &str, lines: &[&str]) -> Vec<String> {
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
    let output = String::from_utf8(output.stdout).expect("text");
    output.lines().map(String::from).collect()
}
