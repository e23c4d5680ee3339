"""Drives the engine Puli: hunt games, m,n,k games, game trees, 2048 and puzzles. Needs only Python's standard library.

A `Board` is a variant, a FEN (by default the start position) and the moves played since. An `Engine` searches it:

>>> import puli
>>> engine = puli.Engine(Hash=16)
>>> board = puli.Board("tic-tac-toe").after("b2", "b1")
>>> engine.play(board, puli.Limit(depth=9)).move
'a1'
>>> info = engine.analyse(board, puli.Limit(depth=9))
>>> info.score.white(), info.pv[:3]
(Mate(+3), ('a1', 'c3', 'a2'))

A score has three views: `relative` is the side to move's, `white()` the first player's and `black()` the second player's,
whatever the players are called in the game. `Cp` counts hundredths of an evaluation point, `Mate` moves to the end.

>>> state = engine.state(board)
>>> state.turn, state.outcome, state.moves
('p1', None, ('a1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3'))
>>> puli.Board("adugo").turn, puli.Board("kaooa").fen()
(True, '1/4/2/1/2 g 7 1')

The engine rejects illegal positions, moves and option values with `EngineError`. A call that exceeds the time of its limit
by more than the engine's `timeout` (in seconds) raises `EngineTimeoutError`, which is a `TimeoutError`. All exceptions of this
package are subclasses of `PuliError`.

>>> engine.play(board.after("b2"), puli.Limit(depth=9))
Traceback (most recent call last):
puli.errors.EngineError: column 31: move 3, 'b2', is not legal here: b2 is taken

`analysis` returns the infos of a search while it runs. The `with` statement stops the search.

>>> with engine.analysis(puli.Board("aadu-puli")) as analysis:
...     for info in analysis:
...         if info.depth == 3:
...             break
>>> engine.quit()

`AsyncEngine` has the same methods for asyncio. `puli.chess_adapter` drives the engine through python-chess's `chess.engine`; it is
an extra, because python-chess has another license: `pip install puli-engine[chess]`.

`Game` has the rules of a game in this process, and plays a million moves a second, one by one or in arrays: see `puli.native`.
Only wheels have it, since it is compiled.

`puli.teach` has the textbook searches in plain Python. `diff` names the first event in which two searches differ.
`check_estimate` checks an estimate on all boards of the 8-puzzle. These need no program. `trace` returns the same events of
a search by the engine, each with the sentence that explains it. `compare` counts several searches of several positions.

>>> puli.teach.result(puli.teach.alphabeta("[[3,17],[2,12]]"))
(3, ['1', '1'])
>>> puli.diff(puli.teach.minimax("[[3,17],[2,12]]"), puli.teach.alphabeta("[[3,17],[2,12]]"))
'Event 27: mine makes 2 2, the engine cuts at 2 after 2 1, by 2.'
"""

from __future__ import annotations

from . import teach
from .async_engine import AsyncAnalysis, AsyncEngine
from .board import Board, Move
from .compare import compare
from .engine import Analysis, Engine
from .errors import (
    AnalysisComplete,
    EngineBusyError,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    NativeModuleError,
    ProtocolError,
    PuliError,
)
from .features import Feature, features
from .native import Batch, Game, Position, Value
from .process_per_query import program
from .results import BestMove, Info, Limit, Option, PlayResult
from .scores import Cp, Mate, MateGiven, PovScore, Score
from .state import MoveValue, Piece, Solution, Solved, State
from .teach import check_estimate, diff
from .trace import Trace, TraceNode, trace

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "AnalysisComplete",
    "AsyncAnalysis",
    "AsyncEngine",
    "Batch",
    "BestMove",
    "Board",
    "Cp",
    "Engine",
    "EngineBusyError",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Feature",
    "Game",
    "Info",
    "Limit",
    "Mate",
    "MateGiven",
    "Move",
    "MoveValue",
    "NativeModuleError",
    "Option",
    "Piece",
    "PlayResult",
    "Position",
    "PovScore",
    "ProtocolError",
    "PuliError",
    "Score",
    "Solution",
    "Solved",
    "State",
    "Trace",
    "TraceNode",
    "Value",
    "__version__",
    "check_estimate",
    "compare",
    "diff",
    "features",
    "program",
    "teach",
    "trace",
]
