//! Removes unfinished files that killed processes left.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::atomic_file::{UNFINISHED_INFIX, folder_of};

/// The files of one kind.
#[derive(Clone, Copy, Debug)]
pub struct ArtifactKinds {
    /// Returns `true` if a file of this kind can have this name.
    pub(crate) is_name: fn(&str) -> bool,
    /// The magics that such files start with.
    pub(crate) magics: &'static [&'static [u8]],
}

/// Removes the unfinished files of `kinds` from `folder` and returns their number.
///
/// A file is removed if it has the temporary name of an [`super::AtomicFile`], starts with one of the magics (or is a
/// prefix of one), and is not locked by its writer.
pub fn sweep(folder: &Path, kinds: &ArtifactKinds) -> io::Result<usize> {
    sweep_named(folder, &kinds.is_name, kinds.magics)
}

/// Removes unfinished versions of the file at `path` and returns their number. See [`sweep`].
pub(crate) fn sweep_beside(path: &Path, magics: &[&[u8]]) -> io::Result<usize> {
    let is_name = |name: &str| path.file_name().is_some_and(|ours| ours == name);
    sweep_named(folder_of(path), &is_name, magics)
}

/// Returns `true` if `name` is the temporary name of an unfinished file.
pub fn is_unfinished(name: &str) -> bool {
    is_unfinished_name(name, &|_| true)
}

fn sweep_named(
    folder: &Path,
    is_name: &dyn Fn(&str) -> bool,
    magics: &[&[u8]],
) -> io::Result<usize> {
    let mut swept = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_ours = entry
            .file_name()
            .to_str()
            .is_some_and(|name| is_unfinished_name(name, is_name));
        // `file_type` does not follow links: a link is not removed.
        if is_ours && entry.file_type()?.is_file() && sweep_one(&entry.path(), magics) {
            swept += 1;
        }
    }
    Ok(swept)
}

/// Returns `true` if `name` is the temporary name of a file whose own name satisfies `is_name`.
fn is_unfinished_name(name: &str, is_name: &dyn Fn(&str) -> bool) -> bool {
    let Some((of, numbers)) = name.rsplit_once(UNFINISHED_INFIX) else {
        return false;
    };
    let is_number = |text: &str| {
        text.parse::<u32>()
            .is_ok_and(|number| number.to_string() == text)
    };
    is_name(of)
        && numbers
            .split_once('-')
            .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Removes one file unless its content is foreign or it is locked. Returns `true` if it was removed.
fn sweep_one(path: &Path, magics: &[&[u8]]) -> bool {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOFOLLOW,
    );
    let Ok(file) = options.open(path) else {
        return false;
    };
    if file.try_lock().is_err() {
        return false;
    }
    let longest = magics.iter().map(|magic| magic.len()).max();
    let mut head = Vec::new();
    let read = (&file)
        .take(longest.unwrap_or_default() as u64)
        .read_to_end(&mut head);
    let has_format = |magic: &&[u8]| head.starts_with(magic) || magic.starts_with(&head);
    read.is_ok() && magics.iter().any(has_format) && fs::remove_file(path).is_ok()
}
