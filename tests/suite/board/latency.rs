//! How long a person waits for the board to change. Figures of a machine, so run by hand:
//! `cargo test --release --test board -- --ignored --nocapture --test-threads 1 latency`.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::caller::{answers, next, say, welcomed};
use super::{Server, board};

/// The rules socket of a page on which somebody plays, and what has been played.
struct Game {
    socket: tungstenite::WebSocket<std::net::TcpStream>,
    moves: String,
    state: Value,
}

impl Game {
    fn new(server: &Server, variant: &str) -> Self {
        let mut socket = welcomed(server);
        answers(
            &mut socket,
            &format!("setoption name UCI_Variant value {variant}"),
        );
        if variant.ends_with("puzzle") {
            let drawn = answers(&mut socket, "position scramble 30 seed 1");
            assert_eq!(drawn.len(), 1);
        }
        let start = answers(&mut socket, "state").remove(0);
        let state: Value = serde_json::from_str(&start["state ".len()..]).expect("JSON");
        let fen = state["fen"].as_str().expect("a position");
        Self {
            socket,
            moves: format!("position fen {fen} moves"),
            state,
        }
    }

    /// Plays one of the moves, and returns how long it took until the new board was there.
    fn play(&mut self, ply: usize) -> Option<Duration> {
        let moves = self.state["moves"].as_array().expect("moves");
        let m = moves.get(ply * 7 % moves.len().max(1))?;
        self.moves += &format!(" {}", m["move"].as_str().expect("a move"));
        let start = Instant::now();
        say(&mut self.socket, &self.moves);
        say(&mut self.socket, "state");
        let answer = next(&mut self.socket);
        let took = start.elapsed();
        let state = answer
            .strip_prefix("state ")
            .unwrap_or_else(|| panic!("{answer}"));
        self.state = serde_json::from_str(state).expect("JSON");
        Some(took)
    }
}

/// Forty moves of every variant: the median and the longest time of each.
fn measure(server: &Server) -> Vec<(&'static str, Duration, Duration)> {
    puli::catalog::names()
        .map(|variant| {
            let mut game = Game::new(server, variant);
            let mut times: Vec<Duration> = (0..40).map_while(|ply| game.play(ply)).collect();
            times.sort();
            (variant, times[times.len() / 2], times[times.len() - 1])
        })
        .collect()
}

fn tell(what: &str, figures: &[(&str, Duration, Duration)]) {
    for (variant, median, longest) in figures {
        let line = format!("{what}: {variant}: median {median:.1?}, longest {longest:.1?}");
        drop(writeln!(io::stderr(), "{line}"));
    }
}

#[test]
#[ignore = "a measurement, for a machine that is idle otherwise"]
fn a_move_is_on_the_board_within_fifty_milliseconds() {
    let server = board();
    let figures = measure(&server);
    tell("alone", &figures);
    for (variant, _, longest) in figures {
        assert!(
            longest < Duration::from_millis(50),
            "{variant}: {longest:?}"
        );
    }
}

#[test]
#[ignore = "a measurement, for a machine that is idle otherwise"]
fn ten_pages_that_search_leave_the_board_usable() {
    let server = board();
    let searching: Vec<_> = (0..10)
        .map(|_| {
            let mut socket = welcomed(&server);
            say(&mut socket, "go infinite");
            assert!(next(&mut socket).starts_with("info "));
            socket
        })
        .collect();
    let figures = measure(&server);
    tell("ten searches", &figures);
    for (variant, median, _) in figures {
        assert!(median < Duration::from_millis(50), "{variant}: {median:?}");
    }
    drop(searching);
}
