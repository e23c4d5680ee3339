"""Compares the engine's values of random small hunt games with a second solver, for `scripts/check-hunts`."""
