"""Compares two lists of events, such as those of a student's search and those of the engine."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..text import CONTROL_CHARACTER
from .events import Event

IGNORED_KINDS = frozenset({"begin"})
"""Kinds of events that describe the task, not the search."""

IGNORED_KEYS = frozenset({"e", "i", "fen", "counts", "proved", "truncated", "terms", "why", "dropped"})
"""Keys that do not affect the search."""

NODE_KEYS = frozenset({"n", "parent", "child", "by", "as", "from", "first", "sure"})
"""Keys whose values are numbers of nodes."""

MAX_SHOWN_LENGTH = 120
"""Maximum number of characters of an event that is shown as it is."""

TOLERANCE = 1e-9
"""Maximum difference of two numbers that are treated as equal, relative or in points: averages are rounded."""


def diff(mine: Iterable[Event], engine: Iterable[Event]) -> str | None:
    """Returns a sentence that names the first event in which `mine` differs from `engine`. Returns `None` if they agree.

    Kinds of events that `mine` never contains are ignored, and so are keys that only one of two events has. So a search may
    yield only `enter` and `leave`, for example. If `mine` has `make` events, nodes are compared by the moves that lead to
    them, otherwise by their numbers. Keys of positions may differ, but must be equal for the same pairs of nodes. If `engine`
    is truncated, the events before its end are compared. Events `settle` of equal plies are compared in the order of their
    positions: the engine settles them in the order of its keys.

    >>> from puli import teach
    >>> tree = "[[3,17],[2,12]]"
    >>> diff(teach.alphabeta(tree), teach.alphabeta(tree))
    >>> diff(teach.minimax(tree), teach.alphabeta(tree))
    'Event 27: mine makes 2 2, the engine cuts at 2 after 2 1, by 2.'
    >>> diff(teach.alphabeta("[[3,17],[3,12]]", cut_on="worse"), teach.alphabeta("[[3,17],[3,12]]"))
    'Event 27: mine makes 2 2, the engine cuts at 2 after 2 1, by 3.'
    """
    own = list(_in_rings(mine))
    kinds = {event.get("e") for event in own} - IGNORED_KINDS
    if not kinds:
        return "Event 0: mine has no events."
    sides = _Side("mine", "make" in kinds), _Side("the engine", "make" in kinds)
    keys: tuple[dict[Any, Any], dict[Any, Any]] = {}, {}
    ours = iter([event for event in own if event.get("e") in kinds])
    cut: Event | None = None
    for index, event in enumerate(itertools.chain(_in_rings(engine), [None])):
        if event is not None and event.get("truncated"):
            return None
        if event is not None and event.get("e") not in kinds:
            cut = event if event.get("e") == "cut" else cut
            continue
        pair = next(ours, None), event
        for side, each in zip(sides, pair):
            side.add(each)
        key = _first_difference(sides, pair, keys)
        if key is not None:
            # A cut explains the difference best, although `mine` never writes one.
            pair = pair[0], cut or event
            number = next((each["i"] for each in reversed(pair) if each and "i" in each), index)
            return _sentence(number, sides, pair, key)
        cut = None
    return None


def _in_rings(events: Iterable[Event]) -> Iterator[Event]:
    """Yields events, and sorts neighboring events `settle` of equal plies by their positions.

    The last plies of a truncated list are left out, because some of their positions are missing.
    """

    def plies(event: Event) -> Any:
        """Returns the plies of an event `settle`; `None` of other events."""
        value = event.get("value") if event.get("e") == "settle" else None
        return value.get("plies") if isinstance(value, dict) else None

    whole: list[Event] = []
    for key, group in itertools.groupby(events, plies):
        ring = list(group)
        yield from whole if not ring[0].get("truncated") else ()
        whole = [] if key is None else sorted(ring, key=lambda event: str(event.get("fen")))
        yield from ring if key is None else ()
    yield from whole


class _Side:
    """One of the two lists of events, with the names of its nodes."""

    def __init__(self, name: str, has_names: bool) -> None:
        self.name, self.has_names = name, has_names
        self.places: dict[Any, str] = {}

    def add(self, event: Event | None) -> None:
        """Names the node that an event makes."""
        if event and event.get("e") == "make" and self.has_names:
            parent = self.places.get(event.get("parent"), "")
            self.places[event.get("n")] = f"{parent} {event.get('move') or ''}".strip()

    def place(self, n: Any) -> Any:
        """Returns the moves to a node, or its number if it was not made, or has no name."""
        return self.places.get(n, n)

    def show(self, n: Any) -> str:
        """Returns the name of a node for people."""
        place = self.place(n)
        return f"node {place}" if isinstance(place, int) else str(place) or "the root"


def _first_difference(
    sides: tuple[_Side, _Side], pair: tuple[Event | None, Event | None], keys: tuple[dict[Any, Any], dict[Any, Any]]
) -> str | None:
    """Returns the key in which two events differ: `e` if they are of different kinds. Returns `None` if they agree."""
    first, second = pair
    if first is None and second is None:
        return None
    if first is None or second is None or first.get("e") != second.get("e"):
        return "e"
    for name in first:
        if name not in second or name in IGNORED_KEYS and not (name == "fen" and first["e"] == "settle"):
            continue
        values = first[name], second[name]
        if name == "key":
            known = keys[0].setdefault(values[0], values[1]), keys[1].setdefault(values[1], values[0])
            agrees = known == (values[1], values[0])
        elif name in NODE_KEYS:
            agrees = _places(sides[0], values[0]) == _places(sides[1], values[1])
        else:
            agrees = is_equal(*values)
        if not agrees:
            return str(name)
    return None


def _places(side: _Side, value: Any) -> Any:
    """Returns the places of the nodes in the value of a key."""
    return [side.place(n) for n in value] if isinstance(value, list) else side.place(value)


def is_equal(first: Any, second: Any) -> bool:
    """Returns `True` if two values are equal, apart from rounding."""
    if isinstance(first, (int, float)) and isinstance(second, (int, float)):
        return math.isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return len(first) == len(second) and all(map(is_equal, first, second))
    return bool(first == second)


def _sentence(number: int, sides: tuple[_Side, _Side], pair: tuple[Event | None, Event | None], key: str) -> str:
    """Returns the sentence for two events that differ in `key`."""
    phrases = [_phrase(side, event) for side, event in zip(sides, pair)]
    text = f"Event {number}: mine {phrases[0]}, the engine {phrases[1]}."
    if phrases[0] == phrases[1] and pair[0] and pair[1]:
        values = [_places(side, event[key]) if key in NODE_KEYS else event[key] for side, event in zip(sides, pair) if event]
        text = f"Event {number}: mine {phrases[0]}, but its {key} is {values[0]}, and the engine's is {values[1]}."
    return CONTROL_CHARACTER.sub("\ufffd", text)


def _phrase(side: _Side, event: Event | None) -> str:
    """Returns a phrase that describes an event."""
    if event is None:
        return "has ended"
    try:
        return _PHRASES[event["e"]](side, event)
    except (KeyError, TypeError, ValueError):
        # Another kind of event, or one without its usual keys.
        return f"writes {event!r}"[:MAX_SHOWN_LENGTH]


def _value(value: Any) -> str:
    """Returns a value for people."""
    if isinstance(value, dict):
        return f"a win of {value.get('win')} in {value.get('plies')}"
    return str(value)


def _window(event: Event) -> str:
    """Returns the window of an event, if it has one."""
    if "window" not in event:
        return ""
    low, high = event["window"]
    return f" with the window ({'−∞' if low is None else _value(low)}, {'∞' if high is None else _value(high)})"


_PHRASES: dict[str, Callable[[_Side, Event], str]] = {
    "iteration": lambda side, event: f"begins depth {event['depth']}",
    "pass": lambda side, event: f"asks whether the value is at least {_value(event['test'])}",
    "make": lambda side, event: f"makes {side.show(event['n'])}",
    "order": lambda side, event: f"orders the moves of {side.show(event['n'])}: {' '.join(map(str, event['moves']))}",
    "enter": lambda side, event: f"enters {side.show(event['n'])}{_window(event)}",
    "leaf": lambda side, event: f"values the leaf {side.show(event['n'])} at {_value(event['value'])}",
    "table": lambda side, event: f"looks {side.show(event['n'])} up in the table ({event['found']})",
    "store": lambda side, event: f"stores {_value(event['value'])} ({event['bound']}) for {side.show(event['n'])}",
    "back": lambda side, event: f"hands {_value(event['value'])} from {side.show(event['child'])} to {side.show(event['n'])}",
    "cut": lambda side, event: f"cuts at {side.show(event['n'])} after {side.show(event['by'])}, by {_value(event['value'])}",
    "again": lambda side, event: f"searches {side.show(event['n'])} again{_window(event)}",
    "leave": lambda side, event: f"leaves {side.show(event['n'])}"
    + (f" with {_value(event['value'])} ({event.get('bound')})" if "value" in event else ""),
    "open": lambda side, event: f"opens {side.show(event['n'])} with f = {event['f']}",
    "seen": lambda side, event: f"recognizes {side.show(event['n'])} as {side.show(event['as'])}",
    "expand": lambda side, event: f"expands {side.show(event['n'])}",
    "bound": lambda side, event: f"sets the bound to {event['bound']}",
    "beyond": lambda side, event: f"turns {side.show(event['n'])} away, with f = {event['f']}",
    "settle": lambda side, event: f"settles {event['fen']} as {_value(event['value'])} ({event['because']})",
    "end": lambda side, event: f"ends with the value {_value(event['value'])}",
}
