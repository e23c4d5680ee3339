//! Time limits of tests: strict in the nightly run, a minute in the default run, where the machine may be busy.

use std::env;
use std::time::Duration;

/// Catches a program that hangs, and nothing else.
const HANGS: Duration = Duration::from_secs(60);

/// Returns `strict` if the environment sets `PULI_STRICT_TIMES`, and a minute otherwise.
pub fn limit(strict: Duration) -> Duration {
    match env::var_os("PULI_STRICT_TIMES") {
        Some(_) => strict,
        None => HANGS,
    }
}
