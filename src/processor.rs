//! The processor that runs the program: heavy work is compiled for several generations of it, and the newest that is
//! there is chosen at run time.
//!
//! The levels are those of the x86-64 psABI: the baseline, which every such processor has, and version 3, with the
//! population count, the bit manipulation and the vectors of 256 bits that bitboards and cubes of values want. On other
//! architectures the baseline has what is needed, and is all there is.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "one call, guarded by the processor's own word: a solved game takes 1.4 times as long without it"
    )
)]

use std::sync::LazyLock;

/// Instructions that work is compiled for, and that this processor has: there is no other level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    V3,
}

/// Environment variable that forbids what is newer than the level it names: to measure, and to hunt for a fault.
pub const LIMIT: &str = "PULI_PROCESSOR";

static NEWEST: LazyLock<Level> = LazyLock::new(|| {
    let mut levels = Level::available();
    if let Ok(limit) = std::env::var(LIMIT)
        && let Some(last) = levels.iter().position(|level| level.name() == limit)
    {
        levels.truncate(last + 1);
    }
    levels.pop().unwrap_or(Level::BASELINE)
});

impl Level {
    /// What every processor of the architecture has.
    pub const BASELINE: Self = Self(Kind::Baseline);

    /// The newest that there is here, or that the environment allows.
    #[inline]
    pub fn newest() -> Self {
        *NEWEST
    }

    /// All that there are here, the oldest first.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::BASELINE];
        #[cfg(target_arch = "x86_64")]
        levels.extend(v3::is_available().then_some(Self(Kind::V3)));
        levels
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
        }
    }

    /// Does `work` with the instructions of this level.
    ///
    /// Only what is inlined into `work` is compiled for it, and `work` itself has to be: give it as
    /// `#[inline(always)] || …`.
    #[inline]
    pub fn run<T>(self, work: impl FnOnce() -> T) -> T {
        match self.0 {
            Kind::Baseline => work(),
            #[cfg(target_arch = "x86_64")]
            Kind::V3 => {
                // SAFETY: there is such a level only where the processor has said that it has the instructions.
                unsafe { v3::run(work) }
            }
        }
    }
}

/// Does `work` with the newest instructions that there are; see [`Level::run`].
#[inline]
pub fn run<T>(work: impl FnOnce() -> T) -> T {
    Level::newest().run(work)
}

/// How many ones a word has, by the processor's own instruction where there is one: what a search of bitboards asks
/// too often, and in too many places, for each of them to choose.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn count_ones(word: impl Into<u64>) -> u32 {
    use std::sync::atomic::Ordering::Relaxed;

    let word = word.into();
    match popcnt::STATE.load(Relaxed) {
        // SAFETY: the processor has said that it has the instruction.
        popcnt::THERE => unsafe { popcnt::count(word) },
        popcnt::MISSING => word.count_ones(),
        _ => popcnt::count_first(word),
    }
}

/// How many ones a word has.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn count_ones(word: impl Into<u64>) -> u32 {
    word.into().count_ones()
}

#[cfg(target_arch = "x86_64")]
mod popcnt {
    use std::arch::asm;
    use std::sync::atomic::AtomicU8;
    use std::sync::atomic::Ordering::Relaxed;

    use super::Level;

    /// Whether the instruction is there, once somebody has asked.
    pub static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);
    const UNKNOWN: u8 = 0;
    pub const MISSING: u8 = 1;
    pub const THERE: u8 = 2;

    /// # Safety
    /// The processor has to have the instruction. It is written out because a function that is compiled for it would not
    /// be inlined where it is counted.
    #[inline]
    pub unsafe fn count(word: u64) -> u32 {
        let ones: u64;
        // SAFETY: it reads one register and writes another, and the flags.
        unsafe {
            asm!("popcnt {}, {}", lateout(reg) ones, in(reg) word, options(pure, nomem, nostack));
        }
        ones as u32
    }

    /// Finds out, too.
    #[cold]
    pub fn count_first(word: u64) -> u32 {
        let is_there = Level::newest() != Level::BASELINE;
        STATE.store(if is_there { THERE } else { MISSING }, Relaxed);
        word.count_ones()
    }
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

    #[test]
    fn ones_are_counted() {
        for bits in 0..=64_u32 {
            let word = 1_u64.checked_shl(bits).map_or(u64::MAX, |word| word - 1);
            for turned in [word, word.reverse_bits(), word.rotate_left(11)] {
                assert_eq!(count_ones(turned), bits);
            }
        }
    }
}
