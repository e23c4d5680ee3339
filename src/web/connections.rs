//! Open connections: a full server closes the connection that has waited longest for its client, and a client that does
//! not read is cut off.

use std::future::Future;
use std::io::{self, IoSlice};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, Sleep, sleep, timeout};

/// Time in which a client may read the last answer and close its end. Without it, bytes that the client still sends
/// would reset the connection and destroy that answer.
const LINGER_TIME: Duration = Duration::from_secs(1);

/// The open connections of a server.
pub(crate) struct Connections {
    max: usize,
    max_authorized: usize,
    answer_time: Duration,
    open: Mutex<Vec<Weak<Connection>>>,
    roll_call: watch::Sender<u64>,
}

impl Connections {
    /// Creates a register of at most `max` connections, at most `max_authorized` of them authorized. While another client
    /// waits for its place, an authorized one must read, or answer a ping, within `answer_time`.
    pub(super) fn new(max: usize, max_authorized: usize, answer_time: Duration) -> Self {
        Self {
            max,
            max_authorized,
            answer_time,
            open: Mutex::default(),
            roll_call: watch::Sender::new(0),
        }
    }

    /// Registers an accepted connection. If the register is full, evicts a connection first.
    pub(crate) fn admit(&self, stream: TcpStream) -> Arc<Connection> {
        let mut open = self.lock();
        while open.len() >= self.max && evict_oldest(&mut open) {}
        let connection = Arc::new(Connection {
            stream,
            status: Mutex::new(Status {
                progress: Instant::now(),
                blocked: None,
                asked: None,
                is_authorized: false,
            }),
        });
        open.push(Arc::downgrade(&connection));
        connection
    }

    /// Closes the unauthorized connection whose client has received nothing for the longest time. Returns `true` if there
    /// was one.
    pub(crate) fn evict(&self) -> bool {
        evict_oldest(&mut self.lock())
    }

    /// Authorizes a connection until the returned place is dropped.
    ///
    /// If all places are taken, a client that does not read loses its place. If there is none, all authorized
    /// clients must answer a ping, and the connection waits for three times the answer time. Returns `None` if all
    /// of them answer.
    pub(crate) async fn authorize(&self, connection: &Arc<Connection>) -> Option<Place> {
        const TRIES: u32 = 30;
        let mut place = self.place(connection);
        if place.is_none() {
            let number = getrandom::u64().unwrap_or_default();
            self.roll_call.send_replace(number);
        }
        for _ in 0..TRIES {
            if place.is_some() {
                break;
            }
            sleep(self.answer_time * 3 / TRIES).await;
            place = self.place(connection);
        }
        place
    }

    /// Returns the channel whose every change requires all authorized connections to ping their clients with the
    /// new number. The first change is there at once.
    pub(crate) fn roll_call(&self) -> watch::Receiver<u64> {
        let mut roll_call = self.roll_call.subscribe();
        roll_call.mark_changed();
        roll_call
    }

    fn place(&self, connection: &Arc<Connection>) -> Option<Place> {
        let mut open = self.lock();
        let authorized = open.iter().filter_map(Weak::upgrade);
        let authorized: Vec<_> = authorized.filter(|c| c.lock().is_authorized).collect();
        if authorized.len() >= self.max_authorized {
            let now = Instant::now();
            let silence = |c: &Arc<Connection>| {
                let status = c.lock();
                let since = status.blocked.into_iter().chain(status.asked).min();
                since.map(|since| now - since)
            };
            let slowest = authorized.iter().max_by_key(|c| silence(c))?;
            if silence(slowest)? < self.answer_time {
                return None;
            }
            slowest.reset();
            open.retain(|c| !std::ptr::eq(c.as_ptr(), Arc::as_ptr(slowest)));
        }
        connection.lock().is_authorized = true;
        Some(Place(Arc::clone(connection)))
    }

    /// Returns the register without closed connections.
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Connection>>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|connection| connection.strong_count() > 0);
        open
    }
}

fn evict_oldest(open: &mut Vec<Weak<Connection>>) -> bool {
    let candidates = open.iter().enumerate();
    let candidates = candidates.filter_map(|(i, connection)| {
        let connection = connection.upgrade()?;
        let status = connection.lock();
        (!status.is_authorized).then_some((status.progress, i))
    });
    let Some((_, oldest)) = candidates.min() else {
        return false;
    };
    if let Some(connection) = open.swap_remove(oldest).upgrade() {
        connection.reset();
    }
    true
}

/// The right of a connection to a session. Dropping it frees the place.
pub(crate) struct Place(Arc<Connection>);

impl Place {
    /// Records that the client was pinged.
    pub(super) fn ask(&self) {
        self.0.lock().asked.get_or_insert_with(Instant::now);
    }

    /// Records that the client has answered the last ping.
    pub(super) fn answer(&self) {
        self.0.lock().asked = None;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.lock().is_authorized = false;
    }
}

/// An accepted connection.
pub(super) struct Connection {
    stream: TcpStream,
    status: Mutex<Status>,
}

struct Status {
    /// Time of the last write that succeeded, or of the acceptance.
    progress: Instant,
    /// Time since which the client's receive buffer is full.
    blocked: Option<Instant>,
    /// Time since which a ping is unanswered.
    asked: Option<Instant>,
    is_authorized: bool,
}

impl Connection {
    fn lock(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the connection in both directions. Output that the client has not read is lost.
    fn reset(&self) {
        let socket = SockRef::from(&self.stream);
        // The system frees the output at once instead of offering it to a client that does not read.
        drop(socket.set_linger(Some(Duration::ZERO)));
        drop(socket.shutdown(Shutdown::Both));
    }

    /// Ends the output and discards input until the client closes its end, for at most [`LINGER_TIME`].
    pub(crate) async fn linger(&self) {
        drop(SockRef::from(&self.stream).shutdown(Shutdown::Write));
        let discard = async {
            let mut rest = [0; 4096];
            while self.stream.readable().await.is_ok() {
                match self.stream.try_read(&mut rest) {
                    Ok(0) => break,
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => break,
                    _ => {}
                }
            }
        };
        drop(timeout(LINGER_TIME, discard).await);
    }
}

/// The byte stream of a connection.
///
/// A write fails once the client has read nothing for `limit`. Nothing is read from a client that does not read, so
/// that answers cannot pile up.
pub(crate) struct Wire {
    connection: Arc<Connection>,
    limit: Duration,
    deadline: Option<Pin<Box<Sleep>>>,
    _open: oneshot::Sender<()>,
}

impl Wire {
    /// Creates the stream of `connection`, and a receiver that fails when the stream is dropped.
    pub(super) fn new(
        connection: &Arc<Connection>,
        limit: Duration,
    ) -> (Self, oneshot::Receiver<()>) {
        drop(connection.stream.set_nodelay(true));
        let (open, closed) = oneshot::channel();
        let wire = Self {
            connection: Arc::clone(connection),
            limit,
            deadline: None,
            _open: open,
        };
        (wire, closed)
    }

    fn poll_write_by(
        &mut self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        let stream = &self.connection.stream;
        while stream.poll_write_ready(context)?.is_ready() {
            match write(stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => {
                    self.deadline = None;
                    let mut status = self.connection.lock();
                    status.progress = Instant::now();
                    status.blocked = None;
                    return Poll::Ready(written);
                }
            }
        }
        self.connection
            .lock()
            .blocked
            .get_or_insert_with(Instant::now);
        let limit = self.limit;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(deadline.as_mut().poll(context));
        self.connection.reset();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let stream = &self.connection.stream;
        let is_blocked = self.connection.lock().blocked.is_some();
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

impl AsyncWrite for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut()
            .poll_write_by(context, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.get_mut()
            .poll_write_by(context, |stream| stream.try_write_vectored(slices))
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
