//! Controls a process of Puli like a tournament manager.

use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use super::support::Process;

/// A process that has answered `ugi` with `ugiok`.
pub struct Runner(Process);

impl Deref for Runner {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.0
    }
}

impl DerefMut for Runner {
    fn deref_mut(&mut self) -> &mut Process {
        &mut self.0
    }
}

impl Runner {
    pub fn start() -> Self {
        let mut process = Process::start();
        process.send("ugi");
        process.read_until("ugiok");
        Self(process)
    }

    pub fn playing(variant: &str) -> Self {
        let mut runner = Self::start();
        runner.send_valid(&format!("setoption name UCI_Variant value {variant}"));
        runner
    }

    /// Sends `lines` and `isready`. Returns the output before `readyok`.
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.send(&format!("{lines}\nisready"));
        let mut output = self.read_until("readyok");
        output.pop();
        output
    }

    /// Sends valid lines, to which there must be no answer.
    pub fn send_valid(&mut self, lines: &str) {
        assert_eq!(self.ask(lines), Vec::<String>::new(), "{lines}");
    }

    /// Sends lines that must be answered by one error line only. Returns this line.
    pub fn send_invalid(&mut self, lines: &str) -> String {
        let mut output = self.ask(lines);
        assert_eq!(output.len(), 1, "{lines}: {output:?}");
        assert!(
            output[0].starts_with("info string error: "),
            "{lines}: {output:?}"
        );
        output.remove(0)
    }

    /// Sends `query` and returns the response, which must be one word.
    pub fn query(&mut self, name: &str) -> String {
        self.send(&format!("query {name}"));
        let response = self.read_until("response").pop().expect("a line");
        let words: Vec<&str> = response.split(' ').collect();
        assert_eq!(words.len(), 2, "{response}");
        words[1].to_string()
    }

    pub fn is_over(&mut self) -> bool {
        self.query("gameover") == "true"
    }

    /// Runs a search. Returns the best move, the lines before it, and the time since `go`.
    pub fn go(&mut self, limits: &str) -> (String, Vec<String>, Duration) {
        let start = Instant::now();
        self.send(&format!("go {limits}"));
        let (mut lines, end) = self.read_until_timed("bestmove");
        let bestmove = lines.pop().expect("a line");
        let words: Vec<&str> = bestmove.split(' ').collect();
        assert_eq!(words.len(), 2, "{bestmove}");
        (words[1].to_string(), lines, end - start)
    }

    /// Returns the legal moves in the order in which the engine generates them.
    pub fn moves(&mut self) -> Vec<String> {
        self.send("go perft 1");
        let mut lines = self.read_until("Nodes");
        lines.pop();
        let moves = lines.iter().filter_map(|line| line.strip_suffix(": 1"));
        moves.map(str::to_string).collect()
    }

    pub fn fen(&mut self) -> String {
        let board_text = self.ask("d");
        let fen = board_text
            .iter()
            .find_map(|line| line.strip_prefix("Fen: "));
        fen.expect("a FEN in the drawing").to_string()
    }

    /// Closes the input. Returns the lines until the exit, whose status must be 0.
    pub fn end(self) -> Vec<String> {
        self.0.end()
    }
}

/// Returns the command that sets the position after `moves` from the start.
pub fn position(moves: &[String]) -> String {
    match moves {
        [] => "position startpos".into(),
        _ => format!("position startpos moves {}", moves.join(" ")),
    }
}

/// Returns the word that follows `name` in the last line with a score.
pub fn value_after<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    let last = lines.iter().rev().find(|line| line.contains(" score "))?;
    last.split(' ').skip_while(|word| *word != name).nth(1)
}
