//! Whether a disk has room, asked before hours of work rather than after them.

use std::path::Path;

use crate::error::EngineError;
use crate::escape::path_name;

/// Refuses a folder whose disk has fewer bytes to spare than will be written. A disk that does not tell has room.
pub fn require_space(folder: &Path, bytes: u64) -> Result<(), EngineError> {
    let Ok(available) = fs4::available_space(folder) else {
        return Ok(());
    };
    if available >= bytes {
        return Ok(());
    }
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    Err(EngineError::failed(format!(
        "{}: about {} MiB will be written, and {} MiB are free there",
        path_name(folder),
        mib(bytes),
        available >> 20
    )))
}
