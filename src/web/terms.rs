//! What a board is made of, and what all its connections share.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::access::{Addresses, Token};
use super::connections::Connections;
use super::content::Content;
use crate::engine::Build;
use crate::protocol::options::Bounds;
use crate::settings::Settings;

/// The port where nothing else is asked for: P-U-L-I on a telephone.
pub const PORT: u16 = 7854;

/// So many sockets at once; a page has two.
pub const MAX_SOCKETS: usize = 64;

/// So many connections at once, those of the sockets among them; a browser opens six for a page.
pub const MAX_CONNECTIONS: usize = 512;

/// The longest message that a page may send, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// What a board is made of.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The options with which every session begins.
    pub settings: Settings,
    /// What makes the engines of the sessions.
    pub build: Build,
    /// What the sessions may ask for at most.
    pub bounds: Bounds,
    /// How long a request's head may take to arrive, and a socket's token.
    pub patience: Duration,
    /// How long a client may read nothing while output waits for it. Then its connection is closed.
    pub stall: Duration,
    /// How long a client with the token may leave a ping unanswered while another one waits for its place.
    pub answer_time: Duration,
    /// Maximum number of connections, sockets included. One more displaces the connection that has waited longest.
    pub max_connections: usize,
    /// Maximum number of sockets that have shown the token.
    pub max_sockets: usize,
    /// Where the page's files are taken from instead of from the program.
    pub page: Option<PathBuf>,
}

impl ServerConfig {
    /// Engines made by `build`, with these options at the start.
    pub fn new(settings: Settings, build: Build) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let bounds = Bounds {
            hash: 256,
            memory_limit: 1024,
            threads: cores.clamp(1, 8) as u64,
            paths: false,
        };
        let memory_limit = settings.memory_limit.min(bounds.memory_limit);
        Self {
            settings: Settings {
                memory_limit,
                ..settings
            },
            build,
            bounds,
            patience: Duration::from_secs(5),
            stall: Duration::from_secs(10),
            answer_time: Duration::from_secs(1),
            max_connections: MAX_CONNECTIONS,
            max_sockets: MAX_SOCKETS,
            page: None,
        }
    }
}

/// What all connections share.
pub struct Shared {
    /// As it was opened.
    pub terms: ServerConfig,
    /// What it is called.
    pub addresses: Arc<Addresses>,
    /// What pages show it.
    pub token: Token,
    /// The open connections.
    pub connections: Connections,
    /// The variants in words, once they are made.
    pub variants: OnceLock<Content>,
}
