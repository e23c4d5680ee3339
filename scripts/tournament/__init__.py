"""Matches between two engines that speak UGI or UCI, and other measurements of engines: the modules of `scripts/match`,
`scripts/keep-value` and `scripts/play-out`."""
