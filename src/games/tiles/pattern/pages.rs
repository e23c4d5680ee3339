//! Bytes in huge pages, where the system has them: whoever reads a large table at random otherwise waits for the page to
//! be found before the byte.

use std::fmt;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use crate::error::Refusal;
use crate::sealed;

/// Fewer bytes than this are not worth pages of their own.
const LEAST: usize = 4 << 20;

/// A fixed number of bytes, all zero at first.
pub enum Pages {
    /// In pages of their own.
    Mapped(MmapMut),
    /// Few, or on a system that gave no pages.
    Plain(Vec<u8>),
}

impl Pages {
    /// So many zeros, or the refusal of more than memory holds.
    pub fn try_zeroed(bytes: usize) -> Result<Self, Refusal> {
        if bytes < LEAST {
            return sealed::zeroed(bytes).map(Self::Plain);
        }
        match Self::mapped(bytes) {
            Some(pages) => Ok(pages),
            None => sealed::zeroed(bytes).map(Self::Plain),
        }
    }

    /// So many zeros.
    pub fn zeroed(bytes: usize) -> Self {
        let mapped = (bytes >= LEAST).then(|| Self::mapped(bytes)).flatten();
        mapped.unwrap_or_else(|| Self::Plain(vec![0; bytes]))
    }

    fn mapped(bytes: usize) -> Option<Self> {
        let pages = MmapMut::map_anon(bytes).ok()?;
        // Advice that is not taken costs time, nothing else.
        #[cfg(target_os = "linux")]
        drop(pages.advise(memmap2::Advice::HugePage));
        Some(Self::Mapped(pages))
    }
}

impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(pages) => pages,
            Self::Plain(bytes) => bytes,
        }
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Mapped(pages) => pages,
            Self::Plain(bytes) => bytes,
        }
    }
}

impl PartialEq for Pages {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Pages {}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl From<&[u8]> for Pages {
    fn from(bytes: &[u8]) -> Self {
        let mut pages = Self::zeroed(bytes.len());
        pages.copy_from_slice(bytes);
        pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_bytes_are_kept_alike() {
        for count in [0, 1, LEAST - 1, LEAST + 1] {
            let mut pages = Pages::zeroed(count);
            assert_eq!(pages.len(), count);
            assert!(pages.iter().all(|&byte| byte == 0));
            pages.fill(7);
            assert_eq!(Pages::from(&*pages), pages);
        }
    }
}
