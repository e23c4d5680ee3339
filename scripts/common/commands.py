"""A job whose tasks run one program with different arguments, for `scripts/gather`, `scripts/verify` and `scripts/atlas`."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from .job import Host

MAX_STDERR_CHARACTERS = 2000
"""Maximum length of `Output.stderr_tail`."""


@dataclass(frozen=True)
class Output:
    """The exit status and the output of a command."""

    status: int
    lines: tuple[str, ...]
    stderr_tail: str
    """The end of its standard error."""


@dataclass(frozen=True)
class Commands:
    """A program, and the arguments of each task."""

    name: str
    program: str
    arguments: tuple[tuple[str, ...], ...]
    """The arguments of task 1, 2, and so on."""
    cores: int = 1

    def programs(self) -> Sequence[tuple[str, ...]]:
        """Returns the program."""
        return [(self.program,)]

    def open(self, host: Host) -> CommandRunner:
        """Creates a runner for a host."""
        return CommandRunner(self, host)


class CommandRunner:
    """Runs one command at a time."""

    def __init__(self, job: Commands, host: Host) -> None:
        self._job = job
        self._program = host.command((job.program,))[0]
        self._process: subprocess.Popen[str] | None = None

    def run(self, number: int) -> Output:
        """Runs the command of a task. If the program cannot start, the status is 127, as in a shell."""
        words = [self._program, *self._job.arguments[number - 1]]
        try:
            self._process = process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                encoding="utf-8", errors="replace", start_new_session=True,
            )
        except OSError as error:
            return Output(127, (), f"{self._program}: {error.strerror}")
        out, error_output = process.communicate()
        lines = tuple(line for line in out.split("\n") if line)
        return Output(process.returncode, lines, error_output.strip()[-MAX_STDERR_CHARACTERS:])

    def interrupt(self) -> None:
        """Kills the command and its children."""
        if self._process and self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kills the command and its children."""
        self.interrupt()
