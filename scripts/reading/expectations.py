"""Compares the output of a command with the output that a page documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

VARYING_COLUMNS = ("time_ms", "ms", "s", "nps", "moves/s", "peak_mib")
"""Columns of tables whose values differ from run to run."""


def mismatch(expected: Sequence[str], printed: Sequence[str]) -> str | None:
    """Returns an error message for the first difference, or `None` if the output is as expected.

    An expected line `…` stands for any number of lines, and `…` within a line for any text. Several blanks equal one.
    If the first line is the header of a table, columns named in `VARYING_COLUMNS` may have any values.
    """
    lines = [line for line in expected if line.strip()]
    patterns = [None if line.strip() == "…" else _pattern(line, lines[0]) for line in lines]
    return _first_mismatch(lines, patterns, [line for line in printed if line.strip()])


def _first_mismatch(
    lines: Sequence[str], patterns: Sequence[re.Pattern[str] | None], printed: Sequence[str]
) -> str | None:
    # All numbers n for which the expected lines so far match the first n printed lines. A line `…` adds many such numbers.
    counts = {0}
    for line, pattern in zip(lines, patterns):
        if pattern is None:
            counts = set(range(min(counts), len(printed) + 1))
            continue
        longer = {n + 1 for n in counts if n < len(printed) and pattern.fullmatch(" ".join(printed[n].split()))}
        if not longer:
            found = f"'{printed[min(counts)]}'" if min(counts) < len(printed) else "the end of the output"
            return f"expected '{line}', found {found}"
        counts = longer
    if len(printed) not in counts:
        return f"expected the end of the output, found '{printed[max(counts)]}'"
    return None


def _pattern(line: str, header: str) -> re.Pattern[str]:
    """Returns the pattern of an expected line. `header` is the first line, which may be the header of a table."""
    words, columns = line.split(), header.split()
    has_columns = len(words) == len(columns)
    varying = {n for n, column in enumerate(columns) if has_columns and column in VARYING_COLUMNS}
    parts = [
        r"\S+" if n in varying and word not in VARYING_COLUMNS else ".*".join(map(re.escape, word.split("…")))
        for n, word in enumerate(words)
    ]
    # A word `…` matches any number of words, also none.
    return re.compile(" ".join(parts).replace(r" .* ", r" (?:.* )?").replace(" .*", r"(?: .*)?"))
