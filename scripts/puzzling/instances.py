"""Reads files of sliding-tile instances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from common.files import read_lines


@dataclass(frozen=True)
class Instance:
    """A start position, and the published results of an optimal solver."""

    name: str
    tiles: tuple[str, ...]
    """The tiles row by row."""
    optimal_length: int
    """The number of moves of a shortest solution."""
    generated: int
    """The number of nodes that the published search generated."""

    @property
    def fen(self) -> str:
        """The position in the engine's notation."""
        width = math.isqrt(len(self.tiles))
        return "/".join(",".join(self.tiles[row : row + width]) for row in range(0, len(self.tiles), width))


def read_instances(path: Path) -> list[Instance]:
    """Reads a file. Raises a `ValueError` that names the first invalid line."""
    instances = []
    for number, line in enumerate(read_lines(path), start=1):
        if line and not line.startswith(("#", "id\t")):
            fields = line.rstrip("\r").split("\t")
            tiles = fields[1].split() if len(fields) == 4 else []
            is_square = math.isqrt(len(tiles)) ** 2 == len(tiles) > 0
            if not is_square or not all(map(_is_number, [*tiles, *fields[2:]])):
                raise ValueError(
                    f"{path} line {number}: expected a name, the tiles of a square, a length and a node count,"
                    f" separated by tabs, found '{line[:80]}'"
                )
            instances.append(Instance(fields[0], tuple(tiles), int(fields[2]), int(fields[3])))
    if not instances:
        raise ValueError(f"{path} contains no instances")
    return instances


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19
