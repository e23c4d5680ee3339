"""Values of game searches, and windows of values.

A value is a whole number of hundredths of a point from the first player's view, as in the engine. So the null window below
the value b is (b - 1, b). A win of the first player is `WIN` minus its distance from the root in plies. A win of the second
player is the negated number. So a quicker win is better for the winner.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

WIN = 2_000_000_000
"""Value of a win of the first player at the root itself."""

MIN_WIN = WIN - 1_000_000
"""Minimum size of a value that is a win."""

Kind = Literal["max", "min", "chance"]
"""The kind of a node: the first player chooses, the second player chooses, or chance decides."""

CutOn = Literal["equal", "worse"]
"""Rule of a cutoff: alpha is at least beta (`equal`), or alpha is greater than beta (`worse`)."""

EventValue = float | dict[str, Any] | None
"""A value in an event: points, `{"win": "p1", "plies": 3}`, or `None` for an infinite end of a window."""


def hundredths(points: float) -> int:
    """Returns a number of points in hundredths."""
    return round(100 * points)


def win(player: str, ply: int) -> int:
    """Returns the value of a win of `player`, `p1` or `p2`, in a node `ply` plies below the root."""
    return WIN - ply if player == "p1" else ply - WIN


def to_event(value: Any) -> EventValue:
    """Returns a value as events contain it.

    >>> to_event(1250), to_event(win("p2", 3)), to_event(math.inf)
    (12.5, {'win': 'p2', 'plies': 3}, None)
    """
    if math.isinf(value):
        return None
    if abs(value) >= MIN_WIN:
        return {"win": "p1" if value > 0 else "p2", "plies": WIN - abs(value)}
    points = float(value) / 100
    return int(points) if points.is_integer() else points


def from_root(value: float, ply: int) -> float:
    """Returns a value from the table, whose wins are counted from the node, with wins counted from the root."""
    if abs(value) < MIN_WIN:
        return value
    return value - ply if value > 0 else value + ply


def from_node(value: float, ply: int) -> float:
    """Returns a value with wins counted from the node at `ply`, as the table stores it. The inverse of `from_root`."""
    return from_root(value, -ply)


class Window(NamedTuple):
    """The open interval `(alpha, beta)` of values that matter."""

    alpha: float = -math.inf
    """The value that the first player can already reach elsewhere."""
    beta: float = math.inf
    """The value that the second player can already reach elsewhere."""
    alpha_from: int | None = None
    """Number of the node that has found `alpha`; `None` if alpha is infinite or only the end of a null window."""
    beta_from: int | None = None
    """Number of the node that has found `beta`; `None` if beta is infinite or only the end of a null window."""

    def contains(self, value: float) -> bool:
        """Returns `True` if `value` lies inside the window."""
        return self.alpha < value < self.beta

    def is_null(self) -> bool:
        """Returns `True` if no value lies inside the window."""
        return self.alpha + 1 >= self.beta

    def is_closed(self, cut_on: CutOn) -> bool:
        """Returns `True` if the remaining moves of a node cannot matter."""
        return self.alpha > self.beta or self.alpha == self.beta and cut_on == "equal"

    def narrowed(self, kind: Kind, value: float, n: int) -> Window:
        """Returns the window after node `n`, of this kind, has found `value`."""
        if kind == "max" and value > self.alpha:
            return self._replace(alpha=value, alpha_from=n)
        if kind == "min" and value < self.beta:
            return self._replace(beta=value, beta_from=n)
        return self

    def null(self, kind: Kind) -> Window:
        """Returns the null window that tests whether a value is better for a node of `kind` than its bound of this window."""
        if kind == "max":
            return Window(self.alpha, self.alpha + 1, self.alpha_from, None)
        return Window(self.beta - 1, self.beta, None, self.beta_from)

    def bound(self, value: float) -> str:
        """Returns the relation of a value, searched in this window, to the true value: `exact`, `lower` or `upper`."""
        if self.contains(value):
            return "exact"
        return "lower" if value >= self.beta else "upper"

    def is_closed_by(self, value: float, bound: str, cut_on: CutOn) -> bool:
        """Returns `True` if a node with this bound need not be searched in this window."""
        if bound == "exact":
            return True
        closed = Window(value, self.beta) if bound == "lower" else Window(self.alpha, value)
        return closed.is_closed(cut_on)

    def to_event(self) -> list[EventValue]:
        """Returns the window as events contain it."""
        return [to_event(self.alpha), to_event(self.beta)]
