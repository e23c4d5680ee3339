//! The web server of `puli board`: serves the page on a loopback address, and gives each page its own session over
//! a WebSocket, with one protocol line per message.

mod access;
mod config;
mod connections;
mod content;
mod files;
mod lines;
mod socket;
mod variants;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::middleware;
use axum::routing::get;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::runtime::{self, Runtime};

use access::{Addresses, SOCKET, Token};
use config::Shared;
pub use config::{MAX_CONNECTIONS, MAX_MESSAGE_BYTES, MAX_SOCKETS, PORT, ServerConfig};
use connections::{Connection, Connections, Wire};

/// Kernel buffer sizes, in bytes, per direction of a connection. The default of some systems is megabytes.
const SOCKET_BUFFER_BYTES: usize = 128 << 10;

/// A server that listens but does not answer yet.
pub struct WebServer {
    listener: TcpListener,
    runtime: Runtime,
    shared: Arc<Shared>,
}

impl WebServer {
    /// Listens on a port of the loopback address; port 0 takes any free one.
    ///
    /// # Errors
    /// If the port cannot be used.
    pub fn open(port: u16, config: ServerConfig) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        listener.set_nonblocking(true)?;
        // Accepted connections inherit these sizes.
        let socket = SockRef::from(&listener);
        socket.set_send_buffer_size(SOCKET_BUFFER_BYTES)?;
        socket.set_recv_buffer_size(SOCKET_BUFFER_BYTES)?;
        let port = listener.local_addr()?.port();
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("board")
            .enable_all()
            .build()?;
        Ok(Self {
            listener,
            runtime,
            shared: Arc::new(Shared {
                addresses: Arc::new(Addresses::new(port)),
                token: Token::new()?,
                connections: Connections::new(
                    config.max_connections,
                    config.max_sockets,
                    config.answer_time,
                ),
                variants: OnceLock::new(),
                config,
            }),
        })
    }

    /// Returns the port.
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
        let Self {
            listener,
            runtime,
            shared,
        } = self;
        let early = Arc::clone(&shared);
        // The page requests it first, and building it takes a moment.
        runtime.spawn_blocking(move || {
            variants::content(&early);
            files::warm();
        });
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let (patience, stall) = (shared.config.patience, shared.config.stall);
            let router = router(Arc::clone(&shared));
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let connection = shared.connections.admit(stream);
                        let router = router.clone().layer(Extension(Arc::clone(&connection)));
                        tokio::spawn(serve(connection, router, patience, stall));
                    }
                    // The process may be out of file descriptors.
                    Err(error) if shared.connections.evict() => {
                        log::debug!("closed a connection to accept another one: {error}");
                        tokio::time::sleep(Duration::from_millis(1)).await;
                    }
                    Err(error) => {
                        log::warn!("a connection cannot be accepted: {error}");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                }
            }
        })
    }
}

/// Answers the requests of one connection until it is closed, including after an upgrade to a WebSocket.
async fn serve(connection: Arc<Connection>, router: Router, patience: Duration, stall: Duration) {
    let (wire, closed) = Wire::new(&connection, stall);
    let requests = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(wire), TowerToHyperService::new(router))
        .with_upgrades();
    if let Err(error) = requests.await {
        log::debug!("a connection ended: {error}");
    }
    drop(closed.await);
    connection.linger().await;
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route(SOCKET, get(socket::open))
        .route("/variants.json", get(variants::serve))
        .fallback(files::serve)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&shared.addresses),
            access::inspect,
        ))
        .with_state(shared)
}
