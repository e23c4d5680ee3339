"""Comparisons: what several textbook searches of the engine count on the same positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .board import Board
from .features import Table
from .trace import Trace, trace

Row = dict[str, Any]
"""One search: names of columns and plain values, which are texts, numbers, booleans or `None`."""

USES_HEURISTIC = frozenset({"greedy", "astar", "idastar"})
"""The algorithms that run once for each heuristic."""

MAX_ROW_EVENTS = 2
"""Maximum number of events of the traces: the first, which describes the search, and the last, which has the counts."""


def compare(
    boards: Board | Iterable[Board],
    algorithms: str | Iterable[str] = ("minimax", "alphabeta", "scout", "mtdf"),
    depth: int | None = None,
    *,
    memory: bool = False,
    ordering: str = "full",
    heuristics: Sequence[str | None] = (None,),
    cut_on: str = "equal",
    guess: int = 0,
    deepen: bool = False,
    weights: Table = None,
    estimate_table: Table = None,
) -> list[Row]:
    """Searches each position by each algorithm, and returns a row for each search. `pandas.DataFrame` takes the rows as they are.

    Args:
        boards: the positions.
        algorithms: names of algorithms, as of `trace`.
        depth: depth in plies, or of puzzles the maximum length of a solution, as of `trace`.
        heuristics: of puzzles: `greedy`, `astar` and `idastar` run once for each of them.
        memory, ordering, cut_on, guess, deepen, weights, estimate_table: as of `trace`. `own` is the heuristic of the estimates.

    Returns:
        Rows with these columns: `variant`, `fen`, `algorithm`, `heuristic`, `memory` and `depth`; `value` (points, or the length
        of a solution; `None` for a forced win), `winner` and `plies` of a forced win, `best` (the first move) and `proved`.
        Each count of `teach.counts` has two columns, such as `nodes_last` for the last iteration and `nodes_all` for all
        iterations. The last column is `kept`.

    Raises:
        EngineError: the engine refuses a position or an option.

    >>> import puli
    >>> trees = [puli.Board("tree", tree) for tree in ("[[3,17],[2,12]]", "[[2,12],[3,17]]")]
    >>> rows = puli.compare(trees, ("minimax", "alphabeta"), depth=2, ordering="none")
    >>> [(row["algorithm"], row["value"], row["nodes_all"], row["leaves_all"]) for row in rows]
    [('minimax', 3, 6, 4), ('alphabeta', 3, 5, 3), ('minimax', 3, 6, 4), ('alphabeta', 3, 6, 4)]
    >>> puzzle = puli.Board("8-puzzle", "0,5,1/3,4,2/6,7,8")
    >>> rows = puli.compare(puzzle, ("bfs", "astar"), heuristics=("misplaced", "manhattan"))
    >>> [(row["algorithm"], row["heuristic"], row["value"], row["nodes_all"]) for row in rows]
    [('bfs', None, 8, 225), ('astar', 'misplaced', 8, 44), ('astar', 'manhattan', 8, 31)]
    """
    rows = []
    for board, name, heuristic in searches(boards, algorithms, heuristics):
        found = trace(
            *(board, name, depth),
            memory=memory,
            ordering=ordering,
            heuristic=heuristic,
            cut_on=cut_on,
            guess=guess,
            deepen=deepen,
            events=MAX_ROW_EVENTS,
            weights=weights,
            estimate_table=estimate_table,
        )
        rows.append(row_of(found))
    return rows


def searches(
    boards: Board | Iterable[Board], algorithms: str | Iterable[str], heuristics: Sequence[str | None]
) -> Iterator[tuple[Board, str, str | None]]:
    """Yields the position, the algorithm and the heuristic of each search of `compare`."""
    names = [algorithms] if isinstance(algorithms, str) else list(algorithms)
    for board in [boards] if isinstance(boards, Board) else boards:
        for name in names:
            for heuristic in heuristics if name in USES_HEURISTIC else (None,):
                yield board, name, heuristic


def row_of(found: Trace) -> Row:
    """Returns the row of a trace. Its first event is `begin`."""
    begin, end = found.events[0], found.events[-1]
    win = found.value if isinstance(found.value, dict) else {}
    row = {name: begin[name] for name in ("variant", "fen", "algorithm", "heuristic")}
    row |= {"memory": bool(begin["options"].get("memory")), "depth": begin["depth"]}
    row |= {"value": None if win else found.value, "winner": win.get("win"), "plies": win.get("plies")}
    row |= {"best": found.line[0] if found.line else None, "proved": end["proved"]}
    parts = ("last", "all")
    row |= {f"{name}_{part}": found.counts[part][name] for name in found.counts["all"] for part in parts}
    return row | {"kept": found.counts["kept"]}
