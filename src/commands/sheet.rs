//! Tables that grow row by row, for people and for programs.

use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::{Map, Value};

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

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The heading, and in JSON the key.
    pub name: &'static str,
    /// The least width of its cells on a terminal, in characters.
    pub width: usize,
    /// Whether it holds numbers, which stand to the right.
    pub is_number: bool,
}

impl Column {
    /// A column of words.
    pub const fn words(name: &'static str, width: usize) -> Self {
        Self {
            name,
            width,
            is_number: false,
        }
    }

    /// A column of numbers.
    pub const fn numbers(name: &'static str, width: usize) -> Self {
        Self {
            name,
            width,
            is_number: true,
        }
    }
}

/// A table being written. Every row is flushed as it comes.
pub struct Sheet<'a> {
    out: &'a mut dyn Write,
    format: Format,
    columns: &'a [Column],
    rows: usize,
}

impl<'a> Sheet<'a> {
    /// A table with this head, which is written at once.
    pub fn new(out: &'a mut dyn Write, format: Format, columns: &'a [Column]) -> io::Result<Self> {
        let mut table = Self {
            out,
            format,
            columns,
            rows: 0,
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
        for (cell, column) in cells.iter().zip(self.columns) {
            let (text, width) = (shown(cell), column.width.max(column.name.len()));
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
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
