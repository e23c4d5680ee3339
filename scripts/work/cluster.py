"""The executor that runs tasks on the workers of a Dask scheduler.

A slot runs one task at a time; a worker has one or several slots. Dask gives tasks to workers that offer the job's resource,
repeats a task that fails, and gives the tasks of dead and frozen workers to others. Only a few more tasks are submitted than
there are slots.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import pickle
import queue
import signal
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any

import cloudpickle
from distributed import Client, Future, LocalCluster, as_completed, get_worker

from common.exit_status import Failure, print_line
from common.job import Job, TaskResult
from common.journal import Journal

from . import payload, task_process, worker

POLL_SECONDS = 0.02
"""Interval at which results and events are collected."""
MAX_SECONDS_WITHOUT_WORKER = 120.0
"""Maximum time without a ready worker, in seconds."""
MAX_CALL_SECONDS = 10
"""Maximum time of a call that waits for all workers, in seconds."""
MAX_ATTEMPTS = 5
"""Maximum number of attempts to run one task. Attempts that ended because a worker died are limited by Dask itself."""


def silence_dask() -> None:
    """Silences Dask's loggers in this process. Failures are reported in one line instead."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    # Dask's modules set levels of their own, which have priority over the level of `distributed`.
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]:
        logging.getLogger(name).setLevel(logging.NOTSET)


class Cluster:
    """An executor that uses all workers of a scheduler for one job."""

    def __init__(self, options: argparse.Namespace, job: Job, is_timed: bool = False, reference: int = 0) -> None:
        """Packs the programs of the job.

        If `is_timed`, the time limits of the job are meant for a machine with `reference` nodes per second, or for this
        machine if `reference` is 0.
        """
        self._options, self._job = options, job
        self._programs = payload.pack_programs(job.programs(), payload.RUNS if is_timed and not reference else 0)
        self.reference = (reference or self._programs[-1].bench[1]) if is_timed and self._programs else 0
        self._topic = f"puli-{uuid.uuid4().hex[:8]}"
        self._workers: dict[str, Mapping[str, Any]] = {}
        self._events: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()
        self._numbers: dict[Future, int] = {}

    @property
    def window(self) -> int:
        """Three tasks for each slot. Dask does not distribute waiting tasks evenly, so with fewer some slots would be idle."""
        return 3 * sum(event["slots"] for event in self._workers.values())

    def start(self, journal: Journal | None) -> None:
        """Connects to the scheduler and registers the plugins, also for workers that join later."""
        silence_dask()
        self._journal, options = journal, self._options
        with contextlib.ExitStack() as stack:
            try:
                if (address := options.cluster) == "local":
                    count = options.workers or max(1, (os.cpu_count() or 1) // self._job.cores)
                    # The workers inherit the ignored signal, so that Ctrl-C interrupts only this process.
                    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
                    cluster = LocalCluster(n_workers=count, threads_per_worker=1, silence_logs=logging.CRITICAL + 1)
                    signal.signal(signal.SIGINT, handler)
                    address = stack.enter_context(cluster)
                self._client = client = stack.enter_context(Client(address, timeout=10, set_as_default=False))
            except (OSError, ValueError) as error:
                reason = str(error).splitlines()[0]
                raise ValueError(f"cannot connect to a cluster at {options.cluster}: {reason}") from None
            # Pickled by value, so that the workers need not have the scripts.
            for module in (payload, task_process, worker):
                cloudpickle.register_pickle_by_value(module)
            if holder := client.run_on_scheduler(worker.claim_scheduler, client.id, self._topic, options.frozen):
                raise ValueError(f"the cluster at {options.cluster} is in use by another run, {holder}")
            for topic in (self._topic, "all"):
                client.subscribe_topic(topic, lambda event: self._events.put(event[1]))
            pool = worker.TaskPool(
                self._topic, payload.pack_modules(), pickle.dumps(self._job), self._job.cores, self._programs,
                self.reference, options.slowest, options.noisiest,
            )
            self._call_all_workers(client.register_plugin, pool, worker.PLUGIN)
            self._call_all_workers(client.register_plugin, worker.NannyThrottle(), worker.PLUGIN)
            self._completed = as_completed(loop=client.loop, with_results=True, raise_errors=False)
            self._last_ready = time.monotonic()
            self._connection = stack.pop_all()
        print_line(f"dashboard: {client.dashboard_link}")
        for program in self._programs:
            print_line(f"sent to workers: {program.path}, signature {program.bench[0]}, {len(program.data) / 2**20:.1f} MiB")
        if self.reference:
            print_line(f"time limits are for {self.reference} nodes per second")

    def submit(self, number: int) -> None:
        """Schedules a task."""
        future = self._client.submit(
            # A lambda is pickled by value.
            lambda number: get_worker().plugins["puli"].run(number), number, pure=False, retries=MAX_ATTEMPTS - 1,
            key=f"{self._job.name}-{number}-{self._topic}", resources={self._topic: 1},
        )
        self._numbers[future] = number
        self._completed.add(future)

    def next(self) -> TaskResult | None:
        """Handles all events. Returns the result of a finished task, or `None` after `POLL_SECONDS`."""
        self._handle_events()
        if not self._completed.has_ready():
            time.sleep(POLL_SECONDS)
            return None
        future, result = next(self._completed)
        number = self._numbers.pop(future)
        if future.status == "error":
            raise Failure(f"{self._job.name} {number} failed {MAX_ATTEMPTS} times, most recently: {future.exception()}")
        # The status does not tell whether there is a result. A task whose worker dies after the result arrived is `lost`, and
        # a finished task has no result if the scheduler is killed before it arrives.
        if isinstance(result, BaseException):
            raise Failure("lost the connection to the scheduler")
        name, time_factor, seconds, value = result
        return TaskResult(number, pickle.loads(value), name, time_factor, seconds)

    def stop(self) -> None:
        """Cancels all unfinished tasks, ends the task processes and disconnects."""
        self._call_all_workers(self._client.cancel, list(self._numbers))
        self._call_all_workers(self._client.unregister_worker_plugin, worker.PLUGIN)
        self._call_all_workers(self._client.unregister_worker_plugin, worker.PLUGIN, nanny=True)
        with contextlib.suppress(Exception):
            self._connection.close()

    def _call_all_workers(self, call: Callable[..., Any], *arguments: Any, **keywords: Any) -> None:
        """Calls a method of the client that waits for all workers. Ignores errors, such as a frozen worker's timeout."""
        with contextlib.suppress(Exception):
            self._client.sync(call, *arguments, callback_timeout=MAX_CALL_SECONDS, **keywords)

    def _handle_events(self) -> None:
        """Reports the events of workers since the last call. Raises a `Failure` if no worker can run tasks any more."""
        while not self._events.empty():
            event = self._events.get()
            if "lines" in event:
                if "slots" in event:
                    self._workers[event["worker"]] = event
                self._report(event["lines"])
            elif event.get("action") == "remove-worker":
                lost = self._workers.pop(event["worker"], None)
                numbers = sorted(n for future, n in self._numbers.items() if future.key in event["processing-tasks"])
                if lost and lost["slots"]:
                    tasks = ", ".join(map(str, numbers)) or "none"
                    self._report([f"worker {lost['name']}", f"lost; given to others: {tasks}"])
        if self._client.status != "running":
            raise Failure("lost the connection to the scheduler")
        if self.window:
            self._last_ready = time.monotonic()
        elif time.monotonic() > self._last_ready + MAX_SECONDS_WITHOUT_WORKER:
            reasons = "; ".join(" ".join(event["lines"]) for event in self._workers.values())
            raise Failure(f"no worker is ready: {reasons or 'none has joined'}")

    def _report(self, lines: list[str]) -> None:
        """Prints an event and adds it to the journal."""
        print_line(" ".join(lines))
        if self._journal:
            self._journal.add("event", max(self._journal.numbers("event"), default=0) + 1, lines)
