"""Positions whose value solved tables know, played out: won ones to the end, drawn ones for as long as is allowed."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .clock import Limit
from .engine import Engine, EngineSpec, Verdict
from .openings import Opening
from .process import Fault

_MATE = re.compile(r"\bscore mate (-?[0-9]{1,9})\b")
_DRAW = re.compile(r"\bscore cp 0\b(?! (?:lower|upper)bound)")

LONGEST_START = 60
"""A game from which positions are taken ends after so many plies."""
TAKEN = 0.2
"""How many of its positions are asked for their value."""
PATIENCE = 60.0
"""Seconds that a move may take."""


@dataclass(frozen=True)
class Known:
    """A position whose value the side to move can keep."""

    fen: str
    """Without the moves before it: where one of them occurs a third time the game is drawn, of which tables know nothing."""
    is_first_to_move: bool
    plies: int | None
    """In how many it wins; `None` where it draws."""

    @property
    def kind(self) -> str:
        """As it is counted."""
        return "drawn" if self.plies is None else f"won by p{1 if self.is_first_to_move else 2}"


KINDS = ("won by p1", "won by p2", "drawn")


def read_value(info: str) -> int | None:
    """The plies of a win of the side to move, 0 for a draw, that an `info` line tells; `None` for anything else."""
    if match := _MATE.search(info):
        moves = int(match[1])
        return 2 * moves - 1 if moves > 0 else None
    return 0 if _DRAW.search(info) else None


@dataclass
class Tally:
    """What came of the positions of each kind."""

    played: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """What is told in the end."""
        for kind in KINDS:
            promise = "not lost" if kind == "drawn" else "won within their distance"
            yield f"{kind}: {self.kept[kind]} of {self.played[kind]} {promise}"


class Players:
    """The engine with its tables, the same without them, and who judges."""

    def __init__(
        self, command: tuple[str, ...], variant: str, tables: str, nodes: int, options: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Nothing is started yet. The options are for all of them."""

        def engine(name: str, *own: tuple[str, str], protocol: str = "uci") -> Engine:
            return Engine(EngineSpec(command, name, protocol, options=(*options, *own)), variant)

        self.perfect = engine("perfect", ("TablebasePath", tables))
        self.other = engine("other")
        self.judge = engine("judge", protocol="ugi")
        self._limit = Limit(nodes=nodes)

    def start(self) -> None:
        """Starts them; a `ValueError` if they do not take their options."""
        for engine in self._all():
            engine.start()
            if engine.complaints:
                raise ValueError(engine.complaints[0])

    def close(self) -> None:
        """Ends them."""
        for engine in self._all():
            engine.quit()

    def _all(self) -> tuple[Engine, ...]:
        return (self.perfect, self.other, self.judge)

    def look(self, position: str) -> Verdict:
        """Whether the game is over, and who has won."""
        return self.judge.judge(position)

    def fen(self, position: str) -> str:
        """The position alone, as `d` tells it."""
        self.other.set_position(position)
        self.other.send("d")
        for line in self.other.synchronize():
            if line.startswith("Fen: "):
                return line.removeprefix("Fen: ")
        raise Fault(self.other, "answers 'd' without a line 'Fen: '")

    def any_move(self, position: str, dice: random.Random) -> str:
        """A move at random."""
        self.other.set_position(position)
        if moves := self.other.legal_moves():
            return dice.choice(moves)
        raise Fault(self.other, f"names no move in '{position}'")

    def best_move(self, position: str) -> tuple[str, int | None]:
        """The move of the tables, and what the position is worth by them."""
        self.perfect.set_position(position)
        answer = self.perfect.think("go movetime 1000", None, PATIENCE)
        is_known = "tbhits 0" not in answer.info
        return answer.move, read_value(answer.info) if is_known else None

    def fallible_move(self, position: str) -> str:
        """The move of a short search without tables."""
        self.other.set_position(position)
        return self.other.think(" ".join(["go", *self._limit.words()]), None, PATIENCE).move


def find(players: Players, wanted: dict[str, int], dice: random.Random, seconds: float) -> Iterator[Known]:
    """Positions of each kind, as many as are wanted, or as random games meet before so many seconds are over."""
    end = time.monotonic() + seconds
    left = dict(wanted)
    while any(left.values()) and time.monotonic() < end:
        played: list[str] = []
        for _ in range(LONGEST_START):
            position = Opening().command(played)
            verdict = players.look(position)
            if verdict.is_over:
                break
            if dice.random() < TAKEN:
                fen = players.fen(position)
                _, plies = players.best_move(Opening(fen).command([]))
                known = Known(fen, verdict.is_first_to_move, plies or None)
                if plies is not None and left[known.kind] > 0:
                    left[known.kind] -= 1
                    yield known
            played.append(players.any_move(position, dice))


def play_out(players: Players, known: Known, is_random: bool, dice: random.Random, longest: int) -> str | None:
    """Plays a position by the tables against random moves, or against a short search; says what went wrong, if anything."""
    played: list[str] = []
    winner = "p1win" if known.is_first_to_move else "p2win"
    allowed = longest if known.plies is None else known.plies
    for ply in range(allowed + 1):
        position = Opening(known.fen).command(played)
        verdict = players.look(position)
        if verdict.is_over:
            is_kept = verdict.result == winner or (known.plies is None and verdict.result == "draw")
            return None if is_kept else f"{verdict.result} after {ply} plies"
        if ply == allowed:
            break
        if verdict.is_first_to_move == known.is_first_to_move:
            move, _ = players.best_move(position)
        else:
            move = players.any_move(position, dice) if is_random else players.fallible_move(position)
        played.append(move)
    return None if known.plies is None else f"not over after {allowed} plies"
