//! A file in the making: beside its place under a name that no other writer has, and in its place once it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::EngineError;
use crate::escape::path_name;

/// What stands between a file's name and the number of the process that makes it.
pub(super) const UNFINISHED: &str = ".unfinished-";

/// More unfinished files of one name and one process number than this are somebody's prank.
const MAX_DRAFTS: u32 = 10_000;

/// The unfinished files of this process, for when it has to end at once.
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file is unfinished.
pub(super) fn register(path: &Path) {
    drafts().push(path.to_path_buf());
}

/// It is not any more.
pub(super) fn release(path: &Path) {
    drafts().retain(|draft| draft != path);
}

/// Removes whatever this process has not finished: it is about to end.
pub fn give_up() {
    for unfinished in drafts().drain(..) {
        drop(fs::remove_file(unfinished));
    }
}

/// A file in the making. Dropped before it is finished it is gone, and what was in its place is as it was.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    unfinished: PathBuf,
    out: Option<BufWriter<File>>,
    bytes: u64,
}

impl AtomicFile {
    /// Begins a file that is to lie at `path`.
    ///
    /// The name of the process tells writers of one machine apart, and that the file must be new does the rest: writers
    /// of different machines on one disk, and links that somebody left in the way, which are not followed.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(ErrorKind::InvalidInput, "it is not the name of a file")
        })?;
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
            }
            // A file in the place of a device or a pipe would end it.
            Ok(there) if !there.is_file() => {
                return Err(io::Error::new(
                    ErrorKind::InvalidInput,
                    "it is no regular file",
                ));
            }
            _ => {}
        }
        for number in 0..MAX_DRAFTS {
            let mut unfinished = name.to_owned();
            unfinished.push(format!("{UNFINISHED}{}-{number}", std::process::id()));
            let unfinished = path.with_file_name(unfinished);
            match OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&unfinished)
            {
                Ok(file) => {
                    // Who sweeps leaves alone what is locked. On a disk without locks nothing is swept.
                    drop(fs4::FileExt::try_lock(&file));
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
            "too many unfinished files of this name lie beside it",
        ))
    }

    /// Where the file is while it is made.
    pub fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Puts the file in its place, once all of it is on the disk, and gives its length.
    pub fn finish(mut self) -> io::Result<u64> {
        if let Some(out) = self.out.take() {
            let moved = self.move_into_place(out);
            self.forget(moved.is_err());
            moved?;
            // The new name has to reach the disk too.
            sync_folder(&self.path)?;
        }
        Ok(self.bytes)
    }

    fn move_into_place(&self, out: BufWriter<File>) -> io::Result<()> {
        let file = out.into_inner()?;
        file.sync_all()?;
        fs::rename(&self.unfinished, &self.path)
    }

    /// It is no draft any more, and is removed where it has not become a file.
    fn forget(&self, is_removed: bool) {
        release(&self.unfinished);
        if is_removed {
            // The reason why it is removed is worth more than one why that failed.
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
            // What is still in the buffer is not worth writing.
            drop(out.into_parts());
            self.forget(true);
        }
    }
}

/// Writes a file whole or not at all, and gives its length; the error names it.
pub fn write(
    path: &Path,
    content: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> Result<u64, EngineError> {
    let written = AtomicFile::begin(path).and_then(|mut draft| {
        content(&mut draft)?;
        draft.finish()
    });
    written.map_err(|error| {
        EngineError::failed(format!("{} cannot be written: {error}", path_name(path)))
    })
}

/// Writes a file that must be new: fails with `AlreadyExists` where there is one. A file that cannot be written whole is
/// removed.
pub fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(content).and_then(|()| file.sync_all());
    written.inspect_err(|_| drop(fs::remove_file(path)))
}

/// Whether a file could be written here, as far as that can be told without one: the error names it.
pub fn check_writable(path: &Path) -> Result<(), EngineError> {
    AtomicFile::begin(path).map(drop).map_err(|error| {
        EngineError::failed(format!("{} cannot be written: {error}", path_name(path)))
    })
}

/// Fails unless a command may write a new file at `path`: the file must not be one of `inputs`, nor exist unless `force`
/// is set, and its folder must take files. The error names it.
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
    // A link that leads nowhere is there, too.
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

/// The folder in which a file lies.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Brings the new name to the disk too. A folder can be opened as a file on Unix alone; elsewhere the system does it in
/// its own time, and a name that is lost with the current leaves the old file or none, never half of one.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
