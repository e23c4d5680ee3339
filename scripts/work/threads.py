"""The executor of one machine: a thread and a desk for each piece that is done at the same time."""

from __future__ import annotations

import contextlib
import gc
import queue
import sys
import threading
import time

from .job import Desk, Host, Job, TaskResult

# The interpreter may keep a thread from its clock for this long, in seconds (5 ms unless told).
SWITCH_INTERVAL = 0.0002


def mind_the_clocks() -> None:
    """Makes this process one in which threads keep clocks: none is kept waiting by another one, nor by the search for
    cyclic garbage, of which there is next to none, and which halts all of them."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.disable()


class ThreadExecutor:
    """So many pieces at once."""

    def __init__(self, job: Job, concurrency: int) -> None:
        mind_the_clocks()
        self._job = job
        # One for every thread, and as many that wait, so that no thread waits for the record to be written.
        self.window = 2 * concurrency
        self._todo: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[TaskResult | BaseException] = queue.SimpleQueue()
        self._desks: list[Desk] = []
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(concurrency)]
        for thread in self._threads:
            thread.start()

    def submit(self, number: int) -> None:
        """Takes a piece."""
        self._todo.put(number)

    def next(self) -> TaskResult | None:
        """Waits for a piece that is done; whatever a thread failed of is raised."""
        done = self._done.get()
        if isinstance(done, BaseException):
            raise done
        return done

    def stop(self) -> None:
        """Gives up what is not done, at once."""
        self._stopping.set()
        for _ in self._threads:
            self._todo.put(None)
        for desk in self._desks:
            desk.interrupt()
        for thread in self._threads:
            thread.join(timeout=5.0)

    def _work(self) -> None:
        try:
            desk = self._job.open(Host())
            self._desks.append(desk)
            with contextlib.closing(desk):
                while (number := self._todo.get()) is not None and not self._stopping.is_set():
                    start = time.monotonic()
                    result = desk.run(number)
                    if not self._stopping.is_set():
                        self._done.put(TaskResult(number, result, seconds=time.monotonic() - start))
        except BaseException as error:  # noqa: BLE001 - whatever it is, who waits has to hear of it
            self._done.put(error)
