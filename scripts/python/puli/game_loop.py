"""The loop of a game between two engines, for the clients that wait."""

from __future__ import annotations

from collections.abc import Callable

from .board import Board
from .state import State


def play_game(
    board: Board,
    state: Callable[[Board], State],
    first: Callable[[Board], object | None],
    second: Callable[[Board], object | None],
    max_plies: int,
) -> tuple[Board, str | None]:
    """Plays at most `max_plies` plies. `first` and `second` return the moves of the players, or `None` without a move.

    Returns:
        The last position and its outcome, which is `None` if the game is not over.
    """
    board = board.copy()
    for _ in range(max_plies):
        present = state(board)
        if present.is_over:
            return board, present.outcome
        move = (first if present.turn != "p2" else second)(board)
        if move is None:
            break
        board.push(str(move))
    return board, state(board).outcome
