//! Time limits and numbers of repetitions in tests. The nightly run sets the environment variable
//! `PULI_STRICT_TIMES`. Time limits are then strict, and tests are repeated more often.

use std::env;
use std::time::Duration;

/// A time limit that only a program that hangs exceeds.
const LENIENT_LIMIT: Duration = Duration::from_secs(60);

/// Returns `strict` if the environment variable `PULI_STRICT_TIMES` is set, and a minute otherwise.
pub fn limit(strict: Duration) -> Duration {
    if is_nightly() { strict } else { LENIENT_LIMIT }
}

/// Returns `nightly` if the environment variable `PULI_STRICT_TIMES` is set, and `default` otherwise.
pub fn repetitions(default: u64, nightly: u64) -> u64 {
    if is_nightly() { nightly } else { default }
}

fn is_nightly() -> bool {
    env::var_os("PULI_STRICT_TIMES").is_some()
}
