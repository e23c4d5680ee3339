//! The processor that runs the program: heavy work is compiled for several generations of it, and the newest that is
//! there is chosen at run time.
//!
//! The levels are those of the x86-64 psABI: the baseline, which every such processor has; version 3, with the population
//! count, the bit manipulation and the vectors of 256 bits that bitboards and cubes of values want; and version 4, whose
//! masks and further registers save the cubes some percent more. On other architectures the baseline has what is needed,
//! and is all there is.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "two calls, guarded by the processor's own word: a solved game takes 1.4 times as long without it; and a hint \
                  that reads and writes nothing: 2048 is learned a quarter slower without it"
    )
)]

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

/// Instructions that work is compiled for, and that this processor has: there is no other level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Kind {
    Baseline = 1,
    #[cfg(target_arch = "x86_64")]
    V3 = 2,
    #[cfg(target_arch = "x86_64")]
    V4 = 3,
}

/// Environment variable that forbids what is newer than the level it names: to measure, and to hunt for a fault.
pub const LIMIT: &str = "PULI_PROCESSOR";

/// The newest [`Kind`] that may be used, once somebody has asked; a search asks at every node.
static NEWEST: AtomicU8 = AtomicU8::new(0);

impl Level {
    /// What every processor of the architecture has.
    pub const BASELINE: Self = Self(Kind::Baseline);

    /// The newest that there is here, or that the environment allows.
    #[inline(always)]
    pub fn newest() -> Self {
        match NEWEST.load(Relaxed) {
            #[cfg(target_arch = "x86_64")]
            known if known == Kind::V4 as u8 => Self(Kind::V4),
            #[cfg(target_arch = "x86_64")]
            known if known == Kind::V3 as u8 => Self(Kind::V3),
            known if known == Kind::Baseline as u8 => Self::BASELINE,
            _ => Self::find_newest(),
        }
    }

    #[cold]
    fn find_newest() -> Self {
        let mut levels = Self::available();
        if let Ok(limit) = std::env::var(LIMIT)
            && let Some(last) = levels.iter().position(|level| level.name() == limit)
        {
            levels.truncate(last + 1);
        }
        let newest = levels.pop().unwrap_or(Self::BASELINE);
        NEWEST.store(newest.0 as u8, Relaxed);
        newest
    }

    /// All that there are here, the oldest first.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        if v3::is_available() {
            let v4 = v4::is_available().then_some(Self(Kind::V4));
            return [Self::BASELINE, Self(Kind::V3)]
                .into_iter()
                .chain(v4)
                .collect();
        }
        vec![Self::BASELINE]
    }

    /// What compilers call it.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Baseline => "x86-64",
            #[cfg(not(target_arch = "x86_64"))]
            Kind::Baseline => std::env::consts::ARCH,
            #[cfg(target_arch = "x86_64")]
            Kind::V3 => "x86-64-v3",
            #[cfg(target_arch = "x86_64")]
            Kind::V4 => "x86-64-v4",
        }
    }

    /// Does `work` with the instructions of this level.
    ///
    /// Only what is inlined into `work` is compiled for it, and `work` itself has to be: mark what it calls often, and give it as
    /// `#[inline(always)] || …`.
    #[inline(always)]
    pub fn run<T>(self, work: impl FnOnce() -> T) -> T {
        match self.0 {
            Kind::Baseline => work(),
            #[cfg(target_arch = "x86_64")]
            Kind::V3 => {
                // SAFETY: there is such a level only where the processor has said that it has the instructions.
                unsafe { v3::run(work) }
            }
            #[cfg(target_arch = "x86_64")]
            Kind::V4 => {
                // SAFETY: as above.
                unsafe { v4::run(work) }
            }
        }
    }
}

/// Does `work` with the newest instructions that there are; see [`Level::run`].
#[inline(always)]
pub fn run<T>(work: impl FnOnce() -> T) -> T {
    Level::newest().run(work)
}

/// Tells the processor that this will soon be read, so that it need not be waited for then. On other architectures than x86-64
/// it is told nothing.
#[inline(always)]
pub fn fetch<T>(wanted: &T) {
    hint(wanted);
}

/// The same of one of many, without a look at whether there are so many: nothing is read.
#[inline(always)]
pub fn fetch_at<T>(all: &[T], index: usize) {
    hint(all.as_ptr().wrapping_add(index));
}

#[inline(always)]
fn hint<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it is a hint, which may be given of any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The same of as many neighbours, but no more than a few lines of the cache: for the rest the processor sees by itself where
/// this goes.
#[inline(always)]
pub fn fetch_all<T>(wanted: &[T]) {
    const LINE: usize = 64;
    const MAX_LINES: usize = 16;
    let each = wanted.iter().step_by((LINE / size_of::<T>()).max(1));
    each.take(MAX_LINES).for_each(fetch);
}

#[cfg(target_arch = "x86_64")]
mod v3 {
    use std::arch::is_x86_feature_detected as has;

    /// Whether the processor has all that `run` is compiled for.
    #[inline]
    pub fn is_available() -> bool {
        has!("avx2")
            && has!("bmi1")
            && has!("bmi2")
            && has!("fma")
            && has!("lzcnt")
            && has!("movbe")
            && has!("popcnt")
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
    pub fn run<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
}

#[cfg(target_arch = "x86_64")]
mod v4 {
    use std::arch::is_x86_feature_detected as has;

    /// Whether a processor that has version 3 has all that `run` is compiled for.
    #[inline]
    pub fn is_available() -> bool {
        has!("avx512f")
            && has!("avx512bw")
            && has!("avx512cd")
            && has!("avx512dq")
            && has!("avx512vl")
    }

    #[target_feature(
        enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
    )]
    pub fn run<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_does_the_same_work() {
        let words: Vec<u64> = (0..1000_u64)
            .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let work = || -> u64 {
            let mixed = words.iter().map(|word| {
                u64::from(word.count_ones() + word.trailing_zeros())
                    ^ word.rotate_left(7) & !(word << 3)
            });
            mixed.fold(0, u64::wrapping_add)
        };
        let levels = Level::available();
        assert_eq!(levels[0], Level::BASELINE);
        assert!(levels.contains(&Level::newest()));
        for level in levels {
            let found = level.run(work);
            assert_eq!(found, work(), "{}", level.name());
        }
    }
}
