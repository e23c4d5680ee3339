"""How large a cluster may grow: many workers that do nothing but sleep, and one scheduler.

    target/cluster/bin/python scripts/work/simulate.py --workers 1000 --games 100000 --seconds 10

The scheduler is a process of its own, whose rate, memory and processor time are read; the workers share a few processes,
since a machine has no room for a thousand of them. Games go through the executor that matches use, results with the
events, but desks are replaced by a sleep, and nothing is measured or sent along.

Seen with games of ten seconds, on two cores that scheduler, client and all workers shared, with other work beside them for
two thirds of the time (Dask 2026.8): 64 workers of 16 desks played 100,000 games in 22 minutes, 76 a second on average, 100 when
left alone, which is what 1,024 desks can do; the scheduler spent 5.0 ms of processor time on each, the client 1.8. It grew to
about 310 MiB, the client to 100. Of 1,000 workers of one desk each a game cost the scheduler 17 ms, and 25 a second were played:
probably since for every game it looks at all workers with a free desk; those were not played to the end.

On paper, a scheduler with a core of its own ends at some 190 games a second with workers that are whole machines, and at 60
with a thousand of one desk. Games last a second or more, mostly ten to a hundred, so that is 600 to 2,000 desks busy with
games of ten seconds, 100,000 games in nine minutes to half an hour; larger machines should be one worker with as many threads
as cores. What would come next, in this order: games handed out and told of in bundles, which share the cost of a task among
them; then a scheduler for each thousand desks, each with its own range of game numbers and the client's record to join them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import dask  # noqa: E402
import distributed  # noqa: E402
from distributed import WorkerPlugin  # noqa: E402

from common.arguments import Parser, Real, Whole, games  # noqa: E402
from common.exit_status import run_script  # noqa: E402
from work import cluster, worker  # noqa: E402
from work.cluster import Cluster, Terms  # noqa: E402
from work.job import TaskResult  # noqa: E402
from work.runner import run_tasks  # noqa: E402

BYTES = 4000
"""Of a game as it comes back."""


class Sleeper(WorkerPlugin):
    """A crew whose games are sleeps."""

    name = worker.PLUGIN

    def __init__(self, topic: str, seconds: float, desks: int) -> None:
        self.topic, self.seconds, self.desks = topic, seconds, desks

    def setup(self, worker: Any) -> None:
        """Is ready at once."""
        self._worker = worker
        worker.loop.add_callback(self._begin)

    async def _begin(self) -> None:
        await self._worker.set_resources(game=self.desks)
        self._log("ready", slots=self.desks, speed=0, noise=0.0, factor=1.0, cores="", shared=False)

    def run(self, number: int) -> None:
        """Sleeps for as long as a game lasts, which differs."""
        seconds = self.seconds * random.uniform(0.5, 1.5)
        time.sleep(seconds)
        result = pickle.dumps(os.urandom(BYTES))
        self._log("done", number=number, factor=1.0, seconds=seconds, result=result)

    def _log(self, what: str, **more: object) -> None:
        message = {"what": what, "name": str(self._worker.name), "address": self._worker.address, **more}
        self._worker.loop.add_callback(self._worker.log_event, self.topic, message)


class Sleeping:
    """A job that takes nothing along."""

    name, cores = "game", 1

    def programs(self) -> list[tuple[str, ...]]:
        """None."""
        return []

    def open(self, place: object) -> None:
        """Is never asked."""


async def host(address: str, count: int, desks: int) -> None:
    """So many workers in this process, until the scheduler goes."""
    # A machine that pretends to be a thousand is slow to answer, and a thousand that look at themselves leave it no time.
    dask.config.set(
        {
            "distributed.comm.timeouts.connect": "300s",
            "distributed.comm.timeouts.tcp": "300s",
            "distributed.admin.tick.interval": "20s",
            "distributed.admin.system-monitor.interval": "20s",
            "distributed.worker.profile.enabled": False,
        }
    )

    async def begin() -> distributed.Worker:
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                return await distributed.Worker(
                    address, nthreads=desks, memory_limit=0, dashboard=False, heartbeat_interval="20s", death_timeout=300
                )

    workers: list[distributed.Worker] = []
    while len(workers) < count:
        workers += await asyncio.gather(*(begin() for _ in range(min(25, count - len(workers)))))
    await asyncio.gather(*(each.finished() for each in workers))


def workers_of(dask_scheduler: Any = None) -> int:
    """On the scheduler: how many it has."""
    return len(dask_scheduler.workers)


def used(pid: int) -> tuple[float, float]:
    """Processor seconds and resident MiB of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> int:
    """Sets the cluster up, plays, and prints what it took."""
    cluster.silence()
    parser = Parser("simulate", __doc__)
    parser.add_argument("--workers", type=Whole(1, 100_000), default=1000)
    parser.add_argument("--desks", type=Whole(1, 1024), default=1, help="of each worker, who is a machine")
    parser.add_argument("--games", type=games, default=100_000)
    parser.add_argument("--seconds", type=Real(0, 86_400), default=10.0, help="of a game, on average")
    parser.add_argument("--processes", type=Whole(1, 1024), default=4, help="that share the workers")
    parser.add_argument("--limit", type=Real(0, 1e9), default=3600.0, help="seconds after which this ends with what it has")
    parser.add_argument("--host", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.host:
        asyncio.run(host(options.host[0], int(options.host[1]), options.desks))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        command_line = Path(sys.executable).with_name("dask")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        words = ["scheduler", "--port", "0", "--dashboard-address", ":0", "--scheduler-file", str(file)]
        scheduler = subprocess.Popen([str(command_line), *words], **quiet)
        children = [scheduler]
        try:
            while not file.exists():
                time.sleep(0.1)
            address = json.loads(file.read_text())["address"]
            share = options.workers // options.processes
            for _ in range(options.processes):
                command = [sys.executable, __file__, "--host", address, str(share), "--desks", str(options.desks)]
                children.append(subprocess.Popen(command, **quiet))
            play(address, options, scheduler.pid)
        finally:
            for child in children:
                child.kill()
                child.wait()
    return 0


def play(address: str, options: argparse.Namespace, scheduler: int) -> None:
    """Plays the games and prints a line now and then."""
    client = distributed.Client(address)
    while (count := client.run_on_scheduler(workers_of)) < options.workers // options.processes * options.processes:
        time.sleep(1.0)
    client.close()
    print(f"{count} workers are there", flush=True)
    topic: list[str] = []
    real = cluster.worker.Crew
    cluster.worker.Crew = lambda freight: topic.append(freight.topic) or Sleeper(freight.topic, options.seconds, options.desks)
    ready: list[object] = []
    executor = Cluster(address, Sleeping(), [], ready.append, Terms(frozen=300))
    cluster.worker.Crew = real
    begin = spoken = time.monotonic()
    begin_used = used(scheduler)[0]
    count, slept = 0, 0.0

    def take(done: TaskResult) -> bool:
        nonlocal count, slept, spoken
        count += 1
        slept += done.seconds
        now = time.monotonic()
        if now - spoken > 10 or count == options.games:
            spoken = now
            processor, memory = used(scheduler)
            busy = 100 * slept / (now - begin) / max(1, len(ready) * options.desks)
            print(
                f"{now - begin:.0f} s: {len(ready) * options.desks} desks, {count} games, {count / (now - begin):.0f} a second, desks busy"
                f" {busy:.0f}%, scheduler {memory:.0f} MiB and {1000 * (processor - begin_used) / count:.2f} ms a game,"
                f" client {1000 * time.process_time() / count:.2f} ms a game and {used(os.getpid())[1]:.0f} MiB",
                flush=True,
            )
        return now - begin < options.limit

    run_tasks(range(1, options.games + 1), executor, take)


if __name__ == "__main__":
    sys.exit(run_script("simulate", main))
