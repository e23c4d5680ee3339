"""Tic-tac-toe: an example of a game by small functions."""

from __future__ import annotations

import re

from .games import Game

CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
"""The cells, in the order of the moves and of the texts of positions."""

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
"""The eight lines, as indexes of `CELLS`."""


def tictactoe(fen: str = "3 3 3 3/3/3 x") -> Game:
    """Returns tic-tac-toe from a position as the engine writes it. X is the first player.

    A position is a text of nine cells, the lowest row first, each `X`, `O` or `.`, and the side to move.

    >>> from puli import teach
    >>> teach.result(teach.alphabeta(tictactoe("3 3 3 X1O/1X1/XOO x"), 3))
    ({'win': 'p1', 'plies': 1}, ['a2'])
    """
    found = re.fullmatch(r"3 3 3 ([XO123/]+) ([xo])", " ".join(fen.split()))
    rows = re.sub("[123]", lambda count: "." * int(count[0]), found[1]).split("/") if found else []
    cells, side = "".join(reversed(rows)), found[2] if found else ""
    if [len(row) for row in rows] != [3, 3, 3]:
        raise ValueError(f"expected a position such as 3 3 3 X1O/1X1/XOO x, found {fen!r}")

    def play(position: str, move: str) -> str:
        cell = CELLS.index(move)
        stone, other = ("X", "o") if position[9] == "x" else ("O", "x")
        return position[:cell] + stone + position[cell + 1 : 9] + other

    def stones(position: str) -> list[set[str]]:
        return [{position[int(cell)] for cell in line} for line in LINES]

    def outcome(position: str) -> str | None:
        for stone, result in (("X", "p1win"), ("O", "p2win")):
            if {stone} in stones(position):
                return result
        return None if "." in position else "draw"

    return Game(
        start=cells + side,
        moves=lambda position: [name for name, cell in zip(CELLS, position) if cell == "."],
        play=play,
        outcome=outcome,
        # The lines that are open to X, minus the lines that are open to O (Nilsson 1971).
        evaluate=lambda position: sum(("O" not in line) - ("X" not in line) for line in stones(position)),
        first="max" if side == "x" else "min",
        text=show_position,
        payoff=lambda position: 1 + position.count("."),
        height=cells.count("."),
        variant="tic-tac-toe",
        fen=fen,
    )


def show_position(position: str) -> str:
    """Returns a position as the engine writes it, with the number of the next move of X or O.

    >>> show_position("...X.....o")
    '3 3 3 3/X2/3 o 1'
    """
    rows = [re.sub(r"\.+", lambda empty: str(len(empty[0])), position[cell : cell + 3]) for cell in (6, 3, 0)]
    return f"3 3 3 {'/'.join(rows)} {position[9]} {(9 - position.count('.')) // 2 + 1}"
