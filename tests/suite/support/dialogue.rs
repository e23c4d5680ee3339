//! A session in a thread, spoken to over pipes.

use std::io::{self, BufRead, BufReader, PipeWriter};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

use puli::catalog;
use puli::session;

/// What one needs of a session to speak with it.
pub struct Ends {
    pub input: PipeWriter,
    pub lines: Receiver<String>,
    pub session: JoinHandle<io::Result<u64>>,
}

/// Begins a session.
pub fn begin() -> Ends {
    let (session_input, input) = io::pipe().expect("a pipe");
    let (output, session_output) = io::pipe().expect("a pipe");
    let input_of_session = BufReader::new(session_input);
    let session =
        thread::spawn(move || session::run(input_of_session, session_output, catalog::build));
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            drop(sender.send(line.expect("text")));
        }
    });
    Ends {
        input,
        lines,
        session,
    }
}
