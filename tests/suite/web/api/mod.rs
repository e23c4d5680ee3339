//! Tests the server of `puli serve`: its answers, its errors, and requests that no client should send.

pub mod client;
mod description;
mod gamesman;
mod hostile;
mod limits;
mod schema;
mod values;

use std::thread;

use puli::catalog;
use puli::settings::Settings;
use puli::web::api::{ApiConfig, ApiServer};

use super::TIMEOUT;
use client::Client;

/// Returns a configuration that solves only games of at most `positions` positions, and does not limit the rate.
fn config(positions: u64) -> ApiConfig {
    let settings = Settings {
        solve_limit: positions,
        ..Settings::default()
    };
    ApiConfig {
        rate: 1_000_000,
        // On a busy machine, a test may not read or write for a while, and a search may take long.
        request_timeout: TIMEOUT,
        write_timeout: TIMEOUT,
        response_timeout: TIMEOUT,
        ..ApiConfig::new(settings, catalog::build)
    }
}

/// Starts a server on a free port and returns the port. The server runs until the tests end.
fn start(config: ApiConfig) -> u16 {
    let server = ApiServer::open(0, config).expect("a free port");
    let port = server.address().port();
    thread::spawn(move || server.run().expect("a running server"));
    port
}

/// Starts a server that solves only tiny games, and connects to it.
fn connected() -> Client {
    Client::new(start(config(20_000)))
}
