//! The header of table files, checkpoint files and journals. It contains a text that describes the content.
//!
//! ```text
//! magic (8 bytes), version (u32), length of the text in bytes (u32), text, CRC-32 of all preceding bytes (u32)
//! ```
//!
//! The numbers are little-endian. The magic is 8 fixed bytes that identify the file format.

use super::{CHECKSUM_BYTES, Source, append_checksum, strip_checksum};
use crate::error::EngineError;

/// Number of bytes before the text.
const PREFIX_BYTES: usize = 16;
/// Maximum length of the text in bytes. A larger number in the header counts as damage.
pub(crate) const MAX_TEXT_BYTES: u32 = 1 << 16;

/// The identification of a file format.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// The first bytes of every file of this format.
    pub magic: [u8; 8],
    /// The version of the format.
    pub version: u32,
}

/// The reason why a header cannot be read.
#[derive(Debug)]
pub enum HeaderError {
    /// The file has another magic, so it belongs to another format.
    Foreign,
    /// The magic is right, but the file has a different version of the format.
    Version(u32),
    /// The magic and the version are right, but the header is damaged or incomplete.
    Damaged,
    /// The file cannot be read.
    Unreadable(EngineError),
}

impl FileFormat {
    /// Returns the bytes of the header that contains `text`.
    pub fn header(&self, text: &str) -> Vec<u8> {
        let mut header = self.magic.to_vec();
        header.extend(self.version.to_le_bytes());
        header.extend((text.len() as u32).to_le_bytes());
        header.extend(text.as_bytes());
        append_checksum(&mut header);
        header
    }

    /// Reads and checks the header of a file. Returns the header's text and its length in bytes, which is the offset of
    /// the file's content.
    pub fn read(&self, source: &Source) -> Result<(String, usize), HeaderError> {
        let length = source.length().min(PREFIX_BYTES as u64) as usize;
        let start = source.read(0, length).map_err(HeaderError::Unreadable)?;
        if length < PREFIX_BYTES {
            let is_truncated =
                length > 0 && (start.starts_with(&self.magic) || self.magic.starts_with(&start));
            return Err(if is_truncated {
                HeaderError::Damaged
            } else {
                HeaderError::Foreign
            });
        }
        if !start.starts_with(&self.magic) {
            return Err(HeaderError::Foreign);
        }
        let number = |offset: usize| {
            u32::from_le_bytes([
                start[offset],
                start[offset + 1],
                start[offset + 2],
                start[offset + 3],
            ])
        };
        if number(8) != self.version {
            return Err(HeaderError::Version(number(8)));
        }
        let length = PREFIX_BYTES + number(12) as usize + CHECKSUM_BYTES;
        if number(12) > MAX_TEXT_BYTES || length as u64 > source.length() {
            return Err(HeaderError::Damaged);
        }
        let header = source.read(0, length).map_err(HeaderError::Unreadable)?;
        let text = strip_checksum(&header)
            .and_then(|header| std::str::from_utf8(&header[PREFIX_BYTES..]).ok());
        text.map_or(Err(HeaderError::Damaged), |text| Ok((text.into(), length)))
    }
}

/// Returns a message about the first line of the header's `text` that differs from `expected`. Returns `None` if `text`
/// starts with all lines of `expected`.
pub(crate) fn first_difference(expected: &str, text: &str) -> Option<String> {
    let mut lines = text.lines();
    let mut pairs = expected
        .lines()
        .map(|expected| (expected, lines.next().unwrap_or_default()));
    let (expected, line) = pairs.find(|(expected, line)| line != expected)?;
    Some(format!(
        "is of another game: it says '{line}', not '{expected}'"
    ))
}
