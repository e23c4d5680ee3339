//! The board: a server on this machine's own address that gives browsers the page, and every page a session of its own
//! over a WebSocket, line by line the protocol that everybody else speaks.

mod access;
mod connections;
mod content;
mod lines;
mod page;
mod socket;
mod terms;
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
use connections::{Connection, Connections, Wire};
use terms::Shared;
pub use terms::{MAX_CONNECTIONS, MAX_MESSAGE_BYTES, MAX_SOCKETS, PORT, ServerConfig};

/// Bytes that the system keeps for a client that does not read, and for a session that does not. Without a limit the
/// system would keep megabytes for each connection.
const SOCKET_BUFFER_BYTES: usize = 128 << 10;

/// A board that listens, and whose pages are served once it runs.
pub struct WebServer {
    listener: TcpListener,
    runtime: Runtime,
    shared: Arc<Shared>,
}

impl WebServer {
    /// Listens on this port of this machine, or on any free one where it is 0.
    pub fn open(port: u16, terms: ServerConfig) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        listener.set_nonblocking(true)?;
        // Every accepted connection inherits these sizes.
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
                    terms.max_connections,
                    terms.max_sockets,
                    terms.answer_time,
                ),
                variants: OnceLock::new(),
                terms,
            }),
        })
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.shared.addresses.port
    }

    /// The address that opens the page. It holds the token: whoever knows it may use the engine.
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
    /// When the listener cannot be used.
    pub fn run(self) -> io::Result<()> {
        let Self {
            listener,
            runtime,
            shared,
        } = self;
        let early = Arc::clone(&shared);
        // The page asks for it first, and making it takes a moment.
        runtime.spawn_blocking(move || {
            variants::content(&early);
            page::warm();
        });
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let (patience, stall) = (shared.terms.patience, shared.terms.stall);
            let router = router(Arc::clone(&shared));
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let connection = shared.connections.admit(stream);
                        let router = router.clone().layer(Extension(Arc::clone(&connection)));
                        tokio::spawn(serve(connection, router, patience, stall));
                    }
                    // The process may have no file left for the connection.
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

/// Answers the requests of one connection until it is closed, also where it has become a socket.
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
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&shared.addresses),
            access::inspect,
        ))
        .with_state(shared)
}
