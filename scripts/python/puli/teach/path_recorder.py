"""The events of a puzzle search. A search calls the methods of a `PathRecorder` and yields their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .events import Counter, Event, Steps
from .estimates import ADMISSIBLE
from .puzzles import Estimate, Puzzle, State
from .river import missionaries
from .tiles import tiles


class PathNode:
    """A state with the path to it."""

    def __init__(self, recorder: PathRecorder, state: State, parent: PathNode | None = None, move: str | None = None) -> None:
        self.state, self.parent, self.move = state, parent, move
        self.key = recorder.puzzle.text(state)
        self.n = -1
        """Number of the node; -1 until it is made."""
        self.g: int = 0 if parent is None else parent.g + 1
        """Number of moves from the start."""
        self.h = recorder.estimate(state)
        """Estimated number of moves to the goal."""

    @property
    def f(self) -> float:
        """Estimated number of moves of the whole path."""
        return self.g + self.h

    def take_path_of(self, other: PathNode) -> None:
        """Replaces the path by a shorter one to the same state."""
        self.parent, self.move, self.g = other.parent, other.move, other.g

    def line(self) -> list[str]:
        """Returns the moves from the start."""
        return [] if self.parent is None else [*self.parent.line(), self.move or ""]


class PathRecorder:
    """Creates the states and the events of a puzzle search.

    Args:
        puzzle: the puzzle, or its text.
        algorithm: name of the algorithm.
        heuristic: an estimate or its name; `None` for `manhattan`, or `full-boats` at the river.
        is_blind: `True` if the algorithm has no heuristic.

    Raises:
        ValueError: the text is no puzzle, or the puzzle has no estimate of this name.
    """

    def __init__(
        self,
        puzzle: Puzzle | str,
        algorithm: str,
        heuristic: str | Estimate | None,
        *,
        is_blind: bool = False,
    ) -> None:
        self.puzzle = puzzle_of(puzzle)
        self.algorithm, self.is_blind = algorithm, is_blind
        named = self.puzzle.estimates
        if heuristic is None:
            heuristic = "manhattan" if "manhattan" in named else "full-boats" if "full-boats" in named else "zero"
        if callable(heuristic):
            self.heuristic, self.estimate = getattr(heuristic, "__name__", "own"), heuristic
        elif heuristic == "zero":
            self.heuristic, self.estimate = heuristic, lambda _: 0
        elif heuristic in named:
            self.heuristic, self.estimate = heuristic, named[heuristic]
        else:
            raise ValueError(f"heuristic: expected a function or one of {', '.join(named)}, found {heuristic!r}")
        is_admissible = not callable(heuristic) and heuristic in ADMISSIBLE
        self.proves = is_blind or is_admissible and algorithm != "greedy"
        self.nodes = 0
        self.is_limited = False
        """`True` if a maximum depth ended the search."""

    def run(self, search: PathSearch) -> Iterator[Event]:
        """Runs `search` from the start, and yields all events with their numbers `i`."""
        counter = Counter()
        for i, event in enumerate(self._events(search, counter)):
            event = {"e": event["e"], "i": i, **event}
            counter.add(event)
            yield event

    def _events(self, search: PathSearch, counter: Counter) -> Iterator[Event]:
        yield {
            "e": "begin",
            "schema": 1,
            "variant": self.puzzle.variant,
            "fen": self.puzzle.fen,
            "algorithm": self.algorithm,
            "heuristic": None if self.is_blind else self.heuristic,
            "depth": None,
            "options": {},
            "unit": "moves",
        }
        root = PathNode(self, self.puzzle.start)
        yield self.make(root)
        found = yield from search(self, root)
        yield {
            "e": "end",
            "value": found.g if found else None,
            "line": found.line() if found else [],
            "counts": counter.result(),
            "proved": self.proves if found else not self.is_limited,
            "truncated": False,
        }

    def is_goal(self, node: PathNode) -> bool:
        """Returns `True` if the puzzle is solved."""
        return self.puzzle.is_goal(node.state)

    def children(self, node: PathNode) -> Iterator[PathNode]:
        """Yields the state after each move, except the inverse of the last move."""
        undo = None if node.move is None else self.puzzle.undo(node.move)
        for move in self.puzzle.moves(node.state):
            if move != undo:
                yield PathNode(self, self.puzzle.play(node.state, move), node, move)

    def make(self, node: PathNode) -> Event:
        """Makes a state: gives it its number."""
        node.n, self.nodes = self.nodes, self.nodes + 1
        return {
            "e": "make",
            "n": node.n,
            "parent": None if node.parent is None else node.parent.n,
            "move": node.move,
            "ply": node.g,
            "kind": "state",
            "key": node.key,
        }

    def open(self, node: PathNode) -> Event:
        """Puts a state in the open list."""
        return {"e": "open", "n": node.n, **self._estimate(node)}

    def _estimate(self, node: PathNode) -> dict[str, Any]:
        return {"g": node.g, "h": None if self.is_blind else node.h, "f": node.f}

    def seen(self, node: PathNode, known: PathNode, shorter: bool) -> Event:
        """Recognizes a state. If the path is `shorter`, the known node takes it."""
        return {"e": "seen", "n": node.n, "as": known.n, "shorter": shorter}

    def expand(self, node: PathNode, open_states: int | None = None, closed_states: int | None = None) -> Event:
        """Expands a state. The sizes of the lists are those before, when this state is still open; `None` without lists."""
        return {"e": "expand", "n": node.n, **self._estimate(node), "open": open_states, "closed": closed_states}

    def begin_bound(self, k: int, bound: float, least: PathNode | None) -> Event:
        """Begins iteration `k` with a bound. `least` is the state beyond the last bound that sets this one."""
        return {"e": "bound", "k": k, "bound": bound, "from": None if least is None else least.n}

    def beyond(self, node: PathNode) -> Event:
        """Does not expand a state, because its f exceeds the bound or, in `iddfs`, equals it."""
        return {"e": "beyond", "n": node.n, "f": node.f}

    def leave(self, node: PathNode) -> Event:
        """Returns from a state to its parent."""
        return {"e": "leave", "n": node.n}


PathSearch = Callable[[PathRecorder, PathNode], Steps[PathNode | None]]
"""A search from a root. Returns the goal; `None` if it does not reach it."""


def puzzle_of(puzzle: Puzzle | str) -> Puzzle:
    """Returns `puzzle`, or the puzzle of a text: a board of tiles, or a position of missionaries and cannibals.

    Raises:
        ValueError: the text is neither.
    """
    if isinstance(puzzle, Puzzle):
        return puzzle
    return tiles(puzzle) if "/" in puzzle else missionaries(puzzle)
