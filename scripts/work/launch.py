"""The options of scripts that can run on a cluster, and the executor that they choose."""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .freight import Packed, pack_programs
from .job import Job
from .runner import Executor
from .speed import RUNS
from .threads import ThreadExecutor
from common.arguments import Real, Whole, address
from common.exit_status import print_line
from common.journal import Journal, read_journal

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / "target" / "cluster" / "bin" / "python"
"""What scripts/install-cluster makes."""


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Those of the cluster."""
    group = parser.add_argument_group("cluster (Dask distributed; see scripts/install-cluster)")
    group.add_argument(
        "--cluster",
        type=address,
        metavar="ADDRESS",
        help="the scheduler's, as tcp://host:8786, or 'local' for worker processes on this machine. On others start"
        " 'dask worker ADDRESS --nthreads 1 --nworkers N', or of hundreds of machines '--nthreads N'; they get everything else from here",
    )
    group.add_argument("--workers", type=Whole(1, 10_000), metavar="N", help="of a local cluster (default: one for each core)")
    group.add_argument(
        "--reference",
        type=Whole(1, 10**15),
        metavar="NPS",
        help="nodes a second of the machine that times are meant for (default: this one; a record keeps its own)",
    )
    group.add_argument(
        "--slowest", type=Real(0, 1000), default=0.2, metavar="SHARE", help="of the reference a worker must reach (default 0.2)"
    )
    group.add_argument(
        "--noisiest",
        type=Real(0, 1000),
        default=0.5,
        metavar="SHARE",
        help="by which a worker's speeds may differ, from quartile to quartile (default 0.5)",
    )
    group.add_argument(
        "--frozen",
        type=Real(1, 86_400),
        default=30.0,
        metavar="SECONDS",
        help="without a sign of life after which a worker's work is given to others (default 30)",
    )


def require_dask(options: argparse.Namespace) -> None:
    """Starts this script again with the Python that has Dask, if this one has not; a `ValueError` if there is none."""
    if not options.cluster or importlib.util.find_spec("distributed"):
        return
    if not PYTHON.exists() or sys.prefix == str(PYTHON.parent.parent):
        raise ValueError("--cluster needs Dask: run scripts/install-cluster, or pip install './scripts[cluster]'")
    os.execv(PYTHON, [str(PYTHON), *sys.argv])


class ExecutorFactory:
    """The executor that the options choose, and what it needs to be known before it begins."""

    def __init__(self, options: argparse.Namespace, job: Job, concurrency: int, record: Path | None, timed: bool) -> None:
        """Packs the job for the journey, which tells the speed of this machine. `record` may hold a reference speed."""
        self._options, self._job, self._concurrency = options, job, concurrency
        self._programs: list[Packed] = []
        self.reference = 0
        """Nodes a second by which times are set; 0 where times are as they are."""
        if options.cluster:
            known = (options.reference or _recorded(record)) if timed else 0
            # Where no speed is wanted, whether the workers search the same nodes tells whether a bench always does.
            with ThreadPoolExecutor(1) as thread:
                packing = thread.submit(pack_programs, job.programs(), RUNS if timed and not known else 0)
                # Dask takes a second to be read, in which there is this to do.
                importlib.import_module(f"{__package__}.cluster")
                self._programs = packing.result()
            if timed and self._programs:
                self.reference = known or self._programs[-1].speed

    def start(self, tell: Callable[[Mapping[str, Any]], None]) -> Executor:
        """Sets it to work. `tell` hears of workers that come, go, or are unfit."""
        if not self._options.cluster:
            return ThreadExecutor(self._job, self._concurrency)
        from .cluster import Cluster, Terms  # Only where there is Dask.

        options = self._options
        terms = Terms(self.reference, options.slowest, options.noisiest, options.frozen, options.workers)
        cluster = Cluster(options.cluster, self._job, self._programs, tell, terms)
        print_line(f"dashboard: {cluster.dashboard}")
        for program in self._programs:
            print_line(f"sent along: {program.path}, signature {program.signature}, {len(program.packed) / 2**20:.1f} MiB")
        if self.reference:
            print_line(f"times are those of a machine with {self.reference} nodes a second")
        return cluster


class Log:
    """What is told of workers, in a journal and for people."""

    def __init__(self, journal: Journal | None) -> None:
        self._journal = journal
        self._next = max(journal.numbers("event"), default=0) + 1 if journal else 1

    def tell(self, event: Mapping[str, Any]) -> None:
        """Writes it down."""
        lines = event_lines(event)
        print_line(" ".join(lines))
        if self._journal:
            self._journal.add("event", self._next, lines)
            self._next += 1


def event_lines(event: Mapping[str, Any]) -> list[str]:
    """An event in words: what, who, and what else there is to say."""
    what = event["what"]
    if what == "ready":
        shared = " (shared)" if event["shared"] else ""
        return [
            f"worker {event['name']}",
            f"ready with {event['slots']} at once on cores {event['cores']}{shared}",
            f"speed {event['speed']} noise {event['noise']:.3f} factor {event['factor']:.3f}",
        ]
    if what == "unfit":
        return [f"worker {event['name']}", f"unfit: {event['reason']}"]
    if what == "lost":
        numbers = ", ".join(map(str, event["numbers"])) or "none"
        return [f"worker {event['name']}", f"lost; given to others: {numbers}"]
    return [f"number {event['number']}", f"failed, and is tried again: {event['reason']}"]


def _recorded(record: Path | None) -> int:
    if not record or not record.exists() or not record.stat().st_size:
        return 0
    head: Sequence[str] = read_journal(record)[0]
    return next((int(found[1]) for line in head if (found := re.fullmatch(r"reference ([0-9]{1,15})", line))), 0)
