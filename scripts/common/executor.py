"""Runs the tasks of a job and collects their results, on threads of this process or on a cluster."""

from __future__ import annotations

import gc
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Protocol

from .job import Host, Job, TaskResult, TaskRunner
from .journal import Journal

SWITCH_INTERVAL_SECONDS = 0.0002
"""Maximum time that a thread waits until another thread releases the interpreter. Python's default is 5 ms."""


class Executor(Protocol):
    """Runs submitted tasks of one job in any order."""

    reference: int
    """Nodes per second of the machine for which time limits are meant; 0 if they are not adapted to other machines."""

    @property
    def window(self) -> int:
        """The number of unfinished tasks that should be submitted, so that no worker is idle. It changes with the workers."""

    def start(self, journal: Journal | None) -> None:
        """Starts the workers. Events of workers are added to the journal."""

    def submit(self, number: int) -> None:
        """Schedules a task."""

    def next(self) -> TaskResult | None:
        """Waits for a finished task. Returns `None` from time to time, because the window may have changed."""

    def stop(self) -> None:
        """Cancels all unfinished tasks."""


def run_tasks(
    numbers: Iterable[int], executor: Executor, take: Callable[[TaskResult], bool], journal: Journal | None = None
) -> None:
    """Runs all tasks and calls `take` once per result.

    Cancels the remaining tasks if `take` returns `False` or an exception is raised.
    """
    remaining = iter(numbers)
    submitted: set[int] = set()
    is_exhausted = False
    executor.start(journal)
    try:
        while True:
            while not is_exhausted and len(submitted) < executor.window:
                if (number := next(remaining, None)) is None:
                    is_exhausted = True
                else:
                    submitted.add(number)
                    executor.submit(number)
            if is_exhausted and not submitted:
                return
            result = executor.next()
            # A second result of the same task is ignored.
            if result and result.number in submitted:
                submitted.remove(result.number)
                if not take(result):
                    return
    finally:
        executor.stop()


@dataclass(frozen=True)
class ResultJournal:
    """A journal with the results of a job, and the functions that convert a result to lines and back."""

    journal: Journal
    kind: str
    """The kind of the entries."""
    format: Callable[[Any], Sequence[str]]
    """Returns the lines of a result."""
    parse: Callable[[int, Sequence[str]], Any]
    """Returns the result of a number and its lines."""

    def results(self, count: int) -> dict[int, Any]:
        """Returns the stored results by number, from 1 to `count`."""
        stored = [number for number in self.journal.numbers(self.kind) if 1 <= number <= count]
        return {n: self.journal.parsed(self.kind, n, lambda lines, n=n: self.parse(n, lines)) for n in stored}


def run_in_order(
    count: int,
    executor: Executor,
    take: Callable[[int, Any], bool],
    stored: ResultJournal | None = None,
    task_of: Callable[[int], int] = int,
) -> None:
    """Runs the tasks from 1 to `count` in any order, and passes the results to `take` in ascending order.

    Stops when `take` returns `False`. Tasks whose results are stored do not run again. The job may use other numbers for its
    tasks: `task_of` converts a number from 1 to `count`. It is called just before the task is submitted.
    """
    results = stored.results(count) if stored else {}
    missing = [number for number in range(1, count + 1) if number not in results]
    numbers: dict[int, int] = {}
    order = iter(range(1, count + 1))
    next_number = next(order)

    def take_available() -> bool:
        """Takes the results from `next_number` on until one is missing. Returns `False` if `take` does."""
        nonlocal next_number
        while next_number in results:
            if not take(next_number, results.pop(next_number)):
                return False
            next_number = next(order, 0)
        return True

    def tasks() -> Iterator[int]:
        for number in missing:
            task = task_of(number)
            numbers[task] = number
            yield task

    def store(result: TaskResult) -> bool:
        number = numbers.pop(result.number)
        if stored:
            stored.journal.add(stored.kind, number, stored.format(result.value))
        results[number] = result.value
        return take_available()

    if take_available() and missing:
        run_tasks(tasks(), executor, store, stored.journal if stored else None)


def keep_clocks_precise() -> None:
    """Shortens the time in which threads wait for each other, so that moves are timed precisely.

    Also disables the garbage collector, because it halts all threads and frees almost nothing.
    """
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    gc.disable()


class ThreadExecutor:
    """An executor with `concurrency` threads, each with a task runner of its own."""

    reference = 0

    def __init__(self, job: Job, concurrency: int) -> None:
        self._job, self._concurrency = job, concurrency
        # Twice the number of threads, so that each thread finds a next task while the result of its last one is stored.
        self.window = 2 * concurrency
        self._local = threading.local()
        self._runners: list[TaskRunner] = []
        self._futures: set[Future[TaskResult]] = set()
        self._finished: queue.SimpleQueue[Future[TaskResult]] = queue.SimpleQueue()

    def start(self, journal: Journal | None) -> None:
        """Starts the threads."""
        keep_clocks_precise()
        self._threads = ThreadPoolExecutor(self._concurrency)

    def submit(self, number: int) -> None:
        """Schedules a task."""
        future = self._threads.submit(self._run, number)
        self._futures.add(future)
        future.add_done_callback(self._finished.put)

    def next(self) -> TaskResult:
        """Waits for a finished task. Raises the exception of a task that failed."""
        future = self._finished.get()
        self._futures.remove(future)
        return future.result()

    def stop(self) -> None:
        """Cancels all unfinished tasks."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        # A task may start an engine after the first interruption.
        while not all(future.done() for future in self._futures):
            for runner in list(self._runners):
                runner.interrupt()
            wait(self._futures, 0.1)
        self._threads.shutdown()
        for runner in self._runners:
            runner.close()

    def _run(self, number: int) -> TaskResult:
        if not hasattr(self._local, "runner"):
            self._local.runner = self._job.open(Host())
            self._runners.append(self._local.runner)
        start = time.monotonic()
        value = self._local.runner.run(number)
        return TaskResult(number, value, seconds=time.monotonic() - start)
