//! A session without threads. Its host, for example a worker of a web page, passes one line at a time.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver};

use super::input::{self, MAX_READ_AHEAD_BYTES};
use super::search::SearchThread;
use super::{Dispatcher, Event};
use crate::engine::Build;
use crate::protocol::options::Bounds;
use crate::protocol::reply;
use crate::settings::Settings;

/// A session that executes each line on the caller's thread.
///
/// Only the host can stop a running search, see [`crate::clock`]. After `go infinite` or `go ponder`, the answer of a
/// finished search is held back until the host passes `stop` or `ponderhit`.
pub struct LocalSession {
    dispatcher: Dispatcher,
    events: Receiver<Event>,
}

impl LocalSession {
    /// Starts a session with default settings.
    ///
    /// # Errors
    /// If the engine of the default settings cannot be built.
    pub fn start(output: impl Write + Send + 'static, build: Build) -> io::Result<Self> {
        let settings = Settings::default();
        let engine = build(&settings).map_err(io::Error::other)?;
        let (sender, events) = mpsc::channel();
        let search_thread = SearchThread::none();
        let dispatcher = Dispatcher::new(
            (engine, build),
            (settings, Bounds::NONE),
            search_thread,
            output,
            sender,
        );
        Ok(Self { dispatcher, events })
    }

    /// Rebuilds the engine with its settings and position, if its game is `variant`. The host calls this after it
    /// has provided a packaged file of the game. The new engine uses this file.
    pub fn rebuild_engine_of(&mut self, variant: &str) {
        if self.dispatcher.settings.variant == variant
            && let Some(engine) = self.dispatcher.new_engine()
        {
            self.dispatcher.engine = Some(engine);
        }
    }

    /// Executes a line, given without its line break. Returns `false` once the session has ended.
    pub fn line(&mut self, bytes: &[u8]) -> bool {
        if self.dispatcher.is_over() {
            return false;
        }
        let line = match input::read_line(&mut &*bytes) {
            Ok(Some(line)) => line,
            Ok(None) => Ok(String::new()),
            Err(error) => {
                log::error!("the line cannot be read: {error}");
                return true;
            }
        };
        if !self.dispatcher.read_ahead.try_admit(&line) {
            self.dispatcher.arbiter.on_input_end(reply::TOO_MANY_LINES);
            log::error!("a line is dropped: more than {MAX_READ_AHEAD_BYTES} bytes of lines wait");
            return true;
        }
        self.dispatcher.arbiter.sent();
        let mut next = Some(Event::Line(line));
        while let Some(event) = next {
            if self.dispatcher.proceed(Some(event)).is_err() || self.dispatcher.is_over() {
                return false;
            }
            next = self.events.try_recv().ok();
        }
        true
    }
}

impl std::fmt::Debug for LocalSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LocalSession")
    }
}
