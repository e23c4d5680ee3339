"""The executor of many machines: Dask distributed hands the pieces out, and this says how.

Pieces are submitted under their numbers, a few more than there are desks, and let go once they are taken: what was
taken cannot be computed again when the worker who has it dies. Results come with the workers' events; to fetch them
from the memory of a worker would wait for one that is frozen. A piece whose worker dies is done by another one, and a
worker that gives no sign of life is taken to be dead after a while.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import pickle
import queue
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cloudpickle
from distributed import Client, Future, LocalCluster, as_completed

from . import frames, speed, worker
from .freight import Packed, pack_code, pack_job
from .job import Job, TaskResult
from common.exit_status import Failure

LOOKS = 1.0
"""Seconds between two looks at how many desks there are."""
HEEDS = 0.1
"""Seconds between two looks at what has failed; results come by themselves."""
LONELY = 120.0
"""Seconds for which no worker may be fit before this gives up."""
TRIES = 5
"""Failures of one piece, beyond the deaths of workers that Dask itself makes up for, before this gives up."""

Event = Mapping[str, Any]


@dataclass(frozen=True)
class Terms:
    """On what a worker may take part."""

    reference: int = 0
    """Nodes a second of the machine by which times are set; 0 if no time matters."""
    slowest: float = 0.2
    """The least share of the reference that will do."""
    noisiest: float = 0.5
    """The most by which the speeds of a worker may differ."""
    frozen: float = 30.0
    """Seconds without a sign of life after which a worker's pieces are given to others."""
    workers: int | None = None
    """Of a local cluster; by default as many as there are cores for."""


class Carried:
    """A function that arrives as itself wherever it is sent: by value, even within something that is sent by name."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__name__ = function.__name__
        self._function = function
        self._packed = cloudpickle.dumps(function)

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    def __reduce__(self) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
        return pickle.loads, (self._packed,)


def silence() -> None:
    """Dask says no word more in this process: what goes wrong is told here, in a line; its own words fill the screen."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    # Its modules have levels of their own, which the one above them does not reach.
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]:
        logging.getLogger(name).setLevel(logging.NOTSET)


class Cluster:
    """A scheduler, whoever started it, and its workers while they are ours."""

    def __init__(
        self,
        address: str,
        job: Job,
        programs: Sequence[Packed],
        tell: Callable[[Event], None],
        terms: Terms,
    ) -> None:
        """`tell` hears of workers that come, go, or are unfit."""
        silence()
        for module in (frames, speed, worker):
            cloudpickle.register_pickle_by_value(module)
        self._job = job
        self._tell = tell
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._futures: dict[int, Future] = {}
        self._failures: dict[int, int] = {}
        self._attempts = itertools.count(1)
        self._ready: dict[str, Event] = {}
        self._slots = 0
        self._lonely_since = time.monotonic()
        code, code_digest = pack_code()
        self._play = Carried(worker.play)
        self.topic = f"puli-{uuid.uuid4().hex[:8]}"
        self._freight = worker.Freight(
            self.topic,
            code,
            code_digest,
            pack_job(job),
            job.cores,
            tuple(worker.Program(p.path, p.digest, p.packed, p.signature) for p in programs),
            terms.reference,
            terms.slowest,
            terms.noisiest,
        )
        self._local: LocalCluster | None = None
        self._client = self._connect(address, terms)
        self._finished = as_completed(loop=self._client.loop)

    @property
    def dashboard(self) -> str:
        """Where Dask shows what is going on."""
        return str(self._client.dashboard_link)

    @property
    def window(self) -> int:
        """Thrice the desks: one piece each that is done and one that waits, wherever Dask happens to put them."""
        self._slots = sum(event.get("slots", 0) for event in self._ready.values())
        return 3 * self._slots

    def submit(self, number: int) -> None:
        """Takes a piece."""
        key = f"{self._job.name}-{number}-{self.topic}-{next(self._attempts)}"
        future = self._client.submit(self._play, number, key=key, resources={worker.RESOURCE: 1}, pure=False)
        self._futures[number] = future
        self._finished.add(future)

    def next(self) -> TaskResult | None:
        """Waits for a piece that is done, or for news."""
        deadline = time.monotonic() + LOOKS
        while time.monotonic() < deadline:
            if done := self._hear():
                return done
            for future in self._finished.next_batch(block=False):
                self._see_to(future)
        self._look()
        return None

    def stop(self) -> None:
        """Gives up what is not done, and leaves the workers as they were."""
        for topic in (self.topic, "all"):
            _within(5, lambda topic=topic: self._client.unsubscribe_topic(topic))
        _within(5, lambda: self._client.cancel(list(self._futures.values())))
        # Its end is the end of all desks, and of the engines there.
        _within(15, lambda: self._client.unregister_worker_plugin(worker.PLUGIN))
        _within(5, lambda: self._client.unregister_worker_plugin(worker.PLUGIN, nanny=True))
        _within(5, self._client.close)
        if self._local:
            _within(15, self._local.close)

    def _connect(self, address: str, terms: Terms) -> Client:
        try:
            if address == "local":
                # Workers that are killed are started again; every worker is a process with one desk.
                count = terms.workers or max(1, (os.cpu_count() or 1) // self._job.cores)
                self._local = LocalCluster(n_workers=count, threads_per_worker=1, processes=True)
            client = Client(self._local or address, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ValueError(f"there is no cluster at {address}: {str(error).splitlines()[0]}") from None
        try:
            if busy := client.run_on_scheduler(worker.take_cluster, client.id, self.topic, terms.frozen):
                raise ValueError(f"the cluster at {address} works for {busy} already")
            client.subscribe_topic(self.topic, lambda event: self._events.put(event[1]))
            client.subscribe_topic("all", lambda event: self._events.put(event[1]))
            # It waits for every worker, and one may be frozen; the others, and those who come later, have it by then.
            crew = worker.Crew(self._freight)
            _within(20, lambda: client.register_plugin(crew, name=worker.PLUGIN))
            # Nothing waits for this.
            _within(0, lambda: client.register_plugin(worker.Nurse(), name=worker.PLUGIN))
        except BaseException:
            client.close(timeout=5)
            if self._local:
                self._local.close(timeout=5)
            raise
        return client

    def _see_to(self, future: Future) -> None:
        """What is to be done about a task that has ended: of one that succeeded the result comes by itself."""
        number = int(future.key.split("-")[1])
        if self._futures.get(number) is not future or future.status == "finished":
            return
        if future.status in ("cancelled", "lost"):
            raise Failure(f"the scheduler at {self._client.scheduler.address} has gone")
        error = future.exception()
        failures = self._failures[number] = self._failures.get(number, 0) + 1
        if failures == TRIES:
            raise Failure(f"{self._job.name} {number} failed {TRIES} times, the last time by this: {error}")
        self._tell({"what": "failed", "number": number, "reason": str(error)})
        self.submit(number)

    def _hear(self) -> TaskResult | None:
        """Passes on what workers and scheduler say, up to a result; waits a moment for it."""
        while True:
            try:
                event = self._events.get(timeout=HEEDS)
            except queue.Empty:
                return None
            if event.get("what") == "done":
                if future := self._futures.pop(event["number"], None):
                    # Nothing that has arrived is to be done again, whatever becomes of the worker.
                    future.release()
                    result = pickle.loads(event["result"])
                    return TaskResult(event["number"], result, event["name"], event["factor"], event["seconds"])
            elif event.get("what") in ("ready", "unfit"):
                self._ready[event["address"]] = event
                self._tell(event)
            elif event.get("action") == "remove-worker" and (known := self._ready.pop(event["worker"], None)):
                keys = {future.key: number for number, future in self._futures.items()}
                had = [keys[key] for key in event["processing-tasks"] if key in keys]
                if known["what"] == "ready":
                    self._tell({"what": "lost", "name": known["name"], "numbers": sorted(had)})

    def _look(self) -> None:
        """Counts the desks."""
        now = time.monotonic()
        if self._client.status != "running":
            raise Failure("the connection to the scheduler is lost")
        if self._slots:
            self._lonely_since = now
        elif now - self._lonely_since > LONELY:
            unfit = [f"{event['name']}: {event['reason']}" for event in self._ready.values() if "reason" in event]
            raise Failure(f"no worker is fit: {'; '.join(unfit) or 'there is none'}")


def _within(seconds: float, call: Callable[[], Any]) -> None:
    """Does something that may take for ever, and fail, for so long at most."""

    def attempt() -> None:
        with contextlib.suppress(Exception):
            call()

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(seconds)
