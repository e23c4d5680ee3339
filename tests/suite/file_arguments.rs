//! Tests every input and output file of the command line with unusual contents: devices, pipes, byte order marks,
//! huge files, existing files, input files as outputs, a full disk.

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

use crate::support::process::puli;

#[expect(dead_code, reason = "the program uses the rest")]
#[path = "../../src/cli.rs"]
mod cli;

/// Timeout, far above the time that any of these commands takes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Memory limit of a command in KiB. A command that reads a huge file without a limit exceeds it.
const MAX_MEMORY_KIB: u64 = 12 << 20;

/// Size in bytes of a file that is too large for every reader.
const HUGE_BYTES: u64 = 100 << 30;

/// Stands for the file in the arguments of a command.
const FILE: &str = "{}";

/// Content of files that no command may overwrite.
const PRECIOUS: &[u8] = b"my thesis";

/// The output of a finished command, and its exit status.
struct CommandResult {
    status: Option<i32>,
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl CommandResult {
    fn output_text(&self) -> String {
        String::from_utf8_lossy(&[&self.output[..], &self.errors].concat()).into_owned()
    }
}

fn drained(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
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
    let output = drained(child.stdout.take().unwrap());
    let errors = drained(child.stderr.take().unwrap());
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
        output: output.join().unwrap(),
        errors: errors.join().unwrap(),
    }
}

/// Returns a command with `arguments` under the shell's `limits`. `{}` in an argument stands for `file`.
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

fn run(arguments: &[String], file: &Path) -> CommandResult {
    let limits = format!("ulimit -v {MAX_MEMORY_KIB}");
    run_to_end(limited(&limits, arguments, file))
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(String::from).collect()
}

/// Collects the arguments and options that name a file, such as `play --load` and `boards check FILE`.
fn paths(command: &clap::Command, above: &str, found: &mut BTreeSet<String>) {
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
        found.insert(format!("{above} {name}").trim().to_string());
    }
    for command in command.get_subcommands() {
        let name = format!("{above} {}", command.get_name());
        paths(command, name.trim(), found);
    }
}

/// The content of an input file.
#[derive(Clone, Copy, PartialEq)]
enum Content {
    /// Text, in which a byte order mark is skipped.
    Text(&'static str),
    /// A network or a survey, which begins with a file magic.
    Binary,
    /// A folder of files.
    Folder,
}

/// An input: its name, a command line that reads it, and its content.
struct Input(&'static str, &'static str, Content);

const SAVED: &str = "setoption name UCI_Variant value tree\nposition startpos moves\n";
const SUITE: &str = "1,0,2/3,4,5/6,7,8\n";
const DEPTHS: &str = include_str!("../data/plot/depths.csv");

fn inputs() -> Vec<Input> {
    let board = board::text_of("kaooa")
        .unwrap()
        .replace("game kaooa", "game kite");
    let board = Content::Text(Box::leak(board.into_boxed_str()));
    let positions = Content::Text(Box::leak(positions().into_boxed_str()));
    vec![
        Input("--variant", "--variant {} -c isready", board),
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
        Input("boards check FILE", "boards check {}", board),
        Input(
            "compare --suite",
            "compare --variant 8-puzzle --suite {}",
            Content::Text(SUITE),
        ),
        Input("compare --variant", "compare --depth 1 --variant {}", board),
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
            "gather --tables",
            "gather aadu-puli --tables {} --games 1",
            Content::Folder,
        ),
        Input("gather GAME|FILE", "gather {} --games 1 --outcomes", board),
        Input(
            "play --eval-file",
            "play 2048 --games 1 --depth 1 --eval-file {}",
            Content::Binary,
        ),
        Input("play --load", "play --load {}", Content::Text(SAVED)),
        Input("play GAME|FILE", "play {}", board),
        Input("plot FILE", "plot nodes {}", Content::Text(DEPTHS)),
        Input("solve GAME|FILE", "solve {}", board),
        Input("trace --variant", "trace --depth 1 --variant {}", board),
        Input("verify --game", "verify . --game {}", Content::Binary),
        Input("verify DIR", "verify {}", Content::Folder),
        // Protocol options.
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

/// Splits a line into arguments: at blanks, or at bars if arguments contain blanks.
fn arguments(line: &str) -> Vec<String> {
    let separator = if line.contains('|') { '|' } else { ' ' };
    line.split(separator).map(String::from).collect()
}

/// Returns positions of Kaooa with their values.
fn positions() -> String {
    let result = run(&words("gather kaooa --games 40 --outcomes"), Path::new(""));
    String::from_utf8(result.output).unwrap()
}

/// The outputs: name, a command line that writes it, and `true` if `--force` may be added.
const OUTPUTS: [(&str, &str, bool); 9] = [
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

/// Options for files that are not tested here. The server reads its page itself.
const UNTESTED: [&str; 1] = ["board --page"];

#[test]
fn tables_list_every_path_argument() {
    let mut found = BTreeSet::new();
    paths(&cli::Cli::command(), "", &mut found);
    let mut named: BTreeSet<String> = OUTPUTS.iter().map(|(name, ..)| (*name).into()).collect();
    named.extend(UNTESTED.map(String::from));
    let inputs = inputs();
    let of_command_line = |name: &str| name.contains("--") || name.contains(' ');
    let of_inputs = inputs.iter().map(|input| input.0);
    let of_inputs = of_inputs.filter(|name| of_command_line(name) && !name.contains(" of "));
    named.extend(of_inputs.map(String::from));
    assert_eq!(found, named);

    let result = run(&words("-c uci"), Path::new(""));
    let options = result.output_text();
    let options = options.lines().filter_map(|line| {
        let (name, kind) = line.strip_prefix("option name ")?.split_once(" type ")?;
        kind.starts_with("string").then_some(name)
    });
    for option in options {
        assert!(inputs.iter().any(|input| input.0 == option), "{option}");
    }
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

/// Returns a row of the table of results.
fn row(name: &str, cells: &[(&str, Result<(), String>)]) -> String {
    let cell = |(column, result): &(&str, Result<(), String>)| match result {
        Ok(()) => format!("{column}: ok"),
        Err(why) => format!("{column}: FAILED ({why})"),
    };
    let cells: Vec<String> = cells.iter().map(cell).collect();
    format!("{name:24} {}", cells.join("  "))
}

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
        let of = |name: &str| folder.path().join(name);
        let out = of("out");
        let arguments: Vec<String> = arguments(line)
            .iter()
            .map(|argument| argument.replace("{out}", out.to_str().unwrap()))
            .collect();
        let refused = |path: &Path, words: &[&str]| {
            let result = run(&arguments, path);
            let path = path.to_str().unwrap();
            // A bad folder of tables leaves a search without tables.
            let statuses: &[i32] = if name == "TablebasePath" {
                &[0, 1]
            } else {
                &[1, 2]
            };
            let status = result.status.filter(|status| statuses.contains(status));
            let status = status
                .ok_or_else(|| format!("status {:?}: {}", result.status, result.output_text()))?;
            let names: &[&str] = if name == "TablebasePath" {
                &[]
            } else {
                &[path]
            };
            expect(&result, status, &[words, names].concat())
        };
        pipe(&of("pipe"));
        let huge = of("huge");
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
            ("device", refused(Path::new("/dev/zero"), regular)),
            ("FIFO", refused(&of("pipe"), regular)),
            ("huge", refused(&huge, size)),
        ];
        if let Content::Text(text) = content {
            let marked = of("marked");
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

/// Returns the files below `folder`, relative to it.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn outputs_are_atomic_and_replace_no_file() {
    let positions = positions();
    let mut table = Vec::new();
    for (name, line, has_force) in OUTPUTS {
        let arguments = words(line);
        let fresh = || {
            let folder = tempfile::tempdir().unwrap();
            if name == "fit --out" {
                fs::write(folder.path().join("out.positions"), &positions).unwrap();
            }
            folder
        };
        let is_written = |path: &PathBuf| !path.ends_with("out.positions");
        let folder = fresh();
        let target = |folder: &Path| folder.join("out");
        // A survey takes minutes, but reads this file first.
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
            let folder = fresh();
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
        let folder = fresh();
        let limits = "trap '' XFSZ; ulimit -f 0";
        let result = run_to_end(limited(limits, &arguments, &target(folder.path())));
        let left: Vec<PathBuf> = files_below(folder.path())
            .into_iter()
            .filter(is_written)
            .collect();
        let is_clean = left.is_empty() || name == "play --log";
        let full = expect(&result, 1, &["puli: "]);
        cells.push((
            "full disk",
            full.and(is_clean.then_some(()).ok_or(format!("{left:?}"))),
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
        ("play --load {} --force --log {}", SAVED),
        ("play {} --force --log {}", board),
        ("solve {} --keep {}", board),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, content).unwrap();
        let result = run(&words(line), &path);
        expect(&result, 2, &[]).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(fs::read_to_string(&path).unwrap(), content, "{line}");
        // The same file by another name.
        let other = folder.path().join("other");
        fs::hard_link(&path, &other).unwrap();
        let mut arguments = words(line);
        *arguments.last_mut().unwrap() = other.to_str().unwrap().into();
        expect(&run(&arguments, &path), 2, &[]).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert_eq!(fs::read_to_string(&path).unwrap(), content, "{line}");
    }
}

/// A command line of every subcommand that prints something soon.
const PRINTING_COMMANDS: [&str; 17] = [
    "atlas kaooa",
    "bench --help",
    "board --no-open --port 0",
    "boards",
    "compare --variant tree --depth 1",
    "completions bash",
    "fit kaooa {} --epochs 1 --out {}.net",
    "gather kaooa --games 1 --outcomes",
    "help play",
    "man",
    "play tree",
    "plot nodes tests/data/plot/depths.csv",
    "solve kaooa",
    "tables 15-puzzle --pattern 4-4-4-3 --out {}.tables",
    "trace --depth 1",
    "train 2048 --games 1 --examine 0 --tuples 4x5 --out {}.train",
    "verify {}.tables",
];

#[test]
fn full_standard_output_fails_but_closed_pipe_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, positions()).unwrap();
    run(
        &words("tables 15-puzzle --pattern 4-4-4-3 --out {}.tables"),
        &file,
    );
    let command = cli::Cli::command();
    let mut lines: Vec<String> = PRINTING_COMMANDS.map(String::from).to_vec();
    for task in command.get_subcommands() {
        let name = task.get_name();
        let is_printed = PRINTING_COMMANDS
            .iter()
            .any(|line| line.split(' ').next() == Some(name));
        assert!(is_printed, "{name}");
        lines.push(format!("{name} --help"));
    }
    lines.extend(["--help", "-h", "--version", "-V", "-V -v", "-c uci", "-c d"].map(String::from));
    for line in lines {
        let full = || File::options().write(true).open("/dev/full").unwrap();
        let made = limited("true", &words(&line), &file);
        let mut command = made;
        let output = command
            .stdout(full())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {errors}");
        assert!(
            errors.contains("No space left on device"),
            "{line}: {errors}"
        );
        for made in ["net", "train", "train.checkpoint"] {
            drop(fs::remove_file(folder.path().join(format!("file.{made}"))));
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
        for made in ["net", "train", "train.checkpoint"] {
            drop(fs::remove_file(folder.path().join(format!("file.{made}"))));
        }
    }
}

/// Text that could deceive a terminal: it ends a line, moves the cursor, and changes the direction of text.
const HOSTILE_TEXT: &str =
    "x\u{1b}[31m\u{7}\u{9b}2J\u{202e}\u{2066}\u{61c}\t\u{7f}\u{feff}\u{2028}\u{e0041}\r\nFORGED";

/// A folder with a hostile name. Its files have hostile names and contain hostile text.
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

    /// Writes the standard input of a session and of a game.
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

    /// Returns the command lines. `@name` stands for a file of the folder, `@` for the folder, and `!` for hostile
    /// text.
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
        for task in cli::Cli::command().get_subcommands() {
            let name = task.get_name();
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
        for bytes in [&result.output, &result.errors] {
            let text = std::str::from_utf8(bytes).unwrap();
            let found = text
                .chars()
                .find(|&c| puli::escape::is_unsafe(c) && c != '\n');
            assert_eq!(found, None, "{arguments:?}: {text:?}");
            let is_forged = text.lines().any(|line| line.starts_with("FORGED"));
            assert!(!is_forged, "{arguments:?}: {text:?}");
        }
    }
    let strange = folder
        .path
        .join(std::ffi::OsStr::from_bytes(b"\xff\x9b.net"));
    fs::write(&strange, b"PuliNet\n").unwrap();
    let result = run(&words("verify {}"), &folder.path);
    assert!(
        !result
            .output_text()
            .chars()
            .any(|c| c.is_control() && c != '\n')
    );
}

/// In every subcommand, bad usage exits with status 2, and failed work with status 1.
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
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(expected),
            "{arguments:?}: {errors}"
        );
        assert!(!errors.is_empty() || arguments[0] == "-c", "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(existing).unwrap(), "kept");
}
