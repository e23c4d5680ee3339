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

/// Default port: P-U-L-I on a telephone keypad.
pub const PORT: u16 = 7854;

/// Maximum number of authorized sockets. A page has two.
pub const MAX_SOCKETS: usize = 64;

/// Maximum number of connections, sockets included. A browser opens six for a page.
pub const MAX_CONNECTIONS: usize = 512;

/// Maximum length of a message, in bytes.
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
    /// Time limit for a request's head, and for a socket's token.
    pub patience: Duration,
    /// Maximum time that a client may read nothing while output waits for it; then its connection is closed.
    pub stall: Duration,
    /// Maximum time that an authorized client may leave a ping unanswered while another waits for a place.
    pub answer_time: Duration,
    /// Maximum number of connections, sockets included. A further one evicts the connection that has waited
    /// longest.
    pub max_connections: usize,
    /// Maximum number of authorized sockets.
    pub max_sockets: usize,
    /// Folder to read the page from instead of the built-in files, for development.
    pub page: Option<PathBuf>,
}

impl ServerConfig {
    /// Creates the default configuration with these options.
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

/// State shared by all connections.
pub(super) struct Shared {
    /// The configuration.
    pub config: ServerConfig,
    /// The host names.
    pub(crate) addresses: Arc<Addresses>,
    /// The token.
    pub token: Token,
    /// The open connections.
    pub connections: Connections,
    /// The description of all variants, once it is built.
    pub variants: OnceLock<Content>,
}
