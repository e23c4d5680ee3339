"""The events of a search, and the counts of the events."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

Event = dict[str, Any]
"""One event of a search: a line of its trace."""

Steps = Generator[Event, None, T]
"""A part of a search. It yields events and returns a result."""

GAME_COUNTS = ("nodes", "leaves", "different", "again", "hits", "cuts")
"""Names of the counts of a game search."""

PUZZLE_COUNTS = ("nodes", "expanded", "seen", "beyond")
"""Names of the counts of a puzzle search."""

Counts = dict[str, Any]
"""The counts `last` of the last iteration, the counts `all` of all iterations, and `kept`."""


def counts(events: Iterable[Event]) -> Counts:
    """Returns the counts of a search: `last` of its last iteration, `all` as the sum of all iterations, and `kept`.

    In games:

    - `nodes`: entered nodes, without the root; a second visit counts again
    - `leaves`: evaluated leaves, with repeats; `different`: different nodes among them, in each iteration
    - `again`: children that Scout or PVS searched again; `hits`: values from the table; `cuts`: cutoffs
    - `kept`: entries in the table at the end; of the engine's `expectimax` it is only nearly right if entries were dropped

    In puzzles, where `idastar` and `iddfs` begin an iteration with each bound:

    - `nodes`: states made, including repeats; the root once
    - `expanded`: expanded states; `seen`: repeats that were recognized; `beyond`: states beyond the bound
    - `kept`: maximum number of states in memory: all different ones, or those of the longest path

    In `backward`, where the event `end` has the numbers of positions:

    - `nodes` and `kept`: positions that were found; `settled`: positions from which a player can force a win

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
        self._names: tuple[str, ...] = GAME_COUNTS
        self._by_depth = False
        self._before: dict[str, int] = {}
        self._now: dict[str, int] = {}
        self._leaves: set[int] = set()
        self._keys: dict[int, str] = {}
        self._stored: set[object] = set()
        self._dropped = 0
        self._whole: Counts | None = None
        self.settled = 0
        """Number of settled positions of `backward`."""
        self._has_list = False
        self._max_ply = 0

    def add(self, event: Event) -> None:
        """Counts an event."""
        kind, is_puzzle = event["e"], self._names is PUZZLE_COUNTS
        if kind == "begin":
            self._names = PUZZLE_COUNTS if event["unit"] == "moves" else GAME_COUNTS
            self._by_depth = event["algorithm"] == "expectimax"
        elif kind == "iteration" or kind == "bound" and event["k"] > 1:
            self._before, self._now, self._leaves = self._sum(), {}, set()
        elif kind == "make" and is_puzzle:
            self._count("nodes")
            self._max_ply = max(self._max_ply, event["ply"])
        elif kind == "make":
            self._keys[event["n"]] = event["key"]
        elif kind == "enter" and event["n"] > 0:
            self._count("nodes")
        elif kind == "leaf":
            self._count("leaves")
            if event["n"] not in self._leaves:
                self._leaves.add(event["n"])
                self._count("different")
        elif kind == "table" and event["found"] == "answers":
            self._count("hits")
        elif kind == "store":
            self._store(event)
        elif kind == "settle":
            self.settled += 1
        elif kind == "end" and (event["truncated"] or "settled" in event["counts"]["all"]):
            self._whole = event["counts"]
        elif kind in SIMPLE_COUNTS:
            self._count(SIMPLE_COUNTS[kind])
        self._has_list = self._has_list or kind == "open"

    def result(self) -> Counts:
        """Returns the counts of all events so far; of `backward` and of a truncated trace those of the event `end`."""
        if self._whole is not None:
            return self._whole
        last, total = ({name: part.get(name, 0) for name in self._names} for part in (self._now, self._sum()))
        kept = len(self._stored) - self._dropped
        if self._names is PUZZLE_COUNTS:
            kept = total["nodes"] - total["seen"] if self._has_list else self._max_ply + 1
        return {"last": last, "all": total, "kept": kept}

    def _count(self, name: str) -> None:
        self._now[name] = self._now.get(name, 0) + 1

    def _store(self, event: Event) -> None:
        """Counts an entry of the table, which may replace another one. In expectimax, each depth has its own entry."""
        key, dropped = self._keys[event["n"]], event.get("dropped")
        self._stored.add((key, event["depth"]) if self._by_depth else key)
        if dropped is not None and dropped in self._stored:
            self._stored.remove(dropped)
        elif dropped is not None:
            # The key of an entry of expectimax contains the depth. No `make` event has it.
            self._dropped += 1

    def _sum(self) -> dict[str, int]:
        """Returns the counts of all iterations."""
        return {name: self._before.get(name, 0) + self._now.get(name, 0) for name in self._names}


SIMPLE_COUNTS = {"again": "again", "cut": "cuts", "expand": "expanded", "seen": "seen", "beyond": "beyond"}
"""The count of each kind of event of which every event counts."""
