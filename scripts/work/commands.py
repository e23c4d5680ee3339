"""The job of running a program with one list of arguments after another: whatever a subcommand does piece by piece.

`scripts/gather`, `scripts/verify` and `scripts/atlas` are made of it, and so is anything else that `puli` does in parts
that are given on the command line.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from .job import Host

LONGEST_COMPLAINT = 2000


@dataclass(frozen=True)
class Output:
    """What came of a command."""

    status: int
    lines: tuple[str, ...]
    complaint: str
    """The end of what it wrote to stderr."""


@dataclass(frozen=True)
class Commands:
    """A program, and the arguments of each piece."""

    name: str
    program: str
    arguments: tuple[tuple[str, ...], ...]
    """Of piece 1, 2, and so on."""
    cores: int = 1

    def programs(self) -> Sequence[tuple[str, ...]]:
        """The one."""
        return [(self.program,)]

    def open(self, host: Host) -> Shell:
        """Nothing is started before it is needed."""
        return Shell(self, host)


class Shell:
    """Runs commands."""

    def __init__(self, job: Commands, host: Host) -> None:
        self._job = job
        self._program = host.command((job.program,))[0]
        self._process: subprocess.Popen[str] | None = None

    def run(self, number: int) -> Output:
        """Runs one to its end."""
        words = [self._program, *self._job.arguments[number - 1]]
        try:
            self._process = process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                encoding="utf-8", errors="replace", start_new_session=True,
            )
        except OSError as error:
            return Output(127, (), f"{self._program}: {error.strerror}")
        out, complaint = process.communicate()
        lines = tuple(line for line in out.split("\n") if line)
        return Output(process.returncode, lines, complaint.strip()[-LONGEST_COMPLAINT:])

    def interrupt(self) -> None:
        """Kills it."""
        process = self._process
        if process and process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Nothing is left."""
        self.interrupt()
