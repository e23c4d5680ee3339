"""Latencies of answers, and their quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Latencies:
    """Times from sending a line of one kind to reading its answer, in milliseconds."""

    name: str
    times: list[float] = field(default_factory=list)

    def add(self, milliseconds: float) -> None:
        """Adds one time."""
        self.times.append(milliseconds)

    @property
    def median(self) -> float:
        """Median, in milliseconds."""
        return quantile(self.times, 0.5)

    @property
    def p99(self) -> float:
        """99th percentile, in milliseconds."""
        return quantile(self.times, 0.99)

    def __str__(self) -> str:
        if not self.times:
            return f"{self.name}: none"
        return (
            f"{self.name}: median {self.median:.2f} ms, p99 {self.p99:.2f}, maximum {max(self.times):.2f}"
            f" of {len(self.times)}"
        )


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the quantile at `share`, 0 to 1, of `values`; 0 if there are no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
