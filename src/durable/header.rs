//! The common header of binary files, with a text that describes the content.
//!
//! ```text
//! magic (8 bytes), version (u32), length of the text (u32), text, CRC-32 of all these     (little-endian)
//! ```

use super::{CHECKSUM_BYTES, Source, append_checksum, strip_checksum};
use crate::error::EngineError;

/// Bytes before the text.
const PREFIX_BYTES: usize = 16;
/// Maximum length of the text in bytes. A header with a longer text counts as damaged.
const MAX_TEXT_BYTES: u32 = 1 << 16;

/// A file format: magic and version.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// The first bytes of every such file.
    pub magic: [u8; 8],
    /// The version of the format.
    pub version: u32,
}

/// Why a header cannot be read.
#[derive(Debug)]
pub enum HeaderError {
    /// The file has another magic.
    Foreign,
    /// The file has another version.
    Version(u32),
    /// The magic is right, but the rest is damaged.
    Damaged,
    /// The file cannot be read.
    Unreadable(EngineError),
}

impl FileFormat {
    /// Returns the header with this text.
    pub fn header(&self, text: &str) -> Vec<u8> {
        let mut header = self.magic.to_vec();
        header.extend(self.version.to_le_bytes());
        header.extend((text.len() as u32).to_le_bytes());
        header.extend(text.as_bytes());
        append_checksum(&mut header);
        header
    }

    /// Reads the header. Returns its text and the offset of the content after it.
    pub fn read(&self, source: &Source) -> Result<(String, usize), HeaderError> {
        let length = source.length().min(PREFIX_BYTES as u64) as usize;
        let start = source.read(0, length).map_err(HeaderError::Unreadable)?;
        if length < PREFIX_BYTES {
            let is_begun =
                length > 0 && (start.starts_with(&self.magic) || self.magic.starts_with(&start));
            return Err(if is_begun {
                HeaderError::Damaged
            } else {
                HeaderError::Foreign
            });
        }
        if !start.starts_with(&self.magic) {
            return Err(HeaderError::Foreign);
        }
        let number = |at: usize| {
            u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]])
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
