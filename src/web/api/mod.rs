//! The server of `puli serve`: exact values and analysis of positions as JSON over HTTP, for web sites and bots.
//!
//! There are no sessions: each request contains all that its answer depends on. An exact value is the
//! one that `state` reports. A position without one gets an analysis, the result of a search with a limit of nodes.

mod access;
mod analysis;
mod cache;
mod games;
mod gamesman;
mod handlers;
mod limiter;
mod pool;
mod position;
mod problem;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::Duration;

use axum::routing::get;
use axum::{Router, middleware};
use tokio::sync::Semaphore;

use super::access::Addresses;
use super::config::MAX_CONNECTIONS;
use super::connections::Connections;
use super::listener::{Listener, Timeouts};
use crate::engine::Build;
use crate::settings::Settings;
use cache::Cache;
use games::Games;
use limiter::RateLimiter;
use pool::Pool;

/// Default port, the next one after that of `puli board`.
pub const PORT: u16 = super::PORT + 1;

/// Default maximum number of requests of a client per second.
pub const DEFAULT_RATE: u32 = 100;

/// Maximum size of the cache of responses, in bytes.
const MAX_CACHE_BYTES: usize = 32 << 20;

/// Default maximum number of games whose engines are kept. An engine keeps its game solved in memory, which option
/// `SolveLimit` limits.
const MAX_ENGINES: usize = 16;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct ApiConfig {
    /// The options of the engines.
    pub settings: Settings,
    /// Builds the engines.
    pub build: Build,
    /// The address to listen on.
    pub address: IpAddr,
    /// Host names by which requests may address the server, besides those of the loopback interface.
    pub hosts: Vec<String>,
    /// Maximum number of requests of a client per second. Twice as many may come at once.
    pub rate: u32,
    /// Time limit for receiving the head of a request.
    pub request_timeout: Duration,
    /// Maximum time that output waits for the client to read it.
    pub write_timeout: Duration,
    /// Time limit for a response.
    pub response_timeout: Duration,
    /// Time limit for a search.
    pub analysis_time: Duration,
    /// Maximum number of TCP connections. Above it, a new connection replaces the one with the oldest last write.
    pub max_connections: usize,
    /// Maximum number of games whose engines are kept.
    pub max_engines: usize,
}

impl ApiConfig {
    /// Creates the default configuration for a server on the loopback interface. `settings` are the options of the
    /// engines.
    pub fn new(settings: Settings, build: Build) -> Self {
        Self {
            settings,
            build,
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            hosts: Vec::new(),
            rate: DEFAULT_RATE,
            request_timeout: Duration::from_secs(5),
            write_timeout: Duration::from_secs(10),
            response_timeout: Duration::from_secs(10),
            analysis_time: Duration::from_secs(2),
            max_connections: MAX_CONNECTIONS,
            max_engines: MAX_ENGINES,
        }
    }
}

/// State shared by all requests.
pub(super) struct Api {
    config: ApiConfig,
    addresses: Addresses,
    connections: Connections,
    limiter: RateLimiter,
    pool: Pool,
    cache: Cache,
    /// The lists of games. They are built once, at the first request or before.
    games: OnceLock<Games>,
    /// Permits for threads that read positions.
    readers: Arc<Semaphore>,
    /// Permits for threads that search, fewer than the processor cores, so that exact values need not wait.
    searchers: Arc<Semaphore>,
}

impl Api {
    /// Returns the lists of games. Builds them at the first call, which blocks.
    fn games(&self) -> &Games {
        self.games
            .get_or_init(|| Games::new(&self.config.settings, self.config.build))
    }
}

/// A server. It accepts connections at once and serves them after [`ApiServer::run`] is called.
pub struct ApiServer {
    listener: Listener,
    api: Arc<Api>,
}

impl ApiServer {
    /// Listens on `port`, or on any free port if `port` is 0.
    ///
    /// # Errors
    /// If the port is in use, or if the operating system provides no socket or thread.
    pub fn open(port: u16, config: ApiConfig) -> io::Result<Self> {
        let listener = Listener::open(config.address, port, "serve")?;
        let port = listener.address.port();
        // Clients leave out the port if it is that of the scheme, as behind a proxy.
        let names = config.hosts.iter();
        let names = names.flat_map(|host| [host.clone(), format!("{host}:{port}")]);
        let cores = available_parallelism().map_or(1, usize::from);
        let searchers = (cores - 1).clamp(1, 8);
        let api = Arc::new(Api {
            addresses: Addresses::new(port).with_names(names),
            connections: Connections::new(config.max_connections, 0, Duration::ZERO),
            limiter: RateLimiter::new(config.rate),
            pool: Pool::new(config.max_engines, searchers),
            cache: Cache::new(MAX_CACHE_BYTES),
            games: OnceLock::new(),
            readers: Arc::new(Semaphore::new(cores.clamp(2, 8))),
            searchers: Arc::new(Semaphore::new(searchers)),
            config,
        });
        Ok(Self { listener, api })
    }

    /// Returns the address and the port that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.listener.address
    }

    /// Serves requests until the process ends.
    ///
    /// # Errors
    /// If the listener fails.
    pub fn run(self) -> io::Result<()> {
        let Self { listener, api } = self;
        let shared = Arc::clone(&api);
        // Build the lists in advance, because most requests need them.
        listener.runtime.spawn_blocking(move || {
            shared.games();
        });
        let timeouts = Timeouts {
            request: api.config.request_timeout,
            write: api.config.write_timeout,
        };
        listener.run(&router(Arc::clone(&api)), &api.connections, timeouts)
    }
}

fn router(api: Arc<Api>) -> Router {
    let mut router = Router::new()
        .route("/v1/openapi.json", get(handlers::openapi))
        .route("/v1/games", get(handlers::games))
        .route("/v1/games/{game}", get(handlers::game))
        .route("/v1/{game}/positions/{*fen}", get(handlers::position));
    // GamesmanUni ends its paths with a slash.
    for end in ["", "/"] {
        let path = |path: &str| format!("/gamesman{path}{end}");
        router = router
            .route(&path(""), get(handlers::gamesman_games))
            .route(&path("/{game}"), get(handlers::gamesman_game))
            .route(&path("/{game}/{variant}"), get(handlers::gamesman_variant))
            .route(
                &path("/{game}/{variant}/positions"),
                get(handlers::gamesman_position),
            )
            .route(
                &path("/{game}/{variant}/instructions"),
                get(handlers::gamesman_instructions),
            );
    }
    router
        .fallback(handlers::not_found)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&api),
            access::check_request,
        ))
        .with_state(api)
}
