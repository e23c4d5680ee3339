"""A file of sliding-tile instances with what is known of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from common.files import read_lines


@dataclass(frozen=True)
class Instance:
    """A position and what is known of it."""

    name: str
    tiles: tuple[str, ...]
    shortest: int
    """Moves of a shortest solution."""
    generated: int
    """Nodes that somebody's search generated."""

    @property
    def fen(self) -> str:
        """The position as the engine reads it."""
        width = math.isqrt(len(self.tiles))
        return "/".join(",".join(self.tiles[row : row + width]) for row in range(0, len(self.tiles), width))


def read_instances(path: Path) -> list[Instance]:
    """All of a file; a `ValueError` names the line that is none."""
    instances = []
    for number, line in enumerate(read_lines(path), start=1):
        if line and not line.startswith(("#", "id\t")):
            fields = line.rstrip("\r").split("\t")
            tiles = fields[1].split() if len(fields) == 4 else []
            if not tiles or math.isqrt(len(tiles)) ** 2 != len(tiles) or not all(map(_is_number, [*tiles, *fields[2:]])):
                raise ValueError(
                    f"{path} line {number}: a name, the tiles of a square, a length and a count are expected,"
                    f" separated by tabs, and it says '{line[:80]}'"
                )
            instances.append(Instance(fields[0], tuple(tiles), int(fields[2]), int(fields[3])))
    if not instances:
        raise ValueError(f"{path} holds no instances")
    return instances


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19
