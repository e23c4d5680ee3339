//! Tests the server of the web page: HTTP requests for the files of the page, sessions over WebSocket, attacks by the
//! pages of other sites, and clients that use up connections.

use crate::support::transcript;

pub mod api;
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
        // On a busy machine, a test may not read for a while. The server must not close its connection then.
        write_timeout: TIMEOUT,
        ..ServerConfig::new(Settings::default(), catalog::build)
    })
}

/// Starts a server with this configuration on a free port. The server runs until the tests end.
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
