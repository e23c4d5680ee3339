"""Instances of sliding tiles and what an engine makes of them: what `scripts/korf` is made of."""
