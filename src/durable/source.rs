//! Regular files opened for reading. A file's size is checked before memory is allocated for its content.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::zeroed;
use crate::error::EngineError;
use crate::escape::path_name;

/// The byte order mark, which some editors write at the start of a text file. It is not part of the text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Maximum length of a line that [`Source::lines`] reads, in bytes. No text file of Puli has longer lines.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// A regular file opened for reading.
#[derive(Debug)]
pub struct Source {
    file: File,
    path: PathBuf,
    /// The length of the file in bytes when it was opened.
    length: u64,
}

impl Source {
    /// Opens a regular file. Does not block, even if `path` is a pipe.
    ///
    /// # Errors
    /// `InvalidInput` if the path is a folder, a pipe, a terminal or a device; or the error of opening the file.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Check the type before opening, because opening a device can have side effects. Check it again afterwards,
        // because the file may have been replaced in the meantime.
        require_regular(&fs::metadata(path)?)?;
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            libc::O_NONBLOCK | libc::O_NOCTTY,
        );
        let file = options.open(path)?;
        let metadata = file.metadata()?;
        require_regular(&metadata)?;
        Ok(Self {
            file,
            path: path.to_path_buf(),
            length: metadata.len(),
        })
    }

    /// Opens a file that must exist. The error names the file.
    pub fn named(path: &Path) -> Result<Self, EngineError> {
        Self::open(path).map_err(|error| read_error(path, &error))
    }

    /// Opens a file, or returns `None` if it does not exist. The error names the file.
    pub fn find(path: &Path) -> Result<Option<Self>, EngineError> {
        match Self::open(path) {
            Ok(source) => Ok(Some(source)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(read_error(path, &error)),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length of the file in bytes, at the time it was opened.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Checks that the file has at most `max` bytes. Returns the file unchanged, so that calls can be chained.
    ///
    /// # Errors
    /// If the file has more than `max` bytes. The error names the file, its size and the limit.
    pub(crate) fn at_most(self, max: u64) -> Result<Self, EngineError> {
        if self.length <= max {
            return Ok(self);
        }
        Err(EngineError::new(format!(
            "{} is too large: it has {} bytes, and at most {max} are read",
            path_name(&self.path),
            self.length
        )))
    }

    /// Returns all bytes of the file.
    ///
    /// # Errors
    /// If the file has more than `max` bytes or cannot be read. The error names the file.
    pub fn bytes(self, max: u64) -> Result<Vec<u8>, EngineError> {
        let source = self.at_most(max)?;
        source.read(0, source.length as usize)
    }

    /// Returns the text of the file without a byte order mark.
    ///
    /// # Errors
    /// If the file has more than `max` bytes, cannot be read, or is not UTF-8. The error names the file. If the file is
    /// not UTF-8, it also names the line of the first wrong byte.
    pub fn text(self, max: u64) -> Result<String, EngineError> {
        let path = self.path.clone();
        let text = String::from_utf8(self.bytes(max)?).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.split(|&byte| byte == b'\n').count();
            EngineError::new(format!("{}, line {line}: expected UTF-8", path_name(&path)))
        })?;
        Ok(match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => rest.to_string(),
            None => text,
        })
    }

    /// Returns the lines of the file with their numbers, from 1, and without a byte order mark.
    ///
    /// # Errors
    /// If the file has more than `max` bytes.
    pub fn lines(self, max: u64) -> Result<Lines, EngineError> {
        let source = self.at_most(max)?;
        Ok(Lines {
            input: BufReader::new(source.file),
            path: source.path,
            number: 0,
        })
    }

    /// Fills `bytes` with the bytes of the file from `offset` on.
    ///
    /// # Errors
    /// If the bytes cannot be read. The error names the file.
    pub(crate) fn read_into(&self, offset: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        read_exact_at(&self.file, bytes, offset).map_err(|error| read_error(&self.path, &error))
    }

    /// Returns `length` bytes of the file from `offset` on. Allocates memory only if the file is long enough.
    ///
    /// # Errors
    /// If the file is too short, cannot be read, or the memory cannot be allocated. The error names the file.
    pub fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, EngineError> {
        let end = offset.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(read_error(&self.path, &io::ErrorKind::UnexpectedEof.into()));
        }
        let mut bytes = zeroed(length)
            .map_err(|error| EngineError::new(format!("{}: {error}", path_name(&self.path))))?;
        self.read_into(offset, &mut bytes)?;
        Ok(bytes)
    }
}

/// An iterator over the lines of a text file. Each error names the file and the line.
#[derive(Debug)]
pub struct Lines {
    input: BufReader<File>,
    path: PathBuf,
    /// The number of the last line that was read, from 1, or 0 before the first line.
    number: usize,
}

impl Lines {
    /// Reads the next line, without its line break. Returns `None` at the end of the file.
    fn read(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let mut input = (&mut self.input).take(MAX_LINE_BYTES + 1);
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() as u64 > MAX_LINE_BYTES {
            return Err(io::Error::other(format!(
                "it has more than {MAX_LINE_BYTES} bytes"
            )));
        }
        let mut line = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))?;
        if line.ends_with('\n') {
            line.pop();
            if line.ends_with('\r') {
                line.pop();
            }
        }
        if self.number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.remove(0);
        }
        Ok(Some(line))
    }
}

impl Iterator for Lines {
    type Item = Result<(usize, String), EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.number += 1;
        let line = self.read().map_err(|error| {
            let path = path_name(&self.path);
            EngineError::new(format!(
                "{path}, line {} cannot be read: {error}",
                self.number
            ))
        });
        line.map(|line| line.map(|line| (self.number, line)))
            .transpose()
    }
}

fn read_error(path: &Path, error: &io::Error) -> EngineError {
    EngineError::new(format!("{} cannot be read: {error}", path_name(path)))
}

fn require_regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "it is not a regular file",
    ))
}

/// Fills `bytes` with the bytes of a file from `offset` on.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
pub(super) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}

/// Writes `bytes` to a file from `offset` on.
#[cfg(unix)]
pub(super) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
pub(super) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

/// Never called: on systems without files, no file can be opened.
#[cfg(not(any(unix, windows)))]
pub(super) fn read_exact_at(_file: &File, _bytes: &mut [u8], _offset: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
