"""The process in which a Dask worker runs tasks: `TaskProcess` is the worker's end, `main` the process itself.

Requests and replies are pickles on the standard streams. Tasks do not run in the worker itself, because the threads of the
worker would delay the clocks of a game. The engines stay open between two tasks. When the worker dies, even by SIGKILL,
standard input ends; the process then kills its engines and exits.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence

from common.executor import keep_clocks_precise
from common.job import Host, TaskRunner

IDLE_SECONDS = 60.0
"""Time without a task after which the engines are closed."""


class TaskProcess:
    """The worker's end. The process is started by the first task, and again after a failure."""

    def __init__(self, modules: str, setup: tuple[bytes, Mapping[str, str], float, Sequence[int]]) -> None:
        """Stores the settings without starting the process.

        Args:
            modules: path of the zip file with the modules of the scripts.
            setup: the first request: the pickled job, paths of programs, the time factor, and the cores to run on.
        """
        self._modules, self._setup = modules, setup
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, number: int) -> tuple[float, bytes]:
        """Runs a task. Returns the seconds and the pickled result. Raises `RuntimeError` if the task fails."""
        try:
            process = self._process or self._start()
            pickle.dump(number, process.stdin)
            process.stdin.flush()
            error, seconds, result = pickle.load(process.stdout)
        except (OSError, EOFError, ValueError, pickle.PickleError):
            error = "the task process has ended"
        if error:
            self.close()
            raise RuntimeError(error)
        return seconds, result

    def close(self) -> None:
        """Ends the process and its engines at once."""
        process, self._process = self._process, None
        if process:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                process.stdin.close()
                process.wait(timeout=5.0)
            process.kill()
            process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        # In a session of its own, so that a signal to the worker's process group cannot end it before its engines.
        self._process = process = subprocess.Popen(
            [sys.executable, "-S", "-E", self._modules],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )
        pickle.dump(self._setup, process.stdin)
        return process


def main() -> None:
    """Runs tasks until standard input ends. This is the main program of the zip file."""
    # Replies use the original stdout. Text that a task prints goes to stderr instead.
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
