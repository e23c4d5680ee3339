"""A puzzle for the searches, given by small functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

State = Any
"""A state of a puzzle. The searches only pass it on."""

Estimate = Callable[[State], float]
"""Returns an estimate of the number of moves from a state to the goal."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle for `bfs`, `iddfs`, `greedy`, `astar` and `idastar`, given by small functions.

    From 1 to 10 by steps and by doubling, as an example:

    >>> from puli import teach
    >>> doubling = Puzzle(
    ...     start=1,
    ...     moves=lambda number: ["add", "double"],
    ...     play=lambda number, move: number + 1 if move == "add" else 2 * number,
    ...     is_goal=lambda number: number == 10,
    ... )
    >>> teach.result(teach.bfs(doubling))
    (4, ['add', 'double', 'add', 'double'])
    """

    start: State
    """The start."""
    moves: Callable[[State], Sequence[str]]
    """Returns the moves of a state, in the order in which they are tried."""
    play: Callable[[State, str], State]
    """Returns the state after a move."""
    is_goal: Callable[[State], bool]
    """Returns `True` at the goal."""
    undo: Callable[[str], str | None] = lambda _: None
    """Returns the inverse of a move, which the searches do not try next; `None` if there is none."""
    text: Callable[[State], str] = str
    """Returns the text of a state. Equal states have equal texts."""
    estimates: dict[str, Estimate] = field(default_factory=dict)
    """The named estimates."""
    variant: str = "puzzle"
    """Name of the puzzle, for the event `begin`."""
    fen: str | None = None
    """Text of the start, for the event `begin`."""
