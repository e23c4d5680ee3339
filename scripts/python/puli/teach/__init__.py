"""The textbook searches in plain Python, to read, to change and to compare with the engine.

A search is a generator of events: the lines of a trace, in the order in which the search does them. A game can be an explicit
tree: numbers are leaves, square brackets are nodes of max and min in turn, and round brackets are chance nodes.

>>> from puli import teach
>>> tree = "[[3,12,8],[2,4,6],[14,5,2]]"
>>> teach.result(teach.alphabeta(tree))
(3, ['1', '1'])
>>> for event in teach.alphabeta(tree):
...     if event["e"] == "cut":
...         print(event["value"], event["window"], event["skipped"])
2 [3, 2] ['2', '3']
>>> teach.counts(teach.alphabeta(tree))["all"]["leaves"]
7

Values are points for the first player, or `{"win": "p1", "plies": 3}`. In a window, `None` is infinite.

The searches of games are `minimax`, `alphabeta`, `scout`, `pvs`, `mtdf` and `expectimax`. They take a tree, a position of
tic-tac-toe, or a `Game`: any game, given by small functions. With `deepen=True` they search to depth 1, 2, 3 and so on. With
`memory=True` they have a transposition table. Moves are searched in the order of the game.

>>> position = "3 3 3 XO1/1X1/2O x"
>>> [teach.counts(teach.minimax(position, memory=memory))["all"]["nodes"] for memory in (False, True)]
[237, 144]
>>> teach.result(teach.expectimax("[[3,17],[8,9]]"))
(10, ['1'])

`backward` settles all positions of such a game from its ends, and yields an event for each of them.

>>> teach.last(teach.backward(position))["counts"]["all"]
{'nodes': 85, 'settled': 52}

The searches of puzzles are `bfs`, `iddfs`, `greedy`, `astar` and `idastar`. They take a board of sliding tiles, a position of
missionaries and cannibals, or a `Puzzle`. A heuristic is a name, such as `manhattan`, or a function of the state.

>>> def in_wrong_row(board):
...     return sum(tile and tile // 3 != row for row, line in enumerate(board) for tile in line)
>>> [teach.counts(teach.astar("0,5,1/3,4,2/6,7,8", name))["all"]["nodes"] for name in (in_wrong_row, "manhattan")]
[59, 31]
>>> print(teach.check_estimate(in_wrong_row))
admissible, consistent, worst board 2,1,4/5,0,3/8,7,6: 1 for 30 moves, mean 5.33 of 21.97

`diff` compares the events of your own search with others. It names the first difference. Your search may yield only some kinds
of events, and only some of their keys.

>>> mine = [event for event in teach.minimax(tree) if event["e"] in ("make", "leave")]
>>> teach.diff(mine, teach.alphabeta(tree))
'Event 32: mine makes 2 2, the engine cuts at 2 after 2 1, by 2.'
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from .estimate_check import EstimateReport, check_estimate
from .events import Counts, Event, counts
from .exercises import check
from .comparison import diff
from .estimates import linear_conflict, manhattan, misplaced, reversal, squared, squared_discounted
from .full_width import expectimax, minimax
from .games import Game
from .pathfinding import astar, bfs, greedy, iddfs, idastar
from .pruning import alphabeta, mtdf, pvs, scout
from .puzzles import Puzzle
from .retrograde import backward
from .river import missionaries
from .tictactoe import tictactoe
from .tiles import is_solvable, tiles
from .trees import tree

__all__ = [
    "Counts",
    "EstimateReport",
    "Event",
    "Game",
    "Puzzle",
    "alphabeta",
    "astar",
    "backward",
    "bfs",
    "check",
    "check_estimate",
    "counts",
    "diff",
    "expectimax",
    "greedy",
    "idastar",
    "iddfs",
    "is_solvable",
    "last",
    "linear_conflict",
    "manhattan",
    "minimax",
    "misplaced",
    "missionaries",
    "mtdf",
    "pvs",
    "result",
    "reversal",
    "scout",
    "squared",
    "squared_discounted",
    "tictactoe",
    "tiles",
    "tree",
]


def last(events: Iterable[Event]) -> Event:
    """Runs a search to its end, and returns the event `end`."""
    return deque(events, maxlen=1)[-1]


def result(events: Iterable[Event]) -> tuple[Any, list[str]]:
    """Runs a search to its end, and returns the value and the line of best play."""
    end = last(events)
    return end["value"], end["line"]
