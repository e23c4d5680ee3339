"""Hands numbered pieces of work out and takes what comes back: the same for threads and for a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from .job import TaskResult


class Executor(Protocol):
    """Does pieces of one job, in any order."""

    @property
    def window(self) -> int:
        """How many pieces it wants to have; it may change."""

    def submit(self, number: int) -> None:
        """Takes a piece."""

    def next(self) -> TaskResult | None:
        """Waits for a piece that is done. `None` says that the window may have changed."""

    def stop(self) -> None:
        """Gives up what is not done, at once."""


def run_tasks(numbers: Iterable[int], executor: Executor, take: Callable[[TaskResult], bool]) -> None:
    """Has all pieces done. `take` is given each of them once, and says whether to go on; the rest is given up then, as
    it is when anything is raised."""
    todo = iter(numbers)
    waiting: set[int] = set()
    exhausted = False
    try:
        while True:
            while not exhausted and len(waiting) < executor.window:
                number = next(todo, None)
                if number is None:
                    exhausted = True
                else:
                    waiting.add(number)
                    executor.submit(number)
            if exhausted and not waiting:
                return
            done = executor.next()
            # A piece that was done twice, because its worker was believed dead, comes twice at most, and counts once.
            if done and done.number in waiting:
                waiting.remove(done.number)
                if not take(done):
                    return
    finally:
        executor.stop()
