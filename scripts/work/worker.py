"""What a Dask worker does for a job: it prepares itself, keeps desks, and cleans up.

What is sent to workers by value, so that their machines need nothing but Dask: this module uses the standard library,
Dask, and what is sent along. Everything that a worker has to say it logs as an event of the job's topic.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from distributed import NannyPlugin, WorkerPlugin, get_worker

from .frames import read_message, write_message
from .speed import RUNS, bench, known_bench, machine_folder, private_folder, store, summary

PLUGIN = "puli"
RESOURCE = "game"
RESTS = 60.0
"""Seconds without work after which engines are not kept waiting."""
CALM = 2000.0
"""Milliseconds between two looks that Dask takes at itself while a job is done."""
LOOKS = ("tick", "profile", "monitor", "memory_monitor")
"""What it looks at: how quick its loop is, what its threads do, the machine, its memory."""


@dataclass(frozen=True)
class Program:
    """A program that is sent along."""

    path: str
    """At home."""
    digest: str
    packed: bytes = field(repr=False)
    signature: int
    """The nodes of its bench, which have to be the same wherever it runs."""


@dataclass(frozen=True)
class Freight:
    """All that a job brings along."""

    topic: str
    code: bytes = field(repr=False)
    """A zip file with the scripts' modules, which Python runs as a desk."""
    code_digest: str
    job: bytes = field(repr=False)
    cores: int
    programs: tuple[Program, ...]
    """The one by which speed is measured last; without one nothing is measured."""
    reference: int
    """Nodes a second of the machine by which times are set; 0 if they are not, and then one run tells the speed."""
    slowest: float
    """The least share of the reference that will do."""
    noisiest: float
    """The most by which the speeds of a machine may differ."""


class Unfit(Exception):
    """This worker cannot take part; the text says why."""


class Crew(WorkerPlugin):
    """The desks of one worker."""

    name = PLUGIN

    def __init__(self, freight: Freight) -> None:
        self.freight = freight

    async def setup(self, worker: Any) -> None:
        """Begins to prepare; the worker gets work once it offers the resource, and not by what it offered another job."""
        self._worker = worker
        self._lock = threading.Lock()
        self._free: list[Seat] = []
        self._seats: list[Seat] = []
        self._gone = threading.Event()
        self._prepared = threading.Event()
        self._factor = 1.0
        self._files: dict[str, str] = {}
        self._locks: list[int] = []
        self._pace = _calm(worker)
        if RESOURCE in worker.state.total_resources:
            await worker.set_resources(**{RESOURCE: 0})
        threading.Thread(target=self._live, daemon=True).start()

    def teardown(self, worker: Any) -> None:
        """Ends everything at once."""
        _calm(worker, self._pace)
        self._gone.set()
        with self._lock:
            for seat in self._seats:
                seat.close()
            for lock in self._locks:
                os.close(lock)
            self._locks = []

    def run(self, number: int) -> None:
        """Does a piece at a free desk, and says what came of it: who did it, its seconds, and the result.

        It goes with the events, not as the result of a task, which would have to be fetched from this worker, who may be
        dead or frozen by then.
        """
        # One that was frozen while all others began may be given work by what it offered before.
        self._prepared.wait()
        with self._lock:
            if self._gone.is_set():
                raise RuntimeError("the job is over")
            if not self._free:
                raise RuntimeError("this worker has no desk that is free")
            seat = self._free.pop()
        try:
            seconds, result = seat.ask(number)
        finally:
            with self._lock:
                self._free.append(seat)
        self._log("done", number=number, factor=self._factor, seconds=seconds, result=result)

    def _live(self) -> None:
        try:
            self._prepare()
        except Unfit as error:
            self._log("unfit", reason=str(error))
        except Exception as error:  # noqa: BLE001 - whatever it is, who waits has to hear of it
            self._log("unfit", reason=f"{type(error).__name__}: {error}")
        finally:
            self._prepared.set()
        if self._seats:
            # Those that have nothing to do for long do not keep their engines, nor do those of a client that is gone.
            while not self._gone.wait(5.0):
                with self._lock:
                    for seat in self._free:
                        if time.monotonic() - seat.used > RESTS:
                            seat.close()

    def _prepare(self) -> None:
        freight = self.freight
        slots = max(1, min(self._worker.state.nthreads, (os.cpu_count() or 1) // freight.cores))
        cores, shared = self._claim(slots * freight.cores)
        parts = [cores[slot * freight.cores : (slot + 1) * freight.cores] for slot in range(slots)]
        folder = _cache()
        speed = None
        code = _store(folder, f"{freight.code_digest}.zip", freight.code, 0o600)
        for program in freight.programs:
            path = _store(folder, f"{program.digest}.bin", zlib.decompress(program.packed), 0o700)
            self._files[program.path] = path
            # Where times matter nothing but what is measured now tells how fast this machine is.
            found = bench(path, parts[0]) if freight.reference else known_bench(path, program.digest, parts[0])
            if found is None:
                raise Unfit(f"{program.path} does not run here")
            if found[0] != program.signature:
                raise Unfit(f"{program.path} searches {found[0]} nodes here, and {program.signature} at home")
            speed = summary([found])
        if freight.programs and freight.reference:
            with ThreadPoolExecutor(slots) as threads:
                runs = threads.map(lambda part: [bench(path, part) for _ in range(RUNS)], parts)
                speed = summary([run for several in runs for run in several if run])
            self._factor = freight.reference / speed.nodes_per_second
            if speed.nodes_per_second < freight.slowest * freight.reference:
                raise Unfit(f"too slow: {speed.nodes_per_second} nodes a second, and {freight.reference} at home")
            if speed.noise > freight.noisiest:
                raise Unfit(f"too noisy: its speeds differ by {100 * speed.noise:.0f}%")
        place = (self._files, self._factor)
        self._seats = [Seat(code, freight.job, place, part) for part in parts]
        self._free = list(self._seats)
        self._call(lambda: self._worker.set_resources(**{RESOURCE: slots}))
        self._log(
            "ready",
            slots=slots,
            speed=speed.nodes_per_second if speed else 0,
            noise=speed.noise if speed else 0.0,
            factor=self._factor,
            cores=",".join(map(str, cores)),
            shared=shared,
        )

    def _claim(self, count: int) -> tuple[list[int], bool]:
        """Cores of this machine for this worker alone, or else those with the fewest others; whether they are shared.
        Locks tell workers of each other, whatever cluster they are of, and go with their process."""
        folder = machine_folder() or _cache()
        claimed: list[int] = []
        for layer in range(1000):
            for core in sorted(os.sched_getaffinity(0)):
                lock = os.open(os.path.join(folder, f"{core}.{layer}"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(lock)
                    continue
                claimed.append(core)
                self._locks.append(lock)
                if len(claimed) == count:
                    return claimed, layer > 0
        raise Unfit("a thousand workers on each core")

    def _log(self, what: str, **more: object) -> None:
        message = {"what": what, "name": str(self._worker.name), "address": self._worker.address, **more}
        self._worker.loop.add_callback(self._worker.log_event, self.freight.topic, message)

    def _call(self, call: Callable[[], Any]) -> None:
        """Has the worker's own thread do something, and waits for it."""
        done = threading.Event()

        async def do() -> None:
            try:
                await call()
            finally:
                done.set()

        self._worker.loop.add_callback(do)
        done.wait(60.0)


class Nurse(NannyPlugin):
    """Calms those who start workers again."""

    name = PLUGIN

    def setup(self, nanny: Any) -> None:
        """Does so."""
        self._pace = _calm(nanny)

    def teardown(self, nanny: Any) -> None:
        """Leaves it as it was."""
        _calm(nanny, self._pace)


class Seat:
    """The process of a desk, which is started when it is needed."""

    def __init__(self, code: str, job: bytes, place: tuple[dict[str, str], float], cores: Sequence[int]) -> None:
        self.used = time.monotonic()
        self._code, self._job, self._place, self._cores = code, job, place, tuple(cores)
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, number: int) -> tuple[float, bytes]:
        """Has a piece done: its seconds, and the result."""
        try:
            process = self._process or self._open()
            write_message(process.stdin, number)
            kind, result, seconds = read_message(process.stdout)
        except (OSError, EOFError):
            self.close()
            raise RuntimeError("the desk has gone") from None
        if kind != "done":
            self.close()
            raise RuntimeError(result)
        self.used = time.monotonic()
        return seconds, result

    def close(self) -> None:
        """Ends the process, which ends its engines, at once."""
        process, self._process = self._process, None
        if process:
            # At the end of its input it kills its engines and itself.
            with contextlib.suppress(OSError):
                process.stdin.close()
            try:
                process.wait(timeout=5.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()

    def _open(self) -> subprocess.Popen[bytes]:
        # A session of its own, so that what ends the worker's does not end it before its engines.
        self._process = process = subprocess.Popen(
            [sys.executable, "-S", "-E", self._code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        write_message(process.stdin, ("open", self._job, self._place, self._cores))
        kind, result, _ = read_message(process.stdout)
        if kind != "open":
            raise RuntimeError(result)
        return process


def play(number: int) -> None:
    """What a task of the cluster is."""
    crew: Crew = get_worker().plugins[PLUGIN]
    crew.run(number)


def _calm(server: Any, pace: Mapping[str, float] | None = None) -> dict[str, float]:
    """Has a process of Dask look at itself every other second, and not a hundred times a second: that takes a fortieth of
    a core from the games. Returns the milliseconds from look to look as they were, to be given back."""
    before: dict[str, float] = {}
    for name in LOOKS:
        if look := server.periodic_callbacks.get(name):
            before[name] = look.callback_time
            look.callback_time = (pace or {}).get(name, max(look.callback_time, CALM))
    return before


def take_cluster(client: str, topic: str, frozen: float, dask_scheduler: Any = None) -> str | None:
    """On the scheduler: takes the cluster unless somebody has it, who is named then, and has frozen workers found."""
    holder = getattr(dask_scheduler, "puli_holder", None)
    if holder and holder[0] in dask_scheduler.clients and holder[0] != client:
        return str(holder[1])
    dask_scheduler.puli_holder = (client, topic)
    _calm(dask_scheduler)
    if dask_scheduler.worker_ttl and dask_scheduler.worker_ttl > frozen:
        dask_scheduler.worker_ttl = frozen
        # It has been waiting for its first time by the old measure.
        watch = dask_scheduler.periodic_callbacks["worker-ttl"]
        watch.stop()
        watch.callback_time = frozen * 250
        watch.start()
    return None


def _cache() -> str:
    """A folder of this user's alone, for what need not be unpacked twice on a machine."""
    folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "puli")
    return private_folder(folder) or machine_folder() or tempfile.mkdtemp(prefix="puli-")


def _store(folder: str, name: str, data: bytes, mode: int) -> str:
    """A file with this content, written whole or not at all."""
    path = os.path.join(folder, name)
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return path
    except OSError:
        pass
    store(path, data, mode)
    return path
