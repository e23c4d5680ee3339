"""A game for the searches, given by small functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from .values import Kind

OPPONENT: dict[Kind, Kind] = {"max": "min", "min": "max", "chance": "chance"}
"""The other player."""

Position = Any
"""A position of a game. The searches only pass it on."""

@dataclass(frozen=True)
class Game:
    """A game for `minimax`, `alphabeta`, `scout`, `pvs`, `mtdf` and `expectimax`, given by small functions.

    Example: Nim with one heap. A player takes one, two or three matches, and wins by taking the last match. A position
    is the heap and the player to move.

    >>> from puli import teach
    >>> nim = Game(
    ...     start=(6, "max"),
    ...     moves=lambda position: ["1", "2", "3"][: position[0]],
    ...     play=lambda position, move: (position[0] - int(move), "min" if position[1] == "max" else "max"),
    ...     outcome=lambda position: {(0, "max"): "p2win", (0, "min"): "p1win"}.get(position),
    ... )
    >>> teach.result(teach.alphabeta(nim, 6))
    ({'win': 'p1', 'plies': 3}, ['2', '1', '3'])
    """

    start: Position
    """The position at the root."""
    moves: Callable[[Position], Sequence[str]]
    """Returns the moves of a position, in the order in which they are searched. At a chance node: the outcomes."""
    play: Callable[[Position, str], Position]
    """Returns the position after a move."""
    outcome: Callable[[Position], str | float | None]
    """Returns `p1win`, `p2win`, `draw` or points for the first player; `None` while it goes on."""
    evaluate: Callable[[Position], float] = lambda _: 0
    """Returns the value of a position at the depth limit, in points for the first player."""
    turn: Callable[[Position], Kind] | None = None
    """Returns the kind of a position. If `turn` is `None`, `max` and `min` alternate, and `first` begins."""
    first: Kind = "max"
    """The side to move at `start`, if `turn` is `None`."""
    has_chance: bool = False
    """`True` if `turn` returns `chance` at some positions."""
    weight: Callable[[Position, str], float | Fraction] = lambda _, __: 1
    """Returns the weight of an outcome of chance. Its probability is its share of the weights of all outcomes."""
    key: Callable[[Position], Any] = lambda position: position
    """Returns a hashable key of a position. Equal positions with the same player to move have equal keys."""
    text: Callable[[Position], str] = str
    """Returns the text of a position, for the event `settle`."""
    payoff: Callable[[Position], float] = lambda _: 1000
    """Returns the points of a win for `expectimax`, which averages values."""
    height: int | None = None
    """Maximum number of plies from `start` to the end; `None` if it is unknown."""
    variant: str = "game"
    """Name of the game, for the event `begin`."""
    fen: str | None = None
    """Text of `start`, for the event `begin`."""

    def kind(self, position: Position, ply: int) -> Kind:
        """Returns the kind of `position`, `ply` plies below the root."""
        if self.turn is not None:
            return self.turn(position)
        return self.first if ply % 2 == 0 else OPPONENT[self.first]

    def with_coins(self) -> Game:
        """Returns the game in which the opponent of the first player to move chooses each move with equal probability."""
        opponent = OPPONENT[self.kind(self.start, 0)]
        return self._with_turns(lambda kind: "chance" if kind == opponent else kind)

    def with_worst_case(self) -> Game:
        """Returns the game in which chance always chooses the worst outcome for the first player."""
        if not self.has_chance:
            return self
        return self._with_turns(lambda kind: "min" if kind == "chance" else kind)

    def _with_turns(self, change: Callable[[Kind], Kind]) -> Game:
        """Returns the game with `change` applied to the kinds. A position then also contains its ply."""
        game = self
        return replace(
            game,
            start=(game.start, 0),
            moves=lambda position: game.moves(position[0]),
            play=lambda position, move: (game.play(position[0], move), position[1] + 1),
            outcome=lambda position: game.outcome(position[0]),
            evaluate=lambda position: game.evaluate(position[0]),
            # The kind of a position in which the game is over has no effect. It stays as it is, as in the engine.
            turn=lambda position: (change if game.outcome(position[0]) is None else _same)(game.kind(*position)),
            weight=lambda position, move: game.weight(position[0], move),
            key=lambda position: game.key(position[0]),
            text=lambda position: game.text(position[0]),
            payoff=lambda position: game.payoff(position[0]),
        )


def _same(kind: Kind) -> Kind:
    """Returns the kind."""
    return kind
