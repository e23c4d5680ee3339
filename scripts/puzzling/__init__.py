"""Solves instances of sliding-tile puzzles with an engine, for `scripts/korf`."""
