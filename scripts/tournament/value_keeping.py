"""Positions whose value can be lost, met in games of several players, and how many of them a player keeps."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from common.arguments import quoted
from common.exit_status import Failure
from work.job import Host

from .clock import Limit
from .engine import Engine, EngineSpec, boards_of
from .openings import Opening
from .process import Fault

_VERDICT = re.compile(r"\s*(\S+): (?:draw|.+ wins? in (\d{1,9}) pl(?:y|ies))(?:, .*)?")

OPENING = 24
"""A game begins with fewer random plies than this."""
LONGEST = 150
TAKEN = 0.15
"""How many positions are looked at."""
ERRORS = 0.1
"""How often any player plays at random."""
PLAYERS = {"random": None, "scout": "go depth 3", "auto": "go nodes 2000", "perfect": "go nodes 2000"}
"""Who may play a side of a game, with how much thought."""
TRIED = 20
"""Games after which tables that know nothing are taken to be of something else."""
BANDS = ((0.0, "less than half"), (0.5, "half"), (0.75, "three quarters"), (0.9, "nine tenths"))
"""Positions are told apart by how many of their moves lose the value, at the least."""


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
    losing: int
    """How many do not."""

    @property
    def band(self) -> str:
        """How many of the moves lose the value, at the least."""
        share = self.losing / (self.losing + len(self.keeping))
        return next(name for least, name in reversed(BANDS) if share >= least)


def read_verdicts(lines: Sequence[str]) -> tuple[str, tuple[str, ...], int] | None:
    """The value of a position, the moves that keep it and how many do not, from what `eval` says; `None` if it cannot be lost.

    Who wins in an odd number of plies is to move.
    """
    verdicts = [(match[1], int(match[2] or 0)) for line in lines if (match := _VERDICT.fullmatch(line))]
    values = [plies for name, plies in verdicts if name == "Tables"]
    if not values or (values[0] and values[0] % 2 == 0):
        return None
    moves = [(name, plies) for name, plies in verdicts if name != "Tables"]
    keeping = tuple(move for move, plies in moves if plies % 2 == values[0] % 2 and bool(plies) == bool(values[0]))
    losing = len(moves) - len(keeping)
    return ("won" if values[0] else "drawn", keeping, losing) if losing else None


def read_players(text: str) -> tuple[str, ...]:
    """The names of players, with commas between them; a `ValueError` for others."""
    names = tuple(text.split(","))
    for name in names:
        if name not in PLAYERS:
            raise ValueError(f"{quoted(name)} is none of {', '.join(PLAYERS)}")
    return names


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
    players: tuple[str, ...] = ("scout",)
    """Who plays the games, drawn anew for either side of each."""
    least_losing: float = 0.0
    """Only positions count in which at least this share of the moves loses the value."""
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
            "keep-value 2",
            f"engine {' '.join(self.command)}",
            f"tables {self.tables}",
            f"variant {self.variant}",
            f"options {options or 'none'}",
            f"limit {self.limit}",
            f"seed {self.seed}",
            f"players {' '.join(self.players)}",
            f"losing {self.least_losing:g}",
            *scale,
        ]

    def open(self, host: Host) -> Study:
        """With engines of its own."""
        return Study(self, host)


class Study:
    """A judge who has the tables, players who meet positions, and the player who is asked."""

    def __init__(self, job: Keeping, host: Host) -> None:
        """Nothing is started yet."""

        def engine(name: str, options: tuple[tuple[str, str], ...]) -> Engine:
            return Engine(EngineSpec(host.command(job.command), name, options=options), job.variant)

        boards = boards_of(job.options)

        self._job = job
        self._limit = job.limit.scaled(host.time_factor)
        self._judge = engine("judge", (*boards, ("TablebasePath", job.tables), ("Hash", "1")))
        self._scout = engine("scout", (*boards, ("Algorithm", "scout"), ("Hash", "1")))
        self._auto = engine("auto", (*boards, ("Hash", "1")))
        self._player = engine("player", job.options)

    def start(self) -> None:
        """Starts the engines; a `ValueError` if that cannot be, or if they do not take their options."""
        for engine in self._all():
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
            tasks = self._game(dice, known)
            found = [task for task in tasks if task.value in wanted and self._is_hard(task)]
            return Asked(known.total(), known[True], tuple((task, self._answer(task)) for task in found))
        except Fault as fault:
            raise Failure(f"{' '.join(self._job.command)} {fault.reason}") from None

    def interrupt(self) -> None:
        """Kills the engines."""
        for engine in self._all():
            engine.interrupt()

    def close(self) -> None:
        """Ends the engines."""
        for engine in self._all():
            engine.quit()

    def _all(self) -> tuple[Engine, ...]:
        return (self._judge, self._scout, self._auto, self._player)

    def _answer(self, task: Task) -> str:
        self._player.new_game()
        self._player.set_position(task.position)
        return self._player.think(" ".join(["go", *self._limit.words()]), None, 60.0).move

    def _is_hard(self, task: Task) -> bool:
        return task.losing >= self._job.least_losing * (task.losing + len(task.keeping))

    def _game(self, dice: random.Random, known: Counter[bool]) -> Iterator[Task]:
        """The positions that arise in one game, in which the sides take turns; counts how many of them the judge knows."""
        for engine in (self._judge, self._scout, self._auto):
            engine.new_game()
        sides = [dice.choice(self._job.players) for _ in range(2)]
        opening = dice.randrange(OPENING)
        played: list[str] = []
        while len(played) < LONGEST:
            position, first_to_move = Opening().command(played), len(played) % 2 == 0
            # A game that repetition has ended still has moves, as perft counts them.
            if self._scout.judge(position).is_over:
                return
            if len(played) >= opening and dice.random() < TAKEN:
                self._judge.send(f"{position}\neval")
                said = self._judge.synchronize()
                known[any(line.startswith("Tables: ") and "not known" not in line for line in said)] += 1
                if found := read_verdicts(said):
                    value, keeping, losing = found
                    yield Task(position, value, "p1" if first_to_move else "p2", keeping, losing)
            errs = len(played) < opening or dice.random() < ERRORS
            moves = self._moves("random" if errs else sides[len(played) % 2], position)
            if not moves:
                raise Failure(f"{' '.join(self._job.command)} names no move in '{position}'")
            played.append(dice.choice(moves))

    def _moves(self, player: str, position: str) -> list[str]:
        """The moves among which a player chooses by chance."""
        engine = {"scout": self._scout, "random": self._scout, "auto": self._auto, "perfect": self._judge}[player]
        engine.send(position)
        thought = PLAYERS[player]
        if thought is None:
            return engine.legal_moves()
        engine.send(thought)
        answer = engine.wait_for(lambda line: line.startswith("bestmove"), "move")[-1]
        return answer.split()[1:2]


@dataclass
class Kept:
    """How many positions of each value and side there were, and in how many the value was kept."""

    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    kept: Counter[tuple[str, str]] = field(default_factory=Counter)
    asked_by_band: Counter[str] = field(default_factory=Counter)
    kept_by_band: Counter[str] = field(default_factory=Counter)

    def add(self, task: Task, move: str) -> None:
        """Counts an answer."""
        self.asked[task.value, task.mover] += 1
        self.kept[task.value, task.mover] += move in task.keeping
        self.asked_by_band[task.band] += 1
        self.kept_by_band[task.band] += move in task.keeping

    @property
    def count(self) -> int:
        """All positions."""
        return self.asked.total()

    def __str__(self) -> str:
        parts = [f"{value} {mover} {self.kept[value, mover]}/{n}" for (value, mover), n in sorted(self.asked.items())]
        rate = self.kept.total() / max(1, self.count)
        error = 1.96 * (rate * (1 - rate) / max(1, self.count)) ** 0.5
        return f"{', '.join(parts)}; kept {self.kept.total()}/{self.count} = {100 * rate:.1f}% ± {100 * error:.1f}"


    def bands(self) -> str:
        """The same, told apart by how many of the moves lose the value, at the least."""
        asked, kept = self.asked_by_band, self.kept_by_band
        parts = [f"{name} of the moves {kept[name]}/{asked[name]}" for _, name in BANDS if asked[name]]
        return f"where the value is lost by {', '.join(parts)}"


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
        f"answer {move} {task.value} {task.mover} {','.join(task.keeping)} {task.losing} {task.position}"
        for task, move in asked.answers
    ]
    return [f"shown {asked.shown}", f"known {asked.known}", *answers]


def read(lines: Sequence[str]) -> Asked:
    """The other way."""
    answers = []
    for line in lines[2:]:
        _, move, value, mover, keeping, losing, position = line.split(" ", 6)
        answers.append((Task(position, VALUES[VALUES.index(value)], mover, tuple(keeping.split(",")), int(losing)), move))
    return Asked(int(lines[0].split()[1]), int(lines[1].split()[1]), tuple(answers))
