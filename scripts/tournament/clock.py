"""Time controls, and the clocks that keep them. Times are milliseconds throughout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from common.arguments import quoted

_DURATION = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?|\.[0-9]{1,20})(ms|s|m)?")
_FACTORS = {"ms": 1.0, "s": 1000.0, "m": 60_000.0, None: 1000.0}

MAX_DURATION_MS = 1000 * 3600 * 1000.0
"""A thousand hours: longer than any match, and within what the system can wait."""
MAX_MOVES = 10_000
"""Moves of one period of a clock."""


def read_duration(text: str) -> float:
    """`10`, `10s` and `.5m` with seconds as the default unit, `100ms`; in milliseconds."""
    match = _DURATION.fullmatch(text)
    if not match:
        raise ValueError(f"{quoted(text)} is no duration: 10, 0.5, 10s, 100ms or 2m is expected")
    duration = float(match[1]) * _FACTORS[match[2]]
    if duration > MAX_DURATION_MS:
        raise ValueError(f"{quoted(text)}: at most {MAX_DURATION_MS / 1000:g}s is expected")
    return duration


def read_movetime(text: str) -> float:
    """A duration of at least a millisecond, the shortest that `go movetime` can name."""
    time = read_duration(text)
    if time < 1:
        raise ValueError(f"{quoted(text)}: at least 1ms is expected")
    return time


@dataclass(frozen=True)
class TimeControl:
    """A time for the game, or for every so many moves, and what each move adds to it."""

    base: float
    increment: float = 0.0
    moves: int | None = None
    """The base is added again after so many moves."""

    @classmethod
    def read(cls, text: str) -> TimeControl:
        """`BASE`, `BASE+INCREMENT` or `MOVES/BASE+INCREMENT`."""
        moves, slash, times = text.rpartition("/")
        if slash and not (re.fullmatch("[0-9]{1,6}", moves) and 0 < int(moves) <= MAX_MOVES):
            raise ValueError(f"{quoted(text)}: a number of moves from 1 to {MAX_MOVES} is expected before the slash")
        base, _, increment = times.partition("+")
        control = cls(
            read_duration(base), read_duration(increment) if increment else 0.0, int(moves) if slash else None
        )
        if control.base <= 0:
            raise ValueError(f"{quoted(text)}: a time above 0 is expected")
        return control

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        return f"{moves}{self.base:g}ms+{self.increment:g}ms"


@dataclass
class Clock:
    """The clock of one player in one game."""

    control: TimeControl
    left: float = field(init=False)
    lowest: float = field(init=False)
    """The least that was ever left at the end of a move, before its increment."""
    _made: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.left = self.lowest = self.control.base

    def spend(self, elapsed: float) -> None:
        """Ends a move that took so long. A flag that fell within somebody's margin is lifted."""
        self.lowest = min(self.lowest, self.left - elapsed)
        self.left = max(0.0, self.left - elapsed) + self.control.increment
        self._made += 1
        if self.control.moves and self._made % self.control.moves == 0:
            self.left += self.control.base

    @property
    def moves_to_go(self) -> int | None:
        """Moves until the base is added again."""
        if self.control.moves is None:
            return None
        return self.control.moves - self._made % self.control.moves


@dataclass(frozen=True)
class Limit:
    """What bounds each move of a player; several may be given."""

    control: TimeControl | None = None
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __bool__(self) -> bool:
        return any(part is not None for part in (self.control, self.movetime, self.nodes, self.depth))

    def allowed(self, clock: Clock | None) -> float | None:
        """How long the player may think about this move, if anything says so."""
        left = clock.left if clock else None
        return min((time for time in (left, self.movetime) if time is not None), default=None)

    def scaled(self, factor: float) -> Limit:
        """The same for a machine on which everything takes this many times longer."""
        if factor == 1.0:
            return self
        control = self.control and TimeControl(
            self.control.base * factor, self.control.increment * factor, self.control.moves
        )
        return Limit(control, self.movetime and max(1.0, self.movetime * factor), self.nodes, self.depth)

    def words(self) -> list[str]:
        """The limits that are no clock, as `go` takes them."""
        named = {"movetime": self.movetime, "nodes": self.nodes, "depth": self.depth}
        return [word for name, value in named.items() if value is not None for word in (name, str(int(value)))]

    def __str__(self) -> str:
        return " ".join(([f"tc {self.control}"] if self.control else []) + self.words())


CLOCK_WORDS = {"ugi": (("p1time", "p1inc"), ("p2time", "p2inc")), "uci": (("wtime", "winc"), ("btime", "binc"))}


def go_command(protocol: str, limit: Limit, clocks: Sequence[Clock | None], mover: int) -> str:
    """The `go` of a player: both clocks under the names of its protocol, and its other limits."""
    words = ["go"]
    for (time, increment), clock in zip(CLOCK_WORDS[protocol], clocks):
        if clock:
            words += [time, str(int(clock.left)), increment, str(int(clock.control.increment))]
    own = clocks[mover]
    if own and own.moves_to_go is not None:
        words += ["movestogo", str(own.moves_to_go)]
    return " ".join(words + limit.words())
