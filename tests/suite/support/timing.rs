//! Time limits and repetitions of tests. The nightly run sets `PULI_STRICT_TIMES`: limits are strict, and tests repeat more.

use std::env;
use std::time::Duration;

/// Catches a program that hangs, and nothing else.
const HANGS: Duration = Duration::from_secs(60);

/// Returns `strict` if the environment sets `PULI_STRICT_TIMES`, and a minute otherwise.
pub fn limit(strict: Duration) -> Duration {
    if is_nightly() { strict } else { HANGS }
}

/// Returns `nightly` repetitions if the environment sets `PULI_STRICT_TIMES`, and `default` otherwise.
pub fn repetitions(default: u64, nightly: u64) -> u64 {
    if is_nightly() { nightly } else { default }
}

fn is_nightly() -> bool {
    env::var_os("PULI_STRICT_TIMES").is_some()
}
