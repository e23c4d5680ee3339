//! A file that grows entry by entry, each with a checksum. After a crash it is truncated to the length that a
//! checkpoint recorded.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::atomic_file::{register, release};
use super::source::read_exact_at;
use super::{
    CHECKSUM_BYTES, FileFormat, HeaderError, Source, append_checksum, strip_checksum, zeroed,
};
use crate::error::{Cause, EngineError};
use crate::escape::path_name;

/// Entries are written in pieces of at least this size, in bytes.
const MIN_WRITE_BYTES: usize = 1 << 20;

/// A growing file. It is removed on drop unless [`Journal::keep`] was called.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    length: u64,
    is_kept: bool,
}

impl Journal {
    /// Creates a journal whose header holds `text`, and replaces a journal of the same format.
    ///
    /// # Errors
    /// If the path holds a file of another format, which is left unchanged, or cannot be written.
    pub fn create(path: &Path, kind: FileFormat, text: &str) -> Result<Self, EngineError> {
        if Source::find(path)?.is_some_and(|source| !has_format(kind, &source)) {
            return Err(journal_error(
                path,
                "is not a journal of this kind; not replaced",
            ));
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .map_err(|error| work_error(path, &error))?;
        register(path);
        let mut journal = Self {
            file,
            path: path.to_path_buf(),
            length: 0,
            is_kept: false,
        };
        journal.write(&kind.header(text))?;
        Ok(journal)
    }

    /// Removes the journal at `path` if there is one. A failure to remove it is ignored.
    pub(crate) fn remove_at(path: &Path, kind: FileFormat) {
        if let Ok(Some(source)) = Source::find(path)
            && has_format(kind, &source)
        {
            drop(fs::remove_file(path));
        }
    }

    /// Reopens a journal whose header holds `text` and truncates it to `length` bytes. Also returns the offset of its
    /// first entry.
    ///
    /// # Errors
    /// If the journal is missing, belongs to something else, or is shorter than `length`.
    pub fn resume(
        path: &Path,
        kind: FileFormat,
        text: &str,
        length: u64,
    ) -> Result<(Self, u64), EngineError> {
        let source = Source::find(path)?.ok_or_else(|| journal_error(path, "is missing"))?;
        let offset = match kind.read(&source) {
            Ok((found, offset)) if found == text => offset as u64,
            _ => return Err(journal_error(path, "belongs to another run")),
        };
        if !(offset..=source.length()).contains(&length) {
            return Err(journal_error(path, "is shorter than recorded"));
        }
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.and_then(|file| file.set_len(length).map(|()| file));
        let journal = Self {
            file: file.map_err(|error| work_error(path, &error))?,
            path: path.to_path_buf(),
            length,
            is_kept: true,
        };
        Ok((journal, offset))
    }

    /// Returns the current length in bytes: the offset of the next entry.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Appends `entries`, each with its checksum, and returns the offset of each.
    pub fn append(&mut self, entries: Vec<Vec<u8>>) -> Result<Vec<u64>, EngineError> {
        let (mut offsets, mut buffer) = (Vec::new(), Vec::new());
        for mut entry in entries {
            offsets.push(self.length + buffer.len() as u64);
            append_checksum(&mut entry);
            buffer.append(&mut entry);
            if buffer.len() >= MIN_WRITE_BYTES {
                self.write(&buffer)?;
                buffer.clear();
            }
        }
        self.write(&buffer)?;
        Ok(offsets)
    }

    /// Returns the entry of `length` bytes at `position`, or `None` if it is damaged.
    pub fn entry(&self, position: u64, length: u64) -> Result<Option<Vec<u8>>, EngineError> {
        let with_checksum = length.saturating_add(CHECKSUM_BYTES as u64);
        let bytes = self.read(
            position,
            usize::try_from(with_checksum).unwrap_or(usize::MAX),
        )?;
        Ok(bytes.and_then(|mut bytes| {
            let content = strip_checksum(&bytes)?.len();
            bytes.truncate(content);
            Some(bytes)
        }))
    }

    /// Returns `length` unchecked bytes at `position`, or `None` if the journal is shorter.
    pub fn read(&self, position: u64, length: usize) -> Result<Option<Vec<u8>>, EngineError> {
        let ends = position.checked_add(length as u64);
        if ends.is_none_or(|ends| ends > self.length) {
            return Ok(None);
        }
        let mut bytes = zeroed(length)?;
        read_exact_at(&self.file, &mut bytes, position)
            .map_err(|error| work_error(&self.path, &error))?;
        Ok(Some(bytes))
    }

    /// Flushes all entries to the disk.
    pub fn sync(&self) -> Result<(), EngineError> {
        let synced = self.file.sync_data();
        synced.map_err(|error| work_error(&self.path, &error))
    }

    /// Keeps the file after drop: a checkpoint refers to it.
    pub fn keep(&mut self) {
        if !self.is_kept {
            release(&self.path);
            self.is_kept = true;
        }
    }

    /// Removes the file. A failure to remove it is ignored.
    pub fn remove(mut self) {
        self.is_kept = false;
    }

    /// Returns an error that names the journal.
    pub fn error(&self, what: &str) -> EngineError {
        journal_error(&self.path, what)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(bytes));
        written.map_err(|error| work_error(&self.path, &error))?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if !self.is_kept {
            release(&self.path);
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Returns `true` if a file has the format `kind`, even if damaged, or is empty.
fn has_format(kind: FileFormat, source: &Source) -> bool {
    source.length() == 0 || !matches!(kind.read(source), Err(HeaderError::Foreign))
}

fn journal_error(path: &Path, what: &str) -> EngineError {
    EngineError::new(format!("{} {what}", path_name(path)))
}

fn work_error(path: &Path, error: &io::Error) -> EngineError {
    journal_error(path, &format!("cannot be read or written: {error}")).caused_by(Cause::Work)
}
