"""Numbers fitted to positions of known value: what `scripts/fit-evaluation` is made of."""
