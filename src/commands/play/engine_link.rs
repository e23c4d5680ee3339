//! The protocol underneath: a session in a thread of its own, spoken to line by line, and the log of what is said.

use std::io::{self, BufRead, BufReader, Lines, PipeReader, PipeWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::catalog;
use crate::commands::Failure;
use crate::escape::escaped;
use crate::protocol::options::Bounds;
use crate::session::Session;
use crate::settings::Settings;

/// Where what is said is written too.
pub type Log = Box<dyn Write + Send>;

/// The way to the session, for the game and for the thread that hears signals.
pub struct Speaker {
    input: PipeWriter,
    log: Arc<Mutex<Option<Log>>>,
}

impl Speaker {
    /// Says a line.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        note(&self.log, '>', line)?;
        self.input.write_all(format!("{line}\n").as_bytes())
    }
}

fn note(log: &Mutex<Option<Log>>, direction: char, line: &str) -> io::Result<()> {
    match &mut *log.lock().unwrap_or_else(PoisonError::into_inner) {
        None => Ok(()),
        Some(log) => writeln!(log, "{direction} {}", escaped(line)),
    }
}

/// A session and the way to it.
pub struct EngineLink {
    speaker: Speaker,
    lines: Lines<BufReader<PipeReader>>,
}

impl EngineLink {
    /// Starts a session with these options.
    ///
    /// # Errors
    /// When there is no engine for them, or the system has no pipes or threads.
    pub fn start(settings: &Settings, log: Option<Log>) -> Result<Self, Failure> {
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
            speaker: Speaker {
                input,
                log: Arc::new(Mutex::new(log)),
            },
            lines: BufReader::new(output).lines(),
        })
    }

    /// Returns another way to say lines to the same session.
    pub fn speaker(&self) -> io::Result<Speaker> {
        Ok(Speaker {
            input: self.speaker.input.try_clone()?,
            log: Arc::clone(&self.speaker.log),
        })
    }

    /// Says some lines, and returns the answers up to the first that begins with `last`, and that one.
    pub fn ask(&mut self, lines: &[&str], last: &str) -> io::Result<Vec<String>> {
        for line in lines {
            self.speaker.say(line)?;
        }
        self.hear(last)
    }

    /// Returns the answers up to the first that begins with `last`, and that one.
    pub fn hear(&mut self, last: &str) -> io::Result<Vec<String>> {
        let mut answers = Vec::new();
        loop {
            let answer = self.lines.next();
            let answer = answer.ok_or_else(|| io::Error::other("the engine has gone"))??;
            note(&self.speaker.log, '<', &answer)?;
            let is_last = answer.starts_with(last);
            answers.push(answer);
            if is_last {
                return Ok(answers);
            }
        }
    }
}
