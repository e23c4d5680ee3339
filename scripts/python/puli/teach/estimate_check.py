"""Checks an estimate on all boards of the 8-puzzle."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from .estimates import Board
from .tiles import read_board, show_board

Flat = tuple[int, ...]
"""A board without its rows: nine tiles."""

NEIGHBORS = tuple(
    tuple(cell + step for step, is_inside in ((-3, cell > 2), (-1, cell % 3), (1, cell % 3 < 2), (3, cell < 6)) if is_inside)
    for cell in range(9)
)
"""The neighbors of each cell of a board of 3×3."""


@dataclass(frozen=True)
class EstimateReport:
    """The quality of an estimate on all boards of the 8-puzzle."""

    admissible: bool
    """`True` if the estimate never exceeds the number of moves to the goal. Then A* and IDA* find shortest solutions."""
    consistent: bool
    """`True` if the estimate is 0 at the goal and no move lowers it by more than 1. Then A* expands no board twice."""
    boards: int
    """Number of boards."""
    overestimated: int
    """Number of boards for which the estimate exceeds the number of moves to the goal."""
    worst: str
    """The board with the greatest overestimate; if the estimate is admissible, with the greatest underestimate."""
    estimate: float
    """The estimate of the worst board."""
    distance: int
    """Number of moves from the worst board to the goal."""
    inconsistent: tuple[str, str] | None
    """Two boards, one move apart, with the greatest fall of the estimate; `None` if no fall exceeds 1."""
    mean_estimate: float
    """The mean estimate of all boards."""
    mean_distance: float
    """The mean number of moves to the goal."""

    def __str__(self) -> str:
        verdict = "admissible" if self.admissible else f"not admissible ({self.overestimated} of {self.boards} boards)"
        steps = "consistent" if self.consistent else "not consistent"
        worst = f"worst board {self.worst}: {self.estimate:g} for {self.distance} moves"
        return f"{verdict}, {steps}, {worst}, mean {self.mean_estimate:.2f} of {self.mean_distance:.2f}"


def check_estimate(estimate: Callable[[Board], float], goal: str = "0,1,2/3,4,5/6,7,8") -> EstimateReport:
    """Checks an estimate on all 181,440 boards of the 8-puzzle from which `goal` can be reached.

    `estimate` takes a board, a tuple of three rows with 0 for the blank, and returns the estimated number of moves to the
    goal. The check calls it once per board, and takes about two seconds more than these calls.

    Raises:
        ValueError: `goal` is no board of 3×3.

    >>> def left_column(board):
    ...     return sum(board[row][0] not in (0, 3 * row) for row in range(3))
    >>> print(check_estimate(left_column))
    admissible, consistent, worst board 0,7,6/3,4,8/2,5,1: 1 for 30 moves, mean 2.44 of 21.97
    """
    start = read_board(goal)
    if (len(start), len(start[0])) != (3, 3):
        raise ValueError(f"goal: expected a board of 3 rows of 3 tiles, found {goal!r}")
    distances = all_distances(sum(start, ()))
    values = {board: estimate((board[:3], board[3:6], board[6:])) for board in distances}
    excess = {board: values[board] - distance for board, distance in distances.items()}
    overestimated = sum(more > 0 for more in excess.values())
    worst = max(excess, key=excess.__getitem__) if overestimated else min(excess, key=excess.__getitem__)
    fall, first, second = max((values[board] - values[after], board, after) for board in distances for after in moves(board))
    is_consistent = fall <= 1 and values[sum(start, ())] == 0
    return EstimateReport(
        admissible=not overestimated,
        consistent=is_consistent,
        boards=len(distances),
        overestimated=overestimated,
        worst=show(worst),
        estimate=values[worst],
        distance=distances[worst],
        inconsistent=None if fall <= 1 else (show(first), show(second)),
        mean_estimate=sum(values.values()) / len(values),
        mean_distance=sum(distances.values()) / len(distances),
    )


def all_distances(goal: Flat) -> dict[Flat, int]:
    """Returns the number of moves to `goal` of every board that can reach it, in ascending order."""
    distances = {goal: 0}
    queue = deque([goal])
    while queue:
        board = queue.popleft()
        for after in moves(board):
            if after not in distances:
                distances[after] = distances[board] + 1
                queue.append(after)
    return distances


def moves(board: Flat) -> list[Flat]:
    """Returns the boards after each move."""
    blank = board.index(0)
    boards = []
    for cell in NEIGHBORS[blank]:
        tiles = list(board)
        tiles[blank], tiles[cell] = tiles[cell], 0
        boards.append(tuple(tiles))
    return boards


def show(board: Flat) -> str:
    """Returns the text of a board."""
    return show_board((board[:3], board[3:6], board[6:]))
