"""A match: its plan, the job that plays its games, and the loop that collects them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from common.executor import Executor, run_tasks
from common.job import Host, TaskResult

from .engine import Engine, EngineGroup, EngineSpec, thread_count
from .game import Conditions, Game, play
from .games_file import GamesFile
from .openings import Opening
from .score import MatchScore
from .sprt import Sprt


@dataclass(frozen=True)
class MatchPlan:
    """All settings of a match."""

    specs: tuple[EngineSpec, EngineSpec]
    referee: EngineSpec | None
    variant: str | None
    """`None` for the engines' default."""
    openings: tuple[Opening, ...]
    origin: str
    """Description that identifies the openings. It is equal in two runs if and only if their openings are equal."""
    conditions: Conditions
    games: int
    """Maximum number of games."""
    sprt: Sprt | None = None
    """A test that ends the match when it is decided."""
    timeout: float = 10.0
    """Maximum time of every answer but a move, in seconds."""

    @property
    def names(self) -> tuple[str, str]:
        """Names of the engines."""
        return self.specs[0].name, self.specs[1].name

    @property
    def is_timed(self) -> bool:
        """Returns `True` if a limit of time makes results depend on the speed of the machine."""
        return any(spec.limit.control or spec.limit.movetime for spec in self.specs)

    def settings(self, reference: int = 0) -> list[str]:
        """Returns the header lines of the games file. A match resumes only if they are equal; its length may change.

        `reference` is the speed for which times are meant, in nodes per second; 0 for unscaled times.
        """
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
        """Returns the opening of game `number`. Games 1 and 2 share an opening, games 3 and 4 the next, and so on."""
        return self.openings[(number - 1) // 2 % len(self.openings)]


def engine_order(number: int) -> tuple[int, int]:
    """Returns the indices (0 or 1) of the engines that are first and second player in game `number`."""
    return (0, 1) if number % 2 == 1 else (1, 0)


@dataclass(frozen=True)
class GameJob:
    """The job of playing the games of a match. One task is one game."""

    plan: MatchPlan
    name: str = "game"

    @property
    def cores(self) -> int:
        """Maximum number of threads of an engine. Only one engine of a game searches at a time."""
        return thread_count(option for spec in self.plan.specs for option in spec.options)

    def programs(self) -> Sequence[tuple[str, ...]]:
        """Commands of the engines. The last one measures the speed of workers: engine 2, usually the older version."""
        referee = [self.plan.referee.command] if self.plan.referee else []
        return [*referee, *(spec.command for spec in self.plan.specs)]

    def open(self, host: Host) -> GameRunner:
        """Returns a runner with its own engine processes."""
        return GameRunner(self.plan, host)


class GameRunner(EngineGroup):
    """Plays one game after another with the same engine processes."""

    def __init__(self, plan: MatchPlan, host: Host) -> None:
        def engine(spec: EngineSpec) -> Engine:
            local_spec = dataclasses.replace(
                spec, command=host.command(spec.command), limit=spec.limit.scaled(host.time_factor)
            )
            return Engine(local_spec, plan.variant, plan.timeout)

        self._plan = plan
        self._players = [engine(spec) for spec in plan.specs]
        self._referee = engine(plan.referee) if plan.referee else None
        super().__init__(*self._players, *([self._referee] if self._referee else []))

    def run(self, number: int) -> Game:
        """Plays game `number`."""
        first, second = (self._players[index] for index in engine_order(number))
        return play((first, second), self._referee, self._plan.opening(number), self._plan.conditions)


class Match:
    """A match in progress."""

    def __init__(self, plan: MatchPlan, file: GamesFile, on_game: Callable[[TaskResult, MatchScore], None]) -> None:
        """Calls `on_game` with each finished game and the score after it."""
        self.plan = plan
        self.file = file
        self.on_game = on_game

    def score(self) -> MatchScore:
        """Returns the score of all finished games."""
        return MatchScore.of(self.file.outcomes, self.plan.names)

    def is_decided(self) -> bool:
        """Returns `True` if the sequential test has accepted a hypothesis."""
        return bool(self.plan.sprt and self.plan.sprt.accepted(self.score().pairs))

    def is_over(self) -> bool:
        """Returns `True` if the test is decided or all games are finished."""
        return self.is_decided() or all(number in self.file.outcomes for number in range(1, self.plan.games + 1))

    def run(self, executor: Executor) -> None:
        """Plays the missing games until the match is over. An interruption stops it immediately."""
        missing = (number for number in range(1, self.plan.games + 1) if number not in self.file.outcomes)
        run_tasks(missing, executor, self._take, self.file.journal)

    def _take(self, result: TaskResult) -> bool:
        first, second = engine_order(result.number)
        self.file.add(result.number, (self.plan.names[first], self.plan.names[second]), result)
        self.on_game(result, self.score())
        return not self.is_decided()
