"""The score of a match, from the outcomes of its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from .record import Outcome
from .sprt import Sprt, estimate


@dataclass(frozen=True)
class Tally:
    """Counts from the first engine's view."""

    wins: int
    draws: int
    losses: int
    void: int
    pairs: tuple[int, ...]
    """Complete pairs by the half points won in them, from 0 to 4."""
    faults: Mapping[str, int]
    """Games that a failure decided, by who failed and how."""

    @classmethod
    def of(cls, outcomes: Mapping[int, Outcome], names: tuple[str, str]) -> Tally:
        """Counts the games; a pair is an odd number and the next."""
        points = {number: outcome.half_points(number) for number, outcome in outcomes.items()}
        counts = Counter(points.values())
        pairs = [0] * 5
        for number, first in points.items():
            second = points.get(number + 1)
            if number % 2 == 1 and first is not None and second is not None:
                pairs[first + second] += 1
        losers = {0: f"{names[0]} ", 2: f"{names[1]} ", None: ""}
        faults = Counter(
            losers[points[number]] + outcome.fault for number, outcome in outcomes.items() if outcome.fault
        )
        return cls(counts[2], counts[1], counts[0], counts[None], tuple(pairs), faults)

    @property
    def games(self) -> int:
        """All of them, void ones too."""
        return self.wins + self.draws + self.losses + self.void

    def line(self, sprt: Sprt | None) -> str:
        """The state of the match in a line."""
        parts = [f"+{self.wins} ={self.draws} -{self.losses}"]
        if self.void:
            parts.append(f"void {self.void}")
        if strength := estimate(self.pairs):
            parts.append(f"pairs {'-'.join(map(str, self.pairs))}")
            parts.append(str(strength))
        if sprt:
            parts.append(sprt.describe(self.pairs))
        return "; ".join(parts)
