//! The configuration of the server, and the state shared by its connections.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::access::{Addresses, Token};
use super::connections::Connections;
use super::content::Content;
use crate::engine::Build;
use crate::protocol::options::Bounds;
use crate::settings::Settings;

/// Default port: the digits of the letters P, U, L and I on a telephone keypad.
pub const PORT: u16 = 7854;

/// Maximum number of authorized sockets. Each has a session. A page uses three.
pub const MAX_SOCKETS: usize = 64;

/// Maximum number of TCP connections, those of `WebSocket`s included. A browser opens up to six for a page.
pub const MAX_CONNECTIONS: usize = 512;

/// Maximum length of a WebSocket message, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The initial options of every session.
    pub settings: Settings,
    /// Builds the engines of the sessions.
    pub build: Build,
    /// Upper bounds of options in the sessions.
    pub bounds: Bounds,
    /// Time limit for receiving the head of a request, and for receiving the token after a socket is opened.
    pub request_timeout: Duration,
    /// Maximum time that output waits for the client to read it. After this time, the connection is
    /// closed.
    pub write_timeout: Duration,
    /// Time limit for an authorized client to answer a ping. Pings are sent only while another client waits to be
    /// authorized.
    pub pong_timeout: Duration,
    /// Maximum number of TCP connections, those of `WebSocket`s included. Above it, a new connection replaces the unauthorized
    /// connection with the oldest last write.
    pub max_connections: usize,
    /// Maximum number of authorized sockets.
    pub max_sockets: usize,
    /// Folder to read the page from instead of the built-in files, for development.
    pub page: Option<PathBuf>,
}

impl ServerConfig {
    /// Creates the default configuration, with `settings` as the initial options of every session.
    ///
    /// The `MemoryLimit` of `settings` is lowered to its upper bound, 1024 MiB.
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
            request_timeout: Duration::from_secs(5),
            write_timeout: Duration::from_secs(10),
            pong_timeout: Duration::from_secs(1),
            max_connections: MAX_CONNECTIONS,
            max_sockets: MAX_SOCKETS,
            page: None,
        }
    }
}

/// State shared by all connections.
pub(super) struct Shared {
    /// The configuration.
    pub config: ServerConfig,
    /// The host names by which requests may address this server.
    pub(crate) addresses: Arc<Addresses>,
    /// The secret that a socket must send first.
    pub token: Token,
    /// The open connections.
    pub connections: Connections,
    /// The response to `/variants.json`. It is built once, at the first request or before.
    pub variants: OnceLock<Content>,
}
