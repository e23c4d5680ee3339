"""Sliding tiles, with positions as the engine writes them."""

from __future__ import annotations

from functools import partial

from . import estimates
from .estimates import Board
from .puzzles import Estimate, Puzzle

STEPS = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}
"""The moves of the blank, in the order in which the searches try them: rows and columns that it moves."""

OPPOSITE = {"up": "down", "left": "right", "right": "left", "down": "up"}
"""The inverse of each move."""


def tiles(text: str) -> Puzzle:
    """Returns the sliding-tile puzzle of a text such as `0,5,1/3,4,2/6,7,8`, or with `goal` and the rows of another goal.

    A state is a tuple of rows. 0 is the blank. Without a goal in the text, the goal has the blank first.

    Raises:
        ValueError: `text` is no board.

    >>> from puli import teach
    >>> teach.result(teach.astar("1,0,2/3,4,5/6,7,8"))
    (1, ['left'])
    """
    start, goal = read_position(text)
    named: dict[str, Estimate] = {name: partial(estimate, goal=goal) for name, estimate in estimates.NAMED.items()}
    return Puzzle(
        start=start,
        moves=lambda board: [move for move in STEPS if _target(board, move) is not None],
        play=slide,
        is_goal=lambda board: bool(board == goal),
        undo=OPPOSITE.get,
        text=show_board,
        estimates=named,
        variant=f"{len(start) * len(start[0]) - 1}-puzzle",
        fen=text,
    )


def read_position(text: str) -> tuple[Board, Board]:
    """Returns the board and the goal of a text.

    Raises:
        ValueError: `text` is no board, or no goal of the same size follows `goal`.
    """
    board, *rest = text.split() or [""]
    start = read_board(board)
    goal = read_board(rest[1]) if len(rest) == 2 and rest[0] == "goal" else estimates.ordered(len(start), len(start[0]))
    if len(rest) not in (0, 2) or rest[:1] not in ([], ["goal"]) or list(map(len, goal)) != list(map(len, start)):
        raise ValueError(f"expected a board such as 0,5,1/3,4,2/6,7,8, or a board, 'goal' and a board, found {text!r}")
    return start, goal


def read_board(text: str) -> Board:
    """Returns the board of a text such as `0,5,1/3,4,2/6,7,8`.

    Raises:
        ValueError: the board has less than 2 rows or columns, or the tiles are not 0, 1, 2 and so on, once each.
    """
    rows = [row.split(",") for row in text.split("/")]
    found = [tile for row in rows for tile in row]
    is_rectangle = len(rows) > 1 and len(rows[0]) > 1 and len(set(map(len, rows))) == 1
    if not is_rectangle or sorted(found) != sorted(map(str, range(len(found)))):
        raise ValueError(f"expected at least 2 rows of at least 2 tiles, each of 0, 1, 2 and so on once, found {text!r}")
    return tuple(tuple(map(int, row)) for row in rows)


def show_board(board: Board) -> str:
    """Returns the text of a board. The inverse of `read_board`."""
    return "/".join(",".join(map(str, row)) for row in board)


def slide(board: Board, move: str) -> Board:
    """Returns the board after the blank has moved.

    Raises:
        ValueError: the blank is at that edge.
    """
    target = _target(board, move)
    if target is None:
        raise ValueError(f"expected a move of the blank inside the board, found {move!r}")
    row, column = _blank(board)
    rows = [list(line) for line in board]
    rows[row][column], rows[target[0]][target[1]] = board[target[0]][target[1]], 0
    return tuple(map(tuple, rows))


def is_solvable(text: str) -> bool:
    """Returns `True` if the goal of a board of tiles can be reached.

    Every move changes the parity of the permutation, and takes the blank to a cell of the other color. So both parities
    of the start and of the goal must differ together, or not at all.

    >>> is_solvable("0,5,1/3,4,2/6,7,8"), is_solvable("2,1,3/4,5,6/7,8,0 goal 1,2,3/4,5,6/7,8,0")
    (True, False)
    """
    start, goal = read_position(text)
    homes = [tile for row in goal for tile in row]
    cells = [homes.index(tile) for row in start for tile in row]
    inversions = sum(first > second for i, first in enumerate(cells) for second in cells[i + 1 :])
    return (inversions + sum(_blank(start)) + sum(_blank(goal))) % 2 == 0


def _blank(board: Board) -> tuple[int, int]:
    """Returns the row and the column of the blank."""
    return next((row, line.index(0)) for row, line in enumerate(board) if 0 in line)


def _target(board: Board, move: str) -> tuple[int, int] | None:
    """Returns the cell to which the blank moves; `None` at the edge."""
    (row, column), (down, right) = _blank(board), STEPS[move]
    inside = 0 <= row + down < len(board) and 0 <= column + right < len(board[0])
    return (row + down, column + right) if inside else None
