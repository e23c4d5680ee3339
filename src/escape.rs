//! Escapes text from outside before it is printed: file contents, file names and arguments.
//!
//! Characters that end a line, move the cursor, change the direction of text or are invisible become escapes such
//! as `\u001b`. Escapes have the form of JSON strings, so a JSON text keeps its meaning. All other characters are
//! unchanged.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::str;

/// Returns `true` if `c` can end a line or if a terminal may interpret, reorder or hide it: control characters,
/// line and paragraph separators, and the default-ignorable and format characters of Unicode 16.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Returns `text` as a single line that is safe to print.
pub fn escaped(text: &str) -> Cow<'_, str> {
    escaped_unless(text, |_| false)
}

/// Returns `text` safe to print, keeping its line feeds.
pub(crate) fn escaped_lines(text: &str) -> Cow<'_, str> {
    escaped_unless(text, |c| c == '\n')
}

fn escaped_unless(text: &str, is_kept: fn(char) -> bool) -> Cow<'_, str> {
    let is_escaped = |c: char| is_unsafe(c) && !is_kept(c);
    if !text.chars().any(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// Returns a file name as a single line that is safe to print. Bytes that are not UTF-8 become U+FFFD.
pub fn path_name(path: &Path) -> String {
    escaped(&path.to_string_lossy()).into_owned()
}

/// A writer to `inner` that escapes its text, except line feeds. Bytes that are not UTF-8 become U+FFFD.
#[derive(Debug)]
pub struct EscapingWriter<W> {
    inner: W,
    /// The bytes of an incomplete UTF-8 character.
    partial: Vec<u8>,
    /// `true` if escape sequences that set colors pass unchanged.
    keeps_colors: bool,
}

impl<W: Write> EscapingWriter<W> {
    /// Creates a writer to `inner`.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            partial: Vec::new(),
            keeps_colors: false,
        }
    }

    /// Passes escape sequences that set colors (`ESC [ … m`) unchanged if `keeps_colors`. For terminals.
    #[must_use]
    pub fn with_colors(mut self, keeps_colors: bool) -> Self {
        self.keeps_colors = keeps_colors;
        self
    }

    fn escape(&self, text: &str) -> String {
        if !self.keeps_colors {
            return escaped_lines(text).into_owned();
        }
        let mut parts = text.split('\u{1b}');
        let mut safe = escaped_lines(parts.next().unwrap_or_default()).into_owned();
        for part in parts {
            let colors = part.strip_prefix('[').and_then(|rest| rest.split_once('m'));
            let is_color = |colors: &str| colors.bytes().all(|c| c.is_ascii_digit() || c == b';');
            safe += if colors.is_some_and(|(colors, _)| is_color(colors)) {
                "\u{1b}"
            } else {
                "\\u001b"
            };
            safe += &escaped_lines(part);
        }
        safe
    }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~');
        if self.partial.is_empty() && bytes.iter().all(is_plain) {
            return self.inner.write(bytes);
        }
        let mut pending = std::mem::take(&mut self.partial);
        pending.extend_from_slice(bytes);
        let (mut rest, mut safe) = (pending.as_slice(), String::new());
        while let Err(error) = str::from_utf8(rest) {
            let (text, after) = rest.split_at(error.valid_up_to());
            safe += &self.escape(&String::from_utf8_lossy(text));
            rest = after;
            let Some(length) = error.error_len() else {
                break;
            };
            safe.push(char::REPLACEMENT_CHARACTER);
            rest = &rest[length..];
        }
        if let Ok(text) = str::from_utf8(rest) {
            safe += &self.escape(text);
        } else {
            self.partial = rest.to_vec();
        }
        self.inner.write_all(safe.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_characters_become_json_escapes() {
        assert_eq!(escaped("a\nbestmove b"), "a\\u000abestmove b");
        assert_eq!(
            escaped("a\u{2028}b\u{85}c\x1b[2J\t\r\x7f\x07"),
            "a\\u2028b\\u0085c\\u001b[2J\\u0009\\u000d\\u007f\\u0007"
        );
        assert_eq!(escaped("\u{202e}evil\u{200b}"), "\\u202eevil\\u200b");
        assert_eq!(escaped("\u{61c}\u{2066}\u{feff}"), "\\u061c\\u2066\\ufeff");
        assert_eq!(escaped("\u{e0041}"), "\\udb40\\udc41");
        assert_eq!(escaped_lines("a\nb\r\n"), "a\nb\\u000d\n");
        for safe_text in ["ஆடு புலி ஆட்டம் – “…”", "info depth 1 pv c1", "it's \\", ""]
        {
            assert_eq!(escaped(safe_text), safe_text);
        }
    }

    #[cfg(feature = "cli")]
    #[test]
    fn escapes_mean_the_same_in_json() {
        let text = "\u{e0041}\u{9b}\u{202e}";
        let json: serde_json::Value =
            serde_json::from_str(&format!("\"{}\"", escaped(text))).unwrap();
        assert_eq!(json, text);
    }

    #[test]
    fn writer_escapes_characters_split_between_writes() {
        let text = "a\u{9b}b\u{202e}c\nd\u{e0041}ஆ\x1b[31mx\x1b[2J";
        for keeps_colors in [false, true] {
            for size in 1..=text.len() {
                let mut out = Vec::new();
                let mut writer = EscapingWriter::new(&mut out).with_colors(keeps_colors);
                let pieces = text.as_bytes().chunks(size);
                // A color sequence passes only if it arrives in one piece.
                let is_colored = keeps_colors && size == text.len();
                for piece in pieces {
                    writer.write_all(piece).unwrap();
                }
                let color = if is_colored { "\x1b" } else { "\\u001b" };
                let expected = format!("a\\u009bb\\u202ec\nd\\udb40\\udc41ஆ{color}[31mx\\u001b[2J");
                if !keeps_colors || is_colored {
                    assert_eq!(String::from_utf8(out).unwrap(), expected, "{size}");
                }
            }
        }
        let mut out = Vec::new();
        EscapingWriter::new(&mut out)
            .write_all(b"a\xffb\x9b\n")
            .unwrap();
        assert_eq!(out, "a\u{fffd}b\u{fffd}\n".as_bytes());
    }
}
