//! A file that grows, entry by entry, each with a checksum; what a run that was cut short added beyond what it is known
//! for is cut off again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::draft::{register, release};
use super::source::read_exact_at;
use super::{CHECKSUM, FileFormat, HeaderError, Source, append_checksum, strip_checksum, zeroed};
use crate::error::{Cause, EngineError};
use crate::escape::path_name;

/// Bytes of entries that are written at once.
const AT_ONCE: usize = 1 << 20;

/// A file that grows. Unless it was kept it is gone when it is dropped.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    length: u64,
    is_kept: bool,
}

impl Journal {
    /// Begins a file with this text, in place of one of its kind. Refuses to replace anything else.
    pub fn begin(path: &Path, kind: FileFormat, text: &str) -> Result<Self, EngineError> {
        if Source::find(path)?.is_some_and(|source| !is_one(kind, &source)) {
            return Err(refuse(path, "is something else, and is left alone"));
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .map_err(|error| cannot(path, &error))?;
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

    /// Removes one that nobody needs any more, if there is one. Where it cannot be removed it is in nobody's way.
    pub fn sweep(path: &Path, kind: FileFormat) {
        if let Ok(Some(source)) = Source::find(path)
            && is_one(kind, &source)
        {
            drop(fs::remove_file(path));
        }
    }

    /// Takes up a file with this text that was kept when it had so many bytes; gives where its entries begin too.
    pub fn take_up(
        path: &Path,
        kind: FileFormat,
        text: &str,
        length: u64,
    ) -> Result<(Self, u64), EngineError> {
        let source = Source::find(path)?.ok_or_else(|| refuse(path, "is not there any more"))?;
        let begins = match kind.read(&source) {
            Ok((found, begins)) if found == text => begins as u64,
            _ => return Err(refuse(path, "is of something else")),
        };
        if !(begins..=source.length()).contains(&length) {
            return Err(refuse(path, "is shorter than it was"));
        }
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.and_then(|file| file.set_len(length).map(|()| file));
        let journal = Self {
            file: file.map_err(|error| cannot(path, &error))?,
            path: path.to_path_buf(),
            length,
            is_kept: true,
        };
        Ok((journal, begins))
    }

    /// Bytes so far: where the next entry will begin.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Appends entries, each with its checksum, and gives where each begins.
    pub fn append(&mut self, entries: Vec<Vec<u8>>) -> Result<Vec<u64>, EngineError> {
        let (mut begins, mut together) = (Vec::new(), Vec::new());
        for mut entry in entries {
            begins.push(self.length + together.len() as u64);
            append_checksum(&mut entry);
            together.append(&mut entry);
            if together.len() >= AT_ONCE {
                self.write(&together)?;
                together.clear();
            }
        }
        self.write(&together)?;
        Ok(begins)
    }

    /// An entry of so many bytes; nothing if it is damaged.
    pub fn entry(&self, position: u64, length: u64) -> Result<Option<Vec<u8>>, EngineError> {
        let with_checksum = length.saturating_add(CHECKSUM as u64);
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

    /// So many bytes at a position, of which nothing is believed yet; nothing if there are fewer.
    pub fn read(&self, position: u64, length: usize) -> Result<Option<Vec<u8>>, EngineError> {
        let ends = position.checked_add(length as u64);
        if ends.is_none_or(|ends| ends > self.length) {
            return Ok(None);
        }
        let mut bytes = zeroed(length)?;
        read_exact_at(&self.file, &mut bytes, position)
            .map_err(|error| cannot(&self.path, &error))?;
        Ok(Some(bytes))
    }

    /// Brings all of it to the disk.
    pub fn sync(&self) -> Result<(), EngineError> {
        let synced = self.file.sync_data();
        synced.map_err(|error| cannot(&self.path, &error))
    }

    /// It stays when it is dropped: somebody knows how to go on with it.
    pub fn keep(&mut self) {
        if !self.is_kept {
            release(&self.path);
            self.is_kept = true;
        }
    }

    /// It is not needed any more. Where it cannot be removed it is in nobody's way.
    pub fn remove(mut self) {
        self.is_kept = false;
    }

    /// What is wrong with it.
    pub fn refuse(&self, what: &str) -> EngineError {
        refuse(&self.path, what)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(bytes));
        written.map_err(|error| cannot(&self.path, &error))?;
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

/// Whether a file is of this kind, in whatever state, or has just been made.
fn is_one(kind: FileFormat, source: &Source) -> bool {
    source.length() == 0 || !matches!(kind.read(source), Err(HeaderError::Foreign))
}

fn refuse(path: &Path, what: &str) -> EngineError {
    EngineError::new(format!("{} {what}", path_name(path)))
}

fn cannot(path: &Path, error: &io::Error) -> EngineError {
    refuse(path, &format!("cannot be worked on: {error}")).caused_by(Cause::Work)
}
