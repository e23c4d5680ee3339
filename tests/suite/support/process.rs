//! The real program over pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Far longer than any answer takes, unless there is none.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the command of the program under test, not started yet.
///
/// The environment variable `PULI_UNDER_TEST` replaces Cargo's program: words separated by spaces, such as
/// `wine target/x86_64-pc-windows-gnu/cross/puli.exe`.
pub fn puli() -> Command {
    let foreign = std::env::var("PULI_UNDER_TEST").unwrap_or_default();
    let mut words = foreign.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(env!("CARGO_BIN_EXE_puli")));
    command.args(words);
    command.env_remove("RUST_LOG").stderr(Stdio::null());
    command
}

/// The program while it runs.
pub struct Process {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(String, Instant)>,
}

impl Process {
    pub fn start() -> Self {
        Self::start_as(puli())
    }

    /// Starts the program in another way.
    pub fn start_as(mut command: Command) -> Self {
        let mut child = command
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
        Self {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    pub fn say(&mut self, lines: &str) {
        self.write(format!("{lines}\n").as_bytes());
    }

    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open input");
        input.write_all(bytes).expect("a program that reads");
    }

    /// The lines up to one that begins so, which is the last.
    pub fn hear(&self, expected: &str) -> Vec<String> {
        self.hear_when(expected).0
    }

    /// The same, and when the last one came.
    pub fn hear_when(&self, expected: &str) -> (Vec<String>, Instant) {
        let mut heard = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let (line, when) =
                line.unwrap_or_else(|_| panic!("waited for {expected} after {heard:?}"));
            let is_last = line.starts_with(expected);
            heard.push(line);
            if is_last {
                return (heard, when);
            }
        }
    }

    /// How long it takes from saying one thing to hearing another.
    pub fn answer_time(&mut self, line: &str, expected: &str) -> Duration {
        let start = Instant::now();
        self.say(line);
        self.hear_when(expected).1 - start
    }

    /// Waits for the exit and returns its status; none if it does not end, or was killed.
    pub fn status(&mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }

    /// Closes the input, and returns what is said until the exit, which has to be a good one.
    pub fn end(mut self) -> Vec<String> {
        self.input = None;
        let rest = self.lines.iter().map(|(line, _)| line).collect();
        assert_eq!(self.status(), Some(0));
        rest
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
