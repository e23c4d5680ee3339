//! Tests the program as a process with pipes: its response times, its exit status, and its reaction to bad input. Only
//! `quit`, the end of the input or a closed output ends it.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::process::{Process, puli};
use crate::support::timing;

/// Returns the lower quartile of the times. Other processes on the machine make some of the times longer, which hardly
/// changes the lower quartile.
fn lower_quartile(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 4]
}

/// Starts the program, sends `input`, closes the input, and returns the output.
fn output_of(input: &[u8]) -> Vec<String> {
    let mut process = Process::start();
    process.write(input);
    process.end()
}

#[test]
fn every_variant_plays_a_move() {
    for variant in puli::catalog::names() {
        let mut process = Process::start();
        process.send(&format!("setoption name UCI_Variant value {variant}"));
        process.send("d\neval\nstate\nquery gameover\ngo perft 2\ngo depth 2");
        let before = process.read_until("bestmove ");
        let has_error = |lines: &[String]| lines.iter().any(|line| line.contains("error"));
        assert!(!has_error(&before), "{variant}: {before:?}");
        let best = before
            .last()
            .and_then(|line| line.strip_prefix("bestmove "));
        let best = best.and_then(|rest| rest.split(' ').next());
        if let Some(best) = best.filter(|&best| best != "(none)") {
            process.send(&format!("position startpos moves {best}\nisready"));
            let answer = process.read_until("readyok");
            assert!(!has_error(&answer), "{variant}: {answer:?}");
        }
        process.end();
    }
}

/// `puli atlas --cluster` starts the script `scripts/atlas`. If the program is `target/release/puli` in a source
/// tree, it finds the script in this source tree.
#[cfg(unix)]
#[test]
fn atlas_cluster_uses_script_beside_program() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("target/release/puli");
    fs::create_dir_all(folder.path().join("target/release")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_puli"), &program).unwrap();
    let table = folder.path().join("table");
    let run = || {
        let mut command = std::process::Command::new(&program);
        command.args(["atlas", "kaooa", "--solve", "--least-prey", "--memory", "7"]);
        command.args(["--cluster", "tcp://there:8786", "--out"]);
        command.arg(&table).output().unwrap()
    };
    let without_script = run();
    let stderr = String::from_utf8_lossy(&without_script.stderr);
    assert_eq!(without_script.status.code(), Some(1));
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(
        stderr.contains("scripts/atlas --cluster tcp://there:8786"),
        "{stderr}"
    );
    let script = folder.path().join("scripts/atlas");
    fs::create_dir(folder.path().join("scripts")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), "").unwrap();
    fs::write(&script, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 3\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let with_script = run();
    assert_eq!(with_script.status.code(), Some(3));
    let program = program.canonicalize().unwrap();
    let expected = format!(
        "--cluster\ntcp://there:8786\n--puli\n{}\n--out\n{}\n--memory\n7\n--most\n100000000\n--least-prey\n--\nkaooa\n",
        program.display(),
        table.display()
    );
    assert_eq!(String::from_utf8_lossy(&with_script.stdout), expected);
    assert!(!table.exists(), "the script makes it");
}

#[test]
fn answers_uci_within_twenty_milliseconds() {
    let once = || {
        let start = Instant::now();
        let mut process = Process::start();
        process.send("uci");
        process.read_until("uciok");
        start.elapsed()
    };
    // Take the minimum, because other processes on the machine make some of the times longer.
    let time = (0..30).map(|_| once()).min().unwrap_or(Duration::MAX);
    eprintln!("start to uciok: {time:?}");
    assert!(time < timing::limit(Duration::from_millis(20)), "{time:?}");
}

#[test]
fn answers_isready_and_stop_within_five_milliseconds() {
    let mut process = Process::start();
    for algorithm in [
        "auto",
        "minimax",
        "expectimax",
        "alphabeta",
        "scout",
        "mtdf",
        "pvs",
    ] {
        process.send(&format!("setoption name Algorithm value {algorithm}"));
        let (mut ready, mut stop) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            process.send("position startpos\ngo infinite");
            process.read_until("info depth 3");
            thread::sleep(Duration::from_millis(30));
            ready.push(process.response_time("isready", "readyok"));
            stop.push(process.response_time("stop", "bestmove"));
        }
        let (ready, stop) = (lower_quartile(ready), lower_quartile(stop));
        eprintln!("{algorithm}: isready {ready:?}, stop {stop:?}");
        assert!(
            ready.max(stop) < timing::limit(Duration::from_millis(5)),
            "{algorithm}: {ready:?}, {stop:?}"
        );
    }
    process.end();
}

#[test]
fn end_of_input_completes_limited_and_stops_infinite_search() {
    let lines = output_of(b"go depth 5\n");
    assert!(
        lines.iter().any(|line| line.starts_with("info depth 5 ")),
        "{lines:?}"
    );
    assert!(lines[lines.len() - 1].starts_with("bestmove "), "{lines:?}");
    for endless in ["go", "go infinite", "go ponder"] {
        let lines = output_of(endless.as_bytes());
        assert!(
            lines[lines.len() - 1].starts_with("bestmove "),
            "{endless}: {lines:?}"
        );
    }
}

#[test]
fn quit_ends_search_after_its_bestmove() {
    let mut process = Process::start();
    process.send("go infinite");
    process.read_until("info depth 2");
    process.send("quit");
    process.read_until("bestmove ");
    assert_eq!(process.status(), Some(0));
}

#[test]
fn exits_silently_if_output_is_closed() {
    let mut child = puli()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    drop(input.write_all(b"go depth 4\nisready\n"));
    let status = child.wait().expect("a child");
    let mut log = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut log).expect("text");
    assert_eq!((status.code(), log.as_str()), (Some(0), ""));
}

/// Commands that start a search which prints nothing and does not end.
#[cfg(unix)]
const ENDLESS: &[u8] = b"setoption name UCI_Variant value bagh-chal\ngo perft 60\n";

#[test]
#[cfg(unix)]
fn every_search_ends_if_both_pipes_close() {
    for keeps_input in [false, true] {
        let mut child = puli()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take();
        let pipe = input.as_mut().expect("a pipe");
        pipe.write_all(b"isready\n").expect("a program that reads");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        output.read_line(&mut String::new()).expect("an answer");
        pipe.write_all(ENDLESS).expect("a program that reads");
        thread::sleep(Duration::from_millis(100));
        input = input.filter(|_| keeps_input);
        drop(output);
        // The search writes nothing, so no failed write can end the process: it must notice the closed pipe itself.
        let closed = Instant::now();
        assert_eq!(child.wait().expect("a child").code(), Some(0));
        eprintln!("ended after {:?}", closed.elapsed());
        drop(input);
    }
}

#[test]
fn command_line_sets_options_before_first_line() {
    let output = puli()
        .args(["--variant", "tic-tac-toe", "--option", "Algorithm=Minimax"])
        .args(["--option", "hash = 2", "--option", "Clear Hash"])
        .args(["-c", "position startpos moves b2", "-c", "go depth 3"])
        .output()
        .expect("the program starts");
    let stdout = String::from_utf8(output.stdout).expect("text");
    assert!(stdout.contains("info string leaves 336\n"), "{stdout}");
    assert_eq!(output.status.code(), Some(0));
    let mut command = puli();
    command.args(["--variant", "15-puzzle", "--option", "Seed=7"]);
    let mut process = Process::start_as(command);
    process.send("d");
    process.read_until("Fen: 0,1,2,3/");
    process.end();
}

#[test]
fn bad_command_line_option_exits_with_status_2() {
    for (arguments, message) in [
        (&["--option", "Hsah=3"][..], "an option's name, not 'Hsah'"),
        (&["--option", "Hash=0"], "option Hash takes a number"),
        (&["--option", "Hash"], "option Hash takes a number"),
        (
            &["--variant", "chess"],
            "no board file 'chess', and there is no variant 'chess', only aadu-puli",
        ),
        (
            &["--option", "EvalFile=/no/such/file", "--variant", "2048"],
            "/no/such/file",
        ),
        (&["--variant", "2048", "bench"], "cannot be used together"),
    ] {
        let output = puli()
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .expect("the program starts");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn garbage_gets_one_error_per_line() {
    // A linear congruential generator gives reproducible bytes of all values, including line ends.
    let mut state = 1_u64;
    let mut garbage: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u8
    })
    .take(3 << 20)
    .collect();
    garbage.extend(b"\nisready\n");
    let lines = output_of(&garbage);
    let (last, errors) = lines.split_last().expect("an answer");
    assert_eq!(last, "readyok");
    assert!(errors.len() > 1000);
    assert!(
        errors
            .iter()
            .all(|line| line.starts_with("info string error: column "))
    );
}

#[test]
fn line_of_three_mebibytes_gets_one_error() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend(b"\nisready\n");
    let lines = output_of(&input);
    assert_eq!(lines.len(), 2, "{} lines", lines.len());
    assert!(lines[0].starts_with("info string error: column 1048577"));
    assert_eq!(lines[1], "readyok");
}

#[test]
fn nul_bytes_are_rejected_like_unknown_words() {
    let lines = output_of(b"\0\0\nposition fen \0\nisready\0\nisready\n");
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(
        lines[..3]
            .iter()
            .all(|line| line.starts_with("info string error: column "))
    );
    assert_eq!(lines[3], "readyok");
}

#[test]
fn quoted_input_is_escaped() {
    let bad = "x\u{2028}y\u{85}z\u{1b}[2J\u{202e}\x0b\x07\0";
    let commands = [
        bad.to_string(),
        format!("setoption name {bad} value {bad}"),
        format!("setoption name Algorithm value {bad}"),
        format!("setoption name Hash value {bad}"),
        format!("setoption name EvalFile value {bad}"),
        format!("setoption name UCI_Variant value {bad}"),
        format!("setoption name TablebasePath value {bad}"),
        "go depth 1".into(),
        "d".into(),
        "eval".into(),
        format!("position fen {bad}"),
        format!("position startpos moves {bad}"),
        format!("go searchmoves {bad}"),
        format!("go depth {bad}"),
        format!("query {bad}"),
    ];
    for line in output_of(commands.join("\n").as_bytes()) {
        let control_character = line
            .chars()
            .find(|&c| c.is_control() || "\u{2028}\u{202e}".contains(c));
        assert_eq!(control_character, None, "{line:?}");
    }
}

#[test]
fn huge_lines_change_nothing() {
    // Prints the position, then an error that marks the end of the output. The mark is an unknown command, because
    // `isready` could be answered before earlier lines.
    const POSITION_AND_MARK: &str = "d\n=mark=";
    const MARK_ERROR: &str =
        "info string error: column 1: expected a command that 'help' lists, found '=mark='";
    let mut process = Process::start();
    let before = {
        process.send(POSITION_AND_MARK);
        process.read_until(MARK_ERROR)
    };
    // The maximum length of a line is 1 MiB. The first line is a little shorter, the second is longer.
    let moves_below_line_limit = format!("position startpos moves{}", " c1".repeat(340_000));
    let moves_above_line_limit = format!("position startpos moves{}", " c1".repeat(1_000_000));
    let nested = format!(
        "position fen {}1{}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for line in [
        moves_below_line_limit.as_str(),
        moves_above_line_limit.as_str(),
        nested.as_str(),
        "setoption name Hash value 100000000000000",
        "setoption name Hash value 16777216",
        "setoption name Hash value 99999999999999999999999999",
        "go searchmoves zz",
        "position fen x",
    ] {
        process.send(line);
        process.send(POSITION_AND_MARK);
        let after = process.read_until(MARK_ERROR);
        assert!(after[0].starts_with("info string error: "), "{}", after[0]);
        let after = after[1..]
            .iter()
            .filter(|line| !line.starts_with("bestmove (none)"));
        // `go searchmoves` with illegal moves only prints a second error and `bestmove (none)`.
        let after = after.filter(|line| !line.starts_with("info string error: none of"));
        assert!(after.eq(&before), "{line:.40}");
    }
    process.end();
}

#[test]
fn deeply_nested_tree_does_not_crash() {
    let nested = format!(
        "position fen {}1{}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let mut process = Process::start();
    process.send("setoption name UCI_Variant value tree");
    process.send(&nested);
    process.send("go depth 255");
    process.read_until("bestmove ");
    process.send("position fen [[[[\nisready");
    let received = process.read_until("readyok");
    assert!(
        received[0].starts_with("info string error: column "),
        "{received:?}"
    );
    process.end();
}

#[test]
#[cfg(target_os = "linux")]
fn uses_no_processor_time_while_waiting() {
    let mut process = Process::start();
    process.send("setoption name SolveLimit value 0\ngo infinite");
    process.send("setoption name UCI_Variant value tic-tac-toe");
    process.read_until("info depth 2");
    process.send("stop\ngo infinite");
    // The search solves this small game soon. Then it waits for `stop` before it reports the best move.
    process.read_until("info depth 9");
    process.send("isready");
    process.read_until("readyok");
    assert_eq!(times_woken(&process), 0, "while a best move is held back");
    process.send("stop");
    process.read_until("bestmove ");
    assert_eq!(times_woken(&process), 0, "while idle");
    process.end();
}

/// Returns how often a thread of the process was interrupted or woke up within half a second, plus the number of
/// threads that run at the end. The measurement starts after a pause, so that earlier work is finished.
///
/// The processor time of the process would be too coarse a measure, because even a microsecond may count as one tick.
#[cfg(target_os = "linux")]
fn times_woken(process: &Process) -> u64 {
    let tasks = format!("/proc/{}/task", process.child.id());
    let switches_and_running = || -> (u64, u64) {
        let (mut switches, mut running) = (0, 0);
        for task in fs::read_dir(&tasks).expect("the process's threads") {
            let status = task.expect("a thread").path().join("status");
            let status = fs::read_to_string(status).expect("a thread's state");
            for (name, value) in status.lines().filter_map(|line| line.split_once(":\t")) {
                match name {
                    "State" => running += u64::from(value.starts_with('R')),
                    "voluntary_ctxt_switches" | "nonvoluntary_ctxt_switches" => {
                        switches += value.parse::<u64>().expect("a count");
                    }
                    _ => {}
                }
            }
        }
        (switches, running)
    };
    thread::sleep(Duration::from_millis(200));
    let (before, _) = switches_and_running();
    thread::sleep(Duration::from_millis(500));
    let (after, running) = switches_and_running();
    after.abs_diff(before) + running
}

#[test]
fn commands_of_c_run_in_order_then_exit() {
    let output = puli()
        .args([
            "-c",
            "position startpos moves c1",
            "-c",
            "go depth 3",
            "-c",
            "query p1turn",
        ])
        .output()
        .expect("the program starts");
    let stdout = String::from_utf8(output.stdout).expect("text");
    assert!(stdout.contains("\nbestmove "), "{stdout}");
    assert!(stdout.ends_with("response false\n"), "{stdout}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn exit_status_separates_usage_failure_and_success() {
    let status = |arguments: &[&str]| {
        puli()
            .args(arguments)
            .output()
            .expect("it starts")
            .status
            .code()
    };
    assert_eq!(status(&["--version"]), Some(0));
    assert_eq!(status(&["--help"]), Some(0));
    assert_eq!(status(&["help"]), Some(0));
    assert_eq!(status(&["help", "bench"]), Some(0));
    assert_eq!(status(&["--nonsense"]), Some(2));
    assert_eq!(status(&["nonsense"]), Some(2));
    assert_eq!(status(&["-c", "isready", "bench"]), Some(2));
    assert_eq!(status(&["-c", "nonsense"]), Some(1));
    assert_eq!(status(&["compare", "--variant", "nonsense"]), Some(2));
    assert_eq!(status(&["-c", "isready"]), Some(0));
}
