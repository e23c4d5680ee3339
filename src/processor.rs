//! CPU dispatch: hot code is compiled for several instruction set levels, and the newest level supported by
//! the CPU is selected at run time.
//!
//! The levels of the x86-64 psABI are used: the baseline, version 3 (AVX2, BMI, POPCNT) and version 4 (AVX-512).
//! Other architectures have only the baseline.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "two calls guarded by CPU feature detection, without which solving takes 1.4 times as long, and a prefetch \
                  hint, without which the training for 2048 takes a quarter longer"
    )
)]

use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

/// An instruction set level supported by this CPU. Unsupported levels cannot be constructed.
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

/// Name of the environment variable that limits the level, for measurements and debugging at lower levels.
pub const LIMIT: &str = "PULI_PROCESSOR";

/// The newest allowed [`Kind`] as a number, or 0 before the first call. It is cached, because searches read it at
/// every node.
static NEWEST: AtomicU8 = AtomicU8::new(0);

impl Level {
    /// The level supported by every CPU of the architecture.
    pub(crate) const BASELINE: Self = Self(Kind::Baseline);

    /// Returns the newest level supported by the CPU and allowed by [`LIMIT`].
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

    /// Returns all supported levels in ascending order.
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

    /// Returns the level's name for compilers, such as `x86-64-v3`.
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

    /// Runs `work` with the instructions of this level.
    ///
    /// Only code inlined into `work` is compiled for the level. So pass `#[inline(always)] || …`, and also mark
    /// the functions that `work` calls often with `#[inline(always)]`.
    #[inline(always)]
    pub fn run<T>(self, work: impl FnOnce() -> T) -> T {
        match self.0 {
            Kind::Baseline => work(),
            #[cfg(target_arch = "x86_64")]
            Kind::V3 => {
                // SAFETY: `Kind::V3` is constructed only if the CPU supports these instructions.
                unsafe { v3::run(work) }
            }
            #[cfg(target_arch = "x86_64")]
            Kind::V4 => {
                // SAFETY: `Kind::V4` is constructed only if the CPU supports these instructions.
                unsafe { v4::run(work) }
            }
        }
    }
}

/// Runs `work` at the newest allowed level; see [`Level::run`].
#[inline(always)]
pub fn run<T>(work: impl FnOnce() -> T) -> T {
    Level::newest().run(work)
}

/// Prefetches the cache line of `value`. Does nothing on architectures other than x86-64.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    prefetch_line(value);
}

/// Prefetches the cache line of element `index`. `index` may be out of bounds, because a prefetch reads
/// nothing.
#[inline(always)]
pub(crate) fn prefetch_at<T>(all: &[T], index: usize) {
    prefetch_line(all.as_ptr().wrapping_add(index));
}

#[inline(always)]
fn prefetch_line<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching is a hint and may be given for any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Prefetches the first 16 cache lines of `values`. The CPU's own prefetcher loads the following lines.
#[inline(always)]
pub(crate) fn prefetch_all<T>(values: &[T]) {
    const LINE: usize = 64;
    const MAX_LINES: usize = 16;
    let each = values.iter().step_by((LINE / size_of::<T>()).max(1));
    each.take(MAX_LINES).for_each(prefetch);
}

#[cfg(target_arch = "x86_64")]
mod v3 {
    use std::arch::is_x86_feature_detected as has;

    /// Returns `true` if the CPU supports all features of `run`.
    #[inline]
    pub(crate) fn is_available() -> bool {
        has!("avx2")
            && has!("bmi1")
            && has!("bmi2")
            && has!("fma")
            && has!("lzcnt")
            && has!("movbe")
            && has!("popcnt")
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
    pub(super) fn run<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
}

#[cfg(target_arch = "x86_64")]
mod v4 {
    use std::arch::is_x86_feature_detected as has;

    /// Returns `true` if a CPU with version 3 supports all features of `run`.
    #[inline]
    pub(crate) fn is_available() -> bool {
        has!("avx512f")
            && has!("avx512bw")
            && has!("avx512cd")
            && has!("avx512dq")
            && has!("avx512vl")
    }

    #[target_feature(
        enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
    )]
    pub(super) fn run<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
}

/// Returns the inner product of two rows.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
pub(crate) fn inner_product<const N: usize>(one: &[i16; N], other: &[i16; N]) -> i32 {
    let pairs = one.iter().zip(other);
    pairs
        .map(|(&one, &other)| i32::from(one) * i32::from(other))
        .sum()
}

/// Returns the inner product of two rows, whose length must be a multiple of 8. Uses a SIMD instruction that the
/// compiler does not select; without it, `auto` visits a third fewer nodes.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
pub(crate) fn inner_product<const N: usize>(one: &[i16; N], other: &[i16; N]) -> i32 {
    use std::arch::wasm32::{i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat};

    const { assert!(N.is_multiple_of(8)) }
    let lanes = |eight: &[i16]| match *eight {
        [a, b, c, d, e, f, g, h] => i16x8(a, b, c, d, e, f, g, h),
        _ => unreachable!("rows are cut into eights"),
    };
    let eights = one.chunks_exact(8).zip(other.chunks_exact(8));
    let sums = eights.fold(i32x4_splat(0), |sums, (one, other)| {
        i32x4_add(sums, i32x4_dot_i16x8(lanes(one), lanes(other)))
    });
    i32x4_extract_lane::<0>(sums)
        + i32x4_extract_lane::<1>(sums)
        + i32x4_extract_lane::<2>(sums)
        + i32x4_extract_lane::<3>(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_levels_compute_the_same() {
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
