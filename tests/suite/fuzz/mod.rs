//! Fuzz tests of lines, positions and whole sessions, based on a corpus.
//!
//! Every case has a seed, which a failure prints. The environment variable `PULI_FUZZ_SEED` sets the first seed,
//! and `PULI_FUZZ_CASES` the number of cases. By default, a test takes some seconds.

mod mutation;
mod positions;
mod session;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;

/// Runs `case` with consecutive seeds.
fn run_cases(default_cases: u64, case: impl Fn(&mut Rng)) {
    let number = |name| {
        env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let first = number("PULI_FUZZ_SEED").unwrap_or(1);
    let cases = number("PULI_FUZZ_CASES").unwrap_or(default_cases);
    for seed in first..first.saturating_add(cases) {
        let mut random = Rng::with_seed(seed);
        let result = catch_unwind(AssertUnwindSafe(|| case(&mut random)));
        // The panic message was printed before.
        assert!(
            result.is_ok(),
            "once more with PULI_FUZZ_SEED={seed} PULI_FUZZ_CASES=1"
        );
    }
}
