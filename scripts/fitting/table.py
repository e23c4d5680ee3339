"""Fitted numbers as the engine reads them: a row for every way to occupy a line, in hundredths.

A row begins with what stands on the line, `.` for nobody, `G` and `T`, and holds a number for each phase (goats to
step; the last goat in hand; all goats in hand), and in each for 0, 1, 2, 3, and 4 or more goats captured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from work.text import lines_of

from .positions import STAGES, Positions
from .regression import PHASES, Fit

HEAD = f"""\
# The champion's numbers, made by scripts/fit-evaluation from {{count}} positions. In hundredths, for each phase (goats
# to step; the last goat in hand; all goats in hand), and in each for 0, 1, 2, 3, and {STAGES - 1} or more goats captured.
"""
_NUMBER = re.compile(r"-?[0-9]{1,9}")
SIDES = ("goats-to-move", "tigers-to-move")


@dataclass(frozen=True)
class Row:
    """The numbers of one way to occupy a line, or of a side to move."""

    line: str
    """The points of the line; empty for a side to move."""
    what: str
    numbers: tuple[int, ...]


def write_table(positions: Positions, fit: Fit, out: TextIO) -> None:
    """Writes the weights of a fit, but for occupations that never occurred."""
    out.write(HEAD.format(count=f"{len(positions):,}"))
    for side, name in enumerate(SIDES):
        out.write(f"{name} {_row(fit, positions.numbers + side)}\n")
    first = 0
    for points in positions.kinds:
        out.write(f"line {' '.join(points)}\n")
        for number in range(3 ** len(points)):
            row = _row(fit, first + number)
            if row.strip("0 "):
                out.write(f"{occupied(number, len(points))} {row}\n")
        first += 3 ** len(points)


def read_table(path: Path) -> list[Row]:
    """The rows of a file."""
    rows, line = [], ""
    for number, text in enumerate(lines_of(path), start=1):
        what, *rest = text.split() or ["#"]
        if what == "line":
            line = " ".join(rest)
        elif what != "#":
            if len(rest) != PHASES * STAGES or not all(_NUMBER.fullmatch(word) for word in rest):
                raise ValueError(f"{path} line {number}: '{text[:100]}' is no row of {PHASES * STAGES} numbers")
            rows.append(Row(line, what, tuple(map(int, rest))))
    if not rows:
        raise ValueError(f"{path} holds no numbers")
    return rows


def show_table(rows: list[Row], least: int) -> None:
    """Prints the rows, line by line, those with the largest numbers first."""
    for line in dict.fromkeys(row.line for row in rows):
        print(line or "to move")
        weighty = [row for row in rows if row.line == line and max(map(abs, row.numbers)) >= least]
        for row in sorted(weighty, key=lambda row: -max(map(abs, row.numbers))):
            parts = (" ".join(f"{number:5}" for number in part) for part in _phases(row.numbers))
            print(f"  {row.what:15} {' | '.join(parts)}")


def occupied(number: int, length: int) -> str:
    """What stands on a line, by its number."""
    text = ""
    for _ in range(length):
        number, digit = divmod(number, 3)
        text = ".GT"[digit] + text
    return text


def _row(fit: Fit, term: int) -> str:
    weights = (fit.weight(phase, stage, term) for phase in range(PHASES) for stage in range(STAGES))
    return " ".join(str(round(100 * weight)) for weight in weights)


def _phases(numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return (numbers[first : first + STAGES] for first in range(0, len(numbers), STAGES))
