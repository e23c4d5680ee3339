//! The real program over pipes: how soon it answers, and that nothing but `quit`, the end of input or a closed output
//! ends it.

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

/// The lower quartile: other work on the machine only ever adds to a time, and does so to some more than to others.
fn typical(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 4]
}

fn output_of(input: &[u8]) -> Vec<String> {
    let mut process = Process::start();
    process.write(input);
    process.end()
}

#[test]
fn every_variant_of_the_catalog_is_played_by_the_real_program() {
    for variant in puli::catalog::names() {
        let mut process = Process::start();
        process.say(&format!("setoption name UCI_Variant value {variant}"));
        process.say("d\neval\nstate\nquery gameover\ngo perft 2\ngo depth 2");
        let before = process.hear("bestmove ");
        let has_error = |lines: &[String]| lines.iter().any(|line| line.contains("error"));
        assert!(!has_error(&before), "{variant}: {before:?}");
        let best = before
            .last()
            .and_then(|line| line.strip_prefix("bestmove "));
        let best = best.and_then(|rest| rest.split(' ').next());
        if let Some(best) = best.filter(|&best| best != "(none)") {
            process.say(&format!("position startpos moves {best}\nisready"));
            let answer = process.hear("readyok");
            assert!(!has_error(&answer), "{variant}: {answer:?}");
        }
        process.end();
    }
}

/// A program that lies in its source, as `target/release/puli` does, hands the games of the atlas to the script there.
#[cfg(unix)]
#[test]
fn the_atlas_goes_to_a_cluster_by_the_script_beside_the_program() {
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
    let refused = run();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("scripts/atlas --cluster tcp://there:8786"),
        "{said}"
    );
    let script = folder.path().join("scripts/atlas");
    fs::create_dir(folder.path().join("scripts")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), "").unwrap();
    fs::write(&script, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 3\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let done = run();
    assert_eq!(done.status.code(), Some(3));
    let program = program.canonicalize().unwrap();
    let expected = format!(
        "--cluster\ntcp://there:8786\n--puli\n{}\n--out\n{}\n--memory\n7\n--most\n100000000\n--least-prey\n--\nkaooa\n",
        program.display(),
        table.display()
    );
    assert_eq!(String::from_utf8_lossy(&done.stdout), expected);
    assert!(!table.exists(), "the script makes it");
}

#[test]
fn introduces_itself_within_twenty_milliseconds() {
    let once = || {
        let start = Instant::now();
        let mut process = Process::start();
        process.say("uci");
        process.hear("uciok");
        start.elapsed()
    };
    // The quickest: whatever else the machine does makes a start longer, and none shorter.
    let time = (0..30).map(|_| once()).min().unwrap_or(Duration::MAX);
    eprintln!("start to uciok: {time:?}");
    assert!(time < timing::limit(Duration::from_millis(20)), "{time:?}");
}

#[test]
fn ready_and_stop_are_answered_within_five_milliseconds_during_any_search() {
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
        process.say(&format!("setoption name Algorithm value {algorithm}"));
        let (mut ready, mut stop) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            process.say("position startpos\ngo infinite");
            process.hear("info depth 3");
            thread::sleep(Duration::from_millis(30));
            ready.push(process.answer_time("isready", "readyok"));
            stop.push(process.answer_time("stop", "bestmove"));
        }
        let (ready, stop) = (typical(ready), typical(stop));
        eprintln!("{algorithm}: isready {ready:?}, stop {stop:?}");
        assert!(
            ready.max(stop) < timing::limit(Duration::from_millis(5)),
            "{algorithm}: {ready:?}, {stop:?}"
        );
    }
    process.end();
}

#[test]
fn the_end_of_input_finishes_a_bounded_search_and_stops_an_endless_one() {
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
fn quit_ends_a_search_which_still_answers() {
    let mut process = Process::start();
    process.say("go infinite");
    process.hear("info depth 2");
    process.say("quit");
    process.hear("bestmove ");
    assert_eq!(process.status(), Some(0));
}

#[test]
fn a_closed_output_ends_it_quietly() {
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

/// A search that prints nothing on its way, and takes for ever.
#[cfg(unix)]
const ENDLESS: &[u8] = b"setoption name UCI_Variant value bagh-chal\ngo perft 60\n";

#[test]
#[cfg(unix)]
fn when_both_pipes_close_every_search_ends_bounded_or_not() {
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
        // Nothing was written in the meantime that could have failed.
        let closed = Instant::now();
        assert_eq!(child.wait().expect("a child").code(), Some(0));
        eprintln!("ended after {:?}", closed.elapsed());
        drop(input);
    }
}

#[test]
fn the_command_line_sets_options_before_the_first_line() {
    let output = puli()
        .args(["--variant", "tic-tac-toe", "--option", "Algorithm=Minimax"])
        .args(["--option", "hash = 2", "--option", "Clear Hash"])
        .args(["-c", "position startpos moves b2", "-c", "go depth 3"])
        .output()
        .expect("the program starts");
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(said.contains("info string leaves 336\n"), "{said}");
    assert_eq!(output.status.code(), Some(0));
    let mut command = puli();
    command.args(["--variant", "15-puzzle", "--option", "Seed=7"]);
    let mut process = Process::start_as(command);
    process.say("d");
    process.hear("Fen: 0,1,2,3/");
    process.end();
}

#[test]
fn a_bad_option_on_the_command_line_is_an_error_with_status_2() {
    for (arguments, told) in [
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
        assert!(error.contains(told), "{arguments:?}: {error}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn three_mebibytes_of_garbage_are_survived_one_error_a_line() {
    // A multiplicative generator: reproducible bytes of every value, line ends among them.
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
fn a_line_of_three_mebibytes_is_one_error() {
    let mut input = vec![b'x'; 3 << 20];
    input.extend(b"\nisready\n");
    let lines = output_of(&input);
    assert_eq!(lines.len(), 2, "{} lines", lines.len());
    assert!(lines[0].starts_with("info string error: column 1048577"));
    assert_eq!(lines[1], "readyok");
}

#[test]
fn nul_bytes_are_just_bad_words() {
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
fn no_quotation_of_the_input_makes_a_line_or_a_control_character() {
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
        let deceptive = line
            .chars()
            .find(|&c| c.is_control() || "\u{2028}\u{202e}".contains(c));
        assert_eq!(deceptive, None, "{line:?}");
    }
}

#[test]
fn monstrous_lines_change_nothing() {
    // Unlike `isready`, a word that nobody knows never overtakes what it comes after.
    const MARKED: &str = "d\n=mark=";
    const MARK: &str =
        "info string error: column 1: expected a command that 'help' lists, found '=mark='";
    let mut process = Process::start();
    let before = {
        process.say(MARKED);
        process.hear(MARK)
    };
    let half_a_million_moves = format!("position startpos moves{}", " c1".repeat(340_000));
    let a_million_moves = format!("position startpos moves{}", " c1".repeat(1_000_000));
    let nested = format!(
        "position fen {}1{}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for line in [
        half_a_million_moves.as_str(),
        a_million_moves.as_str(),
        nested.as_str(),
        "setoption name Hash value 100000000000000",
        "setoption name Hash value 16777216",
        "setoption name Hash value 99999999999999999999999999",
        "go searchmoves zz",
        "position fen x",
    ] {
        process.say(line);
        process.say(MARKED);
        let after = process.hear(MARK);
        assert!(after[0].starts_with("info string error: "), "{}", after[0]);
        let after = after[1..]
            .iter()
            .filter(|line| !line.starts_with("bestmove (none)"));
        // Where no move of searchmoves is legal, that is told beside the move.
        let after = after.filter(|line| !line.starts_with("info string error: none of"));
        assert!(after.eq(&before), "{line:.40}");
    }
    process.end();
}

#[test]
fn a_tree_nested_a_hundred_thousand_deep_is_an_error_or_a_tree_and_never_the_end() {
    let nested = format!(
        "position fen {}1{}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let mut process = Process::start();
    process.say("setoption name UCI_Variant value tree");
    process.say(&nested);
    process.say("go depth 255");
    process.hear("bestmove ");
    process.say("position fen [[[[\nisready");
    let heard = process.hear("readyok");
    assert!(
        heard[0].starts_with("info string error: column "),
        "{heard:?}"
    );
    process.end();
}

#[test]
#[cfg(target_os = "linux")]
fn it_takes_no_time_while_it_waits() {
    let mut process = Process::start();
    process.say("go infinite\nsetoption name UCI_Variant value tic-tac-toe");
    process.hear("info depth 2");
    process.say("stop\ngo infinite");
    // The tiny game is soon searched to its end: what follows is a search that waits for its stop.
    process.hear("info depth 9");
    process.say("isready");
    process.hear("readyok");
    assert_eq!(times_woken(&process), 0, "while a best move is held back");
    process.say("stop");
    process.hear("bestmove ");
    assert_eq!(times_woken(&process), 0, "while idle");
    process.end();
}

/// How often the process came to a processor within half a second, after some time to settle; each thread that is there still
/// counts once more. Ticks of processor time would tell less: they are rounded, so that a microsecond can be one.
#[cfg(target_os = "linux")]
fn times_woken(process: &Process) -> u64 {
    let tasks = format!("/proc/{}/task", process.child.id());
    let look = || -> (u64, u64) {
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
    let (before, _) = look();
    thread::sleep(Duration::from_millis(500));
    let (after, running) = look();
    after.abs_diff(before) + running
}

#[test]
fn one_shots_run_in_order_and_exit_after_the_last_search() {
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
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(said.contains("\nbestmove "), "{said}");
    assert!(said.ends_with("response false\n"), "{said}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_exit_status_tells_bad_usage_from_failure_from_success() {
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
