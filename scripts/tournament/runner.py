"""Plays the games of a match, several at once, and keeps the record."""

from __future__ import annotations

import gc
import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from .engine import Engine, EngineSpec
from .game import Conditions, Game, play
from .openings import Opening
from .record import Record
from .sprt import Sprt
from .tally import Tally

# The interpreter may keep a thread from its clock for this long, in seconds (5 ms unless told).
SWITCH_INTERVAL = 0.0002


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

    def settings(self) -> list[str]:
        """What has to be the same for a match to be taken up again; how long it is may change."""
        return [
            f"variant {self.variant or 'default'}",
            f"engine1 {self.specs[0]}",
            f"engine2 {self.specs[1]}",
            f"referee {self.referee or 'none'}",
            f"conditions {self.conditions}",
            f"openings {self.origin}",
        ]

    def opening(self, number: int) -> Opening:
        """Games 1 and 2 share an opening, then 3 and 4, and so on around."""
        return self.openings[(number - 1) // 2 % len(self.openings)]


class Match:
    """A match that runs."""

    def __init__(self, plan: Plan, record: Record, progress: Callable[[int, Game, Tally], None]) -> None:
        self.plan = plan
        self.record = record
        self.progress = progress
        self._todo = iter([number for number in range(1, plan.games + 1) if number not in record.outcomes])
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._finished: queue.SimpleQueue[tuple[int, Game] | BaseException | None] = queue.SimpleQueue()
        self._engines: list[Engine] = []

    def tally(self) -> Tally:
        """The score so far."""
        return Tally.of(self.record.outcomes, self.plan.names)

    def is_decided(self) -> bool:
        """Whether the sequential test has ended."""
        return bool(self.plan.sprt and self.plan.sprt.verdict(self.tally().pairs))

    def run(self) -> None:
        """Plays until all games are played or the test has ended. An interruption ends it at once."""
        if self.is_decided():
            return
        sys.setswitchinterval(SWITCH_INTERVAL)
        # The search for cyclic garbage, of which there is next to none, halts every thread while the clocks run on.
        gc.disable()
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self.plan.concurrency)]
        try:
            for thread in threads:
                thread.start()
            working = len(threads)
            while working:
                event = self._finished.get()
                if event is None:
                    working -= 1
                elif isinstance(event, BaseException):
                    raise event
                else:
                    number, game = event
                    first, second = self._seats(number)
                    self.record.add(number, (self.plan.names[first], self.plan.names[second]), game)
                    self.progress(number, game, self.tally())
                    if self.is_decided():
                        break
        finally:
            self._stopping.set()
            for engine in self._engines:
                engine.interrupt()
            for thread in threads:
                thread.join(timeout=5.0)

    @staticmethod
    def _seats(number: int) -> tuple[int, int]:
        return (0, 1) if number % 2 == 1 else (1, 0)

    def _work(self) -> None:
        """One game after the other, with engines of its own."""
        plan = self.plan
        engines = [Engine(spec, plan.variant, plan.patience) for spec in plan.specs]
        referee = Engine(plan.referee, plan.variant, plan.patience) if plan.referee else None
        own = [*engines, *([referee] if referee else [])]
        with self._lock:
            self._engines += own
        try:
            while not self._stopping.is_set():
                with self._lock:
                    number = next(self._todo, None)
                if number is None:
                    break
                first, second = self._seats(number)
                game = play((engines[first], engines[second]), referee, plan.opening(number), plan.conditions)
                if not self._stopping.is_set():
                    self._finished.put((number, game))
        except BaseException as error:  # noqa: BLE001 - whatever it is, the match has to hear of it
            self._finished.put(error)
        finally:
            for engine in own:
                engine.quit()
            self._finished.put(None)
