//! The board: a server on this machine's own address that gives browsers the page, and every page a session of its own
//! over a WebSocket, line by line the protocol that everybody else speaks.

mod guard;
mod lines;
mod page;
mod socket;
mod terms;
mod variants;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::middleware;
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::runtime::{self, Runtime};
use tokio::sync::Semaphore;

use guard::{Addresses, SOCKET, Token};
pub use terms::{LONGEST_MESSAGE, MOST_SOCKETS, PORT, Terms};
use terms::{MOST_CONNECTIONS, Shared};

/// A board that listens, and whose pages are served once it runs.
pub struct Board {
    listener: TcpListener,
    runtime: Runtime,
    shared: Arc<Shared>,
}

impl Board {
    /// Listens on this port of this machine, or on any free one where it is 0.
    pub fn open(port: u16, terms: Terms) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        listener.set_nonblocking(true)?;
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
                terms,
                addresses: Arc::new(Addresses::new(port)),
                token: Token::new()?,
                sockets: Arc::new(Semaphore::new(MOST_SOCKETS)),
                variants: OnceLock::new(),
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
        runtime.spawn_blocking(move || variants::object(&early).len());
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
            let patience = shared.terms.patience;
            let router = router(shared);
            loop {
                let room = Arc::clone(&connections).acquire_owned().await;
                let (stream, _) = match listener.accept().await {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        log::warn!("a connection cannot be accepted: {error}");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                };
                let router = router.clone();
                tokio::spawn(async move {
                    serve(stream, router, patience).await;
                    drop(room);
                });
            }
        })
    }
}

/// Answers the requests of one connection. Nobody may keep it open by sending nothing.
async fn serve(stream: TcpStream, router: Router, patience: Duration) {
    drop(stream.set_nodelay(true));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(16 << 10)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    if let Err(error) = connection.await {
        log::debug!("a connection ended: {error}");
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route(SOCKET, get(socket::open))
        .route("/variants.json", get(variants::serve))
        .fallback(page::serve)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&shared.addresses),
            guard::inspect,
        ))
        .with_state(shared)
}
