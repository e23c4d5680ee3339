//! Whatever is said, nothing breaks: lines, positions and whole sessions at random, from a kept corpus.
//!
//! Every case has a seed, which a failure prints. `PULI_FUZZ_SEED` sets that of the first case, `PULI_FUZZ_CASES` how many
//! there are: by default as many as take some seconds.

mod mutation;
mod positions;
mod session;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;

/// Runs a case with one seed after the other.
fn every_case(usual: u64, case: impl Fn(&mut Rng)) {
    let number = |name| {
        env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let first = number("PULI_FUZZ_SEED").unwrap_or(1);
    let cases = number("PULI_FUZZ_CASES").unwrap_or(usual);
    for seed in first..first.saturating_add(cases) {
        let mut random = Rng::with_seed(seed);
        let result = catch_unwind(AssertUnwindSafe(|| case(&mut random)));
        // What went wrong was told by then.
        assert!(
            result.is_ok(),
            "once more with PULI_FUZZ_SEED={seed} PULI_FUZZ_CASES=1"
        );
    }
}
