"""The events of a game search. A search calls the methods of a `Recorder` and yields their results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from .events import Counter, Event, Steps
from .games import Game, Position
from .tictactoe import tictactoe
from .trees import tree
from .values import MIN_WIN, CutOn, Kind, Window, from_node, from_root, hundredths, to_event, win

Result = tuple[Any, list[str]]
"""The value of a node in hundredths of a point, and the line of best play below it."""

How = Literal["leaf", "searched", "cut", "remembered"]
"""Why a search leaves a node."""


class Node:
    """A place in the tree."""

    __slots__ = ("_children", "kind", "move", "n", "parent", "ply", "position", "probability", "visits")

    def __init__(self, game: Game, position: Position, parent: Node | None = None, move: str = "") -> None:
        self.position, self.parent, self.move = position, parent, move
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.kind: Kind = game.kind(position, self.ply)
        self.n = -1
        """The number of the node; -1 until the search first enters it."""
        self.visits = 0
        """Number of visits."""
        self.probability: Any = 1
        """Probability of the move to this node, if the parent is a chance node."""
        self._children: list[Node] | None = None

    @property
    def worst(self) -> float:
        """The worst value for the player to move, with which a search for the best child starts."""
        return -math.inf if self.kind == "max" else math.inf

    def prefers(self, value: float, other: float) -> bool:
        """Returns `True` if the player to move prefers `value` to `other`."""
        return value > other if self.kind == "max" else value < other

    def children(self, game: Game) -> list[Node]:
        """Returns the children. Every visit gets the same objects, because they hold the numbers of the nodes."""
        if self._children is None:
            moves = game.moves(self.position)
            self._children = [Node(game, game.play(self.position, move), self, move) for move in moves]
            if self.kind == "chance":
                weights = [Fraction(game.weight(self.position, move)) for move in moves]
                for child, weight in zip(self._children, weights):
                    child.probability = weight / sum(weights)
        return self._children


@dataclass(frozen=True)
class Entry:
    """An entry of the transposition table."""

    value: Any
    """The value. A win is counted from the node."""
    bound: str
    """Relation of `value` to the true value: `exact`, `lower` or `upper`."""
    depth: int
    """Plies that were searched below the node."""
    best: str | None
    """The best move."""
    first: int
    """Number of the node that stored it."""


class Recorder:
    """Creates the events of a game search, and owns its tree and its transposition table.

    Args:
        game: the game, or its text.
        algorithm: name of the algorithm.
        depth: maximum depth in plies; `None` for the whole game, if its height is known.
        memory: `True` for a transposition table.
        deepen: `True` for iterations of the depths 1 to `depth`.
        options: further options, for the event `begin`.

    Raises:
        ValueError: the text is no game, or the depth is missing or less than 1.
    """

    def __init__(
        self, game: Game | str, algorithm: str, depth: int | None, *, memory: bool, deepen: bool, **options: Any
    ) -> None:
        self.game = game_of(game)
        self.algorithm, self.deepen = algorithm, deepen
        self.depth = max(1, self.game.height or 0) if depth is None else depth
        if depth is None and self.game.height is None or self.depth < 1:
            raise ValueError(f"expected a depth of at least 1, found {depth}")
        self.cut_on: CutOn = options.get("cut_on", "equal")
        shown = {name.replace("_", "-"): value for name, value in options.items()}
        self.options = {"memory": memory, "ordering": "none", "deepen": deepen, **shown}
        self.table: dict[Any, Entry] | None = {} if memory else None
        self.nodes = 0
        self.is_complete = False

    def run(self, search: Callable[[Node, int], Steps[Result]]) -> Iterator[Event]:
        """Runs `search` from the root, once or once per iteration, and yields all events with their numbers `i`."""
        counter = Counter()
        for i, event in enumerate(self._events(search, counter)):
            event = {"e": event["e"], "i": i, **event}
            counter.add(event)
            yield event

    def _events(self, search: Callable[[Node, int], Steps[Result]], counter: Counter) -> Iterator[Event]:
        yield self._begin()
        root = Node(self.game, self.game.start)
        yield from self._make(root)
        value: float = 0
        line: list[str] = []
        for depth in range(1 if self.deepen else self.depth, self.depth + 1):
            if self.deepen:
                yield {"e": "iteration", "depth": depth}
            self.is_complete = True
            value, line = yield from search(root, depth)
            if self.game.height is not None and depth >= self.game.height:
                break
        yield {
            "e": "end",
            "value": to_event(value),
            "line": line,
            "counts": counter.result(),
            "proved": self.is_complete or abs(value) >= MIN_WIN,
            "truncated": False,
        }

    def _begin(self) -> Event:
        return {
            "e": "begin",
            "schema": 1,
            "variant": self.game.variant,
            "fen": self.game.fen,
            "algorithm": self.algorithm,
            "heuristic": None,
            "depth": self.depth,
            "options": self.options,
            "unit": "points",
        }

    def _make(self, node: Node) -> Iterator[Event]:
        node.n, self.nodes = self.nodes, self.nodes + 1
        parent = node.parent
        event = {
            "e": "make",
            "n": node.n,
            "parent": None if parent is None else parent.n,
            "move": None if parent is None else node.move,
            "ply": node.ply,
            "kind": node.kind,
            "key": str(self.game.key(node.position)),
        }
        if parent is not None and parent.kind == "chance":
            event["p"] = float(node.probability)
        yield event

    def enter(self, node: Node, window: Window | None = None, purpose: str | None = None) -> Iterator[Event]:
        """Enters a node, and makes it at the first visit.

        By default, `purpose` is `null` for a null window of Scout, PVS or MTD(f), and otherwise `full`.
        """
        if node.n < 0:
            yield from self._make(node)
        node.visits += 1
        event: Event = {"e": "enter", "n": node.n, "visit": node.visits}
        if window is not None:
            event["window"] = window.to_event()
            is_test = self.algorithm != "alphabeta" and window.is_null()
            event["purpose"] = purpose or ("null" if is_test else "full")
            event["sure"] = [window.alpha_from, window.beta_from]
        yield event

    def leaf(self, node: Node, depth: int) -> Steps[Result | None]:
        """Returns the result of a leaf, where the game is over or no depth is left. Returns `None` in other nodes."""
        outcome = self.game.outcome(node.position)
        if outcome is None and depth > 0:
            return None
        value: float
        if outcome is None:
            self.is_complete = False
            value = hundredths(self.game.evaluate(node.position))
        elif outcome == "draw":
            value = 0
        elif isinstance(outcome, str) and self.algorithm == "expectimax":
            payoff = hundredths(self.game.payoff(node.position))
            value = payoff if outcome == "p1win" else -payoff
        elif isinstance(outcome, str):
            value = win(outcome[:2], node.ply)
        else:
            value = hundredths(outcome)
        yield {"e": "leaf", "n": node.n, "value": to_event(value), "why": "depth" if outcome is None else "over"}
        yield self.leave(node, value, "exact", None, "leaf")
        return value, []

    def look_up(self, node: Node, depth: int, window: Window = Window()) -> Steps[Result | None]:
        """Returns the result from the table if it has exactly this depth, and is exact or closes the window.

        Returns `None` otherwise, and at the root, which is always searched.
        """
        if self.table is None or node.parent is None:
            return None
        entry = self.table.get(self._key(node, depth))
        if entry is None:
            nothing = dict.fromkeys(("value", "bound", "depth", "best", "first"))
            yield {"e": "table", "n": node.n, "found": "nothing", **nothing}
            return None
        value = from_root(entry.value, node.ply)
        answers = entry.depth == depth and window.is_closed_by(value, entry.bound, self.cut_on)
        yield {
            "e": "table",
            "n": node.n,
            "found": "answers" if answers else "order-only" if entry.best else "nothing",
            "value": to_event(value),
            "bound": entry.bound,
            "depth": entry.depth,
            "best": entry.best,
            "first": entry.first,
        }
        if not answers:
            return None
        yield self.leave(node, value, entry.bound, None, "remembered")
        return value, []

    def store(self, node: Node, value: float, bound: str, depth: int, best: str | None) -> Iterator[Event]:
        """Stores the result of a node in the table, if there is one. The root is not stored."""
        if self.table is None or node.parent is None:
            return
        self.table[self._key(node, depth)] = Entry(from_node(value, node.ply), bound, depth, best, node.n)
        yield {
            "e": "store",
            "n": node.n,
            "value": to_event(value),
            "bound": bound,
            "depth": depth,
            "best": best,
            "dropped": None,
        }

    def _key(self, node: Node, depth: int) -> Any:
        """Returns the key of a node in the table. In expectimax, each depth has its own entry, as in the engine."""
        key = self.game.key(node.position)
        return (key, depth) if self.algorithm == "expectimax" else key

    def line_from_table(self, child: Node, depth: int) -> list[str]:
        """Returns the line that begins with the move to `child` and follows the best moves in the table."""
        line, node = [child.move], child
        while len(line) < depth and self.game.outcome(node.position) is None:
            entry = (self.table or {}).get(self._key(node, depth - len(line)))
            if entry is None or entry.best is None:
                break
            line.append(entry.best)
            node = next(child for child in node.children(self.game) if child.move == entry.best)
        return line

    def order(self, node: Node, children: list[Node] | None = None) -> Steps[list[Node]]:
        """Returns the children of a node, by default all, in the order in which they are searched."""
        children = node.children(self.game) if children is None else children
        if not children:
            raise ValueError(f"moves: expected a move where the game is not over, found none in {node.position!r}")
        yield {
            "e": "order",
            "n": node.n,
            "moves": [child.move for child in children],
            "why": ["notation" for _ in children],
        }
        return children

    def back(self, node: Node, child: Node, value: float, better: bool, window: Window | None = None) -> Event:
        """Hands the value of `child` to `node`. `window` is the remaining window."""
        event: Event = {"e": "back", "n": node.n, "child": child.n, "value": to_event(value), "better": better}
        if window is not None:
            event["window"] = window.to_event()
        return event

    def add(self, node: Node, child: Node, value: float, total: float) -> Event:
        """Hands the value of `child` to the chance node `node`. `total` is the sum so far."""
        return {"e": "back", "n": node.n, "child": child.n, "value": to_event(value), "sum": to_event(total)}

    def cut(self, node: Node, by: Node, value: float, window: Window, skipped: list[Node]) -> Event:
        """Skips the remaining moves of a node."""
        return {
            "e": "cut",
            "n": node.n,
            "by": by.n,
            "value": to_event(value),
            "window": window.to_event(),
            "rule": self.cut_on,
            "skipped": [child.move for child in skipped],
        }

    def again(self, child: Node, window: Window, bound: str, value: float) -> Event:
        """Searches `child` again in `window`. The null window has only proved a bound."""
        because = {"value": to_event(value), "bound": bound}
        return {"e": "again", "n": child.n, "window": window.to_event(), "because": because}

    def begin_pass(self, k: int, test: float, low: float, high: float, why: str) -> Event:
        """Begins pass `k` of MTD(f), which tests whether the value is at least `test`. Its bounds are `low` and `high`."""
        bounds = {"low": to_event(low), "high": to_event(high)}
        return {"e": "pass", "k": k, "test": to_event(test), **bounds, "why": why}

    def leave(self, node: Node, value: float, bound: str, best: str | None, how: How) -> Event:
        """Leaves a node with its value. `best` is the move to the child with this value."""
        return {"e": "leave", "n": node.n, "value": to_event(value), "bound": bound, "best": best, "how": how}


def game_of(game: Game | str) -> Game:
    """Returns `game`, or the game of a text: a tree in brackets, or a position of tic-tac-toe.

    Raises:
        ValueError: the text is neither.
    """
    if isinstance(game, Game):
        return game
    return tictactoe(game) if game.split()[:3] == ["3", "3", "3"] else tree(game)
