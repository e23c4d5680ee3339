"""What searches are given and what they return: limits, options, infos and moves."""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Union

from .board import Move
from .scores import Cp, Mate, MateGiven, PovScore, Score
from .state import State
from .text import check_line

OptionValue = Union[bool, int, str, "os.PathLike[str]", None]
"""A value of an engine option. `None` stands for the default."""

EMPTY = "<empty>"
"""The protocol's word for an empty text."""


@dataclass(frozen=True)
class Limit:
    """When a search stops: at the first of these limits.

    >>> Limit(depth=4, time=0.5).command()
    'go depth 4 movetime 500'
    """

    time: float | None = None
    """Time for the move, in seconds."""
    depth: int | None = None
    """Maximum depth, in plies."""
    nodes: int | None = None
    """Maximum number of visited positions."""
    mate: int | None = None
    """Searches for a forced win within this number of moves."""
    white_clock: float | None = None
    """Time left on the clock of the first player, in seconds."""
    black_clock: float | None = None
    """Time left on the clock of the second player, in seconds."""
    white_inc: float | None = None
    """Time that the first player gains with each move, in seconds."""
    black_inc: float | None = None
    """Time that the second player gains with each move, in seconds."""
    remaining_moves: int | None = None
    """Moves until the clocks are refilled."""

    def command(self, searchmoves: Iterable[str] = ()) -> str:
        """Returns the protocol line that starts a search.

        Raises:
            ValueError: a limit is not a finite number, or a move is not one word.
        """
        words = ["go"]
        if moves := [Move(move) for move in searchmoves]:
            words += ["searchmoves", *moves]
        for name, word, factor in _LIMIT_WORDS:
            value = getattr(self, name)
            if value is not None:
                if not math.isfinite(value):
                    raise ValueError(f"Limit.{name}: expected a finite number, found {value}")
                words += [word, str(round(value * factor))]
        return " ".join(words)

    def seconds(self) -> float:
        """Returns the maximum time of the search, in seconds: `time`, or else the longer clock, or else 0."""
        clock = max(self.white_clock or 0.0, self.black_clock or 0.0)
        return max(0.0, clock if self.time is None else self.time)


_LIMIT_WORDS = (
    ("depth", "depth", 1),
    ("nodes", "nodes", 1),
    ("mate", "mate", 1),
    ("time", "movetime", 1000),
    ("white_clock", "wtime", 1000),
    ("black_clock", "btime", 1000),
    ("white_inc", "winc", 1000),
    ("black_inc", "binc", 1000),
    ("remaining_moves", "movestogo", 1),
)
"""Fields of `Limit`, their words in `go`, and the number of the protocol's units in one of `Limit`'s."""


@dataclass(frozen=True)
class Option:
    """An option of the engine."""

    name: str
    """Its name."""
    type: str
    """`check`, `spin`, `combo`, `string` or `button`."""
    default: bool | int | str | None
    """The default value; `None` for buttons."""
    min: int | None = None
    """Minimum of a `spin`."""
    max: int | None = None
    """Maximum of a `spin`."""
    var: tuple[str, ...] = ()
    """Values of a `combo`."""

    @classmethod
    def parse(cls, line: str) -> Option:
        """Reads an `option` line of the engine.

        Raises:
            ValueError: the line is not an `option` line.

        >>> Option.parse("option name Hash type spin default 64 min 1 max 1024")
        Option(name='Hash', type='spin', default=64, min=1, max=1024, var=())
        """
        found = re.fullmatch(r"option name (.+?) type (\S+)(?: (.*))?", line)
        if not found:
            raise ValueError(f"expected an option, found {line!r}")
        name, kind, rest = found[1], found[2], found[3] or ""
        if kind == "string":
            return cls(name, kind, rest.removeprefix("default").strip().replace(EMPTY, ""))
        if kind == "combo":
            default, *var = re.split(r"(?:^| )var ", rest)
            return cls(name, kind, default.removeprefix("default "), var=tuple(var))
        fields = dict(zip(rest.split()[::2], rest.split()[1::2]))
        if kind == "check":
            return cls(name, kind, fields.get("default") == "true")
        numbers = {key: int(value) for key, value in fields.items() if key in ("default", "min", "max")}
        return cls(name, kind, numbers.get("default"), numbers.get("min"), numbers.get("max"))

    def text(self, value: OptionValue) -> str:
        """Returns a value in the protocol's form. Only the engine knows all its rules, so it checks the rest.

        Raises:
            ValueError: the option is a `check` and `value` is neither `True` nor `False`, or a text contains a control
                character.
        """
        if value is None:
            value = self.default
        if self.type == "check":
            if value in (True, False):
                return str(bool(value)).lower()
            if value not in ("true", "false"):
                raise ValueError(f"option {self.name}: expected True or False, found {value!r}")
        return option_text(value)


def option_text(value: OptionValue) -> str:
    """Returns a value of an option in the protocol's form.

    Raises:
        ValueError: the text contains a control character.
    """
    return check_line(os.fspath(value) if isinstance(value, os.PathLike) else str(value)) or EMPTY


class Options(Mapping[str, Option]):
    """The options of an engine by name. Names are found in any case, and with `_` for a space.

    >>> Options([Option("Clear Hash", "button", None)])["clear_hash"].name
    'Clear Hash'
    """

    def __init__(self, options: Iterable[Option] = ()) -> None:
        self._by_name = {option.name: option for option in options}
        self._by_key = {option.name.lower(): option for option in self._by_name.values()}

    def __getitem__(self, name: str) -> Option:
        key = name.lower()
        return self._by_key[key] if key in self._by_key else self._by_key[key.replace("_", " ")]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name.lower() in self._by_key or name.lower().replace("_", " ") in self._by_key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"Options({list(self._by_name.values())!r})"


@dataclass(frozen=True)
class Info:
    """What the engine prints about a search: a line `info`, or the summary of a search.

    A field that the engine did not print is `None`, `False` or `()`. Fields can also be read by name: `info["nodes"]` raises
    `KeyError` if the field is missing, `info.get("nodes")` returns `None`, and `"nodes" in info` tests it.

    >>> info = Info(depth=2, nodes=26)
    >>> info.depth, info["nodes"], "pv" in info
    (2, 26, False)
    """

    depth: int | None = None
    """Depth of the iteration, in plies."""
    seldepth: int | None = None
    """Deepest visited ply."""
    multipv: int | None = None
    """Rank of the variation, from 1, if several are searched."""
    score: PovScore | None = None
    """Value of the position."""
    lowerbound: bool = False
    """`True` if the score is only a lower bound."""
    upperbound: bool = False
    """`True` if the score is only an upper bound."""
    nodes: int | None = None
    """Visited positions."""
    nps: int | None = None
    """Visited positions per second."""
    hashfull: int | None = None
    """Used part of the transposition table, in thousandths."""
    tbhits: int | None = None
    """Positions whose exact value was looked up."""
    time: float | None = None
    """Time since the start of the search, in seconds."""
    pv: tuple[Move, ...] = ()
    """Principal variation: the best line that was found."""
    leaves: int | None = None
    """Textbook searches: leaves of the last iteration."""
    examined: int | None = None
    """Puzzles: expanded nodes."""
    stored: int | None = None
    """Puzzles: largest number of bytes that nodes took."""
    bound: int | None = None
    """Puzzles: no solution has fewer moves."""
    expected: float | None = None
    """2048: expected points."""
    string: str | None = None
    """A remark of the engine."""

    @classmethod
    def parse(cls, line: str, *, turn: bool = True, is_won: bool = False) -> Info:
        """Reads a line `info`. Unknown words, and values that are not numbers, are skipped.

        Args:
            line: the line.
            turn: `True` if scores are from the view of the first player.
            is_won: `True` if the game is over and the side to move has won.

        >>> Info.parse("info depth 3 score mate -2 nodes 26 time 1500 pv a1 b1", turn=False).score.white()
        Mate(+2)
        """
        head, is_string, string = line.partition(" string ")
        fields: dict[str, int | float | str | bool | PovScore | tuple[Move, ...]] = {}
        words = iter(head.split()[1:])
        for word in words:
            if word == "pv":
                fields["pv"] = tuple(Move(move) for move in words)
            elif word == "score":
                if score := _score(next(words, ""), next(words, "")):
                    fields["score"] = PovScore(MateGiven if is_won and score == Mate(0) else score, turn)
            elif word in ("lowerbound", "upperbound"):
                fields[word] = True
            elif word in _NUMBERS and (number := _integer(next(words, ""))) is not None:
                fields[word] = number / 1000 if word == "time" else number
        if is_string:
            fields["string"] = string
            name, _, value = string.partition(" ")
            if name in ("leaves", "examined", "stored", "bound") and (number := _integer(value)) is not None:
                fields[name] = number
            elif name == "expected" and (points := _float(value)) is not None:
                fields[name] = points
        return cls(**fields)  # type: ignore[arg-type]

    def with_totals(self, totals: Info) -> Info:
        """Returns this info with the totals that the engine prints once, at the end of a search."""
        return dataclasses.replace(self, **{name: getattr(totals, name) for name in TOTALS if name in totals})

    def __getitem__(self, name: str) -> object:
        if name not in self:
            raise KeyError(name)
        value: object = getattr(self, name)
        return value

    def __contains__(self, name: object) -> bool:
        if name not in _INFO_FIELDS:
            return False
        value: object = getattr(self, str(name))
        return value is not None and value is not False and value != ()

    def get(self, name: str, default: object = None) -> object:
        """Returns the field `name`, or `default` if it is missing."""
        return self[name] if name in self else default


TOTALS = ("leaves", "examined", "stored", "bound", "expected")
"""Fields of `Info` that the engine prints as `info string`, once for a search."""

_INFO_FIELDS = frozenset(field.name for field in dataclasses.fields(Info))
_NUMBERS = frozenset({"depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"})


@dataclass(frozen=True)
class BestMove:
    """The end of a search."""

    move: Move | None
    """The best move; `None` if there is no legal move."""
    ponder: Move | None = None
    """The expected reply, with option `Ponder`."""

    @classmethod
    def parse(cls, line: str) -> BestMove:
        """Reads a line `bestmove`.

        Raises:
            ValueError: the line contains no move.

        >>> BestMove.parse("bestmove a1 ponder b2"), BestMove.parse("bestmove (none)").move
        (BestMove(move='a1', ponder='b2'), None)
        """
        words = line.split()
        if len(words) < 2:
            raise ValueError(f"expected a move, found {line!r}")
        ponder = words[3] if len(words) > 3 and words[2] == "ponder" else None
        return cls(None if words[1] == "(none)" else Move(words[1]), None if ponder is None else Move(ponder))


@dataclass(frozen=True)
class PlayResult:
    """The move that the engine plays."""

    move: Move | None
    """The move; `None` if there is no legal move."""
    ponder: Move | None
    """The expected reply, with option `Ponder`."""
    info: Info
    """The last info of the search."""


def score_view(state: State) -> tuple[bool, bool]:
    """Returns `turn` and `is_won` of `Info.parse` for searches of a position."""
    return state.turn != "p2", state.outcome == f"{state.turn}win"


def _score(kind: str, text: str) -> Score | None:
    value = _integer(text)
    if value is None:
        return None
    return {"cp": Cp, "mate": Mate}[kind](value) if kind in ("cp", "mate") else None


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch("-?[0-9]{1,20}", text) else None


def _float(text: str) -> float | None:
    return float(text) if re.fullmatch("-?[0-9]{1,30}(?:[.][0-9]{1,30})?", text) else None
