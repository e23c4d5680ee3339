"""The events of a search, and the counts of the events."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

Event = dict[str, Any]
"""One event of a search: a line of its trace."""

Steps = Generator[Event, None, T]
"""A part of a search. It yields events and returns a result."""

GAME_COUNTS = ("nodes", "leaves", "different", "again", "hits", "cuts", "kept")
"""Names of the counts of a game search."""

PUZZLE_COUNTS = ("nodes", "expanded", "seen", "beyond", "kept")
"""Names of the counts of a puzzle search."""

Counts = dict[str, dict[str, int]]
"""The counts of the last iteration, `last`, and of all iterations, `all`."""


def counts(events: Iterable[Event]) -> Counts:
    """Returns the counts of a search: `last` of its last iteration, and `all` of all iterations.

    In games:

    - `nodes`: entered nodes, without the root; a second visit counts again
    - `leaves`: evaluated leaves, with repeats; `different`: different nodes among them
    - `again`: children that Scout searched again; `hits`: values from the table; `cuts`: cutoffs
    - `kept`: entries in the table at the end

    In puzzles, where `idastar` and `iddfs` begin an iteration with each bound:

    - `nodes`: states made, including repeats; the root once
    - `expanded`: expanded states; `seen`: repeats that were recognized; `beyond`: states beyond the bound
    - `kept`: maximum number of states in memory: all different ones, or those of the longest path

    >>> from puli import teach
    >>> tutorial = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]"
    >>> found = counts(teach.mtdf(tutorial, deepen=True))
    >>> [found[part]["nodes"] for part in ("last", "all")], found["last"]["leaves"], found["last"]["different"]
    ([20, 43], 7, 6)
    """
    counter = Counter()
    for event in events:
        counter.add(event)
    return counter.result()


class Counter:
    """Counts events one by one. Its memory grows with the number of different nodes, not with the number of events."""

    def __init__(self) -> None:
        self._is_puzzle = False
        self._by_depth = False
        self._last = _Tally()
        self._all = _Tally()
        self._keys: dict[int, str] = {}
        self._stored: set[object] = set()

    def add(self, event: Event) -> None:
        """Counts an event."""
        kind = event["e"]
        if kind == "begin":
            self._is_puzzle = event["unit"] == "moves"
            self._by_depth = event["algorithm"] == "expectimax"
        elif kind in ("iteration", "bound"):
            self._last = _Tally()
        elif kind == "make" and not self._is_puzzle:
            self._keys[event["n"]] = event["key"]
        elif kind == "store":
            self._stored.add((self._keys[event["n"]], event["depth"] if self._by_depth else None))
        for tally in (self._last, self._all):
            tally.add(event, self._is_puzzle)

    def result(self) -> Counts:
        """Returns the counts of all events so far."""
        found = {}
        for part, tally in (("last", self._last), ("all", self._all)):
            if self._is_puzzle:
                numbers = tally.numbers | {"kept": self._all.states()}
                found[part] = {name: numbers.get(name, 0) for name in PUZZLE_COUNTS}
            else:
                numbers = tally.numbers | {"different": len(tally.leaves), "kept": len(self._stored)}
                found[part] = {name: numbers.get(name, 0) for name in GAME_COUNTS}
        return found


class _Tally:
    """The counts of one iteration or of all."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.leaves: set[int] = set()
        self.max_ply = 0
        self.has_list = False

    def add(self, event: Event, is_puzzle: bool) -> None:
        """Counts an event."""
        kind, count = event["e"], None
        if kind == "make" and is_puzzle:
            count, self.max_ply = "nodes", max(self.max_ply, event["ply"])
        elif kind == "enter" and event["n"] > 0:
            count = "nodes"
        elif kind == "leaf":
            count = "leaves"
            self.leaves.add(event["n"])
        elif kind == "table" and event["found"] == "answers":
            count = "hits"
        elif kind in _SIMPLE:
            count = _SIMPLE[kind]
        self.has_list = self.has_list or kind == "open"
        if count is not None:
            self.numbers[count] = self.numbers.get(count, 0) + 1

    def states(self) -> int:
        """Returns the maximum number of states in memory of a puzzle search."""
        if self.has_list:
            return self.numbers.get("nodes", 0) - self.numbers.get("seen", 0)
        return self.max_ply + 1


_SIMPLE = {"again": "again", "cut": "cuts", "expand": "expanded", "seen": "seen", "beyond": "beyond"}
