"""How fast a machine is, by an engine's `bench`: nodes a second, and the nodes themselves, which are its signature.

What is sent to workers by value: nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

RUNS = 5
LONGEST = 300.0
"""Seconds that a bench may take."""
_NODES = re.compile(rb"^Nodes searched *: *([0-9]+)\s*$", re.MULTILINE)
_SPEED = re.compile(rb"^Nodes/second *: *([0-9]+)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Speed:
    """Of a machine that does as much at once as it will during the games."""

    signature: int
    """Nodes of the bench."""
    nodes_per_second: int
    """The median of all runs at all desks."""
    noise: float
    """The span between the quartiles, as a share of the median."""


def bench(program: str, cores: Sequence[int] = ()) -> tuple[int, int] | None:
    """The nodes and the nodes a second of one run, on these cores; `None` if the program does not say."""
    # A process begins on the cores of the thread that starts it.
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, cores or before)
        process = subprocess.Popen(
            [program, "bench"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except OSError:
        return None
    finally:
        os.sched_setaffinity(0, before)
    try:
        said, _ = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return None
    finally:
        process.kill()
        process.wait()
    nodes, speed = _NODES.search(said), _SPEED.search(said)
    return (int(nodes[1]), int(speed[1])) if nodes and speed else None


def known_bench(program: str, digest: str, cores: Sequence[int] = ()) -> tuple[int, int] | None:
    """What a run told when this program, of which this is the digest, ran on this machine the last time, or tells now: its
    nodes are what they were, and its speed about that."""
    folder = machine_folder()
    path = os.path.join(folder, f"{digest}.bench") if folder else os.devnull
    with contextlib.suppress(OSError, ValueError):
        with open(path, encoding="ascii") as file:
            nodes, speed = map(int, file.read().split())
        return nodes, speed
    found = bench(program, cores)
    if found and folder:
        with contextlib.suppress(OSError):
            store(path, f"{found[0]} {found[1]}\n".encode("ascii"), 0o600)
    return found


def machine_folder() -> str | None:
    """A folder of this user's alone on this very machine, until it starts anew; `None` if somebody else made it."""
    return private_folder(os.path.join(tempfile.gettempdir(), f"puli-{os.getuid()}"))


def private_folder(folder: str) -> str | None:
    """This folder, made if need be, if it, and no link to one, is this user's, and nobody else may write there."""
    with contextlib.suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        status = os.lstat(folder)
        others = stat.S_IMODE(status.st_mode) & 0o022
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not others:
            return folder
    return None


def store(path: str, data: bytes, mode: int) -> None:
    """Writes a file whole or not at all."""
    number, partial = tempfile.mkstemp(dir=os.path.dirname(path))
    with open(number, "wb") as file:
        file.write(data)
    os.chmod(partial, mode)
    os.replace(partial, path)


def summary(runs: Sequence[tuple[int, int]]) -> Speed:
    """Of all runs; a `ValueError` if they did not search the same nodes."""
    if len({nodes for nodes, _ in runs}) != 1:
        raise ValueError("the bench searches other nodes from run to run")
    speeds = sorted(speed for _, speed in runs)
    median = statistics.median_low(speeds)
    span = speeds[(3 * len(speeds)) // 4] - speeds[len(speeds) // 4] if len(speeds) > 1 else 0
    return Speed(runs[0][0], median, span / max(1, median))
