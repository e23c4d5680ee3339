//! Asks a person for a line: with line editing at a terminal, plainly elsewhere.

use std::io::{self, Write};

use crate::escape::escaped;
use crate::session::input::{self, LineError};

/// Stands at a terminal while the engine searches.
const THINKING: &str = "thinking…";

/// What a person says.
pub enum Input {
    /// A line.
    Line(String),
    /// A line that is no text, or too long.
    Unread(LineError),
    /// That the game ends here: Ctrl-C.
    Leave,
    /// No more: the end of input.
    End,
}

/// Where lines come from.
pub enum Prompt {
    /// A pipe or a file.
    Plain {
        /// Whether no line has been read.
        is_first: bool,
    },
    /// A terminal.
    Edited(Box<rustyline::DefaultEditor>),
}

impl Prompt {
    /// A prompt for a terminal, or for anything else.
    pub fn new(is_terminal: bool) -> io::Result<Self> {
        if !is_terminal {
            return Ok(Self::Plain { is_first: true });
        }
        let config = rustyline::Config::builder().auto_add_history(true).build();
        let editor = rustyline::DefaultEditor::with_config(config).map_err(io::Error::other)?;
        Ok(Self::Edited(Box::new(editor)))
    }

    /// Returns the width of the terminal in columns; none where lines are not wrapped.
    pub fn width(&mut self) -> Option<usize> {
        match self {
            Self::Plain { .. } => None,
            Self::Edited(editor) => editor
                .dimensions()
                .map(|(columns, _)| usize::from(columns))
                .filter(|&columns| columns > 0),
        }
    }

    /// Shows at a terminal that the engine searches.
    pub fn show_thinking(&self) -> io::Result<()> {
        self.write(THINKING)
    }

    /// Removes what [`Prompt::show_thinking`] has written, and the `^C` that a terminal may show behind it.
    pub fn hide_thinking(&self) -> io::Result<()> {
        let blank = " ".repeat(THINKING.chars().count() + 2);
        self.write(&format!("\r{blank}\r"))
    }

    /// Writes to a terminal what other writers would escape.
    fn write(&self, text: &str) -> io::Result<()> {
        if let Self::Plain { .. } = self {
            return Ok(());
        }
        let mut screen = io::stdout();
        write!(screen, "{text}")?;
        screen.flush()
    }

    /// Asks for a line.
    pub fn ask(&mut self, question: &str, out: &mut dyn Write) -> io::Result<Input> {
        match self {
            Self::Plain { is_first } => {
                write!(out, "{question}")?;
                out.flush()?;
                let line = input::read_line(&mut io::stdin().lock())?;
                // What was asked at a terminal ends with what was typed; a pipe shows nothing.
                writeln!(out)?;
                Ok(match line {
                    None => Input::End,
                    Some(mut line) => {
                        if std::mem::take(is_first) {
                            input::skip_mark(&mut line);
                        }
                        line.map_or_else(Input::Unread, Input::Line)
                    }
                })
            }
            Self::Edited(editor) => {
                use rustyline::error::ReadlineError;

                out.flush()?;
                match editor.readline(escaped(question).as_ref()) {
                    Ok(line) => Ok(Input::Line(line)),
                    Err(ReadlineError::Interrupted) => Ok(Input::Leave),
                    Err(ReadlineError::Eof) => Ok(Input::End),
                    Err(ReadlineError::Io(error)) => Err(error),
                    Err(error) => Err(io::Error::other(error)),
                }
            }
        }
    }
}
