//! A protocol session in its own thread. The game sends commands and reads answers through two pipes, and can log both.

use std::io::{self, BufRead, BufReader, Lines, PipeReader, PipeWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::catalog;
use crate::commands::Failure;
use crate::escape::escaped;
use crate::protocol::options::Bounds;
use crate::session::Session;
use crate::settings::Settings;

/// The output to which commands and answers are copied.
pub(super) type Log = Box<dyn Write + Send>;

/// The sending end of the link. The signal handler has another sending end, to stop a search.
pub(crate) struct CommandSender {
    input: PipeWriter,
    log: Arc<Mutex<Option<Log>>>,
}

impl CommandSender {
    /// Sends a command line.
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        log_line(&self.log, '>', line)?;
        self.input.write_all(format!("{line}\n").as_bytes())
    }
}

fn log_line(log: &Mutex<Option<Log>>, direction: char, line: &str) -> io::Result<()> {
    match &mut *log.lock().unwrap_or_else(PoisonError::into_inner) {
        None => Ok(()),
        Some(log) => writeln!(log, "{direction} {}", escaped(line)),
    }
}

/// The link to a session: sends commands and receives answers.
pub(crate) struct EngineLink {
    sender: CommandSender,
    lines: Lines<BufReader<PipeReader>>,
}

impl EngineLink {
    /// Starts a session with `settings`. Copies all lines to `log`.
    ///
    /// # Errors
    /// If the engine cannot be built, or if the system has no more pipes or threads.
    pub(super) fn start(settings: &Settings, log: Option<Log>) -> Result<Self, Failure> {
        let (session_input, input) = io::pipe()?;
        let (output, session_output) = io::pipe()?;
        let session = Session {
            input: BufReader::new(session_input),
            output: session_output,
            is_closed: None,
            settings: settings.clone(),
            engine: catalog::build(settings)?,
            bounds: Bounds::NONE,
            build: catalog::build,
        };
        thread::Builder::new()
            .name("session".into())
            .spawn(move || session.run())?;
        Ok(Self {
            sender: CommandSender {
                input,
                log: Arc::new(Mutex::new(log)),
            },
            lines: BufReader::new(output).lines(),
        })
    }

    /// Returns another sending end of this link.
    pub(super) fn sender(&self) -> io::Result<CommandSender> {
        Ok(CommandSender {
            input: self.sender.input.try_clone()?,
            log: Arc::clone(&self.sender.log),
        })
    }

    /// Sends command lines and returns the answer lines up to and including the first that starts with `last`.
    pub(super) fn ask(&mut self, lines: &[&str], last: &str) -> io::Result<Vec<String>> {
        for line in lines {
            self.sender.send(line)?;
        }
        self.read_until(last)
    }

    /// Returns the answer lines up to and including the first that starts with `last`.
    pub(super) fn read_until(&mut self, last: &str) -> io::Result<Vec<String>> {
        let mut answers = Vec::new();
        loop {
            let answer = self.lines.next();
            let answer = answer.ok_or_else(|| io::Error::other("the engine session ended"))??;
            log_line(&self.sender.log, '<', &answer)?;
            let is_last = answer.starts_with(last);
            answers.push(answer);
            if is_last {
                return Ok(answers);
            }
        }
    }
}
