//! The web server of `puli board`: serves the page on a loopback address.
//!
//! The page opens a WebSocket for each session with the engine. Each message of the socket is one line of the protocol.
//! A random token in the page's address keeps other programs and web pages from using the engine.

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
use connections::{Connection, Connections, TimedStream};

/// Size of the kernel's buffers, in bytes, for each direction of a connection. Some operating systems use several MiB
/// by default, which is too much for hundreds of connections.
const SOCKET_BUFFER_BYTES: usize = 128 << 10;

/// A server. It accepts connections at once and serves them after [`WebServer::run`] is called.
pub struct WebServer {
    listener: TcpListener,
    runtime: Runtime,
    shared: Arc<Shared>,
}

impl WebServer {
    /// Listens on `port` of the loopback address 127.0.0.1, or on any free port if `port` is 0.
    ///
    /// # Errors
    /// If the port is in use, or if the operating system provides no socket, thread or random bytes.
    pub fn open(port: u16, config: ServerConfig) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        listener.set_nonblocking(true)?;
        // Accepted connections inherit the buffer sizes of the listener.
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
                    config.pong_timeout,
                ),
                variants: OnceLock::new(),
                config,
            }),
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
        let Self {
            listener,
            runtime,
            shared,
        } = self;
        let shared_copy = Arc::clone(&shared);
        // Prepare the list of variants and the files in advance, because every page requests them.
        runtime.spawn_blocking(move || {
            variants::content(&shared_copy);
            files::compress_all();
        });
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let (request_timeout, write_timeout) =
                (shared.config.request_timeout, shared.config.write_timeout);
            let router = router(Arc::clone(&shared));
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let connection = shared.connections.admit(stream);
                        let router = router.clone().layer(Extension(Arc::clone(&connection)));
                        tokio::spawn(serve(connection, router, request_timeout, write_timeout));
                    }
                    // The process may have run out of file descriptors. Closing a connection frees
                    // one.
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

/// Responds to the requests of one connection until it is closed. If a request upgrades the connection to a WebSocket,
/// waits until the WebSocket is closed.
async fn serve(
    connection: Arc<Connection>,
    router: Router,
    request_timeout: Duration,
    write_timeout: Duration,
) {
    let (stream, stream_dropped) = TimedStream::new(&connection, write_timeout);
    let requests = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(request_timeout)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    if let Err(error) = requests.await {
        log::debug!("a connection ended: {error}");
    }
    drop(stream_dropped.await);
    connection.linger().await;
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
