//! A regular file opened for reading. Its size is checked before memory is allocated for its content.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::zeroed;
use crate::error::EngineError;
use crate::escape::path_name;

/// The byte order mark, with which some editors start a text file.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Maximum bytes of a line in [`Source::lines`]. No file of Puli has longer ones.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// A regular file opened for reading.
#[derive(Debug)]
pub struct Source {
    file: File,
    path: PathBuf,
    length: u64,
}

impl Source {
    /// Opens a regular file without blocking.
    ///
    /// # Errors
    /// `InvalidInput` if the path is a folder, a pipe, a terminal or a device.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Opening a device can have side effects, so the type is checked before; and after, since the path may have
        // changed.
        regular(&fs::metadata(path)?)?;
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            libc::O_NONBLOCK | libc::O_NOCTTY,
        );
        let file = options.open(path)?;
        let metadata = file.metadata()?;
        regular(&metadata)?;
        Ok(Self {
            file,
            path: path.to_path_buf(),
            length: metadata.len(),
        })
    }

    /// Opens a file that must exist. The error names the file.
    pub fn named(path: &Path) -> Result<Self, EngineError> {
        Self::open(path).map_err(|error| cannot(path, &error))
    }

    /// Opens a file, or returns `None` if it does not exist. The error names the file.
    pub fn find(path: &Path) -> Result<Option<Self>, EngineError> {
        match Self::open(path) {
            Ok(source) => Ok(Some(source)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(cannot(path, &error)),
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

    /// Fails if the file has more than `max` bytes; the error names the file, its size and the limit.
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

    /// Returns all bytes of the file, which may have at most `max`.
    pub fn bytes(self, max: u64) -> Result<Vec<u8>, EngineError> {
        let source = self.at_most(max)?;
        source.read(0, source.length as usize)
    }

    /// Returns the text of the file, of at most `max` bytes, without a byte order mark.
    ///
    /// # Errors
    /// If the file is larger, cannot be read, or is not UTF-8: the error names the file, and the line of the first
    /// such byte.
    pub fn text(self, max: u64) -> Result<String, EngineError> {
        let path = self.path.clone();
        let text = String::from_utf8(self.bytes(max)?).map_err(|error| {
            let read = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = read.split(|&byte| byte == b'\n').count();
            EngineError::new(format!("{}, line {line}: expected UTF-8", path_name(&path)))
        })?;
        Ok(match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => rest.to_string(),
            None => text,
        })
    }

    /// Returns the lines of the file, of at most `max` bytes, with their numbers from 1 and without a byte order mark.
    pub fn lines(self, max: u64) -> Result<Lines, EngineError> {
        let source = self.at_most(max)?;
        Ok(Lines {
            input: BufReader::new(source.file),
            path: source.path,
            number: 0,
        })
    }

    /// Fills `bytes` from offset `position`. The error names the file.
    pub(crate) fn read_into(&self, position: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        read_exact_at(&self.file, bytes, position).map_err(|error| cannot(&self.path, &error))
    }

    /// Returns `length` bytes from offset `position`. Allocates memory only if the file is long enough.
    pub fn read(&self, position: u64, length: usize) -> Result<Vec<u8>, EngineError> {
        let ends = position.checked_add(length as u64);
        if ends.is_none_or(|ends| ends > self.length) {
            return Err(cannot(&self.path, &io::ErrorKind::UnexpectedEof.into()));
        }
        let mut bytes = zeroed(length)
            .map_err(|error| EngineError::new(format!("{}: {error}", path_name(&self.path))))?;
        self.read_into(position, &mut bytes)?;
        Ok(bytes)
    }
}

/// The lines of a text file. Each error names the file and the line.
#[derive(Debug)]
pub struct Lines {
    input: BufReader<File>,
    path: PathBuf,
    number: usize,
}

impl Lines {
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

fn cannot(path: &Path, error: &io::Error) -> EngineError {
    EngineError::new(format!("{} cannot be read: {error}", path_name(path)))
}

fn regular(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "it is not a regular file",
    ))
}

#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, bytes: &mut [u8], position: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, position)
}

#[cfg(windows)]
pub(super) fn read_exact_at(
    file: &File,
    mut bytes: &mut [u8],
    mut position: u64,
) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, position)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        position += read as u64;
    }
    Ok(())
}
