//! Measures the time between a move of a client and the arrival of the new state.
//!
//! The times depend on the machine, so these tests are started by hand:
//! `cargo test --release --test suite -- --ignored --nocapture --test-threads 1 latency`.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::client::{ask, open_session, receive, send};
use super::{Server, start_server};

/// A game on a page: its socket, the command that sets its position, and its last state.
struct Game {
    socket: tungstenite::WebSocket<std::net::TcpStream>,
    position_command: String,
    state: Value,
}

impl Game {
    fn new(server: &Server, variant: &str) -> Self {
        let mut socket = open_session(server);
        ask(
            &mut socket,
            &format!("setoption name UCI_Variant value {variant}"),
        );
        if variant.ends_with("puzzle") {
            let output = ask(&mut socket, "position scramble 30 seed 1");
            assert_eq!(output.len(), 1);
        }
        let start = ask(&mut socket, "state").remove(0);
        let state: Value = serde_json::from_str(&start["state ".len()..]).expect("JSON");
        let fen = state["fen"].as_str().expect("a position");
        Self {
            socket,
            position_command: format!("position fen {fen} moves"),
            state,
        }
    }

    /// Plays a move. Returns the time until the new state arrives, or `None` if there is no move.
    fn play(&mut self, ply: usize) -> Option<Duration> {
        let moves = self.state["moves"].as_array().expect("moves");
        let m = moves.get(ply * 7 % moves.len().max(1))?;
        self.position_command += &format!(" {}", m["move"].as_str().expect("a move"));
        let start = Instant::now();
        send(&mut self.socket, &self.position_command);
        send(&mut self.socket, "state");
        let answer = receive(&mut self.socket);
        let elapsed = start.elapsed();
        let state = answer
            .strip_prefix("state ")
            .unwrap_or_else(|| panic!("{answer}"));
        self.state = serde_json::from_str(state).expect("JSON");
        Some(elapsed)
    }
}

/// Plays up to 40 moves of every variant. For each variant, returns its name and the median and the maximum of the
/// times.
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

fn print_times(what: &str, times: &[(&str, Duration, Duration)]) {
    for (variant, median, longest) in times {
        let line = format!("{what}: {variant}: median {median:.1?}, longest {longest:.1?}");
        drop(writeln!(io::stderr(), "{line}"));
    }
}

#[test]
#[ignore = "a measurement for an idle machine"]
fn new_state_arrives_within_fifty_milliseconds() {
    let server = start_server();
    let times = measure(&server);
    print_times("alone", &times);
    for (variant, _, longest) in times {
        assert!(
            longest < Duration::from_millis(50),
            "{variant}: {longest:?}"
        );
    }
}

#[test]
#[ignore = "a measurement for an idle machine"]
fn server_stays_responsive_with_ten_searches() {
    let server = start_server();
    let searching_clients: Vec<_> = (0..10)
        .map(|_| {
            let mut socket = open_session(&server);
            send(&mut socket, "go infinite");
            assert!(receive(&mut socket).starts_with("info "));
            socket
        })
        .collect();
    let times = measure(&server);
    print_times("ten searches", &times);
    for (variant, median, _) in times {
        assert!(median < Duration::from_millis(50), "{variant}: {median:?}");
    }
    drop(searching_clients);
}
