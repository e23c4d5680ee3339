"""The score of a match, from the outcomes of its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from .games_file import Outcome
from .sprt import Sprt, estimate


@dataclass(frozen=True)
class MatchScore:
    """Counts of results from the view of engine 1."""

    wins: int
    draws: int
    losses: int
    void: int
    """Number of games without a valid result."""
    pairs: tuple[int, ...]
    """Number of complete pairs for each sum of half points of engine 1 in both games: 0 (lost both) to 4 (won both)."""
    faults: Mapping[str, int]
    """Number of games that a failure decided, by engine and kind of failure."""

    @classmethod
    def of(cls, outcomes: Mapping[int, Outcome], names: tuple[str, str]) -> MatchScore:
        """Counts the outcomes of games by number. Each odd number and the next one are a pair.

        `names` are the names of the engines, for `faults`.
        """
        points = {number: outcome.half_points(number) for number, outcome in outcomes.items()}
        counts = Counter(points.values())
        pairs = [0] * 5
        for number, first in points.items():
            second = points.get(number + 1)
            if number % 2 == 1 and first is not None and second is not None:
                pairs[first + second] += 1
        losers = {0: f"{names[0]} ", 2: f"{names[1]} ", None: ""}
        faults = Counter(losers[points[number]] + outcome.fault for number, outcome in outcomes.items() if outcome.fault)
        return cls(counts[2], counts[1], counts[0], counts[None], tuple(pairs), faults)

    @property
    def games(self) -> int:
        """Number of games, including void ones."""
        return self.wins + self.draws + self.losses + self.void

    def describe(self, sprt: Sprt | None) -> str:
        """Returns one line with the counts, the estimated strength and the state of the test."""
        parts = [f"+{self.wins} ={self.draws} -{self.losses}"]
        if self.void:
            parts.append(f"void {self.void}")
        if strength := estimate(self.pairs):
            parts.append(f"pairs {'-'.join(map(str, self.pairs))}")
            parts.append(str(strength))
        if sprt:
            parts.append(sprt.describe(self.pairs))
        return "; ".join(parts)
