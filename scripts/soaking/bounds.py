"""The bounds of a soak test, and their evaluation."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from .latency import Latencies
from .process_stats import ProcessStats

MIN_ROUNDS = 4
"""Minimum number of rounds to compare."""


@dataclass(frozen=True)
class Bounds:
    """Limits on a process that passes."""

    growth: float
    """Maximum growth of memory after the first quarter of the run, in MiB."""
    latency: float
    """In milliseconds. The 99th percentile of the engine's latency may be twice that of the echo process, plus this."""
    idle: float
    """Maximum share of a core while nothing is searched, 0 to 1."""


def check_bounds(
    bounds: Bounds, stats: Sequence[ProcessStats], idle: Sequence[float], echo: Latencies, answers: Sequence[Latencies]
) -> tuple[list[str], list[str]]:
    """Returns the lines of the report, and the lines among them whose bound is exceeded.

    Args:
        bounds: the limits.
        stats: resources after each round, in order.
        idle: share of a core used while idle after each round.
        echo: latencies of the echo process.
        answers: latencies of the engine, one object per kind of line.
    """
    lines, failed = [], []

    def check(line: str, holds: bool) -> None:
        lines.append(line)
        if not holds:
            failed.append(line)

    # The first quarter of the rounds fills caches. The first third of the others is compared with the last third.
    later = stats[len(stats) // 4 :]
    third = max(1, len(later) // 3)
    before = statistics.median(sample.memory for sample in later[:third])
    after = statistics.median(sample.memory for sample in later[-third:])
    check(
        f"memory: {before:.1f} MiB, at the end {after:.1f}, maximum {max(sample.memory for sample in stats):.1f}"
        f" of {len(stats)} rounds (bound: {bounds.growth:g} MiB more)",
        after - before <= bounds.growth,
    )
    for name, counts in (("files", [sample.files for sample in later]), ("threads", [sample.threads for sample in later])):
        # Minimums are compared: a thread that is about to exit counts in one round, a leaked one in all later rounds.
        check(
            f"{name}: {min(counts[:third])}, at the end {min(counts[-third:])} (bound: no more)",
            min(counts[-third:]) <= min(counts[:third]),
        )
    check(
        f"idle: {100 * statistics.median(idle):.2f}% of a core, maximum {100 * max(idle):.2f}%"
        f" (bound: {100 * bounds.idle:g}%)",
        statistics.median(idle) <= bounds.idle,
    )
    lines.append(str(echo))
    limit = 2 * echo.p99 + bounds.latency
    for latencies in answers:
        check(f"{latencies} (bound of p99: {limit:.1f})", latencies.p99 <= limit)
    return lines, failed
