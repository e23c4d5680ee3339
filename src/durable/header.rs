//! How files begin that say in words what they hold.
//!
//! ```text
//! magic, version, length of the text, the text, checksum of all these     (numbers are little-endian)
//! ```

use super::{CHECKSUM, Source, append_checksum, strip_checksum};
use crate::error::EngineError;

/// Bytes before the text.
const PREFIX_BYTES: usize = 16;
/// The longest text that is believed.
const MAX_TEXT_BYTES: u32 = 1 << 16;

/// A kind of files.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// What they all begin with.
    pub magic: [u8; 8],
    /// Which of their formats this is.
    pub version: u32,
}

/// Why a file is none of a kind.
#[derive(Debug)]
pub enum HeaderError {
    /// It begins like something else.
    Foreign,
    /// It is of another version.
    Version(u32),
    /// It is one, but not as it was written.
    Damaged,
    /// It cannot be read at all.
    Unreadable(EngineError),
}

impl FileFormat {
    /// How a file with this text begins.
    pub fn header(&self, text: &str) -> Vec<u8> {
        let mut header = self.magic.to_vec();
        header.extend(self.version.to_le_bytes());
        header.extend((text.len() as u32).to_le_bytes());
        header.extend(text.as_bytes());
        append_checksum(&mut header);
        header
    }

    /// The text that a file begins with, and where what follows it begins.
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
        let length = PREFIX_BYTES + number(12) as usize + CHECKSUM;
        if number(12) > MAX_TEXT_BYTES || length as u64 > source.length() {
            return Err(HeaderError::Damaged);
        }
        let header = source.read(0, length).map_err(HeaderError::Unreadable)?;
        let text = strip_checksum(&header)
            .and_then(|header| std::str::from_utf8(&header[PREFIX_BYTES..]).ok());
        text.map_or(Err(HeaderError::Damaged), |text| Ok((text.into(), length)))
    }
}
