//! Data files of the program, such as networks. A native program contains them. In WebAssembly, the host provides a
//! file when its game is selected, so a page loads only the files that it needs.

/// A data file of the program.
pub(crate) struct PackagedFile {
    #[cfg(not(target_family = "wasm"))]
    bytes: &'static [u8],
    #[cfg(target_family = "wasm")]
    name: &'static str,
}

/// Creates a [`PackagedFile`] from its name and its content. The content is not compiled in WebAssembly.
macro_rules! packaged_file {
    ($name:expr, $bytes:expr) => {
        $crate::durable::packaged::PackagedFile::new($name, {
            #[cfg(not(target_family = "wasm"))]
            let bytes = $bytes;
            #[cfg(target_family = "wasm")]
            let bytes = &[];
            bytes
        })
    };
}
pub(crate) use packaged_file;

#[cfg(not(target_family = "wasm"))]
impl PackagedFile {
    pub(crate) const fn new(_name: &'static str, bytes: &'static [u8]) -> Self {
        Self { bytes }
    }

    /// Calls `read` with the content and returns its result. Returns `None` if the host has not provided the content.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "`None` occurs in WebAssembly only"
    )]
    pub(crate) fn read<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        Some(read(self.bytes))
    }
}

#[cfg(target_family = "wasm")]
pub use handed_over::provide_packaged_file;

#[cfg(target_family = "wasm")]
mod handed_over {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex, PoisonError};

    use super::PackagedFile;

    static FILES: Mutex<BTreeMap<String, Arc<[u8]>>> = Mutex::new(BTreeMap::new());

    impl PackagedFile {
        pub(crate) const fn new(name: &'static str, _bytes: &'static [u8]) -> Self {
            Self { name }
        }

        /// Calls `read` with the content and returns its result. Returns `None` if the host has not provided the
        /// content.
        pub(crate) fn read<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
            let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
            let content = files.get(self.name).cloned();
            drop(files);
            content.map(|bytes| read(&bytes))
        }
    }

    /// Provides the content of the packaged file `name`.
    pub fn provide_packaged_file(name: &str, bytes: &[u8]) {
        let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(name.into(), bytes.into());
    }
}
