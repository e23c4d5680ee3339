//! A file that is written under a temporary name and renamed when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::EngineError;
use crate::escape::path_name;

/// Separates a file's name from the process id in the name of its unfinished version.
pub(super) const UNFINISHED_INFIX: &str = ".unfinished-";

/// Maximum unfinished versions of one file by one process id, leftovers of earlier processes included.
const MAX_UNFINISHED_FILES: u32 = 10_000;

/// The unfinished files of this process, which [`remove_unfinished`] removes.
static UNFINISHED_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished_files() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED_FILES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Adds a path to the unfinished files of this process.
pub(super) fn register(path: &Path) {
    unfinished_files().push(path.to_path_buf());
}

/// Removes a path from the unfinished files of this process.
pub(super) fn release(path: &Path) {
    unfinished_files().retain(|file| file != path);
}

/// Removes all unfinished files of this process, which is about to end.
pub fn remove_unfinished() {
    for unfinished in unfinished_files().drain(..) {
        drop(fs::remove_file(unfinished));
    }
}

/// A file being written. If it is dropped before [`AtomicFile::finish`], it is removed and the path keeps its old
/// content.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    unfinished: PathBuf,
    out: Option<BufWriter<File>>,
    bytes: u64,
}

impl AtomicFile {
    /// Creates the unfinished version of the file at `path`.
    ///
    /// The process id keeps writers on one machine apart. `create_new` keeps writers on different machines apart and
    /// does not follow links.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = path
            .file_name()
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "not a file name"))?;
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
            }
            // Renaming over a device or a pipe would remove it.
            Ok(there) if !there.is_file() => {
                return Err(io::Error::new(
                    ErrorKind::InvalidInput,
                    "it is not a regular file",
                ));
            }
            _ => {}
        }
        for number in 0..MAX_UNFINISHED_FILES {
            let mut unfinished = name.to_owned();
            unfinished.push(format!("{UNFINISHED_INFIX}{}-{number}", std::process::id()));
            let unfinished = path.with_file_name(unfinished);
            match OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&unfinished)
            {
                Ok(file) => {
                    // `sweep` skips locked files. On a file system without locks, nothing is swept.
                    drop(file.try_lock());
                    register(&unfinished);
                    return Ok(Self {
                        path: path.to_path_buf(),
                        unfinished,
                        out: Some(BufWriter::with_capacity(1 << 20, file)),
                        bytes: 0,
                    });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(
            ErrorKind::AlreadyExists,
            "too many unfinished versions of this file",
        ))
    }

    /// Returns the path of the unfinished version.
    pub fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Flushes the file to the disk, renames it to its final path, and returns its length in bytes.
    pub fn finish(mut self) -> io::Result<u64> {
        if let Some(out) = self.out.take() {
            let moved = self.move_into_place(out);
            self.forget(moved.is_err());
            moved?;
            // The rename has to reach the disk too.
            sync_folder(&self.path)?;
        }
        Ok(self.bytes)
    }

    fn move_into_place(&self, out: BufWriter<File>) -> io::Result<()> {
        let file = out.into_inner()?;
        file.sync_all()?;
        fs::rename(&self.unfinished, &self.path)
    }

    /// Removes the file from the unfinished ones, and from the disk if `is_removed`.
    fn forget(&self, is_removed: bool) {
        release(&self.unfinished);
        if is_removed {
            // The caller reports the first error; a failure to remove the file is ignored.
            drop(fs::remove_file(&self.unfinished));
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(out) = &mut self.out else {
            return Err(ErrorKind::WriteZero.into());
        };
        let written = out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(out) = self.out.take() {
            // The rest of the buffer is discarded.
            drop(out.into_parts());
            self.forget(true);
        }
    }
}

/// Writes a file atomically and returns its length in bytes.
///
/// # Errors
/// If the file cannot be written. The error names the file.
pub fn write(
    path: &Path,
    content: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> Result<u64, EngineError> {
    let written = AtomicFile::create(path).and_then(|mut file| {
        content(&mut file)?;
        file.finish()
    });
    written.map_err(|error| {
        EngineError::failed(format!("{} cannot be written: {error}", path_name(path)))
    })
}

/// Writes a file that must not exist. An incompletely written file is removed.
///
/// # Errors
/// `AlreadyExists` if the file exists; any other error of writing it.
pub fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(content).and_then(|()| file.sync_all());
    written.inspect_err(|_| drop(fs::remove_file(path)))
}

/// Checks that a file can be created at `path`. The error names the file.
pub fn check_writable(path: &Path) -> Result<(), EngineError> {
    AtomicFile::create(path).map(drop).map_err(|error| {
        EngineError::failed(format!("{} cannot be written: {error}", path_name(path)))
    })
}

/// Checks that a command may write a new file at `path`.
///
/// # Errors
/// If the file is one of `inputs`, exists without `force`, or its folder is not writable. The error names the file.
pub fn require_new(path: &Path, inputs: &[&Path], force: bool) -> Result<(), EngineError> {
    let refuse = |why: &str| {
        Err(EngineError::new(format!(
            "{} cannot be written: {why}",
            path_name(path)
        )))
    };
    if inputs.iter().any(|input| is_same_file(path, input)) {
        return refuse("it is an input of the command");
    }
    check_writable(path)?;
    // A broken link counts as an existing file.
    if !force && fs::symlink_metadata(path).is_ok() {
        return refuse("it exists, and only --force replaces it");
    }
    Ok(())
}

#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |path| fs::metadata(path).map(|file| (file.dev(), file.ino()));
    matches!((number(one), number(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(not(unix))]
fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Returns the folder that contains the file at `path`.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Flushes the folder entry of `path` to the disk. Only Unix can open a folder as a file. Elsewhere a power cut can
/// undo the rename, which leaves the old file or none, never a partial one.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
