//! The board over its own address: what the page gets, every attack that a page of somebody else could try, with its
//! refusal, and the protocol over the socket.

use crate::support::transcript;

mod attacks;
mod caller;
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

/// Far longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where a board listens, and what it wants to be shown.
struct Server {
    port: u16,
    token: String,
}

/// The usual board, on a port of its own, until the tests end.
fn board() -> Server {
    board_of(ServerConfig {
        // A test on a busy machine may read nothing for a while.
        stall: PATIENCE,
        ..ServerConfig::new(Settings::default(), catalog::build)
    })
}

fn board_of(terms: ServerConfig) -> Server {
    let board = WebServer::open(0, terms).expect("a free port");
    let address = board.address();
    let (_, token) = address.split_once("#token=").expect("a token");
    let server = Server {
        port: board.port(),
        token: token.into(),
    };
    thread::spawn(move || board.run().expect("a board that listens"));
    server
}
