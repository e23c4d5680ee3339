//! Tests the server of the web page: its files, attacks by foreign pages, and the protocol over WebSocket.

use crate::support::transcript;

mod attacks;
mod client;
mod floods;
mod frames;
mod latency;
mod requests;
mod sessions;

use std::thread;
use std::time::Duration;

use puli::catalog;
use puli::settings::Settings;
use puli::web::{ServerConfig, WebServer};

/// Timeout, far above the time that any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The address of a running server.
struct Server {
    port: u16,
    token: String,
}

/// Starts a server with default settings on a free port. The server runs until the tests end.
fn start_server() -> Server {
    start_server_with(ServerConfig {
        // A test on a busy machine may read nothing for a while.
        write_timeout: TIMEOUT,
        ..ServerConfig::new(Settings::default(), catalog::build)
    })
}

fn start_server_with(config: ServerConfig) -> Server {
    let web_server = WebServer::open(0, config).expect("a free port");
    let address = web_server.address();
    let (_, token) = address.split_once("#token=").expect("a token");
    let server = Server {
        port: web_server.port(),
        token: token.into(),
    };
    thread::spawn(move || web_server.run().expect("a running server"));
    server
}
