//! Tables that grow row by row, for people and for programs.

use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::{Map, Value};

use crate::escape::escaped;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Columns for a terminal.
    Table,
    /// Markdown.
    Markdown,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
    /// An array of objects.
    Json,
}

/// The widest table for a terminal, in characters, if not all columns are asked for.
pub const MAX_WIDTH: usize = 80;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The heading, and in JSON the key.
    pub name: &'static str,
    /// The least width of its cells on a terminal, in characters.
    pub width: usize,
    /// Whether it holds numbers, which stand to the right.
    pub is_number: bool,
    /// Whether a table for a terminal has it. The other formats have every column.
    pub is_shown: bool,
}

/// Spaces between two columns of a table for a terminal.
const GAP: usize = 2;

impl Column {
    /// A column of words.
    pub const fn words(name: &'static str, width: usize) -> Self {
        Self {
            name,
            width,
            is_number: false,
            is_shown: true,
        }
    }

    /// A column of numbers.
    pub const fn numbers(name: &'static str, width: usize) -> Self {
        Self {
            name,
            width,
            is_number: true,
            is_shown: true,
        }
    }

    /// Returns the width of its cells on a terminal, in characters.
    fn cell_width(&self) -> usize {
        self.width.max(self.name.len())
    }
}

/// Returns the width of a table for a terminal, in characters.
pub fn width(columns: &[Column]) -> usize {
    let shown = columns.iter().filter(|column| column.is_shown);
    let cells: usize = shown.map(|column| column.cell_width() + GAP).sum();
    cells.saturating_sub(GAP)
}

/// Returns a number in at most `width` characters: with the decimals that fit, or else as a power of ten.
pub fn compact(number: f64, width: usize) -> String {
    let texts = (0..=2).rev().map(|decimals| {
        let scale = 10_f64.powi(decimals);
        ((number * scale).round() / scale).to_string()
    });
    let powers = (0..=2)
        .rev()
        .map(|decimals| format!("{number:.decimals$e}"));
    let mut texts = texts.chain(powers);
    let fitting = texts.find(|text| text.len() <= width);
    fitting.unwrap_or_else(|| "#".repeat(width))
}

/// Returns `text` in at most `width` characters, of which the last is an ellipsis if it is cut.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.into();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// Breaks a text between its words into lines of at most `width` characters. A longer word has a line of its own.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.into()),
        }
    }
    lines.join("\n")
}

/// A table being written. Every row is flushed as it comes.
pub struct TableWriter<'a> {
    out: &'a mut dyn Write,
    format: Format,
    columns: &'a [Column],
    rows: usize,
    /// Whether no cell of a table for a terminal may be wider than its column.
    is_fixed: bool,
}

impl<'a> TableWriter<'a> {
    /// A table with this head, which is written at once.
    pub fn new(out: &'a mut dyn Write, format: Format, columns: &'a [Column]) -> io::Result<Self> {
        let mut table = Self {
            out,
            format,
            columns,
            rows: 0,
            is_fixed: false,
        };
        let names: Vec<Value> = columns.iter().map(|column| column.name.into()).collect();
        match format {
            Format::Table => table.write_aligned(&names)?,
            Format::Markdown => {
                table.write_markdown(&names)?;
                let rules: Vec<Value> = columns.iter().map(|_| "---".into()).collect();
                table.write_markdown(&rules)?;
            }
            Format::Csv => table.write_separated(&names)?,
            Format::Json => table.out.write_all(b"[")?,
        }
        table.out.flush()?;
        Ok(table)
    }

    /// Shortens every cell of a table for a terminal that is wider than its column.
    pub fn fix_widths(&mut self) {
        self.is_fixed = true;
    }

    /// Writes a paragraph below a table for a person, in lines of at most 80 characters. Other formats omit it.
    pub fn note(&mut self, text: &str) -> io::Result<()> {
        match self.format {
            Format::Table => writeln!(self.out, "{}", wrapped(text, MAX_WIDTH)),
            Format::Markdown => writeln!(self.out, "\n{text}"),
            Format::Csv | Format::Json => Ok(()),
        }
    }

    /// Writes a row: a cell for every column, strings or numbers, null for nothing.
    pub fn row(&mut self, cells: &[Value]) -> io::Result<()> {
        match self.format {
            Format::Table => self.write_aligned(cells)?,
            Format::Markdown => self.write_markdown(cells)?,
            Format::Csv => self.write_separated(cells)?,
            Format::Json => {
                let names = self.columns.iter().map(|column| column.name.to_string());
                let object: Map<String, Value> = names.zip(cells.iter().cloned()).collect();
                let separator = if self.rows > 0 { ",\n " } else { "\n " };
                write!(self.out, "{separator}{}", Value::Object(object))?;
            }
        }
        self.rows += 1;
        self.out.flush()
    }

    /// Ends the table.
    pub fn finish(self) -> io::Result<()> {
        if self.format == Format::Json {
            writeln!(self.out, "\n]")?;
        }
        self.out.flush()
    }

    fn write_aligned(&mut self, cells: &[Value]) -> io::Result<()> {
        let mut line = String::new();
        let shown_columns = cells.iter().zip(self.columns);
        for (cell, column) in shown_columns.filter(|(_, column)| column.is_shown) {
            let (mut text, width) = (shown(cell), column.cell_width());
            if self.is_fixed {
                text = match cell.as_f64() {
                    Some(number) if text.len() > width => compact(number, width),
                    _ => shortened(&text, width),
                };
            }
            line += &if column.is_number {
                format!("{text:>width$}  ")
            } else {
                format!("{text:<width$}  ")
            };
        }
        writeln!(self.out, "{}", line.trim_end())
    }

    fn write_markdown(&mut self, cells: &[Value]) -> io::Result<()> {
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| shown(cell).replace('|', "\\|"))
            .collect();
        writeln!(self.out, "| {} |", cells.join(" | "))
    }

    fn write_separated(&mut self, cells: &[Value]) -> io::Result<()> {
        let quote = |text: String| {
            let needs_quotes = text.contains([',', '"', '\n', '\r']);
            if needs_quotes {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text
            }
        };
        let cells: Vec<String> = cells.iter().map(|cell| quote(shown(cell))).collect();
        writeln!(self.out, "{}", cells.join(","))
    }
}

fn shown(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => escaped(text).into_owned(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        other => other.to_string(),
    }
}
