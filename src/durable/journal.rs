//! A file to which entries are appended, each with a checksum.
//!
//! A long computation appends its results to a journal. From time to time, it writes a checkpoint file with the length
//! of the journal. After a crash, the journal may end with a partial entry. The computation resumes from the checkpoint
//! and truncates the journal to the recorded length.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::atomic_file::{register_unfinished, unregister_unfinished};
use super::source::read_exact_at;
use super::{
    CHECKSUM_BYTES, FileFormat, HeaderError, Source, append_checksum, strip_checksum, zeroed,
};
use crate::error::{Cause, EngineError};
use crate::escape::path_name;

/// Minimum size of a write, in bytes. Smaller entries are joined. Only the last write of [`Journal::append`] can be
/// smaller.
const MIN_WRITE_BYTES: usize = 1 << 20;

/// A journal that is open for appending and reading.
///
/// A new journal is deleted on drop unless [`Journal::keep`] was called. A resumed journal is kept.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// The number of bytes written, header included.
    length: u64,
    /// `true` if the file remains on the disk after drop.
    is_kept: bool,
}

impl Journal {
    /// Creates a journal whose header contains `text`. Replaces an existing journal of the same format.
    ///
    /// # Errors
    /// If `path` is a file of another format, which is not changed, or if the journal cannot be written.
    pub fn create(path: &Path, format: FileFormat, text: &str) -> Result<Self, EngineError> {
        if Source::find(path)?.is_some_and(|source| !is_replaceable(format, &source)) {
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
            .map_err(|error| io_error(path, &error))?;
        register_unfinished(path);
        let mut journal = Self {
            file,
            path: path.to_path_buf(),
            length: 0,
            is_kept: false,
        };
        journal.write(&format.header(text))?;
        Ok(journal)
    }

    /// Deletes the file at `path` if it is a journal of this format. A failure to delete it is ignored.
    pub(crate) fn remove_at(path: &Path, format: FileFormat) {
        if let Ok(Some(source)) = Source::find(path)
            && is_replaceable(format, &source)
        {
            drop(fs::remove_file(path));
        }
    }

    /// Reopens a journal and truncates it to `length` bytes. Also returns the offset of its first entry.
    ///
    /// # Errors
    /// If the journal is missing, its header does not contain `text`, or it is shorter than `length`.
    pub fn resume(
        path: &Path,
        format: FileFormat,
        text: &str,
        length: u64,
    ) -> Result<(Self, u64), EngineError> {
        let source = Source::find(path)?.ok_or_else(|| journal_error(path, "is missing"))?;
        let offset = match format.read(&source) {
            Ok((found, offset)) if found == text => offset as u64,
            _ => return Err(journal_error(path, "belongs to another run")),
        };
        if !(offset..=source.length()).contains(&length) {
            return Err(journal_error(path, "is shorter than recorded"));
        }
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.and_then(|file| file.set_len(length).map(|()| file));
        let journal = Self {
            file: file.map_err(|error| io_error(path, &error))?,
            path: path.to_path_buf(),
            length,
            is_kept: true,
        };
        Ok((journal, offset))
    }

    /// Returns the current length in bytes, which is also the offset of the next entry.
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

    /// Returns the entry of `length` bytes, without its checksum, at `offset`.
    ///
    /// Returns `None` if the checksum is wrong or the journal is too short.
    pub fn entry(&self, offset: u64, length: u64) -> Result<Option<Vec<u8>>, EngineError> {
        let with_checksum = length.saturating_add(CHECKSUM_BYTES as u64);
        let bytes = self.read(offset, usize::try_from(with_checksum).unwrap_or(usize::MAX))?;
        Ok(bytes.and_then(|mut bytes| {
            let content = strip_checksum(&bytes)?.len();
            bytes.truncate(content);
            Some(bytes)
        }))
    }

    /// Returns `length` bytes at `offset` without checking a checksum, or `None` if the journal is too short.
    pub fn read(&self, offset: u64, length: usize) -> Result<Option<Vec<u8>>, EngineError> {
        let end = offset.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Ok(None);
        }
        let mut bytes = zeroed(length)?;
        read_exact_at(&self.file, &mut bytes, offset)
            .map_err(|error| io_error(&self.path, &error))?;
        Ok(Some(bytes))
    }

    /// Flushes all entries to the disk.
    pub fn sync(&self) -> Result<(), EngineError> {
        let synced = self.file.sync_data();
        synced.map_err(|error| io_error(&self.path, &error))
    }

    /// Keeps the file on the disk after drop. Must be called when a checkpoint refers to the journal.
    pub fn keep(&mut self) {
        if !self.is_kept {
            unregister_unfinished(&self.path);
            self.is_kept = true;
        }
    }

    /// Deletes the file. A failure to delete it is ignored.
    pub fn remove(mut self) {
        self.is_kept = false;
    }

    /// Returns an error whose message is the path of the journal, followed by `what`.
    pub fn error(&self, what: &str) -> EngineError {
        journal_error(&self.path, what)
    }

    /// Writes `bytes` at the end of the journal.
    fn write(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(bytes));
        written.map_err(|error| io_error(&self.path, &error))?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if !self.is_kept {
            unregister_unfinished(&self.path);
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Returns `true` if a journal may replace the file: it is empty, or it has the magic of `format`. Its header may be
/// damaged or of another version.
fn is_replaceable(format: FileFormat, source: &Source) -> bool {
    source.length() == 0 || !matches!(format.read(source), Err(HeaderError::Foreign))
}

fn journal_error(path: &Path, what: &str) -> EngineError {
    EngineError::new(format!("{} {what}", path_name(path)))
}

fn io_error(path: &Path, error: &io::Error) -> EngineError {
    journal_error(path, &format!("cannot be read or written: {error}")).caused_by(Cause::Work)
}
