//! Bytes in huge pages, where the system has them: whoever reads a large table at random otherwise waits for the page to
//! be found before the byte.

use std::fmt;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use crate::room::{self, NoRoom};

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
    /// So many zeros.
    pub fn zeroed(bytes: usize) -> Result<Self, NoRoom> {
        match MmapMut::map_anon(bytes) {
            Ok(pages) if bytes >= LEAST => {
                // Advice that is not taken costs time, nothing else.
                #[cfg(target_os = "linux")]
                drop(pages.advise(memmap2::Advice::HugePage));
                Ok(Self::Mapped(pages))
            }
            _ => room::zeroed(bytes).map(Self::Plain),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_bytes_are_kept_alike() {
        for count in [0, 1, LEAST - 1, LEAST + 1] {
            let mut pages = Pages::zeroed(count).unwrap();
            assert_eq!(pages.len(), count);
            assert!(pages.iter().all(|&byte| byte == 0));
            pages.fill(7);
            assert!(pages.iter().all(|&byte| byte == 7));
            assert_eq!(pages.len(), count);
        }
    }
}
