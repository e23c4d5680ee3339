"""Drives the engine through python-chess's `chess.engine`, for programs that use it already.

Needs python-chess: `pip install puli-engine[chess]`. python-chess has the license GPL-3.0-or-later. The rest of `puli` neither
needs nor imports it.

`Engine` and `Analysis` have the methods of `puli.Engine` and `puli.Analysis`. They take and return the types of `chess.engine`:

>>> import chess.engine, puli
>>> from puli import chess_adapter
>>> with chess_adapter.Engine(Hash=16) as engine:
...     board = puli.Board("tic-tac-toe").after("b2", "b1")
...     info = engine.analyse(board, chess.engine.Limit(depth=9))
>>> info["score"].white(), info["pv"][:3]
(Mate(+3), ['a1', 'c3', 'a2'])

`chess.engine.SimpleEngine` can also play a `puli.Board`:

>>> with chess.engine.SimpleEngine.popen_uci(puli.program()) as plain:
...     plain.play(board, chess.engine.Limit(depth=9)).move
'a1'
"""

from __future__ import annotations

try:
    import chess.engine as _chess_engine  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("puli.chess_adapter needs python-chess: pip install puli-engine[chess]", name="chess") from error

from .engine import Analysis, Engine
from .protocol import Protocol

__all__ = ["Analysis", "Engine", "Protocol"]
