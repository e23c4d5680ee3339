//! Checks the free disk space before a long computation starts.

use std::path::Path;

use crate::error::EngineError;
use crate::escape::path_name;

/// Checks that at least `bytes` bytes are free on the disk of `folder`.
///
/// Always succeeds if the free space is unknown, as on systems other than Unix.
///
/// # Errors
/// If fewer bytes are free. The error names the folder, the required space and the free space.
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

/// Returns the free space for unprivileged processes on the disk of `folder`, in bytes, or `None` if it is unknown.
#[cfg(unix)]
fn available_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_frsize.saturating_mul(disk.f_bavail))
}

#[cfg(not(unix))]
fn available_bytes(_folder: &Path) -> Option<u64> {
    None
}
