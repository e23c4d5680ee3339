"""The programs and modules that a job sends to the workers.

A worker runs the bench of each program. The number of nodes that the bench searches, the signature, proves that the program
works there, and the nodes per second measure the speed. The functions for this are pickled by value, so they use only the
standard library.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import stat
import statistics
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from common.files import MAX_PROGRAM_BYTES, read_bytes
from common.job import program_of

SCRIPTS = Path(__file__).resolve().parent.parent
RUNS = 5
"""Bench runs on each slot if time limits depend on the speed."""
MAX_BENCH_SECONDS = 300.0
"""Maximum time of one bench run, in seconds."""
_BENCH = re.compile(rb"^Nodes searched *: *([0-9]+)\s*$.*^Nodes/second *: *([0-9]+)\s*$", re.MULTILINE | re.DOTALL)

Bench = tuple[int, int]
"""The number of nodes that a bench searched, which is the signature of an engine, and the nodes per second."""


@dataclass(frozen=True)
class Program:
    """A program with its original path, its SHA-256, its file compressed by zlib, and its bench on this machine."""

    path: str
    digest: str
    data: bytes = field(repr=False)
    bench: Bench


def pack_modules() -> bytes:
    """Returns a zip file of the scripts' modules, which Python runs as a task process."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(SCRIPTS.glob("*/*.py")):
            if path.parent.name != "tests":
                archive.write(path, f"{path.parent.name}/{path.name}")
        archive.writestr("__main__.py", "from work.task_process import main\n\nmain()\n")
    return data.getvalue()


def pack_programs(commands: Sequence[tuple[str, ...]], runs: int) -> list[Program]:
    """Packs the programs that have a bench, each once. The program of the last command is the last one.

    A program without a bench is not packed and must exist on every worker, because nothing proves that a copy of it works.
    The speed is the median of `runs` runs. If `runs` is 0, the result of an earlier run may be reused.
    """
    programs = []
    # A dictionary keeps the first of equal keys, so that the reversed order keeps the last.
    for path in reversed(dict.fromkeys(program_of(command) for command in reversed(commands))):
        try:
            data = read_bytes(Path(path), MAX_PROGRAM_BYTES)
        except (OSError, ValueError):
            continue
        digest = hashlib.sha256(data).hexdigest()
        if first_bench := run_bench(path) if runs else cached_bench(path, digest):
            other_benches = [result for _ in range(runs - 1) if (result := run_bench(path))]
            bench = summary([first_bench, *other_benches])[0]
            programs.append(Program(path, digest, zlib.compress(data, 1), bench))
    return programs


def run_bench(program: str, cores: Sequence[int] = ()) -> Bench | None:
    """Runs the bench of a program; returns `None` if the program prints no nodes and speed.

    Pins the calling thread to `cores`, if given, because a process inherits the affinity of the thread that starts it.
    """
    if cores:
        os.sched_setaffinity(0, cores)
    try:
        output = subprocess.run(
            [program, "bench"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=MAX_BENCH_SECONDS, check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _BENCH.search(output)
    return (int(match[1]), int(match[2])) if match else None


def cached_bench(program: str, digest: str, cores: Sequence[int] = ()) -> Bench | None:
    """Returns the result of an earlier bench of this program on this machine, or else of a new one."""
    folder = machine_folder()
    path = folder / f"{digest}.bench" if folder else Path(os.devnull)
    with contextlib.suppress(OSError, ValueError):
        nodes, speed = path.read_text().split()
        return int(nodes), int(speed)
    result = run_bench(program, cores)
    if result and folder:
        with contextlib.suppress(OSError):
            partial = path.with_suffix(f".{os.getpid()}")
            partial.write_text(f"{result[0]} {result[1]}\n")
            partial.replace(path)
    return result


def summary(results: Sequence[Bench]) -> tuple[Bench, float]:
    """Returns the signature and the median speed of bench runs, and the interquartile range as a share of the median.

    Raises `ValueError` if the runs searched different numbers of nodes.
    """
    signature, *others = {nodes for nodes, _ in results}
    if others:
        raise ValueError("the bench searches a different number of nodes in each run")
    speeds = sorted(speed for _, speed in results)
    median = statistics.median_low(speeds)
    interquartile_range = speeds[(3 * len(speeds)) // 4] - speeds[len(speeds) // 4] if len(speeds) > 1 else 0
    return (signature, median), interquartile_range / max(1, median)


def machine_folder() -> Path | None:
    """Returns a temporary folder to which only this user can write, or `None` if there is none."""
    folder = Path(tempfile.gettempdir(), f"puli-{os.getuid()}")
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022:
            return folder
    return None
