"""Pieces that are wanted in the order of their numbers, each written down as it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .job import TaskResult
from .runner import Executor, run_tasks
from common.journal import Journal


@dataclass(frozen=True)
class Kept:
    """Where results are written down, and how."""

    journal: Journal
    kind: str
    """Of its entries."""
    show: Callable[[Any], Sequence[str]]
    """The lines of a result."""
    read: Callable[[int, Sequence[str]], Any]
    """The result of a number from its lines."""

    def held(self, numbers: Sequence[int]) -> dict[int, Any]:
        """The results that are there already."""
        wanted = set(numbers)
        had = [number for number in self.journal.numbers(self.kind) if number in wanted]
        return {number: self._parsed(number) for number in had}

    def _parsed(self, number: int) -> Any:
        return self.journal.parsed(self.kind, number, lambda lines: self.read(number, lines))


def run_in_order(
    count: int,
    start: Callable[[], Executor],
    take: Callable[[int, Any], bool],
    kept: Kept | None = None,
    piece: Callable[[int], int] = int,
) -> None:
    """Has 1 to `count` done, in whatever order, and gives the results to `take` in their order, until it says no. What
    is written down already is not done again. `piece` is asked at the last moment under which number a job knows one."""
    results = kept.held(range(1, count + 1)) if kept else {}
    had = set(results)
    numbers: dict[int, int] = {}
    place = 1

    def hand_on() -> bool:
        nonlocal place
        while place in results:
            place += 1
            if not take(place - 1, results.pop(place - 1)):
                return False
        return True

    def todo() -> Iterator[int]:
        for number in range(1, count + 1):
            if number not in had:
                numbers[piece(number)] = number
                yield piece(number)

    def arrive(done: TaskResult) -> bool:
        number = numbers.pop(done.number)
        if kept:
            kept.journal.add(kept.kind, number, kept.show(done.value))
        results[number] = done.value
        return hand_on()

    if hand_on() and len(had) < count:
        run_tasks(todo(), start(), arrive)
