"""The features of the textbook evaluation, and files of own weights and own estimates."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Union

from .board import Board

Table = Union[Mapping[str, float], "os.PathLike[str]", str, None]
"""Names with numbers, or the path of a file of lines of a name and a number."""


@dataclass(frozen=True)
class Feature:
    """A feature of the textbook evaluation at a position."""

    name: str
    """The name, as `weights` of `puli.trace` takes it."""
    number: int | None
    """How often the position has the feature; `None` if it has none, which counts as 0."""
    weight: float
    """Points of each, from the view of the first player."""
    points: float
    """Number times weight."""


def features(board: Board) -> list[Feature]:
    """Returns the features of the textbook evaluation at a position. Trees, 2048 and puzzles have none.

    The evaluation is the sum of their points.

    Raises:
        EngineError: the engine refuses the position.

    >>> import puli
    >>> for feature in puli.features(puli.Board("aadu-puli")):
    ...     print(feature.name, feature.number, feature.weight, feature.points)
    goats 15 4 60
    tiger steps 6 -1 -6
    tiger captures 0 -2 0
    """
    answer = board.ask({}, "features", "features ")[0]
    return [Feature(**feature) for feature in answer["features"]]


@contextmanager
def own_options(weights: Table, estimate_table: Table) -> Iterator[dict[str, str]]:
    """Returns the options of own weights and own estimates. A mapping becomes a file, which exists only inside the block."""
    with TemporaryDirectory(prefix="puli-") as folder:
        options = {}
        for name, table in (("WeightsFile", weights), ("EstimateFile", estimate_table)):
            if isinstance(table, Mapping):
                path = Path(folder) / name
                lines = (f"{' '.join(subject.split())} {_number(number)}\n" for subject, number in table.items())
                path.write_text("".join(lines), encoding="utf-8")
                options[name] = str(path)
            elif table is not None:
                options[name] = os.path.abspath(table)
        yield options


def _number(number: float) -> str:
    """Returns a number without an exponent and without trailing zeros."""
    return str(int(number)) if number == int(number) else f"{number:.12f}".rstrip("0")
