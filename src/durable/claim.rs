//! The right to work on a folder, or on one file, that one process has at a time.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use fs4::TryLockError;

use crate::error::EngineError;
use crate::escape::path_name;

/// The file that is locked in a claimed folder.
const FOLDER_LOCK: &str = ".puli.lock";

/// Held while a process works on a folder or a file; given back when it is dropped, and by the system when the process
/// ends in whatever way.
#[derive(Debug)]
pub struct PathLock {
    path: PathBuf,
    /// None on a disk without locks: writers do not harm each other there either, they only do the same work twice.
    lock: Option<File>,
}

impl PathLock {
    /// Claims a folder, which must be there.
    pub fn on_folder(folder: &Path) -> Result<Self, EngineError> {
        Self::on(folder, folder.join(FOLDER_LOCK))
    }

    /// Claims the making of one file.
    pub fn on_file(path: &Path) -> Result<Self, EngineError> {
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        Self::on(path, lock.into())
    }

    /// Whether nobody else can have it: then what lies unfinished there is nobody's.
    pub fn is_exclusive(&self) -> bool {
        self.lock.is_some()
    }

    fn on(claimed: &Path, path: PathBuf) -> Result<Self, EngineError> {
        let refuse = |why: &str| EngineError::failed(format!("{}: {why}", path_name(claimed)));
        loop {
            let file =
                open(&path).map_err(|error| refuse(&format!("cannot be written to: {error}")))?;
            // A lock is empty, and is removed at the end: another file of its name must not be.
            if file
                .metadata()
                .is_ok_and(|file| !file.is_file() || file.len() > 0)
            {
                let lock = path_name(&path);
                return Err(refuse(&format!("{lock} is no lock of puli: move it away")));
            }
            match fs4::FileExt::try_lock(&file) {
                // Who held it before may have removed it between our opening and our locking.
                Ok(()) if is_there(&file, &path) => {
                    return Ok(Self {
                        path,
                        lock: Some(file),
                    });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(refuse("another puli is at work there"));
                }
                Err(TryLockError::Error(error)) => {
                    log::warn!("{} cannot be locked: {error}", path_name(&path));
                    return Ok(Self { path, lock: None });
                }
            }
        }
    }
}

impl Drop for PathLock {
    fn drop(&mut self) {
        // While it is still locked, so that nobody else's is removed. Elsewhere than on Unix an open file stays.
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

/// Whether this very file still has this name.
#[cfg(unix)]
fn is_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(ours), Ok(there)) = (file.metadata(), std::fs::symlink_metadata(path)) else {
        return false;
    };
    (ours.dev(), ours.ino()) == (there.dev(), there.ino())
}

#[cfg(not(unix))]
fn is_there(_file: &File, _path: &Path) -> bool {
    true
}
