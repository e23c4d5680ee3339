//! Positions, options and lines: what is said, in whatever order, case and spacing.

use fastrand::Rng;

use super::games;
use super::runner::{Runner, position, value_after};

#[test]
fn every_position_of_random_games_is_judged() {
    for variant in games() {
        let mut runner = Runner::playing(variant);
        for seed in 0..10 {
            let mut dice = Rng::with_seed(seed);
            let mut moves = Vec::new();
            let mut was_first = None;
            loop {
                runner.obey(&position(&moves));
                let is_first = runner.query("p1turn") == "true";
                let result = runner.query("result");
                assert_eq!(runner.is_over(), result != "none", "{moves:?}");
                if result != "none" || moves.len() == 120 {
                    assert!(["p1win", "p2win", "draw", "none"].contains(&result.as_str()));
                    break;
                }
                assert_ne!(
                    was_first,
                    Some(is_first),
                    "the players alternate: {moves:?}"
                );
                was_first = Some(is_first);
                let legal = runner.moves();
                assert!(
                    !legal.is_empty(),
                    "a game that goes on has moves: {moves:?}"
                );
                moves.push(legal[dice.usize(..legal.len())].clone());
            }
        }
    }
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw_and_the_second_is_not() {
    let mut runner = Runner::playing("aadu-puli");
    let circle = ["d2e1", "a1b2", "e1d2", "b2a1"];
    for plies in 0..=8 {
        let moves: Vec<&str> = circle.iter().cycle().take(plies).copied().collect();
        let moves = if moves.is_empty() {
            String::new()
        } else {
            format!(" moves {}", moves.join(" "))
        };
        runner.obey(&format!("position fen T/2TT2/6/GGGGGG/4 g 0{moves}"));
        let expected = if plies == 8 { "draw" } else { "none" };
        assert_eq!(runner.query("result"), expected, "after {plies} plies");
        assert_eq!(runner.is_over(), plies == 8);
    }
}

#[test]
fn a_best_move_line_has_two_words_even_with_pondering_on() {
    let mut runner = Runner::start();
    runner.obey("setoption name Ponder value true");
    for variant in games() {
        runner.obey(&format!("setoption name UCI_Variant value {variant}"));
        let (best, ..) = runner.go("depth 4");
        assert!(runner.moves().contains(&best), "{variant}: {best}");
    }
    runner.obey("position fen XXX/OO1/3 o");
    assert!(runner.is_over());
    assert_eq!(runner.go("depth 4").0, "(none)");
}

#[test]
fn options_come_in_any_order_and_case() {
    let mut options = vec![
        "name hash value 2",
        "name THREADS value 1",
        "name multipv value 1",
        "name Move overhead value 5",
        "name UCI_variant value Bagh-Chal",
        "name algorithm value SCOUT",
        "name clear HASH",
    ];
    let mut dice = Rng::with_seed(4);
    let mut answers = Vec::new();
    for _ in 0..6 {
        let mut runner = Runner::start();
        dice.shuffle(&mut options);
        for option in &options {
            runner.obey(&format!("setoption {option}"));
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
fn unknown_and_unfit_options_are_one_error_line_and_change_nothing() {
    let mut runner = Runner::playing("bagh-chal");
    runner.obey("position startpos moves a2");
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
        runner.refuse(&format!("setoption {option}"));
        assert_eq!(runner.fen(), fen, "{option}");
    }
    runner.go("depth 2");
}

#[test]
fn carriage_returns_and_blanks_make_no_difference() {
    let mut answers = Vec::new();
    for line_end in ["", "\r", " ", " \t \r"] {
        let mut runner = Runner::playing("bagh-chal");
        runner.say(&format!("{line_end}\nuginewgame{line_end}"));
        runner.say(&format!(
            "  position   startpos \t moves  c3{line_end}\n\r\n   \n\tgo  depth 5 {line_end}"
        ));
        let lines = runner.hear("bestmove");
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
fn the_end_of_input_ends_the_process_in_every_state() {
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
        runner.say(&format!("go {go}"));
        let said = runner.end();
        let last = said.last().expect("an answer");
        let word = if go == "perft 3" {
            "Nodes searched: 2286"
        } else {
            "bestmove "
        };
        assert!(last.starts_with(word), "{go}: {said:?}");
    }
}

#[test]
fn after_an_illegal_move_the_last_good_position_is_judged() {
    let mut runner = Runner::playing("tic-tac-toe");
    // Two in a row for x, then a move to a field that is taken: nothing has changed.
    runner.obey("position startpos moves a1 b1 a2");
    let fen = runner.fen();
    for bad in [
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
        runner.refuse(&format!("position {bad}"));
        assert!(!runner.is_over(), "{bad}");
        assert_eq!(runner.query("result"), "none", "{bad}");
        assert_eq!(runner.query("p1turn"), "false", "{bad}");
        assert_eq!(runner.fen(), fen, "{bad}");
    }
    let error = runner.refuse("position startpos moves a1 b1 a2 a2");
    assert!(
        error.contains("move 4") && error.contains("'a2'"),
        "{error}"
    );
    // A game that is over stays over.
    runner.obey("position startpos moves a1 b1 a2 b2 a3");
    runner.refuse("position startpos moves a1 b1 a2 b2 a3 b3");
    assert!(runner.is_over());
    assert_eq!(runner.query("result"), "p1win");
}

#[test]
fn is_ready_is_answered_in_every_state() {
    let mut runner = Runner::playing("aadu-puli");
    runner.obey("position startpos moves c1");
    for go in ["infinite", "ponder p1time 10 p2time 10", "depth 200"] {
        runner.say(&format!("go {go}"));
        for _ in 0..3 {
            let said = runner.ask("");
            assert!(
                !said.iter().any(|line| line.starts_with("bestmove")),
                "{go} goes on: {said:?}"
            );
        }
        runner.say("stop");
        runner.hear("bestmove");
        runner.obey("stop\nponderhit");
    }
    runner.obey("setoption name UCI_Variant value tic-tac-toe\nposition fen XXX/OO1/3 o");
    runner.obey("");
}
