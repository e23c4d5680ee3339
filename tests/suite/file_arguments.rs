//! Tests how Puli handles unusual files, for every command-line argument that names a file.
//!
//! Inputs are devices, pipes, huge files and texts with a byte order mark. Outputs are existing files, the input file
//! itself, and a full disk. File names and contents can also be hostile: they contain terminal control sequences.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Arg, CommandFactory, ValueHint};
use puli::games::hunt::board;

use crate::support::files_below;
use crate::support::process::puli;

#[expect(
    dead_code,
    reason = "the tests use only the definition of the command line"
)]
#[path = "../../src/cli.rs"]
mod cli;

/// Timeout, far above the time that any of these commands takes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Memory limit of a command in KiB. A command that reads a whole file of [`HUGE_BYTES`] exceeds the limit.
const MAX_MEMORY_KIB: u64 = 12 << 20;

/// Size in bytes of a file that is too large for every reader.
const HUGE_BYTES: u64 = 100 << 30;

/// The placeholder for the path of the tested file in the arguments of a command.
const FILE: &str = "{}";

/// The content of a file that no command may overwrite.
const PRECIOUS: &[u8] = b"my thesis";

/// The exit status of a command and what it printed.
struct CommandResult {
    /// `None` if the command did not end in time.
    status: Option<i32>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl CommandResult {
    /// Returns the standard output, followed by the standard error.
    fn output_text(&self) -> String {
        String::from_utf8_lossy(&[&self.stdout[..], &self.stderr].concat()).into_owned()
    }
}

/// Reads `pipe` to its end in a thread, so that the program that writes to it is never blocked.
fn read_in_thread(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        drop(pipe.read_to_end(&mut bytes));
        bytes
    })
}

/// Runs a command. Its status is `None` if the command does not end within [`TIMEOUT`].
fn run_to_end(mut command: Command) -> CommandResult {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = read_in_thread(child.stdout.take().unwrap());
    let stderr = read_in_thread(child.stderr.take().unwrap());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if start.elapsed() > TIMEOUT {
            drop(child.kill());
            drop(child.wait());
            break None;
        }
        thread::sleep(Duration::from_millis(5));
    };
    CommandResult {
        status,
        stdout: stdout.join().unwrap(),
        stderr: stderr.join().unwrap(),
    }
}

/// Returns Puli's command with `arguments`, started by a shell that runs the commands `limits` first. `{}` in an
/// argument is replaced by the path `file`.
fn limited(limits: &str, arguments: &[String], file: &Path) -> Command {
    let mut command = Command::new("bash");
    let script = format!("{limits}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_puli")]);
    for argument in arguments {
        let file = file.to_str().unwrap();
        command.arg(argument.replace(FILE, file));
    }
    command.env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Runs Puli with limited memory. `{}` in an argument is replaced by the path `file`.
fn run(arguments: &[String], file: &Path) -> CommandResult {
    let limits = format!("ulimit -v {MAX_MEMORY_KIB}");
    run_to_end(limited(&limits, arguments, file))
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(String::from).collect()
}

/// Adds the names of all arguments and options of `command` and its subcommands that name a file or a folder, such as
/// `play --load` and `boards check FILE`. `prefix` consists of the names of the parent commands and of `command`.
fn collect_path_arguments(command: &clap::Command, prefix: &str, found: &mut BTreeSet<String>) {
    let is_path = |argument: &Arg| {
        let names = argument.get_value_names().unwrap_or_default();
        let words = names.iter().flat_map(|name| name.split('|'));
        let mut words = words.filter(|word| ["FILE", "PATH", "DIR"].contains(word));
        argument.get_value_hint() == ValueHint::AnyPath || words.next().is_some()
    };
    for argument in command.get_arguments().filter(|argument| is_path(argument)) {
        let name = match argument.get_long() {
            Some(long) => format!("--{long}"),
            None => argument.get_value_names().unwrap()[0].to_string(),
        };
        found.insert(format!("{prefix} {name}").trim().to_string());
    }
    for command in command.get_subcommands() {
        let name = format!("{prefix} {}", command.get_name());
        collect_path_arguments(command, name.trim(), found);
    }
}

/// The kind of content that an input has.
#[derive(Clone, PartialEq)]
enum Content {
    /// A text file. The test adds a byte order mark to this valid text, which the command must skip.
    Text(String),
    /// A network or a survey, which begins with a file magic.
    Binary,
    /// A folder of files.
    Folder,
}

/// An input: the name of the argument or option, a command line that reads the file `{}`, and the kind of content.
struct Input(&'static str, &'static str, Content);

/// The text of a saved game.
const SAVED_GAME: &str = "setoption name UCI_Variant value tree\nposition startpos moves\n";
/// A worksheet without exercises.
const SHEET: &str = r#"{"kind":"minimax","level":1,"count":0,"seed":1,"exercises":[]}"#;
/// A suite of positions of the 8-puzzle.
const SUITE: &str = "1,0,2/3,4,5/6,7,8\n";
/// A file of estimates for the 8-puzzle, and one of weights for `aadu-puli`.
const ESTIMATES: &str = "1,0,2/3,4,5/6,7,8 1\n";
const WEIGHTS: &str = "goats 5\n";
/// A table for `puli plot`.
const DEPTHS: &str = include_str!("../data/plot/depths.csv");

fn inputs() -> Vec<Input> {
    let text = board::text_of("kaooa")
        .unwrap()
        .replace("game kaooa", "game kite");
    let board = || Content::Text(text.clone());
    let positions = Content::Text(positions());
    let mut inputs = vec![
        Input("--variant", "--variant {} -c isready", board()),
        Input("boards check FILE", "boards check {}", board()),
        Input(
            "compare --suite",
            "compare --variant 8-puzzle --suite {}",
            Content::Text(SUITE.into()),
        ),
        Input(
            "compare --estimate-table",
            "compare --variant 8-puzzle --fen 1,0,2/3,4,5/6,7,8 --algorithm astar --heuristic own --estimate-table {}",
            Content::Text(ESTIMATES.into()),
        ),
        Input(
            "compare --weights",
            "compare --depth 1 --algorithm minimax --weights {}",
            Content::Text(WEIGHTS.into()),
        ),
        Input(
            "compare --variant",
            "compare --depth 1 --variant {}",
            board(),
        ),
        Input(
            "exercise --check",
            "exercise --check {}",
            Content::Text(SHEET.into()),
        ),
        Input(
            "fit --from",
            "fit kaooa {} --out {out} --from {}",
            Content::Binary,
        ),
        Input("fit GAME|FILE", "fit {} {} --out {out}", Content::Binary),
        Input(
            "fit POSITIONS",
            "fit kaooa {} --epochs 1 --out {out}",
            positions,
        ),
        Input(
            "gather --eval-file",
            "gather aadu-puli --points --games 1 --outcomes --eval-file {}",
            Content::Binary,
        ),
        Input(
            "gather --tables",
            "gather aadu-puli --tables {} --games 1",
            Content::Folder,
        ),
        Input(
            "gather GAME|FILE",
            "gather {} --games 1 --outcomes",
            board(),
        ),
        Input(
            "play --eval-file",
            "play 2048 --games 1 --depth 1 --eval-file {}",
            Content::Binary,
        ),
        Input(
            "play --load",
            "play --load {}",
            Content::Text(SAVED_GAME.into()),
        ),
        Input("play GAME|FILE", "play {}", board()),
        Input("plot FILE", "plot nodes {}", Content::Text(DEPTHS.into())),
        Input("solve GAME|FILE", "solve {}", board()),
        Input("features GAME|FILE", "features {}", board()),
        Input("verify --game", "verify . --game {}", Content::Binary),
        Input("verify DIR", "verify {}", Content::Folder),
    ];
    inputs.extend(trace_inputs(board()));
    inputs.extend(server_and_atlas_inputs());
    inputs.extend(option_inputs(board()));
    inputs
}

/// Returns the inputs of `puli atlas`, `puli board` and `puli serve`.
fn server_and_atlas_inputs() -> Vec<Input> {
    vec![
        Input(
            "atlas --check-dataset",
            "atlas --check-dataset {}",
            Content::Folder,
        ),
        Input(
            "atlas --tables",
            "atlas kaooa --dataset {out} --tables {}",
            Content::Folder,
        ),
        Input(
            "board --boards",
            "board --no-open --boards {}",
            Content::Binary,
        ),
        Input(
            "board --eval-file",
            "board --no-open --eval-file {}",
            Content::Binary,
        ),
        Input(
            "board --tables",
            "board --no-open --tables {}",
            Content::Folder,
        ),
        Input(
            "serve --boards",
            "serve --port 0 --boards {}",
            Content::Binary,
        ),
        Input(
            "serve --tables",
            "serve --port 0 --tables {}",
            Content::Folder,
        ),
    ]
}

/// Returns the inputs of `puli trace`.
fn trace_inputs(board: Content) -> Vec<Input> {
    vec![
        Input(
            "trace --estimate-table",
            "trace --variant 8-puzzle --fen 1,0,2/3,4,5/6,7,8 --explain --estimate-table {}",
            Content::Text(ESTIMATES.into()),
        ),
        Input(
            "trace --weights",
            "trace --variant aadu-puli --depth 1 --weights {}",
            Content::Text(WEIGHTS.into()),
        ),
        Input("trace --variant", "trace --depth 1 --variant {}", board),
    ]
}

/// Returns the options of the protocol that read a file. In their command lines, `|` separates the arguments.
fn option_inputs(board: Content) -> Vec<Input> {
    vec![
        Input(
            "EvalFile",
            "-c|setoption name EvalFile value {}",
            Content::Binary,
        ),
        Input(
            "EvalFile of 2048",
            "--variant|2048|-c|setoption name EvalFile value {}",
            Content::Binary,
        ),
        Input(
            "EstimateFile",
            "--variant|8-puzzle|-c|setoption name EstimateFile value {}",
            Content::Text(ESTIMATES.into()),
        ),
        Input(
            "WeightsFile",
            "-c|setoption name WeightsFile value {}",
            Content::Text(WEIGHTS.into()),
        ),
        Input(
            "VariantPath",
            "-c|setoption name VariantPath value {}",
            board,
        ),
        Input(
            "TablebasePath",
            "-c|setoption name TablebasePath value {}|-c|go depth 2",
            Content::Folder,
        ),
    ]
}

/// Splits a line into arguments: at bars if it contains bars, and at spaces otherwise.
fn arguments(line: &str) -> Vec<String> {
    let separator = if line.contains('|') { '|' } else { ' ' };
    line.split(separator).map(String::from).collect()
}

/// Returns the output of `puli gather`: positions of Kaooa with their values.
fn positions() -> String {
    let result = run(&words("gather kaooa --games 40 --outcomes"), Path::new(""));
    String::from_utf8(result.stdout).unwrap()
}

/// The outputs: the name of the option, a command line that writes the file `{}`, and `true` if the command has the
/// option `--force`.
const OUTPUTS: [(&str, &str, bool); 10] = [
    (
        "atlas --dataset",
        "atlas kaooa --positions 1 --dataset {}",
        false,
    ),
    ("atlas --out", "atlas kaooa --out {}", true),
    (
        "fit --out",
        "fit kaooa {}.positions --epochs 1 --out {}",
        true,
    ),
    ("man --out", "man --out {}", true),
    ("play --log", "play tree --log {}", true),
    (
        "plot --out",
        "plot nodes tests/data/plot/depths.csv --out {}",
        true,
    ),
    (
        "solve --keep",
        "solve coyote --prey 9 --checkpoint 0 --checks 0 --keep {}",
        false,
    ),
    ("solve --out", "solve aadu-puli --goats 1 --out {}", false),
    (
        "tables --out",
        "tables 15-puzzle --pattern 4-4-4-3 --out {}",
        false,
    ),
    (
        "train --out",
        "train 2048 --games 1 --examine 0 --tuples 4x5 --out {}",
        false,
    ),
];

/// Options that name a file, but are not tested here. The files of `board --page` are read later, on request, and those of
/// `solve --disk` are temporary.
const UNTESTED: [&str; 2] = ["board --page", "solve --disk"];

#[test]
fn inputs_and_outputs_cover_every_path_argument() {
    let mut found = BTreeSet::new();
    collect_path_arguments(&cli::Cli::command(), "", &mut found);
    let mut covered: BTreeSet<String> = OUTPUTS.iter().map(|(name, ..)| (*name).into()).collect();
    covered.extend(UNTESTED.map(String::from));
    let inputs = inputs();
    // The names of protocol options have neither dashes nor spaces, except "EvalFile of 2048".
    let is_argument = |name: &str| name.contains("--") || name.contains(' ');
    let input_names = inputs.iter().map(|input| input.0);
    let argument_names = input_names.filter(|name| is_argument(name) && !name.contains(" of "));
    covered.extend(argument_names.map(String::from));
    assert_eq!(found, covered);

    let result = run(&words("-c uci"), Path::new(""));
    let options = result.output_text();
    let options = options.lines().filter_map(|line| {
        let (name, kind) = line.strip_prefix("option name ")?.split_once(" type ")?;
        // The value of VariantText is no path but the text of a file.
        (kind.starts_with("string") && name != "VariantText").then_some(name)
    });
    for option in options {
        assert!(inputs.iter().any(|input| input.0 == option), "{option}");
    }
}

/// Creates a named pipe.
fn create_fifo(path: &Path) {
    let status = Command::new("mkfifo").arg(path).status();
    assert!(status.unwrap().success());
}

/// Returns a row of the table of results that the tests print: the name of an argument and the result of each check.
fn row(name: &str, cells: &[(&str, Result<(), String>)]) -> String {
    let cell = |(column, result): &(&str, Result<(), String>)| match result {
        Ok(()) => format!("{column}: ok"),
        Err(why) => format!("{column}: FAILED ({why})"),
    };
    let cells: Vec<String> = cells.iter().map(cell).collect();
    format!("{name:24} {}", cells.join("  "))
}

/// Returns an error if the command has another exit status, or if its output lacks one of `words`.
fn expect(result: &CommandResult, status: i32, words: &[&str]) -> Result<(), String> {
    let output_text = result.output_text();
    if result.status != Some(status) || !words.iter().all(|word| output_text.contains(word)) {
        return Err(format!("status {:?}: {output_text}", result.status));
    }
    Ok(())
}

#[test]
fn inputs_must_be_regular_files_of_limited_size() {
    let mut table = Vec::new();
    for Input(name, line, content) in inputs() {
        let folder = tempfile::tempdir().unwrap();
        let path_of = |name: &str| folder.path().join(name);
        let out = path_of("out");
        let arguments: Vec<String> = arguments(line)
            .iter()
            .map(|argument| argument.replace("{out}", out.to_str().unwrap()))
            .collect();
        let expect_rejection = |path: &Path, words: &[&str]| {
            let result = run(&arguments, path);
            let path = path.to_str().unwrap();
            // With a bad TablebasePath, the engine searches without tables, so its status can be 0.
            let statuses: &[i32] = if name == "TablebasePath" {
                &[0, 1]
            } else {
                &[1, 2]
            };
            let status = result.status.filter(|status| statuses.contains(status));
            let status = status
                .ok_or_else(|| format!("status {:?}: {}", result.status, result.output_text()))?;
            let path_in_message: &[&str] = if name == "TablebasePath" {
                &[]
            } else {
                &[path]
            };
            expect(&result, status, &[words, path_in_message].concat())
        };
        create_fifo(&path_of("pipe"));
        let huge = path_of("huge");
        File::create(&huge).unwrap().set_len(HUGE_BYTES).unwrap();
        let is_text = matches!(content, Content::Text(_));
        let size = HUGE_BYTES.to_string();
        let size: &[&str] = if is_text { &[&size] } else { &[] };
        let regular: &[&str] = if content == Content::Folder {
            &[]
        } else {
            &["regular file"]
        };
        let mut cells = vec![
            ("device", expect_rejection(Path::new("/dev/zero"), regular)),
            ("FIFO", expect_rejection(&path_of("pipe"), regular)),
            ("huge", expect_rejection(&huge, size)),
        ];
        if let Content::Text(text) = content {
            let marked = path_of("marked");
            fs::write(&marked, format!("\u{feff}{text}")).unwrap();
            cells.push(("mark", expect(&run(&arguments, &marked), 0, &[])));
        }
        table.push(row(name, &cells));
    }
    println!("{}", table.join("\n"));
    assert!(!table.iter().any(|row| row.contains("FAILED")));
}

#[test]
fn skips_byte_order_mark_of_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, "\u{feff}isready\nisready\n").unwrap();
    let mut command = puli();
    command.stdin(File::open(&script).unwrap());
    assert_eq!(run_to_end(command).output_text(), "readyok\nreadyok\n");
    fs::write(&script, "\u{feff}level 2\nquit\n").unwrap();
    let mut command = puli();
    command
        .args(["play", "tree"])
        .stdin(File::open(&script).unwrap());
    assert!(run_to_end(command).output_text().contains("Level 2."));
    fs::write(&script, "x".repeat(2 << 20) + "\nquit\n").unwrap();
    let mut command = puli();
    command
        .args(["play", "tree"])
        .stdin(File::open(&script).unwrap());
    assert!(run_to_end(command).output_text().contains("may have"));
    let limits = format!("ulimit -v {MAX_MEMORY_KIB}");
    let mut command = limited(&limits, &words("plot nodes -"), Path::new(""));
    command.stdin(File::open("/dev/zero").unwrap());
    expect(&run_to_end(command), 2, &["too large"]).unwrap();
}

#[test]
fn outputs_are_atomic_and_replace_no_file() {
    let positions = positions();
    let mut table = Vec::new();
    for (name, line, has_force) in OUTPUTS {
        let arguments = words(line);
        let new_folder = || {
            let folder = tempfile::tempdir().unwrap();
            if name == "fit --out" {
                fs::write(folder.path().join("out.positions"), &positions).unwrap();
            }
            folder
        };
        let is_written = |path: &PathBuf| !path.ends_with("out.positions");
        let folder = new_folder();
        let target = |folder: &Path| folder.join("out");
        // A survey takes minutes. So only the check with an existing file is made, which fails before the survey
        // starts.
        let is_survey = name == "solve --keep";
        let mut cells = Vec::new();
        let mut written = vec![PathBuf::from("out")];
        if !is_survey {
            let result = run(&arguments, &target(folder.path()));
            cells.push(("new", expect(&result, 0, &[])));
            let found = files_below(folder.path()).into_iter().filter(is_written);
            written = found
                .map(|path| path.strip_prefix(folder.path()).unwrap().to_path_buf())
                .collect();
            assert!(!written.is_empty(), "{name}");
        }
        let (mut existing, mut forced) = (Ok(()), Ok(()));
        for file in &written {
            let folder = new_folder();
            // Write a file at the path of this output file before the command runs.
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, PRECIOUS).unwrap();
            let is_intact = || {
                (fs::read(&path).unwrap() == PRECIOUS)
                    .then_some(())
                    .ok_or("replaced".into())
            };
            let result = run(&arguments, &target(folder.path()));
            existing = existing
                .and(expect(&result, 2, &[]))
                .and_then(|()| is_intact());
            if has_force {
                let arguments = [&arguments[..], &["--force".into()]].concat();
                let result = run(&arguments, &target(folder.path()));
                forced = forced.and(expect(&result, 0, &[]));
                if is_intact().is_ok() {
                    forced = Err("not replaced".into());
                }
            }
        }
        cells.push(("existing", existing));
        if has_force {
            cells.push(("--force", forced));
        }
        if is_survey {
            table.push(row(name, &cells));
            continue;
        }
        // A limit of 0 bytes per file simulates a full disk.
        let folder = new_folder();
        let limits = "trap '' XFSZ; ulimit -f 0";
        let result = run_to_end(limited(limits, &arguments, &target(folder.path())));
        let remaining: Vec<PathBuf> = files_below(folder.path())
            .into_iter()
            .filter(is_written)
            .collect();
        let is_clean = remaining.is_empty() || name == "play --log";
        let full = expect(&result, 1, &["puli: "]);
        cells.push((
            "full disk",
            full.and(is_clean.then_some(()).ok_or(format!("{remaining:?}"))),
        ));
        table.push(row(name, &cells));
    }
    println!("{}", table.join("\n"));
    assert!(!table.iter().any(|row| row.contains("FAILED")));
}

#[test]
fn rejects_output_equal_to_input() {
    let positions = positions();
    let board = board::text_of("kaooa").unwrap();
    for (line, content) in [
        ("fit kaooa {} --epochs 1 --out {}", positions.as_str()),
        ("fit kaooa {} --epochs 1 --force --out {}", &positions),
        ("fit {} {} --force --out {}", board),
        ("plot nodes {} --force --out {}", DEPTHS),
        ("play --load {} --force --log {}", SAVED_GAME),
        ("play {} --force --log {}", board),
        ("solve {} --keep {}", board),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, content).unwrap();
        let result = run(&words(line), &path);
        expect(&result, 2, &[]).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(fs::read_to_string(&path).unwrap(), content, "{line}");
        // A hard link is the same file under another name.
        let hard_link = folder.path().join("other");
        fs::hard_link(&path, &hard_link).unwrap();
        let mut arguments = words(line);
        *arguments.last_mut().unwrap() = hard_link.to_str().unwrap().into();
        expect(&run(&arguments, &path), 2, &[]).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(fs::read_to_string(&path).unwrap(), content, "{line}");
    }
}

/// For every subcommand, a command line that prints something after a short time.
const PRINTING_COMMANDS: [&str; 20] = [
    "atlas kaooa",
    "bench --help",
    "board --no-open --port 0",
    "boards",
    "compare --variant tree --depth 1",
    "completions bash",
    "exercise minimax",
    "features kaooa",
    "fit kaooa {} --epochs 1 --out {}.net",
    "gather kaooa --games 1 --outcomes",
    "help play",
    "man",
    "play tree",
    "plot nodes tests/data/plot/depths.csv",
    "serve --port 0",
    "solve kaooa",
    "tables 15-puzzle --pattern 4-4-4-3 --out {}.tables",
    "trace --depth 1",
    "train 2048 --games 1 --examine 0 --tuples 4x5 --out {}.train",
    "verify {}.tables",
];

#[test]
fn full_stdout_is_an_error_but_closed_pipe_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, positions()).unwrap();
    run(
        &words("tables 15-puzzle --pattern 4-4-4-3 --out {}.tables"),
        &file,
    );
    let command = cli::Cli::command();
    let mut lines: Vec<String> = PRINTING_COMMANDS.map(String::from).to_vec();
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_name();
        let has_printing_command = PRINTING_COMMANDS
            .iter()
            .any(|line| line.split(' ').next() == Some(name));
        assert!(has_printing_command, "{name}");
        lines.push(format!("{name} --help"));
    }
    lines.extend(["--help", "-h", "--version", "-V", "-V -v", "-c uci", "-c d"].map(String::from));
    for line in lines {
        let full = || File::options().write(true).open("/dev/full").unwrap();
        let mut command = limited("true", &words(&line), &file);
        let output = command
            .stdout(full())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {stderr}");
        assert!(
            stderr.contains("No space left on device"),
            "{line}: {stderr}"
        );
        for extension in ["net", "train", "train.checkpoint"] {
            drop(fs::remove_file(
                folder.path().join(format!("file.{extension}")),
            ));
        }
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = limited("true", &words(&line), &file);
        let output = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert!(
            output.stderr.is_empty() || line.starts_with("compare"),
            "{line}"
        );
        for extension in ["net", "train", "train.checkpoint"] {
            drop(fs::remove_file(
                folder.path().join(format!("file.{extension}")),
            ));
        }
    }
}

/// Text that could manipulate a terminal: it contains escape sequences, invisible characters, changes of the text
/// direction, and line ends.
const HOSTILE_TEXT: &str =
    "x\u{1b}[31m\u{7}\u{9b}2J\u{202e}\u{2066}\u{61c}\t\u{7f}\u{feff}\u{2028}\u{e0041}\r\nFORGED";

/// A folder whose name and whose file names contain [`HOSTILE_TEXT`]. Most of the files contain it, too.
struct HostileFolder {
    root: tempfile::TempDir,
    path: PathBuf,
}

impl HostileFolder {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join(HOSTILE_TEXT);
        fs::create_dir(&path).unwrap();
        let folder = Self { root, path };
        let line = HOSTILE_TEXT.replace('\n', "");
        let kaooa = board::text_of("kaooa").unwrap();
        for (name, text) in [
            ("board", kaooa.replace("game kaooa", "game kite")),
            ("names", format!("{kaooa}names a{line} b{line}\n")),
            ("about", format!("about {line}\n{line}\nrow {line}\n")),
            (
                "saved",
                format!(
                    "setoption name UCI_Variant value {line}\nposition fen {line} moves {line}\n"
                ),
            ),
            (
                "moves",
                format!("setoption name UCI_Variant value tree\nposition startpos moves {line}\n"),
            ),
            ("suite", format!("{line}\n{line}\t{line}\n")),
            (
                "table",
                format!(
                    "algorithm,depth,nodes,best\n\"{HOSTILE_TEXT}\",1,2,\"{HOSTILE_TEXT}\"\n\"{HOSTILE_TEXT}\",2,4,\n"
                ),
            ),
            ("records", format!("[{{\"{line}\":1,{line}")),
            ("positions", format!("game kaooa\n{line}\n")),
            ("net", format!("PuliNet\n{HOSTILE_TEXT}")),
            ("hunt", format!("PuliHnt\n{HOSTILE_TEXT}")),
        ] {
            fs::write(folder.file(name), text).unwrap();
        }
        folder
    }

    fn file(&self, name: &str) -> String {
        let path = self.path.join(format!("{name}{HOSTILE_TEXT}.txt"));
        path.to_str().unwrap().to_string()
    }

    /// Writes a file with commands that contain hostile text, and returns its path. Every command line gets this file
    /// as its standard input.
    fn input(&self) -> PathBuf {
        let line = HOSTILE_TEXT.replace('\n', "");
        let here = self.path.to_str().unwrap().replace('\n', "");
        let saved = self.file("saved").replace('\n', "");
        let text = format!(
            "setoption name {line} value {line}\nsetoption name EvalFile value {here}\n\
             setoption name VariantPath value {here}\nsetoption name TablebasePath value {here}\n\
             setoption name UCI_Variant value {line}\nposition fen {line}\n\
             position startpos moves {line}\ngo depth {line}\n{line}\n\
             save {here}\nload {saved}\nlevel {line}\nquit\n"
        );
        let path = self.root.path().join("input");
        fs::write(&path, text).unwrap();
        path
    }

    /// Returns all command lines to test. In [`HOSTILE_LINES`], `@name` is replaced by the path of a file in the
    /// folder, `@` by the path of the folder, and `!` by [`HOSTILE_TEXT`].
    fn arguments(&self) -> Vec<Vec<String>> {
        let mut lines: Vec<String> = HOSTILE_LINES.map(String::from).to_vec();
        for file in ["board", "names", "about", "saved", "suite", "table"] {
            for command in [
                "boards check",
                "play",
                "solve",
                "trace --variant",
                "plot nodes",
            ] {
                lines.push(format!("{command} @{file}"));
            }
        }
        for subcommand in cli::Cli::command().get_subcommands() {
            let name = subcommand.get_name();
            lines.push(format!("{name} !"));
            lines.push(format!("{name} --!"));
        }
        let word = |word: &str| match word.strip_prefix('@') {
            Some("") => self.path.to_str().unwrap().to_string(),
            Some(name) => self.file(name),
            None => word.replace('!', HOSTILE_TEXT),
        };
        let arguments = lines
            .iter()
            .map(|line| line.split_whitespace().map(word).collect());
        arguments.collect()
    }
}

/// Commands that read the files of a [`HostileFolder`] or get hostile arguments.
const HOSTILE_LINES: [&str; 47] = [
    "",
    "!",
    "--option !",
    "--variant !",
    "--variant @board -c d -c state -c uci",
    "-c !",
    "atlas !",
    "atlas kaooa --out @net",
    "board --boards @ --port 1 --no-open",
    "board --eval-file @net --port 1 --no-open",
    "board --tables @out --port 1 --no-open",
    "boards check @",
    "boards show !",
    "compare --fen !",
    "compare --variant !",
    "compare --variant @board --depth 1 --format csv",
    "compare --variant 8-puzzle --suite @suite",
    "fit @board @out --out @saved",
    "fit kaooa @positions --out @out",
    "fit kaooa @positions --out @out --from @hunt",
    "gather @board --games 1 --outcomes",
    "gather aadu-puli --tables @ --games 1",
    "man --out @board",
    "play ! --log -",
    "play --load @moves",
    "play --load @moves --log -",
    "play --load @saved",
    "play @board --log -",
    "play tree",
    "play tree --fen !",
    "play tree --log @board",
    "play tree --option !",
    "plot !",
    "plot nodes @records --out @out",
    "plot nodes @table --title !",
    "solve @board --keep @net",
    "solve kaooa --captures !",
    "solve kaooa --fen !",
    "tables ! --out @out",
    "tables 15-puzzle --pattern ! --out @out",
    "trace --fen !",
    "trace --fen ! --format svg",
    "train 2048 --out @net --games 1",
    "train 2048 --out @out --resume",
    "verify @",
    "verify @ --game !",
    "verify @out",
];

#[test]
fn output_escapes_hostile_names_and_texts() {
    let folder = HostileFolder::new();
    let input = folder.input();
    for arguments in folder.arguments() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_puli"));
        command.args(["-v", "-v"]).args(&arguments);
        command.stdin(File::open(&input).unwrap());
        let result = run_to_end(command);
        assert!(result.status.is_some(), "{arguments:?} does not end");
        for bytes in [&result.stdout, &result.stderr] {
            let text = std::str::from_utf8(bytes).unwrap();
            let found = text
                .chars()
                .find(|&c| puli::escape::is_unsafe(c) && c != '\n');
            assert_eq!(found, None, "{arguments:?}: {text:?}");
            let is_forged = text.lines().any(|line| line.starts_with("FORGED"));
            assert!(!is_forged, "{arguments:?}: {text:?}");
        }
    }
    let invalid_utf8 = folder
        .path
        .join(std::ffi::OsStr::from_bytes(b"\xff\x9b.net"));
    fs::write(&invalid_utf8, b"PuliNet\n").unwrap();
    let result = run(&words("verify {}"), &folder.path);
    assert!(
        !result
            .output_text()
            .chars()
            .any(|c| c.is_control() && c != '\n')
    );
}

/// In every subcommand, an error in the arguments gives exit status 2, and a failure of the work gives 1.
#[test]
fn exit_statuses_agree_in_every_subcommand() {
    let folder = tempfile::tempdir().unwrap();
    let existing = folder.path().join("existing");
    fs::write(&existing, "kept").unwrap();
    let existing = existing.to_str().unwrap();
    let bad = folder.path().join("bad.txt");
    fs::write(&bad, "game bad\nrow 1 x\n").unwrap();
    let bad = bad.to_str().unwrap();
    let mut cases: Vec<(Vec<&str>, i32)> = vec![
        (vec!["no-such-command"], 2),
        (vec!["--variant", "no-such-game", "-c", "d"], 2),
        (vec!["--option", "NoSuchOption=1", "-c", "d"], 2),
        (vec!["-c", "nonsense"], 1),
        (vec!["play", "no-such-game"], 2),
        (vec!["play", "kaooa", "--fen", "x"], 2),
        (vec!["play", "--load", "no/such/file"], 2),
        (vec!["compare", "--variant", "no-such-game"], 2),
        (vec!["compare", "--fen", "x"], 2),
        (vec!["compare", "--algorithm", "bfs"], 2),
        (
            vec![
                "compare",
                "--variant",
                "8-puzzle",
                "--suite",
                "no/such/file",
            ],
            2,
        ),
        (vec!["trace", "--variant", "no-such-game"], 2),
        (vec!["trace", "--fen", "x"], 2),
        (vec!["solve", "no-such-game"], 2),
        (vec!["solve", "kaooa", "--fen", "x"], 2),
        (vec!["solve", "kaooa", "--prey", "99"], 2),
        (vec!["solve", "ludus-coriovalli", "--memory", "1"], 1),
        (vec!["solve", "aadu-puli", "--out", "x", "--memory", "1"], 1),
        (vec!["atlas", "no-such-game"], 2),
        (vec!["boards", "show", "no-such-game"], 2),
        (vec!["boards", "check", bad], 1),
        (vec!["boards", "check", "no/such/file"], 2),
        (vec!["verify", "no/such/folder"], 2),
        (vec!["tables", "no-such-puzzle", "--out", "x"], 2),
        (vec!["gather", "no-such-game"], 2),
        (vec!["fit", "kaooa", "no/such/file", "--out", "x"], 2),
        (vec!["plot", "nodes", "no/such/file"], 2),
        (vec!["train", "2048", "--games", "1", "--out", existing], 2),
        (vec!["play", "no-such-game", "--log", existing], 2),
    ];
    let command = cli::Cli::command();
    let names: Vec<&str> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    cases.extend(
        names
            .iter()
            .map(|name| (vec![*name, "--no-such-option"], 2)),
    );
    for (arguments, expected) in cases {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_puli"))
            .args(&arguments)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(expected),
            "{arguments:?}: {stderr}"
        );
        assert!(!stderr.is_empty() || arguments[0] == "-c", "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(existing).unwrap(), "kept");
}
