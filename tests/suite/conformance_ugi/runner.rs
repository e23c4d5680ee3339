//! A runner's end of the pipes.

use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use super::support::Process;

/// A program that has been greeted with `ugi`, as a runner holds it.
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
        process.say("ugi");
        process.hear("ugiok");
        Self(process)
    }

    pub fn playing(variant: &str) -> Self {
        let mut runner = Self::start();
        runner.obey(&format!("setoption name UCI_Variant value {variant}"));
        runner
    }

    /// What it says to these lines until it is ready again, `readyok` left out.
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.say(&format!("{lines}\nisready"));
        let mut said = self.hear("readyok");
        said.pop();
        said
    }

    /// Says what must not be answered with an error.
    pub fn obey(&mut self, lines: &str) {
        assert_eq!(self.ask(lines), Vec::<String>::new(), "{lines}");
    }

    /// Says what must be answered with one error line, and nothing else.
    pub fn refuse(&mut self, lines: &str) -> String {
        let mut said = self.ask(lines);
        assert_eq!(said.len(), 1, "{lines}: {said:?}");
        assert!(
            said[0].starts_with("info string error: "),
            "{lines}: {said:?}"
        );
        said.remove(0)
    }

    /// The one word of a response.
    pub fn query(&mut self, question: &str) -> String {
        self.say(&format!("query {question}"));
        let response = self.hear("response").pop().expect("a line");
        let words: Vec<&str> = response.split(' ').collect();
        assert_eq!(words.len(), 2, "{response}");
        words[1].to_string()
    }

    pub fn is_over(&mut self) -> bool {
        self.query("gameover") == "true"
    }

    /// The move of a search, the lines before it, and how long it took from `go`.
    pub fn go(&mut self, limits: &str) -> (String, Vec<String>, Duration) {
        let start = Instant::now();
        self.say(&format!("go {limits}"));
        let (mut lines, when) = self.hear_when("bestmove");
        let bestmove = lines.pop().expect("a line");
        let words: Vec<&str> = bestmove.split(' ').collect();
        assert_eq!(words.len(), 2, "{bestmove}");
        (words[1].to_string(), lines, when - start)
    }

    /// The legal moves, in the engine's order.
    pub fn moves(&mut self) -> Vec<String> {
        self.say("go perft 1");
        let mut lines = self.hear("Nodes");
        lines.pop();
        let moves = lines.iter().filter_map(|line| line.strip_suffix(": 1"));
        moves.map(str::to_string).collect()
    }

    pub fn fen(&mut self) -> String {
        let drawing = self.ask("d");
        let fen = drawing.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.expect("a FEN in the drawing").to_string()
    }

    /// Closes the input, and returns what is said until the exit, which has to be a good one.
    pub fn end(self) -> Vec<String> {
        self.0.end()
    }
}

pub fn position(moves: &[String]) -> String {
    match moves {
        [] => "position startpos".into(),
        _ => format!("position startpos moves {}", moves.join(" ")),
    }
}

/// A word of an `info` line that follows another.
pub fn value_after<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    let last = lines.iter().rev().find(|line| line.contains(" score "))?;
    last.split(' ').skip_while(|word| *word != name).nth(1)
}
