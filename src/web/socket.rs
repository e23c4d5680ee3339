//! The WebSocket of a page: first the token, then the lines of the protocol, one per message, to a session of its
//! own.

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
use super::config::{MAX_MESSAGE_BYTES, ServerConfig, Shared};
use super::connections::{Connection, Place};
use super::lines::{self, SessionEnd, SocketEnd};
use crate::protocol::reply;
use crate::session::Session;

/// Maximum number of failed engines per page.
const MAX_FAILURES: usize = 10;

/// Size of a socket's input buffer, in bytes. Longer messages get their own buffer.
const READ_BUFFER_BYTES: usize = 4 << 10;

/// Upgrades any client to a socket. It counts as an unauthorized connection until it has shown the token.
pub(super) async fn open(
    State(shared): State<Arc<Shared>>,
    Extension(connection): Extension<Arc<Connection>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .on_upgrade(async move |socket| serve_page(socket, shared, connection).await)
}

/// Close code and reason, or `None` if the client has closed the socket or is gone.
type CloseReason = Option<(u16, &'static str)>;

/// Serves a page until either end closes the socket.
async fn serve_page(mut socket: WebSocket, shared: Arc<Shared>, connection: Arc<Connection>) {
    let shown = receive_token(&mut socket, &shared.token);
    let close_reason = match timeout(shared.config.patience, shown).await {
        Ok(ControlFlow::Break(close_reason)) => close_reason,
        Ok(ControlFlow::Continue(())) => match shared.connections.authorize(&connection).await {
            Some(place) => {
                let roll_call = shared.connections.roll_call();
                sessions(&mut socket, &shared.config, &place, roll_call).await
            }
            None => Some((close_code::AGAIN, "too many sockets")),
        },
        Err(_) => Some((close_code::POLICY, "token")),
    };
    if let Some((code, reason)) = close_reason {
        let reason = reason.into();
        drop(
            socket
                .send(Message::Close(Some(CloseFrame { code, reason })))
                .await,
        );
    }
}

/// Waits for the token, which must precede all other messages except pings and pongs.
async fn receive_token(socket: &mut WebSocket, token: &Token) -> ControlFlow<CloseReason> {
    loop {
        match socket.recv().await {
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Text(shown))) if token.is(&shown) => return ControlFlow::Continue(()),
            Some(Ok(Message::Text(_) | Message::Binary(_))) => {
                return ControlFlow::Break(Some((close_code::POLICY, "token")));
            }
            end => return ControlFlow::Break(finish(socket, end).await),
        }
    }
}

/// Handles the end of a socket: a close frame, an error or the end of input.
async fn finish(socket: &mut WebSocket, end: Option<Result<Message, axum::Error>>) -> CloseReason {
    match end {
        Some(Err(error)) => client_error(error),
        Some(Ok(_)) => {
            // Reading on sends the reply to the close frame.
            drop(socket.recv().await);
            None
        }
        None => None,
    }
}

/// Returns the close code of a client error (RFC 6455, section 7.4.1), or `None` if the connection failed.
fn client_error(error: axum::Error) -> CloseReason {
    use tungstenite::error::ProtocolError::ResetWithoutClosingHandshake;
    match *error.into_inner().downcast().ok()? {
        tungstenite::Error::Protocol(ResetWithoutClosingHandshake) => None,
        tungstenite::Error::Protocol(_) => Some((close_code::PROTOCOL, "protocol error")),
        tungstenite::Error::Utf8(_) => Some((close_code::INVALID, "not UTF-8")),
        tungstenite::Error::Capacity(_) => Some((close_code::SIZE, "too long")),
        _ => None,
    }
}

/// Runs sessions: when one fails, another takes its place.
async fn sessions(
    socket: &mut WebSocket,
    config: &ServerConfig,
    place: &Place,
    mut roll_call: watch::Receiver<u64>,
) -> CloseReason {
    let mut greeting = "info string welcome".to_string();
    for _ in 0..MAX_FAILURES {
        let (socket_end, session_end) = lines::pair();
        let (end, ended) = oneshot::channel();
        let config = config.clone();
        let session = move || drop(end.send(run(session_end, config)));
        if let Err(error) = thread::Builder::new().name("session".into()).spawn(session) {
            log::error!("cannot start a session: {error}");
            return Some((close_code::ERROR, "cannot start a session"));
        }
        if socket.send(Message::text(greeting)).await.is_err() {
            return None;
        }
        let failure = match relay(socket, socket_end, ended, place, &mut roll_call).await {
            ControlFlow::Break(close_reason) => return close_reason,
            ControlFlow::Continue(Ok(Ok(_))) => {
                return Some((close_code::NORMAL, "the session is over"));
            }
            ControlFlow::Continue(Ok(Err(error))) => format!(" ({error})"),
            ControlFlow::Continue(Err(_)) => String::new(),
        };
        let message = format!("the engine failed{failure} and was restarted");
        log::error!("{message}");
        greeting = reply::error(&message);
    }
    Some((close_code::ERROR, "the engine keeps failing"))
}

/// The end of a session: number of errors or output error, or an error if its thread panicked.
type End = Result<io::Result<u64>, oneshot::error::RecvError>;

/// Passes lines in both directions until the session is over, or the page is gone or exceeds a limit.
async fn relay(
    socket: &mut WebSocket,
    mut socket_end: SocketEnd,
    mut ended: oneshot::Receiver<io::Result<u64>>,
    place: &Place,
    roll_call: &mut watch::Receiver<u64>,
) -> ControlFlow<CloseReason, End> {
    let goodbye = |code, reason| ControlFlow::Break(Some((code, reason)));
    loop {
        tokio::select! {
            Some(line) = socket_end.answers.recv() => {
                if socket.send(Message::text(line)).await.is_err() {
                    return ControlFlow::Break(None);
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(line))) if line.contains(['\n', '\r']) => {
                    return goodbye(close_code::POLICY, "send one line per message");
                }
                Some(Ok(Message::Text(line))) => {
                    if !socket_end.send(line.to_string()) {
                        return goodbye(close_code::POLICY, "too many lines");
                    }
                }
                Some(Ok(Message::Pong(number))) => {
                    if number[..] == roll_call.borrow().to_be_bytes() {
                        place.answer();
                    }
                }
                Some(Ok(Message::Ping(_))) => {}
                Some(Ok(Message::Binary(_))) => return goodbye(close_code::UNSUPPORTED, "send text only"),
                end => return ControlFlow::Break(finish(socket, end).await),
            },
            Ok(()) = roll_call.changed() => {
                let number = roll_call.borrow_and_update().to_be_bytes();
                place.ask();
                if socket.send(Message::Ping(number.to_vec().into())).await.is_err() {
                    return ControlFlow::Break(None);
                }
            }
            end = &mut ended => {
                while let Ok(line) = socket_end.answers.try_recv() {
                    if socket.send(Message::text(line)).await.is_err() {
                        return ControlFlow::Break(None);
                    }
                }
                return ControlFlow::Continue(end);
            }
        }
    }
}

/// Runs a session to its end on the current thread.
fn run(session_end: SessionEnd, config: ServerConfig) -> io::Result<u64> {
    let ServerConfig {
        settings,
        build,
        bounds,
        ..
    } = config;
    let engine = build(&settings).map_err(io::Error::other)?;
    let session = Session {
        input: session_end.input,
        output: session_end.output,
        is_closed: Some(session_end.is_closed),
        settings,
        bounds,
        engine,
        build,
    };
    session.run()
}
