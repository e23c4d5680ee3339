//! How files begin that say in words what they hold.
//!
//! ```text
//! magic, version, length of the text, the text, checksum of all these     (numbers are little-endian)
//! ```

use super::{CHECKSUM, Source, seal, unseal};
use crate::error::Refusal;

/// Bytes before the text.
const BEFORE_TEXT: usize = 16;
/// The longest text that is believed.
const LONGEST_TEXT: u32 = 1 << 16;

/// A kind of files.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What they all begin with.
    pub magic: [u8; 8],
    /// Which of their formats this is.
    pub version: u32,
}

/// Why a file is none of a kind.
#[derive(Debug)]
pub enum Disbelief {
    /// It begins like something else.
    Foreign,
    /// It is of another version.
    Version(u32),
    /// It is one, but not as it was written.
    Damaged,
    /// It cannot be read at all.
    Unreadable(Refusal),
}

impl Kind {
    /// How a file with this text begins.
    pub fn header(&self, text: &str) -> Vec<u8> {
        let mut header = self.magic.to_vec();
        header.extend(self.version.to_le_bytes());
        header.extend((text.len() as u32).to_le_bytes());
        header.extend(text.as_bytes());
        seal(&mut header);
        header
    }

    /// The text that a file begins with, and where what follows it begins.
    pub fn read(&self, source: &Source) -> Result<(String, usize), Disbelief> {
        let length = source.length().min(BEFORE_TEXT as u64) as usize;
        let start = source.read(0, length).map_err(Disbelief::Unreadable)?;
        if length < BEFORE_TEXT {
            let is_begun =
                length > 0 && (start.starts_with(&self.magic) || self.magic.starts_with(&start));
            return Err(if is_begun {
                Disbelief::Damaged
            } else {
                Disbelief::Foreign
            });
        }
        if !start.starts_with(&self.magic) {
            return Err(Disbelief::Foreign);
        }
        let number = |at: usize| {
            u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]])
        };
        if number(8) != self.version {
            return Err(Disbelief::Version(number(8)));
        }
        let length = BEFORE_TEXT + number(12) as usize + CHECKSUM;
        if number(12) > LONGEST_TEXT || length as u64 > source.length() {
            return Err(Disbelief::Damaged);
        }
        let header = source.read(0, length).map_err(Disbelief::Unreadable)?;
        let text =
            unseal(&header).and_then(|header| std::str::from_utf8(&header[BEFORE_TEXT..]).ok());
        text.map_or(Err(Disbelief::Damaged), |text| Ok((text.into(), length)))
    }
}
