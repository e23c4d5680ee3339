"""The figures of `.github/BENCHMARKS.md`: commands, results and rows for `scripts/benchmarks`."""
