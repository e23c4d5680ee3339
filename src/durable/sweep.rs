//! Removing what killed writers left unfinished, and nothing else.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::draft::{UNFINISHED, folder_of};

/// The files of one kind.
#[derive(Clone, Copy, Debug)]
pub struct ArtifactKinds {
    /// Whether a file of this name would be one.
    pub is_name: fn(&str) -> bool,
    /// What they begin with, one or another.
    pub magics: &'static [&'static [u8]],
}

/// Removes the unfinished files of a kind from a folder: those whose name a [`super::AtomicFile`] would have, whose content
/// is the beginning of such a file, and which nobody is writing. Gives how many they were.
pub fn sweep(folder: &Path, kin: &ArtifactKinds) -> io::Result<usize> {
    sweep_named(folder, &kin.is_name, kin.magics)
}

/// Removes the unfinished files that are to lie at `path`, as [`sweep`] does those of a folder.
pub fn sweep_beside(path: &Path, magics: &[&[u8]]) -> io::Result<usize> {
    let is_name = |name: &str| path.file_name().is_some_and(|ours| ours == name);
    sweep_named(folder_of(path), &is_name, magics)
}

/// Whether a file of this name is one in the making, or what a killed writer left of it.
pub fn is_unfinished(name: &str) -> bool {
    is_draft_of(name, &|_| true)
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
            .is_some_and(|name| is_draft_of(name, is_name));
        // The type of the entry itself: a link is none of ours.
        if is_ours && entry.file_type()?.is_file() && sweep_one(&entry.path(), magics) {
            swept += 1;
        }
    }
    Ok(swept)
}

/// Whether a draft of a file with such a name has this one.
fn is_draft_of(name: &str, is_name: &dyn Fn(&str) -> bool) -> bool {
    let Some((of, numbers)) = name.rsplit_once(UNFINISHED) else {
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

/// Removes one file, unless something else is in it or somebody holds it.
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
    if fs4::FileExt::try_lock(&file).is_err() {
        return false;
    }
    let longest = magics.iter().map(|magic| magic.len()).max();
    let mut head = Vec::new();
    let read = (&file)
        .take(longest.unwrap_or_default() as u64)
        .read_to_end(&mut head);
    let is_one = |magic: &&[u8]| head.starts_with(magic) || magic.starts_with(&head);
    read.is_ok() && magics.iter().any(is_one) && fs::remove_file(path).is_ok()
}
