"""Traces: what a textbook search of the engine does, event by event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .board import Board
from .features import Table, own_options
from .teach.events import Counts, Event
from .trace_picture import Picture, Player, TracePicture

MAX_EVENTS = 200_000
"""Maximum number of events of a trace, unless `trace` is given another one."""

HASH_MIB = 64
"""Size of the transposition table in MiB, as in `puli compare`. In a smaller table, more entries have to go, which costs nodes."""

DEFAULT_DEPTH = 4
"""Default depth of a search of a game, in plies."""

MAX_DEPTH = 255
"""Maximum depth of a trace, in plies or moves, and the default of the algorithms that need no limit."""

UNLIMITED = frozenset({"backward", "bfs", "iddfs", "greedy", "astar", "idastar"})
"""Names of these algorithms."""


@dataclass
class TraceNode:
    """A node of the tree that a search has made so far."""

    n: int
    """Number of the node, from 0 for the root."""
    move: str | None
    """The move to it; `None` for the root."""
    kind: str
    """`max`, `min`, `chance` or `state`."""
    fen: str
    """Its position."""
    value: Any = None
    """Its value when it was left last; `None` before."""
    bound: str | None = None
    """How `value` relates to the true value: `exact`, `lower` or `upper`."""
    visits: int = 0
    """Number of visits."""
    children: list[TraceNode] = field(default_factory=list)
    """The nodes below it, in the order in which they were made."""


@dataclass(frozen=True, repr=False)
class Trace:
    """A search, event by event. protocol.md lists the events and their keys. Jupyter displays the tree of the search."""

    events: list[Event]
    """All events; the first is `begin`, the last `end`."""
    sentences: list[str]
    """The sentence that explains each event, in English; an empty one if there is nothing to say."""

    @classmethod
    def from_json(cls, answers: list[dict[str, Any]]) -> Trace:
        """Builds a trace from the decoded JSON of the engine's answers, and takes their sentences out."""
        sentences = [str(answer.pop("text", "")) for answer in answers]
        return cls(answers, sentences)

    @property
    def value(self) -> Any:
        """The value of the root: points, `{"win": "p1", "plies": 3}`, or the length of a solution. `None` without one."""
        return self.events[-1]["value"]

    @property
    def line(self) -> list[str]:
        """The line of best play, or the solution."""
        line: list[str] = self.events[-1]["line"]
        return line

    @property
    def counts(self) -> Counts:
        """The counts of the search, as `teach.counts` counts them. They are whole even if events are missing."""
        counts: Counts = self.events[-1]["counts"]
        return counts

    @property
    def is_truncated(self) -> bool:
        """`True` if events before the last one are missing."""
        return bool(self.events[-1]["truncated"])

    def __repr__(self) -> str:
        begin = self.events[0]
        name = f"{begin['algorithm']} of {begin['variant']}, " if begin["e"] == "begin" else ""
        return f"<Trace: {name}value {self.value}, {len(self.events)} events>"

    def explain(self, i: int) -> str:
        """Returns the sentence that explains event `i`."""
        return self.sentences[i]

    def picture(self, at: int | None = None) -> Picture:
        """Returns the picture of the tree after event `at`, by default after the last one.

        At most `MAX_DRAWN_NODES` nodes of `trace_picture` are drawn, the first ones. Of `backward`, it is the number of positions
        that are won in 0 plies, in 1 ply and so on.

        Raises:
            IndexError: there is no event `at`.
        """
        at = len(self.events) - 1 if at is None else at
        if not 0 <= at < len(self.events):
            raise IndexError(f"event {at}: expected a number from 0 to {len(self.events) - 1}")
        return Picture(TracePicture(self.events).svg(at, self._heading(at)))

    def play(self) -> Player:
        """Returns a scrubber through the events for Jupyter: the tree, the sentence of the event, and buttons to step.

        It needs no other package and no network. Where scripts are off, it is the picture of the last event.
        """
        drawn, at = TracePicture(self.events), len(self.events) - 1
        return Player(drawn.html(self.sentences, self._heading(at)), drawn.svg(at, self._heading(at)))

    def _heading(self, at: int) -> str:
        return f"Event {at}: {self.sentences[at] or self.events[at]['e']}"

    def _repr_svg_(self) -> str:
        return self.picture().svg

    def tree(self, at: int | None = None) -> TraceNode:
        """Returns the tree that the search has made up to event `at`, by default the whole one.

        Raises:
            IndexError: the root is not made at event `at`.
        """
        nodes: dict[int, TraceNode] = {}
        for event in self.events[: None if at is None else at + 1]:
            node = nodes.get(event.get("n", -1))
            if event["e"] == "make":
                made = TraceNode(event["n"], event["move"], event["kind"], event["fen"])
                nodes[made.n] = made
                if event["parent"] is not None:
                    nodes[event["parent"]].children.append(made)
            elif node is not None and event["e"] == "enter":
                node.visits += 1
            elif node is not None and event["e"] == "leave" and "value" in event:
                node.value, node.bound = event["value"], event["bound"]
        if not nodes:
            raise IndexError(f"event {at}: the root is not made")
        return nodes[0]


def trace(
    board: Board,
    algorithm: str = "alphabeta",
    depth: int | None = None,
    *,
    memory: bool = False,
    ordering: str = "full",
    heuristic: str | None = None,
    cut_on: str = "equal",
    guess: int = 0,
    deepen: bool = False,
    events: int = MAX_EVENTS,
    weights: Table = None,
    estimate_table: Table = None,
) -> Trace:
    """Searches a position by a textbook algorithm of the engine, and returns what the search did.

    Args:
        board: the position.
        algorithm: `minimax`, `expectimax`, `alphabeta`, `scout`, `mtdf`, `pvs`, or of puzzles `bfs`, `iddfs`, `greedy`, `astar`,
            `idastar`. `backward` settles the positions of a game from its ends, and has no tree.
        depth: depth in plies, 1 to 255, by default 4; of puzzles the maximum length of a solution, and of `backward` of
            a forced win, by default 255.
        memory: with a transposition table, as `mtdf` always is.
        ordering: order of moves: `none` (the notation's), `table` or `full`.
        heuristic: of puzzles, by default `auto`, or `own` with `estimate_table`.
        cut_on: when `alphabeta` cuts off: at an `equal` value, or only at a `worse` one.
        guess: points that `mtdf` tests first.
        deepen: iterations to depth 1, 2, … instead of one search.
        events: maximum number of events. The value and the counts are whole in any case.
        weights: own weights of the evaluation, by the names of `puli.features`, or the path of a file with a name and a weight
            on each line. Other features keep their weights.
        estimate_table: own estimates of a puzzle, by positions as `puli.Board` takes them, or the path of a file with a position
            and an estimate on each line. Other positions have the estimate 0.

    Raises:
        EngineError: the engine refuses the position or an option.
        ValueError: an option contains a line break or a blank.

    >>> import puli
    >>> found = puli.trace(puli.Board("tree", "[[3,17],[2,12]]"), depth=2, ordering="none")
    >>> found.value, found.line, found.counts["all"]["nodes"], found.counts["all"]["cuts"]
    (3, ['1', '1'], 5, 1)
    >>> [found.explain(i) for i, event in enumerate(found.events) if event["e"] == "cut"]
    ['Cut off at node 2: it is worth 2 or less, but Max has 3 elsewhere. Never looked at: child 2.']
    >>> [(child.move, child.value, child.bound) for child in found.tree().children]
    [('1', 3, 'exact'), ('2', 2, 'upper')]
    >>> puli.diff(puli.teach.alphabeta("[[3,17],[2,12]]"), found.events)
    >>> start = puli.Board("aadu-puli")
    >>> [puli.trace(start, depth=1, weights=weights).value for weights in (None, {"goats": 5})]
    [54, 69]
    """
    heuristic = heuristic or (None if estimate_table is None else "own")
    options, command = trace_request(algorithm, depth, memory, ordering, heuristic, cut_on, guess, deepen, events)
    with own_options(weights, estimate_table) as files:
        return Trace.from_json(board.ask(options | files, command, "trace "))


def trace_request(
    algorithm: str,
    depth: int | None,
    memory: bool,
    ordering: str,
    heuristic: str | None,
    cut_on: str,
    guess: int,
    deepen: bool,
    events: int,
) -> tuple[dict[str, str], str]:
    """Returns the engine options and the protocol line of a trace. For the arguments see `trace`."""
    is_backward = algorithm == "backward"
    memory = memory or algorithm == "mtdf"
    options = {} if is_backward else {
        "Algorithm": algorithm,
        "Memory": str(memory).lower(),
        "Ordering": ordering,
        "Heuristic": heuristic or "auto",
        "Hash": str(HASH_MIB if memory else 1),
    }
    if depth is None:
        depth = MAX_DEPTH if algorithm in UNLIMITED else DEFAULT_DEPTH
    command = f"trace depth {depth} events{' backward' * is_backward} explain positions max {events} cut-on {cut_on} guess {guess}"
    return options, command + (" deepen" if deepen else "")
