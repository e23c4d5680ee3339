"""Positions whose value can be lost, found in games of a weak player, and how many of them a player keeps."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .engine import Engine
from .openings import Opening

_VERDICT = re.compile(r"\s*(\S+): (?:draw|(goats|tigers) win in \d+ pl(?:y|ies))(?:, .*)?")

OPENING = 24
"""A game begins with fewer random plies than this."""
LONGEST = 150
TAKEN = 0.15
"""How many positions are looked at."""
ERRORS = 0.1
"""How often a weak player plays at random."""
TRIED = 20
"""Games after which tables that know nothing are taken to be of something else."""
WALK = "go depth 3"


@dataclass(frozen=True)
class Task:
    """A position with moves that keep its value and others that do not."""

    position: str
    """The command that sets it."""
    value: str
    """`won` or `drawn`."""
    mover: str
    """`p1` or `p2`."""
    keeping: tuple[str, ...]
    """The moves that keep the value."""


def read_verdicts(lines: Sequence[str], first_to_move: bool) -> tuple[str, tuple[str, ...]] | None:
    """The value of a position and the moves that keep it, from what `eval` says; `None` if it cannot be lost."""
    mover = "goats" if first_to_move else "tigers"
    verdicts = [(match[1], match[2]) for line in lines if (match := _VERDICT.fullmatch(line))]
    values = [winner for name, winner in verdicts if name == "Tables"]
    if not values or values[0] not in (None, mover):
        return None
    moves = [(name, winner) for name, winner in verdicts if name != "Tables"]
    keeping = tuple(move for move, winner in moves if winner == values[0])
    return ("won" if values[0] else "drawn", keeping) if len(keeping) < len(moves) else None


def tasks(judge: Engine, walker: Engine, count: int, seed: int) -> Iterator[Task]:
    """So many positions, half of them won, half drawn. The judge has the tables, the walker plays."""
    wanted = {"won": count - count // 2, "drawn": count // 2}
    known: Counter[bool] = Counter()
    for number in range(100 * count):
        if number == TRIED and not known[True]:
            raise ValueError(f"the judge's tables know none of {known.total()} positions: are they of this game?")
        for task in _game(judge, walker, random.Random(f"{seed} {number}"), known):
            if wanted[task.value]:
                wanted[task.value] -= 1
                yield task
        if not any(wanted.values()):
            return


def _game(judge: Engine, walker: Engine, dice: random.Random, known: Counter[bool]) -> Iterator[Task]:
    """Those that arise in one game, in which the sides take turns; counts how many positions the judge knows."""
    for engine in (judge, walker):
        engine.new_game()
    opening = dice.randrange(OPENING)
    played: list[str] = []
    while len(played) < LONGEST:
        position, first_to_move = Opening().command(played), len(played) % 2 == 0
        if len(played) >= opening and dice.random() < TAKEN:
            judge.send(f"{position}\neval")
            said = judge.synchronize()
            known[any(line.startswith("Tables: ") and "not known" not in line for line in said)] += 1
            if found := read_verdicts(said, first_to_move):
                yield Task(position, found[0], "p1" if first_to_move else "p2", found[1])
        walker.send(position)
        errs = len(played) < opening or dice.random() < ERRORS
        moves = walker.legal_moves() if errs else _walk(walker)
        if not moves:
            return
        played.append(dice.choice(moves))


def _walk(walker: Engine) -> list[str]:
    """The weak player's move; none when the game is over."""
    walker.send(WALK)
    answer = walker.wait_for(lambda line: line.startswith("bestmove"), "move")[-1]
    return [move for move in answer.split()[1:2] if move != "(none)"]


@dataclass
class Kept:
    """How many positions of each value and side there were, and in how many the value was kept."""

    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    kept: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, task: Task, move: str) -> None:
        """Counts an answer."""
        self.asked[task.value, task.mover] += 1
        self.kept[task.value, task.mover] += move in task.keeping

    @property
    def count(self) -> int:
        """All positions."""
        return self.asked.total()

    def __str__(self) -> str:
        parts = [f"{value} {mover} {self.kept[value, mover]}/{n}" for (value, mover), n in sorted(self.asked.items())]
        rate = self.kept.total() / max(1, self.count)
        error = 1.96 * (rate * (1 - rate) / max(1, self.count)) ** 0.5
        return f"{', '.join(parts)}; kept {self.kept.total()}/{self.count} = {100 * rate:.1f}% ± {100 * error:.1f}"
