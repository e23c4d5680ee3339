//! The WebSocket of a page.
//!
//! The page first sends the token. Then the server starts a session for this socket alone. Each further message, in
//! either direction, is one line of the protocol.

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
use super::connections::{Authorization, Connection};
use super::lines::{self, SessionEnd, SocketEnd};
use crate::protocol::reply;
use crate::session::Session;

/// Maximum number of failed sessions per socket. A failed session is replaced until this number is
/// reached.
const MAX_FAILURES: usize = 10;

/// Initial size of a socket's input buffer, in bytes. A longer message, up to [`MAX_MESSAGE_BYTES`], gets a larger
/// buffer.
const READ_BUFFER_BYTES: usize = 4 << 10;

/// Upgrades a request to a WebSocket. Its connection is unauthorized until the client has sent the token.
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

/// The close code and reason that the server sends, or `None` if the client has closed the socket or is disconnected.
type CloseReason = Option<(u16, &'static str)>;

/// Serves a page until the page or the server closes the socket.
async fn serve_page(mut socket: WebSocket, shared: Arc<Shared>, connection: Arc<Connection>) {
    let token_received = receive_token(&mut socket, &shared.token);
    let close_reason = match timeout(shared.config.request_timeout, token_received).await {
        Ok(ControlFlow::Break(close_reason)) => close_reason,
        Ok(ControlFlow::Continue(())) => match shared.connections.authorize(&connection).await {
            Some(authorization) => {
                let ping_payloads = shared.connections.ping_payloads();
                run_sessions(&mut socket, &shared.config, &authorization, ping_payloads).await
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

/// Waits for the token. Before the token, only pings and pongs are allowed; any other message closes the socket.
async fn receive_token(socket: &mut WebSocket, token: &Token) -> ControlFlow<CloseReason> {
    loop {
        match socket.recv().await {
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Text(text))) if token.matches(&text) => {
                return ControlFlow::Continue(());
            }
            Some(Ok(Message::Text(_) | Message::Binary(_))) => {
                return ControlFlow::Break(Some((close_code::POLICY, "token")));
            }
            end => return ControlFlow::Break(finish(socket, end).await),
        }
    }
}

/// Handles a message that ends the socket: a close frame, an error, or `None` at the end of input.
async fn finish(socket: &mut WebSocket, end: Option<Result<Message, axum::Error>>) -> CloseReason {
    match end {
        Some(Err(error)) => client_error(error),
        Some(Ok(_)) => {
            // The reply to a close frame is sent by the next call of `recv`.
            drop(socket.recv().await);
            None
        }
        None => None,
    }
}

/// Returns the close code (RFC 6455, section 7.4.1) for an error of the client.
///
/// Returns `None` if the connection failed, so that no close frame can be sent.
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

/// Runs a session on the socket. If the session fails, starts another one, at most [`MAX_FAILURES`] sessions in total.
async fn run_sessions(
    socket: &mut WebSocket,
    config: &ServerConfig,
    authorization: &Authorization,
    mut ping_payloads: watch::Receiver<u64>,
) -> CloseReason {
    let mut first_line = "info string welcome".to_string();
    for _ in 0..MAX_FAILURES {
        let (socket_end, session_end) = lines::pair();
        let (result_sender, result_receiver) = oneshot::channel();
        let config = config.clone();
        let session = move || drop(result_sender.send(run_session(session_end, config)));
        if let Err(error) = thread::Builder::new().name("session".into()).spawn(session) {
            log::error!("cannot start a session: {error}");
            return Some((close_code::ERROR, "cannot start a session"));
        }
        if socket.send(Message::text(first_line)).await.is_err() {
            return None;
        }
        let failure = match relay_lines(
            socket,
            socket_end,
            result_receiver,
            authorization,
            &mut ping_payloads,
        )
        .await
        {
            ControlFlow::Break(close_reason) => return close_reason,
            ControlFlow::Continue(Ok(Ok(_))) => {
                return Some((close_code::NORMAL, "the session is over"));
            }
            ControlFlow::Continue(Ok(Err(error))) => format!(" ({error})"),
            ControlFlow::Continue(Err(_)) => String::new(),
        };
        let message = format!("the engine failed{failure} and was restarted");
        log::error!("{message}");
        first_line = reply::error(&message);
    }
    Some((close_code::ERROR, "the engine keeps failing"))
}

/// The result of a session: the number of reported errors, or the error of writing its output (inner), or an error
/// if its thread panicked (outer).
type SessionResult = Result<io::Result<u64>, oneshot::error::RecvError>;

/// Copies lines between the socket and the session in both directions, and pings the client in each round of pings.
///
/// Returns when the session ends, or with the close reason when the client closes the socket or violates a limit.
async fn relay_lines(
    socket: &mut WebSocket,
    mut socket_end: SocketEnd,
    mut result_receiver: oneshot::Receiver<io::Result<u64>>,
    authorization: &Authorization,
    ping_payloads: &mut watch::Receiver<u64>,
) -> ControlFlow<CloseReason, SessionResult> {
    let close_with = |code, reason| ControlFlow::Break(Some((code, reason)));
    loop {
        tokio::select! {
            Some(line) = socket_end.answers.recv() => {
                if socket.send(Message::text(line)).await.is_err() {
                    return ControlFlow::Break(None);
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(line))) if line.contains(['\n', '\r']) => {
                    return close_with(close_code::POLICY, "send one line per message");
                }
                Some(Ok(Message::Text(line))) => {
                    if !socket_end.send(line.to_string()) {
                        return close_with(close_code::POLICY, "too many lines");
                    }
                }
                Some(Ok(Message::Pong(payload))) => {
                    if payload[..] == ping_payloads.borrow().to_be_bytes() {
                        authorization.record_pong();
                    }
                }
                Some(Ok(Message::Ping(_))) => {}
                Some(Ok(Message::Binary(_))) => return close_with(close_code::UNSUPPORTED, "send text only"),
                end => return ControlFlow::Break(finish(socket, end).await),
            },
            Ok(()) = ping_payloads.changed() => {
                let payload = ping_payloads.borrow_and_update().to_be_bytes();
                authorization.record_ping();
                if socket.send(Message::Ping(payload.to_vec().into())).await.is_err() {
                    return ControlFlow::Break(None);
                }
            }
            result = &mut result_receiver => {
                // The last lines of the session may still be queued.
                while let Ok(line) = socket_end.answers.try_recv() {
                    if socket.send(Message::text(line)).await.is_err() {
                        return ControlFlow::Break(None);
                    }
                }
                return ControlFlow::Continue(result);
            }
        }
    }
}

/// Runs a session to its end on the current thread.
fn run_session(session_end: SessionEnd, config: ServerConfig) -> io::Result<u64> {
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
