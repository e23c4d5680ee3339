//! Files that are written under a temporary name and renamed when they are complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::EngineError;
use crate::escape::path_name;

/// Part of the temporary name of an unfinished file: `NAME.unfinished-PROCESS-NUMBER`. `NAME` is the final file name,
/// `PROCESS` the id of the process that writes the file, and `NUMBER` the first number from 0 whose name is free.
pub(super) const UNFINISHED_INFIX: &str = ".unfinished-";

/// Maximum number of unfinished versions of one file with the same process id. A killed process may leave such files,
/// and the operating system may reuse its id.
const MAX_UNFINISHED_FILES: u32 = 10_000;

/// The paths of the files that [`remove_unfinished`] removes if this process is interrupted.
static UNFINISHED_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished_files() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED_FILES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Adds a path to the unfinished files of this process.
pub(super) fn register_unfinished(path: &Path) {
    unfinished_files().push(path.to_path_buf());
}

/// Removes a path from the unfinished files of this process. The file itself remains.
pub(super) fn unregister_unfinished(path: &Path) {
    unfinished_files().retain(|file| file != path);
}

/// Deletes all unfinished files of this process. Call it just before an interrupted process ends.
pub fn remove_unfinished() {
    for unfinished in unfinished_files().drain(..) {
        drop(fs::remove_file(unfinished));
    }
}

/// A file that is being written under a temporary name. [`AtomicFile::finish`] moves it to its final path.
///
/// Dropping it earlier deletes the temporary file and leaves the file at the final path unchanged.
#[derive(Debug)]
pub struct AtomicFile {
    /// The final path.
    path: PathBuf,
    /// The temporary path.
    unfinished: PathBuf,
    /// The buffered temporary file, or `None` after [`AtomicFile::finish`].
    out: Option<BufWriter<File>>,
    /// The number of bytes written.
    bytes: u64,
}

impl AtomicFile {
    /// Creates a temporary file that [`AtomicFile::finish`] moves to `path`.
    ///
    /// Processes on one machine have different ids, so they use different temporary names. On a network file system,
    /// processes of different machines can have the same id. So the temporary file is opened with `create_new`. If
    /// the name exists, this fails, and the next number is tried. `create_new` also does not follow links.
    ///
    /// # Errors
    /// If `path` is a folder, a device or a pipe, or if the temporary file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = path
            .file_name()
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "not a file name"))?;
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
            }
            // A rename would replace a device or a pipe.
            Ok(metadata) if !metadata.is_file() => {
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
                    // The lock protects the file from `sweep`. An error can be ignored: on a file system without
                    // locks, `sweep` deletes no files.
                    drop(file.try_lock());
                    register_unfinished(&unfinished);
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

    /// Returns the temporary path.
    pub fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Flushes the file to the disk, renames it to its final path, and returns its length in bytes.
    ///
    /// # Errors
    /// If writing, flushing or renaming the file fails. The temporary file is then deleted.
    pub fn finish(mut self) -> io::Result<u64> {
        if let Some(out) = self.out.take() {
            let moved = self.move_into_place(out);
            self.unregister(moved.is_err());
            moved?;
            // The rename changes the folder, so the folder must be flushed to the disk, too.
            sync_folder(&self.path)?;
        }
        Ok(self.bytes)
    }

    fn move_into_place(&self, out: BufWriter<File>) -> io::Result<()> {
        let file = out.into_inner()?;
        file.sync_all()?;
        fs::rename(&self.unfinished, &self.path)
    }

    /// Removes the temporary path from the unfinished files of this process. Also deletes the file if `deletes_file`.
    fn unregister(&self, deletes_file: bool) {
        unregister_unfinished(&self.unfinished);
        if deletes_file {
            // A second error is ignored: the caller already reports the error that led to the deletion.
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
            // Dropping `out` would write the buffered bytes. `into_parts` discards them.
            drop(out.into_parts());
            self.unregister(true);
        }
    }
}

/// Writes a file atomically and returns its length in bytes. `content` writes the bytes.
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

/// Writes a file directly to `path`, which must not exist yet. If writing fails, deletes the partial file.
///
/// # Errors
/// `AlreadyExists` if the file exists, or the error of creating or writing it.
pub fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(content).and_then(|()| file.sync_all());
    written.inspect_err(|_| drop(fs::remove_file(path)))
}

/// Checks that a file can be created in the folder of `path`. The file at `path` is not changed.
///
/// # Errors
/// If the file cannot be created. The error names it.
pub fn check_writable(path: &Path) -> Result<(), EngineError> {
    AtomicFile::create(path).map(drop).map_err(|error| {
        EngineError::failed(format!("{} cannot be written: {error}", path_name(path)))
    })
}

/// Checks that a command may write a new file at `path`.
///
/// # Errors
/// If the file is one of `inputs`, if it exists and `force` is `false`, or if its folder is not writable. The error
/// names the file.
pub fn require_new(path: &Path, inputs: &[&Path], force: bool) -> Result<(), EngineError> {
    let path_error = |why: &str| {
        Err(EngineError::new(format!(
            "{} cannot be written: {why}",
            path_name(path)
        )))
    };
    if inputs.iter().any(|input| is_same_file(path, input)) {
        return path_error("it is an input of the command");
    }
    check_writable(path)?;
    // `symlink_metadata` does not follow links, so a broken link is also treated as an existing file.
    if !force && fs::symlink_metadata(path).is_ok() {
        return path_error("it exists: pass --force to replace it");
    }
    Ok(())
}

/// Returns `true` if both paths lead to the same existing file.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device_and_inode = |path| fs::metadata(path).map(|file| (file.dev(), file.ino()));
    matches!((device_and_inode(one), device_and_inode(other)), (Ok(one), Ok(other)) if one == other)
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

/// Flushes the folder that contains `path` to the disk, so that a renamed file keeps its new name after a power cut.
///
/// Only Unix can open a folder as a file. On other systems a power cut can undo the rename. Then `path` has its old
/// content or does not exist, but it never has partial content.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the version for Unix can fail")]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
