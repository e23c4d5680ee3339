//! Runs a session in a thread of the test, with pipes for its input and output.

use std::io::{self, BufRead, BufReader, PipeWriter};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

use puli::catalog;
use puli::session;

/// A running session: its input, its output lines and its thread.
pub struct SessionPipes {
    pub input: PipeWriter,
    pub lines: Receiver<String>,
    pub session: JoinHandle<io::Result<u64>>,
}

/// Starts a session.
pub fn start() -> SessionPipes {
    let (session_input, input) = io::pipe().expect("a pipe");
    let (output, session_output) = io::pipe().expect("a pipe");
    let reader = BufReader::new(session_input);
    let session = thread::spawn(move || session::run(reader, session_output, catalog::build));
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            drop(sender.send(line.expect("text")));
        }
    });
    SessionPipes {
        input,
        lines,
        session,
    }
}
