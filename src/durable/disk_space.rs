//! Checks the free disk space before long work starts.

use std::path::Path;

use crate::error::EngineError;
use crate::escape::path_name;

/// Checks that the disk of `folder` has at least `bytes` free.
///
/// Always succeeds if the free space is unknown: on systems other than Unix, and if the query fails.
///
/// # Errors
/// If fewer bytes are free. The error names the folder and both sizes.
pub fn require_space(folder: &Path, bytes: u64) -> Result<(), EngineError> {
    let Some(available) = available_bytes(folder) else {
        return Ok(());
    };
    if available >= bytes {
        return Ok(());
    }
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    Err(EngineError::failed(format!(
        "{}: not enough disk space: about {} MiB needed, {} MiB free",
        path_name(folder),
        mib(bytes),
        available >> 20
    )))
}

/// Returns the bytes that an unprivileged process may still write to the disk of `folder`.
#[cfg(unix)]
fn available_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_frsize.saturating_mul(disk.f_bavail))
}

#[cfg(not(unix))]
fn available_bytes(_folder: &Path) -> Option<u64> {
    None
}
