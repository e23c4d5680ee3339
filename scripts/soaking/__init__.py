"""One process driven for a long time, and what becomes of its memory, its files and its answers: `scripts/soak`."""
