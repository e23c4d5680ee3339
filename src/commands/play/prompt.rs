//! Reads lines of input, with line editing and history at a terminal.

use std::io::{self, Write};

use crate::escape::escaped;
use crate::session::input::{self, LineError};

/// The text shown at the terminal during a search.
const THINKING: &str = "thinking…";

/// The result of reading a line.
pub(super) enum Input {
    /// A line of text.
    Line(String),
    /// A line that is too long or not UTF-8.
    LineError(LineError),
    /// Ctrl-C.
    Interrupt,
    /// The end of input.
    End,
}

/// The source of lines.
pub(crate) enum Prompt {
    /// A pipe or a file.
    Plain {
        /// `true` before the first line, which may start with a byte order mark.
        is_first: bool,
    },
    /// A terminal.
    Edited(Box<rustyline::DefaultEditor>),
}

impl Prompt {
    /// Creates a prompt with line editing if `is_terminal`.
    pub(super) fn new(is_terminal: bool) -> io::Result<Self> {
        if !is_terminal {
            return Ok(Self::Plain { is_first: true });
        }
        let config = rustyline::Config::builder().auto_add_history(true).build();
        let editor = rustyline::DefaultEditor::with_config(config).map_err(io::Error::other)?;
        Ok(Self::Edited(Box::new(editor)))
    }

    /// Returns the width of the terminal in columns. `None` if the input is no terminal or its width is unknown.
    pub(super) fn width(&mut self) -> Option<usize> {
        match self {
            Self::Plain { .. } => None,
            Self::Edited(editor) => editor
                .dimensions()
                .map(|(columns, _)| usize::from(columns))
                .filter(|&columns| columns > 0),
        }
    }

    /// Shows at a terminal that a search is running.
    pub(crate) fn show_thinking(&self) -> io::Result<()> {
        self.write(THINKING)
    }

    /// Overwrites the text of [`Prompt::show_thinking`], and the `^C` that the terminal prints at Ctrl-C.
    pub(crate) fn hide_thinking(&self) -> io::Result<()> {
        let blank = " ".repeat(THINKING.chars().count() + "^C".len());
        self.write(&format!("\r{blank}\r"))
    }

    /// Writes to the terminal directly, because the game's output escapes control characters such as `\r`. Writes
    /// nothing without a terminal.
    fn write(&self, text: &str) -> io::Result<()> {
        if let Self::Plain { .. } = self {
            return Ok(());
        }
        let mut screen = io::stdout();
        write!(screen, "{text}")?;
        screen.flush()
    }

    /// Prints a question and reads a line.
    pub(super) fn ask(&mut self, question: &str, out: &mut dyn Write) -> io::Result<Input> {
        match self {
            Self::Plain { is_first } => {
                write!(out, "{question}")?;
                out.flush()?;
                let line = input::read_line(&mut io::stdin().lock())?;
                // A pipe does not echo the input, so print the line break after the question.
                writeln!(out)?;
                Ok(match line {
                    None => Input::End,
                    Some(mut line) => {
                        if std::mem::take(is_first) {
                            input::skip_mark(&mut line);
                        }
                        line.map_or_else(Input::LineError, Input::Line)
                    }
                })
            }
            Self::Edited(editor) => {
                use rustyline::error::ReadlineError;

                out.flush()?;
                match editor.readline(escaped(question).as_ref()) {
                    Ok(line) => Ok(Input::Line(line)),
                    Err(ReadlineError::Interrupted) => Ok(Input::Interrupt),
                    Err(ReadlineError::Eof) => Ok(Input::End),
                    Err(ReadlineError::Io(error)) => Err(error),
                    Err(error) => Err(io::Error::other(error)),
                }
            }
        }
    }
}
