"""The plugins that prepare a Dask worker for a job and run its tasks.

A worker has one or several slots, each with a task process that runs one task at a time. The plugins are pickled by value, so
that a worker needs nothing but Dask. A worker reports by events on the topic of the job.
"""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import queue
import shutil
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import NannyPlugin, WorkerPlugin

from .payload import RUNS, Program, cached_bench, machine_folder, run_bench, summary
from .task_process import TaskProcess

PLUGIN = "puli"
MONITORS = ("tick", "profile", "monitor", "memory_monitor")
"""The periodic callbacks with which a Dask process measures itself, up to 100 times a second."""
MONITOR_INTERVAL_MS = 2000.0
"""Minimum interval of the monitors during a job. With Dask's intervals they take 2.5% of a core from the tasks."""


@dataclass(eq=False, repr=False)
class TaskPool(WorkerPlugin):
    """The task processes of one worker, one for each slot."""

    topic: str
    """The topic of the events. It is also the name of the Dask resource; a worker offers one unit for each slot."""
    modules: bytes
    job: bytes
    cores: int
    """Cores per task."""
    programs: Sequence[Program]
    """Speed is measured with the last one."""
    reference: int
    """Nodes per second of the machine for which time limits are meant; 0 if speed does not matter."""
    slowest: float
    """Minimum speed of a worker, as a share of `reference`."""
    noisiest: float
    """Maximum interquartile range of the speeds of a worker's bench runs, as a share of their median."""

    async def setup(self, worker: Any) -> None:
        """Starts the preparation in the background. At its end the worker offers the resource, and only then gets tasks."""
        self._worker = worker
        self._intervals = throttle_monitors(worker)
        self._folder = Path(worker.local_directory, self.topic)
        self._locks: list[int] = []
        self._processes: list[TaskProcess] = []
        self._idle: queue.SimpleQueue[TaskProcess] = queue.SimpleQueue()
        self._preparation = asyncio.create_task(self._prepare())

    async def teardown(self, worker: Any) -> None:
        """Ends all processes, even while they run tasks."""
        throttle_monitors(worker, self._intervals)
        self._preparation.cancel()
        await asyncio.gather(*(asyncio.to_thread(process.close) for process in self._processes))
        for lock in self._locks:
            os.close(lock)
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, number: int) -> tuple[str, float, float, bytes]:
        """Runs a task. Returns the worker's name, its time factor, the seconds, and the pickled result."""
        process = self._idle.get()
        try:
            return str(self._worker.name), self._factor, *process.run(number)
        except RuntimeError as error:
            event = {"lines": [f"number {number}", f"failed: {error}"]}
            self._worker.loop.add_callback(self._worker.log_event, self.topic, event)
            raise
        finally:
            self._idle.put(process)

    async def _prepare(self) -> None:
        """Creates the task processes, offers the resource and reports. A worker that fails reports why, and offers nothing."""
        lines = [f"worker {self._worker.name}"]
        try:
            lines += await asyncio.to_thread(self._create_processes)
            await self._worker.set_resources(**{self.topic: len(self._processes)})
        except Exception as error:  # noqa: BLE001 - the client prints every error
            lines.append(f"unfit: {error}")
        slots = len(self._processes)
        event = {"worker": self._worker.address, "name": str(self._worker.name), "slots": slots, "lines": lines}
        self._worker.log_event(self.topic, event)

    def _create_processes(self) -> list[str]:
        """Unpacks and measures the programs, and creates a task process for each slot. Returns the lines of the report.

        Raises `RuntimeError` if a program does not work here, or if the worker is too slow or too noisy.
        """
        self._folder.mkdir()
        slots = max(1, min(self._worker.state.nthreads, (os.cpu_count() or 1) // self.cores))
        cores, is_shared = self._claim_cores(slots * self.cores)
        slot_cores = [cores[slot * self.cores :][: self.cores] for slot in range(slots)]
        programs: dict[str, str] = {}
        speed, noise = 0, 0.0
        # A bench pins its thread to the cores of its slot, so these threads are used only for benches.
        with ThreadPoolExecutor(slots) as threads:
            for program in self.programs:
                path = programs[program.path] = self._unpack(program.digest, zlib.decompress(program.data))
                speed = threads.submit(self._check, program, path, slot_cores[0]).result()
            if programs and self.reference:
                benches = threads.map(lambda own: [run_bench(path, own) for _ in range(RUNS)], slot_cores)
                (_, speed), noise = summary([result for slot in benches for result in slot if result])
                if speed < (minimum := self.slowest * self.reference):
                    raise RuntimeError(f"too slow: {speed} nodes per second, expected at least {minimum:.0f}")
                if noise > self.noisiest:
                    raise RuntimeError(f"too noisy: speeds differ by {noise:.0%}, expected at most {self.noisiest:.0%}")
        self._factor = self.reference / speed if programs and self.reference else 1.0
        setups = [(self.job, programs, self._factor, own_cores) for own_cores in slot_cores]
        modules = self._unpack("modules.zip", self.modules)
        self._processes = [TaskProcess(modules, setup) for setup in setups]
        for process in self._processes:
            self._idle.put(process)
        shared = " (shared)" if is_shared else ""
        return [
            f"ready with {slots} at once on cores {','.join(map(str, cores))}{shared}",
            f"speed {speed} noise {noise:.3f} factor {self._factor:.3f}",
        ]

    def _unpack(self, name: str, data: bytes) -> str:
        path = self._folder / name
        path.write_bytes(data)
        path.chmod(0o700)
        return str(path)

    def _check(self, program: Program, path: str, cores: Sequence[int]) -> int:
        """Returns the speed of an unpacked program. Its bench must search the same number of nodes as the original."""
        result = run_bench(path, cores) if self.reference else cached_bench(path, program.digest, cores)
        if not result:
            raise RuntimeError(f"the bench of {program.path} failed")
        if result[0] != program.bench[0]:
            raise RuntimeError(f"{program.path} searches {result[0]} nodes, expected {program.bench[0]}")
        return result[1]

    def _claim_cores(self, count: int) -> tuple[list[int], bool]:
        """Returns the `count` cores that the fewest workers use, and `True` if another worker uses one of them.

        Each worker on this machine locks a file for each core that it uses, even if it belongs to another cluster. The locks
        end with its process. The first worker of core 5 locks the file `5.0`, the second one `5.1`, and so on.
        """
        folder = machine_folder() or self._folder
        claimed: list[int] = []
        own_cores = sorted(os.sched_getaffinity(0))
        for users, core in ((users, core) for users in itertools.count() for core in own_cores):
            lock = os.open(folder / f"{core}.{users}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            self._locks.append(lock)
            claimed.append(core)
            if len(claimed) == count:
                return claimed, users > 0


class NannyThrottle(NannyPlugin):
    """Throttles the monitors of nannies: Dask's processes that restart workers."""

    def setup(self, nanny: Any) -> None:
        """Throttles the monitors."""
        self._intervals = throttle_monitors(nanny)

    def teardown(self, nanny: Any) -> None:
        """Restores the intervals."""
        throttle_monitors(nanny, self._intervals)


def throttle_monitors(server: Any, intervals: Mapping[str, float] | None = None) -> dict[str, float]:
    """Sets the intervals of a server's monitors, by default to the minimum. Returns the previous intervals, in ms."""
    callbacks = {name: server.periodic_callbacks[name] for name in MONITORS if name in server.periodic_callbacks}
    previous = {name: callback.callback_time for name, callback in callbacks.items()}
    for name, callback in callbacks.items():
        callback.callback_time = (intervals or {}).get(name, max(previous[name], MONITOR_INTERVAL_MS))
    return previous


def claim_scheduler(client: str, topic: str, frozen: float, dask_scheduler: Any = None) -> str | None:
    """Reserves the scheduler for a client, and makes it remove workers without a heartbeat for `frozen` seconds.

    Dask calls the function on the scheduler. Returns the topic of another client that has reserved it.
    """
    holder = getattr(dask_scheduler, "puli_holder", None)
    if holder and holder[0] != client and holder[0] in dask_scheduler.clients:
        return str(holder[1])
    dask_scheduler.puli_holder = (client, topic)
    throttle_monitors(dask_scheduler)
    if dask_scheduler.worker_ttl and dask_scheduler.worker_ttl > frozen:
        dask_scheduler.worker_ttl = frozen
        # Restarted, because the callback would first wait for the end of its previous, longer interval.
        callback = dask_scheduler.periodic_callbacks["worker-ttl"]
        callback.stop()
        callback.callback_time = frozen * 250
        callback.start()
    return None
