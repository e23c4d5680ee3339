//! A listening socket, and the loop that accepts and serves its connections. Both servers use it.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::runtime::{self, Runtime};

use super::connections::{Connection, Connections, TimedStream};

/// Size of the kernel's buffers, in bytes, for each direction of a connection. Some operating systems use several MiB
/// by default, which is too much for hundreds of connections.
const SOCKET_BUFFER_BYTES: usize = 128 << 10;

/// Maximum size of the head of a request, in bytes.
pub(super) const MAX_HEAD_BYTES: usize = 16 << 10;

/// Time limits of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// Time limit for receiving the head of a request.
    pub request: Duration,
    /// Maximum time that output waits for the client to read it.
    pub write: Duration,
}

/// A listening socket with the runtime that serves it.
pub(super) struct Listener {
    socket: TcpListener,
    /// Runs the handlers of requests.
    pub runtime: Runtime,
    /// The address and the port that the socket listens on.
    pub address: SocketAddr,
}

impl Listener {
    /// Listens on `port` of `address`, or on any free port if `port` is 0. `thread_name` names the threads of the
    /// runtime.
    ///
    /// # Errors
    /// If the port is in use, or if the operating system provides no socket or thread.
    pub(super) fn open(address: IpAddr, port: u16, thread_name: &str) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((address, port)))?;
        listener.set_nonblocking(true)?;
        // Accepted connections inherit the buffer sizes of the listener.
        let socket = SockRef::from(&listener);
        socket.set_send_buffer_size(SOCKET_BUFFER_BYTES)?;
        socket.set_recv_buffer_size(SOCKET_BUFFER_BYTES)?;
        let address = listener.local_addr()?;
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name(thread_name)
            .enable_all()
            .build()?;
        Ok(Self {
            socket: listener,
            runtime,
            address,
        })
    }

    /// Accepts connections and serves them by `router` until the process ends. The router gets the [`Connection`] as an
    /// extension of each request.
    ///
    /// # Errors
    /// If the listener fails.
    pub(super) fn run(
        self,
        router: &Router,
        connections: &Connections,
        timeouts: Timeouts,
    ) -> io::Result<()> {
        self.runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.socket)?;
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let connection = connections.admit(stream);
                        let router = router.clone().layer(Extension(Arc::clone(&connection)));
                        tokio::spawn(serve(connection, router, timeouts));
                    }
                    // The process may have run out of file descriptors. Closing a connection frees
                    // one.
                    Err(error) if connections.evict() => {
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
async fn serve(connection: Arc<Connection>, router: Router, timeouts: Timeouts) {
    let (stream, stream_dropped) = TimedStream::new(&connection, timeouts.write);
    let requests = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.request)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    if let Err(error) = requests.await {
        log::debug!("a connection ended: {error}");
    }
    drop(stream_dropped.await);
    connection.linger().await;
}
