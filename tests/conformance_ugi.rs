//! The Universal Game Interface as tournament runners speak it: the real program over pipes, asked after every position
//! and held to its clock.
//!
//! Times are printed (`--nocapture`) and asserted generously, since other work on the machine adds to them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

/// Far longer than any answer takes, unless there is none.
const PATIENCE: Duration = Duration::from_secs(60);

/// The two-player variants without dice.
const GAMES: [&str; 3] = ["aadu-puli", "bagh-chal", "tic-tac-toe"];

/// A program that has been greeted with `ugi`, as a runner holds it.
struct Runner {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(String, Instant)>,
}

impl Runner {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_puli"))
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("text");
                if sender.send((line, Instant::now())).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let mut runner = Self {
            child,
            input,
            lines,
        };
        runner.say("ugi");
        runner.hear("ugiok");
        runner
    }

    fn playing(variant: &str) -> Self {
        let mut runner = Self::start();
        runner.obey(&format!("setoption name UCI_Variant value {variant}"));
        runner
    }

    fn say(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("an open input");
        input
            .write_all(format!("{lines}\n").as_bytes())
            .expect("a program that reads");
    }

    /// The lines up to one that begins with this word, which is the last, and when that one came.
    fn hear_when(&self, word: &str) -> (Vec<String>, Instant) {
        let mut heard = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let (line, when) = line.unwrap_or_else(|_| panic!("waited for {word} after {heard:?}"));
            let is_last = line.split(' ').next() == Some(word);
            heard.push(line);
            if is_last {
                return (heard, when);
            }
        }
    }

    fn hear(&self, word: &str) -> Vec<String> {
        self.hear_when(word).0
    }

    /// What it says to these lines until it is ready again, `readyok` left out.
    fn ask(&mut self, lines: &str) -> Vec<String> {
        self.say(&format!("{lines}\nisready"));
        let mut said = self.hear("readyok");
        said.pop();
        said
    }

    /// Says what must not be answered with an error.
    fn obey(&mut self, lines: &str) {
        assert_eq!(self.ask(lines), Vec::<String>::new(), "{lines}");
    }

    /// Says what must be answered with one error line, and nothing else.
    fn refuse(&mut self, lines: &str) -> String {
        let mut said = self.ask(lines);
        assert_eq!(said.len(), 1, "{lines}: {said:?}");
        assert!(
            said[0].starts_with("info string error: "),
            "{lines}: {said:?}"
        );
        said.remove(0)
    }

    /// The one word of a response.
    fn query(&mut self, question: &str) -> String {
        self.say(&format!("query {question}"));
        let response = self.hear("response").pop().expect("a line");
        let words: Vec<&str> = response.split(' ').collect();
        assert_eq!(words.len(), 2, "{response}");
        words[1].to_string()
    }

    fn is_over(&mut self) -> bool {
        self.query("gameover") == "true"
    }

    /// The move of a search, the lines before it, and how long it took from `go`.
    fn go(&mut self, limits: &str) -> (String, Vec<String>, Duration) {
        let start = Instant::now();
        self.say(&format!("go {limits}"));
        let (mut lines, when) = self.hear_when("bestmove");
        let bestmove = lines.pop().expect("a line");
        let words: Vec<&str> = bestmove.split(' ').collect();
        assert_eq!(words.len(), 2, "{bestmove}");
        (words[1].to_string(), lines, when - start)
    }

    /// The legal moves, in the engine's order.
    fn moves(&mut self) -> Vec<String> {
        self.say("go perft 1");
        let mut lines = self.hear("Nodes");
        lines.pop();
        let moves = lines.iter().filter_map(|line| line.strip_suffix(": 1"));
        moves.map(str::to_string).collect()
    }

    fn fen(&mut self) -> String {
        let drawing = self.ask("d");
        let fen = drawing.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.expect("a FEN in the drawing").to_string()
    }

    /// Closes the input, and returns what is said until the exit, which has to be a good one.
    fn end(mut self) -> Vec<String> {
        self.input = None;
        let rest = self.lines.iter().map(|(line, _)| line).collect();
        assert!(self.child.wait().expect("a child").success());
        rest
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn position(moves: &[String]) -> String {
    match moves {
        [] => "position startpos".into(),
        _ => format!("position startpos moves {}", moves.join(" ")),
    }
}

/// A word of an `info` line that follows another.
fn value_after<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    let last = lines.iter().rev().find(|line| line.contains(" score "))?;
    last.split(' ').skip_while(|word| *word != name).nth(1)
}

#[test]
fn every_position_of_random_games_is_judged() {
    for variant in GAMES {
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
    for variant in GAMES {
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
        "name Contempt value 3",
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
fn clocks_are_obeyed_under_all_their_names() {
    let mut runner = Runner::playing("aadu-puli");
    for clock in [
        "p1time 100 p2time 100000 p1inc 0 p2inc 0",
        "wtime 100 btime 100000 winc 0 binc 0",
        "btime 100000 wtime 100",
        "p1time 100",
        "wtime 100 movestogo 1",
        "wtime 0 btime 0",
        "p1time -50 p2time 10 p1inc 1 p2inc 1",
        "p1time 1 p2time 1",
        "movetime 50",
        "movetime 0",
        "movetime -1",
    ] {
        runner.obey("uginewgame\nposition startpos");
        let (best, _, took) = runner.go(clock);
        assert_ne!(best, "(none)", "{clock}");
        println!("{clock}: {took:?}");
        assert!(took < Duration::from_secs(2), "{clock}: {took:?}");
    }
    // The second player's clock is the one that counts when it is to move.
    runner.obey("position startpos moves c1");
    let (.., took) = runner.go("p1time 100000 p2time 50");
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn of_several_limits_the_first_to_bind_wins() {
    let mut runner = Runner::playing("aadu-puli");
    let hour = "p1time 3600000 p2time 3600000 movetime 3600000";
    let (_, lines, _) = runner.go(&format!("{hour} nodes 100000000000 depth 3"));
    assert_eq!(value_after(&lines, "depth"), Some("3"));
    runner.obey("uginewgame");
    let (_, lines, _) = runner.go(&format!("depth 200 nodes 1000 {hour}"));
    let nodes: u64 = value_after(&lines, "nodes")
        .expect("nodes")
        .parse()
        .expect("a number");
    assert!(nodes <= 1000, "{nodes}");
    runner.obey("uginewgame");
    let (.., took) = runner.go("depth 200 p1time 3600000 p2time 3600000 movetime 30");
    assert!(took < Duration::from_secs(2), "{took:?}");
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

#[test]
fn stop_is_answered_at_once_also_with_two_threads() {
    for threads in [1, 2] {
        let mut runner = Runner::playing("aadu-puli");
        runner.obey(&format!("setoption name Threads value {threads}"));
        let mut times = Vec::new();
        for round in 0..60 {
            runner.obey("uginewgame\nposition startpos");
            runner.say("go infinite");
            // A while that is different each time, so that the search is met in all its states.
            thread::sleep(Duration::from_micros(3000 + 700 * round));
            let start = Instant::now();
            runner.say("stop");
            times.push(runner.hear_when("bestmove").1 - start);
        }
        times.sort();
        let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
        println!("stop to bestmove, {threads} thread(s): median {median:?}, longest {longest:?}");
        assert!(median < Duration::from_millis(50), "{median:?}");
    }
}

#[test]
fn some_dozens_of_games_at_ten_milliseconds_and_one_are_finished_and_nobody_flags() {
    /// What a busy machine may add to a move.
    const MARGIN: Duration = Duration::from_millis(40);
    let increment = Duration::from_millis(1);
    let mut players = [Runner::start(), Runner::start()];
    for variant in GAMES {
        for player in &mut players {
            player.obey(&format!("setoption name UCI_Variant value {variant}"));
        }
        let (mut plies, mut flags, mut longest) = (0, 0, Duration::ZERO);
        for seed in 0..12 {
            let mut clocks = [Duration::from_millis(10); 2];
            let mut moves = Vec::new();
            let mut dice = Rng::with_seed(seed);
            for player in &mut players {
                player.obey("uginewgame");
            }
            for ply in 0..400 {
                let mover = ply % 2;
                for player in &mut players {
                    player.obey(&position(&moves));
                }
                let is_over = players[mover].is_over();
                assert_eq!(players[1 - mover].is_over(), is_over, "{moves:?}");
                if is_over {
                    break;
                }
                let legal = players[1 - mover].moves();
                if ply < 2 {
                    moves.push(legal[dice.usize(..legal.len())].clone());
                    continue;
                }
                let [first, second] = clocks.map(|clock| clock.as_millis());
                let (best, _, took) =
                    players[mover].go(&format!("p1time {first} p2time {second} p1inc 1 p2inc 1"));
                assert!(legal.contains(&best), "{best} after {moves:?}");
                assert!(
                    took < clocks[mover] + MARGIN,
                    "{took:?} of {:?} after {moves:?}",
                    clocks[mover]
                );
                flags += usize::from(took > clocks[mover]);
                longest = longest.max(took);
                clocks[mover] = clocks[mover].saturating_sub(took) + increment;
                moves.push(best);
                plies += 1;
            }
        }
        println!(
            "{variant}: 12 games, {plies} plies, longest move {longest:?}, {flags} flags without a margin"
        );
    }
}
