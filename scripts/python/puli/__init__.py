"""Drives the engine Puli: games for two, 2048 and puzzles, by python-chess's `chess.engine`.

A board is a variant, a FEN (by default the start) and the moves made since. An engine searches it:

>>> import puli
>>> engine = puli.Engine(Hash=16)
>>> board = puli.Board("tic-tac-toe").after("b2", "b1")
>>> engine.play(board, puli.Limit(depth=9)).move
'a1'
>>> info = engine.analyse(board, puli.Limit(depth=9))
>>> info["score"].white(), info["pv"][:3]
(Mate(+3), ['a1', 'c3', 'a3'])

Scores are seen from the side to move (`relative`) and from both players: `white()` is the first player's view, whoever
that is in the game, and `black()` the second's.

>>> state = engine.state(board)
>>> state.turn, state.outcome, state.moves
('p1', None, ('a1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3'))
>>> puli.Board("adugo").turn, puli.Board("kaooa").fen()
(True, '1/4/2/1/2 g 7 1')

What the engine refuses is an `EngineError`. A call that takes `timeout` seconds longer than its limit is a `TimeoutError`.

>>> engine.play(board.after("b2"), puli.Limit(depth=9))
Traceback (most recent call last):
chess.engine.EngineError: column 31: move 3, 'b2', is not legal here: b2 is taken
>>> engine.quit()
"""

from __future__ import annotations

from chess.engine import Cp, EngineError, EngineTerminatedError, Limit, Mate, PovScore

from .board import Board, Move
from .engine import Analysis, Engine
from .rules import program
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
