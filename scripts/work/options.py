"""The command-line options of scripts that can run on a cluster, and the executor that they select."""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import sys
from pathlib import Path

from common.arguments import FloatRange, IntRange, address
from common.executor import Executor, ThreadExecutor
from common.job import Job
from common.journal import read_journal

PYTHON = Path(__file__).resolve().parent.parent.parent / "target" / "cluster" / "bin" / "python"
"""The interpreter that scripts/install-cluster installs."""


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Adds `--cluster` and the options that only matter with it."""
    add = parser.add_argument_group("cluster (Dask distributed; see scripts/install-cluster)").add_argument
    help_text = (
        "Run on the workers of a scheduler, tcp://host:8786, or of 'local': processes on this machine. Elsewhere, start"
        " workers with 'dask worker ADDRESS --nthreads 1 --nworkers N', or on hundreds of machines with '--nthreads N'"
    )
    add("--cluster", type=address, metavar="ADDRESS", help=help_text)
    add("--workers", type=IntRange(1, 10_000), metavar="N", help="Start N local workers [default: one per core]")
    help_text = "Scale time limits from a machine with NPS nodes per second [default: the speed in the record, or of this machine]"
    add("--reference", type=IntRange(1, 10**15), metavar="NPS", help=help_text)
    help_text = "Use only workers with at least SHARE of the reference speed [default: 0.2]"
    add("--slowest", type=FloatRange(0, 1000), default=0.2, metavar="SHARE", help=help_text)
    help_text = "Use only workers whose speeds have an interquartile range up to SHARE of their median [default: 0.5]"
    add("--noisiest", type=FloatRange(0, 1000), default=0.5, metavar="SHARE", help=help_text)
    help_text = "Give the tasks of a worker to others after SECONDS without a heartbeat [default: 30]"
    add("--frozen", type=FloatRange(1, 86_400), default=30.0, metavar="SECONDS", help=help_text)


def require_dask(options: argparse.Namespace) -> None:
    """Restarts the script with the interpreter that has Dask, if this one lacks it and `--cluster` needs it."""
    if options.cluster and not importlib.util.find_spec("distributed"):
        if not PYTHON.exists() or sys.prefix == str(PYTHON.parent.parent):
            raise ValueError("--cluster needs Dask: run scripts/install-cluster, or pip install 'distributed>=2024.1'")
        os.execv(PYTHON, [str(PYTHON), *sys.argv])


def select_executor(
    options: argparse.Namespace, job: Job, record: Path | None = None, is_timed: bool = False
) -> Executor:
    """Creates the executor that the options select.

    If `is_timed`, the time limits are adapted to the speed of each worker. The speed to which they refer is then taken
    from the options, or else from the `record` of an interrupted run, or else measured.
    """
    if not options.cluster:
        return ThreadExecutor(job, options.concurrency)
    from .cluster import Cluster  # Only this module needs Dask.

    head = read_journal(record)[0] if is_timed and record and record.exists() and record.stat().st_size else []
    recorded = [int(match[1]) for line in head if (match := re.fullmatch(r"reference ([0-9]{1,15})", line))]
    return Cluster(options, job, is_timed, options.reference or next(iter(recorded), 0))
