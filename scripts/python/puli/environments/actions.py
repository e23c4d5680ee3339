"""The numbers of a game's moves and the observation of its positions, which do not depend on the position."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..state import State
from .game import Positions

Observation = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]

COUNTS = 5
"""Numbers of an observation after the points: pieces in hand of both sides, captured pieces of both, and 1 for the first player."""


class Actions:
    """Numbers for all moves of a game.

    With P points or cells, the first P actions place a piece. In hunt games P·P moves follow, from each point to each
    point; where several pieces are placed at once, then every set of points; the last action is `pass`.
    """

    def __init__(self, positions: Positions) -> None:
        start = positions.start
        self.names = point_names(start.raw["board"])
        self.is_grid = start.raw["board"]["kind"] == "grid"
        self._indices = {name: at for at, name in enumerate(self.names)}
        self.drops = _most_drops(positions)
        points = len(self.names)
        self._first_step = points
        self._first_set = points + (0 if self.is_grid else points * points)
        sets = math.comb(points, self.drops) if self.drops else 0
        self.count = points if self.is_grid else self._first_set + sets + 1
        # The moves of the last position: an observation, and then the move, ask for the same ones.
        self._last: tuple[State, dict[int, str]] | None = None
        self._sets = {names: self._first_set + at for at, names in enumerate(itertools.combinations(self.names, self.drops))} if self.drops else {}

    def numbers(self, state: State) -> dict[int, str]:
        """Returns the legal moves of a position by their numbers.

        Raises:
            ValueError: two moves have the same number.
        """
        if self._last and self._last[0] is state:
            return self._last[1]
        moves = {self._number(move): str(move["move"]) for move in state.raw["moves"]} if state.moves else {}
        if len(moves) != len(state.moves):
            raise ValueError(f"{state.variant}: two moves of {state.fen!r} have the same points")
        self._last = (state, moves)
        return moves

    def mask(self, state: State) -> Mask:
        """Returns 1 for every legal move, by its number, and 0 for other actions."""
        mask = np.zeros(self.count, dtype=np.int8)
        mask[list(self.numbers(state))] = 1
        return mask

    def observe(self, state: State, side: str) -> Observation:
        """Returns what a side sees: its pieces and those of the other side by point, and the counts."""
        points = len(self.names)
        seen = np.zeros(2 * points + COUNTS, dtype=np.float32)
        for piece in state.raw["pieces"]:
            seen[(0 if piece["player"] == side else points) + self._indices[piece["at"]]] = 1
        for first, piles in ((2 * points, state.raw["hand"]), (2 * points + 2, state.raw["captured"])):
            for pile in piles:
                seen[first + (pile["player"] != side)] += pile["count"] / points
        seen[-1] = side == "p1"
        return seen

    def _number(self, move: Mapping[str, Any]) -> int:
        if "drops" in move:
            return self._sets[tuple(sorted(move["drops"], key=self._indices.__getitem__))]
        if "to" not in move:
            return self.count - 1
        to = self._indices[move["to"]]
        return self._first_step + self._indices[move["from"]] * len(self.names) + to if "from" in move else to


def point_names(board: Mapping[str, Any]) -> list[str]:
    """Returns the names of the points or cells of a board.

    Raises:
        ValueError: the board has neither points nor cells.
    """
    if board["kind"] == "graph":
        return [str(point["name"]) for point in board["points"]]
    if board["kind"] == "grid":
        return [f"{_column(column)}{row + 1}" for row in range(board["rows"]) for column in range(board["columns"])]
    raise ValueError(f"expected a hunt game or an m,n,k game, found a board of kind {board['kind']!r}")


def _column(number: int) -> str:
    return chr(ord("a") + number)


def _most_drops(positions: Positions) -> int:
    """Returns how many pieces a move can place at once, 0 if only one. A side does so with its first move."""
    start = positions.start
    states = [start, positions.after(start, start.moves[0])] if start.moves else [start]
    return max((len(move["drops"]) for state in states for move in state.raw["moves"] if "drops" in move), default=0)
