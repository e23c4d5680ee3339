"""Estimates of the moves that a board of sliding tiles needs. Each takes a board and a goal, by default the ordered one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

Board = tuple[tuple[int, ...], ...]
"""A board of tiles: its rows from the top, with 0 for the blank."""

Cell = tuple[int, int]
"""A row and a column."""


def zero(board: Board, goal: Board | None = None) -> int:
    """Returns 0."""
    return 0


def misplaced(board: Board, goal: Board | None = None) -> int:
    """Returns the number of tiles that are not at home.

    >>> misplaced(((0, 5, 1), (3, 4, 2), (6, 7, 8)))
    3
    """
    return sum(cell != home for _, cell, home in tiles_of(board, goal))


def manhattan(board: Board, goal: Board | None = None) -> int:
    """Returns the sum of the rows and columns that separate the tiles from their homes.

    >>> manhattan(((0, 5, 1), (3, 4, 2), (6, 7, 8)))
    4
    """
    return sum(abs(cell[0] - home[0]) + abs(cell[1] - home[1]) for _, cell, home in tiles_of(board, goal))


def reversal(board: Board, goal: Board | None = None) -> int:
    """Returns `manhattan`, plus 2 for each pair of neighbors that are on each other's homes."""
    return manhattan(board, goal) + reversals(board, goal)


def squared(board: Board, goal: Board | None = None) -> int:
    """Returns the sum of the squared distances in rows and columns, plus 2 for each reversal. It overestimates."""
    return squares(board, goal) + reversals(board, goal)


def squared_discounted(board: Board, goal: Board | None = None) -> int:
    """Returns 85% of the sum of the squared distances, rounded up, plus 2 for each reversal. It overestimates."""
    return squares(board, goal) - squares(board, goal) * 15 // 100 + reversals(board, goal)


def linear_conflict(board: Board, goal: Board | None = None) -> int:
    """Returns `manhattan`, plus 2 for each linear conflict (Hansson, Mayer and Yung 1992).

    Tiles in their home row or column, but in the wrong order, cannot pass each other. The minimum number of them must leave
    the line and return.
    """
    return manhattan(board, goal) + 2 * (leaving(board, goal, 0) + leaving(board, goal, 1))


NAMED: dict[str, Callable[..., int]] = {
    "zero": zero,
    "misplaced": misplaced,
    "manhattan": manhattan,
    "reversal": reversal,
    "squared-discounted": squared_discounted,
    "squared": squared,
    "linear-conflict": linear_conflict,
}
"""The estimates under the engine's names."""

ADMISSIBLE = frozenset({"zero", "misplaced", "manhattan", "reversal", "linear-conflict", "full-boats"})
"""Names of the estimates that never exceed the true distance."""


def ordered(height: int, width: int) -> Board:
    """Returns the usual goal: the blank first, then the tiles in ascending order."""
    return tuple(tuple(range(row * width, (row + 1) * width)) for row in range(height))


@lru_cache(maxsize=64)
def homes(goal: Board) -> dict[int, Cell]:
    """Returns the cell of each tile in `goal`."""
    return {tile: (row, column) for row, line in enumerate(goal) for column, tile in enumerate(line)}


def tiles_of(board: Board, goal: Board | None) -> Iterator[tuple[int, Cell, Cell]]:
    """Yields each tile except the blank, with its cell and its home."""
    home = homes(goal or ordered(len(board), len(board[0])))
    for row, line in enumerate(board):
        for column, tile in enumerate(line):
            if tile:
                yield tile, (row, column), home[tile]


def reversals(board: Board, goal: Board | None) -> int:
    """Returns 2 for each pair of neighbors that are on each other's homes."""
    swaps = {(cell, home) for _, cell, home in tiles_of(board, goal) if abs(cell[0] - home[0]) + abs(cell[1] - home[1]) == 1}
    return sum((home, cell) in swaps for cell, home in swaps)


def squares(board: Board, goal: Board | None) -> int:
    """Returns the sum of the squared distances in rows and columns."""
    return sum((cell[0] - home[0]) ** 2 + (cell[1] - home[1]) ** 2 for _, cell, home in tiles_of(board, goal))


def leaving(board: Board, goal: Board | None, axis: int) -> int:
    """Returns the minimum number of tiles that must leave their home row (`axis` 0) or home column (`axis` 1)."""
    lines: dict[int, list[int]] = {}
    for _, cell, home in sorted(tiles_of(board, goal), key=lambda tile: tile[1][1 - axis]):
        if cell[axis] == home[axis]:
            lines.setdefault(cell[axis], []).append(home[1 - axis])
    return sum(len(line) - longest_increasing(line) for line in lines.values())


def longest_increasing(numbers: list[int]) -> int:
    """Returns the length of the longest increasing subsequence: the maximum number of tiles that can stay in their line."""
    longest: dict[int, int] = {}
    for number in numbers:
        longest[number] = 1 + max((length for last, length in longest.items() if last < number), default=0)
    return max(longest.values(), default=0)
