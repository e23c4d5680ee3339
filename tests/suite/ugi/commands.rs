//! Tests the commands for positions, options and queries: in any order, case and spacing, and with errors.

use fastrand::Rng;

use super::games;
use super::runner::{Runner, position, value_after};

#[test]
fn answers_queries_at_every_position_of_random_games() {
    for variant in games() {
        let mut runner = Runner::playing(variant);
        for seed in 0..10 {
            let mut rng = Rng::with_seed(seed);
            let mut moves = Vec::new();
            let mut was_first_to_move = None;
            loop {
                runner.send_valid(&position(&moves));
                let is_first_to_move = runner.query("p1turn") == "true";
                let result = runner.query("result");
                assert_eq!(runner.is_over(), result != "none", "{moves:?}");
                if result != "none" || moves.len() == 120 {
                    assert!(["p1win", "p2win", "draw", "none"].contains(&result.as_str()));
                    break;
                }
                assert_ne!(
                    was_first_to_move,
                    Some(is_first_to_move),
                    "the players alternate: {moves:?}"
                );
                was_first_to_move = Some(is_first_to_move);
                let legal = runner.moves();
                assert!(!legal.is_empty(), "an unfinished game has moves: {moves:?}");
                moves.push(legal[rng.usize(..legal.len())].clone());
            }
        }
    }
}

#[test]
fn only_third_occurrence_is_draw() {
    let mut runner = Runner::playing("aadu-puli");
    let back_and_forth = ["d2e1", "a1b2", "e1d2", "b2a1"];
    for plies in 0..=8 {
        let moves: Vec<&str> = back_and_forth.iter().cycle().take(plies).copied().collect();
        let moves = if moves.is_empty() {
            String::new()
        } else {
            format!(" moves {}", moves.join(" "))
        };
        runner.send_valid(&format!("position fen T/2TT2/6/GGGGGG/4 g 0{moves}"));
        let expected = if plies == 8 { "draw" } else { "none" };
        assert_eq!(runner.query("result"), expected, "after {plies} plies");
        assert_eq!(runner.is_over(), plies == 8);
    }
}

#[test]
fn bestmove_line_has_two_words_even_with_ponder() {
    let mut runner = Runner::start();
    runner.send_valid("setoption name Ponder value true");
    for variant in games() {
        runner.send_valid(&format!("setoption name UCI_Variant value {variant}"));
        let (best, ..) = runner.go("depth 4");
        assert!(runner.moves().contains(&best), "{variant}: {best}");
    }
    runner.send_valid("position fen XXX/OO1/3 o");
    assert!(runner.is_over());
    assert_eq!(runner.go("depth 4").0, "(none)");
}

#[test]
fn accepts_options_in_any_order_and_case() {
    let mut options = vec![
        "name hash value 2",
        "name THREADS value 1",
        "name multipv value 1",
        "name Move overhead value 5",
        "name UCI_variant value Bagh-Chal",
        "name algorithm value SCOUT",
        "name clear HASH",
    ];
    let mut rng = Rng::with_seed(4);
    let mut answers = Vec::new();
    for _ in 0..6 {
        let mut runner = Runner::start();
        rng.shuffle(&mut options);
        for option in &options {
            runner.send_valid(&format!("setoption {option}"));
        }
        assert_eq!(runner.fen(), "T3T/5/5/5/T3T g 20");
        let (best, lines, _) = runner.go("depth 4");
        answers.push((best, value_after(&lines, "nodes").map(str::to_string)));
    }
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:?}"
    );
}

#[test]
fn bad_options_get_one_error_and_change_nothing() {
    let mut runner = Runner::playing("bagh-chal");
    runner.send_valid("position startpos moves a2");
    let fen = runner.fen();
    for option in [
        "name Contempt value -1",
        "name Disdain value 3",
        "name UCI_ShowWLDL value true",
        "name Hash value 0",
        "name Hash value many",
        "name Hash",
        "name Threads value -1",
        "name UCI_Variant value chess",
        "name Algorithm value dijkstra",
        "Hash 3",
        "",
    ] {
        runner.send_invalid(&format!("setoption {option}"));
        assert_eq!(runner.fen(), fen, "{option}");
    }
    runner.go("depth 2");
}

#[test]
fn ignores_carriage_returns_and_extra_blanks() {
    let mut answers = Vec::new();
    for line_end in ["", "\r", " ", " \t \r"] {
        let mut runner = Runner::playing("bagh-chal");
        runner.send(&format!("{line_end}\nuginewgame{line_end}"));
        runner.send(&format!(
            "  position   startpos \t moves  c3{line_end}\n\r\n   \n\tgo  depth 5 {line_end}"
        ));
        let lines = runner.read_until("bestmove");
        assert!(
            !lines.iter().any(|line| line.contains("error")),
            "{lines:?}"
        );
        answers.push((runner.fen(), lines.last().cloned()));
        assert_eq!(
            runner.ask(&format!("query p1turn{line_end}")),
            ["response false"]
        );
    }
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:?}"
    );
}

#[test]
fn exits_at_end_of_input_in_every_state() {
    assert!(Runner::start().end().is_empty());
    for go in [
        "depth 6",
        "infinite",
        "movetime 50",
        "p1time 100 p2time 100",
        "perft 3",
        "ponder depth 3",
    ] {
        let mut runner = Runner::start();
        runner.send(&format!("go {go}"));
        let output = runner.end();
        let last = output.last().expect("an answer");
        let line_start = if go == "perft 3" {
            "Nodes searched: 2286"
        } else {
            "bestmove "
        };
        assert!(last.starts_with(line_start), "{go}: {output:?}");
    }
}

#[test]
fn illegal_move_keeps_last_position() {
    let mut runner = Runner::playing("tic-tac-toe");
    // None of the following commands may change this position.
    runner.send_valid("position startpos moves a1 b1 a2");
    let fen = runner.fen();
    for bad_arguments in [
        "startpos moves a1 b1 a2 a2",
        "startpos moves a1 b1 a2 b2 a3 c3",
        "startpos moves a1 b1 zz",
        "startpos moves a9",
        "startpos a1",
        "fen",
        "fen 3/3/4 x",
        "fen XXX/3/3",
        "nowhere",
        "",
    ] {
        runner.send_invalid(&format!("position {bad_arguments}"));
        assert!(!runner.is_over(), "{bad_arguments}");
        assert_eq!(runner.query("result"), "none", "{bad_arguments}");
        assert_eq!(runner.query("p1turn"), "false", "{bad_arguments}");
        assert_eq!(runner.fen(), fen, "{bad_arguments}");
    }
    let error = runner.send_invalid("position startpos moves a1 b1 a2 a2");
    assert!(
        error.contains("move 4") && error.contains("'a2'"),
        "{error}"
    );
    // A move after the end of the game is an error. The position remains the finished one.
    runner.send_valid("position startpos moves a1 b1 a2 b2 a3");
    runner.send_invalid("position startpos moves a1 b1 a2 b2 a3 b3");
    assert!(runner.is_over());
    assert_eq!(runner.query("result"), "p1win");
}

#[test]
fn answers_isready_in_every_state() {
    let mut runner = Runner::playing("aadu-puli");
    runner.send_valid("position startpos moves c1");
    for go in ["infinite", "ponder p1time 10 p2time 10", "depth 200"] {
        runner.send(&format!("go {go}"));
        for _ in 0..3 {
            let output = runner.ask("");
            assert!(
                !output.iter().any(|line| line.starts_with("bestmove")),
                "{go} continues: {output:?}"
            );
        }
        runner.send("stop");
        runner.read_until("bestmove");
        runner.send_valid("stop\nponderhit");
    }
    runner.send_valid("setoption name UCI_Variant value tic-tac-toe\nposition fen XXX/OO1/3 o");
    runner.send_valid("");
}
