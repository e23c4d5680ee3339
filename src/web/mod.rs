//! The web server of `puli board`: serves the page on a loopback address. [`api`] is the server of `puli serve`.
//!
//! The page opens a WebSocket for each session with the engine. Each message of the socket is one line of the protocol.
//! A random token in the page's address keeps other programs and web pages from using the engine.

mod access;
pub mod api;
mod config;
mod connections;
mod content;
mod files;
mod lines;
mod listener;
mod socket;
mod variants;

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, OnceLock};

use axum::routing::get;
use axum::{Router, middleware};

use access::{Addresses, SOCKET, Token};
use config::Shared;
pub use config::{MAX_CONNECTIONS, MAX_MESSAGE_BYTES, MAX_SOCKETS, PORT, ServerConfig};
use connections::Connections;
use listener::{Listener, Timeouts};

/// A server. It accepts connections at once and serves them after [`WebServer::run`] is called.
pub struct WebServer {
    listener: Listener,
    shared: Arc<Shared>,
}

impl WebServer {
    /// Listens on `port` of the loopback address 127.0.0.1, or on any free port if `port` is 0.
    ///
    /// # Errors
    /// If the port is in use, or if the operating system provides no socket, thread or random bytes.
    pub fn open(port: u16, config: ServerConfig) -> io::Result<Self> {
        let listener = Listener::open(IpAddr::V4(Ipv4Addr::LOCALHOST), port, "board")?;
        Ok(Self {
            shared: Arc::new(Shared {
                addresses: Arc::new(Addresses::new(listener.address.port())),
                token: Token::new()?,
                connections: Connections::new(
                    config.max_connections,
                    config.max_sockets,
                    config.pong_timeout,
                ),
                variants: OnceLock::new(),
                config,
            }),
            listener,
        })
    }

    /// Returns the port that the server listens on.
    pub fn port(&self) -> u16 {
        self.shared.addresses.port
    }

    /// Returns the URL of the page. It contains the token, which gives access to the engine.
    pub fn address(&self) -> String {
        format!(
            "http://127.0.0.1:{}/#token={}",
            self.port(),
            self.shared.token
        )
    }

    /// Serves pages until the process ends.
    ///
    /// # Errors
    /// If the listener fails.
    pub fn run(self) -> io::Result<()> {
        let Self { listener, shared } = self;
        let shared_copy = Arc::clone(&shared);
        // Prepare the list of variants and the files in advance, because every page requests them.
        listener.runtime.spawn_blocking(move || {
            variants::content(&shared_copy);
            files::compress_all();
        });
        let timeouts = Timeouts {
            request: shared.config.request_timeout,
            write: shared.config.write_timeout,
        };
        listener.run(&router(Arc::clone(&shared)), &shared.connections, timeouts)
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route(SOCKET, get(socket::open))
        .route("/variants.json", get(variants::serve))
        .fallback(files::serve)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&shared.addresses),
            access::check_request,
        ))
        .with_state(shared)
}
