//! Temporary files for data that does not fit in memory.

use std::io;
use std::path::Path;
#[cfg(not(target_family = "wasm"))]
use std::{
    fs::File,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::error::EngineError;
use crate::escape::path_name;

/// A temporary file to which several threads append. The system removes it when the last copy of this value is dropped, even
/// if the process is killed.
#[derive(Clone, Debug)]
#[cfg(not(target_family = "wasm"))]
pub struct TemporaryFile(Arc<Inner>);

#[derive(Debug)]
#[cfg(not(target_family = "wasm"))]
struct Inner {
    folder: PathBuf,
    file: File,
    /// Length in bytes, with the parts that are still being written.
    length: AtomicU64,
}

#[cfg(not(target_family = "wasm"))]
impl TemporaryFile {
    /// Creates an empty file in `folder`.
    ///
    /// # Errors
    /// If the folder is missing or cannot be written to.
    pub fn new(folder: &Path) -> Result<Self, EngineError> {
        let file = tempfile::tempfile_in(folder).map_err(|error| file_error(folder, &error))?;
        Ok(Self(Arc::new(Inner {
            folder: folder.into(),
            file,
            length: AtomicU64::new(0),
        })))
    }

    /// Appends `bytes` and returns their offset.
    ///
    /// # Errors
    /// If the system reports an error, such as a full disk.
    pub fn append(&self, bytes: &[u8]) -> Result<u64, EngineError> {
        let Inner {
            folder,
            file,
            length,
        } = &*self.0;
        let offset = length.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        super::source::write_all_at(file, bytes, offset)
            .map_err(|error| file_error(folder, &error))?;
        Ok(offset)
    }

    /// Reads `length` bytes at `offset`.
    ///
    /// # Errors
    /// If the system reports an error.
    pub fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, EngineError> {
        let mut bytes = super::zeroed(length)?;
        super::source::read_exact_at(&self.0.file, &mut bytes, offset)
            .map_err(|error| file_error(&self.0.folder, &error))?;
        Ok(bytes)
    }
}

/// Never exists, because there are no files in WebAssembly.
#[derive(Clone, Debug)]
#[cfg(target_family = "wasm")]
pub enum TemporaryFile {}

#[cfg(target_family = "wasm")]
impl TemporaryFile {
    /// Always fails.
    pub fn new(folder: &Path) -> Result<Self, EngineError> {
        Err(file_error(folder, &io::ErrorKind::Unsupported.into()))
    }

    /// Never called.
    pub fn append(&self, _: &[u8]) -> Result<u64, EngineError> {
        match *self {}
    }

    /// Never called.
    pub fn read(&self, _: u64, _: usize) -> Result<Vec<u8>, EngineError> {
        match *self {}
    }
}

fn file_error(folder: &Path, error: &io::Error) -> EngineError {
    EngineError::failed(format!(
        "{}: a temporary file failed: {error}",
        path_name(folder)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_append_without_mixing_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let file = TemporaryFile::new(folder.path()).unwrap();
        let append = |number: u8| {
            let bytes = vec![number; 1000 * usize::from(number)];
            (file.append(&bytes).unwrap(), bytes)
        };
        let parts: Vec<(u64, Vec<u8>)> = std::thread::scope(|scope| {
            let threads = [0, 1, 2, 3].map(|number| scope.spawn(move || append(number)));
            threads.map(|thread| thread.join().unwrap()).into()
        });
        for (offset, bytes) in parts {
            assert_eq!(file.read(offset, bytes.len()).unwrap(), bytes);
        }
        let error = file.read(6000, 1).unwrap_err();
        assert!(error.0.contains("a temporary file failed"), "{error}");
    }

    #[test]
    fn reports_missing_folder() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let error = TemporaryFile::new(&missing).unwrap_err();
        assert!(error.0.starts_with(&path_name(&missing)), "{error}");
    }
}
