//! A regular file, open for reading, of which nothing is believed yet.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::zeroed;
use crate::error::Refusal;
use crate::escape::path_name;

/// A regular file, open for reading.
#[derive(Debug)]
pub struct Source {
    file: File,
    path: PathBuf,
    length: u64,
}

impl Source {
    /// Opens a file without ever waiting for it, and refuses what is none: a folder, a pipe, a terminal, a device.
    pub fn open(path: &Path) -> io::Result<Self> {
        // The mere opening of a device can do something, so it is looked at first; and then again, for what lies there may
        // have been exchanged.
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

    /// The same where there may be no such file; the error names the file.
    pub fn find(path: &Path) -> Result<Option<Self>, Refusal> {
        match Self::open(path) {
            Ok(source) => Ok(Some(source)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(cannot(path, &error)),
        }
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes, when it was opened.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Its bytes one after another, from the first.
    pub fn stream(self) -> impl io::Read {
        self.file
    }

    /// Fills `bytes` with what stands at `position`; the error names the file.
    pub fn read_into(&self, position: u64, bytes: &mut [u8]) -> Result<(), Refusal> {
        read_exact_at(&self.file, bytes, position).map_err(|error| cannot(&self.path, &error))
    }

    /// So many bytes from `position`. Memory is taken for them only if the file has them.
    pub fn read(&self, position: u64, length: usize) -> Result<Vec<u8>, Refusal> {
        let ends = position.checked_add(length as u64);
        if ends.is_none_or(|ends| ends > self.length) {
            return Err(cannot(&self.path, &io::ErrorKind::UnexpectedEof.into()));
        }
        let mut bytes = zeroed(length)
            .map_err(|refusal| Refusal::new(format!("{}: {refusal}", path_name(&self.path))))?;
        self.read_into(position, &mut bytes)?;
        Ok(bytes)
    }
}

fn cannot(path: &Path, error: &io::Error) -> Refusal {
    Refusal::new(format!("{} cannot be read: {error}", path_name(&path)))
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
