"""Whether what was printed is what was promised."""

from __future__ import annotations

import re
from collections.abc import Sequence

VARYING = ("time_ms", "ms", "s", "nps", "moves/s", "peak_mib")
"""Columns of tables whose figures differ from run to run."""


def mismatch(promised: Sequence[str], printed: Sequence[str]) -> str | None:
    """What is not as promised, in words; `None` when all is.

    A line `…` stands for any lines, `…` within a line for any text; blanks count as one; figures in a column named in
    `VARYING` may be any.
    """
    wanted = [line for line in promised if line.strip()]
    seen = [line for line in printed if line.strip()]
    patterns = [None if line.strip() == "…" else _pattern(line, wanted[0]) for line in wanted]
    return _first_mismatch(wanted, patterns, seen)


def _first_mismatch(wanted: Sequence[str], patterns: Sequence[re.Pattern[str] | None], seen: Sequence[str]) -> str | None:
    # Which lines the promises up to here can have used up; a set of places, as in any matcher of wildcards.
    places = {0}
    for line, pattern in zip(wanted, patterns):
        if pattern is None:
            places = set(range(min(places), len(seen) + 1))
            continue
        after = {place + 1 for place in places if place < len(seen) and pattern.fullmatch(" ".join(seen[place].split()))}
        if not after:
            instead = seen[min(places)] if min(places) < len(seen) else "nothing more"
            return f"'{line}' is promised, and printed is '{instead}'"
        places = after
    if len(seen) not in places:
        return f"nothing more is promised, and printed is '{seen[max(places)]}'"
    return None


def _pattern(line: str, header: str) -> re.Pattern[str]:
    words, names = line.split(), header.split()
    varying = {place for place, name in enumerate(names) if name in VARYING} if len(words) == len(names) else set()
    parts = [
        r"\S+" if place in varying and word not in VARYING else ".*".join(map(re.escape, word.split("…")))
        for place, word in enumerate(words)
    ]
    # A lone ellipsis may stand for several words, or for none.
    return re.compile(" ".join(parts).replace(r" .* ", r" (?:.* )?").replace(" .*", r"(?: .*)?"))
