//! Runs the program as a process with pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Timeout, far above the time that any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Returns a command that starts the tested program.
///
/// By default, this is the program that Cargo built. The environment variable `PULI_UNDER_TEST` can name another
/// command, with arguments separated by spaces, such as `wine target/x86_64-pc-windows-gnu/cross/puli.exe`.
pub fn puli() -> Command {
    let other_command = std::env::var("PULI_UNDER_TEST").unwrap_or_default();
    let mut words = other_command.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(env!("CARGO_BIN_EXE_puli")));
    command.args(words);
    command.env_remove("RUST_LOG").stderr(Stdio::null());
    command
}

/// A running program. Dropping it kills the process.
pub struct Process {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(String, Instant)>,
}

impl Process {
    pub fn start() -> Self {
        Self::start_as(puli())
    }

    /// Starts `command` with pipes.
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

    pub fn send(&mut self, lines: &str) {
        self.write(format!("{lines}\n").as_bytes());
    }

    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open input");
        input.write_all(bytes).expect("a program that reads");
    }

    /// Returns the output up to and including the first line that starts with `expected`.
    pub fn read_until(&self, expected: &str) -> Vec<String> {
        self.read_until_timed(expected).0
    }

    /// Acts like [`Self::read_until`]. Also returns the time when the last line arrived.
    pub fn read_until_timed(&self, expected: &str) -> (Vec<String>, Instant) {
        let mut received = Vec::new();
        loop {
            let line = self.lines.recv_timeout(TIMEOUT);
            let (line, arrival) =
                line.unwrap_or_else(|_| panic!("waited for {expected} after {received:?}"));
            let is_last = line.starts_with(expected);
            received.push(line);
            if is_last {
                return (received, arrival);
            }
        }
    }

    /// Sends `line` and returns the time until a line that starts with `expected` arrives.
    pub fn response_time(&mut self, line: &str, expected: &str) -> Duration {
        let start = Instant::now();
        self.send(line);
        self.read_until_timed(expected).1 - start
    }

    /// Waits for the exit and returns the exit status. Returns `None` if the process was killed or does not exit
    /// within a minute.
    pub fn status(&mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }

    /// Closes the input and waits for the exit, whose status must be 0. Returns the remaining output.
    pub fn end(mut self) -> Vec<String> {
        self.input = None;
        let remaining = self.lines.iter().map(|(line, _)| line).collect();
        assert_eq!(self.status(), Some(0));
        remaining
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
