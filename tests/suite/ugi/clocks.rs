//! Tests searches with time limits and clocks, and `stop`.
//!
//! The tests print the measured times (see them with `--nocapture`). The maximum times are strict only if the
//! environment variable `PULI_STRICT_TIMES` is set.

use std::thread;
use std::time::Duration;

use fastrand::Rng;

use super::games;
use super::runner::{Runner, position, value_after};
use crate::support::timing;

#[test]
fn respects_clocks_under_all_parameter_names() {
    let max_time = timing::limit(Duration::from_secs(2));
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
        runner.send_valid("uginewgame\nposition startpos");
        let (best, _, elapsed) = runner.go(clock);
        assert_ne!(best, "(none)", "{clock}");
        println!("{clock}: {elapsed:?}");
        assert!(elapsed < max_time, "{clock}: {elapsed:?}");
    }
    // If the second player is to move, the search must respect the clock of the second player.
    runner.send_valid("position startpos moves c1");
    let (.., elapsed) = runner.go("p1time 100000 p2time 50");
    assert!(elapsed < max_time, "{elapsed:?}");
}

#[test]
fn stops_at_first_of_several_limits() {
    let max_time = timing::limit(Duration::from_secs(2));
    let mut runner = Runner::playing("aadu-puli");
    let hour_limits = "p1time 3600000 p2time 3600000 movetime 3600000";
    let (_, lines, _) = runner.go(&format!("{hour_limits} nodes 100000000000 depth 3"));
    assert_eq!(value_after(&lines, "depth"), Some("3"));
    runner.send_valid("uginewgame");
    let (_, lines, _) = runner.go(&format!("depth 200 nodes 1000 {hour_limits}"));
    let nodes: u64 = value_after(&lines, "nodes")
        .expect("nodes")
        .parse()
        .expect("a number");
    assert!(nodes <= 1000, "{nodes}");
    runner.send_valid("uginewgame");
    let (.., elapsed) = runner.go("depth 200 p1time 3600000 p2time 3600000 movetime 30");
    assert!(elapsed < max_time, "{elapsed:?}");
}

#[test]
fn answers_stop_at_once_with_two_threads() {
    for threads in [1, 2] {
        let mut runner = Runner::playing("aadu-puli");
        runner.send_valid(&format!("setoption name Threads value {threads}"));
        let mut times = Vec::new();
        for round in 0..60 {
            runner.send_valid("uginewgame\nposition startpos");
            runner.send("go infinite");
            // Vary the delay, so that `stop` arrives in different stages of the search.
            thread::sleep(Duration::from_micros(3000 + 700 * round));
            times.push(runner.response_time("stop", "bestmove"));
        }
        times.sort();
        let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
        println!("stop to bestmove, {threads} thread(s): median {median:?}, longest {longest:?}");
        assert!(
            median < timing::limit(Duration::from_millis(50)),
            "{median:?}"
        );
    }
}

#[test]
fn plays_games_with_ten_milliseconds_and_one_per_move() {
    let rounds = timing::repetitions(3, 12);
    let mut players = [Runner::start(), Runner::start()];
    for variant in games() {
        for player in &mut players {
            player.send_valid(&format!("setoption name UCI_Variant value {variant}"));
        }
        let mut times: Vec<(Duration, bool)> = Vec::new();
        for seed in 0..rounds {
            times.extend(play_blitz_game(&mut players, seed));
        }
        let longest = times.iter().max().expect("moves").0;
        let late_moves = times.iter().filter(|(_, is_late)| *is_late).count();
        println!(
            "{variant}: {rounds} games, {} moves, the longest {longest:?}, {late_moves} late without a margin",
            times.len()
        );
    }
}

/// Plays a game that begins with two random plies. Each player has 10 ms and an increment of 1 ms per move. Returns the
/// time that each move took, and `true` if this was more than the clock showed.
fn play_blitz_game(players: &mut [Runner; 2], seed: u64) -> Vec<(Duration, bool)> {
    let margin = timing::limit(Duration::from_millis(100));
    let mut rng = Rng::with_seed(seed);
    let mut clocks = [Duration::from_millis(10); 2];
    let mut moves = Vec::new();
    let mut times = Vec::new();
    for player in players.iter_mut() {
        player.send_valid("uginewgame");
    }
    for ply in 0..400 {
        let (to_move, waiting) = (ply % 2, 1 - ply % 2);
        for player in players.iter_mut() {
            player.send_valid(&position(&moves));
        }
        let is_over = players[to_move].is_over();
        assert_eq!(players[waiting].is_over(), is_over, "{moves:?}");
        if is_over {
            break;
        }
        let legal = players[waiting].moves();
        if ply < 2 {
            moves.push(legal[rng.usize(..legal.len())].clone());
            continue;
        }
        let [first, second] = clocks.map(|clock| clock.as_millis());
        let limits = format!("p1time {first} p2time {second} p1inc 1 p2inc 1");
        let (best, _, elapsed) = players[to_move].go(&limits);
        let clock = &mut clocks[to_move];
        assert!(legal.contains(&best), "{best} after {moves:?}");
        assert!(
            elapsed < *clock + margin,
            "{elapsed:?} of {clock:?} after {moves:?}"
        );
        times.push((elapsed, elapsed > *clock));
        *clock = clock.saturating_sub(elapsed) + Duration::from_millis(1);
        moves.push(best);
    }
    times
}
