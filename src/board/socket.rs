//! A page's socket: the token first, then the protocol's own lines, one a message, to a session of its own.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::TrySendError;
use std::thread;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::timeout;

use super::guard::refuse;
use super::lines::{self, Far, Near};
use super::terms::{LONGEST_MESSAGE, Shared, Terms};
use crate::protocol::reply;
use crate::session::Session;

/// So many engines may fail one page.
const MOST_FAILURES: usize = 10;

/// Takes a socket, if there is room for one more.
pub async fn open(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(room) = Arc::clone(&shared.sockets).try_acquire_owned() else {
        return refuse(
            StatusCode::SERVICE_UNAVAILABLE,
            "there are too many sockets",
        );
    };
    upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(move |socket| converse(socket, shared, room))
}

/// Why a socket is closed.
type Farewell = (u16, &'static str);

/// Speaks with a page until either end has had enough.
async fn converse(mut socket: WebSocket, shared: Arc<Shared>, room: OwnedSemaphorePermit) {
    let farewell = match timeout(shared.terms.patience, socket.recv()).await {
        Ok(Some(Ok(Message::Text(shown)))) if shared.token.is(&shown) => {
            sessions(&mut socket, &shared.terms).await
        }
        _ => Some((close_code::POLICY, "token")),
    };
    if let Some((code, reason)) = farewell {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        let close = socket.send(Message::Close(Some(frame)));
        drop(timeout(shared.terms.patience, close).await);
    }
    drop(room);
}

/// One session after the other: another takes the place of one that fails.
async fn sessions(socket: &mut WebSocket, terms: &Terms) -> Option<Farewell> {
    let mut greeting = "info string welcome".to_string();
    for _ in 0..MOST_FAILURES {
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
        let failure = match relay(socket, near, ended).await {
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
    mut near: Near,
    mut ended: oneshot::Receiver<io::Result<u64>>,
) -> ControlFlow<Option<Farewell>, End> {
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
                    // A session that is over hears nothing more.
                    if let Err(TrySendError::Full(_)) = near.say.try_send(line.to_string()) {
                        return goodbye(close_code::POLICY, "too many lines");
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => return goodbye(close_code::UNSUPPORTED, "text only"),
                // What was too long was refused before it was read.
                Some(Err(_)) => return goodbye(close_code::SIZE, "too long"),
                Some(Ok(Message::Close(_))) | None => return ControlFlow::Break(None),
            },
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
fn run(far: Far, terms: Terms) -> io::Result<u64> {
    let Terms {
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
