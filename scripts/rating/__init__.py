"""The table of `scripts/rate-evaluations`: commands, results, and reports."""
