//! Tests `puli serve` as a process: its output, its options, and its times and memory under load.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::process::{Process, puli};
use crate::support::readme_board_file;
use crate::web::api::client::{Client, path};

/// A running server.
struct Server {
    process: Process,
    port: u16,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut command = puli();
        command.args(["serve", "--port", "0"]).args(arguments);
        let process = Process::start_as(command);
        let line = process.read_until("serving at").remove(0);
        let address = line.strip_prefix("serving at http://");
        let address = address.and_then(|rest| rest.strip_suffix("/v1/games"));
        let (_, port) = address
            .and_then(|address| address.rsplit_once(':'))
            .expect("an address");
        Self {
            port: port.parse().expect("a port"),
            process,
        }
    }

    /// Returns a line of the status of the process, in KiB.
    fn status(&self, key: &str) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.process.child.id()));
        let text = text.expect("a process");
        let line = text.lines().find(|line| line.starts_with(key));
        let words = line.expect("a line").split_ascii_whitespace().nth(1);
        words.expect("a number").parse().expect("a number")
    }
}

/// Number of requests of the load test.
const REQUESTS: usize = 10_000;

/// Number of clients that send them at the same time.
const CLIENTS: usize = 8;

/// Small games. Their positions have exact values.
const GAMES: [&str; 3] = ["tic-tac-toe", "missionaries", "8-puzzle"];

/// Returns the paths of `count` positions of [`GAMES`], found by playing the moves of the answers.
fn positions(client: &mut Client, count: usize) -> Vec<String> {
    let mut found = std::collections::BTreeSet::new();
    let mut open: std::collections::VecDeque<String> =
        GAMES.iter().map(|game| path(game, "start")).collect();
    while found.len() < count
        && let Some(next) = open.pop_front()
    {
        let answer = client.get_settled(&next).json();
        let game = answer["game"].as_str().expect("a name");
        for m in answer["moves"].as_array().expect("moves") {
            let child = path(game, m["fen"].as_str().expect("a FEN"));
            if found.insert(child.clone()) {
                open.push_back(child);
            }
        }
    }
    found.into_iter().collect()
}

#[test]
fn ten_thousand_requests_are_answered_quickly() {
    let server = Server::start(&["--rate", "1000000", "--option", "SolveLimit=200000"]);
    let mut client = Client::new(server.port);
    let paths = positions(&mut client, 400);
    // One in a thousand requests asks for a position that nobody has solved.
    let analysis = "/v1/bagh-chal/positions/start?nodes=2000";
    client.get(analysis);
    let before = server.status("VmRSS");
    let begin = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let (paths, port) = (paths.clone(), server.port);
            thread::spawn(move || {
                let mut client = Client::new(port);
                let mut times = Vec::new();
                for request in (number..REQUESTS).step_by(CLIENTS) {
                    let path = match request % 1000 {
                        999 => analysis,
                        // Half of the answers are not in the cache at first.
                        _ => paths[request * 7919 % paths.len()].as_str(),
                    };
                    let begin = Instant::now();
                    let response = client.get(path);
                    times.push(begin.elapsed());
                    assert_eq!(response.status, 200, "{path}: {response:?}");
                    assert_eq!(response.json()["exact"], path != analysis, "{path}");
                }
                times
            })
        })
        .collect();
    let times = clients
        .into_iter()
        .flat_map(|client| client.join().unwrap());
    let mut times: Vec<Duration> = times.collect();
    let seconds = begin.elapsed().as_secs_f64();
    let (after, peak) = (server.status("VmRSS"), server.status("VmHWM"));
    times.sort_unstable();
    let percentile = |percent: usize| times[times.len() * percent / 100];
    let (p50, p99) = (percentile(50), percentile(99));
    println!(
        "{} requests in {seconds:.2} s, {:.0} per second: p50 {p50:?}, p99 {p99:?}, longest {:?}; \
         memory {before} KiB before, {after} KiB after, peak {peak} KiB",
        times.len(),
        times.len() as f64 / seconds,
        times[times.len() - 1],
    );
    assert_eq!(times.len(), REQUESTS);
    // The limits are far above the usual times, for busy machines.
    assert!(p50 < Duration::from_millis(100), "{p50:?}");
    assert!(p99 < Duration::from_secs(2), "{p99:?}");
    // The cache is limited to 32 MiB. Searches in progress take 16 MiB each.
    assert!(after < before + (96 << 10), "{before} KiB, {after} KiB");
    assert!(peak < 512 << 10, "{peak} KiB");
}

#[test]
fn wrong_options_are_errors() {
    for (arguments, status, error) in [
        (
            &["--listen", "nowhere"][..],
            2,
            "invalid value 'nowhere' for '--listen",
        ),
        (&["--port", "70000"], 2, "invalid value '70000' for '--port"),
        (&["--rate", "0"], 2, "invalid value '0' for '--rate"),
        (&["--tables", "/nothing"], 2, "no such folder: '/nothing'"),
        (&["--boards", "/nothing"], 2, "/nothing"),
        (&["--option", "Hash=x"], 2, "--option 'Hash=x': "),
        (
            &["--listen", "192.0.2.1", "--port", "0"],
            1,
            "cannot listen on 192.0.2.1:0: ",
        ),
    ] {
        let mut command = puli();
        command.arg("serve").args(arguments).stderr(Stdio::piped());
        let output = command.output().expect("a process");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {text}");
        assert!(text.contains(error), "{arguments:?}: {text}");
    }
}

#[test]
fn games_of_board_files_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kite.txt");
    fs::write(&file, readme_board_file()).unwrap();
    let server = Server::start(&["--boards", file.to_str().unwrap()]);
    let mut client = Client::new(server.port);
    assert_eq!(client.get("/v1/games/kite").json()["game"], "kite");
    let answer = client.get_settled(&path("kite", "start")).json();
    assert_eq!(answer["exact"], true, "{answer}");
    assert_eq!(answer["players"], serde_json::json!(["hens", "fox"]));
}
