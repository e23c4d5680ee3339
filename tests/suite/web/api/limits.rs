//! Tests the limits of the server: the rate of requests, slow clients, long work, and engines that fail.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use puli::catalog;
use puli::engine::Engine;
use puli::error::EngineError;
use puli::settings::Settings;
use puli::web::api::ApiConfig;

use super::client::{Client, path};
use super::{TIMEOUT, config, start};

#[test]
fn rate_of_a_client_is_limited() {
    let port = start(ApiConfig {
        rate: 5,
        ..config(0)
    });
    let mut client = Client::new(port);
    let responses: Vec<_> = (0..200).map(|_| client.get("/v1/openapi.json")).collect();
    let limited: Vec<_> = responses
        .iter()
        .filter(|response| response.status == 429)
        .collect();
    let served = responses
        .iter()
        .filter(|response| response.status == 200)
        .count();
    assert_eq!(limited.len() + served, 200);
    assert!(served >= 10 && !limited.is_empty(), "{served}");
    for response in limited {
        assert_eq!(response.header("retry-after"), Some("1"));
        assert_eq!(
            response.json()["detail"],
            "more than 5 requests per second: wait for 1 s"
        );
    }
    thread::sleep(Duration::from_secs(1));
    assert_eq!(client.get("/v1/openapi.json").status, 200);
}

#[test]
fn slow_clients_are_disconnected() {
    let port = start(ApiConfig {
        request_timeout: Duration::from_millis(300),
        max_connections: 16,
        ..config(0)
    });
    let begin = Instant::now();
    let mut slow: Vec<TcpStream> = (0..16)
        .map(|_| TcpStream::connect(("127.0.0.1", port)).expect("a connection"))
        .collect();
    for stream in &mut slow {
        stream.write_all(b"GET /v1/games HT").expect("sent");
    }
    // A new client replaces a slow one.
    assert_eq!(Client::new(port).get("/v1/openapi.json").status, 200);
    for mut stream in slow {
        stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        drop(stream.read_to_end(&mut Vec::new()));
    }
    assert!(begin.elapsed() < Duration::from_secs(20));
}

/// Builds the engine of `kaooa` in two seconds.
fn slow_build(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    if settings.variant == "kaooa" {
        thread::sleep(Duration::from_secs(2));
    }
    catalog::build(settings)
}

#[test]
fn long_work_is_given_up() {
    let mut slow = config(0);
    slow.build = slow_build;
    slow.response_timeout = Duration::from_millis(500);
    let mut client = Client::new(start(slow));
    // The lists are built once, and the first requests wait for them.
    let begin = Instant::now();
    while client.get("/v1/games").status != 200 {
        assert!(begin.elapsed() < TIMEOUT);
    }
    let response = client.get(&path("kaooa", "start"));
    assert_eq!(response.status, 503, "{response:?}");
    assert_eq!(response.header("retry-after"), Some("1"));
    assert_eq!(client.get("/v1/games").status, 200);
}

/// Panics in a search of `kaooa`.
fn panicking_build(settings: &Settings) -> Result<Box<dyn Engine>, EngineError> {
    let is_search = settings.variant == "kaooa" && settings.hash > 1;
    assert!(!is_search, "this panic is a part of the test");
    catalog::build(settings)
}

#[test]
fn panic_of_engine_is_an_error() {
    let mut panicking = config(0);
    panicking.build = panicking_build;
    let mut client = Client::new(start(panicking));
    for _ in 0..20 {
        let response = client.get(&path("kaooa", "start"));
        assert_eq!(response.status, 500, "{response:?}");
        assert_eq!(
            response.json()["detail"],
            "the engine failed because of a bug"
        );
    }
    assert_eq!(
        client
            .get(&(path("bagh-chal", "start") + "?nodes=10"))
            .status,
        200
    );
}
