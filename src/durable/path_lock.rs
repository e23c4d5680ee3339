//! An exclusive lock on a folder or a file, which one process can hold at a time.
//!
//! The lock is a lock of the operating system on a separate, empty lock file: `.puli.lock` in a folder, or `NAME.lock`
//! beside the file `NAME`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::EngineError;
use crate::escape::path_name;

/// Name of the lock file of a folder.
const FOLDER_LOCK: &str = ".puli.lock";

/// An exclusive lock. It is released on drop, and by the operating system when the process ends.
#[derive(Debug)]
pub struct PathLock {
    /// The path of the lock file.
    path: PathBuf,
    /// The locked file, or `None` on a file system without locks. Two processes may then do the same work. This causes
    /// no damage, because both write their files atomically.
    lock: Option<File>,
}

impl PathLock {
    /// Locks an existing folder.
    ///
    /// # Errors
    /// If another process holds the lock, or the lock file cannot be created. The error names the folder.
    pub(crate) fn on_folder(folder: &Path) -> Result<Self, EngineError> {
        Self::on(folder, folder.join(FOLDER_LOCK))
    }

    /// Locks the file at `path`, which need not exist.
    ///
    /// # Errors
    /// If another process holds the lock, or the lock file cannot be created. The error names the file.
    pub(crate) fn on_file(path: &Path) -> Result<Self, EngineError> {
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        Self::on(path, lock.into())
    }

    /// Returns `true` if the lock excludes other processes, and `false` on a file system without locks.
    ///
    /// If `true`, no other process writes to the locked path, so its unfinished files can be deleted.
    pub(crate) fn is_exclusive(&self) -> bool {
        self.lock.is_some()
    }

    /// Locks `locked_path` by the lock file at `path`.
    fn on(locked_path: &Path, path: PathBuf) -> Result<Self, EngineError> {
        let lock_error =
            |why: &str| EngineError::failed(format!("{}: {why}", path_name(locked_path)));
        loop {
            let file = open(&path)
                .map_err(|error| lock_error(&format!("cannot be written to: {error}")))?;
            // Lock files are always empty. A file with content belongs to the user and must not be deleted on drop.
            if file
                .metadata()
                .is_ok_and(|file| !file.is_file() || file.len() > 0)
            {
                let lock = path_name(&path);
                return Err(lock_error(&format!(
                    "{lock} is not a lock file of puli: move it away"
                )));
            }
            match file.try_lock() {
                // The previous owner of the lock may have deleted the file between `open` and `try_lock`. Then this
                // lock excludes no other process, and the loop tries again.
                Ok(()) if is_still_at(&file, &path) => {
                    return Ok(Self {
                        path,
                        lock: Some(file),
                    });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(lock_error("locked by another puli process"));
                }
                Err(TryLockError::Error(error)) => {
                    log::warn!(
                        "{} cannot be locked: {error}; continuing without a lock",
                        path_name(&path)
                    );
                    return Ok(Self { path, lock: None });
                }
            }
        }
    }
}

impl Drop for PathLock {
    fn drop(&mut self) {
        // This process still holds the lock, so `path` leads to this file. Only Unix can delete an open file. On other
        // systems, the unlocked lock file remains.
        if cfg!(unix) && self.lock.is_some() {
            drop(std::fs::remove_file(&self.path));
        }
    }
}

/// Opens the lock file, or creates it. Does not block if it is a pipe, and does not follow a link.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOFOLLOW,
    );
    options.open(path)
}

/// Returns `true` if the file at `path` is still this open file.
#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(opened), Ok(at_path)) = (file.metadata(), std::fs::symlink_metadata(path)) else {
        return false;
    };
    (opened.dev(), opened.ino()) == (at_path.dev(), at_path.ino())
}

#[cfg(not(unix))]
fn is_still_at(_file: &File, _path: &Path) -> bool {
    true
}
