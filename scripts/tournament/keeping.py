"""Positions whose value can be lost, found in games of a weak player, and how many of them a player keeps."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from work.job import Place
from work.quiet import Failure

from .clock import Limit
from .engine import Engine, EngineSpec
from .openings import Opening
from .process import Fault

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


VALUES = ("won", "drawn")


@dataclass(frozen=True)
class Asked:
    """What came of one game: how many positions the judge knew of those it was shown, and the tasks and their answers."""

    shown: int
    known: int
    answers: tuple[tuple[Task, str], ...]


@dataclass(frozen=True)
class Keeping:
    """The job of finding positions whose value can be lost, and asking a player for its move in them.

    A piece is a game, and says of which values positions are still wanted: it is four times the number of the game, and
    one for each of them.
    """

    command: tuple[str, ...]
    tables: str
    variant: str
    options: tuple[tuple[str, str], ...]
    limit: Limit
    seed: int
    name: str = "game"
    cores: int = 1

    def programs(self) -> Sequence[tuple[str, ...]]:
        """The engine, which judges too."""
        return [self.command]

    def settings(self, reference: int) -> list[str]:
        """What has to be the same for a record to be taken up again."""
        options = " ".join(f"{name}={value}" for name, value in self.options)
        scale = [f"reference {reference}"] if reference else []
        return [
            "keep-value 1",
            f"engine {' '.join(self.command)}",
            f"tables {self.tables}",
            f"variant {self.variant}",
            f"options {options or 'none'}",
            f"limit {self.limit}",
            f"seed {self.seed}",
            *scale,
        ]

    def open(self, place: Place) -> Study:
        """With engines of its own."""
        return Study(self, place)


class Study:
    """A judge who has the tables, a weak player who finds positions, and the player who is asked."""

    def __init__(self, job: Keeping, place: Place) -> None:
        """Nothing is started yet."""

        def engine(name: str, options: tuple[tuple[str, str], ...]) -> Engine:
            return Engine(EngineSpec(place.command(job.command), name, options=options), job.variant)

        self._job = job
        self._limit = job.limit.scaled(place.factor)
        self._judge = engine("judge", (("TablebasePath", job.tables), ("Hash", "1")))
        self._walker = engine("walker", (("Algorithm", "scout"), ("Hash", "1")))
        self._player = engine("player", job.options)

    def start(self) -> None:
        """Starts the engines; a `ValueError` if that cannot be, or if they do not take their options."""
        for engine in (self._judge, self._walker, self._player):
            try:
                engine.start()
            except Fault as fault:
                raise ValueError(f"{' '.join(self._job.command)} {fault.reason}") from None
            if engine.complaints:
                raise ValueError(f"{' '.join(self._job.command)}: {engine.complaints[0]}")

    def run(self, number: int) -> Asked:
        """Looks for positions of the values wanted in a game, and asks for moves in them."""
        self.start()
        wanted = [value for bit, value in enumerate(VALUES) if number >> bit & 1]
        known: Counter[bool] = Counter()
        try:
            dice = random.Random(f"{self._job.seed} {number >> 2}")
            found = [task for task in _game(self._judge, self._walker, dice, known) if task.value in wanted]
            return Asked(known.total(), known[True], tuple((task, self._answer(task)) for task in found))
        except Fault as fault:
            raise Failure(f"{' '.join(self._job.command)} {fault.reason}") from None

    def interrupt(self) -> None:
        """Kills the engines."""
        for engine in (self._judge, self._walker, self._player):
            engine.interrupt()

    def close(self) -> None:
        """Ends the engines."""
        for engine in (self._judge, self._walker, self._player):
            engine.quit()

    def _answer(self, task: Task) -> str:
        self._player.new_game()
        self._player.set_position(task.position)
        return self._player.think(" ".join(["go", *self._limit.words()]), None, 60.0).move


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


class Count:
    """Takes what came of games, in their order, until there are as many positions of each value as are wanted."""

    def __init__(self, positions: int) -> None:
        self.kept = Kept()
        self.wanted = {"won": positions - positions // 2, "drawn": positions // 2}
        self._games = self._shown = self._known = 0

    def piece(self, game: int) -> int:
        """A game's number as `Keeping` wants it, which says what is still wanted now."""
        return 4 * game + sum(1 << bit for bit, value in enumerate(VALUES) if self.wanted[value])

    def take(self, asked: Asked) -> bool:
        """Counts; whether more is wanted. A `ValueError` if the tables know nothing."""
        self._games += 1
        self._shown += asked.shown
        self._known += asked.known
        if self._games == TRIED and not self._known:
            raise ValueError(f"the judge's tables know none of {self._shown} positions: are they of this game?")
        for task, move in asked.answers:
            if self.wanted[task.value]:
                self.wanted[task.value] -= 1
                self.kept.add(task, move)
        return any(self.wanted.values())


def show(asked: Asked) -> list[str]:
    """The lines of a record."""
    answers = [
        f"answer {move} {task.value} {task.mover} {','.join(task.keeping)} {task.position}" for task, move in asked.answers
    ]
    return [f"shown {asked.shown}", f"known {asked.known}", *answers]


def read(lines: Sequence[str]) -> Asked:
    """The other way."""
    answers = []
    for line in lines[2:]:
        _, move, value, mover, keeping, position = line.split(" ", 5)
        answers.append((Task(position, value, mover, tuple(keeping.split(","))), move))
    return Asked(int(lines[0].split()[1]), int(lines[1].split()[1]), tuple(answers))
