"""The rules and exact values of games in this process, by the native module, which wheels have.

A `Game` has the rules of a variant. `Position` and `Batch` never change: a move returns a new one.

>>> import random, puli
>>> game, generator = puli.Game("kaooa"), random.Random(1)
>>> position = game.start()
>>> while position.outcome is None:
...     position = position.play(generator.choice(position.moves))
>>> position.outcome, position.moves
('p2win', ())

A solved game knows the exact value of every position that can be reached from its start.

>>> positions = game.solve()
>>> {move: game.start().play(move).value.plies for move in game.start().moves[:3]}
{'a1': 14, 'b1': 14, 'b2': 16}

A `Batch` has many positions of one game and returns arrays of numpy. It plays millions of moves a second.

>>> batch = game.batch(1000)
>>> for ply in range(10):
...     batch = batch.play(batch.random_moves(seed=ply))
>>> batch.boards().shape, batch.moves()[0].dtype
((1000, 10), dtype('uint16'))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import NativeModuleError

if TYPE_CHECKING:
    from ._native import Batch, Game, Position, Value

    IS_AVAILABLE = True
else:
    try:
        from ._native import Batch, Game, Position, Value

        IS_AVAILABLE = True
        """`True` if this installation has the native module."""
    except ImportError as error:
        IS_AVAILABLE = False
        _reason = str(error)

        class _Missing:
            """Stands for a class of the native module."""

            def __init__(self, *_: Any, **__: Any) -> None:
                raise NativeModuleError(f"puli.{type(self).__name__} needs the native module, which wheels have: {_reason}")

        class Game(_Missing):
            """The rules of a game, without a process. The native module is missing."""

        class Position(_Missing):
            """A position of a `Game`. The native module is missing."""

        class Batch(_Missing):
            """Positions of one game. The native module is missing."""

        class Value(_Missing):
            """An exact value. The native module is missing."""

__all__ = ["IS_AVAILABLE", "Batch", "Game", "Position", "Value"]
