"""What a soak has shown: a line for each bound, and whether all of them hold."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from .gauge import Reading
from .latency import Latencies

FEWEST = 4
"""States that have to be compared before anything can be said."""


@dataclass(frozen=True)
class Bounds:
    """What a process may do and still pass."""

    growth: float
    """MiB by which memory may grow after the first quarter of the run."""
    latency: float
    """Milliseconds by which the 99th percentile of answers may exceed twice that of an echo."""
    idle: float
    """Share of a core that may be used while nothing is searched."""


def lines(
    bounds: Bounds, readings: Sequence[Reading], idle: Sequence[float], echo: Latencies, answers: Sequence[Latencies]
) -> tuple[list[str], list[str]]:
    """What was seen, and what of it breaks a bound."""
    seen, broken = [], []

    def judge(line: str, holds: bool) -> None:
        seen.append(line)
        if not holds:
            broken.append(line)

    later = readings[len(readings) // 4 :]
    third = max(1, len(later) // 3)
    before = statistics.median(reading.memory for reading in later[:third])
    after = statistics.median(reading.memory for reading in later[-third:])
    judge(
        f"memory: {before:.1f} MiB, in the end {after:.1f}, never more than {max(r.memory for r in readings):.1f}"
        f" in {len(readings)} states alike (bound: {bounds.growth:g} MiB more)",
        after - before <= bounds.growth,
    )
    for name, counts in (("files", [r.files for r in later]), ("threads", [r.threads for r in later])):
        # One more at times is a thread that has not ended yet; one more for good is a leak.
        judge(
            f"{name}: {min(counts[:third])}, in the end {min(counts[-third:])} (bound: no more)",
            min(counts[-third:]) <= min(counts[:third]),
        )
    judge(
        f"idle: {100 * statistics.median(idle):.2f}% of a core, {100 * max(idle):.2f}% at most"
        f" (bound: {100 * bounds.idle:g}%)",
        statistics.median(idle) <= bounds.idle,
    )
    seen.append(str(echo))
    limit = 2 * echo.p99 + bounds.latency
    for latencies in answers:
        judge(f"{latencies} (bound: {limit:.1f} for 99 of 100)", latencies.p99 <= limit)
    return seen, broken
