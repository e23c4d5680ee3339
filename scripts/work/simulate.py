"""How large a cluster may grow: many workers that do nothing but sleep, and one scheduler.

    target/cluster/bin/python scripts/work/simulate.py --workers 1000 --games 100000 --seconds 10

The scheduler is a process of its own, whose rate, memory and processor time are read; the workers share a few processes,
since a machine has no room for a thousand of them. Games go through the executor that matches use, results with the
events, but desks are replaced by a sleep, and nothing is measured or sent along.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
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

import distributed  # noqa: E402
from distributed import WorkerPlugin  # noqa: E402

from work import cluster, worker  # noqa: E402
from work.cluster import Cluster, Terms  # noqa: E402
from work.job import Done  # noqa: E402
from work.runner import run_all  # noqa: E402

BYTES = 4000
"""Of a game as it comes back."""


class Sleeper(WorkerPlugin):
    """A crew whose games are sleeps."""

    name = worker.PLUGIN

    def __init__(self, topic: str, seconds: float) -> None:
        self.topic, self.seconds = topic, seconds

    def setup(self, worker: Any) -> None:
        """Is ready at once."""
        self._worker = worker
        worker.loop.add_callback(self._begin)

    async def _begin(self) -> None:
        await self._worker.set_resources(game=1)
        self._log("ready", slots=1, speed=0, noise=0.0, factor=1.0, cores="", shared=False)

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


async def host(address: str, count: int) -> None:
    """So many workers in this process, until the scheduler goes."""
    workers = [
        distributed.Worker(address, nthreads=1, memory_limit=0, dashboard=False, heartbeat_interval="20s")
        for _ in range(count)
    ]
    for begin in range(0, count, 50):
        await asyncio.gather(*workers[begin : begin + 50])
    await asyncio.gather(*(each.finished() for each in workers))


def used(pid: int) -> tuple[float, float]:
    """Processor seconds and resident MiB of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Sets the cluster up, plays, and prints what it took."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=10.0, help="of a game, on average")
    parser.add_argument("--processes", type=int, default=4, help="that share the workers")
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds after which this ends with what it has")
    parser.add_argument("--host", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.host:
        asyncio.run(host(options.host[0], int(options.host[1])))
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        dask = Path(sys.executable).with_name("dask")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        words = ["scheduler", "--port", "0", "--dashboard-address", ":0", "--scheduler-file", str(file)]
        scheduler = subprocess.Popen([str(dask), *words], **quiet)
        children = [scheduler]
        try:
            while not file.exists():
                time.sleep(0.1)
            address = json.loads(file.read_text())["address"]
            share = options.workers // options.processes
            for _ in range(options.processes):
                command = [sys.executable, __file__, "--host", address, str(share)]
                children.append(subprocess.Popen(command, **quiet))
            play(address, options, scheduler.pid)
        finally:
            for child in children:
                child.kill()
                child.wait()


def play(address: str, options: argparse.Namespace, scheduler: int) -> None:
    """Plays the games and prints a line now and then."""
    client = distributed.Client(address)
    client.wait_for_workers(options.workers // options.processes * options.processes, timeout=1800)
    client.close()
    topic: list[str] = []
    real = cluster.worker.Crew
    cluster.worker.Crew = lambda freight: topic.append(freight.topic) or Sleeper(freight.topic, options.seconds)
    ready: list[object] = []
    executor = Cluster(address, Sleeping(), [], ready.append, Terms(frozen=300))
    cluster.worker.Crew = real
    begin = spoken = time.monotonic()
    begin_used = used(scheduler)[0]
    count, slept = 0, 0.0

    def take(done: Done) -> bool:
        nonlocal count, slept, spoken
        count += 1
        slept += done.seconds
        now = time.monotonic()
        if now - spoken > 10 or count == options.games:
            spoken = now
            processor, memory = used(scheduler)
            busy = 100 * slept / (now - begin) / max(1, len(ready))
            print(
                f"{now - begin:.0f} s: {len(ready)} workers, {count} games, {count / (now - begin):.0f} a second, desks busy"
                f" {busy:.0f}%, scheduler {memory:.0f} MiB and {1000 * (processor - begin_used) / count:.2f} ms a game,"
                f" client {1000 * time.process_time() / count:.2f} ms a game and {used(os.getpid())[1]:.0f} MiB",
                flush=True,
            )
        return now - begin < options.limit

    run_all(range(1, options.games + 1), executor, take)


if __name__ == "__main__":
    main()
