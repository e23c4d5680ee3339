//! Writes tables for terminals, in Markdown, CSV or JSON. Each row appears as soon as it is written.

use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::{Map, Value};

use crate::escape::escaped;

/// The format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns for a terminal.
    Table,
    /// Markdown.
    Markdown,
    /// Comma-separated values with a header line (RFC 4180).
    Csv,
    /// A JSON array of objects.
    Json,
}

/// Maximum width of a terminal table that omits columns, in characters.
pub(crate) const MAX_WIDTH: usize = 80;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// The heading, which is also the JSON key.
    pub name: &'static str,
    /// Minimum width of the column's cells on a terminal, in characters.
    pub width: usize,
    /// `true` if the cells are numbers, which are aligned right.
    pub is_number: bool,
    /// `true` if terminal tables have the column. The other formats have every column.
    pub(crate) is_shown: bool,
}

/// Spaces between two columns of a terminal table.
const GAP: usize = 2;

impl Column {
    /// Returns a column of text.
    pub(crate) const fn text(name: &'static str, width: usize) -> Self {
        Self {
            name,
            width,
            is_number: false,
            is_shown: true,
        }
    }

    /// Returns a column of numbers.
    pub(crate) const fn number(name: &'static str, width: usize) -> Self {
        Self {
            name,
            width,
            is_number: true,
            is_shown: true,
        }
    }

    /// Returns the width of the column's cells on a terminal, in characters.
    fn cell_width(&self) -> usize {
        self.width.max(self.name.len())
    }
}

/// Returns the width of a terminal table, in characters.
pub(crate) fn width(columns: &[Column]) -> usize {
    let visible = columns.iter().filter(|column| column.is_shown);
    let cells: usize = visible.map(|column| column.cell_width() + GAP).sum();
    cells.saturating_sub(GAP)
}

/// Formats a number in at most `width` characters: with at most two decimals if it fits, otherwise in scientific
/// notation with at most two decimals, otherwise as `#` signs.
pub(crate) fn compact(number: f64, width: usize) -> String {
    let decimal_texts = (0..=2).rev().map(|decimals| {
        let scale = 10_f64.powi(decimals);
        ((number * scale).round() / scale).to_string()
    });
    let scientific_texts = (0..=2)
        .rev()
        .map(|decimals| format!("{number:.decimals$e}"));
    let mut texts = decimal_texts.chain(scientific_texts);
    let fitting = texts.find(|text| text.len() <= width);
    fitting.unwrap_or_else(|| "#".repeat(width))
}

/// Returns `text` cut to `width` characters, with an ellipsis.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.into();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// Wraps a text at spaces into lines of at most `width` characters. A longer word gets its own line.
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

/// A writer of a table, which flushes the output after each row.
pub(crate) struct TableWriter<'a> {
    out: &'a mut dyn Write,
    format: Format,
    columns: &'a [Column],
    rows: usize,
    /// `true` if cells on a terminal are cut to the width of their column.
    is_fixed: bool,
}

impl<'a> TableWriter<'a> {
    /// Starts a table and writes its headings.
    pub(crate) fn new(
        out: &'a mut dyn Write,
        format: Format,
        columns: &'a [Column],
    ) -> io::Result<Self> {
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
            Format::Csv => table.write_csv(&names)?,
            Format::Json => table.out.write_all(b"[")?,
        }
        table.out.flush()?;
        Ok(table)
    }

    /// Cuts every further terminal cell to the width of its column.
    pub(crate) fn fix_widths(&mut self) {
        self.is_fixed = true;
    }

    /// Writes a paragraph below a terminal table, wrapped at 80 characters, or a Markdown table. Omits it in other
    /// formats.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        match self.format {
            Format::Table => writeln!(self.out, "{}", wrapped(text, MAX_WIDTH)),
            Format::Markdown => writeln!(self.out, "\n{text}"),
            Format::Csv | Format::Json => Ok(()),
        }
    }

    /// Writes a row with one cell per column. A null cell is empty.
    pub(crate) fn row(&mut self, cells: &[Value]) -> io::Result<()> {
        match self.format {
            Format::Table => self.write_aligned(cells)?,
            Format::Markdown => self.write_markdown(cells)?,
            Format::Csv => self.write_csv(cells)?,
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
    pub(crate) fn finish(self) -> io::Result<()> {
        if self.format == Format::Json {
            writeln!(self.out, "\n]")?;
        }
        self.out.flush()
    }

    fn write_aligned(&mut self, cells: &[Value]) -> io::Result<()> {
        let mut line = String::new();
        let shown_columns = cells.iter().zip(self.columns);
        for (cell, column) in shown_columns.filter(|(_, column)| column.is_shown) {
            let (mut text, width) = (cell_text(cell), column.cell_width());
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
            .map(|cell| cell_text(cell).replace('|', "\\|"))
            .collect();
        writeln!(self.out, "| {} |", cells.join(" | "))
    }

    fn write_csv(&mut self, cells: &[Value]) -> io::Result<()> {
        let quote = |text: String| {
            let needs_quotes = text.contains([',', '"', '\n', '\r']);
            if needs_quotes {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text
            }
        };
        let cells: Vec<String> = cells.iter().map(|cell| quote(cell_text(cell))).collect();
        writeln!(self.out, "{}", cells.join(","))
    }
}

/// Returns the text of a cell in all formats but JSON.
fn cell_text(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => escaped(text).into_owned(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        other => other.to_string(),
    }
}
