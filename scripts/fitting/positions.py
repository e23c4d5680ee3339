"""The positions that `puli gather` writes."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

STAGES = 5
"""Goats captured, the last stage for all from there on; as in src/games/hunt/fitted.rs."""


class _NoPosition(ValueError):
    """A line that `puli gather` did not write."""


@dataclass
class Positions:
    """Positions end to end, an array for each thing that is known of them."""

    goats: int
    """How many there are in the game."""
    kinds: list[list[str]]
    """The points of a line of each kind."""
    verdicts: array[int] = field(default_factory=lambda: array("B"))
    """0: the tigers win, 1: a draw, 2: the goats win."""
    hands: array[int] = field(default_factory=lambda: array("B"))
    stages: array[int] = field(default_factory=lambda: array("B"))
    terms: array[int] = field(default_factory=lambda: array("I"))
    """Of each position the numbers of all lines, and one for the side to move."""
    width: int = 0
    """How many terms a position has."""

    def __len__(self) -> int:
        return len(self.verdicts)

    @property
    def numbers(self) -> int:
        """How many ways there are to occupy a line, all kinds together; the sides to move come after them."""
        return sum(3 ** len(points) for points in self.kinds)

    def add(self, line: str) -> None:
        """Takes a position as it was written."""
        words = line.split()
        if len(words) < 5 or not all(word.isdecimal() and len(word) < 10 for word in words):
            raise _NoPosition(f"'{line.strip()[:100]}' is no position of this game")
        verdict, hand, captured, side, *numbers = map(int, words)
        width = len(numbers) + 1
        if self.width not in (0, width) or max(numbers) >= self.numbers or side > 1 or verdict > 2 or hand > 255:
            raise _NoPosition(f"'{line.strip()[:100]}' is no position of this game")
        self.width = width
        self.verdicts.append(verdict)
        self.hands.append(hand)
        self.stages.append(min(captured, STAGES - 1))
        self.terms.extend(numbers)
        self.terms.append(self.numbers + side)


def read_positions(paths: Iterable[Path]) -> Positions:
    """The positions of all files together, which have to be of one game."""
    result: Positions | None = None
    for path in paths:
        if path.exists() and not path.is_file():
            raise ValueError(f"{path} is no regular file")
        with path.open(encoding="utf-8") as file:
            number = 1
            try:
                first = file.readline(1000).split()
                if len(first) != 2 or first[0] != "goats" or not first[1].isdecimal():
                    raise ValueError(f"{path} was not written by puli gather")
                kinds, line, number = [], file.readline(), 2
                while line.startswith("line "):
                    kinds.append(line.split()[1:])
                    line, number = file.readline(), number + 1
                result = result or Positions(int(first[1]), kinds)
                if (result.goats, result.kinds) != (int(first[1]), kinds):
                    raise ValueError(f"{path} holds positions of another game")
                while line:
                    result.add(line)
                    line, number = file.readline(), number + 1
            except (_NoPosition, UnicodeDecodeError) as error:
                what = error if isinstance(error, _NoPosition) else "it is no text"
                raise ValueError(f"{path} line {number}: {what}") from None
    if not result:
        raise ValueError("there are no positions")
    return result
