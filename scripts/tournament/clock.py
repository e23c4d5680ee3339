"""Time controls and game clocks. All times are in milliseconds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from common.arguments import quoted

_DURATION = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?|\.[0-9]{1,20})(ms|s|m)?")
_UNIT_MS = {"ms": 1.0, "s": 1000.0, "m": 60_000.0, None: 1000.0}

MAX_DURATION_MS = 1000 * 3600 * 1000.0
"""Maximum duration: 1000 hours, longer than any match, and short enough for the timeouts of the system."""
MAX_MOVES = 10_000
"""Maximum number of moves per period of a time control."""


def parse_duration(text: str) -> float:
    """Returns a duration in milliseconds. `text` is a number of seconds, or has a unit: `10`, `10s`, `.5m`, `100ms`.

    Raises:
        ValueError: `text` is not a duration, or exceeds `MAX_DURATION_MS`.
    """
    match = _DURATION.fullmatch(text)
    if not match:
        raise ValueError(f"expected a duration such as 10, 0.5, 10s, 100ms or 2m, found {quoted(text)}")
    duration = float(match[1]) * _UNIT_MS[match[2]]
    if duration > MAX_DURATION_MS:
        raise ValueError(f"expected at most {MAX_DURATION_MS / 1000:g}s, found {quoted(text)}")
    return duration


def parse_movetime(text: str) -> float:
    """Returns a duration of at least 1 ms, the minimum of `go movetime`.

    Raises:
        ValueError: `text` is not a duration, or is out of range.
    """
    duration = parse_duration(text)
    if duration < 1:
        raise ValueError(f"expected at least 1ms, found {quoted(text)}")
    return duration


@dataclass(frozen=True)
class TimeControl:
    """The time of a player for the game, or for each period of `moves` moves."""

    base: float
    """Time for the game or for each period, above 0."""
    increment: float = 0.0
    """Time that each move adds."""
    moves: int | None = None
    """Moves per period; `None` for one period without end."""

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Parses `BASE`, `BASE+INCREMENT` or `MOVES/BASE+INCREMENT`.

        Raises:
            ValueError: `text` is not a time control, or a number is out of range.
        """
        moves, slash, times = text.rpartition("/")
        if slash and not (re.fullmatch("[0-9]{1,6}", moves) and 0 < int(moves) <= MAX_MOVES):
            raise ValueError(f"expected a number of moves from 1 to {MAX_MOVES} before the slash, found {quoted(text)}")
        base, _, increment = times.partition("+")
        control = cls(parse_duration(base), parse_duration(increment) if increment else 0.0, int(moves) if slash else None)
        if control.base <= 0:
            raise ValueError(f"expected a time above 0, found {quoted(text)}")
        return control

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        return f"{moves}{self.base:g}ms+{self.increment:g}ms"


@dataclass
class Clock:
    """The clock of one player in one game."""

    control: TimeControl
    remaining: float = field(init=False)
    min_remaining: float = field(init=False)
    """Minimum of the remaining time at the end of all moves, before the increment. Below 0 if a move was late."""
    _moves_made: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.remaining = self.min_remaining = self.control.base

    def end_move(self, elapsed: float) -> None:
        """Subtracts `elapsed` and adds the increment. After a late move that `Conditions.margin` allows, 0 remains."""
        self.min_remaining = min(self.min_remaining, self.remaining - elapsed)
        self.remaining = max(0.0, self.remaining - elapsed) + self.control.increment
        self._moves_made += 1
        if self.control.moves and self._moves_made % self.control.moves == 0:
            self.remaining += self.control.base

    @property
    def moves_to_go(self) -> int | None:
        """Moves until the next period starts; `None` without periods."""
        if self.control.moves is None:
            return None
        return self.control.moves - self._moves_made % self.control.moves


@dataclass(frozen=True)
class Limit:
    """Limits of each move of a player. Several limits may be set; times are in milliseconds."""

    control: TimeControl | None = None
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None
    """Plies."""

    def __bool__(self) -> bool:
        return any(part is not None for part in (self.control, self.movetime, self.nodes, self.depth))

    def max_move_time(self, clock: Clock | None) -> float | None:
        """Returns the maximum time of the next move; `None` if neither a clock nor `movetime` limits it."""
        remaining = clock.remaining if clock else None
        return min((time for time in (remaining, self.movetime) if time is not None), default=None)

    def scaled(self, factor: float) -> Limit:
        """Returns the limit with all times multiplied by `factor`, for a slower machine."""
        if factor == 1.0:
            return self
        control = self.control and TimeControl(
            self.control.base * factor, self.control.increment * factor, self.control.moves
        )
        return Limit(control, self.movetime and max(1.0, self.movetime * factor), self.nodes, self.depth)

    def go_words(self) -> list[str]:
        """Returns the arguments of `go` for all limits but the clock."""
        limits = {"movetime": self.movetime, "nodes": self.nodes, "depth": self.depth}
        return [word for name, value in limits.items() if value is not None for word in (name, str(int(value)))]

    def __str__(self) -> str:
        return " ".join(([f"tc {self.control}"] if self.control else []) + self.go_words())


# The names of the clocks and increments in `go`, for the first and the second player.
CLOCK_WORDS = {"ugi": (("p1time", "p1inc"), ("p2time", "p2inc")), "uci": (("wtime", "winc"), ("btime", "binc"))}


def go_command(protocol: str, limit: Limit, clocks: Sequence[Clock | None], mover: int) -> str:
    """Returns the `go` command for the side to move.

    Args:
        protocol: `ugi` or `uci`, which name the clocks differently.
        limit: limits of the side to move.
        clocks: clocks of the first and the second player.
        mover: side to move: 0 for the first player, 1 for the second.
    """
    words = ["go"]
    for (time, increment), clock in zip(CLOCK_WORDS[protocol], clocks):
        if clock:
            words += [time, str(int(clock.remaining)), increment, str(int(clock.control.increment))]
    own_clock = clocks[mover]
    if own_clock and own_clock.moves_to_go is not None:
        words += ["movestogo", str(own_clock.moves_to_go)]
    return " ".join(words + limit.go_words())
