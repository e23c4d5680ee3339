//! The open TCP connections of the server, and the rules by which the server closes some of them.
//!
//! A connection is authorized while its client may use the engine: the client has sent the token over a
//! WebSocket, and the number of authorized connections is limited. All other connections are unauthorized.
//! Three rules prevent unresponsive clients from excluding new clients:
//!
//! - If the maximum number of connections is open, each new connection replaces the unauthorized connection with the
//!   oldest last write.
//! - If `max_authorized` connections are authorized and a new client sends the token, the server pings all authorized
//!   clients. If a client does not answer, or does not read its output, its connection is closed and the new connection
//!   is authorized.
//! - If output waits and the client reads nothing for several seconds, its connection is closed.

use std::future::Future;
use std::io::{self, IoSlice};
use std::net::{IpAddr, Shutdown, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, Sleep, sleep, timeout};

/// Maximum time that the server waits, after its last response, for the client to close the connection.
///
/// Closing while the client still sends would reset the TCP connection, and the client could lose the last
/// response.
const LINGER_TIME: Duration = Duration::from_secs(1);

/// The open connections of a server.
pub(crate) struct Connections {
    /// Maximum number of connections, authorized ones included.
    max: usize,
    /// Maximum number of authorized connections.
    max_authorized: usize,
    /// Time limit for the answer to a ping while another connection waits for authorization.
    pong_timeout: Duration,
    /// All open connections.
    open: Mutex<Vec<Weak<Connection>>>,
    /// The payload of the current ping. All authorized connections ping their clients with each new value.
    ping_payload: watch::Sender<u64>,
}

impl Connections {
    /// Creates an empty list for at most `max` connections, of which at most `max_authorized` are authorized.
    ///
    /// While another connection waits for authorization, the client of an authorized connection must read its output
    /// and answer pings within `pong_timeout`.
    pub(super) fn new(max: usize, max_authorized: usize, pong_timeout: Duration) -> Self {
        Self {
            max,
            max_authorized,
            pong_timeout,
            open: Mutex::default(),
            ping_payload: watch::Sender::new(0),
        }
    }

    /// Adds an accepted connection. If the list is full, closes an unauthorized connection first
    /// ([`Connections::evict`]). If all are authorized, the list exceeds its maximum.
    pub(crate) fn admit(&self, stream: TcpStream) -> Arc<Connection> {
        let mut open = self.lock();
        while open.len() >= self.max && evict_oldest(&mut open) {}
        let connection = Arc::new(Connection {
            stream,
            status: Mutex::new(Status {
                last_write: Instant::now(),
                blocked_since: None,
                unanswered_ping_since: None,
                is_authorized: false,
            }),
        });
        open.push(Arc::downgrade(&connection));
        connection
    }

    /// Closes the unauthorized connection with the oldest last write. Returns `false` if all connections are
    /// authorized.
    pub(crate) fn evict(&self) -> bool {
        evict_oldest(&mut self.lock())
    }

    /// Authorizes a connection until the returned [`Authorization`] is dropped.
    ///
    /// If the maximum number is already authorized, pings all authorized clients and waits until a connection ends or
    /// its client fails to respond in time. Returns `None` after three times `pong_timeout`.
    pub(crate) async fn authorize(&self, connection: &Arc<Connection>) -> Option<Authorization> {
        const TRIES: u32 = 30;
        let mut authorization = self.try_authorize(connection);
        if authorization.is_none() {
            let payload = getrandom::u64().unwrap_or_default();
            self.ping_payload.send_replace(payload);
        }
        for _ in 0..TRIES {
            if authorization.is_some() {
                break;
            }
            sleep(self.pong_timeout * 3 / TRIES).await;
            authorization = self.try_authorize(connection);
        }
        authorization
    }

    /// Returns a receiver of ping payloads. An authorized connection pings its client with each new payload.
    ///
    /// The current payload counts as new, so the client is pinged right after the authorization.
    pub(crate) fn ping_payloads(&self) -> watch::Receiver<u64> {
        let mut ping_payloads = self.ping_payload.subscribe();
        ping_payloads.mark_changed();
        ping_payloads
    }

    /// Authorizes a connection without waiting.
    ///
    /// If the maximum number is already authorized, replaces the connection whose client has been unresponsive the
    /// longest. Returns `None` if all clients have responded within `pong_timeout`.
    fn try_authorize(&self, connection: &Arc<Connection>) -> Option<Authorization> {
        let mut open = self.lock();
        let authorized = open.iter().filter_map(Weak::upgrade);
        let authorized: Vec<_> = authorized.filter(|c| c.lock().is_authorized).collect();
        if authorized.len() >= self.max_authorized {
            let now = Instant::now();
            // The time since when a client has not read its output or not answered a ping; `None` if it has done
            // both.
            let unresponsive_time = |c: &Arc<Connection>| {
                let status = c.lock();
                let since = status.blocked_since.into_iter();
                let since = since.chain(status.unanswered_ping_since).min();
                since.map(|since| now - since)
            };
            let slowest = authorized.iter().max_by_key(|c| unresponsive_time(c))?;
            if unresponsive_time(slowest)? < self.pong_timeout {
                return None;
            }
            slowest.reset();
            open.retain(|c| !std::ptr::eq(c.as_ptr(), Arc::as_ptr(slowest)));
        }
        connection.lock().is_authorized = true;
        Some(Authorization(Arc::clone(connection)))
    }

    /// Locks the list and removes closed connections from it.
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Connection>>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|connection| connection.strong_count() > 0);
        open
    }
}

/// Implements [`Connections::evict`] for the locked list.
fn evict_oldest(open: &mut Vec<Weak<Connection>>) -> bool {
    let candidates = open.iter().enumerate();
    let candidates = candidates.filter_map(|(i, connection)| {
        let connection = connection.upgrade()?;
        let status = connection.lock();
        (!status.is_authorized).then_some((status.last_write, i))
    });
    let Some((_, oldest)) = candidates.min() else {
        return false;
    };
    if let Some(connection) = open.swap_remove(oldest).upgrade() {
        connection.reset();
    }
    true
}

/// The right of a connection to run a session. On drop, the connection becomes unauthorized again.
pub(crate) struct Authorization(Arc<Connection>);

impl Authorization {
    /// Records that the client was pinged.
    pub(super) fn record_ping(&self) {
        self.0
            .lock()
            .unanswered_ping_since
            .get_or_insert_with(Instant::now);
    }

    /// Records that the client has answered the last ping.
    pub(super) fn record_pong(&self) {
        self.0.lock().unanswered_ping_since = None;
    }
}

impl Drop for Authorization {
    fn drop(&mut self) {
        self.0.lock().is_authorized = false;
    }
}

/// An accepted connection.
pub(super) struct Connection {
    stream: TcpStream,
    status: Mutex<Status>,
}

/// The mutable state of a connection.
struct Status {
    /// The time of the last successful write. Before the first write, the time at which the connection was accepted.
    last_write: Instant,
    /// The time at which output began to wait for the client to read, or `None` if no output waits.
    blocked_since: Option<Instant>,
    /// The time of the first ping that the client has not answered, or `None` if all are answered.
    unanswered_ping_since: Option<Instant>,
    is_authorized: bool,
}

impl Connection {
    /// Returns the address of the client, or `None` if the connection is closed.
    pub(super) fn client(&self) -> Option<IpAddr> {
        self.stream.peer_addr().ok().map(|peer| peer.ip())
    }

    /// Returns the address and the port of this server that the client is connected to, or `None` if the connection is
    /// closed. An IPv4 address is one also if an IPv6 socket has accepted the connection.
    pub(super) fn local_address(&self) -> Option<SocketAddr> {
        let address = self.stream.local_addr().ok()?;
        Some(SocketAddr::new(address.ip().to_canonical(), address.port()))
    }

    fn lock(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connection in both directions. Output that the client has not read is lost.
    fn reset(&self) {
        let socket = SockRef::from(&self.stream);
        // With a linger time of zero, the operating system discards the unsent output instead of keeping it for a
        // client that does not read.
        drop(socket.set_linger(Some(Duration::ZERO)));
        drop(socket.shutdown(Shutdown::Both));
    }

    /// Ends the output, then reads and discards input until the client closes the connection, for at most
    /// [`LINGER_TIME`].
    pub(crate) async fn linger(&self) {
        drop(SockRef::from(&self.stream).shutdown(Shutdown::Write));
        let discard = async {
            let mut discarded = [0; 4096];
            while self.stream.readable().await.is_ok() {
                match self.stream.try_read(&mut discarded) {
                    Ok(0) => break,
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => break,
                    _ => {}
                }
            }
        };
        drop(timeout(LINGER_TIME, discard).await);
    }
}

/// The input and output bytes of a connection, with a time limit for writes.
///
/// If output waits and the client reads nothing for `write_timeout`, the write fails. The server reads no input while
/// output waits, so that a client that does not read responses cannot fill its memory.
pub(crate) struct TimedStream {
    connection: Arc<Connection>,
    write_timeout: Duration,
    /// The timer of the current write, or `None` if no output waits.
    write_deadline: Option<Pin<Box<Sleep>>>,
    /// Carries no message. Dropping it completes the receiver returned by [`TimedStream::new`].
    _dropped_with_stream: oneshot::Sender<()>,
}

impl TimedStream {
    /// Creates the stream of `connection`, and a receiver that completes, with an error, when the stream is dropped.
    pub(super) fn new(
        connection: &Arc<Connection>,
        write_timeout: Duration,
    ) -> (Self, oneshot::Receiver<()>) {
        drop(connection.stream.set_nodelay(true));
        let (sender, dropped) = oneshot::channel();
        let stream = Self {
            connection: Arc::clone(connection),
            write_timeout,
            write_deadline: None,
            _dropped_with_stream: sender,
        };
        (stream, dropped)
    }

    /// Calls `write` when the socket accepts output. Resets the connection and fails if the socket accepts
    /// no output for `write_timeout`.
    fn poll_write_with(
        &mut self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        let stream = &self.connection.stream;
        while stream.poll_write_ready(context)?.is_ready() {
            match write(stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => {
                    self.write_deadline = None;
                    let mut status = self.connection.lock();
                    status.last_write = Instant::now();
                    status.blocked_since = None;
                    return Poll::Ready(written);
                }
            }
        }
        self.connection
            .lock()
            .blocked_since
            .get_or_insert_with(Instant::now);
        let timeout = self.write_timeout;
        let deadline = self
            .write_deadline
            .get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(deadline.as_mut().poll(context));
        self.connection.reset();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream = &self.connection.stream;
        let is_blocked = self.connection.lock().blocked_since.is_some();
        if is_blocked {
            ready!(stream.poll_write_ready(context))?;
        }
        loop {
            ready!(stream.poll_read_ready(context))?;
            match stream.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => {
                    buffer.advance(read?);
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut()
            .poll_write_with(context, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut()
            .poll_write_with(context, |stream| stream.try_write_vectored(slices))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(SockRef::from(&self.connection.stream).shutdown(Shutdown::Write))
    }
}
