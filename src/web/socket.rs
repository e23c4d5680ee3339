//! A page's socket: the token first, then the protocol's own lines, one a message, to a session of its own.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::access::Token;
use super::connections::{Connection, Place};
use super::lines::{self, SessionEnd, SocketEnd};
use super::terms::{MAX_MESSAGE_BYTES, ServerConfig, Shared};
use crate::protocol::reply;
use crate::session::Session;

/// So many engines may fail one page.
const MAX_FAILURES: usize = 10;

/// The input buffer of a socket in bytes. Longer messages get a buffer of their own.
const READ_BUFFER_BYTES: usize = 4 << 10;

/// Opens a socket for any client. It counts as a connection until it has shown the token.
pub async fn open(
    State(shared): State<Arc<Shared>>,
    Extension(connection): Extension<Arc<Connection>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .on_upgrade(async move |socket| converse(socket, shared, connection).await)
}

/// The code and the reason with which the server closes a socket, or `None` if the client has closed it or is gone.
type CloseReason = Option<(u16, &'static str)>;

/// Speaks with a page until either end has had enough.
async fn converse(mut socket: WebSocket, shared: Arc<Shared>, connection: Arc<Connection>) {
    let shown = show(&mut socket, &shared.token);
    let farewell = match timeout(shared.terms.patience, shown).await {
        Ok(ControlFlow::Break(farewell)) => farewell,
        Ok(ControlFlow::Continue(())) => match shared.connections.authorize(&connection).await {
            Some(place) => {
                let roll_call = shared.connections.roll_call();
                sessions(&mut socket, &shared.terms, &place, roll_call).await
            }
            None => Some((close_code::AGAIN, "there are too many sockets")),
        },
        Err(_) => Some((close_code::POLICY, "token")),
    };
    if let Some((code, reason)) = farewell {
        let reason = reason.into();
        drop(
            socket
                .send(Message::Close(Some(CloseFrame { code, reason })))
                .await,
        );
    }
}

/// Waits for the token, which comes before any other message. Pings and pongs may come before it.
async fn show(socket: &mut WebSocket, token: &Token) -> ControlFlow<CloseReason> {
    loop {
        match socket.recv().await {
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Text(shown))) if token.is(&shown) => return ControlFlow::Continue(()),
            Some(Ok(Message::Text(_) | Message::Binary(_))) => {
                return ControlFlow::Break(Some((close_code::POLICY, "token")));
            }
            end => return ControlFlow::Break(part(socket, end).await),
        }
    }
}

/// Answers the end of a socket: a close frame, an error or the end of the input.
async fn part(socket: &mut WebSocket, end: Option<Result<Message, axum::Error>>) -> CloseReason {
    match end {
        Some(Err(error)) => offense(error),
        Some(Ok(_)) => {
            // Reading on sends the answer to the close frame.
            drop(socket.recv().await);
            None
        }
        None => None,
    }
}

/// Returns the close code for what the client did wrong (RFC 6455, section 7.4.1), or `None` if the connection failed.
fn offense(error: axum::Error) -> CloseReason {
    use tungstenite::error::ProtocolError::ResetWithoutClosingHandshake;
    match *error.into_inner().downcast().ok()? {
        tungstenite::Error::Protocol(ResetWithoutClosingHandshake) => None,
        tungstenite::Error::Protocol(_) => Some((close_code::PROTOCOL, "protocol error")),
        tungstenite::Error::Utf8(_) => Some((close_code::INVALID, "not UTF-8")),
        tungstenite::Error::Capacity(_) => Some((close_code::SIZE, "too long")),
        _ => None,
    }
}

/// One session after the other: another takes the place of one that fails.
async fn sessions(
    socket: &mut WebSocket,
    terms: &ServerConfig,
    place: &Place,
    mut roll_call: watch::Receiver<u64>,
) -> CloseReason {
    let mut greeting = "info string welcome".to_string();
    for _ in 0..MAX_FAILURES {
        let (near, far) = lines::pair();
        let (end, ended) = oneshot::channel();
        let terms = terms.clone();
        let session = move || drop(end.send(run(far, terms)));
        if let Err(error) = thread::Builder::new().name("session".into()).spawn(session) {
            log::error!("no session can be had: {error}");
            return Some((close_code::ERROR, "no session can be had"));
        }
        if socket.send(Message::text(greeting)).await.is_err() {
            return None;
        }
        let failure = match relay(socket, near, ended, place, &mut roll_call).await {
            ControlFlow::Break(farewell) => return farewell,
            ControlFlow::Continue(Ok(Ok(_))) => {
                return Some((close_code::NORMAL, "the session is over"));
            }
            ControlFlow::Continue(Ok(Err(error))) => format!(" ({error})"),
            ControlFlow::Continue(Err(_)) => String::new(),
        };
        let news = format!("the engine failed{failure}; another has taken its place");
        log::error!("{news}");
        greeting = reply::error(&news);
    }
    Some((close_code::ERROR, "the engine fails again and again"))
}

/// How a session has ended, or nothing, where its thread failed.
type End = Result<io::Result<u64>, oneshot::error::RecvError>;

/// Carries lines to and fro until the session is over, or the page is gone or goes too far.
async fn relay(
    socket: &mut WebSocket,
    mut near: SocketEnd,
    mut ended: oneshot::Receiver<io::Result<u64>>,
    place: &Place,
    roll_call: &mut watch::Receiver<u64>,
) -> ControlFlow<CloseReason, End> {
    let goodbye = |code, reason| ControlFlow::Break(Some((code, reason)));
    loop {
        tokio::select! {
            Some(line) = near.hear.recv() => {
                if socket.send(Message::text(line)).await.is_err() {
                    return ControlFlow::Break(None);
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(line))) if line.contains(['\n', '\r']) => {
                    return goodbye(close_code::POLICY, "one line a message");
                }
                Some(Ok(Message::Text(line))) => {
                    if !near.say(line.to_string()) {
                        return goodbye(close_code::POLICY, "too many lines");
                    }
                }
                Some(Ok(Message::Pong(number))) => {
                    if number[..] == roll_call.borrow().to_be_bytes() {
                        place.answer();
                    }
                }
                Some(Ok(Message::Ping(_))) => {}
                Some(Ok(Message::Binary(_))) => return goodbye(close_code::UNSUPPORTED, "text only"),
                end => return ControlFlow::Break(part(socket, end).await),
            },
            Ok(()) = roll_call.changed() => {
                let number = roll_call.borrow_and_update().to_be_bytes();
                place.ask();
                if socket.send(Message::Ping(number.to_vec().into())).await.is_err() {
                    return ControlFlow::Break(None);
                }
            }
            end = &mut ended => {
                while let Ok(line) = near.hear.try_recv() {
                    if socket.send(Message::text(line)).await.is_err() {
                        return ControlFlow::Break(None);
                    }
                }
                return ControlFlow::Continue(end);
            }
        }
    }
}

/// Runs a session to its end in the present thread.
fn run(far: SessionEnd, terms: ServerConfig) -> io::Result<u64> {
    let ServerConfig {
        settings,
        build,
        bounds,
        ..
    } = terms;
    let engine = build(&settings).map_err(io::Error::other)?;
    let session = Session {
        input: far.input,
        output: far.output,
        is_closed: Some(far.is_closed),
        settings,
        bounds,
        engine,
        build,
    };
    session.run()
}
