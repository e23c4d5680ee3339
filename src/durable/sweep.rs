//! Deletes the unfinished files of killed processes.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::atomic_file::{UNFINISHED_INFIX, folder_of};

/// The kinds of files that a command writes. [`sweep`] uses them to recognize unfinished versions.
#[derive(Clone, Copy, Debug)]
pub struct FileKinds {
    /// Returns `true` if a finished file of these kinds can have this name.
    pub(crate) is_name: fn(&str) -> bool,
    /// The magics of the file formats. Each file starts with one of them.
    pub(crate) magics: &'static [&'static [u8]],
}

/// Deletes the unfinished files of `kinds` in `folder` and returns their number.
///
/// A file is deleted if all these conditions hold:
/// - It has the temporary name that [`super::AtomicFile`] gives to a file of `kinds`.
/// - It starts with a magic of `kinds`, or its whole content is the start of such a magic.
/// - No process holds a lock on it.
pub fn sweep(folder: &Path, kinds: &FileKinds) -> io::Result<usize> {
    sweep_named(folder, &kinds.is_name, kinds.magics)
}

/// Deletes the unfinished versions of the file at `path` and returns their number. See [`sweep`] for the conditions.
pub(crate) fn sweep_beside(path: &Path, magics: &[&[u8]]) -> io::Result<usize> {
    let is_name = |name: &str| path.file_name().is_some_and(|file_name| file_name == name);
    sweep_named(folder_of(path), &is_name, magics)
}

/// Returns `true` if `name` is the temporary name of an unfinished file.
pub fn is_unfinished(name: &str) -> bool {
    is_unfinished_name(name, &|_| true)
}

/// Deletes the unfinished files in `folder` whose final names satisfy `is_name`, and returns their number.
fn sweep_named(
    folder: &Path,
    is_name: &dyn Fn(&str) -> bool,
    magics: &[&[u8]],
) -> io::Result<usize> {
    let mut swept = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let has_temporary_name = entry
            .file_name()
            .to_str()
            .is_some_and(|name| is_unfinished_name(name, is_name));
        // `file_type` does not follow links, so a link is not a file here and is not deleted.
        if has_temporary_name
            && entry.file_type()?.is_file()
            && delete_if_unused(&entry.path(), magics)
        {
            swept += 1;
        }
    }
    Ok(swept)
}

/// Returns `true` if `name` is the temporary name of a file whose final name satisfies `is_name`.
fn is_unfinished_name(name: &str, is_name: &dyn Fn(&str) -> bool) -> bool {
    let Some((final_name, numbers)) = name.rsplit_once(UNFINISHED_INFIX) else {
        return false;
    };
    let is_number = |text: &str| {
        text.parse::<u32>()
            .is_ok_and(|number| number.to_string() == text)
    };
    is_name(final_name)
        && numbers
            .split_once('-')
            .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// Deletes one file, unless it is locked or does not start with one of `magics`. Returns `true` if it was deleted.
fn delete_if_unused(path: &Path, magics: &[&[u8]]) -> bool {
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
    let max_length = magics.iter().map(|magic| magic.len()).max();
    let mut head = Vec::new();
    let read = (&file)
        .take(max_length.unwrap_or_default() as u64)
        .read_to_end(&mut head);
    let has_magic = |magic: &&[u8]| head.starts_with(magic) || magic.starts_with(&head);
    read.is_ok() && magics.iter().any(has_magic) && fs::remove_file(path).is_ok()
}
