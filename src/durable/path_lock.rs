//! An exclusive lock on a folder or a file, held by one process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::EngineError;
use crate::escape::path_name;

/// Name of the lock file of a folder.
const FOLDER_LOCK: &str = ".puli.lock";

/// An exclusive lock. It is released on drop, and by the system when the process ends.
#[derive(Debug)]
pub struct PathLock {
    path: PathBuf,
    /// `None` on a file system without locks. There, processes may write concurrently: files stay whole, but work
    /// is repeated.
    lock: Option<File>,
}

impl PathLock {
    /// Locks an existing folder.
    pub(crate) fn on_folder(folder: &Path) -> Result<Self, EngineError> {
        Self::on(folder, folder.join(FOLDER_LOCK))
    }

    /// Locks the file at `path`, which need not exist.
    pub(crate) fn on_file(path: &Path) -> Result<Self, EngineError> {
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        Self::on(path, lock.into())
    }

    /// Returns `true` if no other process can hold this lock, so that unfinished files beside the locked path are
    /// leftovers.
    pub(crate) fn is_exclusive(&self) -> bool {
        self.lock.is_some()
    }

    fn on(path_to_lock: &Path, path: PathBuf) -> Result<Self, EngineError> {
        let refuse = |why: &str| EngineError::failed(format!("{}: {why}", path_name(path_to_lock)));
        loop {
            let file =
                open(&path).map_err(|error| refuse(&format!("cannot be written to: {error}")))?;
            // Lock files are empty and removed in the end, so a file with content is not one.
            if file
                .metadata()
                .is_ok_and(|file| !file.is_file() || file.len() > 0)
            {
                let lock = path_name(&path);
                return Err(refuse(&format!(
                    "{lock} is not a lock file of puli: move it away"
                )));
            }
            match file.try_lock() {
                // The previous owner may have removed the file between `open` and `try_lock`.
                Ok(()) if is_still_at(&file, &path) => {
                    return Ok(Self {
                        path,
                        lock: Some(file),
                    });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(refuse("locked by another puli process"));
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
        // `path` still names the locked file, so no other process has locked it since. Only Unix can remove an open
        // file.
        if cfg!(unix) && self.lock.is_some() {
            drop(std::fs::remove_file(&self.path));
        }
    }
}

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

/// Returns `true` if `path` still names this open file.
#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(ours), Ok(there)) = (file.metadata(), std::fs::symlink_metadata(path)) else {
        return false;
    };
    (ours.dev(), ours.ino()) == (there.dev(), there.ino())
}

#[cfg(not(unix))]
fn is_still_at(_file: &File, _path: &Path) -> bool {
    true
}
