//! Time limits and repetitions of tests. The nightly run sets `PULI_STRICT_TIMES`, which makes limits strict and
//! repeats tests more often.

use std::env;
use std::time::Duration;

/// Limit that only a hanging program exceeds.
const HANGS: Duration = Duration::from_secs(60);

/// Returns `strict` if the environment variable `PULI_STRICT_TIMES` is set, and a minute otherwise.
pub fn limit(strict: Duration) -> Duration {
    if is_nightly() { strict } else { HANGS }
}

/// Returns `nightly` if the environment variable `PULI_STRICT_TIMES` is set, and `default` otherwise.
pub fn repetitions(default: u64, nightly: u64) -> u64 {
    if is_nightly() { nightly } else { default }
}

fn is_nightly() -> bool {
    env::var_os("PULI_STRICT_TIMES").is_some()
}
