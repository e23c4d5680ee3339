"""Matches between two engines that speak UGI or UCI: what `scripts/match` is made of."""
