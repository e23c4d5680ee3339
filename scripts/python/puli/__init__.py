"""Drives the engine Puli: games for two, 2048 and puzzles, by python-chess's `chess.engine`.

>>> import puli
>>> with puli.Engine() as engine:                                   # doctest: +SKIP
...     board = puli.Board("tic-tac-toe").after("b2", "a2")
...     engine.play(board, puli.Limit(depth=9)).move.uci()
'a1'
"""

from __future__ import annotations

from chess.engine import Cp, EngineError, EngineTerminatedError, Limit, Mate, PovScore

from .board import Board, Move
from .engine import Analysis, Engine, program
from .state import Piece, State

__all__ = [
    "Analysis",
    "Board",
    "Cp",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "Limit",
    "Mate",
    "Move",
    "Piece",
    "PovScore",
    "State",
    "program",
]
