"""The curves of `scripts/fit-curves`, which convert points of hunt games to log-odds."""
