"""The main program of a task process, which runs tasks for a Dask worker and keeps engines open between them.

It reads pickled requests from standard input and writes pickled replies to standard output. In a process of its own the
clocks of a game do not wait for the threads of the worker. Standard input ends when the worker dies, however it dies;
the process then kills its engines and exits.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
import time

from .executor import keep_clocks_precise
from .job import Host, TaskRunner

IDLE_SECONDS = 60.0
"""Time without a task after which the engines are closed."""


def main() -> None:
    """Runs tasks until standard input ends."""
    # What a task prints must not reach the replies.
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    keep_clocks_precise()
    job, programs, time_factor, cores = pickle.load(sys.stdin.buffer)
    os.sched_setaffinity(0, cores)
    runner: TaskRunner = pickle.loads(job).open(Host(programs, time_factor))
    numbers: queue.SimpleQueue[int] = queue.SimpleQueue()

    def read_numbers() -> None:
        try:
            while True:
                numbers.put(pickle.load(sys.stdin.buffer))
        except EOFError:
            runner.interrupt()
            os._exit(0)

    threading.Thread(target=read_numbers, daemon=True).start()
    while True:
        try:
            number = numbers.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            runner.close()
            continue
        start = time.monotonic()
        try:
            result = pickle.dumps(runner.run(number))
            reply = ("", time.monotonic() - start, result)
        except Exception as error:  # noqa: BLE001 - the worker reports every error
            reply = (f"{type(error).__name__}: {error}", 0.0, b"")
        pickle.dump(reply, replies)
        replies.flush()
