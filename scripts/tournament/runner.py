"""A match: its plan, the job of playing its games, and the course of it, whoever plays them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from work.job import Host, TaskResult
from work.runner import Executor, run_tasks

from .engine import Engine, EngineSpec, threads_of
from .game import Conditions, Game, play
from .openings import Opening
from .record import Record
from .sprt import Sprt
from .tally import Tally


@dataclass(frozen=True)
class Plan:
    """Everything that defines a match."""

    specs: tuple[EngineSpec, EngineSpec]
    referee: EngineSpec | None
    variant: str | None
    openings: tuple[Opening, ...]
    origin: str
    """What the openings are, in words that another run with the same ones would use."""
    conditions: Conditions
    games: int
    concurrency: int = 1
    sprt: Sprt | None = None
    patience: float = 10.0

    @property
    def names(self) -> tuple[str, str]:
        """Of the engines."""
        return self.specs[0].name, self.specs[1].name

    @property
    def is_timed(self) -> bool:
        """Whether it matters how fast a machine is."""
        return any(spec.limit.control or spec.limit.movetime for spec in self.specs)

    def settings(self, reference: int = 0) -> list[str]:
        """What has to be the same for a match to be taken up again; how long it is may change."""
        scale = [f"reference {reference}"] if reference else []
        return [
            f"variant {self.variant or 'default'}",
            f"engine1 {self.specs[0]}",
            f"engine2 {self.specs[1]}",
            f"referee {self.referee or 'none'}",
            f"conditions {self.conditions}",
            f"openings {self.origin}",
            *scale,
        ]

    def opening(self, number: int) -> Opening:
        """Games 1 and 2 share an opening, then 3 and 4, and so on around."""
        return self.openings[(number - 1) // 2 % len(self.openings)]


def seats(number: int) -> tuple[int, int]:
    """Which of the two engines is the first player, and which the second."""
    return (0, 1) if number % 2 == 1 else (1, 0)


@dataclass(frozen=True)
class Games:
    """The job of playing the games of a match."""

    plan: Plan
    name: str = "game"

    @property
    def cores(self) -> int:
        """As many as threads of the engine that has more: only one of them thinks at a time."""
        return threads_of(option for spec in self.plan.specs for option in spec.options)

    def programs(self) -> Sequence[tuple[str, ...]]:
        """The second engine, against which the first is tried, is the measure of speed."""
        referee = [self.plan.referee.command] if self.plan.referee else []
        return [*referee, *(spec.command for spec in self.plan.specs)]

    def open(self, host: Host) -> Table:
        """With engines of its own."""
        return Table(self.plan, host)


class Table:
    """Where games are played, one after the other, by the same processes."""

    def __init__(self, plan: Plan, host: Host) -> None:
        def engine(spec: EngineSpec) -> Engine:
            here = dataclasses.replace(
                spec, command=host.command(spec.command), limit=spec.limit.scaled(host.time_factor)
            )
            return Engine(here, plan.variant, plan.patience)

        self._plan = plan
        self._engines = [engine(spec) for spec in plan.specs]
        self._referee = engine(plan.referee) if plan.referee else None

    def run(self, number: int) -> Game:
        """Plays a game."""
        first, second = (self._engines[seat] for seat in seats(number))
        return play((first, second), self._referee, self._plan.opening(number), self._plan.conditions)

    def interrupt(self) -> None:
        """Kills the engines."""
        for engine in self._all():
            engine.interrupt()

    def close(self) -> None:
        """Ends the engines."""
        for engine in self._all():
            engine.quit()

    def _all(self) -> list[Engine]:
        return [*self._engines, *([self._referee] if self._referee else [])]


class Match:
    """A match that runs."""

    def __init__(self, plan: Plan, record: Record, progress: Callable[[TaskResult, Tally], None]) -> None:
        self.plan = plan
        self.record = record
        self.progress = progress

    def tally(self) -> Tally:
        """The score so far."""
        return Tally.of(self.record.outcomes, self.plan.names)

    def is_decided(self) -> bool:
        """Whether the sequential test has ended."""
        return bool(self.plan.sprt and self.plan.sprt.verdict(self.tally().pairs))

    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.is_decided() or all(number in self.record.outcomes for number in range(1, self.plan.games + 1))

    def run(self, executor: Executor) -> None:
        """Plays until all games are played or the test has ended. An interruption ends it at once."""
        todo = (number for number in range(1, self.plan.games + 1) if number not in self.record.outcomes)
        run_tasks(todo, executor, self._take)

    def _take(self, result: TaskResult) -> bool:
        first, second = seats(result.number)
        self.record.add(result.number, (self.plan.names[first], self.plan.names[second]), result)
        self.progress(result, self.tally())
        return not self.is_decided()
