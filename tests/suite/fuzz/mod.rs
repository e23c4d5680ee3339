//! Fuzz tests of protocol lines, positions and whole sessions. The input consists of random changes of valid lines.
//!
//! Every case has a seed, which is printed if the case fails. The environment variable `PULI_FUZZ_SEED` sets the seed
//! of the first case, and `PULI_FUZZ_CASES` the number of cases. By default, a test takes some seconds.

mod mutation;
mod positions;
mod session;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;

/// Runs `case` once for each of a series of consecutive seeds.
fn run_cases(default_cases: u64, case: impl Fn(&mut Rng)) {
    let number = |name| {
        env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let first_seed = number("PULI_FUZZ_SEED").unwrap_or(1);
    let cases = number("PULI_FUZZ_CASES").unwrap_or(default_cases);
    for seed in first_seed..first_seed.saturating_add(cases) {
        let mut random = Rng::with_seed(seed);
        let result = catch_unwind(AssertUnwindSafe(|| case(&mut random)));
        // The message of the panic is already printed. Add how to repeat this case.
        assert!(
            result.is_ok(),
            "repeat with PULI_FUZZ_SEED={seed} PULI_FUZZ_CASES=1"
        );
    }
}
