//! The checksums of a dataset: the file `SHA256SUMS`, in the format of the program `sha256sum`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::durable::Source;
use crate::error::EngineError;
use crate::escape::path_name;

/// The name of the file.
pub(super) const NAME: &str = "SHA256SUMS";

/// Maximum size of the file in bytes. A line has about a hundred bytes, and a game five lines.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum depth of a dataset's folders.
const MAX_DEPTH: u32 = 3;
/// Number of bytes that are read at once.
const CHUNK_BYTES: usize = 1 << 20;

/// Returns the SHA-256 checksum of a file in hexadecimal.
fn checksum(path: &Path) -> Result<String, EngineError> {
    let source = Source::named(path)?;
    let mut hasher = Sha256::new();
    let mut offset = 0;
    while offset < source.length() {
        let length = (source.length() - offset).min(CHUNK_BYTES as u64);
        hasher.update(source.read(offset, length as usize)?);
        offset += length;
    }
    let digest = hasher.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the names of all files in a folder and its folders, with `/` as the separator.
///
/// # Errors
/// If a folder cannot be read, a name is not UTF-8, or folders are nested too deeply.
pub(super) fn files_in(folder: &Path) -> Result<BTreeSet<String>, EngineError> {
    let mut files = BTreeSet::new();
    add_files(folder, "", MAX_DEPTH, &mut files)?;
    Ok(files)
}

fn add_files(
    folder: &Path,
    prefix: &str,
    depth: u32,
    files: &mut BTreeSet<String>,
) -> Result<(), EngineError> {
    let fail = |error: io::Error| {
        EngineError::new(format!("cannot read folder {}: {error}", path_name(folder)))
    };
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let unexpected = |what: &str| {
            let path = path_name(&entry.path());
            EngineError::new(format!("{path} is not part of a dataset: {what}"))
        };
        let name = entry.file_name().into_string();
        let name = name.map_err(|_| unexpected("its name is not UTF-8"))?;
        let file_type = entry.file_type().map_err(fail)?;
        if file_type.is_dir() {
            if depth == 0 {
                return Err(unexpected("its folder is nested too deeply"));
            }
            let prefix = format!("{prefix}{name}/");
            add_files(&entry.path(), &prefix, depth - 1, files)?;
        } else if file_type.is_file() {
            files.insert(format!("{prefix}{name}"));
        } else {
            return Err(unexpected("it is not a regular file"));
        }
    }
    Ok(())
}

/// Returns the text of the file for all files in a folder except itself.
pub(super) fn of_folder(folder: &Path) -> Result<String, EngineError> {
    let files = files_in(folder)?;
    let lines = files.iter().filter(|name| *name != NAME).map(|name| {
        let sum = checksum(&folder.join(name))?;
        Ok(format!("{sum}  {name}\n"))
    });
    lines.collect()
}

/// Checks that the file lists all other files in the folder, with their checksums. Returns the number of files.
///
/// # Errors
/// If a file is damaged, missing or not listed. The error names the file.
pub(super) fn check(folder: &Path) -> Result<usize, EngineError> {
    let path = folder.join(NAME);
    let text = Source::named(&path)?.text(MAX_BYTES)?;
    let mut listed = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let (sum, name) = line.split_once("  ").ok_or_else(|| {
            let place = format!("{}, line {}", path_name(&path), index + 1);
            EngineError::new(format!("{place}: expected a checksum and a file name"))
        })?;
        listed.insert(name, sum);
    }
    let mut files = files_in(folder)?;
    files.remove(NAME);
    if let Some(name) = listed.keys().find(|name| !files.contains(**name)) {
        return Err(damaged(folder, name, "is missing"));
    }
    for name in &files {
        let Some(sum) = listed.get(name.as_str()) else {
            return Err(damaged(folder, name, "is not listed in SHA256SUMS"));
        };
        if checksum(&folder.join(name))? != **sum {
            return Err(damaged(folder, name, "differs from its checksum"));
        }
    }
    Ok(files.len())
}

fn damaged(folder: &Path, name: &str, what: &str) -> EngineError {
    EngineError::failed(format!("{} {what}", path_name(&folder.join(name))))
}
