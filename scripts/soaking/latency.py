"""How soon answers came, and what that means beside an echo on the same machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Latencies:
    """Milliseconds from a line to its answer, one kind of line."""

    name: str
    times: list[float] = field(default_factory=list)

    def add(self, milliseconds: float) -> None:
        """Counts one."""
        self.times.append(milliseconds)

    @property
    def median(self) -> float:
        """Half of all were sooner."""
        return quantile(self.times, 0.5)

    @property
    def p99(self) -> float:
        """99 of 100 were sooner."""
        return quantile(self.times, 0.99)

    def __str__(self) -> str:
        if not self.times:
            return f"{self.name}: none"
        return (
            f"{self.name}: median {self.median:.2f} ms, p99 {self.p99:.2f}, worst {max(self.times):.2f}"
            f" of {len(self.times)}"
        )


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that this share of all do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
